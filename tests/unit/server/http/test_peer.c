/* SPDX-License-Identifier: MIT
 *
 * test_peer.c: addresses, ranges, what proxies say, and how many of each there are.
 */
#include "server/http/forwarded.h"

#include <criterion/criterion.h>
#include <string.h>

static bool reads_as(const char *text, const char *wanted) {
    peer_address address;
    char written[PEER_TEXT_BYTES];
    if (!peer_read(loam_text_of(text), &address)) {
        return false;
    }
    peer_write(&address, written);
    return strcmp(written, wanted) == 0;
}

Test(peer, addresses_are_read_with_and_without_a_port) {
    cr_expect(reads_as("192.0.2.1", "192.0.2.1"));
    cr_expect(reads_as("192.0.2.1:80", "192.0.2.1"));
    cr_expect(reads_as("::ffff:192.0.2.1", "192.0.2.1"));
    cr_expect(reads_as("2001:DB8::1", "2001:db8::1"));
    cr_expect(reads_as("[2001:db8::1]", "2001:db8::1"));
    cr_expect(reads_as("[2001:db8::1]:443", "2001:db8::1"));
}

Test(peer, what_is_no_address_is_not_read) {
    static const char *const bad[] = {"",           "unknown",     "_hidden",      "192.0.2",
                                      "192.0.2.1:", "192.0.2.1:x", "[2001:db8::1", "[::1]x",
                                      "[::1]:",     "1.2.3.4.5",   "::g"};
    peer_address address;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect(!peer_read(loam_text_of(bad[i]), &address), "%s", bad[i]);
    }
}

static bool in_range(const char *range, const char *address) {
    peer_range read;
    peer_address of;
    cr_assert(peer_range_read(loam_text_of(range), &read), "%s", range);
    cr_assert(peer_read(loam_text_of(address), &of), "%s", address);
    return peer_range_has(&read, &of);
}

Test(peer, a_range_has_the_addresses_that_agree_in_its_bits) {
    cr_expect(in_range("10.0.0.0/8", "10.255.1.2"));
    cr_expect(!in_range("10.0.0.0/8", "11.0.0.1"));
    cr_expect(in_range("192.0.2.128/25", "192.0.2.200"));
    cr_expect(!in_range("192.0.2.128/25", "192.0.2.127"));
    cr_expect(in_range("0.0.0.0/0", "203.0.113.1"));
    cr_expect(!in_range("0.0.0.0/0", "2001:db8::1"));
    cr_expect(in_range("2001:db8::/32", "2001:db8:ffff::1"));
    cr_expect(in_range("192.0.2.1", "192.0.2.1"));
    cr_expect(!in_range("192.0.2.1", "192.0.2.2"));
    peer_range read;
    cr_expect(!peer_range_read(loam_text_of("10.0.0.0/33"), &read));
    cr_expect(!peer_range_read(loam_text_of("10.0.0.0/"), &read));
    cr_expect(!peer_range_read(loam_text_of("proxy"), &read));
}

/* The client that a header names to someone who trusts 10.0.0.0/8; "" when it names none. */
static const char *client_of(forwarded_kind kind, const char *header) {
    static char written[PEER_TEXT_BYTES];
    peer_range range;
    peer_address client;
    cr_assert(peer_range_read(loam_text_of("10.0.0.0/8"), &range));
    proxy_rules rules = {.ranges = &range, .range_count = 1, .kind = kind};
    written[0] = 0;
    if (forwarded_client(&rules, loam_text_of(header), &client)) {
        peer_write(&client, written);
    }
    return written;
}

Test(peer, the_client_is_the_last_one_that_is_no_trusted_proxy) {
    cr_expect_str_eq(client_of(FORWARDED_LIST, "203.0.113.7"), "203.0.113.7");
    cr_expect_str_eq(client_of(FORWARDED_LIST, "1.1.1.1, 203.0.113.7"), "203.0.113.7");
    cr_expect_str_eq(client_of(FORWARDED_LIST, "1.1.1.1, 203.0.113.7, 10.1.1.1,10.2.2.2"),
                     "203.0.113.7");
    cr_expect_str_eq(client_of(FORWARDED_LIST, "10.3.3.3, 10.2.2.2"), "10.3.3.3");
    cr_expect_str_eq(client_of(FORWARDED_LIST, "203.0.113.7, nonsense, 10.2.2.2"), "10.2.2.2");
    cr_expect_str_eq(client_of(FORWARDED_LIST, "nonsense"), "");
    cr_expect_str_eq(client_of(FORWARDED_LIST, ""), "");
}

Test(peer, the_header_of_rfc_7239_is_read_too) {
    cr_expect_str_eq(client_of(FORWARDED_RFC, "for=203.0.113.7;proto=http;by=10.0.0.1"),
                     "203.0.113.7");
    cr_expect_str_eq(client_of(FORWARDED_RFC, "proto=https; For=\"[2001:db8::7]:80\""),
                     "2001:db8::7");
    cr_expect_str_eq(client_of(FORWARDED_RFC, "for=1.1.1.1, for=203.0.113.7, for=10.0.0.2"),
                     "203.0.113.7");
    cr_expect_str_eq(client_of(FORWARDED_RFC, "for=_hidden, for=10.0.0.2"), "10.0.0.2");
    cr_expect_str_eq(client_of(FORWARDED_RFC, "by=203.0.113.7"), "");
}

static bool enter(peer_table *table, const char *address, uint32_t limit) {
    peer_address of;
    cr_assert(peer_read(loam_text_of(address), &of));
    return peer_table_enter(table, &of, limit);
}

Test(peer, each_address_has_its_own_count_and_a_network_of_ipv6_one) {
    peer_table *table = peer_table_create();
    peer_address of;
    cr_expect(enter(table, "192.0.2.1", 2));
    cr_expect(enter(table, "192.0.2.1", 2));
    cr_expect(!enter(table, "192.0.2.1", 2));
    cr_expect(enter(table, "192.0.2.2", 2));
    cr_expect(enter(table, "2001:db8::1", 2));
    cr_expect(enter(table, "2001:db8::2", 2));
    cr_expect(!enter(table, "2001:db8::3", 2));
    cr_expect(enter(table, "2001:db8:0:1::3", 2));
    peer_read(loam_text_of("192.0.2.1"), &of);
    peer_table_leave(table, &of);
    cr_expect_eq(peer_table_count(table, &of), 1);
    cr_expect(enter(table, "192.0.2.1", 2));
    peer_table_destroy(table);
}
