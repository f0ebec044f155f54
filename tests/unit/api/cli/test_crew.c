/* SPDX-License-Identifier: MIT
 *
 * test_crew.c: threads that make numbers: all of them, settled in order, ended by the first
 * failure.
 */
#include "api/cli/crew.h"

#include <criterion/criterion.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum { COUNT = 200 };

typedef struct record {
    atomic_int made[COUNT];
    uint64_t settled[COUNT];
    uint64_t settled_count;
    uint64_t fail_at; /* COUNT for never */
    int stop;
    uint64_t stop_at;
} record;

static void pause_a_moment(uint64_t index) {
    struct timespec pause = {.tv_nsec = (long)(index * 7919 % 13) * 20000};
    (void)nanosleep(&pause, NULL);
}

static loam_status number_make(void *context, uint64_t index, offline_cell *scratch,
                               loam_error *error) {
    record *all = context;
    (void)scratch;
    pause_a_moment(index);
    atomic_fetch_add(&all->made[index], 1);
    if (index == all->stop_at) {
        all->stop = 1;
    }
    return index == all->fail_at
               ? loam_fail(error, LOAM_OUT_OF_RANGE, "/x", "number %d", (int)index)
               : LOAM_OK;
}

static void number_settle(void *context, uint64_t index, const offline_cell *scratch) {
    record *all = context;
    (void)scratch;
    all->settled[all->settled_count++] = index;
}

static loam_status crew_of(record *all, uint32_t workers, loam_error *error) {
    crew_task task = {.label = "test",
                      .count = COUNT,
                      .workers = workers,
                      .stop = &all->stop,
                      .context = all,
                      .make = number_make,
                      .settle = number_settle};
    return crew_run(&task, error);
}

Test(crew, every_number_is_made_once_and_settled_in_order) {
    for (uint32_t workers = 1; workers <= 8; workers *= 2) {
        record all = {.fail_at = COUNT, .stop_at = COUNT};
        loam_error error = {0};
        cr_assert_eq(crew_of(&all, workers, &error), LOAM_OK, "%s", error.text);
        cr_assert_eq(all.settled_count, COUNT);
        for (uint64_t i = 0; i < COUNT; i++) {
            cr_assert_eq(atomic_load(&all.made[i]), 1);
            cr_assert_eq(all.settled[i], i);
        }
    }
}

Test(crew, the_first_failure_ends_the_work_and_is_reported, .timeout = 20) {
    for (uint32_t workers = 1; workers <= 8; workers *= 2) {
        record all = {.fail_at = 50, .stop_at = COUNT};
        loam_error error = {0};
        cr_assert_eq(crew_of(&all, workers, &error), LOAM_OUT_OF_RANGE);
        cr_assert_str_eq(error.text, "number 50");
        cr_assert_str_eq(error.pointer, "/x");
        cr_assert_leq(all.settled_count, 50);
        cr_assert_eq(atomic_load(&all.made[COUNT - 1]), 0);
    }
}

Test(crew, a_stop_is_no_success, .timeout = 20) {
    record all = {.fail_at = COUNT, .stop_at = 20};
    loam_error error = {0};
    cr_assert_eq(crew_of(&all, 2, &error), LOAM_CANCELLED);
    cr_assert_lt(all.settled_count, COUNT);
}
