/* SPDX-License-Identifier: MIT
 *
 * test_stage_cache.c: stages in memory: found by all of their key, bounded in bytes, the least
 * recently used first, and never taken from under a reader.
 */
#include "api/key/stage_cache.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STAGE_BYTES = 10000, CACHE_BYTES = 64000 };

static loam_text key_of(unsigned number) {
    static char keys[16][32];
    char *key = keys[number % 16];
    snprintf(key, sizeof keys[0], "loam-stage/1 %u", number);
    return loam_text_of(key);
}

static void keep(stage_cache *cache, unsigned number, size_t size) {
    const loam_stages *stages = stage_cache_stages(cache);
    char *bytes = malloc(size + 1);
    memset(bytes, (int)('a' + number % 26), size + 1);
    stages->keep(stages->context, key_of(number), (loam_text){bytes, size});
    free(bytes);
}

static bool find(stage_cache *cache, unsigned number, loam_stage *stage) {
    const loam_stages *stages = stage_cache_stages(cache);
    return stages->find(stages->context, key_of(number), stage);
}

static void release(stage_cache *cache, const loam_stage *stage) {
    const loam_stages *stages = stage_cache_stages(cache);
    stages->release(stages->context, stage);
}

static bool has(stage_cache *cache, unsigned number) {
    loam_stage stage;
    if (!find(cache, number, &stage)) {
        return false;
    }
    const char *bytes = stage.bytes;
    cr_expect_eq(bytes[0], (char)('a' + number % 26));
    cr_expect_eq(bytes[stage.size - 1], (char)('a' + number % 26));
    release(cache, &stage);
    return true;
}

Test(stage_cache, what_is_kept_is_found_under_its_key_alone) {
    stage_cache *cache = stage_cache_create(CACHE_BYTES);
    cr_expect(!has(cache, 1));
    keep(cache, 1, STAGE_BYTES);
    cr_expect(has(cache, 1));
    cr_expect(!has(cache, 2));
    keep(cache, 2, 1);
    cr_expect(has(cache, 2));
    const stage_counts counts = stage_cache_counts(cache);
    cr_expect_eq(counts.hits, 2);
    cr_expect_eq(counts.misses, 2);
    cr_expect_eq(counts.count, 2);
    cr_expect_gt(counts.bytes, STAGE_BYTES);
    stage_cache_destroy(cache);
}

Test(stage_cache, the_least_recently_used_give_way_to_the_bound) {
    stage_cache *cache = stage_cache_create(CACHE_BYTES);
    for (unsigned i = 0; i < 6; i++) {
        keep(cache, i, STAGE_BYTES);
        cr_expect(has(cache, 0), "used after each");
        cr_expect_leq(stage_cache_counts(cache).bytes, CACHE_BYTES);
    }
    keep(cache, 6, STAGE_BYTES);
    cr_expect(has(cache, 0));
    cr_expect(!has(cache, 1), "the oldest");
    cr_expect(has(cache, 2));
    cr_expect(has(cache, 6));
    cr_expect_eq(stage_cache_counts(cache).count, 6);
    stage_cache_destroy(cache);
}

Test(stage_cache, a_stage_of_more_than_a_quarter_is_not_kept) {
    stage_cache *cache = stage_cache_create(CACHE_BYTES);
    keep(cache, 1, CACHE_BYTES / 4);
    cr_expect(!has(cache, 1));
    keep(cache, 2, CACHE_BYTES / 4 - 256);
    cr_expect(has(cache, 2));
    stage_cache_destroy(cache);
}

Test(stage_cache, a_reader_keeps_its_bytes_when_they_give_way) {
    stage_cache *cache = stage_cache_create(CACHE_BYTES);
    loam_stage stage, again;
    keep(cache, 0, STAGE_BYTES);
    cr_assert(find(cache, 0, &stage));
    cr_assert(find(cache, 0, &again));
    for (unsigned i = 1; i < 9; i++) {
        keep(cache, i, STAGE_BYTES);
    }
    cr_expect(!has(cache, 0));
    const char *bytes = stage.bytes;
    cr_expect_eq(bytes[0], 'a');
    cr_expect_eq(bytes[STAGE_BYTES - 1], 'a');
    release(cache, &stage);
    cr_expect_eq(bytes[STAGE_BYTES / 2], 'a', "one reader is left");
    release(cache, &again);
    stage_cache_destroy(cache);
}

Test(stage_cache, the_same_again_changes_nothing_and_other_bytes_take_its_place) {
    stage_cache *cache = stage_cache_create(CACHE_BYTES);
    keep(cache, 3, STAGE_BYTES);
    const stage_counts before = stage_cache_counts(cache);
    keep(cache, 3, STAGE_BYTES);
    const stage_counts after = stage_cache_counts(cache);
    cr_expect_eq(before.bytes, after.bytes);
    cr_expect_eq(after.count, 1);
    loam_stage stage;
    const loam_stages *stages = stage_cache_stages(cache);
    stages->keep(stages->context, key_of(3), (loam_text){"mended", 6});
    cr_assert(find(cache, 3, &stage));
    cr_expect_eq(stage.size, 6);
    cr_expect_arr_eq(stage.bytes, "mended", 6);
    release(cache, &stage);
    stage_cache_destroy(cache);
}

Test(stage_cache, many_stages_are_all_found_again) {
    stage_cache *cache = stage_cache_create(STAGE_CACHE_BYTES_MAX);
    const loam_stages *stages = stage_cache_stages(cache);
    for (uint32_t i = 0; i < 5000; i++) {
        stages->keep(stages->context, (loam_text){(const char *)&i, sizeof i},
                     (loam_text){(const char *)&i, sizeof i});
    }
    for (uint32_t i = 0; i < 5000; i++) {
        loam_stage stage;
        cr_assert(stages->find(stages->context, (loam_text){(const char *)&i, sizeof i}, &stage));
        cr_assert_arr_eq(stage.bytes, &i, sizeof i);
        stages->release(stages->context, &stage);
    }
    cr_expect_eq(stage_cache_counts(cache).count, 5000);
    stage_cache_destroy(cache);
}
