/* SPDX-License-Identifier: MIT
 *
 * point_set.c: choosing, gathering and counting rows of a point set.
 */
#include "core/points/point_set.h"

#include "core/base/mix.h"
#include "core/base/try.h"

/* A rectangle relative to a set's base, cut to what an int32 column can hold. */
typedef struct row_window {
    int32_t x0, z0, x1, z1;
} row_window;

static int32_t clip(int64_t value) {
    return (int32_t)(value < 0 ? 0 : value > INT32_MAX ? INT32_MAX : value);
}

static row_window window_of(const point_set *set, loam_rect rect) {
    return (row_window){clip(rect.x0 - set->base_x), clip(rect.z0 - set->base_z),
                        clip(rect.x1 - set->base_x), clip(rect.z1 - set->base_z)};
}

static inline uint32_t is_inside(row_window window, int32_t x, int32_t z) {
    return (uint32_t)((x >= window.x0) & (x < window.x1) & (z >= window.z0) & (z < window.z1));
}

loam_status point_set_select(const point_set *set, loam_rect rect, loam_arena *arena,
                             uint32_t **rows, uint32_t *count) {
    uint32_t *chosen = COLUMN_TAKE(arena, set->count + 1, uint32_t);
    LOAM_TRY_MEMORY(chosen, NULL);
    row_window window = window_of(set, rect);
    uint32_t found = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        chosen[found] = i;
        uint32_t live = set->live == NULL ? 1u : set->live[i] & 1u;
        found += live & is_inside(window, set->x[i], set->z[i]);
    }
    *rows = chosen;
    *count = found;
    return LOAM_OK;
}

/* Marks are few: first their rows, then which of those lie inside. */
loam_status point_set_select_marked(const point_set *set, const uint8_t *marks, loam_rect rect,
                                    loam_arena *arena, uint32_t **rows, uint32_t *count) {
    uint32_t *chosen = COLUMN_TAKE(arena, set->count + 1, uint32_t);
    LOAM_TRY_MEMORY(chosen, NULL);
    uint32_t marked = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        chosen[marked] = i;
        marked += marks[i];
    }
    row_window window = window_of(set, rect);
    uint32_t found = 0;
    for (uint32_t k = 0; k < marked; k++) {
        uint32_t row = chosen[k];
        chosen[found] = row;
        found += is_inside(window, set->x[row], set->z[row]);
    }
    *rows = chosen;
    *count = found;
    return LOAM_OK;
}

/* Copies column[rows[i]]; a NULL column stays NULL. */
#define GATHER(type, column)                                                                       \
    do {                                                                                           \
        if (set->column != NULL) {                                                                 \
            type *gathered = COLUMN_TAKE(arena, count, type);                                      \
            LOAM_TRY_MEMORY(gathered, NULL);                                                       \
            const type *restrict from = set->column;                                               \
            for (uint32_t i = 0; i < count; i++) {                                                 \
                gathered[i] = from[rows[i]];                                                       \
            }                                                                                      \
            compact->column = gathered;                                                            \
        }                                                                                          \
    } while (0)

/* Writes out the sites that a lattice implies. */
static loam_status gather_sites(const point_set *set, const uint32_t *rows, uint32_t count,
                                loam_arena *arena, point_set *compact) {
    uint32_t *a = COLUMN_TAKE(arena, count, uint32_t);
    uint32_t *b = COLUMN_TAKE(arena, count, uint32_t);
    LOAM_TRY_MEMORY(a, NULL);
    LOAM_TRY_MEMORY(b, NULL);
    const site_lattice *lattice = set->lattice;
    uint32_t start = 0, site_z = (uint32_t)lattice->site_z;
    for (uint32_t i = 0; i < count; i++) {
        while (rows[i] - start >= lattice->stride) {
            start += lattice->stride;
            site_z++;
        }
        a[i] = (uint32_t)lattice->site_x + (rows[i] - start);
        b[i] = site_z;
    }
    compact->a = a;
    compact->b = b;
    return LOAM_OK;
}

static loam_status gather_attributes(const point_set *set, const uint32_t *rows, uint32_t count,
                                     loam_arena *arena, point_set *compact) {
    if (set->attribute_count == 0) {
        return LOAM_OK;
    }
    point_attribute *attributes = loam_arena_take(arena, set->attribute_count, sizeof *attributes);
    LOAM_TRY_MEMORY(attributes, NULL);
    for (uint32_t a = 0; a < set->attribute_count; a++) {
        int32_t *values = COLUMN_TAKE(arena, count, int32_t);
        LOAM_TRY_MEMORY(values, NULL);
        for (uint32_t i = 0; i < count; i++) {
            values[i] = set->attributes[a].values[rows[i]];
        }
        attributes[a] = set->attributes[a];
        attributes[a].values = values;
    }
    compact->attributes = attributes;
    return LOAM_OK;
}

loam_status point_set_gather(const point_set *set, const uint32_t *rows, uint32_t count,
                             loam_arena *arena, point_set *compact) {
    *compact = *set;
    compact->count = count;
    compact->live = NULL;
    compact->lattice = NULL;
    GATHER(int32_t, x);
    GATHER(int32_t, z);
    GATHER(int32_t, y);
    GATHER(int32_t, gradient_x);
    GATHER(int32_t, gradient_z);
    GATHER(uint32_t, density);
    GATHER(uint64_t, id);
    GATHER(uint16_t, yaw);
    GATHER(int16_t, pitch);
    GATHER(int16_t, roll);
    GATHER(uint16_t, scale);
    GATHER(uint16_t, scale_y);
    GATHER(uint16_t, scale_z);
    GATHER(uint32_t, asset);
    GATHER(int32_t, station);
    GATHER(int32_t, offset);
    LOAM_TRY(gather_attributes(set, rows, count, arena, compact));
    if (set->a == NULL) {
        return gather_sites(set, rows, count, arena, compact);
    }
    GATHER(uint32_t, a);
    GATHER(uint32_t, b);
    return LOAM_OK;
}

loam_status point_set_compact(const point_set *set, loam_arena *arena, point_set *compact) {
    if (set->lattice == NULL && set->live == NULL) {
        *compact = *set;
        return LOAM_OK;
    }
    const loam_rect everything = {set->base_x, set->base_z, set->base_x + INT32_MAX,
                                  set->base_z + INT32_MAX};
    uint32_t *rows;
    uint32_t count;
    LOAM_TRY(point_set_select(set, everything, arena, &rows, &count));
    return point_set_gather(set, rows, count, arena, compact);
}

loam_status point_set_ids(const point_set *compact, loam_arena *arena, const uint64_t **ids) {
    if (compact->id != NULL) {
        *ids = compact->id;
        return LOAM_OK;
    }
    uint64_t *made = COLUMN_TAKE(arena, compact->count, uint64_t);
    LOAM_TRY_MEMORY(made, NULL);
    for (uint32_t i = 0; i < compact->count; i++) {
        made[i] = mix_id(compact->id_key, compact->a[i], compact->b[i]);
    }
    *ids = made;
    return LOAM_OK;
}

static void tally_bounds(point_tally *tally, int64_t x, int64_t y, int64_t z) {
    const int64_t place[3] = {x, y, z};
    for (int axis = 0; axis < 3; axis++) {
        bool first = tally->inside == 1;
        if (first || place[axis] < tally->bounds[axis]) {
            tally->bounds[axis] = place[axis];
        }
        if (first || place[axis] > tally->bounds[axis + 3]) {
            tally->bounds[axis + 3] = place[axis];
        }
    }
}

point_tally point_set_tally(const point_set *set, loam_rect rect) {
    point_tally tally = {0};
    row_window window = window_of(set, rect);
    for (uint32_t i = 0; i < set->count; i++) {
        if (set->live != NULL && set->live[i] == 0) {
            continue;
        }
        tally.live++;
        if (is_inside(window, set->x[i], set->z[i])) {
            tally.inside++;
            tally.density_sum += set->density == NULL ? set->density_all : set->density[i];
            tally_bounds(&tally, set->base_x + set->x[i], set->y[i], set->base_z + set->z[i]);
        }
    }
    return tally;
}
