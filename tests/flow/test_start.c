/* SPDX-License-Identifier: MIT
 *
 * test_start.c: a daemon that cannot start says why in one line and ends with 1, or with 2 when its
 * command line is wrong.
 */
#include "tests/support/daemon.h"

#include "core/loam.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char said[65536];
static char folder[64];

static void start(void) {
    snprintf(folder, sizeof folder, "/tmp/loam-start-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
}

static void stop(void) {
    char command[192];
    snprintf(command, sizeof command, "chmod -R u+w '%s'; rm -rf '%s'", folder, folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(start, .init = start, .fini = stop);

#define FAIL(...) daemon_fail((const char *const[]){__VA_ARGS__, NULL}, said, sizeof said)

/* One line, from loamd, that holds `text`. */
static void expect_line(const char *text) {
    cr_expect(strncmp(said, "loamd: ", 7) == 0, "%s", said);
    cr_expect(strstr(said, text) != NULL, "%s", said);
    cr_expect_eq(strchr(said, '\n'), said + strlen(said) - 1, "%s", said);
}

Test(start, help_explains_and_version_tells) {
    cr_expect_eq(FAIL("--help"), 0);
    cr_expect(strstr(said, "--listen ADDRESS:PORT") != NULL);
    cr_expect(strstr(said, "--drain-s SECONDS") != NULL);
    cr_expect_eq(FAIL("--version"), 0);
    cr_expect_str_eq(said, "loamd " LOAM_VERSION_TEXT "\n");
}

Test(start, a_wrong_command_line_ends_with_two) {
    cr_expect_eq(FAIL("--wokers", "2"), 2);
    expect_line("--wokers");
    cr_expect_eq(FAIL("--workers", "many"), 2);
    expect_line("--workers");
    cr_expect_eq(FAIL("--config", "/nonexistent/loamd.conf"), 1);
    expect_line("/nonexistent/loamd.conf");
}

Test(start, a_port_in_use_is_named) {
    char address[32];
    test_daemon first = daemon_start(NULL, NULL);
    snprintf(address, sizeof address, "127.0.0.1:%u", first.port);
    cr_expect_eq(FAIL("--listen", address, "--data", folder), 1);
    expect_line(address);
    cr_expect_eq(daemon_end(&first), 0);
    daemon_remove_folder(&first);
}

Test(start, an_address_beyond_loopback_is_refused) {
    cr_expect_eq(FAIL("--listen", "0.0.0.0:0", "--data", folder), 1);
    expect_line("0.0.0.0");
    cr_expect_eq(FAIL("--listen", "300.1.1.1:0", "--data", folder), 1);
    expect_line("300.1.1.1");
}

Test(start, a_folder_that_another_holds_is_named) {
    char data[DAEMON_PATH_BYTES];
    test_daemon first = daemon_start(NULL, NULL);
    snprintf(data, sizeof data, "%s/data", first.folder);
    cr_expect_eq(FAIL("--listen", "127.0.0.1:0", "--data", data), 1);
    expect_line(data);
    cr_expect_eq(daemon_end(&first), 0);
    daemon_remove_folder(&first);
}

Test(start, a_folder_that_cannot_be_is_named) {
    char path[96];
    snprintf(path, sizeof path, "%s/file", folder);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fclose(file);
    cr_expect_eq(FAIL("--listen", "127.0.0.1:0", "--data", path), 1);
    expect_line(path);
    snprintf(path, sizeof path, "%s/file/below", folder);
    cr_expect_eq(FAIL("--listen", "127.0.0.1:0", "--data", path), 1);
    expect_line(path);
    if (geteuid() != 0) { /* the superuser writes everywhere */
        snprintf(path, sizeof path, "%s/closed", folder);
        cr_assert_eq(mkdir(path, 0500), 0);
        strcat(path, "/data");
        cr_expect_eq(FAIL("--listen", "127.0.0.1:0", "--data", path), 1);
        expect_line(path);
    }
}

Test(start, a_foreign_database_is_left_alone_and_named) {
    char path[96];
    char text[64] = "";
    snprintf(path, sizeof path, "%s/control.db", folder);
    FILE *file = fopen(path, "w");
    fputs("this is no database of ours, and must stay what it is\n", file);
    fclose(file);
    cr_expect_eq(FAIL("--listen", "127.0.0.1:0", "--data", folder), 1);
    expect_line("control.db");
    file = fopen(path, "r");
    cr_expect_not_null(fgets(text, sizeof text, file));
    cr_expect(strncmp(text, "this is no database", 19) == 0);
    fclose(file);
}

Test(start, a_port_file_that_cannot_be_written_is_named) {
    cr_expect_eq(FAIL("--listen", "127.0.0.1:0", "--data", folder, "--port-file",
                      "/nonexistent/port", "--log-level", "error"),
                 1);
    expect_line("/nonexistent/port");
}
