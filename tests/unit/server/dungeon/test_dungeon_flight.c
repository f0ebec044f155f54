/* SPDX-License-Identifier: MIT
 *
 * test_dungeon_flight.c: a dungeon under way, and what it hides: with a real store and a real
 * worker. Its request is kept before anyone hears of it; content flies on its dungeon.
 */
#include "server/dungeon/content_flight.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "api/wire/dungeon_document.h"
#include "tests/support/flow_ground.h"
#include "tests/support/store_calls.h"

#define SMALL "{\"recipe\": \"dungeon.rooms\", \"seed\": \"42\", \"params\": {\"width\": 48}}"
#define ARENA_BYTES ((size_t)16 << 20)

static flow_state *flow;
static text_buffer request;
static dungeon_wish wish;

static void begin(void) {
    void *memory = malloc(ARENA_BYTES);
    loam_arena arena;
    const loam_dungeon_plan *plan = NULL;
    dungeon_document document;
    fault_list faults;
    loam_error error = {0};
    fault_clear(&faults);
    cr_assert_not_null(memory);
    loam_arena_init(&arena, memory, ARENA_BYTES);
    flow = flow_ground_make();
    buffer_init(&request, JSON_BYTES_MAX);
    cr_assert_eq(dungeon_document_read(loam_text_of(SMALL), NULL, &arena, &document, &faults),
                 LOAM_OK);
    cr_assert_eq(loam_dungeon_plan_build(&document.request, &arena, &plan, &error), LOAM_OK);
    dungeon_document_write(&request, plan);
    wish = (dungeon_wish){.key = key_of_dungeon(plan), .request = buffer_view(&request)};
    free(memory);
}

static void end(void) {
    flow_ground_release();
    cr_expect(flow_ground_settle(flow));
    flow_ground_remove(flow);
    buffer_fini(&request);
}

TestSuite(dungeon_flight, .init = begin, .fini = end, .timeout = 60);

/* Whether the store has the request under its key. */
static bool is_kept(void) {
    test_latch *latch = test_latch_create();
    control_request look = {.base = {.done = test_latch_done, .context = latch},
                            .operation = CONTROL_DOCUMENT_GET,
                            .document = {.kind = DOCUMENT_DUNGEON},
                            .key = wish.key};
    cr_assert_eq(store_control(flow->store, &look), LOAM_OK);
    test_latch_wait(latch, 1);
    test_latch_destroy(latch);
    bool kept = look.base.error.status == LOAM_OK && look.result.count == 1 &&
                loam_text_equal(look.result.documents[0].document, wish.request);
    control_result_fini(&look.result);
    return kept;
}

static test_ear fly(void) {
    test_ear ear = ear_of((flight_waiter){0});
    dungeon_join(flow, &wish, &ear.waiter);
    cr_assert(flow_ground_land(flow, &ear));
    return ear;
}

Test(dungeon_flight, its_request_is_kept_before_anyone_hears_of_it) {
    cr_expect_not(is_kept());
    test_ear first = fly();
    cr_expect_eq(first.status, LOAM_OK);
    cr_expect(first.created);
    cr_expect(is_kept());
    cr_assert(flow_ground_settle(flow));
    test_ear again = fly();
    cr_expect_not(again.created, "the same request is known");
    cr_expect_eq(again.origin, ORIGIN_STORED);
    cr_expect(digest_equal(&first.blob->digest, &again.blob->digest));
    ear_fini(&first);
    ear_fini(&again);
}

Test(dungeon_flight, two_who_ask_have_one_and_one_of_them_made_it) {
    test_ear ears[2] = {ear_of((flight_waiter){0}), ear_of((flight_waiter){0})};
    flow_ground_hold(flow);
    dungeon_join(flow, &wish, &ears[0].waiter);
    dungeon_join(flow, &wish, &ears[1].waiter);
    cr_expect_eq(flight_count(flow->flights), 1);
    flow_ground_release();
    cr_assert(flow_ground_settle(flow));
    cr_expect(ears[0].created);
    cr_expect_not(ears[1].created);
    cr_expect_eq(ears[0].blob, ears[1].blob, "the very same bytes");
    ear_fini(&ears[0]);
    ear_fini(&ears[1]);
}

Test(dungeon_flight, a_request_that_gives_another_key_is_a_failure_that_keeps_nothing) {
    test_ear ear = ear_of((flight_waiter){0});
    wish.key.bytes[0] ^= 1;
    dungeon_join(flow, &wish, &ear.waiter);
    cr_assert(flow_ground_settle(flow));
    cr_expect_eq(ear.status, LOAM_VERSION_UNAVAILABLE);
    cr_expect_not(is_kept());
}

Test(dungeon_flight, what_it_hides_is_drawn_once_its_dungeon_is_there) {
    test_ear ear = ear_of((flight_waiter){0}), again = ear_of((flight_waiter){0});
    const content_wish content = {.content_key = digest_of("content", 7), .dungeon = wish};
    memset(flow->secret.bytes, 3, sizeof flow->secret.bytes);
    content_join(flow, &content, &ear.waiter);
    cr_expect_leq(flight_count(flow->flights), 2);
    cr_assert(flow_ground_settle(flow));
    cr_assert_eq(ear.status, LOAM_OK, "%s", loam_status_text(ear.status));
    cr_expect_eq(memcmp(ear.blob->bytes, "LOAM", 4), 0, "%.8s", (char *)ear.blob->bytes);
    cr_expect(is_kept(), "the dungeon flew too");
    content_join(flow, &content, &again.waiter);
    cr_assert(flow_ground_settle(flow));
    cr_expect_eq(again.origin, ORIGIN_STORED);
    cr_expect(digest_equal(&ear.blob->digest, &again.blob->digest));
    ear_fini(&ear);
    ear_fini(&again);
}

Test(dungeon_flight, what_hides_in_a_dungeon_that_cannot_be_built_fails_as_that_does) {
    test_ear ear = ear_of((flight_waiter){0});
    wish.key.bytes[0] ^= 1;
    const content_wish content = {.content_key = digest_of("content", 7), .dungeon = wish};
    content_join(flow, &content, &ear.waiter);
    cr_assert(flow_ground_settle(flow));
    cr_expect_eq(ear.status, LOAM_VERSION_UNAVAILABLE);
    cr_expect_eq(ear.landed, 1);
}

Test(dungeon_flight, who_wants_content_no_more_ends_the_dungeon_that_it_waited_for) {
    test_ear ear = ear_of((flight_waiter){0});
    const content_wish content = {.content_key = digest_of("content", 7), .dungeon = wish};
    flow_ground_hold(flow);
    content_join(flow, &content, &ear.waiter);
    cr_assert(flow_ground_miss(flow, &ear));
    cr_expect_eq(flight_count(flow->flights), 2);
    flight_leave(&ear.waiter, false);
    cr_expect_eq(flight_count(flow->flights), 0);
    flow_ground_release();
    cr_assert(flow_ground_settle(flow));
    cr_expect_not(is_kept());
    cr_expect_eq(ear.landed, 0);
}
