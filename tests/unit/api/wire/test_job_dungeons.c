/* SPDX-License-Identifier: MIT
 *
 * test_job_dungeons.c: jobs of dungeons: which requests are the same job, where faults are, how
 * many there may be, and that a kept job is the one that was asked for.
 */
#include "api/wire/document.h"
#include "api/wire/job_document.h"
#include "tests/unit/api/wire/forest_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY "{\"recipe\":\"maze\",\"seed\":\"1\",\"params\":{\"width\":16}}"
#define OTHER "{\"recipe\":\"maze\",\"seed\":\"2\",\"params\":{\"width\":16}}"

enum { HEARD_MAX = 4 };

static unsigned char memory[2 << 20];
static unsigned char scratch_memory[4 << 20];
static loam_arena scratch;
static job got;
static uint32_t heard;
static digest heard_keys[HEARD_MAX];
static bool heard_secret;

static loam_status find_no_world(void *context, loam_text name, const digest *revision,
                                 const world **found) {
    (void)context;
    (void)name;
    (void)revision;
    *found = NULL;
    return LOAM_NOT_FOUND;
}

static loam_status hear(void *context, const job_dungeon *dungeon, loam_arena *arena,
                        loam_error *error) {
    (void)context;
    (void)arena;
    cr_assert_eq(dungeon->index, heard);
    if (heard < HEARD_MAX) {
        heard_keys[heard] = dungeon->key;
    }
    heard++;
    heard_secret = heard_secret || dungeon->document.secret_given;
    return dungeon->plan->seed == 13 ? loam_fail(error, LOAM_FORBIDDEN, "/seed", "not thirteen")
                                     : LOAM_OK;
}

static const job_resolver resolver = {
    .find_world = find_no_world, .take_dungeon = hear, .scratch = &scratch};

static loam_status read(const char *json) {
    loam_arena arena;
    loam_arena_init(&arena, memory, sizeof memory);
    loam_arena_init(&scratch, scratch_memory, sizeof scratch_memory);
    heard = 0;
    heard_secret = false;
    return job_read(loam_text_of(json), &resolver, &arena, &got, forest_faults());
}

static const char *id_of(const char *json) {
    static char ids[2][JOB_ID_BYTES];
    static int turn;
    char *id = ids[turn ^= 1];
    cr_assert_eq(read(json), LOAM_OK, "%s", json);
    memcpy(id, got.id, JOB_ID_BYTES);
    return id;
}

static bool same_job(const char *a, const char *b) {
    return strcmp(id_of(a), id_of(b)) == 0;
}

static void assert_refused(const char *json, loam_status status, const char *pointer) {
    cr_assert_eq(read(json), status, "%s", json);
    cr_assert(forest_has_fault(status, pointer), "%s at %s", json, pointer);
}

/* {"dungeons": [`count` entries]}; owned. */
static char *many(size_t count, const char *entry) {
    char *json = malloc(count * (strlen(entry) + 1) + 32);
    char *at = json + sprintf(json, "{\"dungeons\":[");
    for (size_t i = 0; i < count; i++) {
        at += sprintf(at, "%s%s", i == 0 ? "" : ",", entry);
    }
    sprintf(at, "]}");
    return json;
}

Test(job_dungeons, each_is_planned_in_turn_and_known_by_its_build_key) {
    cr_assert_eq(read("{\"dungeons\":[" ENTRY "," OTHER "," ENTRY "]}"), LOAM_OK);
    cr_assert_eq(heard, 3);
    cr_assert_eq(got.dungeon_count, 3);
    cr_assert_eq(job_task_count(&got), 3);
    cr_assert(got.keep);
    cr_assert_eq(got.priority, JOB_PRIORITY_INITIAL);
    for (uint32_t i = 0; i < 3; i++) {
        cr_assert(digest_equal(&got.dungeons[i], &heard_keys[i]));
    }
    cr_assert(digest_equal(&got.dungeons[0], &got.dungeons[2]));
    cr_assert_not(digest_equal(&got.dungeons[0], &got.dungeons[1]));
    cr_assert_eq(scratch.used, 0, "what a dungeon took is given back");
}

Test(job_dungeons, the_same_dungeons_are_the_same_job) {
    const char *spelled = "{\"priority\":5,\"keep\":true,\"dungeons\":[{\"params\":{\"width\":16,"
                          "\"height\":64},\"version\":1,\"policy\":\"degraded\",\"seed\":\"1\","
                          "\"recipe\":\"maze\"}]}";
    const char *hidden = "{\"dungeons\":[{\"recipe\":\"maze\",\"seed\":\"1\",\"params\":{\"width\":"
                         "16},\"secret_seed\":\"77\"}]}";
    cr_assert(same_job("{\"dungeons\":[" ENTRY "]}", spelled));
    cr_assert(same_job("{\"dungeons\":[" ENTRY "]}", hidden));
    cr_assert_eq(read(hidden), LOAM_OK);
    cr_assert(heard_secret);
}

Test(job_dungeons, other_dungeons_or_another_order_are_another_job) {
    const char *one = "{\"dungeons\":[" ENTRY "," OTHER "]}";
    cr_assert_not(same_job(one, "{\"dungeons\":[" OTHER "," ENTRY "]}"));
    cr_assert_not(same_job(one, "{\"dungeons\":[" ENTRY "]}"));
    cr_assert_not(same_job(one, "{\"dungeons\":[" ENTRY "," OTHER "],\"priority\":6}"));
    cr_assert_not(same_job(one, "{\"dungeons\":[" ENTRY "," OTHER "],\"keep\":false}"));
}

Test(job_dungeons, the_canonical_text_holds_keys_alone_and_is_the_same_job) {
    static char canonical[1024];
    job first;
    cr_assert_eq(read("{\"dungeons\":[{\"recipe\":\"maze\",\"seed\":\"1\",\"secret_seed\":"
                      "\"424242\"}," OTHER "],\"keep\":false}"),
                 LOAM_OK);
    first = got;
    snprintf(canonical, sizeof canonical, "%.*s", (int)got.canonical.size, got.canonical.bytes);
    cr_assert_null(strstr(canonical, "424242"));
    cr_assert_null(strstr(canonical, "maze"));
    loam_arena arena;
    loam_arena_init(&arena, scratch_memory, sizeof scratch_memory);
    const job_resolver none = {.find_world = find_no_world};
    cr_assert_eq(job_read_kept(loam_text_of(canonical), &none, &arena, &got, forest_faults()),
                 LOAM_OK);
    cr_assert_str_eq(got.id, first.id);
    cr_assert_eq(got.dungeon_count, 2);
    cr_assert(digest_equal(&got.dungeons[1], &first.dungeons[1]));
    cr_assert_not(got.keep);
    cr_assert(loam_text_equal(got.canonical, loam_text_of(canonical)));
}

Test(job_dungeons, each_fault_is_named_at_its_entry) {
    assert_refused("{\"dungeons\":[]}", LOAM_OUT_OF_RANGE, "/dungeons");
    assert_refused("{\"dungeons\":{}}", LOAM_WRONG_TYPE, "/dungeons");
    assert_refused("{\"dungeons\":null}", LOAM_WRONG_TYPE, "/dungeons");
    assert_refused("{\"dungeons\":[" ENTRY "],\"world\":\"demo\"}", LOAM_UNKNOWN_FIELD, "/world");
    assert_refused("{\"dungeons\":[" ENTRY "],\"priority\":10}", LOAM_OUT_OF_RANGE, "/priority");
    assert_refused("{\"dungeons\":[" ENTRY ",7]}", LOAM_WRONG_TYPE, "/dungeons/1");
    assert_refused("{\"dungeons\":[{\"recipe\":\"maze\"}]}", LOAM_MISSING_FIELD,
                   "/dungeons/0/seed");
    assert_refused("{\"dungeons\":[{\"recipe\":\"maze\",\"seed\":1}]}", LOAM_SEED_OUT_OF_RANGE,
                   "/dungeons/0/seed");
    assert_refused("{\"dungeons\":[{\"recipe\":\"mase\",\"seed\":\"1\"}]}", LOAM_UNKNOWN_RECIPE,
                   "/dungeons/0/recipe");
    assert_refused("{\"dungeons\":[" ENTRY "," ENTRY ",{\"recipe\":\"maze\",\"seed\":\"1\","
                   "\"params\":{\"width\":4}}]}",
                   LOAM_OUT_OF_RANGE, "/dungeons/2/params/width");
    assert_refused("{\"dungeons\":[{\"recipe\":\"maze\",\"seed\":\"1\",\"params\":{\"wide\":4}}]}",
                   LOAM_UNKNOWN_FIELD, "/dungeons/0/params/wide");
    assert_refused("{\"dungeons\":[{\"recipe\":\"maze\",\"seed\":\"1\",\"name\":\"a\"}]}",
                   LOAM_UNKNOWN_FIELD, "/dungeons/0/name");
    assert_refused("{\"dungeons\":[{\"recipe\":\"maze\",\"seed\":\"1\",\"content\":\"none\"}]}",
                   LOAM_NOT_FOUND, "/dungeons/0/content");
}

Test(job_dungeons, what_the_taker_refuses_is_named_at_its_entry) {
    assert_refused("{\"dungeons\":[" ENTRY ",{\"recipe\":\"maze\",\"seed\":\"13\"}]}",
                   LOAM_FORBIDDEN, "/dungeons/1/seed");
    cr_assert_eq(heard, 2);
}

Test(job_dungeons, a_build_key_is_no_request) {
    assert_refused(
        "{\"dungeons\":[\"sha256-00000000000000000000000000000000000000000000000000000000"
        "00000000\"]}",
        LOAM_WRONG_TYPE, "/dungeons/0");
}

Test(job_dungeons, ten_thousand_are_the_most) {
    char *most = many(JOB_DUNGEONS_MAX, "{\"recipe\":\"maze\",\"seed\":\"1\"}");
    char *more = many(JOB_DUNGEONS_MAX + 1, "{\"recipe\":\"maze\",\"seed\":\"1\"}");
    cr_assert_eq(read(most), LOAM_OK);
    cr_assert_eq(got.dungeon_count, JOB_DUNGEONS_MAX);
    cr_assert(document_fits(got.canonical));
    assert_refused(more, LOAM_TOO_MANY, "/dungeons");
    cr_assert_eq(heard, 0, "nothing is planned of a list that is too long");
    free(most);
    free(more);
}

Test(job_dungeons, other_jobs_have_as_many_values_as_any_document) {
    char *cells = malloc((size_t)16 * JSON_VALUES_MAX);
    char *at = cells + sprintf(cells, "{\"world\":\"demo\",\"outputs\":[\"a\"],\"cells\":[");
    for (int i = 0; i < JSON_VALUES_MAX / 3; i++) {
        at += sprintf(at, "%s[0,%d]", i == 0 ? "" : ",", i);
    }
    sprintf(at, "]}");
    assert_refused(cells, LOAM_TOO_MANY, "");
    free(cells);
}

Test(job_dungeons, a_small_arena_is_an_error_and_no_crash) {
    for (size_t size = 0; size < 4096; size += 64) {
        loam_arena arena;
        loam_arena_init(&arena, memory, size);
        loam_arena_init(&scratch, scratch_memory, sizeof scratch_memory);
        heard = 0;
        loam_status status = job_read(loam_text_of("{\"dungeons\":[" ENTRY "]}"), &resolver, &arena,
                                      &got, forest_faults());
        cr_assert(status == LOAM_OK || status == LOAM_ARENA_FULL);
        loam_arena_init(&arena, memory, sizeof memory);
        loam_arena_init(&scratch, scratch_memory, size);
        heard = 0;
        status = job_read(loam_text_of("{\"dungeons\":[" ENTRY "]}"), &resolver, &arena, &got,
                          forest_faults());
        cr_assert(status == LOAM_OK || status == LOAM_ARENA_FULL, "%d", status);
    }
}
