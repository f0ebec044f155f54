/* SPDX-License-Identifier: MIT
 *
 * prune_order.c: points in order of priority: rank, then a draw of the point's own, then (b, a) as
 * signed numbers, then id, the largest first. Radix passes over draw and rank; the rest decides
 * between the few that are equal in both.
 */
#include "core/base/index_sort.h"
#include "core/base/mix.h"
#include "core/base/try.h"
#include "core/ops/prune_grid.h"

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

/* Rows to sort: a key above the row. */
typedef struct order_items {
    uint64_t *items, *spare;
    uint32_t count;
} order_items;

/* One stable pass over the keys' digit at `shift`; none when all are in one. */
static void sort_digit(order_items *order, uint32_t shift) {
    uint32_t start[DIGITS] = {0};
    for (uint32_t i = 0; i < order->count; i++) {
        start[order->items[i] >> shift & (DIGITS - 1)]++;
    }
    if (start[order->items[0] >> shift & (DIGITS - 1)] == order->count) {
        return;
    }
    uint32_t sum = 0;
    for (uint32_t digit = 0; digit < DIGITS; digit++) {
        uint32_t size = start[digit];
        start[digit] = sum;
        sum += size;
    }
    for (uint32_t i = 0; i < order->count; i++) {
        order->spare[start[order->items[i] >> shift & (DIGITS - 1)]++] = order->items[i];
    }
    uint64_t *swap = order->items;
    order->items = order->spare;
    order->spare = swap;
}

static void sort_keys(order_items *order) {
    for (uint32_t shift = 32; shift < 64; shift += DIGIT_BITS) {
        sort_digit(order, shift);
    }
}

static uint64_t id_of(const point_set *set, uint32_t row) {
    return set->id != NULL ? set->id[row] : mix_id(set->id_key, set->a[row], set->b[row]);
}

static int compare_signed(int32_t a, int32_t b) {
    return (a < b) - (a > b);
}

/* Equal ids are points that should not be: their places keep even those from depending on rows. */
static int compare_ties(const void *context, uint32_t row, uint32_t other) {
    const point_set *set = context;
    uint64_t id = id_of(set, row), other_id = id_of(set, other);
    int order = compare_signed((int32_t)set->b[row], (int32_t)set->b[other]);
    order = order != 0 ? order : compare_signed((int32_t)set->a[row], (int32_t)set->a[other]);
    order = order != 0 ? order : (id < other_id) - (id > other_id);
    order = order != 0 ? order : compare_signed(set->z[row], set->z[other]);
    return order != 0 ? order : compare_signed(set->x[row], set->x[other]);
}

/* Draws of the rows, the largest as the smallest key. */
static void draw_keys(const point_set *set, const prune_rule *rule, uint32_t *draws) {
    uint64_t row_key = 0;
    uint32_t b = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        if (i == 0 || set->b[i] != b) {
            b = set->b[i];
            row_key = draw_row_key(rule->priority_key, b);
        }
        draws[i] = ~priority_of(draw_bits(row_key, set->a[i]));
    }
}

static void sort_ties(const point_set *set, const prune_rule *rule, const uint32_t *draws,
                      uint32_t *spare, uint32_t *rows) {
    for (uint32_t i = 0, end; i < set->count; i = end) {
        uint32_t rank = rule->rank == NULL ? 0 : rule->rank[rows[i]];
        for (end = i + 1; end < set->count && draws[rows[end]] == draws[rows[i]]; end++) {
            if (rule->rank != NULL && rule->rank[rows[end]] != rank) {
                break;
            }
        }
        if (end - i > 1) {
            index_sort(rows + i, spare, end - i, compare_ties, set);
        }
    }
}

static void begin_items(const uint32_t *keys, order_items *sorted) {
    for (uint32_t i = 0; i < sorted->count; i++) {
        sorted->items[i] = (uint64_t)keys[i] << 32 | i;
    }
}

/* What is in order by draw gets ranks for keys. */
static void change_keys(const uint32_t *rank, order_items *sorted) {
    for (uint32_t i = 0; i < sorted->count; i++) {
        uint32_t row = (uint32_t)sorted->items[i];
        sorted->items[i] = (uint64_t)~rank[row] << 32 | row;
    }
}

loam_status prune_order(node_call *call, const point_set *set, const prune_rule *rule,
                        const uint32_t *place, uint32_t **order) {
    order_items sorted = {COLUMN_TAKE(call->arena, set->count, uint64_t),
                          COLUMN_TAKE(call->arena, set->count, uint64_t), set->count};
    uint32_t *draws = COLUMN_TAKE(call->arena, set->count, uint32_t);
    *order = COLUMN_TAKE(call->arena, set->count, uint32_t);
    LOAM_TRY_MEMORY(sorted.items, call->error);
    LOAM_TRY_MEMORY(sorted.spare, call->error);
    LOAM_TRY_MEMORY(draws, call->error);
    LOAM_TRY_MEMORY(*order, call->error);
    draw_keys(set, rule, draws);
    begin_items(draws, &sorted);
    sort_keys(&sorted);
    if (rule->rank != NULL) {
        change_keys(rule->rank, &sorted);
        sort_keys(&sorted);
    }
    for (uint32_t i = 0; i < set->count; i++) {
        (*order)[i] = (uint32_t)sorted.items[i];
    }
    sort_ties(set, rule, draws, (uint32_t *)sorted.spare, *order);
    for (uint32_t i = 0; i < set->count; i++) {
        (*order)[i] = place[(*order)[i]];
    }
    return LOAM_OK;
}
