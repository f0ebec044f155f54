/* SPDX-License-Identifier: MIT
 *
 * sites_key.c: what a rectangle sees of given points, as bytes of a build key: their places, and
 * for those who take the points themselves also what they bring. Which properties there are, and of
 * which kind, is seen from everywhere: it decides a column for every cell.
 */
#include "core/base/try.h"
#include "core/space/sites_parts.h"

/* Numbers rise, so equal places stand side by side. */
static uint32_t places_thin(const loam_site *sites, uint32_t *numbers, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const loam_site *site = &sites[numbers[i]];
        const loam_site *last = kept > 0 ? &sites[numbers[kept - 1]] : NULL;
        if (last == NULL || last->x != site->x || last->z != site->z) {
            numbers[kept++] = numbers[i];
        }
    }
    return kept;
}

static void value_write(byte_writer *writer, const loam_attribute *property, uint32_t site) {
    int32_t value = property->values[site];
    bool there = value != LOAM_MISSING;
    write_u8(writer, there);
    if (there && property->kind == LOAM_ATTRIBUTE_STRING) {
        write_text(writer, property->texts[value]);
    } else if (there) {
        write_i32(writer, value);
    }
}

static void site_write(byte_writer *writer, const loam_sites_source *normal, uint32_t number,
                       sites_what what) {
    const loam_site *site = &normal->sites[number];
    write_i64(writer, site->x);
    write_i64(writer, site->z);
    if (what == SITES_PLACES) {
        return;
    }
    write_i32(writer, site->y);
    write_u64(writer, site->key);
    for (uint32_t i = 0; i < normal->property_count; i++) {
        value_write(writer, &normal->properties[i], number);
    }
}

static void properties_write(byte_writer *writer, const loam_sites_source *normal) {
    write_u32(writer, normal->property_count);
    for (uint32_t i = 0; i < normal->property_count; i++) {
        write_text(writer, normal->properties[i].name);
        write_u8(writer, (uint8_t)normal->properties[i].kind);
    }
}

loam_status sites_key_write(byte_writer *writer, const loam_sites *sites, loam_rect rect,
                            int64_t reach_units, sites_what what, loam_arena *scratch) {
    size_t mark = loam_arena_mark(scratch);
    uint32_t *numbers;
    uint32_t count;
    loam_status status = sites_collect(sites, rect, reach_units, scratch, &numbers, &count);
    if (status == LOAM_OK) {
        if (what == SITES_ALL) {
            properties_write(writer, &sites->normal);
        } else {
            count = places_thin(sites->normal.sites, numbers, count);
        }
        write_u32(writer, count);
        for (uint32_t i = 0; i < count; i++) {
            site_write(writer, &sites->normal, numbers[i], what);
        }
    }
    loam_arena_reset(scratch, mark);
    return status;
}
