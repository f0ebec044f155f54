/* SPDX-License-Identifier: MIT
 *
 * asset_summary.c: what an asset holds, in a few numbers, for whoever has just sent it: the first
 * sign that a scale, a row order or a unit was wrong.
 */
#include "api/wire/asset.h"

#include "core/space/areas.h"

enum { UNIT_BITS = 8, HEIGHT_BITS = 16, FINE_BITS = 24 };
_Static_assert(1 << UNIT_BITS == LOAM_UNITS_PER_METRE, "units in a metre");
_Static_assert(1 << HEIGHT_BITS == LOAM_HEIGHT_STEPS_PER_METRE, "height steps in a metre");
_Static_assert(1 << (FINE_BITS - UNIT_BITS) == LOAM_FINE_PER_UNIT, "fine steps in a unit");

static void summarise_field(const loam_heightfield *field, text_buffer *to) {
    int32_t low = field->samples[0];
    int32_t high = low;
    size_t count = (size_t)field->width * field->height;
    for (size_t i = 0; i < count; i++) {
        low = field->samples[i] < low ? field->samples[i] : low;
        high = field->samples[i] > high ? field->samples[i] : high;
    }
    buffer_key(to, "width");
    buffer_unsigned(to, field->width);
    buffer_key(to, "height");
    buffer_unsigned(to, field->height);
    buffer_key(to, "spacing_m");
    buffer_decimal(to, field->spacing_fine, FINE_BITS);
    buffer_key(to, "min_m");
    buffer_decimal(to, low, HEIGHT_BITS);
    buffer_key(to, "max_m");
    buffer_decimal(to, high, HEIGHT_BITS);
}

static void grow_bounds(const loam_ring *ring, loam_rect *bounds) {
    for (size_t i = 0; i < ring->count; i++) {
        int64_t x = ring->xz[2 * i];
        int64_t z = ring->xz[2 * i + 1];
        bounds->x0 = x < bounds->x0 ? x : bounds->x0;
        bounds->z0 = z < bounds->z0 ? z : bounds->z0;
        bounds->x1 = x > bounds->x1 ? x : bounds->x1;
        bounds->z1 = z > bounds->z1 ? z : bounds->z1;
    }
}

static void write_corner(text_buffer *to, const char *key, int64_t x, int64_t z) {
    buffer_key(to, key);
    buffer_open_array(to);
    buffer_decimal(to, x, UNIT_BITS);
    buffer_decimal(to, z, UNIT_BITS);
    buffer_close_array(to);
}

/* Null for areas without any. */
static void write_bounds(const loam_areas_source *source, text_buffer *to) {
    loam_rect bounds = {INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN};
    for (uint32_t i = 0; i < source->polygon_count; i++) {
        for (uint32_t j = 0; j < source->polygons[i].ring_count; j++) {
            grow_bounds(&source->polygons[i].rings[j], &bounds);
        }
    }
    buffer_key(to, "bounds_m");
    if (source->polygon_count == 0) {
        buffer_null(to);
        return;
    }
    buffer_open_object(to);
    write_corner(to, "min", bounds.x0, bounds.z0);
    write_corner(to, "max", bounds.x1, bounds.z1);
    buffer_close_object(to);
}

static void summarise_areas(const loam_areas *areas, text_buffer *to) {
    const loam_areas_source *source = areas_normal_form(areas);
    buffer_key(to, "features");
    buffer_unsigned(to, source->feature_count);
    buffer_key(to, "polygons");
    buffer_unsigned(to, source->polygon_count);
    buffer_key(to, "vertices");
    buffer_unsigned(to, areas_vertex_count(areas));
    write_bounds(source, to);
}

void asset_summary(const loam_asset *asset, text_buffer *summary) {
    buffer_open_object(summary);
    if (asset->kind == LOAM_PORT_HEIGHTFIELD) {
        summarise_field(asset->heightfield, summary);
    } else if (asset->kind == LOAM_PORT_AREAS) {
        summarise_areas(asset->areas, summary);
    }
    buffer_close_object(summary);
}
