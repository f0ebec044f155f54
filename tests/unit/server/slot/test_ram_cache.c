/* SPDX-License-Identifier: MIT
 *
 * test_ram_cache.c: answers in memory: found by all of their name, bounded in bytes, dropped in
 * order of use.
 */
#include "server/slot/ram_cache.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { CACHE_BYTES = 1 << 20, BODY_BYTES = 10000 };

static ram_cache *cache;

static void start(void) {
    cache = ram_cache_create(CACHE_BYTES);
    cr_assert_not_null(cache);
}

static void stop(void) {
    ram_cache_destroy(cache);
}

TestSuite(ram_cache, .init = start, .fini = stop);

static answer_name name_of(int64_t x) {
    return (answer_name){.of = {{1, (uint64_t)x, 2}}};
}

static void add(const answer_name *name, size_t size) {
    char *bytes = calloc(1, size);
    ram_answer answer = {
        .full = http_response_create(200, NULL, 0, (http_body){.bytes = bytes, .size = size}),
        .not_modified = http_response_create(304, NULL, 0, (http_body){0}),
        .etag = "\"x\""};
    cr_assert(answer.full != NULL && answer.not_modified != NULL);
    ram_cache_add(cache, name, &answer);
    http_response_release(answer.full);
    http_response_release(answer.not_modified);
    free(bytes);
}

Test(ram_cache, an_answer_is_found_under_its_whole_name) {
    answer_name name = name_of(1);
    add(&name, BODY_BYTES);
    const ram_answer *found = ram_cache_find(cache, &name);
    cr_assert_not_null(found);
    cr_expect_eq(http_response_status(found->full), 200);
    cr_expect_eq(http_response_status(found->not_modified), 304);
    answer_name other = name;
    other.view = 1;
    cr_expect_null(ram_cache_find(cache, &other));
    other = name;
    other.coding = 1;
    cr_expect_null(ram_cache_find(cache, &other));
    other = name;
    other.alias = 1;
    cr_expect_null(ram_cache_find(cache, &other));
    other = name;
    other.of.words[2] = 3;
    cr_expect_null(ram_cache_find(cache, &other));
}

Test(ram_cache, bytes_stay_within_the_bound_and_the_unused_go_first) {
    answer_name used = name_of(0);
    add(&used, BODY_BYTES);
    for (int64_t x = 1; x < 500; x++) {
        answer_name name = name_of(x);
        add(&name, BODY_BYTES);
        cr_assert_leq(ram_cache_bytes(cache), CACHE_BYTES);
        cr_assert_not_null(ram_cache_find(cache, &used), "dropped after %d", (int)x);
    }
    answer_name old = name_of(1);
    answer_name new = name_of(499);
    cr_expect_null(ram_cache_find(cache, &old));
    cr_expect_not_null(ram_cache_find(cache, &new));
    cr_expect_gt(ram_cache_count(cache), 50);
}

Test(ram_cache, one_large_answer_does_not_push_out_the_others) {
    answer_name small = name_of(1);
    answer_name large = name_of(2);
    add(&small, BODY_BYTES);
    add(&large, CACHE_BYTES / 2);
    cr_expect_null(ram_cache_find(cache, &large));
    cr_expect_not_null(ram_cache_find(cache, &small));
}

Test(ram_cache, an_answer_that_is_dropped_lives_as_long_as_it_is_held) {
    answer_name name = name_of(1);
    add(&name, BODY_BYTES);
    http_response *held = http_response_retain(ram_cache_find(cache, &name)->full);
    for (int64_t x = 2; x < 300; x++) {
        answer_name other = name_of(x);
        add(&other, BODY_BYTES);
    }
    cr_expect_null(ram_cache_find(cache, &name));
    cr_expect_eq(http_response_status(held), 200);
    http_response_release(held);
}
