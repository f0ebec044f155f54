/* SPDX-License-Identifier: MIT
 *
 * index_sort.c: see index_sort.h. Short runs by insertion, then merges from the bottom up.
 */
#include "core/base/index_sort.h"

#include <stdbool.h>
#include <string.h>

enum { SORT_RUN = 8 };

typedef struct sort_order {
    index_compare compare;
    const void *context;
} sort_order;

static void run_sort(uint32_t *indices, uint32_t count, const sort_order *order) {
    for (uint32_t i = 1; i < count; i++) {
        uint32_t item = indices[i];
        uint32_t at = i;
        while (at > 0 && order->compare(order->context, indices[at - 1], item) > 0) {
            indices[at] = indices[at - 1];
            at--;
        }
        indices[at] = item;
    }
}

/* Merges [0, middle) and [middle, count) of `from` into `to`. */
static void runs_merge(const uint32_t *from, uint32_t middle, uint32_t count, uint32_t *to,
                       const sort_order *order) {
    uint32_t left = 0;
    uint32_t right = middle;
    for (uint32_t i = 0; i < count; i++) {
        bool take_left =
            right == count ||
            (left < middle && order->compare(order->context, from[left], from[right]) <= 0);
        to[i] = take_left ? from[left++] : from[right++];
    }
}

void index_sort(uint32_t *indices, uint32_t *spare, uint32_t count, index_compare compare,
                const void *context) {
    sort_order order = {compare, context};
    for (uint64_t at = 0; at < count; at += SORT_RUN) {
        uint64_t left = count - at;
        run_sort(indices + at, (uint32_t)(left < SORT_RUN ? left : SORT_RUN), &order);
    }
    uint32_t *from = indices;
    uint32_t *to = spare;
    for (uint64_t run = SORT_RUN; run < count; run *= 2) {
        for (uint64_t at = 0; at < count; at += 2 * run) {
            uint64_t left = count - at;
            uint64_t middle = left < run ? left : run;
            uint64_t both = left < 2 * run ? left : 2 * run;
            runs_merge(from + at, (uint32_t)middle, (uint32_t)both, to + at, &order);
        }
        uint32_t *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != indices) {
        memcpy(indices, from, (size_t)count * sizeof *indices);
    }
}
