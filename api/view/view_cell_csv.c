/* SPDX-License-Identifier: MIT
 *
 * view_cell_csv.c: see view_cell_csv.h.
 */
#include "api/view/view_cell_csv.h"

#include "api/view/view_line.h"

#include <string.h>

static const char fixed_columns[] = "id,x_m,y_m,z_m,yaw_deg,pitch_deg,roll_deg,"
                                    "scale_x,scale_y,scale_z,density,asset";

/* In quotes, with those inside doubled, when it needs them; an empty text always, since nothing at
 * all stands for "has none". */
static void add_field(text_buffer *to, loam_text text) {
    bool quoted = text.size == 0;
    for (size_t i = 0; i < text.size && !quoted; i++) {
        quoted = strchr("\",\r\n", text.bytes[i]) != NULL;
    }
    if (!quoted) {
        buffer_add(to, text.bytes, text.size);
        return;
    }
    buffer_add_text(to, "\"");
    for (size_t i = 0; i < text.size; i++) {
        buffer_add(to, text.bytes + i, 1);
        if (text.bytes[i] == '"') {
            buffer_add_text(to, "\"");
        }
    }
    buffer_add_text(to, "\"");
}

static void add_head(const loam_points *points, text_buffer *to) {
    buffer_add_text(to, fixed_columns);
    for (uint32_t i = 0; i < points->attribute_count; i++) {
        buffer_add_text(to, ",");
        add_field(to, points->attributes[i].name);
    }
    buffer_add_text(to, "\r\n");
}

static void line_point(line *to, const loam_points *points, uint32_t i) {
    const struct {
        int64_t value;
        unsigned bits;
    } numbers[] = {
        {points->rect.x0 + points->x[i], UNIT_BITS},
        {points->y[i], UNIT_BITS},
        {points->rect.z0 + points->z[i], UNIT_BITS},
        {(int64_t)points->yaw[i] * ANGLE_FACTOR, ANGLE_BITS},
        {(int64_t)points->pitch[i] * ANGLE_FACTOR, ANGLE_BITS},
        {(int64_t)points->roll[i] * ANGLE_FACTOR, ANGLE_BITS},
        {points->scale_x[i], SCALE_BITS},
        {points->scale_y[i], SCALE_BITS},
        {points->scale_z[i], SCALE_BITS},
        {points->density[i], DENSITY_BITS},
    };
    line_unsigned(to, points->id[i]);
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        line_text(to, ",");
        line_decimal(to, numbers[n].value, numbers[n].bits);
    }
    line_text(to, ",");
}

static void add_attribute(const loam_attribute *attribute, uint32_t i, text_buffer *to) {
    int32_t value = attribute->values[i];
    buffer_add_text(to, ",");
    if (value == LOAM_MISSING) {
        return;
    }
    if (attribute->kind == LOAM_ATTRIBUTE_STRING) {
        add_field(to, attribute->texts[value]);
        return;
    }
    line number;
    number.size = 0;
    line_decimal(&number, value, attribute->kind == LOAM_ATTRIBUTE_FLOAT ? ATTRIBUTE_BITS : 0);
    buffer_add(to, number.bytes, number.size);
}

static void add_point(const loam_points *points, uint32_t i, text_buffer *to) {
    line point;
    point.size = 0;
    line_point(&point, points, i);
    buffer_add(to, point.bytes, point.size);
    if (points->palette_count > 0 && points->palette[points->asset[i]].size > 0) {
        add_field(to, points->palette[points->asset[i]]);
    }
    for (uint32_t j = 0; j < points->attribute_count; j++) {
        add_attribute(&points->attributes[j], i, to);
    }
    buffer_add_text(to, "\r\n");
}

loam_status view_cell_csv(const loam_points *points, text_buffer *to) {
    add_head(points, to);
    for (uint32_t i = 0; i < points->count && !to->failed; i++) {
        add_point(points, i, to);
    }
    return buffer_status(to);
}
