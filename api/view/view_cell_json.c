/* SPDX-License-Identifier: MIT
 *
 * view_cell_json.c: see view_cell_json.h. A point is put together in a line on the stack and added
 * at once; what is the same for many points (names of assets and attributes) is escaped once.
 */
#include "api/view/view_cell_json.h"

#include "api/view/view_line.h"

#include <stdlib.h>

static void line_triple(line *to, const char *label, const int64_t values[3], unsigned scale_bits) {
    line_text(to, label);
    line_decimal(to, values[0], scale_bits);
    line_text(to, ",");
    line_decimal(to, values[1], scale_bits);
    line_text(to, ",");
    line_decimal(to, values[2], scale_bits);
    line_text(to, "]");
}

static void line_point(line *to, const loam_points *points, uint32_t i) {
    const int64_t position[3] = {points->rect.x0 + points->x[i], points->y[i],
                                 points->rect.z0 + points->z[i]};
    const int64_t rotation[3] = {(int64_t)points->pitch[i] * ANGLE_FACTOR,
                                 (int64_t)points->yaw[i] * ANGLE_FACTOR,
                                 (int64_t)points->roll[i] * ANGLE_FACTOR};
    const int64_t scale[3] = {points->scale_x[i], points->scale_y[i], points->scale_z[i]};
    line_text(to, "{\"id\":\"");
    line_unsigned(to, points->id[i]);
    line_triple(to, "\",\"position_m\":[", position, UNIT_BITS);
    line_triple(to, ",\"rotation_deg\":[", rotation, ANGLE_BITS);
    line_triple(to, ",\"scale\":[", scale, SCALE_BITS);
    line_text(to, ",\"density\":");
    line_decimal(to, points->density[i], DENSITY_BITS);
}

/* `,"asset":"pine"` for each name of the palette, in one buffer; nothing for none. */
typedef struct asset_labels {
    text_buffer text;
    size_t *ends;
} asset_labels;

static loam_status labels_init(asset_labels *labels, const loam_points *points) {
    buffer_init(&labels->text, SIZE_MAX);
    labels->ends = malloc(((size_t)points->palette_count + 1) * sizeof *labels->ends);
    if (labels->ends == NULL) {
        return LOAM_ARENA_FULL;
    }
    for (uint32_t i = 0; i < points->palette_count; i++) {
        if (points->palette[i].size > 0) {
            buffer_add_text(&labels->text, ",\"asset\":");
            buffer_string_text(&labels->text, points->palette[i]);
        }
        labels->ends[i] = labels->text.size;
    }
    return labels->text.failed ? LOAM_ARENA_FULL : LOAM_OK;
}

static void labels_fini(asset_labels *labels) {
    buffer_fini(&labels->text);
    free(labels->ends);
}

static void add_label(const asset_labels *labels, uint32_t asset, text_buffer *to) {
    size_t start = asset == 0 ? 0 : labels->ends[asset - 1];
    buffer_add(to, labels->text.bytes + start, labels->ends[asset] - start);
}

/* A point that has no such attribute says nothing of it. */
static void add_attribute(const loam_attribute *attribute, uint32_t i, text_buffer *to) {
    int32_t value = attribute->values[i];
    if (value == LOAM_MISSING) {
        return;
    }
    buffer_key_text(to, attribute->name);
    if (attribute->kind == LOAM_ATTRIBUTE_STRING) {
        buffer_string_text(to, attribute->texts[value]);
    } else {
        buffer_decimal(to, value, attribute->kind == LOAM_ATTRIBUTE_FLOAT ? ATTRIBUTE_BITS : 0);
    }
}

static void add_point(const loam_points *points, const asset_labels *labels, uint32_t i,
                      text_buffer *to) {
    line point;
    point.size = 0;
    line_point(&point, points, i);
    buffer_add(to, point.bytes, point.size);
    if (points->palette_count > 0) {
        add_label(labels, points->asset[i], to);
    }
    buffer_add_text(to, ",\"attributes\":{");
    for (uint32_t j = 0; j < points->attribute_count; j++) {
        add_attribute(&points->attributes[j], i, to);
    }
    buffer_add_text(to, "}}");
}

static void write_head(const cell_place *place, const loam_points *points, text_buffer *to) {
    buffer_key(to, "world");
    buffer_string_text(to, place->world);
    buffer_key(to, "revision");
    buffer_digest(to, &place->revision);
    buffer_key(to, "output");
    buffer_string_text(to, place->output);
    buffer_key(to, "level");
    buffer_unsigned(to, place->level);
    buffer_key(to, "x");
    buffer_integer(to, place->x);
    buffer_key(to, "z");
    buffer_integer(to, place->z);
    buffer_key(to, "bounds_m");
    buffer_open_object(to);
    buffer_field_place(to, "min", (const int64_t[]){points->rect.x0, points->rect.z0}, 2);
    buffer_field_place(to, "max", (const int64_t[]){points->rect.x1, points->rect.z1}, 2);
    buffer_close_object(to);
    buffer_key(to, "build_key");
    buffer_digest(to, &place->build_key);
    buffer_key(to, "digest");
    buffer_digest(to, &place->digest);
    buffer_key(to, "count");
    buffer_unsigned(to, points->count);
}

loam_status view_points_json(const loam_points *points, const uint32_t *rows, uint32_t count,
                             text_buffer *to) {
    asset_labels labels;
    loam_status status = labels_init(&labels, points);
    if (status == LOAM_OK) {
        buffer_open_array(to);
        for (uint32_t i = 0; i < count && !to->failed; i++) {
            if (i > 0) {
                buffer_add_text(to, ",");
            }
            add_point(points, &labels, rows == NULL ? i : rows[i], to);
        }
        buffer_close_array(to);
        status = buffer_status(to);
    }
    labels_fini(&labels);
    return status;
}

loam_status view_cell_json(const cell_place *place, const loam_points *points, text_buffer *to) {
    buffer_open_object(to);
    write_head(place, points, to);
    buffer_key(to, "points");
    loam_status status = view_points_json(points, NULL, points->count, to);
    buffer_close_object(to);
    return status == LOAM_OK ? buffer_status(to) : status;
}
