/* SPDX-License-Identifier: MIT
 *
 * test_index_sort.c: every order of few, many with ties, and how often they are compared.
 */
#include "core/base/index_sort.h"
#include "core/base/mix.h"

#include <criterion/criterion.h>

enum { MANY = 20000, LOG2_MANY = 15, FEW = 40 };

typedef struct keys {
    const uint32_t *of;
    uint64_t compared;
} keys;

static int compare(const void *context, uint32_t a, uint32_t b) {
    keys *sorted = (keys *)(uintptr_t)context;
    sorted->compared++;
    return sorted->of[a] < sorted->of[b] ? -1 : sorted->of[a] > sorted->of[b];
}

static void expect_sorted(const uint32_t *key, uint32_t count, uint64_t compared_max) {
    static uint32_t indices[MANY], spare[MANY];
    keys sorted = {key, 0};
    for (uint32_t i = 0; i < count; i++) {
        indices[i] = i;
    }
    index_sort(indices, spare, count, compare, &sorted);
    for (uint32_t i = 1; i < count; i++) {
        uint32_t a = indices[i - 1], b = indices[i];
        cr_assert(key[a] < key[b] || (key[a] == key[b] && a < b), "%u of %u", i, count);
    }
    cr_expect_leq(sorted.compared, compared_max, "%u", count);
}

Test(index_sort, counts_of_all_sizes_are_sorted_and_ties_keep_their_order) {
    uint32_t key[FEW];
    for (uint32_t count = 0; count <= FEW; count++) {
        for (uint64_t seed = 0; seed < 20; seed++) {
            for (uint32_t i = 0; i < count; i++) {
                key[i] = (uint32_t)(mix64(seed * FEW + i) % (1 + seed));
            }
            expect_sorted(key, count, UINT64_MAX);
        }
    }
}

/* What is sorted comes from clients: no order of it may be dear. */
Test(index_sort, compares_no_more_than_n_log_n_in_any_order) {
    static uint32_t key[MANY];
    for (int order = 0; order < 4; order++) {
        for (uint32_t i = 0; i < MANY; i++) {
            const uint32_t orders[] = {i, MANY - i, (uint32_t)mix64(i), i % 7};
            key[i] = orders[order];
        }
        expect_sorted(key, MANY, (uint64_t)MANY * LOG2_MANY);
    }
}
