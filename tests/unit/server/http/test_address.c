/* SPDX-License-Identifier: MIT
 *
 * test_address.c: where the daemon may listen.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/http/address.h"

static loam_status try_listen(const char *address, uint16_t port, loam_error *error) {
    listening made = {.descriptor = -1};
    memset(error, 0, sizeof *error);
    loam_status status =
        address_listen(&(listen_wish){.address = address, .port = port}, &made, error);
    if (status == LOAM_OK) {
        close(made.descriptor);
    }
    return status;
}

Test(address, loopback_in_any_spelling_is_listened_on) {
    static const char *const good[] = {"127.0.0.1", "localhost", "127.8.9.10"};
    loam_error error;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        cr_expect_eq(try_listen(good[i], 0, &error), LOAM_OK, "%s: %s", good[i], error.text);
    }
}

Test(address, an_address_beyond_loopback_is_refused_by_name) {
    static const char *const bad[] = {
        "0.0.0.0", "192.168.1.1", "::", "[::]", "fe80::1", "::ffff:127.0.0.1"};
    loam_error error;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect_eq(try_listen(bad[i], 0, &error), LOAM_FORBIDDEN, "%s", bad[i]);
        cr_expect_not_null(strstr(error.text, bad[i]), "%s", error.text);
    }
}

static loam_status expose(http_exposure exposure, loam_error *error) {
    listening made = {.descriptor = -1};
    memset(error, 0, sizeof *error);
    loam_status status =
        address_listen(&(listen_wish){.address = "0.0.0.0", .exposure = exposure}, &made, error);
    if (status == LOAM_OK) {
        close(made.descriptor);
    }
    return status;
}

Test(address, beyond_loopback_one_is_told_what_is_missing) {
    loam_error error;
    cr_expect_eq(expose(EXPOSURE_LOOPBACK, &error), LOAM_FORBIDDEN);
    cr_expect_not_null(strstr(error.text, "--tokens"), "%s", error.text);
    cr_expect_eq(expose(EXPOSURE_NEEDS_TLS, &error), LOAM_FORBIDDEN);
    cr_expect_not_null(strstr(error.text, "--plaintext"), "%s", error.text);
    cr_expect_eq(expose(EXPOSURE_ANY, &error), LOAM_OK, "%s", error.text);
}

Test(address, a_socket_that_listens_is_adopted_and_no_other) {
    listening first = {.descriptor = -1};
    listening adopted = {.descriptor = -1};
    loam_error error = {0};
    cr_assert_eq(address_listen(&(listen_wish){.address = "127.0.0.1"}, &first, &error), LOAM_OK);
    cr_expect_eq(address_adopt(first.descriptor, EXPOSURE_LOOPBACK, &adopted, &error), LOAM_OK);
    cr_expect_eq(adopted.port, first.port);
    cr_expect(!adopted.is_local);
    int plain = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    cr_expect_eq(address_adopt(plain, EXPOSURE_ANY, &adopted, &error), LOAM_IO);
    cr_expect_eq(address_adopt(STDERR_FILENO, EXPOSURE_ANY, &adopted, &error), LOAM_IO);
    close(plain);
    close(first.descriptor);
}

Test(address, what_is_no_address_is_out_of_range) {
    static const char *const bad[] = {
        "",        "localhost:80",
        "127.0.0", "example.org",
        "unix:",   "1111:2222:3333:4444:5555:6666:7777:8888:9999:0000:1111:2222"};
    loam_error error;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect_eq(try_listen(bad[i], 0, &error), LOAM_OUT_OF_RANGE, "%s", bad[i]);
    }
}

Test(address, a_port_in_use_is_one_clear_error) {
    loam_error error = {0};
    listening first = {.descriptor = -1};
    cr_assert_eq(address_listen(&(listen_wish){.address = "127.0.0.1"}, &first, &error), LOAM_OK);
    char name[32];
    snprintf(name, sizeof name, "127.0.0.1:%u", first.port);
    cr_expect_eq(try_listen("127.0.0.1", first.port, &error), LOAM_IO);
    cr_expect_not_null(strstr(error.text, name), "%s", error.text);
    close(first.descriptor);
}

Test(address, a_unix_socket_replaces_a_dead_one_but_no_live_one) {
    char folder[] = "/tmp/loam-address-XXXXXX";
    cr_assert_not_null(mkdtemp(folder));
    char name[64];
    snprintf(name, sizeof name, "unix:%s/admin", folder);
    loam_error error = {0};
    listening first = {.descriptor = -1};
    cr_assert_eq(address_listen(&(listen_wish){.address = name}, &first, &error), LOAM_OK, "%s",
                 error.text);
    cr_expect_str_eq(first.local_path, name + 5);
    cr_expect_eq(try_listen(name, 0, &error), LOAM_IO);
    close(first.descriptor);
    cr_expect_eq(try_listen(name, 0, &error), LOAM_OK, "%s", error.text);
    unlink(name + 5);
    rmdir(folder);
}
