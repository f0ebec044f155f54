/* SPDX-License-Identifier: MIT
 *
 * set_codec.c: see set_codec.h.
 */
#include "core/points/set_codec.h"

#include "core/base/limits.h"
#include "core/base/try.h"

#include <string.h>

/* How a column is written: not at all, once for all rows, row by row. */
enum { COLUMN_ABSENT, COLUMN_ONE, COLUMN_EACH };

/* All but assets, whose numbers are those of names. */
#define SET_COLUMNS(X)                                                                             \
    X(int32_t, x)                                                                                  \
    X(int32_t, z)                                                                                  \
    X(int32_t, y)                                                                                  \
    X(int32_t, gradient_x)                                                                         \
    X(int32_t, gradient_z)                                                                         \
    X(uint32_t, a)                                                                                 \
    X(uint32_t, b)                                                                                 \
    X(uint64_t, id)                                                                                \
    X(uint32_t, density)                                                                           \
    X(uint16_t, yaw)                                                                               \
    X(int16_t, pitch)                                                                              \
    X(int16_t, roll)                                                                               \
    X(uint16_t, scale)                                                                             \
    X(uint16_t, scale_y)                                                                           \
    X(uint16_t, scale_z)                                                                           \
    X(int32_t, station)                                                                            \
    X(int32_t, offset)

/* ---- Writing -------------------------------------------------------------------------------- */

static void write_row(byte_writer *writer, const unsigned char *row, size_t size) {
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (size) {
    case sizeof two:
        memcpy(&two, row, sizeof two);
        write_u16(writer, two);
        return;
    case sizeof four:
        memcpy(&four, row, sizeof four);
        write_u32(writer, four);
        return;
    default:
        memcpy(&eight, row, sizeof eight);
        write_u64(writer, eight);
        return;
    }
}

static bool is_one_value(const unsigned char *column, uint32_t count, size_t size) {
    /* Compares every row with the one before it. */
    return count > 0 && memcmp(column, column + size, (size_t)(count - 1) * size) == 0;
}

static void write_column(byte_writer *writer, const void *column, uint32_t count, size_t size) {
    const unsigned char *rows = column;
    if (rows == NULL) {
        write_u8(writer, COLUMN_ABSENT);
        return;
    }
    const bool one = is_one_value(rows, count, size);
    write_u8(writer, one ? COLUMN_ONE : COLUMN_EACH);
    for (uint32_t i = 0; i < (one ? 1 : count); i++) {
        write_row(writer, rows + i * size, size);
    }
}

/* The names that a set uses, numbered by their first use. */
typedef struct used_names {
    point_names all;
    uint32_t *numbers; /* by the index of a name: 1 + its number, 0 where it is not used */
    uint32_t *used;
    uint32_t count;
} used_names;

static uint32_t use_name(used_names *names, uint32_t index) {
    if (names->numbers[index] == 0) {
        names->used[names->count++] = index;
        names->numbers[index] = names->count;
    }
    return names->numbers[index] - 1;
}

static void use_names(used_names *names, const point_set *set) {
    use_name(names, set->asset_all);
    for (uint32_t i = 0; set->asset != NULL && i < set->count; i++) {
        use_name(names, set->asset[i]);
    }
    for (uint32_t k = 0; k < set->attribute_count; k++) {
        const point_attribute *attribute = &set->attributes[k];
        for (uint32_t i = 0; attribute->kind == LOAM_ATTRIBUTE_STRING && i < set->count; i++) {
            if (attribute->values[i] != ATTRIBUTE_MISSING) {
                use_name(names, (uint32_t)attribute->values[i]);
            }
        }
    }
}

/* A column of indices of names, as numbers of the used ones. */
static loam_status write_names_column(byte_writer *writer, used_names *names, const void *column,
                                      uint32_t count, loam_arena *scratch) {
    const int32_t *from = column;
    int32_t *numbers = from == NULL ? NULL : COLUMN_TAKE(scratch, count, int32_t);
    if (from != NULL) {
        LOAM_TRY_MEMORY(numbers, NULL);
        for (uint32_t i = 0; i < count; i++) {
            numbers[i] = from[i] == ATTRIBUTE_MISSING ? ATTRIBUTE_MISSING
                                                      : (int32_t)use_name(names, (uint32_t)from[i]);
        }
    }
    write_column(writer, numbers, count, sizeof *numbers);
    return LOAM_OK;
}

static loam_status write_attribute(byte_writer *writer, used_names *names,
                                   const point_attribute *attribute, uint32_t count,
                                   loam_arena *scratch) {
    write_text(writer, attribute->name);
    write_u8(writer, (uint8_t)attribute->kind);
    if (attribute->kind == LOAM_ATTRIBUTE_STRING) {
        return write_names_column(writer, names, attribute->values, count, scratch);
    }
    write_column(writer, attribute->values, count, sizeof *attribute->values);
    return LOAM_OK;
}

static loam_status write_set(byte_writer *writer, used_names *names, const point_set *set,
                             loam_arena *scratch) {
    use_names(names, set);
    write_u32(writer, names->count);
    for (uint32_t i = 0; i < names->count; i++) {
        write_text(writer, names->all.names[names->used[i]]);
    }
    write_u32(writer, set->count);
    write_i64(writer, set->base_x);
    write_i64(writer, set->base_z);
    write_u64(writer, set->id_key);
    write_u32(writer, set->density_all);
    write_u32(writer, use_name(names, set->asset_all));
#define WRITE_COLUMN(type, column) write_column(writer, set->column, set->count, sizeof(type));
    SET_COLUMNS(WRITE_COLUMN)
#undef WRITE_COLUMN
    LOAM_TRY(write_names_column(writer, names, set->asset, set->count, scratch));
    write_u32(writer, set->attribute_count);
    for (uint32_t k = 0; k < set->attribute_count; k++) {
        LOAM_TRY(write_attribute(writer, names, &set->attributes[k], set->count, scratch));
    }
    return LOAM_OK;
}

loam_status set_encode(const point_set *compact, point_names names, byte_writer *writer,
                       loam_arena *scratch) {
    const size_t mark = loam_arena_mark(scratch);
    used_names used = {
        .all = names,
        .numbers = loam_arena_take_zero(scratch, names.count, sizeof *used.numbers),
        .used = loam_arena_take(scratch, names.count, sizeof *used.used),
    };
    loam_status status = used.numbers == NULL || used.used == NULL
                             ? LOAM_ARENA_FULL
                             : write_set(writer, &used, compact, scratch);
    loam_arena_reset(scratch, mark);
    return status;
}

/* ---- Reading -------------------------------------------------------------------------------- */

/* A set that is read, and the evaluation's indices of its names. */
typedef struct set_reading {
    byte_reader *reader;
    loam_arena *arena;
    uint32_t *names;
    uint32_t name_count;
    loam_status status;
} set_reading;

static void *refuse(set_reading *reading, loam_status status) {
    reading->status = reading->status == LOAM_OK ? status : reading->status;
    return NULL;
}

static void read_rows(const unsigned char *from, size_t step, uint32_t count, size_t size,
                      void *to) {
    uint16_t *twos = to;
    uint32_t *fours = to;
    uint64_t *eights = to;
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *row = from + i * step;
        if (size == sizeof *twos) {
            twos[i] = get_u16(row);
        } else if (size == sizeof *fours) {
            fours[i] = get_u32(row);
        } else {
            eights[i] = get_u64(row);
        }
    }
}

/* NULL: the column is absent, or the reading has ended. */
static void *read_column(set_reading *reading, uint32_t count, size_t size) {
    const uint8_t form = read_u8(reading->reader);
    if (reading->status != LOAM_OK || form == COLUMN_ABSENT) {
        return NULL;
    }
    if (form > COLUMN_EACH || (form == COLUMN_ONE && count == 0)) {
        return refuse(reading, LOAM_DAMAGED);
    }
    const bool one = form == COLUMN_ONE;
    const unsigned char *rows = read_bytes(reading->reader, one ? size : count * size);
    if (reading->reader->failed) {
        return refuse(reading, LOAM_DAMAGED);
    }
    void *column = loam_arena_take(reading->arena, column_size(count), size);
    if (column == NULL) {
        return refuse(reading, LOAM_ARENA_FULL);
    }
    read_rows(rows, one ? 0 : size, count, size, column);
    return column;
}

/* Numbers of names become the evaluation's indices. */
static void *read_names_column(set_reading *reading, uint32_t count, bool may_miss) {
    int32_t *column = read_column(reading, count, sizeof *column);
    for (uint32_t i = 0; column != NULL && i < count; i++) {
        if (may_miss && column[i] == ATTRIBUTE_MISSING) {
            continue;
        }
        if ((uint32_t)column[i] >= reading->name_count) {
            return refuse(reading, LOAM_DAMAGED);
        }
        column[i] = (int32_t)reading->names[column[i]];
    }
    return column;
}

/* A copy of a text, for the bytes go away; in `room` when there is some left for it. */
static loam_text own_text(loam_text text, char **room) {
    char *own = *room;
    if (text.size > 0) {
        memcpy(own, text.bytes, text.size);
    }
    *room += text.size;
    return (loam_text){own, text.size};
}

/* Bytes of so many texts, which are only looked at. */
static size_t texts_bytes(const byte_reader *reader, uint32_t count) {
    byte_reader ahead = *reader;
    size_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        bytes += read_text(&ahead).size;
    }
    return bytes;
}

static void read_names(set_reading *reading, name_table *names) {
    enum { TEXT_BYTES_MIN = sizeof(uint32_t) };
    byte_reader *reader = reading->reader;
    const uint32_t count = read_u32(reader);
    if (count == 0 || count > reader->left / TEXT_BYTES_MIN) {
        refuse(reading, LOAM_DAMAGED);
        return;
    }
    char *room = loam_arena_take(reading->arena, texts_bytes(reader, count) + 1, 1);
    reading->names = loam_arena_take(reading->arena, count, sizeof *reading->names);
    if (room == NULL || reading->names == NULL) {
        refuse(reading, LOAM_ARENA_FULL);
        return;
    }
    for (uint32_t i = 0; i < count && reading->status == LOAM_OK; i++) {
        const loam_text name = own_text(read_text(reader), &room);
        if (reader->failed || name_table_add(names, name, &reading->names[i]) != LOAM_OK) {
            refuse(reading, reader->failed ? LOAM_DAMAGED : LOAM_ARENA_FULL);
        }
    }
    reading->name_count = reading->status == LOAM_OK ? count : 0;
}

static loam_text read_own_text(set_reading *reading) {
    const loam_text text = read_text(reading->reader);
    char *room = loam_arena_take(reading->arena, text.size + 1, 1);
    if (room == NULL) {
        refuse(reading, LOAM_ARENA_FULL);
        return (loam_text){"", 0};
    }
    return own_text(text, &room);
}

static void read_attributes(set_reading *reading, point_set *set) {
    const uint32_t count = read_u32(reading->reader);
    point_attribute *attributes =
        loam_arena_take(reading->arena, ATTRIBUTES_MAX, sizeof *attributes);
    if (count > ATTRIBUTES_MAX || attributes == NULL) {
        refuse(reading, count > ATTRIBUTES_MAX ? LOAM_DAMAGED : LOAM_ARENA_FULL);
        return;
    }
    for (uint32_t k = 0; k < count && reading->status == LOAM_OK; k++) {
        point_attribute *attribute = &attributes[k];
        attribute->name = read_own_text(reading);
        const uint8_t kind = read_u8(reading->reader);
        attribute->kind = (loam_attribute_kind)kind;
        attribute->values = kind == LOAM_ATTRIBUTE_STRING
                                ? read_names_column(reading, set->count, true)
                                : read_column(reading, set->count, sizeof *attribute->values);
        bool rises = k == 0 || loam_text_compare(attributes[k - 1].name, attribute->name) < 0;
        if (kind > LOAM_ATTRIBUTE_STRING || attribute->values == NULL || !rises) {
            refuse(reading, LOAM_DAMAGED);
        }
    }
    set->attributes = count == 0 ? NULL : attributes;
    set->attribute_count = count;
}

static bool has_places(const point_set *set, loam_rect rect) {
    if (set->x == NULL || set->z == NULL || set->y == NULL || set->a == NULL || set->b == NULL) {
        return false;
    }
    const int64_t far = POSITION_UNITS_MAX + RECT_SIDE_UNITS_MAX;
    bool inside =
        set->base_x >= -far && set->base_x <= far && set->base_z >= -far && set->base_z <= far;
    for (uint32_t i = 0; inside && i < set->count; i++) {
        const int64_t x = set->base_x + set->x[i], z = set->base_z + set->z[i];
        inside = set->x[i] >= 0 && set->z[i] >= 0 && x >= rect.x0 && x < rect.x1 && z >= rect.z0 &&
                 z < rect.z1;
    }
    return inside;
}

static bool is_sound(const point_set *set, loam_rect rect) {
    bool sound = has_places(set, rect) && set->density_all <= LOAM_DENSITY_ONE &&
                 (set->gradient_x == NULL) == (set->gradient_z == NULL) &&
                 (set->scale_y == NULL) == (set->scale_z == NULL);
    for (uint32_t i = 0; sound && set->density != NULL && i < set->count; i++) {
        sound = set->density[i] <= LOAM_DENSITY_ONE;
    }
    return sound;
}

loam_status set_decode(byte_reader *reader, loam_rect rect, name_table *names, loam_arena *arena,
                       point_set *set) {
    set_reading reading = {.reader = reader, .arena = arena};
    read_names(&reading, names);
    *set = (point_set){.count = read_u32(reader)};
    set->base_x = read_i64(reader);
    set->base_z = read_i64(reader);
    set->id_key = read_u64(reader);
    set->density_all = read_u32(reader);
    const uint32_t asset_all = read_u32(reader);
    if (reading.status == LOAM_OK &&
        (reader->failed || set->count > POINTS_MAX || asset_all >= reading.name_count)) {
        reading.status = LOAM_DAMAGED;
    }
    LOAM_TRY(reading.status);
    set->asset_all = reading.names[asset_all];
#define READ_COLUMN(type, column) set->column = read_column(&reading, set->count, sizeof(type));
    SET_COLUMNS(READ_COLUMN)
#undef READ_COLUMN
    set->asset = read_names_column(&reading, set->count, false);
    read_attributes(&reading, set);
    LOAM_TRY(reading.status);
    return !reader->failed && is_sound(set, rect) ? LOAM_OK : LOAM_DAMAGED;
}
