/* SPDX-License-Identifier: MIT
 *
 * test_conditions.c: writes with If-Match and If-None-Match that meet: each is judged before its
 * body is worked on, and one at most may change what all of them have seen.
 */
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

TestSuite(conditions, .init = server_start, .fini = server_stop);

enum { CROWD = 6, BODY_BYTES = 1024 };

/* Work enough that the others are judged before the first is done. */
static void write_asset(char body[BODY_BYTES], int seed) {
    snprintf(body, BODY_BYTES,
             "{\"recipe\": \"heightmap.fbm\", \"seed\": \"%d\", \"params\": {\"width\": 1025, "
             "\"height\": 1025, \"spacing_m\": 8}}",
             seed);
}

static void write_world(char body[BODY_BYTES], int seed) {
    snprintf(body, BODY_BYTES,
             "{\"seed\": \"%d\", \"graph\": {\"loam_graph\": 1, \"nodes\": {\"g\": {\"op\": "
             "\"grid.sample\", \"params\": {\"spacing_m\": 8}}}, \"outputs\": {\"g\": {\"node\": "
             "\"g\", \"level\": 0}}}, \"grid\": {\"levels\": [{\"cell_size_m\": 64}]}}",
             seed);
}

typedef struct writer {
    pthread_t thread;
    const char *path;
    const char *condition;
    char body[BODY_BYTES];
    int status;
} writer;

static int put(const char *path, const char *condition, const char *body) {
    const char *headers[] = {condition, NULL};
    answer of = ask(&server, "PUT",
                    &(ask_options){.headers = headers, .body = body, .type = "application/json"},
                    "%s", path);
    int status = of.status;
    cr_expect(status != 422, "%s", of.body);
    answer_free(&of);
    return status;
}

static void *put_one(void *context) {
    writer *of = context;
    of->status = put(of->path, of->condition, of->body);
    return NULL;
}

/* All at once, each with a body of its own; one is taken, and the others are told. */
static void expect_one(const char *path, const char *condition,
                       void (*write)(char body[BODY_BYTES], int seed), int taken) {
    writer writers[CROWD];
    int won = 0;
    for (int i = 0; i < CROWD; i++) {
        writers[i] = (writer){.path = path, .condition = condition};
        write(writers[i].body, i + 100);
        cr_assert_eq(pthread_create(&writers[i].thread, NULL, put_one, &writers[i]), 0);
    }
    for (int i = 0; i < CROWD; i++) {
        pthread_join(writers[i].thread, NULL);
        cr_expect(writers[i].status == taken || writers[i].status == 412, "%d", writers[i].status);
        won += writers[i].status == taken;
    }
    cr_expect_eq(won, 1, "%d of %d writes of %s were taken", won, CROWD, path);
}

static void expect_one_change(const char *path, const char *query,
                              void (*write)(char body[BODY_BYTES], int seed)) {
    char match[128];
    char whole[128];
    snprintf(whole, sizeof whole, "%s%s", path, query);
    expect_one(whole, "If-None-Match: *", write, 201);
    answer now = ask_get(&server, "%s", path);
    cr_assert_eq(now.status, 200);
    snprintf(match, sizeof match, "If-Match: %s", answer_header(&now, "ETag"));
    answer_free(&now);
    char body[BODY_BYTES];
    write(body, 7);
    cr_expect_eq(put(whole, match, body), 200);
    cr_expect_eq(put(whole, match, body), 412);
    now = ask_get(&server, "%s", path);
    snprintf(match, sizeof match, "If-Match: %s", answer_header(&now, "ETag"));
    answer_free(&now);
    expect_one(whole, match, write, 200);
}

Test(conditions, one_of_many_writes_of_an_asset_that_saw_the_same_is_taken) {
    expect_one_change("/v1/assets/hills", "?kind=heightfield", write_asset);
}

Test(conditions, one_of_many_writes_of_a_world_that_saw_the_same_is_taken) {
    expect_one_change("/v1/worlds/meadow", "", write_world);
}
