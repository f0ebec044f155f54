/* SPDX-License-Identifier: MIT
 *
 * test_kills.c: kill -9 under mixed load: threads put assets, make dungeons and ask for cells until
 * the daemon is gone. Nothing acknowledged is lost and every answer hashes to its tag; the time
 * from start to ready is printed. LOAM_KILLS says how often (a few by default, a hundred for the
 * promise).
 */
#include "tests/support/pause.h"
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { KILLS = 6, KEPT_MAX = 20000, KEY_BYTES = 80, LIFE_MS_MIN = 60, LIFE_MS_MORE = 400 };

static const char *const options[] = {"--workers", "2", "--log-level", "error", NULL};

/* What was acknowledged, by the thread that heard it; one writer each. */
typedef struct acknowledged {
    char (*keys)[KEY_BYTES];
    uint32_t count;
} acknowledged;

static acknowledged assets, dungeons;
static atomic_bool gone;
static atomic_uint wrong_answers;

static uint64_t now_us(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

static void keep(acknowledged *in, const char *key) {
    if (in->count < KEPT_MAX) {
        snprintf(in->keys[in->count++], KEY_BYTES, "%s", key);
    }
}

/* Assertions belong to the test's own thread: here a wrong answer is counted. */
static void *put_assets(void *context) {
    (void)context;
    static unsigned number;
    while (!atomic_load(&gone) && assets.count < KEPT_MAX) {
        char json[200], name[32];
        snprintf(name, sizeof name, "a%u", number++);
        snprintf(json, sizeof json,
                 "{\"recipe\": \"heightmap.fbm\", \"seed\": \"%u\", \"params\": {\"width\": 17, "
                 "\"height\": 17}}",
                 number);
        answer of = ask_json(&server, "PUT", json, "/v1/assets/%s", name);
        if (of.status == 201) {
            keep(&assets, name);
        }
        atomic_fetch_add(&wrong_answers, of.status != 0 && of.status != 201);
        answer_free(&of);
    }
    return NULL;
}

/* From the body: headers are looked up in memory that the threads would share. */
static void keep_build_key(const answer *of) {
    json_t *root = answer_json(of);
    keep(&dungeons, json_string_value(json_object_get(root, "build_key")));
    json_decref(root);
}

static void *make_dungeons(void *context) {
    (void)context;
    static unsigned number;
    while (!atomic_load(&gone)) {
        char json[160];
        snprintf(json, sizeof json,
                 "{\"recipe\": \"maze\", \"seed\": \"%u\", \"params\": {\"width\": 32, "
                 "\"height\": 24}}",
                 number++);
        answer of = ask_json(&server, "POST", json, "/v1/dungeons");
        if (of.status == 201) {
            keep_build_key(&of);
        }
        atomic_fetch_add(&wrong_answers, of.status != 0 && of.status != 201);
        answer_free(&of);
    }
    return NULL;
}

static void *ask_cells(void *context) {
    (void)context;
    static unsigned number;
    while (!atomic_load(&gone)) {
        number = number * 1664525u + 1013904223u;
        answer of = ask_get(&server, "/v1/worlds/forest/cells/1/%u/%u/trees", number >> 8 & 15,
                            number >> 16 & 15);
        if (of.status == 200) {
            expect_hashes(&of);
        }
        atomic_fetch_add(&wrong_answers, of.status != 0 && of.status != 200);
        answer_free(&of);
    }
    return NULL;
}

static void live_and_die(unsigned life_ms) {
    static void *(*const loads[])(void *) = {put_assets, make_dungeons, ask_cells};
    pthread_t threads[3];
    atomic_store(&gone, false);
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(pthread_create(&threads[i], NULL, loads[i], NULL), 0);
    }
    pause_ms(life_ms);
    daemon_kill(&server);
    atomic_store(&gone, true);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
}

static void expect_kept(const acknowledged *in, uint32_t from, const char *path) {
    for (uint32_t i = from; i < in->count; i++) {
        answer of = ask_get(&server, "%s%s", path, in->keys[i]);
        cr_assert_eq(of.status, 200, "%s%s was acknowledged and is %d", path, in->keys[i],
                     of.status);
        answer_free(&of);
    }
}

static int compare_times(const void *a, const void *b) {
    uint64_t one = *(const uint64_t *)a, two = *(const uint64_t *)b;
    return (one > two) - (one < two);
}

static unsigned kills_asked(void) {
    const char *text = getenv("LOAM_KILLS");
    return text == NULL ? KILLS : (unsigned)strtoul(text, NULL, 10);
}

Test(kills, kill_nine_under_mixed_load_loses_nothing_acknowledged, .timeout = 3600) {
    unsigned kills = kills_asked(), life = 7;
    uint64_t *ready_us = calloc(kills, sizeof *ready_us);
    assets.keys = calloc(KEPT_MAX, KEY_BYTES);
    dungeons.keys = calloc(KEPT_MAX, KEY_BYTES);
    cr_assert(ready_us != NULL && assets.keys != NULL && dungeons.keys != NULL);
    server = daemon_start(NULL, options);
    forest_put(&server);
    for (unsigned i = 0; i < kills; i++) {
        uint32_t assets_before = assets.count, dungeons_before = dungeons.count;
        life = life * 1664525u + 1013904223u;
        live_and_die(LIFE_MS_MIN + (life >> 8) % LIFE_MS_MORE);
        uint64_t begin = now_us();
        server = daemon_start(server.folder, options);
        ready_us[i] = now_us() - begin;
        expect_kept(&assets, assets_before, "/v1/assets/");
        expect_kept(&dungeons, dungeons_before, "/v1/dungeons/");
    }
    expect_kept(&assets, 0, "/v1/assets/");
    expect_kept(&dungeons, 0, "/v1/dungeons/");
    cr_expect_eq(atomic_load(&wrong_answers), 0);
    cr_expect_eq(daemon_metric(&server, "loam_store_damaged_total"), 0);
    cr_expect_eq(daemon_metric(&server, "loam_determinism_alarms_total"), 0);
    cr_expect_gt(assets.count + dungeons.count, kills);
    qsort(ready_us, kills, sizeof *ready_us, compare_times);
    fprintf(stderr,
            "kills: %u, kept %u assets and %u dungeons; ready again in %.0f ms, at most %.0f\n",
            kills, assets.count, dungeons.count, (double)ready_us[kills / 2] / 1000.0,
            (double)ready_us[kills - 1] / 1000.0);
    server_stop();
    free(ready_us);
    free(assets.keys);
    free(dungeons.keys);
}
