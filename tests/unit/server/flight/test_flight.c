/* SPDX-License-Identifier: MIT
 *
 * test_flight.c: a result is built once, however many wait for it; each of them hears what came of
 * it exactly once; what nobody wants ends. With a real store and a real worker, and a kind whose
 * results are texts.
 */
#include "server/flight/flight.h"

#include <criterion/criterion.h>
#include <stdatomic.h>
#include <string.h>

#include "server/flight/flight_state.h"
#include "tests/support/flow_ground.h"

/* ---- A kind ---------------------------------------------------------------------------------- */

typedef struct text_wish {
    const char *text; /* becomes the result */
    uint64_t key;
    loam_status fault;  /* instead of it */
    const char *object; /* what those hear who do not want it raw */
} text_wish;

typedef struct text_flight {
    result_flight base;
    text_wish wish;
} text_flight;

static atomic_int builds, fallen;
static char built_order[64];

static digest key_of(uint64_t number) {
    return digest_of(&number, sizeof number);
}

static bool text_begin(result_flight *base, const void *wish) {
    text_flight *flight = (text_flight *)base;
    flight->wish = *(const text_wish *)wish;
    base->key = key_of(flight->wish.key);
    return true;
}

static void text_end(result_flight *base) {
    (void)base;
    fallen++;
}

static loam_status text_build(result_flight *base, pool_worker *worker, loam_error *error) {
    const text_wish *wish = &((text_flight *)base)->wish;
    (void)worker;
    builds++;
    strncat(built_order, wish->text, 1);
    if (wish->fault != LOAM_OK) {
        return loam_fail(error, wish->fault, NULL, "it cannot be built");
    }
    base->blob = blob_create(wish->text, strlen(wish->text));
    return LOAM_OK;
}

static bool text_is_alike(const result_flight *a, const result_flight *b) {
    return ((const text_flight *)a)->wish.object == ((const text_flight *)b)->wish.object;
}

static step_result text_judge(void *subject) {
    text_flight *flight = subject;
    if (flight->wish.object != NULL) {
        loam_fail(&flight->base.objection, LOAM_CHECK_FAILED, NULL, "%s", flight->wish.object);
    }
    return STEP_NEXT;
}

static const flow_step text_steps[] = {
    {"meet", flight_meet, false}, FLIGHT_LOOK_UP, FLIGHT_BUILD,
    {"judge", text_judge, false}, FLIGHT_LAND,    FLIGHT_END,
};

static const flight_kind text_kind = {.steps = text_steps,
                                      .bytes = sizeof(text_flight),
                                      .missed = METRIC_MISSES,
                                      .built = METRIC_CELLS_BUILT,
                                      .failed = METRIC_CELLS_FAILED,
                                      .begin = text_begin,
                                      .end = text_end,
                                      .build = text_build,
                                      .is_alike = text_is_alike};

/* ---- Ground ---------------------------------------------------------------------------------- */

static flow_state *flow;

static void begin(void) {
    flow = flow_ground_make();
    builds = fallen = 0;
    memset(built_order, 0, sizeof built_order);
}

static void end(void) {
    flow_ground_release();
    cr_expect(flow_ground_settle(flow));
    flow_ground_remove(flow);
}

TestSuite(flight, .init = begin, .fini = end, .timeout = 60);

/* Names tell requests apart, keys results. */
static void join_as(uint64_t name, const text_wish *wish, test_ear *ear) {
    const result_name of = {{name, 0, 0, 0}};
    flight_join(flow, &text_kind, &of, wish, &ear->waiter);
}

static void join(const text_wish *wish, test_ear *ear) {
    join_as(wish->key, wish, ear);
}

static void expect_text(test_ear *ear, const char *text) {
    cr_expect_eq(ear->landed, 1);
    cr_assert_eq(ear->status, LOAM_OK, "%s", loam_status_text(ear->status));
    cr_assert_eq(ear->blob->size, strlen(text));
    cr_expect_eq(memcmp(ear->blob->bytes, text, strlen(text)), 0);
    ear_fini(ear);
}

static const text_wish oak = {.text = "oak", .key = 1};

/* ---- Together -------------------------------------------------------------------------------- */

Test(flight, who_comes_while_it_is_built_shares_it) {
    test_ear ears[3];
    flow_ground_hold(flow);
    for (int i = 0; i < 3; i++) {
        ears[i] = ear_of((flight_waiter){0});
        join(&oak, &ears[i]);
    }
    cr_expect_eq(flight_count(flow->flights), 1);
    flow_ground_release();
    cr_assert(flow_ground_settle(flow));
    cr_expect_eq(builds, 1);
    cr_expect_eq(fallen, 1);
    for (int i = 0; i < 3; i++) {
        cr_expect_eq(ears[i].collapsed, i > 0);
        cr_expect_eq(ears[i].origin, ORIGIN_BUILT);
        cr_expect_eq(ears[i].missed, 1, "that it was not there is heard once");
        expect_text(&ears[i], "oak");
    }
}

Test(flight, what_was_built_is_found_in_the_store) {
    test_ear first = ear_of((flight_waiter){0}), second = ear_of((flight_waiter){0});
    join(&oak, &first);
    cr_assert(flow_ground_settle(flow));
    join(&oak, &second);
    cr_assert(flow_ground_settle(flow));
    cr_expect_eq(builds, 1);
    cr_expect_eq(second.origin, ORIGIN_STORED);
    cr_expect_eq(second.missed, 0);
    expect_text(&first, "oak");
    expect_text(&second, "oak");
}

Test(flight, two_names_of_one_key_are_built_once) {
    test_ear one = ear_of((flight_waiter){0}), other = ear_of((flight_waiter){0});
    flow_ground_hold(flow);
    join_as(10, &oak, &one);
    join_as(11, &oak, &other);
    flow_ground_release();
    cr_assert(flow_ground_settle(flow));
    cr_expect_eq(builds, 1);
    cr_expect_eq(fallen, 2);
    expect_text(&one, "oak");
    expect_text(&other, "oak");
}

Test(flight, one_key_under_two_verdicts_is_built_once_and_each_hears_its_own) {
    const text_wish strict = {.text = "oak", .key = 1, .object = "too few"};
    test_ear refused = ear_of((flight_waiter){0}), served = ear_of((flight_waiter){0});
    test_ear raw = ear_of((flight_waiter){.raw = true});
    flow_ground_hold(flow);
    join_as(10, &strict, &refused);
    join_as(11, &oak, &served);
    join_as(10, &strict, &raw);
    flow_ground_release();
    cr_assert(flow_ground_settle(flow));
    cr_expect_eq(builds, 1);
    cr_expect_eq(refused.status, LOAM_CHECK_FAILED);
    expect_text(&served, "oak");
    expect_text(&raw, "oak");
}

Test(flight, a_failure_is_heard_by_all_and_the_next_one_tries_anew) {
    const text_wish broken = {.text = "elm", .key = 2, .fault = LOAM_BUDGET_EXCEEDED};
    const text_wish mended = {.text = "elm", .key = 2};
    test_ear ears[2], again = ear_of((flight_waiter){0});
    flow_ground_hold(flow);
    for (int i = 0; i < 2; i++) {
        ears[i] = ear_of((flight_waiter){0});
        join(&broken, &ears[i]);
    }
    flow_ground_release();
    cr_assert(flow_ground_settle(flow));
    cr_expect_eq(ears[0].status, LOAM_BUDGET_EXCEEDED);
    cr_expect_eq(ears[1].status, LOAM_BUDGET_EXCEEDED);
    join(&mended, &again);
    cr_assert(flow_ground_settle(flow));
    expect_text(&again, "elm");
}

Test(flight, who_waits_for_the_disk_hears_after_those_who_do_not) {
    test_ear quick = ear_of((flight_waiter){0}), safe = ear_of((flight_waiter){.stored = true});
    flow_ground_hold(flow);
    join(&oak, &safe);
    join(&oak, &quick);
    flow_ground_release();
    cr_assert(flow_ground_settle(flow));
    cr_expect_eq(quick.order, 1);
    cr_expect_eq(safe.order, 2);
    expect_text(&quick, "oak");
    expect_text(&safe, "oak");
}

Test(flight, who_comes_between_landing_and_the_disk_is_served_at_once) {
    test_ear first = ear_of((flight_waiter){0}), late = ear_of((flight_waiter){0});
    join(&oak, &first);
    cr_assert(flow_ground_land(flow, &first));
    join(&oak, &late);
    cr_expect_eq(late.landed + (late.waiter.flight != NULL), 1, "landed, or under way by itself");
    cr_assert(flow_ground_settle(flow));
    cr_expect_eq(builds, 1);
    cr_expect_eq(late.origin, ORIGIN_STORED, "as good as stored");
    cr_expect_not(late.missed);
    expect_text(&first, "oak");
    expect_text(&late, "oak");
}

/* ---- What is there, and nothing else ----------------------------------------------------------
 */

Test(flight, who_takes_only_what_is_there_has_nothing_built) {
    test_ear ear = ear_of((flight_waiter){.cached_only = true});
    join(&oak, &ear);
    cr_assert(flow_ground_settle(flow));
    cr_expect_eq(ear.status, LOAM_NOT_GENERATED);
    cr_expect_eq(ear.landed, 1);
    cr_expect_eq(builds, 0);
}

Test(flight, who_takes_only_what_is_there_does_not_wait_for_what_another_has_built) {
    test_ear only = ear_of((flight_waiter){.cached_only = true}), all = ear_of((flight_waiter){0});
    flow_ground_hold(flow);
    join(&oak, &only);
    join(&oak, &all);
    cr_assert(flow_ground_land(flow, &only), "while the worker is busy");
    cr_expect_eq(only.status, LOAM_NOT_GENERATED);
    cr_expect_eq(all.landed, 0);
    flow_ground_release();
    cr_assert(flow_ground_settle(flow));
    expect_text(&all, "oak");
}

/* ---- Leaving ----------------------------------------------------------------------------------
 */

Test(flight, the_last_one_to_leave_ends_the_work) {
    test_ear one = ear_of((flight_waiter){0}), other = ear_of((flight_waiter){0});
    flow_ground_hold(flow);
    join(&oak, &one);
    join(&oak, &other);
    cr_assert(flow_ground_miss(flow, &one));
    flight_leave(&one.waiter, false);
    cr_expect_eq(flight_count(flow->flights), 1, "somebody waits");
    flight_leave(&other.waiter, false);
    cr_expect_eq(flight_count(flow->flights), 0, "its task was taken back");
    flight_leave(&other.waiter, false); /* nothing */
    flow_ground_release();
    cr_assert(flow_ground_settle(flow));
    cr_expect_eq(builds, 0);
    cr_expect_eq(one.landed + other.landed, 0);
}

/* One that rides is left by all but who takes only what is there, and so is what it rides on: that
 * it missed ends both, the lower one while it tells. Seen by AddressSanitizer. */
Test(flight, a_miss_that_ends_its_last_listener_ends_the_flight) {
    const text_wish strict = {.text = "oak", .key = 1, .object = "too few"};
    test_ear below = ear_of((flight_waiter){0}), rider = ear_of((flight_waiter){0});
    test_ear only = ear_of((flight_waiter){.cached_only = true});
    flow_ground_hold(flow);
    join_as(10, &strict, &below);
    join_as(11, &oak, &rider);
    join_as(11, &oak, &only);
    flight_leave(&below.waiter, false);
    flight_leave(&rider.waiter, false);
    cr_expect_eq(flight_count(flow->flights), 2, "somebody listens");
    cr_assert(flow_ground_land(flow, &only));
    cr_expect_eq(only.status, LOAM_NOT_GENERATED);
    cr_expect_eq(flight_count(flow->flights), 0);
    flow_ground_release();
    cr_assert(flow_ground_settle(flow));
    cr_expect_eq(builds, 0);
    cr_expect_eq(fallen, 2);
}

Test(flight, who_leaves_and_will_ask_again_finds_it_built) {
    test_ear patient = ear_of((flight_waiter){0}), back = ear_of((flight_waiter){0});
    flow_ground_hold(flow);
    join(&oak, &patient);
    cr_assert(flow_ground_miss(flow, &patient));
    flight_leave(&patient.waiter, true);
    flow_ground_release();
    cr_assert(flow_ground_settle(flow));
    join(&oak, &back);
    cr_assert(flow_ground_settle(flow));
    cr_expect_eq(patient.landed, 0);
    cr_expect_eq(builds, 1);
    cr_expect_eq(back.origin, ORIGIN_STORED);
    expect_text(&back, "oak");
}

Test(flight, at_the_end_everything_in_the_air_is_cancelled) {
    test_ear ears[5];
    flow_ground_hold(flow);
    for (int i = 0; i < 5; i++) {
        const text_wish wish = {.text = "ash", .key = (uint64_t)(20 + i)};
        ears[i] = ear_of((flight_waiter){.stored = i == 4});
        join(&wish, &ears[i]);
    }
    cr_assert(flow_ground_miss(flow, &ears[4]));
    for (int i = 0; i < 4; i++) {
        cr_assert(flow_ground_miss(flow, &ears[i]));
    }
    flight_cancel_all(flow->flights);
    for (int i = 0; i < 5; i++) {
        cr_expect_eq(ears[i].landed, 1);
        cr_expect_eq(ears[i].status, LOAM_CANCELLED);
    }
    cr_expect_eq(flight_count(flow->flights), 0);
}

/* ---- Turns ----------------------------------------------------------------------------------- */

Test(flight, work_of_jobs_goes_behind_until_a_request_wants_it) {
    static const char *const texts[] = {"a", "b", "c"};
    test_ear batch[3], request = ear_of((flight_waiter){0});
    text_wish wishes[3];
    flow_ground_hold(flow);
    for (int i = 0; i < 3; i++) {
        wishes[i] = (text_wish){.text = texts[i], .key = (uint64_t)(30 + i)};
        batch[i] = ear_of((flight_waiter){.batch = true});
        join(&wishes[i], &batch[i]);
        cr_assert(flow_ground_miss(flow, &batch[i]));
    }
    join(&wishes[2], &request);
    flow_ground_release();
    cr_assert(flow_ground_settle(flow));
    cr_expect_str_eq(built_order, "cab", "%s", built_order);
    for (int i = 0; i < 3; i++) {
        expect_text(&batch[i], texts[i]);
    }
    expect_text(&request, "c");
}
