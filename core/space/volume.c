/* SPDX-License-Identifier: MIT
 *
 * volume.c: how volumes are put together, and their extents.
 */
#include "core/space/volume.h"

#include "core/base/assert.h"
#include "core/base/try.h"

static volume_extent extent_of(int64_t low, int64_t high) {
    volume_extent extent;
    for (int axis = 0; axis < SPACE_AXES; axis++) {
        extent.low[axis] = low;
        extent.high[axis] = high;
    }
    return extent;
}

volume_extent extent_free(void) {
    return extent_of(END_FREE_LOW, END_FREE_HIGH);
}

volume_extent extent_empty(void) {
    return extent_of(INT64_MAX, INT64_MIN);
}

static int64_t lesser(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t greater(int64_t a, int64_t b) {
    return a > b ? a : b;
}

volume_extent extent_join(volume_kind kind, const volume_extent *a, const volume_extent *b) {
    volume_extent joined = *a;
    for (int axis = 0; axis < SPACE_AXES && kind != VOLUME_DIFFERENCE; axis++) {
        bool both = kind == VOLUME_UNION;
        joined.low[axis] =
            both ? lesser(a->low[axis], b->low[axis]) : greater(a->low[axis], b->low[axis]);
        joined.high[axis] =
            both ? greater(a->high[axis], b->high[axis]) : lesser(a->high[axis], b->high[axis]);
    }
    return joined;
}

const volume_extent *volume_extent_of(const volume *whole) {
    return &whole->parts[whole->part_count - 1].extent;
}

loam_status volume_of_part(const volume_part *part, loam_arena *arena, const volume **made) {
    volume_part *parts = loam_arena_take(arena, 1, sizeof *parts);
    volume *whole = loam_arena_take(arena, 1, sizeof *whole);
    LOAM_TRY_MEMORY(parts, NULL);
    LOAM_TRY_MEMORY(whole, NULL);
    *parts = *part;
    *whole = (volume){parts, 1};
    *made = whole;
    return LOAM_OK;
}

/* Where a part of this owner is among the first `count`; `count` when there is none. */
static uint32_t find_owner(const volume_part *parts, uint32_t count, const void *owner) {
    for (uint32_t i = 0; i < count; i++) {
        if (parts[i].owner == owner) {
            return i;
        }
    }
    return count;
}

/* Appends the parts of `from` that are not there yet; returns the place of its last part. */
static uint32_t append_parts(const volume *from, volume_part *parts, uint32_t *count) {
    uint32_t places[VOLUME_PARTS_MAX];
    for (uint32_t i = 0; i < from->part_count; i++) {
        volume_part part = from->parts[i];
        places[i] = find_owner(parts, *count, part.owner);
        if (places[i] == *count) {
            bool set = part.kind >= VOLUME_UNION;
            part.a = set ? places[part.a] : 0;
            part.b = set ? places[part.b] : 0;
            parts[(*count)++] = part;
        }
    }
    return places[from->part_count - 1];
}

loam_status volume_join(volume_kind kind, const void *owner, const volume *a, const volume *b,
                        loam_arena *arena, const volume **made) {
    LOAM_ASSERT(a->part_count < VOLUME_PARTS_MAX && b->part_count < VOLUME_PARTS_MAX);
    volume *whole = loam_arena_take(arena, 1, sizeof *whole);
    volume_part *parts = loam_arena_take(arena, a->part_count + b->part_count + 1u, sizeof *parts);
    LOAM_TRY_MEMORY(whole, NULL);
    LOAM_TRY_MEMORY(parts, NULL);
    uint32_t count = 0;
    volume_part joined = {.kind = kind, .owner = owner};
    joined.extent = extent_join(kind, volume_extent_of(a), volume_extent_of(b));
    joined.a = append_parts(a, parts, &count);
    joined.b = append_parts(b, parts, &count);
    parts[count++] = joined;
    *whole = (volume){parts, count};
    *made = whole;
    return LOAM_OK;
}
