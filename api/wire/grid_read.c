/* SPDX-License-Identifier: MIT
 *
 * grid_read.c: see grid_read.h.
 */
#include "api/wire/grid_read.h"

#include "core/base/limits.h"
#include "core/base/try.h"

_Static_assert((int64_t)LOAM_UNITS_PER_METRE *CELL_SIZE_M_MAX <= RECT_SIDE_UNITS_MAX,
               "every cell is a legal rectangle");
_Static_assert(LOAM_UNITS_PER_METRE *BOUNDS_M_MAX <= POSITION_UNITS_MAX,
               "every bound is a legal position");

static loam_status read_level(const item *at, uint32_t *cell_size_m) {
    static const char *const fields[] = {"cell_size_m", NULL};
    LOAM_TRY(item_fields(at, fields));
    item size_item = item_field(at, "cell_size_m");
    int64_t size = 0;
    LOAM_TRY(item_integer(&size_item, 1, CELL_SIZE_M_MAX, &size));
    *cell_size_m = (uint32_t)size;
    return LOAM_OK;
}

static loam_status read_levels(const item *at, world *to) {
    LOAM_TRY(item_array(at, 1, LEVELS_MAX));
    to->level_count = (uint32_t)item_count(at);
    loam_status status = LOAM_OK;
    for (uint32_t i = 0; i < to->level_count; i++) {
        item level = item_at(at, i);
        loam_status one = read_level(&level, &to->cell_size_m[i]);
        status = status == LOAM_OK ? one : status;
    }
    return status;
}

loam_status pair_read(const item *at, int64_t max, int64_t pair[2]) {
    LOAM_TRY(item_array(at, 2, 2));
    for (uint32_t i = 0; i < 2; i++) {
        item number = item_at(at, i);
        LOAM_TRY(item_integer(&number, -max, max, &pair[i]));
    }
    return LOAM_OK;
}

/* Each bound must be a multiple of each cell size. */
static loam_status check_aligned(const item *at, const world *to, const int64_t corner[2]) {
    for (uint32_t axis = 0; axis < 2; axis++) {
        for (uint32_t level = 0; level < to->level_count; level++) {
            if (corner[axis] % (int64_t)to->cell_size_m[level] != 0) {
                item number = item_at(at, axis);
                return item_fail(&number, LOAM_BOUNDS_NOT_ALIGNED,
                                 "%lld is no multiple of the cell size %u of level %u",
                                 (long long)corner[axis], (unsigned)to->cell_size_m[level],
                                 (unsigned)level);
            }
        }
    }
    return LOAM_OK;
}

static loam_status read_bounds(const item *at, world *to) {
    static const char *const fields[] = {"min", "max", NULL};
    LOAM_TRY(item_fields(at, fields));
    item min = item_field(at, "min");
    item max = item_field(at, "max");
    LOAM_TRY(pair_read(&min, BOUNDS_M_MAX, to->min_m));
    LOAM_TRY(pair_read(&max, BOUNDS_M_MAX, to->max_m));
    for (uint32_t axis = 0; axis < 2; axis++) {
        if (to->min_m[axis] >= to->max_m[axis]) {
            item number = item_at(&max, axis);
            return item_fail(&number, LOAM_OUT_OF_RANGE, "max must be greater than min");
        }
    }
    LOAM_TRY(check_aligned(&min, to, to->min_m));
    return check_aligned(&max, to, to->max_m);
}

loam_status grid_read(const item *at, world *to) {
    static const char *const fields[] = {"levels", "bounds_m", NULL};
    LOAM_TRY(item_object(at));
    item_fields(at, fields);
    item levels = item_field(at, "levels");
    item bounds = item_field(at, "bounds_m");
    LOAM_TRY(read_levels(&levels, to));
    if (item_present(&bounds)) {
        LOAM_TRY(read_bounds(&bounds, to));
        to->bounded = true;
    }
    return LOAM_OK;
}
