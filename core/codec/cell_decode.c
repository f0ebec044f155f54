/* SPDX-License-Identifier: MIT
 *
 * cell_decode.c: canonical bytes of a cell, read back. Nothing is believed: sizes, order and ranges
 * are checked, so that bytes from a network or a damaged disk give points or an error.
 */
#include "core/base/bytes.h"
#include "core/base/limits.h"
#include "core/base/try.h"
#include "core/codec/cell_columns.h"
#include "core/codec/format.h"

#include <string.h>

/* What is being read. */
typedef struct cell_reader {
    const unsigned char *bytes;
    size_t size;
    byte_reader entries;
    loam_arena *arena;
    loam_error *error;
} cell_reader;

static loam_status damaged(cell_reader *reader, const char *what) {
    return loam_fail(reader->error, LOAM_DAMAGED, NULL, "not the canonical bytes of a cell: %s",
                     what);
}

static loam_status read_header(cell_reader *reader, loam_points *points, uint32_t *columns) {
    byte_reader header;
    reader_init(&header, reader->bytes, reader->size);
    const unsigned char *magic = read_bytes(&header, MAGIC_BYTES);
    if (magic == NULL || memcmp(magic, CELL_MAGIC, MAGIC_BYTES) != 0) {
        return damaged(reader, "the first bytes are not LOAMCELL");
    }
    if (read_u16(&header) != CELL_FORMAT_VERSION) {
        return damaged(reader, "another format version");
    }
    *columns = read_u16(&header);
    points->count = read_u32(&header);
    points->rect.x0 = read_i64(&header);
    points->rect.z0 = read_i64(&header);
    points->rect.x1 = read_i64(&header);
    points->rect.z1 = read_i64(&header);
    points->palette_count = read_u32(&header);
    points->attribute_count = read_u32(&header);
    uint64_t size = read_u64(&header);
    if (header.failed || size != reader->size) {
        return damaged(reader, "the size is not what the header says");
    }
    if (points->attribute_count > CELL_ATTRIBUTES_MAX || points->palette_count > CELL_PALETTE_MAX ||
        *columns != CELL_COLUMNS + points->attribute_count || points->count > POINTS_MAX) {
        return damaged(reader, "a count is out of range");
    }
    loam_rect rect = points->rect;
    int64_t far = POSITION_UNITS_MAX;
    if (rect.x0 < -far || rect.z0 < -far || rect.x1 > far || rect.z1 > far || rect.x0 >= rect.x1 ||
        rect.z0 >= rect.z1 || rect.x1 - rect.x0 > RECT_SIDE_UNITS_MAX ||
        rect.z1 - rect.z0 > RECT_SIDE_UNITS_MAX) {
        return damaged(reader, "the rectangle is out of range");
    }
    return LOAM_OK;
}

/* Texts in a strictly rising order, borrowed. */
static loam_status read_sorted_texts(cell_reader *reader, byte_reader *texts, uint32_t count,
                                     const loam_text **result) {
    if (count > texts->left / 4) {
        return damaged(reader, "texts are cut");
    }
    loam_text *list = loam_arena_take(reader->arena, count + 1u, sizeof *list);
    LOAM_TRY_MEMORY(list, reader->error);
    for (uint32_t i = 0; i < count; i++) {
        list[i] = read_text(texts);
        if (i > 0 && loam_text_compare(list[i - 1], list[i]) >= 0) {
            return damaged(reader, "texts are out of order");
        }
    }
    *result = list;
    return texts->failed ? damaged(reader, "texts are cut") : LOAM_OK;
}

static loam_status read_texts(cell_reader *reader, byte_reader *texts, loam_points *points) {
    LOAM_TRY(read_sorted_texts(reader, texts, points->palette_count, &points->palette));
    loam_attribute *attributes =
        loam_arena_take_zero(reader->arena, points->attribute_count + 1u, sizeof *attributes);
    LOAM_TRY_MEMORY(attributes, reader->error);
    for (uint32_t i = 0; i < points->attribute_count; i++) {
        attributes[i].name = read_text(texts);
        uint8_t kind = read_u8(texts);
        attributes[i].kind = (loam_attribute_kind)kind;
        attributes[i].text_count = read_u32(texts);
        if (texts->failed || kind > LOAM_ATTRIBUTE_STRING ||
            (i > 0 && loam_text_compare(attributes[i - 1].name, attributes[i].name) >= 0)) {
            return damaged(reader, "an attribute is out of order");
        }
        LOAM_TRY(read_sorted_texts(reader, texts, attributes[i].text_count, &attributes[i].texts));
    }
    points->attributes = attributes;
    return LOAM_OK;
}

static uint64_t stored_value(const unsigned char *at, uint8_t width, uint32_t i) {
    switch (width) {
    case 1:
        return at[i];
    case 2:
        return get_u16(at + (size_t)i * 2);
    case 4:
        return get_u32(at + (size_t)i * 4);
    case 8:
        return get_u64(at + (size_t)i * 8);
    default:
        return 0;
    }
}

/* One entry of the directory, and the data it names. */
typedef struct column_entry {
    uint16_t number;
    uint8_t stored;
    uint64_t base;
    const unsigned char *data;
} column_entry;

static loam_status read_entry(cell_reader *reader, uint16_t number, uint32_t count, size_t *next,
                              column_entry *entry) {
    entry->number = read_u16(&reader->entries);
    entry->stored = read_u8(&reader->entries);
    uint8_t reserved = read_u8(&reader->entries);
    uint32_t offset = read_u32(&reader->entries);
    entry->base = read_u64(&reader->entries);
    if (reader->entries.failed || entry->number != number || reserved != 0 || offset != *next) {
        return damaged(reader, "the directory of columns is out of order");
    }
    bool like_x = entry->stored == STORED_LIKE_SCALE_X &&
                  (number == COLUMN_SCALE_Y || number == COLUMN_SCALE_Z) && entry->base == 0;
    bool width = entry->stored == 0 || entry->stored == 1 || entry->stored == 2 ||
                 entry->stored == 4 || entry->stored == 8;
    if (!like_x && !width) {
        return damaged(reader, "a column is stored in an unknown way");
    }
    if (number == COLUMN_ID && count > 0 && entry->stored != sizeof(uint64_t)) {
        return damaged(reader, "ids are eight bytes each");
    }
    size_t bytes = like_x ? 0 : (size_t)entry->stored * count;
    size_t padded =
        (bytes + COLUMN_ALIGNMENT_BYTES - 1) / COLUMN_ALIGNMENT_BYTES * COLUMN_ALIGNMENT_BYTES;
    if (padded > reader->size - *next) {
        return damaged(reader, "a column is cut");
    }
    entry->data = reader->bytes + *next;
    *next += padded;
    return LOAM_OK;
}

/* Reads a column into memory of its own. The cast back must give the value that was stored. */
#define READ_COLUMN(type)                                                                          \
    static loam_status read_column_##type(cell_reader *reader, const column_entry *entry,          \
                                          uint32_t count, const type **column) {                   \
        type *values = loam_arena_take(reader->arena, count + 1u, sizeof *values);                 \
        LOAM_TRY_MEMORY(values, reader->error);                                                    \
        for (uint32_t i = 0; i < count; i++) {                                                     \
            uint64_t value = entry->base + stored_value(entry->data, entry->stored, i);            \
            values[i] = (type)value;                                                               \
            if ((uint64_t)values[i] != value) {                                                    \
                return damaged(reader, "a value is out of range");                                 \
            }                                                                                      \
        }                                                                                          \
        *column = values;                                                                          \
        return LOAM_OK;                                                                            \
    }

READ_COLUMN(uint64_t)
READ_COLUMN(int32_t)
READ_COLUMN(uint32_t)
READ_COLUMN(uint16_t)
READ_COLUMN(int16_t)

static loam_status read_columns(cell_reader *reader, loam_points *points, size_t next) {
    column_entry entry;
#define READ(number, field, type)                                                                  \
    LOAM_TRY(read_entry(reader, number, points->count, &next, &entry));                            \
    if (entry.stored == STORED_LIKE_SCALE_X) {                                                     \
        points->field = (const void *)points->scale_x;                                             \
    } else {                                                                                       \
        LOAM_TRY(read_column_##type(reader, &entry, points->count, &points->field));               \
    }
    CELL_COLUMN_TABLE(READ)
#undef READ
    loam_attribute *attributes = (loam_attribute *)points->attributes;
    for (uint32_t i = 0; i < points->attribute_count; i++) {
        LOAM_TRY(
            read_entry(reader, (uint16_t)(COLUMN_ATTRIBUTE + i), points->count, &next, &entry));
        LOAM_TRY(read_column_int32_t(reader, &entry, points->count, &attributes[i].values));
    }
    return next == reader->size ? LOAM_OK : damaged(reader, "bytes are left over");
}

/* Whether point i comes before point i - 1 in the order (z, x, y, id). */
static bool is_out_of_order(const loam_points *points, uint32_t i) {
    if (points->z[i] != points->z[i - 1]) {
        return points->z[i] < points->z[i - 1];
    }
    if (points->x[i] != points->x[i - 1]) {
        return points->x[i] < points->x[i - 1];
    }
    return points->y[i] != points->y[i - 1] ? points->y[i] < points->y[i - 1]
                                            : points->id[i] < points->id[i - 1];
}

/* A name that no point has would make a second form of the same cell. */
static loam_status check_palette(cell_reader *reader, const loam_points *points) {
    size_t mark = loam_arena_mark(reader->arena);
    bool *used = loam_arena_take_zero(reader->arena, points->palette_count + 1u, sizeof *used);
    LOAM_TRY_MEMORY(used, reader->error);
    for (uint32_t i = 0; i < points->count; i++) {
        used[points->asset[i]] = true;
    }
    for (uint32_t i = 0; i < points->palette_count; i++) {
        if (!used[i]) {
            return damaged(reader, "the palette has a name that no point has");
        }
    }
    loam_arena_reset(reader->arena, mark);
    return LOAM_OK;
}

/* The same for the texts of an attribute, whose values name them or nothing. */
static loam_status check_texts(cell_reader *reader, const loam_attribute *attribute,
                               uint32_t count) {
    size_t mark = loam_arena_mark(reader->arena);
    bool *used = loam_arena_take_zero(reader->arena, attribute->text_count + 1u, sizeof *used);
    LOAM_TRY_MEMORY(used, reader->error);
    for (uint32_t i = 0; i < count; i++) {
        if (attribute->values[i] == INT32_MIN) {
            continue;
        }
        if ((uint32_t)attribute->values[i] >= attribute->text_count) {
            return damaged(reader, "an attribute names no text");
        }
        used[attribute->values[i]] = true;
    }
    for (uint32_t t = 0; t < attribute->text_count; t++) {
        if (!used[t]) {
            return damaged(reader, "an attribute has a text that no point has");
        }
    }
    loam_arena_reset(reader->arena, mark);
    return LOAM_OK;
}

/* Places inside the rectangle, in order; indices that name something. */
static loam_status check_points(cell_reader *reader, const loam_points *points) {
    int64_t width = points->rect.x1 - points->rect.x0, depth = points->rect.z1 - points->rect.z0;
    for (uint32_t i = 0; i < points->count; i++) {
        if (points->x[i] < 0 || points->x[i] >= width || points->z[i] < 0 ||
            points->z[i] >= depth || points->asset[i] >= points->palette_count ||
            points->density[i] > LOAM_DENSITY_ONE) {
            return damaged(reader, "a point is out of range");
        }
        if (i > 0 && is_out_of_order(points, i)) {
            return damaged(reader, "points are out of order");
        }
    }
    LOAM_TRY(check_palette(reader, points));
    for (uint32_t a = 0; a < points->attribute_count; a++) {
        const loam_attribute *attribute = &points->attributes[a];
        if (attribute->kind == LOAM_ATTRIBUTE_STRING) {
            LOAM_TRY(check_texts(reader, attribute, points->count));
        }
    }
    return LOAM_OK;
}

/* A decoder that accepts two forms of one cell would break "equal points, equal bytes". */
static loam_status check_canonical(cell_reader *reader, const loam_points *points) {
    size_t bound = loam_cell_bound(points);
    unsigned char *again = loam_arena_take(reader->arena, bound, 1);
    LOAM_TRY_MEMORY(again, reader->error);
    size_t size = 0;
    loam_status status = loam_cell_encode(points, again, bound, &size);
    if (status != LOAM_OK || size != reader->size || memcmp(again, reader->bytes, size) != 0) {
        return damaged(reader, "it is not stored in the one way");
    }
    return LOAM_OK;
}

loam_status loam_cell_decode(const void *bytes, size_t size, loam_arena *arena, loam_points *points,
                             loam_error *error) {
    cell_reader reader = {.bytes = bytes, .size = size, .arena = arena, .error = error};
    uint32_t columns = 0;
    *points = (loam_points){0};
    if (size < CELL_HEADER_BYTES) {
        return damaged(&reader, "it is cut");
    }
    LOAM_TRY(read_header(&reader, points, &columns));
    size_t directory = (size_t)columns * COLUMN_ENTRY_BYTES;
    if (directory > size - CELL_HEADER_BYTES) {
        return damaged(&reader, "it is cut");
    }
    byte_reader texts;
    reader_init(&reader.entries, reader.bytes + CELL_HEADER_BYTES, directory);
    reader_init(&texts, reader.bytes + CELL_HEADER_BYTES + directory,
                size - CELL_HEADER_BYTES - directory);
    LOAM_TRY(read_texts(&reader, &texts, points));
    size_t next = (size_t)(texts.at - reader.bytes);
    next = (next + COLUMN_ALIGNMENT_BYTES - 1) / COLUMN_ALIGNMENT_BYTES * COLUMN_ALIGNMENT_BYTES;
    if (next > size) {
        return damaged(&reader, "it is cut");
    }
    LOAM_TRY(read_columns(&reader, points, next));
    LOAM_TRY(check_points(&reader, points));
    size_t mark = loam_arena_mark(arena);
    loam_status status = check_canonical(&reader, points);
    loam_arena_reset(arena, mark);
    return status;
}
