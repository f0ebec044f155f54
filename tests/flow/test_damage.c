/* SPDX-License-Identifier: MIT
 *
 * test_damage.c: bytes that changed on the disk, and a build that does not give what it gave
 * before: never an answer, always an alarm, and what happens then. The files are changed behind
 * the daemon's back, a row by SQL.
 */
#include "tests/support/pause.h"
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 256 };

static const char cell[] = "/v1/worlds/forest/cells/0/1/1/trees";
static answer first;

/* A cell that is on the disk and not in memory: the daemon has ended. */
static void begin(void) {
    server_start_forest();
    first = ask_get(&server, "%s", cell);
    cr_assert_eq(first.status, 200, "%s", first.body);
    cr_assert_eq(daemon_end(&server), 0);
}

static void go_on(void) {
    server = daemon_start(server.folder, NULL);
}

static void end(void) {
    server_stop();
    answer_free(&first);
}

TestSuite(damage, .init = begin, .fini = end, .timeout = 120);

static void expect_first(const char *cache_status) {
    answer of = ask_get(&server, "%s", cell);
    cr_assert_eq(of.status, 200, "%s", of.body);
    expect_hashes(&of);
    cr_expect_eq(of.size, first.size);
    cr_expect_eq(memcmp(of.body, first.body, first.size), 0);
    cr_expect_str_eq(answer_header(&of, "Cache-Status"), cache_status);
    answer_free(&of);
}

static void expect_metrics(double damaged, double alarms) {
    cr_expect_eq(daemon_metric(&server, "loam_store_damaged_total"), damaged);
    cr_expect_eq(daemon_metric(&server, "loam_determinism_alarms_total"), alarms);
}

/* Lines of the log of this event that also hold a text. */
static int logged(const char *event, const char *text) {
    char path[PATH_BYTES], line[4096], wanted[64];
    int count = 0;
    snprintf(path, sizeof path, "%s/log", server.folder);
    snprintf(wanted, sizeof wanted, "\"event\":\"%s\"", event);
    FILE *file = fopen(path, "re");
    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        count += strstr(line, wanted) != NULL && strstr(line, text) != NULL;
    }
    fclose(file);
    return count;
}

/* Flips a bit in the middle of where a file holds these bytes. */
static void flip(const char *name, const void *bytes, size_t size) {
    char path[PATH_BYTES];
    struct stat found;
    snprintf(path, sizeof path, "%s/data/%s", server.folder, name);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    cr_assert_geq(fd, 0, "%s", path);
    cr_assert_eq(fstat(fd, &found), 0);
    unsigned char *held =
        mmap(NULL, (size_t)found.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    cr_assert_neq(held, MAP_FAILED);
    unsigned char *at = memmem(held, (size_t)found.st_size, bytes, size);
    cr_assert_not_null(at, "%s does not hold it", name);
    at[size / 2] ^= 0x10;
    munmap(held, (size_t)found.st_size);
}

Test(damage, a_bit_flipped_in_a_blob_is_an_alarm_and_the_cell_is_built_again) {
    flip("cache.db", first.body + 64, 64);
    go_on();
    expect_first("loam; fwd=miss; stored");
    expect_metrics(1, 0);
    cr_expect_eq(logged("result-damaged", answer_header(&first, "Loam-Build-Key")), 1);
    expect_first("loam; hit");
    cr_expect_eq(daemon_end(&server), 0);
    go_on();
    expect_first("loam; hit"); /* from the disk: what was built again has its place */
    expect_metrics(0, 0);
}

static void run_sql(const char *sql) {
    char path[PATH_BYTES];
    sqlite3 *db;
    snprintf(path, sizeof path, "%s/data/cache.db", server.folder);
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, "%s", sqlite3_errmsg(db));
    cr_expect_eq(sqlite3_changes(db), 1);
    sqlite3_close(db);
}

/* The row that remembers what a key gave outlives its bytes when those are damaged. */
Test(damage, a_build_that_gives_other_bytes_than_remembered_is_a_determinism_alarm) {
    static const char zeros[] =
        "\"kept\":\"sha256-0000000000000000000000000000000000000000000000000000000000000000\"";
    run_sql("UPDATE results SET digest = zeroblob(32), blob = 0");
    go_on();
    expect_first("loam; fwd=miss; stored");
    for (int waited = 0; daemon_metric(&server, "loam_determinism_alarms_total") < 1; waited++) {
        cr_assert_lt(waited, 200, "no alarm: the result is compared when it is written");
        pause_ms(50);
    }
    expect_metrics(0, 1);
    cr_expect_eq(logged("determinism-alarm", answer_header(&first, "Loam-Build-Key")), 1);
    cr_expect_eq(logged("determinism-alarm", answer_header(&first, "Loam-Digest")), 1);
    cr_expect_eq(logged("determinism-alarm", zeros), 1);
    cr_expect_eq(daemon_end(&server), 0);
    go_on();
    expect_first("loam; hit"); /* nobody can be served the first: the second has its place */
    expect_metrics(0, 0);
}

/* The same bytes once more are no alarm: that the remembered ones come back is what is hoped. */
Test(damage, a_build_that_gives_what_is_remembered_is_none) {
    run_sql("UPDATE results SET blob = 0");
    go_on();
    expect_first("loam; fwd=miss; stored");
    cr_expect_eq(daemon_end(&server), 0);
    go_on();
    expect_first("loam; hit");
    expect_metrics(0, 0);
}

/* Of the heightfield's file, in `name`; the daemon has ended. */
static void flip_hills(char name[96]) {
    snprintf(name, 96, "assets/");
    go_on();
    answer about = ask_get(&server, "/v1/assets/hills");
    json_t *row = answer_json(&about);
    strncat(name, json_string_value(json_object_get(row, "digest")), 80);
    json_decref(row);
    answer_free(&about);
    cr_assert_eq(daemon_end(&server), 0);

    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/data/%s", server.folder, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    char bytes[32];
    cr_assert_eq(pread(fd, bytes, sizeof bytes, 3000), (ssize_t)sizeof bytes);
    close(fd);
    flip(name, bytes, sizeof bytes);
}

/* An asset cannot be made again: it is refused, set aside, and the same upload heals it. */
Test(damage, a_bit_flipped_in_an_asset_is_an_alarm_until_it_is_put_again) {
    char name[96], aside[PATH_BYTES];
    flip_hills(name);
    snprintf(aside, sizeof aside, "%s/data/%s.damaged", server.folder, name);
    go_on();
    /* The key of a result that is there takes the asset as well. */
    expect_problem(ask_get(&server, "%s", cell), 500, "damaged", NULL);
    expect_problem(ask_get(&server, "/v1/worlds/forest/cells/0/2/1/trees"), 500, "damaged", NULL);
    expect_problem(ask_get(&server, "/v1/assets/hills/content"), 500, "damaged", NULL);
    expect_problem(ask_get(&server, "/v1/worlds/forest/cells/0/2/1/trees"), 500, "damaged", NULL);
    expect_metrics(1, 0);
    cr_expect_geq(logged("asset-not-loaded", "damaged"), 1);
    cr_expect_eq(access(aside, F_OK), 0, "it is not kept for who looks into it");

    forest_put(&server);
    expect_first("loam; hit");
    answer healed = ask_get(&server, "/v1/worlds/forest/cells/0/2/1/trees");
    cr_expect_eq(healed.status, 200, "%s", healed.body);
    expect_hashes(&healed);
    answer_free(&healed);
    answer content = ask_get(&server, "/v1/assets/hills/content");
    cr_expect_eq(content.status, 200);
    expect_hashes(&content);
    answer_free(&content);
    expect_metrics(1, 0);
}

/* A cell that fails lets the next one ask for the asset that has just failed. */
Test(damage, many_cells_of_an_asset_that_cannot_be_read_fail_and_nothing_else) {
    enum { CELLS = 40 };
    static const char wide[] =
        "{\"seed\": \"1\", \"graph\": {\"loam_graph\": 1, \"slots\": {\"terrain\": "
        "\"heightfield\"}, \"nodes\": {\"s\": {\"op\": \"surface.sample\", \"in\": {\"surface\": "
        "\"$terrain\"}, \"params\": {\"spacing_m\": 4}}}, \"outputs\": {\"s\": {\"node\": \"s\", "
        "\"level\": 0}}}, \"slots\": {\"terrain\": \"hills\"}, \"grid\": {\"levels\": "
        "[{\"cell_size_m\": 64}]}}";
    char name[96], body[CELLS * 16 + 64] = "{\"output\": \"s\", \"cells\": [";
    go_on();
    answer put = ask_json(&server, "PUT", wide, "/v1/worlds/wide");
    cr_assert_eq(put.status, 201, "%s", put.body);
    cr_assert_eq(daemon_end(&server), 0);
    flip_hills(name);
    for (int i = 0; i < CELLS; i++) {
        size_t used = strlen(body);
        snprintf(body + used, sizeof body - used, "%s[0,%d,1]", i == 0 ? "" : ",", i);
    }
    strcat(body, "]}");
    go_on();
    answer batch = ask_json(&server, "POST", body, "/v1/worlds/wide/cell-batches");
    cr_expect_eq(batch.status, 200, "each entry says how its cell ended");
    answer job = ask_json(&server, "POST",
                          "{\"world\": \"wide\", \"outputs\": [\"s\"], \"level\": 0, "
                          "\"cells\": {\"min\": [0, 0], \"max\": [19, 19]}}",
                          "/v1/jobs");
    cr_assert_eq(job.status, 202, "%s", job.body);
    const char *headers[] = {"Prefer: wait=20", NULL};
    answer ended = ask(&server, "GET", &(ask_options){.headers = headers}, "%s",
                       answer_header(&job, "Location"));
    cr_expect_not_null(strstr(ended.body, "\"state\":\"failed\""), "%s", ended.body);
    cr_expect_not_null(strstr(ended.body, "\"failed\":400"), "%s", ended.body);
    answer_free(&put);
    answer_free(&batch);
    answer_free(&ended);
    answer_free(&job);
}
