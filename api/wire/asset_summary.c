/* SPDX-License-Identifier: MIT
 *
 * asset_summary.c: what an asset holds, in a few numbers, for whoever has just sent it: the first
 * sign that a scale, a row order or a unit was wrong.
 */
#include "api/wire/asset.h"

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

static const loam_rect no_bounds = {INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN};

static void grow_bounds(int64_t x, int64_t z, loam_rect *bounds) {
    bounds->x0 = x < bounds->x0 ? x : bounds->x0;
    bounds->z0 = z < bounds->z0 ? z : bounds->z0;
    bounds->x1 = x > bounds->x1 ? x : bounds->x1;
    bounds->z1 = z > bounds->z1 ? z : bounds->z1;
}

/* Null where there is nothing. */
static void write_bounds(const loam_rect *bounds, text_buffer *to) {
    buffer_key(to, "bounds_m");
    if (bounds->x0 > bounds->x1) {
        buffer_null(to);
        return;
    }
    buffer_open_object(to);
    buffer_field_place(to, "min", (const int64_t[]){bounds->x0, bounds->z0}, 2);
    buffer_field_place(to, "max", (const int64_t[]){bounds->x1, bounds->z1}, 2);
    buffer_close_object(to);
}

static loam_rect bounds_of_areas(const loam_areas_source *source) {
    loam_rect bounds = no_bounds;
    for (uint32_t i = 0; i < source->polygon_count; i++) {
        for (uint32_t j = 0; j < source->polygons[i].ring_count; j++) {
            const loam_ring *ring = &source->polygons[i].rings[j];
            for (size_t v = 0; v < ring->count; v++) {
                grow_bounds(ring->xz[2 * v], ring->xz[2 * v + 1], &bounds);
            }
        }
    }
    return bounds;
}

static void summarise_areas(const loam_areas *areas, text_buffer *to) {
    const loam_areas_source *source = loam_areas_normal_form(areas);
    buffer_key(to, "features");
    buffer_unsigned(to, source->feature_count);
    buffer_key(to, "polygons");
    buffer_unsigned(to, source->polygon_count);
    buffer_key(to, "vertices");
    buffer_unsigned(to, loam_areas_vertex_count(areas));
    loam_rect bounds = bounds_of_areas(source);
    write_bounds(&bounds, to);
}

/* Metres, rounded down: a sum of arc lengths. */
static void write_length(const loam_lines *lines, text_buffer *to) {
    const loam_lines_source *source = loam_lines_normal_form(lines);
    uint64_t metres = 0;
    for (uint32_t i = 0; i < source->line_count; i++) {
        metres += (uint64_t)loam_line_length_fine(lines, i) >> FINE_BITS;
    }
    buffer_key(to, "length_m");
    buffer_unsigned(to, metres);
}

static void summarise_lines(const loam_lines *lines, text_buffer *to) {
    const loam_lines_source *source = loam_lines_normal_form(lines);
    loam_rect bounds = no_bounds;
    for (uint32_t i = 0; i < source->line_count; i++) {
        const loam_line *line = &source->lines[i];
        for (size_t v = 0; v < line->count; v++) {
            grow_bounds(line->xz[2 * v], line->xz[2 * v + 1], &bounds);
        }
    }
    buffer_key(to, "lines");
    buffer_unsigned(to, source->line_count);
    buffer_key(to, "vertices");
    buffer_unsigned(to, loam_lines_vertex_count(lines));
    write_length(lines, to);
    write_bounds(&bounds, to);
}

static void summarise_sites(const loam_sites *sites, text_buffer *to) {
    static const char *const kinds[] = {"int", "float", "string"};
    const loam_sites_source *source = loam_sites_normal_form(sites);
    loam_rect bounds = no_bounds;
    for (uint32_t i = 0; i < source->count; i++) {
        grow_bounds(source->sites[i].x, source->sites[i].z, &bounds);
    }
    buffer_key(to, "points");
    buffer_unsigned(to, source->count);
    buffer_key(to, "properties");
    buffer_open_object(to);
    for (uint32_t i = 0; i < source->property_count; i++) {
        buffer_key_text(to, source->properties[i].name);
        buffer_string(to, kinds[source->properties[i].kind]);
    }
    buffer_close_object(to);
    write_bounds(&bounds, to);
}

static void summarise_rules(const loam_rules *rules, text_buffer *to) {
    buffer_key(to, "fields");
    buffer_open_array(to);
    for (uint32_t i = 0; i < rules->count; i++) {
        buffer_string_text(to, rules->keys[i]);
    }
    buffer_close_array(to);
}

void asset_summary(const loam_asset *asset, text_buffer *summary) {
    buffer_open_object(summary);
    if (asset->kind == LOAM_PORT_HEIGHTFIELD) {
        summarise_field(asset->heightfield, summary);
    } else if (asset->kind == LOAM_PORT_AREAS) {
        summarise_areas(asset->areas, summary);
    } else if (asset->kind == LOAM_PORT_LINES) {
        summarise_lines(asset->lines, summary);
    } else if (asset->kind == LOAM_PORT_POINTS) {
        summarise_sites(asset->sites, summary);
    } else if (asset->kind == LOAM_PORT_RULES) {
        summarise_rules(asset->rules, summary);
    }
    buffer_close_object(summary);
}
