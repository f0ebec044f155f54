/* SPDX-License-Identifier: MIT
 *
 * test_admin.c: what an operator asks of a daemon, by its unix socket and by `loam admin`; and that
 * nobody else may.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/program.h"
#include "tests/support/suite_daemon.h"

enum { PATH_BYTES = 128 };

static char folder[] = "/tmp/loam-admin-XXXXXX";
static char path[PATH_BYTES];
static char backups[PATH_BYTES];

static void begin(void) {
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/socket", folder);
    snprintf(backups, sizeof backups, "%s/backups", folder);
    server =
        daemon_start(NULL, (const char *const[]){"--unix", path, "--backup-dir", backups, NULL});
}

static void end(void) {
    char command[PATH_BYTES];
    server_stop();
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(admin, .init = begin, .fini = end, .timeout = 120);

static answer ask_local(const char *method, const char *target) {
    return ask(&server, method, &(ask_options){.unix_path = path}, "%s", target);
}

static json_t *report_of(const char *method, const char *target) {
    answer of = ask_local(method, target);
    cr_assert_eq(of.status, 200, "%s: %s", target, of.body);
    json_t *report = answer_json(&of);
    answer_free(&of);
    return report;
}

static long long figure(const json_t *report, const char *name) {
    json_t *value = json_object_get(report, name);
    cr_assert(json_is_integer(value), "%s", name);
    return (long long)json_integer_value(value);
}

/* Some cells in the cache: a cell is answered before it is written, a collection comes after. */
static void cells_build(void) {
    forest_put(&server);
    for (int x = 0; x < 4; x++) {
        answer of = ask_get(&server, "/v1/worlds/forest/cells/1/%d/0/trees", x);
        cr_assert_eq(of.status, 200, "%s", of.body);
        answer_free(&of);
    }
    json_decref(report_of("POST", "/v1/admin/gc?bytes=1000000000000"));
}

Test(admin, is_for_the_unix_socket_alone) {
    expect_problem(ask_get(&server, "/v1/admin/stats"), 403, "forbidden", NULL);
    expect_problem(ask(&server, "POST", &(ask_options){0}, "/v1/admin/gc?bytes=0"), 403,
                   "forbidden", NULL);
    expect_problem(ask(&server, "POST", &(ask_options){0}, "/v1/admin/scrub"), 403, "forbidden",
                   NULL);
    expect_problem(ask(&server, "POST", &(ask_options){0}, "/v1/admin/backup"), 403, "forbidden",
                   NULL);
    expect_problem(ask_get(&server, "/v1/admin/none"), 404, "not-found", NULL);
    expect_problem(ask_local("GET", "/v1/admin/scrub"), 405, "method-not-allowed", NULL);
}

Test(admin, refuses_what_it_does_not_understand) {
    expect_problem(ask_local("POST", "/v1/admin/gc"), 422, "missing-field", NULL);
    expect_problem(ask_local("POST", "/v1/admin/gc?bytes=-1"), 422, "out-of-range", NULL);
    expect_problem(ask_local("POST", "/v1/admin/gc?bytes=0&x=1"), 422, "unknown-parameter", NULL);
    expect_problem(ask_local("POST", "/v1/admin/scrub?bytes_per_s=0"), 422, "out-of-range", NULL);
}

Test(admin, tells_how_the_daemon_does) {
    cells_build();
    json_t *report = report_of("GET", "/v1/admin/stats");
    const json_t *of_store = json_object_get(report, "store");
    cr_expect_geq(figure(of_store, "blobs"), 1);
    cr_expect_gt(figure(of_store, "cache_bytes"), 0);
    cr_expect_geq(figure(json_object_get(report, "service"), "workers"), 1);
    json_decref(report);
}

Test(admin, collects_and_the_cells_are_built_again) {
    cells_build();
    json_t *report = report_of("POST", "/v1/admin/gc?bytes=0");
    cr_expect_geq(figure(report, "evicted"), 4);
    cr_expect_leq(figure(report, "bytes"), figure(report, "bytes_before"));
    json_decref(report);
    answer of = ask_get(&server, "/v1/worlds/forest/cells/1/0/0/trees");
    cr_expect_eq(of.status, 200);
    answer_free(&of);
}

Test(admin, scrubs_and_answers_others_meanwhile) {
    cells_build();
    char command[512];
    snprintf(command, sizeof command,
             "curl -s --unix-socket '%s' -X POST 'http://localhost/v1/admin/scrub?bytes_per_s=1' "
             "-m 1 > /dev/null; [ $? = 28 ]",
             path);
    cr_expect_eq(system(command), 0, "it takes its time, and ends when who asked leaves");
    json_t *report = report_of("POST", "/v1/admin/scrub?bytes_per_s=1000000000");
    cr_expect_geq(figure(report, "blobs"), 1);
    cr_expect_geq(figure(report, "assets"), 2);
    cr_expect(json_is_true(json_object_get(report, "well")));
    json_decref(report);
}

Test(admin, backs_up_what_a_fresh_daemon_serves) {
    char command[512];
    char data[PATH_BYTES + 8];
    forest_put(&server);
    json_t *report = report_of("POST", "/v1/admin/backup");
    cr_expect(json_is_true(json_object_get(report, "whole")));
    cr_expect_eq(figure(report, "assets"), 2);
    answer before = ask_get(&server, "/v1/worlds/forest/cells/1/2/3/trees");
    test_daemon restored = {0};
    snprintf(restored.folder, sizeof restored.folder, "%s/restored", folder);
    snprintf(data, sizeof data, "%s/data", restored.folder);
    snprintf(command, sizeof command, "mkdir '%s' && cp -a '%s/%s' '%s'", restored.folder, backups,
             json_string_value(json_object_get(report, "name")), data);
    json_decref(report);
    cr_assert_eq(system(command), 0);
    restored = daemon_start(restored.folder, NULL);
    answer after = ask_get(&restored, "/v1/worlds/forest/cells/1/2/3/trees");
    cr_assert_eq(after.status, 200, "%s", after.body);
    cr_expect_eq(after.size, before.size);
    cr_expect_eq(memcmp(after.body, before.body, before.size), 0);
    cr_expect_eq(daemon_end(&restored), 0);
    answer_free(&before);
    answer_free(&after);
}

Test(admin, makes_no_backup_without_a_place_for_it) {
    cr_assert_eq(daemon_end(&server), 0);
    server = daemon_start(server.folder, (const char *const[]){"--unix", path, NULL});
    expect_problem(ask_local("POST", "/v1/admin/backup"), 409, "bad-state", NULL);
}

static void expect_line(int exit_code, const char *line, const char *said) {
    const program_result *result = program_run(folder, "%s", line);
    cr_expect_eq(result->exit_code, exit_code, "'%s' ended with %d: %s", line, result->exit_code,
                 result->output);
    cr_expect(program_said(result, said), "'%s' is not in: %s", said, result->output);
}

Test(admin, shows_how_far_a_scrub_is) {
    cells_build();
    json_t *report = report_of("GET", "/v1/admin/stats");
    cr_expect_str_eq(json_string_value(json_object_get(json_object_get(report, "upkeep"), "kind")),
                     "none");
    json_decref(report);
    const program_result *result =
        program_run(folder, "$LOAM admin scrub --bytes-per-s 20000 --unix $DIR/socket 2>&1 >/dev/"
                            "null | tr '\\r' '\\n' | grep -c '^scrub'");
    cr_expect_geq(atoi(result->output), 2, "a line on the way, one at the end: %s", result->output);
}

Test(admin, is_what_the_program_asks_over_the_socket) {
    char line[PATH_BYTES];
    cells_build();
    expect_line(0, "$LOAM admin stats --unix $DIR/socket", "store.blobs: ");
    expect_line(0, "$LOAM admin stats --json --unix $DIR/socket", "{\"store\":{");
    expect_line(0, "$LOAM admin scrub --unix $DIR/socket", "well: yes");
    expect_line(0, "$LOAM admin backup --unix $DIR/socket", "whole: yes");
    expect_line(0, "$LOAM admin gc --bytes 0 --unix $DIR/socket", "evicted: ");
    expect_line(2, "$LOAM admin gc --unix $DIR/socket", "bytes");
    expect_line(2, "$LOAM admin gc --bytes x --unix $DIR/socket", "wrong-type");
    expect_line(0, "$LOAM admin gc --bytes 1T --unix $DIR/socket", "evicted: 0");
    snprintf(line, sizeof line, "$LOAM admin stats --server 127.0.0.1:%u", server.port);
    expect_line(3, line, "forbidden");
    snprintf(line, sizeof line, "for f in %s/data/assets/*; do : > $f; done", server.folder);
    expect_line(0, line, "");
    expect_line(1, "$LOAM admin backup --unix $DIR/socket", "whole: no");
    expect_line(1, "$LOAM admin scrub --unix $DIR/socket", "assets_damaged: 2");
    expect_line(1, "$LOAM admin scrub --unix $DIR/socket", "assets_missing: 2");
}
