/* SPDX-License-Identifier: MIT
 *
 * test_config.c: what the command line and the file make of struct config, and every refusal.
 */
#include "server/config/config.h"

#include "api/wire/scope.h"
#include "server/config/option.h"
#include "server/http/http_limits.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static config settings;
static loam_error error;

static config_outcome read_words(const char *const *words) {
    char *argv[16] = {(char *)(uintptr_t) "loamd"};
    int argc = 1;
    for (; words[argc - 1] != NULL; argc++) {
        argv[argc] = (char *)(uintptr_t)words[argc - 1];
    }
    error = (loam_error){0};
    return config_read(&settings, argc, argv, &error);
}

#define READ(...) read_words((const char *const[]){__VA_ARGS__, NULL})

static const char *file_with(const char *text) {
    static char path[] = "/tmp/loam-config-XXXXXX";
    memcpy(path + sizeof path - 7, "XXXXXX", 6);
    int descriptor = mkstemp(path);
    cr_assert(descriptor >= 0);
    cr_assert_eq(write(descriptor, text, strlen(text)), (ssize_t)strlen(text));
    close(descriptor);
    return path;
}

static config_outcome read_file(const char *text) {
    const char *path = file_with(text);
    config_outcome outcome = READ("--data", "/tmp/d", "--config", path);
    unlink(path);
    return outcome;
}

Test(config, defaults_stand_when_nothing_is_given) {
    cr_assert_eq(READ("--data", "/tmp/d"), CONFIG_RUN);
    cr_assert_str_eq(settings.address, "127.0.0.1");
    cr_assert_eq(settings.port, 7373);
    cr_assert_eq(settings.workers, 0);
    cr_assert_eq(settings.cache_bytes, (int64_t)16 << 30);
    cr_assert_str_eq(settings.data, "/tmp/d");
}

Test(config, values_are_taken_with_and_without_an_equal_sign) {
    cr_assert_eq(READ("--workers=3", "--data", "/tmp/d", "--ram-cache-bytes", "5M"), CONFIG_RUN);
    cr_assert_eq(settings.workers, 3);
    cr_assert_eq(settings.ram_cache_bytes, 5 << 20);
}

Test(config, an_ipv6_address_stands_in_brackets) {
    cr_assert_eq(READ("--data", "/d", "--listen", "[::1]:0"), CONFIG_RUN);
    cr_assert_str_eq(settings.address, "::1");
    cr_assert_eq(settings.port, 0);
    cr_assert_eq(READ("--data", "/d", "--listen", "::1:80"), CONFIG_BAD);
    cr_assert_eq(READ("--data", "/d", "--listen", "[::1]"), CONFIG_BAD);
    cr_assert_eq(READ("--data", "/d", "--listen", "localhost"), CONFIG_BAD);
    cr_assert_eq(READ("--data", "/d", "--listen", "127.0.0.1:65536"), CONFIG_BAD);
    cr_assert_eq(READ("--data", "/d", "--listen", "127.0.0.1:"), CONFIG_BAD);
}

Test(config, an_unknown_option_is_named) {
    cr_assert_eq(READ("--wokers", "3"), CONFIG_USAGE);
    cr_assert(strstr(error.text, "--wokers") != NULL);
    cr_assert_eq(READ("stray"), CONFIG_USAGE);
    cr_assert(strstr(error.text, "stray") != NULL);
}

Test(config, a_missing_value_is_named) {
    cr_assert_eq(READ("--workers"), CONFIG_USAGE);
    cr_assert(strstr(error.text, "--workers: needs a value (N)") != NULL);
}

Test(config, limits_of_a_number_are_kept_and_told) {
    cr_assert_eq(READ("--data", "/d", "--workers", "256"), CONFIG_RUN);
    cr_assert_eq(READ("--data", "/d", "--workers", "257"), CONFIG_USAGE);
    cr_assert(strstr(error.text, "0 to 256") != NULL, "%s", error.text);
    cr_assert_eq(READ("--workers", "-1"), CONFIG_USAGE);
    cr_assert_eq(READ("--workers", "2x"), CONFIG_USAGE);
    cr_assert_eq(READ("--workers", ""), CONFIG_USAGE);
    cr_assert_eq(READ("--cache-bytes", "9223372036854775808"), CONFIG_USAGE);
    cr_assert_eq(READ("--cache-bytes", "9000000000T"), CONFIG_USAGE);
    cr_assert_eq(READ("--cache-bytes", "1Q"), CONFIG_USAGE);
}

Test(config, a_choice_lists_what_it_takes) {
    cr_assert_eq(READ("--data", "/d", "--simd", "avx2"), CONFIG_RUN);
    cr_assert_eq(settings.simd, LOAM_SIMD_AVX2);
    cr_assert_eq(READ("--simd", "mmx"), CONFIG_USAGE);
    cr_assert(strstr(error.text, "best, baseline, avx2, avx512") != NULL);
}

Test(config, the_file_stands_over_defaults_and_under_the_command_line) {
    const char *path = file_with("# comment\n\n workers = 5 \nsimd=baseline\nhost = a.example\n");
    cr_assert_eq(READ("--data", "/d", "--config", path, "--workers", "7"), CONFIG_RUN);
    cr_assert_eq(settings.workers, 7);
    cr_assert_eq(settings.simd, LOAM_SIMD_BASELINE);
    cr_assert_eq(settings.hosts.count, 1);
    cr_assert_eq(READ("--data", "/d", "--config", path, "--host", "b", "--host", "c"), CONFIG_RUN);
    cr_assert_eq(settings.hosts.count, 2);
    cr_assert_str_eq(settings.hosts.items[0], "b");
    unlink(path);
}

Test(config, a_wrong_line_of_the_file_is_named_by_number) {
    cr_assert_eq(read_file("workers = 2\nwat = 1\n"), CONFIG_BAD);
    cr_assert(strstr(error.text, ":2: ") != NULL && strstr(error.text, "wat") != NULL);
    cr_assert_eq(read_file("workers\n"), CONFIG_BAD);
    cr_assert(strstr(error.text, ":1: ") != NULL);
    cr_assert_eq(read_file("workers = 2\nworkers = 3\n"), CONFIG_BAD);
    cr_assert(strstr(error.text, ":2: workers: is given twice") != NULL);
    cr_assert_eq(read_file("config = other\n"), CONFIG_BAD);
    cr_assert_eq(read_file("workers = 999\n"), CONFIG_BAD);
    cr_assert(strstr(error.text, ":1: workers") != NULL);
}

Test(config, a_file_that_is_not_there_is_an_error) {
    cr_assert_eq(READ("--config", "/nonexistent/loamd.conf"), CONFIG_BAD);
    cr_assert(strstr(error.text, "/nonexistent/loamd.conf") != NULL);
}

Test(config, data_falls_back_to_the_home_folder) {
    setenv("XDG_DATA_HOME", "/tmp/share", 1);
    cr_assert_eq(READ("--workers", "1"), CONFIG_RUN);
    cr_assert_str_eq(settings.data, "/tmp/share/loam");
    unsetenv("XDG_DATA_HOME");
    setenv("HOME", "/tmp/home", 1);
    cr_assert_eq(READ("--workers", "1"), CONFIG_RUN);
    cr_assert_str_eq(settings.data, "/tmp/home/.local/share/loam");
    unsetenv("HOME");
    cr_assert_eq(READ("--workers", "1"), CONFIG_BAD);
}

Test(config, a_list_is_bounded) {
    char text[CONFIG_LIST_ITEMS * 16 + 64] = "";
    for (int i = 0; i <= CONFIG_LIST_ITEMS; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "host = h%d\n", i);
    }
    cr_assert_eq(read_file(text), CONFIG_BAD);
    cr_assert_eq(error.status, LOAM_TOO_MANY);
}

Test(config, scopes_are_names_with_commas_between) {
    cr_assert_eq(READ("--data", "/d"), CONFIG_RUN);
    cr_assert_eq(settings.scopes, SCOPE_READ | SCOPE_GENERATE | SCOPE_UPLOAD | SCOPE_SERVER);
    cr_assert_eq(READ("--data", "/d", "--anonymous-scopes", "read,server"), CONFIG_RUN);
    cr_assert_eq(settings.scopes, SCOPE_READ | SCOPE_SERVER);
    cr_assert_eq(READ("--data", "/d", "--anonymous-scopes", "read,admin"), CONFIG_BAD);
    cr_assert(strstr(error.text, "\"admin\"") != NULL);
    cr_assert_eq(READ("--data", "/d", "--anonymous-scopes", "read,,server"), CONFIG_BAD);
}

/* What the HTTP room takes when it is told nothing is what the daemon says when it is not. */
Test(config, the_defaults_of_http_are_the_daemons_own) {
    static const struct {
        const char *name;
        int64_t value;
    } rows[] = {
        {"connection-limit", CONNECTION_LIMIT_DEFAULT},
        {"address-connection-limit", PER_ADDRESS_LIMIT_DEFAULT},
        {"header-deadline-s", HEADERS_MS_DEFAULT / 1000},
        {"body-window-s", BODY_MS_DEFAULT / 1000},
        {"stall-s", RESPONSE_STALL_MS_DEFAULT / 1000},
        {"idle-s", IDLE_MS_DEFAULT / 1000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t at = 0;
        while (at < option_count() && strcmp(option_at(at)->name, rows[i].name) != 0) {
            at++;
        }
        cr_assert_lt(at, option_count(), "%s", rows[i].name);
        cr_expect_eq(option_at(at)->initial, rows[i].value, "%s", rows[i].name);
    }
}
