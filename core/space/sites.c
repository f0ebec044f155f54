/* SPDX-License-Identifier: MIT
 *
 * sites.c: from given points as they come to loam_sites: checked, brought into normal form,
 * indexed by rows of z.
 */
#include "core/space/sites.h"

#include "core/base/decimal.h"
#include "core/base/index_sort.h"
#include "core/base/try.h"
#include "core/space/sites_parts.h"

#include <stdio.h>
#include <string.h>

enum { FEATURE_POINTER_BYTES = 32, UNIT_BITS = 8 };

const loam_sites_source *loam_sites_normal_form(const loam_sites *sites) {
    return &sites->normal;
}

static bool is_in_range(int64_t value, int64_t most) {
    return value >= -most && value <= most;
}

static loam_status site_check(const loam_site *site, loam_error *error) {
    if (is_in_range(site->x, POSITION_UNITS_MAX) && is_in_range(site->z, POSITION_UNITS_MAX) &&
        is_in_range(site->y, SITE_Y_UNITS_MAX)) {
        return LOAM_OK;
    }
    char pointer[FEATURE_POINTER_BYTES];
    char x[DECIMAL_BYTES_MAX], y[DECIMAL_BYTES_MAX], z[DECIMAL_BYTES_MAX];
    snprintf(pointer, sizeof pointer, "/features/%u", (unsigned)site->feature);
    decimal_print(x, sizeof x, site->x, UNIT_BITS);
    decimal_print(y, sizeof y, site->y, UNIT_BITS);
    decimal_print(z, sizeof z, site->z, UNIT_BITS);
    return loam_fail(error, LOAM_COORDINATE_RANGE, pointer,
                     "a point is out of range at x %s m, y %s m, z %s m", x, y, z);
}

static loam_status source_check(const loam_sites_source *source, loam_error *error) {
    if (source->count > AREA_VERTICES_MAX) {
        return loam_fail(error, LOAM_TOO_MANY, "/features", "%u points, at most %u", source->count,
                         AREA_VERTICES_MAX);
    }
    for (uint32_t i = 0; i < source->count; i++) {
        LOAM_TRY(site_check(&source->sites[i], error));
    }
    return site_properties_check(source, error);
}

/* The chosen points and their values, in order. */
static loam_status sites_write(const site_list *list, const uint32_t *order, uint32_t count,
                               loam_site *sites, loam_attribute *properties, loam_arena *scratch) {
    int32_t *values = loam_arena_take(scratch, count, sizeof *values);
    LOAM_TRY_MEMORY(values, NULL);
    for (uint32_t i = 0; i < count; i++) {
        sites[i] = list->sites[order[i]];
        sites[i].feature = i;
    }
    for (uint32_t p = 0; p < list->property_count; p++) {
        for (uint32_t i = 0; i < count; i++) {
            values[i] = properties[p].values[order[i]];
        }
        memcpy((int32_t *)properties[p].values, values, count * sizeof *values);
    }
    return LOAM_OK;
}

static loam_status normal_make(const loam_sites_source *source, bool settled, loam_arena *arena,
                               loam_sites *made, loam_error *error) {
    loam_site *sites = loam_arena_take(arena, source->count, sizeof *sites);
    loam_attribute *properties;
    uint32_t property_count = 0;
    LOAM_TRY_MEMORY(sites, error);
    LOAM_TRY(site_properties_make(source, arena, &properties, &property_count, error));
    size_t mark = loam_arena_mark(arena);
    site_list list = {.sites = loam_arena_take(arena, source->count, sizeof *sites),
                      .properties = properties,
                      .property_count = property_count};
    uint32_t *order = loam_arena_take(arena, source->count, sizeof *order);
    uint32_t count = 0;
    LOAM_TRY_MEMORY(list.sites, error);
    LOAM_TRY_MEMORY(order, error);
    for (uint32_t i = 0; i < source->count; i++) {
        list.sites[i] = source->sites[i];
    }
    LOAM_TRY(sites_order(&list, source->count, settled, order, &count, arena));
    LOAM_TRY(sites_write(&list, order, count, sites, properties, arena));
    loam_arena_reset(arena, mark);
    made->normal = (loam_sites_source){sites, count, properties, property_count};
    return LOAM_OK;
}

/* ---- Index --------------------------------------------------------------------------------- */

static int row_compare(const void *context, uint32_t a, uint32_t b) {
    const loam_sites *sites = context;
    const loam_site *sa = &sites->normal.sites[a];
    const loam_site *sb = &sites->normal.sites[b];
    int64_t row_a = sa->z >> sites->row_shift, row_b = sb->z >> sites->row_shift;
    if (row_a != row_b) {
        return row_a < row_b ? -1 : 1;
    }
    return (sa->x > sb->x) - (sa->x < sb->x);
}

/* Points stand in order of z, so the first and the last span all rows. */
static loam_status index_make(loam_sites *sites, loam_arena *arena) {
    uint32_t count = sites->normal.count;
    uint32_t *order = loam_arena_take(arena, count, sizeof *order);
    size_t mark = loam_arena_mark(arena);
    uint32_t *spare = loam_arena_take(arena, count, sizeof *spare);
    LOAM_TRY_MEMORY(order, NULL);
    LOAM_TRY_MEMORY(spare, NULL);
    int64_t low = count > 0 ? sites->normal.sites[0].z : 0;
    int64_t high = count > 0 ? sites->normal.sites[count - 1].z : 0;
    while ((high >> sites->row_shift) - (low >> sites->row_shift) >= SITE_ROWS_MAX) {
        sites->row_shift++;
    }
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
    }
    index_sort(order, spare, count, row_compare, sites);
    loam_arena_reset(arena, mark);
    sites->order = order;
    return LOAM_OK;
}

static loam_status sites_make(const loam_sites_source *source, bool settled, loam_arena *arena,
                              loam_sites *made, loam_error *error) {
    LOAM_TRY(normal_make(source, settled, arena, made, error));
    return index_make(made, arena);
}

static loam_status sites_build(const loam_sites_source *source, bool settled, loam_arena *arena,
                               const loam_sites **sites, loam_error *error) {
    size_t mark = loam_arena_mark(arena);
    LOAM_TRY(source_check(source, error));
    loam_sites *made = loam_arena_take_zero(arena, 1, sizeof *made);
    LOAM_TRY_MEMORY(made, error);
    loam_status status = sites_make(source, settled, arena, made, error);
    if (status != LOAM_OK) {
        loam_arena_reset(arena, mark);
        return loam_fail(error, status, NULL, "%s", loam_status_text(status));
    }
    *sites = made;
    return LOAM_OK;
}

loam_status loam_sites_build(const loam_sites_source *source, loam_arena *arena,
                             const loam_sites **sites, loam_error *error) {
    return sites_build(source, false, arena, sites, error);
}

loam_status sites_restore(const loam_sites_source *source, loam_arena *arena,
                          const loam_sites **sites, loam_error *error) {
    return sites_build(source, true, arena, sites, error);
}
