/* SPDX-License-Identifier: MIT
 *
 * point_order.c: see point_order.h. The order is a radix sort on (z, x), which a cell's points
 * nearly always settle, and a comparison of (y, id) where they do not.
 */
#include "core/points/point_order.h"

#include "core/base/index_sort.h"
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

static int name_compare(const void *context, uint32_t a, uint32_t b) {
    const loam_text *names = context;
    return loam_text_compare(names[a], names[b]);
}

/* The names that a column of indices uses, sorted; index_of[i] becomes the new index of name i. */
static loam_status sort_names(const int32_t *column, uint32_t count, point_names names,
                              loam_arena *arena, uint32_t *index_of, loam_text **sorted,
                              uint32_t *sorted_count) {
    uint32_t *order = loam_arena_take(arena, names.count + 1u, sizeof *order);
    bool *used = loam_arena_take_zero(arena, names.count + 1u, sizeof *used);
    LOAM_TRY_MEMORY(order, NULL);
    LOAM_TRY_MEMORY(used, NULL);
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (column[i] == ATTRIBUTE_MISSING || used[column[i]]) {
            continue;
        }
        used[column[i]] = true;
        order[found++] = (uint32_t)column[i];
    }
    size_t mark = loam_arena_mark(arena);
    uint32_t *spare = loam_arena_take(arena, found + 1u, sizeof *spare);
    LOAM_TRY_MEMORY(spare, NULL);
    index_sort(order, spare, found, name_compare, names.names);
    loam_arena_reset(arena, mark);
    *sorted = loam_arena_take(arena, found + 1u, sizeof **sorted);
    LOAM_TRY_MEMORY(*sorted, NULL);
    for (uint32_t i = 0; i < found; i++) {
        (*sorted)[i] = names.names[order[i]];
        index_of[order[i]] = i;
    }
    *sorted_count = found;
    return LOAM_OK;
}

/* The palette, and every point's index in it. A set of one asset needs no column to tell. */
static loam_status fill_assets(const point_set *set, const uint32_t *rows, point_names names,
                               uint32_t *index_of, loam_arena *arena, loam_points *points) {
    const int32_t one = (int32_t)set->asset_all;
    bool single = set->asset == NULL;
    uint32_t count = points->count;
    loam_text *palette;
    LOAM_TRY(sort_names(single ? &one : (const int32_t *)set->asset, single ? count > 0 : count,
                        names, arena, index_of, &palette, &points->palette_count));
    points->palette = palette;
    uint32_t *asset = COLUMN_TAKE(arena, count, uint32_t);
    LOAM_TRY_MEMORY(asset, NULL);
    for (uint32_t i = 0; i < count; i++) {
        asset[i] = index_of[single ? set->asset_all : set->asset[rows[i]]];
    }
    points->asset = asset;
    return LOAM_OK;
}

static loam_status fill_attribute(const point_set *set, const point_attribute *from,
                                  const uint32_t *rows, point_names names, uint32_t *index_of,
                                  loam_arena *arena, loam_attribute *to) {
    int32_t *values = COLUMN_TAKE(arena, set->count, int32_t);
    LOAM_TRY_MEMORY(values, NULL);
    *to = (loam_attribute){.name = from->name, .kind = from->kind, .values = values};
    bool texts = from->kind == LOAM_ATTRIBUTE_STRING;
    if (texts) {
        loam_text *sorted;
        LOAM_TRY(
            sort_names(from->values, set->count, names, arena, index_of, &sorted, &to->text_count));
        to->texts = sorted;
    }
    for (uint32_t i = 0; i < set->count; i++) {
        int32_t value = from->values[rows[i]];
        bool translated = texts && value != ATTRIBUTE_MISSING;
        values[i] = translated ? (int32_t)index_of[value] : value;
    }
    return LOAM_OK;
}

static loam_status fill_attributes(const point_set *set, const uint32_t *rows, point_names names,
                                   uint32_t *index_of, loam_arena *arena, loam_points *points) {
    loam_attribute *attributes =
        loam_arena_take(arena, set->attribute_count + 1u, sizeof *attributes);
    LOAM_TRY_MEMORY(attributes, NULL);
    for (uint32_t a = 0; a < set->attribute_count; a++) {
        LOAM_TRY(
            fill_attribute(set, &set->attributes[a], rows, names, index_of, arena, &attributes[a]));
    }
    points->attributes = attributes;
    points->attribute_count = set->attribute_count;
    return LOAM_OK;
}

static loam_status fill_columns(const point_set *set, const uint64_t *ids, const uint32_t *rows,
                                loam_arena *arena, loam_points *points) {
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
    if (set->scale_y != NULL) {
        RESULT_COLUMN(uint16_t, scale_y, set->scale_y[row]);
        RESULT_COLUMN(uint16_t, scale_z, set->scale_z[row]);
    }
    RESULT_COLUMN(uint32_t, density, OR_ELSE(density, set->density_all));
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
    points->count = count;
    LOAM_TRY(fill_columns(&inside, ids, rows, arena, points));
    LOAM_TRY(fill_assets(&inside, rows, names, index_of, arena, points));
    return fill_attributes(&inside, rows, names, index_of, arena, points);
}
