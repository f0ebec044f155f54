/* SPDX-License-Identifier: MIT
 *
 * test_dungeon_crash.c: kill -9 while dungeons are built as a job, some times. What was accepted
 * goes on after each start, every entry ends with one result, and each is what an undisturbed
 * daemon makes. An orderly end in the middle loses nothing either.
 */
#include "tests/support/daemon.h"
#include "tests/support/pause.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DUNGEONS = 400, STRICT = 7, KILLS = 4, KILLS_AT_WORK_MIN = 2, KEY_BYTES = 96 };

static const char *const options[] = {"--workers", "1", "--log-level", "warning", NULL};

static char document[1 << 17];
static char keys[DUNGEONS][KEY_BYTES];
static char digests[DUNGEONS][KEY_BYTES];

/* Entry STRICT cannot be done. */
static void write_document(void) {
    size_t size = (size_t)snprintf(document, sizeof document, "{\"dungeons\":[");
    for (int i = 0; i < DUNGEONS; i++) {
        size += (size_t)snprintf(
            document + size, sizeof document - size,
            "%s{\"recipe\":\"dungeon.rooms\",\"seed\":\"%d\",\"policy\":\"%s\",\"params\":{"
            "\"width\":96,\"height\":96%s}}",
            i == 0 ? "" : ",", i, i == STRICT ? "strict" : "degraded",
            i == STRICT ? ",\"checks\":{\"min_loops\":99}" : "");
    }
    snprintf(document + size, sizeof document - size, "]}");
}

static int count_of(const answer *of, const char *key) {
    json_t *root = answer_json(of);
    int value = (int)json_integer_value(json_object_get(root, key));
    json_decref(root);
    return value;
}

static bool is_at_work(const answer *of) {
    return strstr(of->body, "\"state\":\"running\"") != NULL ||
           strstr(of->body, "\"state\":\"queued\"") != NULL;
}

static void begin(const test_daemon *server, char id[64]) {
    answer made = ask_json(server, "POST", document, "/v1/jobs");
    cr_assert_eq(made.status, 202, "%.400s", made.body);
    json_t *root = answer_json(&made);
    snprintf(id, 64, "%s", json_string_value(json_object_get(root, "id")));
    json_decref(root);
    answer_free(&made);
}

/* Until the job has done more than that; whether it is still at work then. */
static bool wait_for_progress(const test_daemon *server, const char *id, int beyond, int *done) {
    for (int i = 0; i < 4000; i++) {
        answer now = ask_get(server, "/v1/jobs/%s", id);
        bool at_work = is_at_work(&now);
        *done = count_of(&now, "done");
        answer_free(&now);
        if (*done > beyond || !at_work) {
            return at_work;
        }
        pause_ms(1);
    }
    return false;
}

static void wait_end(const test_daemon *server, const char *id) {
    const char *patient[] = {"Prefer: wait=30", NULL};
    answer ended = {0};
    do {
        answer_free(&ended);
        ended = ask(server, "GET", &(ask_options){.headers = patient}, "/v1/jobs/%s", id);
        cr_assert_eq(ended.status, 200);
    } while (is_at_work(&ended));
    cr_expect(strstr(ended.body, "\"state\":\"failed\"") != NULL, "%s", ended.body);
    cr_expect_eq(count_of(&ended, "done"), DUNGEONS - 1, "%s", ended.body);
    cr_expect_eq(count_of(&ended, "failed"), 1);
    answer_free(&ended);
}

/* Key and digest of every entry, each of which has one row. */
static void read_results(const test_daemon *server, const char *id) {
    answer page = ask_get(server, "/v1/jobs/%s/results", id);
    int rows = 0;
    cr_assert_eq(page.status, 200);
    memset(keys, 0, sizeof keys);
    for (char *at = page.body, *end = NULL; (end = strchr(at, '\n')) != NULL; at = end + 1) {
        json_t *row = json_loadb(at, (size_t)(end - at), 0, NULL);
        int entry = (int)json_integer_value(json_object_get(row, "dungeon"));
        const char *digest = json_string_value(json_object_get(row, "digest"));
        cr_assert(entry >= 0 && entry < DUNGEONS && keys[entry][0] == 0, "%d twice", entry);
        cr_expect_eq(digest == NULL, entry == STRICT);
        snprintf(keys[entry], KEY_BYTES, "%s",
                 json_string_value(json_object_get(row, "build_key")));
        snprintf(digests[entry], KEY_BYTES, "%s", digest == NULL ? "" : digest);
        json_decref(row);
        rows++;
    }
    cr_expect_eq(rows, DUNGEONS);
    answer_free(&page);
}

static void expect_same(const test_daemon *server, const test_daemon *other) {
    for (int i = 0; i < DUNGEONS; i += i == STRICT - 1 ? 2 : 1) {
        char json[160];
        snprintf(json, sizeof json,
                 "{\"recipe\":\"dungeon.rooms\",\"seed\":\"%d\",\"params\":{\"width\":96,"
                 "\"height\":96}}",
                 i);
        answer mine = ask_get(server, "/v1/dungeons/%s/layout", keys[i]);
        answer theirs = ask_json(other, "POST", json, "/v1/dungeons");
        cr_assert_eq(mine.status, 200, "%s", mine.body);
        cr_expect_str_eq(answer_header(&theirs, "Loam-Build-Key"), keys[i]);
        cr_expect_str_eq(answer_header(&theirs, "Loam-Digest"), digests[i]);
        answer_free(&mine);
        answer_free(&theirs);
    }
}

Test(dungeon_crash, kill_nine_while_dungeons_are_built_loses_and_breaks_nothing, .timeout = 120) {
    char id[64];
    int at_work = 0;
    int done = 0;
    write_document();
    test_daemon server = daemon_start(NULL, options);
    begin(&server, id);
    for (int i = 0; i < KILLS; i++) {
        at_work += wait_for_progress(&server, id, done + DUNGEONS / 16, &done);
        daemon_kill(&server);
        server = daemon_start(server.folder, options);
    }
    cr_expect_geq(at_work, KILLS_AT_WORK_MIN, "only %d kills hit a running job", at_work);
    wait_end(&server, id);
    read_results(&server, id);
    cr_expect_eq((int)daemon_metric(&server, "loam_determinism_alarms_total"), 0);
    cr_expect_eq((int)daemon_metric(&server, "loam_store_damaged_total"), 0);
    test_daemon other = daemon_start(NULL, NULL);
    expect_same(&server, &other);
    cr_expect_eq(daemon_end(&server), 0);
    cr_expect_eq(daemon_end(&other), 0);
    daemon_remove_folder(&server);
    daemon_remove_folder(&other);
}

Test(dungeon_crash, a_job_goes_on_where_an_orderly_end_left_it, .timeout = 120) {
    char id[64];
    int done = 0;
    write_document();
    test_daemon server = daemon_start(NULL, options);
    begin(&server, id);
    cr_expect(wait_for_progress(&server, id, DUNGEONS / 8, &done), "the job was too fast");
    cr_assert_eq(daemon_end(&server), 0);
    server = daemon_start(server.folder, options);
    answer now = ask_get(&server, "/v1/jobs/%s", id);
    cr_expect_geq(count_of(&now, "done"), done, "%s", now.body);
    answer_free(&now);
    wait_end(&server, id);
    read_results(&server, id);
    cr_expect_lt((int)daemon_metric(&server, "loam_dungeons_built_total"), DUNGEONS - done + 1,
                 "what was built before the end is not built again");
    cr_expect_eq(daemon_end(&server), 0);
    daemon_remove_folder(&server);
}

/* Lost results are built again when the same job is asked for. */
Test(dungeon_crash, a_job_that_lost_its_results_builds_them_again, .timeout = 120) {
    static const char json[] = "{\"dungeons\":[{\"recipe\":\"maze\",\"seed\":\"1\"},"
                               "{\"recipe\":\"maze\",\"seed\":\"2\"}]}";
    char path[DAEMON_PATH_BYTES];
    test_daemon server = daemon_start(NULL, options);
    const char *patient[] = {"Prefer: wait=30", NULL};
    const ask_options post = {.headers = patient, .body = json, .type = "application/json"};
    answer made = ask(&server, "POST", &post, "/v1/jobs");
    cr_expect_eq(count_of(&made, "done"), 2, "%s", made.body);
    cr_assert_eq(daemon_end(&server), 0);
    static const char *const files[] = {"cache.db", "cache.db-wal", "cache.db-shm"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/data/%s", server.folder, files[i]);
        remove(path);
    }
    server = daemon_start(server.folder, options);
    answer again = ask(&server, "POST", &post, "/v1/jobs");
    cr_expect_eq(again.status, 202, "%d %s", again.status, again.body);
    cr_expect_eq(count_of(&again, "done"), 2);
    cr_expect_eq(count_of(&again, "evicted"), 2);
    cr_expect_eq((int)daemon_metric(&server, "loam_dungeons_built_total"), 2);
    answer_free(&made);
    answer_free(&again);
    cr_expect_eq(daemon_end(&server), 0);
    daemon_remove_folder(&server);
}
