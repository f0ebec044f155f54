/* SPDX-License-Identifier: MIT
 *
 * test_key_cache.c: keys are found under their own place, and the oldest give way.
 */
#include "server/cell/key_cache.h"

#include <criterion/criterion.h>

static key_cache *cache;

static void start(void) {
    cache = key_cache_create(64);
    cr_assert_not_null(cache);
}

static void stop(void) {
    key_cache_destroy(cache);
}

TestSuite(key_cache, .init = start, .fini = stop);

static cell_address at(int64_t x) {
    return (cell_address){.revision = 1, .x = x, .z = -7, .output = 2, .level = 3};
}

static digest key_of(uint64_t number) {
    return digest_of(&number, sizeof number);
}

static bool find(int64_t x, digest *key) {
    cell_address address = at(x);
    cell_keys keys;
    bool found = key_cache_find(cache, &address, &keys);
    *key = found ? keys.build : *key;
    return found;
}

static void add(int64_t x) {
    cell_address address = at(x);
    cell_keys keys = {.build = key_of((uint64_t)x), .check = key_of((uint64_t)x + 1)};
    key_cache_add(cache, &address, &keys);
}

Test(key_cache, a_key_is_found_under_its_place_alone) {
    digest found;
    add(5);
    cr_assert(find(5, &found));
    digest want = key_of(5);
    cr_expect(digest_equal(&found, &want));
    cr_expect_not(find(6, &found));
    cell_address other = at(5);
    other.revision = 2;
    cell_keys keys;
    cr_expect_not(key_cache_find(cache, &other, &keys));
    other.revision = 1;
    cr_assert(key_cache_find(cache, &other, &keys));
    want = key_of(6);
    cr_expect(digest_equal(&keys.check, &want), "with the key of its checks");
}

Test(key_cache, many_keys_push_out_old_ones_and_are_never_mixed_up) {
    digest found;
    int kept = 0;
    for (int64_t x = 0; x < 1000; x++) {
        add(x);
    }
    for (int64_t x = 0; x < 1000; x++) {
        if (find(x, &found)) {
            digest want = key_of((uint64_t)x);
            cr_assert(digest_equal(&found, &want));
            kept++;
        }
    }
    cr_expect_leq(kept, 64);
    cr_expect_gt(kept, 32);
    cr_expect(find(999, &found), "the newest stays");
}

Test(key_cache, a_key_in_use_outlives_those_that_are_not) {
    digest found;
    add(0);
    for (int64_t x = 1; x < 200; x++) {
        add(x);
        cr_expect(find(0, &found), "pushed out by %d", (int)x);
    }
}
