/* SPDX-License-Identifier: MIT
 *
 * geojson_properties.c: see geojson_properties.h. A column is of the narrowest kind that holds all
 * of it: whole numbers, numbers in 1/65,536, else texts.
 */
#include "api/wire/geojson_properties.h"

#include "api/wire/asset_feature.h"
#include "api/wire/asset_round.h"
#include "core/base/try.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ENTRIES_FIRST = 64,
    NUMBER_STEPS = 65536,
    /* A longest name as it may be written: \u0061 is six bytes for one. */
    NAME_WRITTEN_BYTES_MAX = 6 * ASSET_NAME_BYTES_MAX,
};

/* ---- Entries ------------------------------------------------------------------------------- */

static loam_status no_memory(loam_error *error) {
    return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for the properties of points");
}

/* Names are attributes' names: short, and without controls; those with $ are loam's own. */
static bool name_is_legal(loam_text name) {
    bool legal = name.size >= 1 && name.size <= ASSET_NAME_BYTES_MAX && name.bytes[0] != '$';
    for (size_t i = 0; i < name.size && legal; i++) {
        unsigned char byte = (unsigned char)name.bytes[i];
        legal = byte >= 0x20 && byte != 0x7f;
    }
    return legal;
}

static loam_status add_column(point_properties *properties, const geojson_reader *place,
                              loam_text name) {
    if (properties->column_count == SITE_PROPERTIES_MAX) {
        return place_fail(place, LOAM_TOO_MANY, "/properties",
                          "points bring at most 32 different properties");
    }
    char *bytes = properties->names[properties->column_count];
    memcpy(bytes, name.bytes, name.size);
    properties->columns[properties->column_count++].name = (loam_text){bytes, name.size};
    return LOAM_OK;
}

/* Two spellings of one name (with escapes) are one: it is judged as what it means. */
static loam_status find_column(point_properties *properties, const geojson_reader *place,
                               loam_text written, uint32_t *column) {
    char plain[NAME_WRITTEN_BYTES_MAX];
    bool fits = written.size <= sizeof plain;
    loam_text name = {plain, fits ? scan_unescape(written, plain) : 0};
    if (!name_is_legal(name)) {
        return place_fail(place, LOAM_BAD_NAME, "/properties",
                          "a point's property has a name of 1 to 256 bytes without controls that "
                          "does not begin with $");
    }
    for (*column = 0; *column < properties->column_count; (*column)++) {
        if (loam_text_equal(properties->columns[*column].name, name)) {
            return LOAM_OK;
        }
    }
    return add_column(properties, place, name);
}

static loam_status add_entry(point_properties *properties, property_entry entry,
                             loam_error *error) {
    if (properties->entry_count == properties->entry_capacity) {
        size_t capacity = properties->entry_capacity * 2 + ENTRIES_FIRST;
        property_entry *grown = realloc(properties->entries, capacity * sizeof *grown);
        if (grown == NULL) {
            return no_memory(error);
        }
        properties->entries = grown;
        properties->entry_capacity = capacity;
    }
    properties->entries[properties->entry_count++] = entry;
    return LOAM_OK;
}

loam_status properties_note(point_properties *properties, const geojson_reader *place,
                            const char *object, uint32_t site_first, uint32_t site_count) {
    const char *at = object;
    size_t entry_first = properties->entry_count;
    for (scan_enter(&at); scan_more(&at); scan_skip(&at)) {
        uint32_t column;
        loam_text name = scan_key(&at);
        scan_kind kind = scan_kind_of(at);
        if (kind != SCAN_NUMBER && kind != SCAN_STRING) {
            continue;
        }
        LOAM_TRY(find_column(properties, place, name, &column));
        for (size_t i = entry_first; i < properties->entry_count; i++) {
            if (properties->entries[i].column == column) {
                return place_fail(place, LOAM_MALFORMED, "/properties",
                                  "a property of this object is there twice");
            }
        }
        property_entry entry = {at, column, place_feature(place), site_first, site_count};
        LOAM_TRY(add_entry(properties, entry, place->error));
    }
    return LOAM_OK;
}

/* ---- Columns ------------------------------------------------------------------------------- */

static double number_of(const char *value) {
    return scan_number(scan_token(&value));
}

static bool is_whole(double number) {
    return number >= -INT32_MAX && number <= INT32_MAX && (double)(int32_t)number == number;
}

/* The narrowest kind of one value. */
static loam_attribute_kind kind_of(const char *value) {
    int64_t rounded;
    if (scan_kind_of(value) == SCAN_STRING) {
        return LOAM_ATTRIBUTE_STRING;
    }
    double number = number_of(value);
    if (is_whole(number)) {
        return LOAM_ATTRIBUTE_INT;
    }
    return round_nearest(number, NUMBER_STEPS, INT32_MAX, &rounded) ? LOAM_ATTRIBUTE_FLOAT
                                                                    : LOAM_ATTRIBUTE_STRING;
}

/* A column of numbers with fractions has whole numbers too, which may be too large for it. */
static void find_kinds(point_properties *properties) {
    for (size_t i = 0; i < properties->entry_count; i++) {
        loam_attribute *column = &properties->columns[properties->entries[i].column];
        loam_attribute_kind kind = kind_of(properties->entries[i].value);
        column->kind = kind > column->kind ? kind : column->kind;
    }
    for (size_t i = 0; i < properties->entry_count; i++) {
        loam_attribute *column = &properties->columns[properties->entries[i].column];
        int64_t rounded;
        if (column->kind == LOAM_ATTRIBUTE_FLOAT &&
            !round_nearest(number_of(properties->entries[i].value), NUMBER_STEPS, INT32_MAX,
                           &rounded)) {
            column->kind = LOAM_ATTRIBUTE_STRING;
        }
    }
}

_Static_assert(LOAM_ATTRIBUTE_INT < LOAM_ATTRIBUTE_FLOAT &&
                   LOAM_ATTRIBUTE_FLOAT < LOAM_ATTRIBUTE_STRING,
               "kinds stand in order of what they hold");

/* A text's size is at most what it has in the document, a number's what any has. */
static size_t text_bytes_bound(const point_properties *properties) {
    size_t bound = 1;
    for (size_t i = 0; i < properties->entry_count; i++) {
        const property_entry *entry = &properties->entries[i];
        const char *value = entry->value;
        char number[FEATURE_NUMBER_BYTES];
        if (properties->columns[entry->column].kind == LOAM_ATTRIBUTE_STRING) {
            bound += scan_kind_of(value) == SCAN_STRING
                         ? scan_token(&value).size
                         : feature_number_text(number_of(value), number);
        }
    }
    return bound;
}

static loam_text add_text(point_properties *properties, loam_text written) {
    char *to = properties->bytes + properties->byte_count;
    loam_text text = {to, scan_unescape(written, to)};
    properties->byte_count += text.size;
    return text;
}

/* A text that a point has; false when it is a number beyond all of them. */
static bool read_text_value(point_properties *properties, const char *value, loam_text *text) {
    if (scan_kind_of(value) == SCAN_STRING) {
        *text = add_text(properties, scan_token(&value));
        return true;
    }
    char number[FEATURE_NUMBER_BYTES];
    size_t size = feature_number_text(number_of(value), number);
    memcpy(properties->bytes + properties->byte_count, number, size);
    *text = (loam_text){properties->bytes + properties->byte_count, size};
    properties->byte_count += size;
    return size > 0;
}

/* A fault of an entry, at its feature: the reader has gone on since. */
static loam_status entry_fail(const geojson_reader *place, const property_entry *entry,
                              loam_text name) {
    char what[LOAM_ERROR_TEXT_BYTES];
    geojson_reader at = *place;
    at.feature = place->collection ? (int64_t)entry->feature : NOWHERE;
    snprintf(what, sizeof what, "property %.*s is no finite number", (int)name.size, name.bytes);
    return place_fail(&at, LOAM_OUT_OF_RANGE, "/properties", what);
}

/* The value of an entry in its column; a text's is its index. */
static loam_status read_value(point_properties *properties, const geojson_reader *place,
                              const property_entry *entry, uint32_t *text_count, int32_t *value) {
    const loam_attribute *column = &properties->columns[entry->column];
    int64_t rounded = 0;
    if (column->kind == LOAM_ATTRIBUTE_STRING) {
        if (!read_text_value(properties, entry->value, &properties->texts[*text_count])) {
            return entry_fail(place, entry, column->name);
        }
        *value = (int32_t)(*text_count)++;
        return LOAM_OK;
    }
    int64_t steps = column->kind == LOAM_ATTRIBUTE_INT ? 1 : NUMBER_STEPS;
    (void)round_nearest(number_of(entry->value), (double)steps, INT32_MAX, &rounded);
    *value = (int32_t)rounded;
    return LOAM_OK;
}

static loam_status take_memory(point_properties *properties, uint32_t site_count,
                               loam_error *error) {
    size_t cells = (size_t)properties->column_count * site_count;
    properties->bytes = malloc(text_bytes_bound(properties));
    properties->values = malloc(cells * sizeof *properties->values + 1);
    properties->texts = malloc(properties->entry_count * sizeof *properties->texts + 1);
    if (properties->bytes == NULL || properties->values == NULL || properties->texts == NULL) {
        return no_memory(error);
    }
    for (size_t i = 0; i < cells; i++) {
        properties->values[i] = LOAM_MISSING;
    }
    return LOAM_OK;
}

/* All columns share one list of texts: core sorts out who uses which. */
loam_status properties_settle(point_properties *properties, const geojson_reader *place,
                              uint32_t site_count) {
    uint32_t text_count = 0;
    find_kinds(properties);
    LOAM_TRY(take_memory(properties, site_count, place->error));
    for (uint32_t i = 0; i < properties->column_count; i++) {
        properties->columns[i].values = properties->values + (size_t)i * site_count;
        properties->columns[i].texts = properties->texts;
    }
    for (size_t i = 0; i < properties->entry_count; i++) {
        const property_entry *entry = &properties->entries[i];
        int32_t *values = properties->values + (size_t)entry->column * site_count;
        int32_t value = 0;
        LOAM_TRY(read_value(properties, place, entry, &text_count, &value));
        for (uint32_t j = 0; j < entry->site_count; j++) {
            values[entry->site_first + j] = value;
        }
    }
    for (uint32_t i = 0; i < properties->column_count; i++) {
        bool text = properties->columns[i].kind == LOAM_ATTRIBUTE_STRING;
        properties->columns[i].text_count = text ? text_count : 0;
    }
    return LOAM_OK;
}

void properties_fini(point_properties *properties) {
    if (properties != NULL) {
        free(properties->entries);
        free(properties->values);
        free(properties->texts);
        free(properties->bytes);
        free(properties);
    }
}
