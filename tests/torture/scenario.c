/* SPDX-License-Identifier: MIT
 *
 * scenario.c: see scenario.h.
 */
#include "tests/torture/scenario.h"

#include "tests/torture/operator.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CELL "/v1/worlds/forest/cells/0/1/2/trees"
#define JOB                                                                                        \
    "{\"world\": \"forest\", \"outputs\": [\"trees\"], \"level\": 1, "                             \
    "\"cells\": {\"min\": [0, 0], \"max\": [2, 1]}}"
#define DUNGEON "{\"recipe\": \"dungeon.rooms\", \"seed\": \"7\", \"params\": {\"width\": 48}}"
#define TERRAIN                                                                                    \
    "{\"recipe\": \"heightmap.fbm\", \"seed\": \"7\", \"params\": {\"width\": 65, \"height\": "    \
    "65}}"

static const char *const options[] = {"--workers", "1", "--log-level", "error", NULL};

/* What was acknowledged. */
typedef struct ledger {
    bool world;
    bool terrain;
    bool cell;
    char job[DIGEST_TEXT_BYTES];
    char dungeon[DIGEST_TEXT_BYTES];
    char backup[BACKUP_NAME_BYTES]; /* made last: it holds all of that but the dungeon */
} ledger;

static char cell_digest[DIGEST_TEXT_BYTES];

/* Starts that failed, on one folder, before a healthy daemon must be able to live there: most calls
 * that may fail belong to the start, and a healthy life costs more than twenty of those. */
enum { FAILED_STARTS_MAX = 32 };

static char failed_folder[DAEMON_FOLDER_BYTES]; /* empty: none has failed since the last life */
static int failed_starts;

/* No answer at all, a success, or a failure that is the daemon's own; what went before may have
 * failed, so that a name is not there. */
void scenario_check_status(const char *fault, const char *what, const answer *of) {
    static const int allowed[] = {0, 200, 201, 202, 404, 422, 500, 503, 507};
    bool found = false;
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++) {
        found = found || of->status == allowed[i];
    }
    cr_expect(found, "%s: %s answered %d %s", fault, what, of->status, of->body);
}

static bool succeeded(const answer *of) {
    return of->status >= 200 && of->status < 300;
}

static answer put(const test_daemon *server, const char *fault, const char *json,
                  const char *path) {
    answer of = ask_json(server, "PUT", json, "%s", path);
    scenario_check_status(fault, path, &of);
    return of;
}

/* Every 200 is whole, and the one artifact that there is. */
static bool cell_is_right(const test_daemon *server, const char *fault, const char *accept) {
    const char *headers[] = {accept, "Prefer: wait=20", NULL};
    answer of = ask(server, "GET", &(ask_options){.headers = headers}, CELL);
    bool got = of.status == 200;
    scenario_check_status(fault, CELL, &of);
    cr_expect_neq(of.status, 202, "%s: the cell never came", fault);
    if (got) {
        expect_hashes(&of);
        if (cell_digest[0] == 0) {
            snprintf(cell_digest, sizeof cell_digest, "%s", answer_header(&of, "Loam-Digest"));
        }
        cr_expect_str_eq(answer_header(&of, "Loam-Digest"), cell_digest, "%s", fault);
    }
    answer_free(&of);
    return got;
}

static void text_of(const answer *of, const char *key, char text[DIGEST_TEXT_BYTES]) {
    json_t *root = answer_json(of);
    snprintf(text, DIGEST_TEXT_BYTES, "%s", json_string_value(json_object_get(root, key)));
    json_decref(root);
}

static void post(const test_daemon *server, const char *fault, const char *json, const char *path,
                 const char *key, char acknowledged[DIGEST_TEXT_BYTES]) {
    answer of = ask_json(server, "POST", json, "%s", path);
    scenario_check_status(fault, path, &of);
    if (succeeded(&of)) {
        text_of(&of, key, acknowledged);
    }
    answer_free(&of);
}

static void put_forest(const test_daemon *server, const char *fault, ledger *seen) {
    static const char hut[] = "{\"type\": \"Polygon\", \"coordinates\": [[[300, 300], [420, 300], "
                              "[420, 420], [300, 420], "
                              "[300, 300]]]}";
    answer terrain = put(server, fault, TERRAIN, "/v1/assets/hills");
    answer huts = ask(server, "PUT", &(ask_options){.body = hut, .type = "application/geo+json"},
                      "/v1/assets/huts?kind=areas&crs=local");
    scenario_check_status(fault, "huts", &huts);
    answer world = put(server, fault, forest_world_json(), "/v1/worlds/forest");
    seen->terrain = succeeded(&terrain);
    seen->world = succeeded(&world);
    answer_free(&terrain);
    answer_free(&huts);
    answer_free(&world);
}

static answer ask_job(const test_daemon *server, const char *fault, const char *id) {
    const char *headers[] = {"Prefer: wait=5", NULL};
    answer of = ask(server, "GET", &(ask_options){.headers = headers}, "/v1/jobs/%s", id);
    scenario_check_status(fault, "the job", &of);
    return of;
}

/* A job's end is told once it is written: on a disk that stays full it goes on. Without memory to
 * wait with, how it stands is told at once: that is asked again. */
static void wait_for_job(const test_daemon *server, const char *fault, const char *id) {
    bool may_go_on = strncmp(fault, "full:", 5) == 0;
    answer of = ask_job(server, fault, id);
    if (!may_go_on && of.status == 200 && strstr(of.body, "\"running\"") != NULL) {
        answer_free(&of);
        of = ask_job(server, fault, id);
    }
    if (of.status == 200) {
        cr_expect(may_go_on || strstr(of.body, "\"running\"") == NULL, "%s: %s", fault, of.body);
    }
    answer_free(&of);
}

static void walk(const test_daemon *server, const char *fault, ledger *seen) {
    char path[160];
    put_forest(server, fault, seen);
    seen->cell = cell_is_right(server, fault, "Accept: application/vnd.loam.cell");
    cell_is_right(server, fault, "Accept: application/vnd.loam.cell");
    cell_is_right(server, fault, "Accept: application/json");
    operator_collect(server, fault);
    cell_is_right(server, fault, "Accept-Encoding: zstd");
    post(server, fault, JOB, "/v1/jobs", "id", seen->job);
    if (seen->job[0] != 0) {
        wait_for_job(server, fault, seen->job);
    }
    post(server, fault, DUNGEON, "/v1/dungeons", "build_key", seen->dungeon);
    snprintf(path, sizeof path, "/v1/dungeons/%s/content", seen->dungeon);
    if (seen->dungeon[0] != 0) {
        answer content = ask_get(server, "%s", path);
        scenario_check_status(fault, path, &content);
        answer_free(&content);
    }
    operator_walk(server, fault, seen->backup);
    answer metrics = ask_get(server, "/metrics");
    scenario_check_status(fault, "/metrics", &metrics);
    answer_free(&metrics);
}

static void expect_found(const test_daemon *server, const char *fault, const char *path) {
    answer of = ask_get(server, "%s", path);
    cr_expect_eq(of.status, 200, "%s: %s was acknowledged and is %d now", fault, path, of.status);
    answer_free(&of);
}

/* A daemon that nothing fails, on what the other left. */
static void check_kept(const char *folder, const char *fault, const ledger *seen) {
    char path[160];
    test_daemon healthy = daemon_start(folder, options);
    if (seen->terrain) {
        expect_found(&healthy, fault, "/v1/assets/hills");
    }
    if (seen->world) {
        expect_found(&healthy, fault, "/v1/worlds/forest");
        cr_expect(cell_is_right(&healthy, fault, "Accept: application/vnd.loam.cell"), "%s", fault);
    }
    if (seen->job[0] != 0) {
        snprintf(path, sizeof path, "/v1/jobs/%s", seen->job);
        expect_found(&healthy, fault, path);
    }
    if (seen->dungeon[0] != 0) {
        snprintf(path, sizeof path, "/v1/dungeons/%s", seen->dungeon);
        expect_found(&healthy, fault, path);
    }
    cr_expect_eq(daemon_metric(&healthy, "loam_store_damaged_total"), 0, "%s", fault);
    cr_expect_eq(daemon_metric(&healthy, "loam_determinism_alarms_total"), 0, "%s", fault);
    cr_expect_eq(daemon_end(&healthy), 0, "%s", fault);
}

/* On what it backed up as well: results are not in there. */
static void check_backup(const test_daemon *broken, const char *fault, const ledger *seen) {
    ledger copied = *seen;
    copied.dungeon[0] = 0;
    if (seen->backup[0] != 0) {
        test_daemon restored = operator_restore(broken, seen->backup);
        check_kept(restored.folder, fault, &copied);
    }
}

/* The daemon with fault.c in it stands beside the others. */
static void use_torture_daemon(bool yes) {
    char path[600];
    const char *build = getenv("LOAM_BUILD");
    snprintf(path, sizeof path, "%s/%s", build == NULL ? "build" : build,
             yes ? "torture/bin" : "bin");
    setenv("LOAM_BIN", path, 1);
}

static test_daemon start_broken(const char *fault, bool *started) {
    test_daemon server = {0};
    snprintf(server.folder, sizeof server.folder, "%s", failed_folder);
    if (failed_folder[0] == 0) {
        snprintf(server.folder, sizeof server.folder, "/tmp/loam-torture-XXXXXX");
        cr_assert_not_null(mkdtemp(server.folder));
    }
    use_torture_daemon(true);
    setenv("LOAM_FAULT", fault, 1);
    *started = operator_try_start(&server, options);
    unsetenv("LOAM_FAULT");
    use_torture_daemon(false);
    return server;
}

void scenario_run(const char *fault) {
    ledger seen = {0};
    bool started = false;
    test_daemon server = start_broken(fault, &started);
    if (started) {
        walk(&server, fault, &seen);
        int code = daemon_end(&server);
        bool ended = code == 0 || code == 1;
        cr_expect(ended, "%s: ended with %d", fault, code);
        if (!ended) {
            daemon_print_log(&server);
        }
    } else if (++failed_starts < FAILED_STARTS_MAX) {
        snprintf(failed_folder, sizeof failed_folder, "%s", server.folder);
        return;
    }
    check_kept(server.folder, fault, &seen);
    check_backup(&server, fault, &seen);
    daemon_remove_folder(&server);
    failed_folder[0] = 0;
    failed_starts = 0;
}

void scenario_end(void) {
    test_daemon left = {0};
    if (failed_folder[0] != 0) {
        snprintf(left.folder, sizeof left.folder, "%s", failed_folder);
        check_kept(left.folder, "the last starts that failed", &(ledger){0});
        daemon_remove_folder(&left);
        failed_folder[0] = 0;
        failed_starts = 0;
    }
}

static void read_report(const char *path, call_counts *counts) {
    char name[16];
    FILE *file = fopen(path, "re");
    cr_assert_not_null(file);
    for (int i = 0; i < SCENARIO_CLASSES; i++) {
        cr_assert_eq(fscanf(file, "%15s %ld", name, &counts->calls[i]), 2);
    }
    fclose(file);
}

call_counts scenario_count(void) {
    call_counts counts = {0};
    char path[] = "/tmp/loam-calls-XXXXXX";
    int file = mkstemp(path);
    cr_assert(file >= 0);
    close(file);
    setenv("LOAM_FAULT_REPORT", path, 1);
    scenario_run("none:0");
    unsetenv("LOAM_FAULT_REPORT");
    read_report(path, &counts);
    remove(path);
    return counts;
}
