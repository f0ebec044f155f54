/* SPDX-License-Identifier: MIT
 *
 * cell_encode.c: canonical bytes of a cell (FORMAT.md, "Cells"). Equal points give equal bytes: how
 * a column is stored follows from its values alone.
 */
#include "core/base/bytes.h"
#include "core/base/try.h"
#include "core/codec/cell_columns.h"
#include "core/codec/format.h"

#include <string.h>

size_t loam_cell_bound(const loam_points *points) {
    size_t columns = (size_t)CELL_COLUMNS + points->attribute_count;
    size_t bound = CELL_HEADER_BYTES + columns * (COLUMN_ENTRY_BYTES + COLUMN_ALIGNMENT_BYTES) +
                   COLUMN_ALIGNMENT_BYTES +
                   (size_t)points->count * (CELL_POINT_BYTES_MAX + 4u * points->attribute_count);
    for (uint32_t i = 0; i < points->palette_count; i++) {
        bound += 4 + points->palette[i].size;
    }
    for (uint32_t i = 0; i < points->attribute_count; i++) {
        const loam_attribute *attribute = &points->attributes[i];
        bound += 4 + attribute->name.size + 1 + 4;
        for (uint32_t t = 0; t < attribute->text_count; t++) {
            bound += 4 + attribute->texts[t].size;
        }
    }
    return bound;
}

/* Where the bytes go. */
typedef struct cell_writer {
    unsigned char *bytes;
    size_t used;
    unsigned char *entry; /* of the next column */
} cell_writer;

static void put_text(cell_writer *writer, loam_text text) {
    put_u32(writer->bytes + writer->used, (uint32_t)text.size);
    if (text.size > 0) {
        memcpy(writer->bytes + writer->used + 4, text.bytes, text.size);
    }
    writer->used += 4 + text.size;
}

static void pad(cell_writer *writer) {
    while (writer->used % COLUMN_ALIGNMENT_BYTES != 0) {
        writer->bytes[writer->used++] = 0;
    }
}

static void put_entry(cell_writer *writer, uint16_t number, uint8_t stored, uint64_t base) {
    put_u16(writer->entry, number);
    writer->entry[2] = stored;
    writer->entry[3] = 0;
    put_u32(writer->entry + 4, (uint32_t)writer->used);
    put_u64(writer->entry + 8, base);
    writer->entry += COLUMN_ENTRY_BYTES;
}

static uint8_t width_of(uint64_t range) {
    if (range == 0) {
        return STORED_CONSTANT;
    }
    return range < 256 ? 1 : range < 65536 ? 2 : range <= UINT32_MAX ? 4 : 8;
}

/* Writes one column relative to its least value. Ids are no quantities: always eight bytes. */
#define PUT_COLUMN(type)                                                                           \
    static void put_column_##type(cell_writer *writer, uint16_t number,                            \
                                  const type *restrict value, uint32_t count) {                    \
        type low = count > 0 ? value[0] : 0, high = low;                                           \
        for (uint32_t i = 1; i < count; i++) {                                                     \
            low = value[i] < low ? value[i] : low;                                                 \
            high = value[i] > high ? value[i] : high;                                              \
        }                                                                                          \
        bool is_id = number == COLUMN_ID && count > 0;                                             \
        uint64_t base = is_id ? 0 : (uint64_t)low;                                                 \
        uint8_t width = is_id ? 8 : width_of((uint64_t)high - (uint64_t)low);                      \
        put_entry(writer, number, width, base);                                                    \
        unsigned char *restrict to = writer->bytes + writer->used;                                 \
        for (uint32_t i = 0; width == 1 && i < count; i++) {                                       \
            to[i] = (unsigned char)((uint64_t)value[i] - base);                                    \
        }                                                                                          \
        for (uint32_t i = 0; width == 2 && i < count; i++) {                                       \
            put_u16(to + (size_t)i * 2, (uint16_t)((uint64_t)value[i] - base));                    \
        }                                                                                          \
        for (uint32_t i = 0; width == 4 && i < count; i++) {                                       \
            put_u32(to + (size_t)i * 4, (uint32_t)((uint64_t)value[i] - base));                    \
        }                                                                                          \
        for (uint32_t i = 0; width == 8 && i < count; i++) {                                       \
            put_u64(to + (size_t)i * 8, (uint64_t)value[i] - base);                                \
        }                                                                                          \
        writer->used += (size_t)width * count;                                                     \
        pad(writer);                                                                               \
    }

PUT_COLUMN(uint64_t)
PUT_COLUMN(int32_t)
PUT_COLUMN(uint32_t)
PUT_COLUMN(uint16_t)
PUT_COLUMN(int16_t)

/* A second or third scale that repeats the first, without being constant. */
static bool like_scale_x(const loam_points *points, uint16_t number) {
    const uint16_t *scale = number == COLUMN_SCALE_Y   ? points->scale_y
                            : number == COLUMN_SCALE_Z ? points->scale_z
                                                       : NULL;
    if (scale == NULL || points->count == 0 ||
        (scale != points->scale_x &&
         memcmp(scale, points->scale_x, points->count * sizeof *scale) != 0)) {
        return false;
    }
    for (uint32_t i = 1; i < points->count; i++) {
        if (scale[i] != scale[0]) {
            return true;
        }
    }
    return false;
}

static void put_columns(cell_writer *writer, const loam_points *points) {
#define PUT(number, field, type)                                                                   \
    if (like_scale_x(points, number)) {                                                            \
        put_entry(writer, number, STORED_LIKE_SCALE_X, 0);                                         \
    } else {                                                                                       \
        put_column_##type(writer, number, points->field, points->count);                           \
    }
    CELL_COLUMN_TABLE(PUT)
#undef PUT
    for (uint32_t i = 0; i < points->attribute_count; i++) {
        put_column_int32_t(writer, (uint16_t)(COLUMN_ATTRIBUTE + i), points->attributes[i].values,
                           points->count);
    }
}

static void put_texts(cell_writer *writer, const loam_points *points) {
    for (uint32_t i = 0; i < points->palette_count; i++) {
        put_text(writer, points->palette[i]);
    }
    for (uint32_t i = 0; i < points->attribute_count; i++) {
        const loam_attribute *attribute = &points->attributes[i];
        put_text(writer, attribute->name);
        writer->bytes[writer->used++] = (unsigned char)attribute->kind;
        put_u32(writer->bytes + writer->used, attribute->text_count);
        writer->used += 4;
        for (uint32_t t = 0; t < attribute->text_count; t++) {
            put_text(writer, attribute->texts[t]);
        }
    }
    pad(writer);
}

static void put_header(unsigned char *bytes, const loam_points *points, size_t size) {
    memcpy(bytes, CELL_MAGIC, MAGIC_BYTES);
    put_u16(bytes + 8, CELL_FORMAT_VERSION);
    put_u16(bytes + 10, (uint16_t)(CELL_COLUMNS + points->attribute_count));
    put_u32(bytes + 12, points->count);
    put_u64(bytes + 16, (uint64_t)points->rect.x0);
    put_u64(bytes + 24, (uint64_t)points->rect.z0);
    put_u64(bytes + 32, (uint64_t)points->rect.x1);
    put_u64(bytes + 40, (uint64_t)points->rect.z1);
    put_u32(bytes + 48, points->palette_count);
    put_u32(bytes + 52, points->attribute_count);
    put_u64(bytes + 56, size);
}

loam_status loam_cell_encode(const loam_points *points, void *buffer, size_t capacity,
                             size_t *size) {
    size_t bound = loam_cell_bound(points);
    if (capacity < bound || bound > UINT32_MAX) {
        return LOAM_BUFFER_TOO_SMALL;
    }
    size_t columns = (size_t)CELL_COLUMNS + points->attribute_count;
    cell_writer writer = {.bytes = buffer, .entry = (unsigned char *)buffer + CELL_HEADER_BYTES};
    writer.used = CELL_HEADER_BYTES + columns * COLUMN_ENTRY_BYTES;
    put_texts(&writer, points);
    put_columns(&writer, points);
    put_header(buffer, points, writer.used);
    *size = writer.used;
    return LOAM_OK;
}
