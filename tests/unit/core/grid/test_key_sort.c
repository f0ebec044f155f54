/* SPDX-License-Identifier: MIT
 *
 * test_key_sort.c: keys come out in order, equal ones as they were.
 */
#include "core/base/mix.h"
#include "core/grid/key_sort.h"

#include <criterion/criterion.h>

static void expect_sorted(uint32_t count, uint64_t mask) {
    static keyed_index items[5000], spare[5000];
    for (uint32_t i = 0; i < count; i++) {
        items[i] = (keyed_index){mix64(i + 1) & mask, i};
    }
    key_sort(items, spare, count);
    for (uint32_t i = 1; i < count; i++) {
        cr_assert_leq(items[i - 1].key, items[i].key);
        cr_assert(items[i - 1].key < items[i].key || items[i - 1].index < items[i].index);
        cr_assert_eq(items[i].key, mix64(items[i].index + 1) & mask);
    }
}

Test(key_sort, few_and_many_keys_are_sorted_and_ties_keep_their_order) {
    static const uint32_t counts[] = {0, 1, 2, 47, 48, 49, 5000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        expect_sorted(counts[i], UINT64_MAX);
        expect_sorted(counts[i], 3);
        expect_sorted(counts[i], 0xff00000000000000u);
        expect_sorted(counts[i], 0xff00ff);
        expect_sorted(counts[i], 0);
    }
}
