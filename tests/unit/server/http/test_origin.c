/* SPDX-License-Identifier: MIT
 *
 * test_origin.c: hosts that are ours, origins that may ask.
 */
#include <criterion/criterion.h>

#include "server/http/origin.h"

static const char *const hosts[] = {"maps.example"};
static const char *const origins[] = {"https://editor.example", "http://localhost:5173"};
static const origin_rules rules = {hosts, 1, false, origins, 2};

static bool ours(const char *host) {
    return host_is_ours(&rules, loam_text_of(host));
}

static origin_verdict judge(const char *origin, const char *site) {
    loam_text none = {NULL, 0};
    return origin_judge(&rules, loam_text_of("localhost:7373"),
                        origin == NULL ? none : loam_text_of(origin),
                        site == NULL ? none : loam_text_of(site));
}

Test(origin, loopback_names_and_configured_ones_are_ours_with_any_port) {
    static const char *const good[] = {"localhost",   "LOCALHOST:7373", "127.0.0.1:1",    "[::1]",
                                       "[::1]:65535", "maps.example",   "Maps.Example:80"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        cr_expect(ours(good[i]), "%s", good[i]);
    }
}

Test(origin, other_names_are_not_ours) {
    static const char *const bad[] = {"",          "evil.example",    "localhost.evil.example",
                                      "127.0.0.2", "localhost:7373x", "localhost:123456",
                                      "::1",       "maps.example.",   "localhost:80:80",
                                      ":80",       "[::1]x",          "localhost "};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect_not(ours(bad[i]), "%s", bad[i]);
    }
}

Test(origin, no_browser_and_pages_of_our_own_may_ask) {
    cr_expect_eq(judge(NULL, NULL), ORIGIN_OWN);
    cr_expect_eq(judge(NULL, "none"), ORIGIN_OWN);
    cr_expect_eq(judge(NULL, "same-origin"), ORIGIN_OWN);
    cr_expect_eq(judge("http://localhost:7373", "same-origin"), ORIGIN_OWN);
    cr_expect_eq(judge("https://LOCALHOST:7373", NULL), ORIGIN_OWN);
}

Test(origin, allowed_origins_may_ask_across_sites) {
    cr_expect_eq(judge("https://editor.example", "cross-site"), ORIGIN_ALLOWED);
    cr_expect_eq(judge("http://localhost:5173", "same-site"), ORIGIN_ALLOWED);
}

Test(origin, everybody_else_is_foreign) {
    cr_expect_eq(judge("https://evil.example", NULL), ORIGIN_FOREIGN);
    cr_expect_eq(judge("null", NULL), ORIGIN_FOREIGN);
    cr_expect_eq(judge("", NULL), ORIGIN_FOREIGN);
    cr_expect_eq(judge("http://localhost", NULL), ORIGIN_FOREIGN);
    cr_expect_eq(judge("http://localhost:73731", NULL), ORIGIN_FOREIGN);
    cr_expect_eq(judge("http://editor.example", NULL), ORIGIN_FOREIGN);
    cr_expect_eq(judge(NULL, "cross-site"), ORIGIN_FOREIGN);
    cr_expect_eq(judge(NULL, "same-site"), ORIGIN_FOREIGN);
    cr_expect_eq(judge(NULL, ""), ORIGIN_FOREIGN);
}
