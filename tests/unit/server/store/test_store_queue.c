/* SPDX-License-Identifier: MIT
 *
 * test_store_queue.c: order, bounds, groups and closing of the request queue.
 */
#include "server/store/store_queue.h"

#include <criterion/criterion.h>
#include <time.h>

static store_queue_options options(void) {
    return (store_queue_options){
        .requests_max = 4, .bytes_max = 100, .group_requests = 3, .group_bytes = 50};
}

static size_t chain_length(const store_request *first) {
    size_t length = 0;
    for (; first != NULL; first = first->next) {
        length++;
    }
    return length;
}

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

Test(store_queue, hands_groups_out_in_order) {
    store_queue queue;
    store_request requests[4] = {0};
    store_queue_options given = options();
    store_queue_init(&queue, &given);
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(store_queue_push(&queue, &requests[i], 1), LOAM_OK);
    }
    store_request *group = store_queue_take(&queue, 0);
    cr_assert_eq(group, &requests[0]);
    cr_assert_eq(group->next, &requests[1]);
    cr_assert_eq(chain_length(group), 3);
    group = store_queue_take(&queue, 0);
    cr_assert_eq(group, &requests[3]);
    cr_assert_eq(chain_length(group), 1);
    store_queue_fini(&queue);
}

Test(store_queue, gives_out_alone_what_is_to_be_alone) {
    store_queue queue;
    store_request requests[4] = {{0}, {.alone = true}, {0}, {0}};
    store_queue_options given = options();
    store_queue_init(&queue, &given);
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(store_queue_push(&queue, &requests[i], 1), LOAM_OK);
    }
    cr_assert_eq(chain_length(store_queue_take(&queue, 0)), 1);
    store_request *group = store_queue_take(&queue, 0);
    cr_assert_eq(group, &requests[1]);
    cr_assert_eq(chain_length(group), 1);
    cr_assert_eq(chain_length(store_queue_take(&queue, 0)), 2);
    store_queue_fini(&queue);
}

Test(store_queue, cuts_a_group_at_its_bytes_but_passes_a_larger_request_alone) {
    store_queue queue;
    store_request requests[3] = {0};
    store_queue_options given = options();
    given.bytes_max = 1000;
    store_queue_init(&queue, &given);
    cr_assert_eq(store_queue_push(&queue, &requests[0], 40), LOAM_OK);
    cr_assert_eq(store_queue_push(&queue, &requests[1], 11), LOAM_OK);
    cr_assert_eq(store_queue_push(&queue, &requests[2], 400), LOAM_OK);
    cr_assert_eq(chain_length(store_queue_take(&queue, 0)), 1);
    cr_assert_eq(chain_length(store_queue_take(&queue, 0)), 1);
    cr_assert_eq(store_queue_take(&queue, 0), &requests[2]);
    store_queue_fini(&queue);
}

Test(store_queue, refuses_what_is_over_its_bounds) {
    store_queue queue;
    store_request requests[6] = {0};
    store_queue_options given = options();
    store_queue_init(&queue, &given);
    cr_assert_eq(store_queue_push(&queue, &requests[0], 500), LOAM_OK, "alone it may be larger");
    cr_assert_eq(store_queue_push(&queue, &requests[1], 1), LOAM_OVERLOADED);
    store_queue_take(&queue, 0);
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(store_queue_push(&queue, &requests[i], 1), LOAM_OK);
    }
    cr_assert_eq(store_queue_push(&queue, &requests[4], 1), LOAM_OVERLOADED);
    cr_assert_eq(store_queue_length(&queue), 4);
    store_queue_fini(&queue);
}

Test(store_queue, gives_out_what_is_left_after_it_was_closed) {
    store_queue queue;
    store_request requests[2] = {0};
    store_queue_options given = options();
    store_queue_init(&queue, &given);
    cr_assert_eq(store_queue_push(&queue, &requests[0], 1), LOAM_OK);
    store_queue_close(&queue);
    cr_assert_eq(store_queue_push(&queue, &requests[1], 1), LOAM_SHUTTING_DOWN);
    cr_assert_not(store_queue_ended(&queue));
    cr_assert_eq(store_queue_take(&queue, 0), &requests[0]);
    cr_assert(store_queue_ended(&queue));
    cr_assert_null(store_queue_take(&queue, 0));
    store_queue_fini(&queue);
}

Test(store_queue, returns_empty_handed_when_idle_or_woken) {
    store_queue queue;
    store_queue_options given = options();
    store_queue_init(&queue, &given);
    int64_t begun = now_ms();
    cr_assert_null(store_queue_take(&queue, 20));
    cr_assert_geq(now_ms() - begun, 19);
    store_queue_wake(&queue);
    cr_assert_null(store_queue_take(&queue, 0));
    store_queue_fini(&queue);
}

Test(store_queue, lingers_for_a_group_to_fill_but_not_longer) {
    store_queue queue;
    store_request request = {0};
    store_queue_options given = options();
    given.linger_us = 30000;
    store_queue_init(&queue, &given);
    cr_assert_eq(store_queue_push(&queue, &request, 1), LOAM_OK);
    int64_t begun = now_ms();
    cr_assert_eq(store_queue_take(&queue, 0), &request);
    cr_assert_geq(now_ms() - begun, 29);
    cr_assert_eq(store_queue_push(&queue, &request, 50), LOAM_OK, "a full group");
    begun = now_ms();
    cr_assert_eq(store_queue_take(&queue, 0), &request);
    cr_assert_lt(now_ms() - begun, 29);
    store_queue_fini(&queue);
}
