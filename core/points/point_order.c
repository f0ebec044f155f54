/* SPDX-License-Identifier: MIT
 *
 * point_order.c: see point_order.h. The order is a radix sort on (z, x), which a cell's points
 * nearly always settle, and a comparison of (y, id) where they do not.
 */
#include "core/points/point_order.h"

#include "core/base/try.h"

/* Bits of a digit: three passes cover the 32 bits of a 256 m cell. */
enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

/* A place in the order, and the row that goes there. */
typedef struct sort_item {
    uint64_t key; /* z, then x */
    uint32_t row;
} sort_item;

static unsigned bits_of(uint64_t value) {
    unsigned bits = 0;
    while (value != 0) {
        bits++;
        value >>= 1;
    }
    return bits;
}

/* Least significant digit first; returns where the sorted items ended up. */
static sort_item *radix_sort(sort_item *items, sort_item *spare, uint32_t count, unsigned bits) {
    for (unsigned shift = 0; shift < bits; shift += DIGIT_BITS) {
        uint32_t start[DIGITS] = {0};
        for (uint32_t i = 0; i < count; i++) {
            start[items[i].key >> shift & (DIGITS - 1)]++;
        }
        uint32_t sum = 0;
        for (uint32_t digit = 0; digit < DIGITS; digit++) {
            uint32_t size = start[digit];
            start[digit] = sum;
            sum += size;
        }
        for (uint32_t i = 0; i < count; i++) {
            spare[start[items[i].key >> shift & (DIGITS - 1)]++] = items[i];
        }
        sort_item *swap = items;
        items = spare;
        spare = swap;
    }
    return items;
}

static bool comes_before(const point_set *set, const uint64_t *ids, uint32_t a, uint32_t b) {
    return set->y[a] != set->y[b] ? set->y[a] < set->y[b] : ids[a] < ids[b];
}

/* Sorts every run of equal places by (y, id). Runs are short but for hostile graphs, where a heap
 * keeps the cost n log n. */
static void sift(const point_set *set, const uint64_t *ids, sort_item *run, uint32_t at,
                 uint32_t count) {
    for (uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && comes_before(set, ids, run[child].row, run[child + 1].row)) {
            child++;
        }
        if (!comes_before(set, ids, run[at].row, run[child].row)) {
            return;
        }
        sort_item swap = run[at];
        run[at] = run[child];
        run[child] = swap;
        at = child;
    }
}

static void sort_run(const point_set *set, const uint64_t *ids, sort_item *run, uint32_t count) {
    for (uint32_t i = count / 2; i-- > 0;) {
        sift(set, ids, run, i, count);
    }
    for (uint32_t end = count; end-- > 1;) {
        sort_item swap = run[0];
        run[0] = run[end];
        run[end] = swap;
        sift(set, ids, run, 0, end);
    }
}

static void sort_ties(const point_set *set, const uint64_t *ids, sort_item *items, uint32_t count) {
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && items[end].key == items[i].key;) {
            end++;
        }
        if (end - i > 1) {
            sort_run(set, ids, items + i, end - i);
        }
    }
}

/* Rows of a compact set in canonical order. */
static loam_status order_rows(const point_set *set, loam_rect rect, const uint64_t *ids,
                              loam_arena *arena, uint32_t *rows) {
    sort_item *items = loam_arena_take(arena, set->count + 1u, sizeof *items);
    sort_item *spare = loam_arena_take(arena, set->count + 1u, sizeof *spare);
    LOAM_TRY_MEMORY(items, NULL);
    LOAM_TRY_MEMORY(spare, NULL);
    int64_t shift_x = set->base_x - rect.x0, shift_z = set->base_z - rect.z0;
    unsigned bits_x = bits_of((uint64_t)(rect.x1 - rect.x0 - 1));
    unsigned bits_z = bits_of((uint64_t)(rect.z1 - rect.z0 - 1));
    for (uint32_t i = 0; i < set->count; i++) {
        uint64_t x = (uint64_t)(set->x[i] + shift_x), z = (uint64_t)(set->z[i] + shift_z);
        items[i] = (sort_item){z << bits_x | x, i};
    }
    items = radix_sort(items, spare, set->count, bits_x + bits_z);
    sort_ties(set, ids, items, set->count);
    for (uint32_t i = 0; i < set->count; i++) {
        rows[i] = items[i].row;
    }
    return LOAM_OK;
}

/* A column of the result: gathered, or filled with one value. */
#define RESULT_COLUMN(type, column, expression)                                                    \
    do {                                                                                           \
        type *made = COLUMN_TAKE(arena, count, type);                                              \
        LOAM_TRY_MEMORY(made, NULL);                                                               \
        for (uint32_t i = 0; i < count; i++) {                                                     \
            const uint32_t row = rows[i];                                                          \
            (void)row;                                                                             \
            made[i] = (type)(expression);                                                          \
        }                                                                                          \
        points->column = made;                                                                     \
    } while (0)

#define OR_ELSE(column, absent) (set->column != NULL ? set->column[row] : (absent))

/* The names that are used, sorted, and the palette index of each name. */
static loam_status make_palette(const point_set *set, point_names names, loam_arena *arena,
                                uint32_t *index_of, loam_points *points) {
    loam_text *palette = loam_arena_take(arena, names.count + 1u, sizeof *palette);
    bool *used = loam_arena_take_zero(arena, names.count + 1u, sizeof *used);
    LOAM_TRY_MEMORY(palette, NULL);
    LOAM_TRY_MEMORY(used, NULL);
    for (uint32_t i = 0; i < set->count; i++) {
        used[set->asset != NULL ? set->asset[i] : set->asset_all] = true;
    }
    uint32_t count = 0;
    for (uint32_t n = 0; n < names.count; n++) {
        if (!used[n]) {
            continue;
        }
        uint32_t at = count++;
        while (at > 0 && loam_text_compare(names.names[n], palette[at - 1]) < 0) {
            palette[at] = palette[at - 1];
            at--;
        }
        palette[at] = names.names[n];
    }
    for (uint32_t n = 0; n < names.count; n++) {
        for (uint32_t p = 0; p < count; p++) {
            if (loam_text_equal(names.names[n], palette[p])) {
                index_of[n] = p;
            }
        }
    }
    points->palette = palette;
    points->palette_count = count;
    return LOAM_OK;
}

static loam_status fill_columns(const point_set *set, const uint64_t *ids, const uint32_t *rows,
                                const uint32_t *index_of, loam_arena *arena, loam_points *points) {
    uint32_t count = points->count;
    int64_t shift_x = set->base_x - points->rect.x0, shift_z = set->base_z - points->rect.z0;
    RESULT_COLUMN(uint64_t, id, ids[row]);
    RESULT_COLUMN(int32_t, x, set->x[row] + shift_x);
    RESULT_COLUMN(int32_t, y, set->y[row]);
    RESULT_COLUMN(int32_t, z, set->z[row] + shift_z);
    RESULT_COLUMN(uint16_t, yaw, OR_ELSE(yaw, 0));
    RESULT_COLUMN(int16_t, pitch, OR_ELSE(pitch, 0));
    RESULT_COLUMN(int16_t, roll, OR_ELSE(roll, 0));
    RESULT_COLUMN(uint16_t, scale_x, OR_ELSE(scale, LOAM_SCALE_ONE));
    points->scale_y = points->scale_x;
    points->scale_z = points->scale_x;
    RESULT_COLUMN(uint32_t, density, OR_ELSE(density, set->density_all));
    RESULT_COLUMN(uint32_t, asset, index_of[OR_ELSE(asset, set->asset_all)]);
    return LOAM_OK;
}

loam_status points_of_cell(const point_set *set, loam_rect rect, point_names names,
                           loam_arena *arena, loam_points *points) {
    uint32_t *rows;
    uint32_t count;
    point_set inside;
    const uint64_t *ids;
    *points = (loam_points){.rect = rect};
    LOAM_TRY(point_set_select(set, rect, arena, &rows, &count));
    if (count == set->count && set->lattice == NULL) {
        inside = *set;
        inside.live = NULL;
    } else {
        LOAM_TRY(point_set_gather(set, rows, count, arena, &inside));
    }
    LOAM_TRY(point_set_ids(&inside, arena, &ids));
    LOAM_TRY(order_rows(&inside, rect, ids, arena, rows));
    uint32_t *index_of = loam_arena_take_zero(arena, names.count + 1u, sizeof *index_of);
    LOAM_TRY_MEMORY(index_of, NULL);
    LOAM_TRY(make_palette(&inside, names, arena, index_of, points));
    points->count = count;
    return fill_columns(&inside, ids, rows, index_of, arena, points);
}
