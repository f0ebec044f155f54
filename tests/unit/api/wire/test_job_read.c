/* SPDX-License-Identifier: MIT
 *
 * test_job_read.c: jobs: which requests are the same job, and what each kind of fault is.
 */
#include "api/wire/job_document.h"
#include "tests/unit/api/wire/forest_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static world in;
static job got;
static unsigned char memory[1 << 20];

static loam_status find_world(void *context, loam_text name, const digest *revision,
                              const world **found) {
    (void)context;
    *found = &in;
    bool known = loam_text_equal(name, loam_text_of("demo")) &&
                 (revision == NULL || digest_equal(revision, &in.revision));
    return known ? LOAM_OK : LOAM_NOT_FOUND;
}

static const job_resolver resolver = {.find_world = find_world};

static void init(void) {
    forest_read_world(forest_world, &in);
}

TestSuite(job_read, .init = init, .fini = forest_fini);

static loam_status read(const char *json) {
    loam_arena arena;
    loam_arena_init(&arena, memory, sizeof memory);
    return job_read(loam_text_of(json), &resolver, &arena, &got, forest_faults());
}

#define JOB(rest) "{\"world\":\"demo\",\"outputs\":[\"trees\"]," rest "}"

static void id_of(const char *json, char id[JOB_ID_BYTES]) {
    cr_assert_eq(read(json), LOAM_OK, "%s", json);
    memcpy(id, got.id, JOB_ID_BYTES);
}

static bool same_job(const char *a, const char *b) {
    char first[JOB_ID_BYTES];
    char second[JOB_ID_BYTES];
    id_of(a, first);
    id_of(b, second);
    return strcmp(first, second) == 0;
}

Test(job_read, a_range_is_inclusive_and_counted) {
    cr_assert_eq(read(JOB("\"level\":0,\"cells\":{\"min\":[-2,0],\"max\":[31,31]}")), LOAM_OK);
    cr_assert_eq(got.cell_count, 34 * 32);
    cr_assert_eq(got.output_count, 1);
    cr_assert(got.keep);
    cr_assert_eq(got.priority, JOB_PRIORITY_INITIAL);
    cr_assert_eq(strlen(got.id), JOB_ID_SIZE);
    job_cell first = job_cell_at(&got, 0);
    job_cell last = job_cell_at(&got, 34 * 32 - 1);
    cr_assert(first.x == -2 && first.z == 0);
    cr_assert(last.x == 31 && last.z == 31);
    job_cell second_row = job_cell_at(&got, 34);
    cr_assert(second_row.x == -2 && second_row.z == 1);
}

Test(job_read, all_is_the_bounds_at_the_level) {
    cr_assert_eq(read(JOB("\"level\":1,\"cells\":\"all\"")), LOAM_OK);
    cr_assert_eq(got.cell_count, 136 * 128);
    cr_assert_eq(got.min.x, -8);
    cr_assert_eq(got.max.z, 127);
}

Test(job_read, a_list_is_sorted_and_each_cell_is_once) {
    cr_assert_eq(read(JOB("\"cells\":[[3,5],[1,0],[3,5],[0,5]]")), LOAM_OK);
    cr_assert_eq(got.cell_count, 3);
    cr_assert(got.cells[0].x == 1 && got.cells[0].z == 0);
    cr_assert(got.cells[1].x == 0 && got.cells[1].z == 5);
    cr_assert(got.cells[2].x == 3 && got.cells[2].z == 5);
}

/* Every cell of the job is found where it stands; what is beside it is not. */
static void expect_found(const char *json, job_cell beside) {
    uint64_t index = UINT64_MAX;
    cr_assert_eq(read(json), LOAM_OK);
    for (uint64_t i = 0; i < got.cell_count; i++) {
        cr_assert(job_cell_find(&got, job_cell_at(&got, i), &index), "%llu", (unsigned long long)i);
        cr_assert_eq(index, i);
    }
    cr_expect_not(job_cell_find(&got, beside, &index));
}

Test(job_read, a_cell_is_found_where_it_stands) {
    expect_found(JOB("\"cells\":{\"min\":[-2,0],\"max\":[31,30]}"), (job_cell){-3, 0});
    expect_found(JOB("\"cells\":{\"min\":[-2,0],\"max\":[31,30]}"), (job_cell){0, 31});
    expect_found(JOB("\"cells\":[[3,3],[0,0],[5,0],[1,2]]"), (job_cell){1, 3});
    expect_found(JOB("\"cells\":[[4,4]]"), (job_cell){4, 5});
}

Test(job_read, the_same_request_is_the_same_job) {
    char revision[DIGEST_TEXT_BYTES];
    char json[300];
    digest_text(&in.revision, revision);
    snprintf(json, sizeof json,
             "{\"cells\":\"all\",\"revision\":\"%s\",\"priority\":5,\"keep\":true,"
             "\"outputs\":[\"trees\"],\"world\":\"demo\",\"level\":0}",
             revision);
    cr_assert(same_job(JOB("\"cells\":\"all\""), json));
    cr_assert(
        same_job(JOB("\"cells\":\"all\""), JOB("\"cells\":{\"min\":[-2,0],\"max\":[31,31]}")));
    cr_assert(same_job(JOB("\"cells\":[[1,1],[0,0]]"), JOB("\"cells\":[[0,0],[1,1]]")));
}

Test(job_read, another_request_is_another_job) {
    cr_assert_not(same_job(JOB("\"cells\":\"all\""), JOB("\"cells\":\"all\",\"level\":1")));
    cr_assert_not(same_job(JOB("\"cells\":\"all\""), JOB("\"cells\":\"all\",\"keep\":false")));
    cr_assert_not(same_job(JOB("\"cells\":[[0,0]]"), JOB("\"cells\":[[0,1]]")));
}

static void assert_refused(const char *json, loam_status status, const char *pointer) {
    cr_assert_eq(read(json), status, "%s", json);
    cr_assert(forest_has_fault(status, pointer), "%s", json);
}

Test(job_read, each_fault_is_named) {
    assert_refused("{}", LOAM_MISSING_FIELD, "/world");
    assert_refused("{\"world\":\"none\",\"outputs\":[\"trees\"],\"cells\":\"all\"}", LOAM_NOT_FOUND,
                   "/world");
    assert_refused(JOB("\"cells\":\"all\",\"revision\":\"latest\""), LOAM_BAD_NAME, "/revision");
    assert_refused(JOB("\"cells\":\"all\",\"revision\":\"sha256-00000000000000000000000000000000"
                       "00000000000000000000000000000000\""),
                   LOAM_NOT_FOUND, "/revision");
    assert_refused("{\"world\":\"demo\",\"cells\":\"all\"}", LOAM_MISSING_FIELD, "/outputs");
    assert_refused("{\"world\":\"demo\",\"outputs\":[],\"cells\":\"all\"}", LOAM_OUT_OF_RANGE,
                   "/outputs");
    assert_refused("{\"world\":\"demo\",\"outputs\":[\"rocks\"],\"cells\":\"all\"}",
                   LOAM_UNKNOWN_OUTPUT, "/outputs/0");
    assert_refused("{\"world\":\"demo\",\"outputs\":[\"trees\",\"trees\"],\"cells\":\"all\"}",
                   LOAM_DUPLICATE, "/outputs/1");
    assert_refused(JOB("\"cells\":\"all\",\"level\":2"), LOAM_OUT_OF_RANGE, "/level");
    assert_refused(JOB("\"cells\":\"all\",\"priority\":10"), LOAM_OUT_OF_RANGE, "/priority");
    assert_refused(JOB("\"cells\":\"all\",\"keep\":1"), LOAM_WRONG_TYPE, "/keep");
    assert_refused(JOB("\"cells\":\"all\",\"wait\":1"), LOAM_UNKNOWN_FIELD, "/wait");
    assert_refused(JOB("\"cells\":\"all\",\"dungeons\":[]"), LOAM_UNKNOWN_FIELD, "/cells");
}

Test(job_read, each_fault_of_cells_is_named) {
    assert_refused(JOB("\"level\":0"), LOAM_MISSING_FIELD, "/cells");
    assert_refused(JOB("\"cells\":\"some\""), LOAM_OUT_OF_RANGE, "/cells");
    assert_refused(JOB("\"cells\":[]"), LOAM_OUT_OF_RANGE, "/cells");
    assert_refused(JOB("\"cells\":[[0]]"), LOAM_OUT_OF_RANGE, "/cells/0");
    assert_refused(JOB("\"cells\":[[0,0],[0,32]]"), LOAM_OUTSIDE_WORLD, "/cells/1");
    assert_refused(JOB("\"cells\":[[0,0.5]]"), LOAM_WRONG_TYPE, "/cells/0/1");
    assert_refused(JOB("\"cells\":{\"min\":[0,0]}"), LOAM_MISSING_FIELD, "/cells/max");
    assert_refused(JOB("\"cells\":{\"min\":[1,0],\"max\":[0,0]}"), LOAM_OUT_OF_RANGE, "/cells/max");
    assert_refused(JOB("\"cells\":{\"min\":[0,0],\"max\":[0,99]}"), LOAM_OUTSIDE_WORLD,
                   "/cells/max");
}

Test(job_read, sixteen_million_cells_are_the_most) {
    const char *endless = forest_with(
        forest_world, ", \"bounds_m\": { \"min\": [-512, 0], \"max\": [8192, 8192] }", "");
    forest_read_world(endless, &in);
    cr_assert_eq(read(JOB("\"cells\":{\"min\":[-2048,-2048],\"max\":[2047,2047]}")), LOAM_OK);
    cr_assert_eq(got.cell_count, JOB_CELLS_MAX);
    assert_refused(JOB("\"cells\":{\"min\":[-2048,-2048],\"max\":[2047,2048]}"), LOAM_TOO_MANY,
                   "/cells");
    assert_refused(JOB("\"cells\":{\"min\":[-16777216,-16777216],\"max\":[16777215,16777215]}"),
                   LOAM_TOO_MANY, "/cells");
    assert_refused(JOB("\"cells\":{\"min\":[0,0],\"max\":[16777216,0]}"), LOAM_COORDINATE_RANGE,
                   "/cells/max");
    assert_refused(JOB("\"cells\":\"all\""), LOAM_NO_BOUNDS, "/cells");
}

Test(job_read, a_small_arena_is_an_error_and_no_crash) {
    for (size_t size = 0; size < 2048; size += 16) {
        loam_arena arena;
        loam_arena_init(&arena, memory, size);
        loam_status status = job_read(loam_text_of(JOB("\"cells\":[[0,0]]")), &resolver, &arena,
                                      &got, forest_faults());
        cr_assert(status == LOAM_OK || status == LOAM_ARENA_FULL);
    }
}
