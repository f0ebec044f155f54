/* SPDX-License-Identifier: MIT
 *
 * sites_properties.c: the numbers and texts that given points bring, in normal form: by name, with
 * texts that are used, in bytewise order, so that values of equal points are equal.
 */
#include "core/base/index_sort.h"
#include "core/base/try.h"
#include "core/space/sites_parts.h"

#include <string.h>

static loam_status property_fail(loam_error *error, loam_status status, loam_text name,
                                 const char *what) {
    int size = (int)(name.size < ASSET_NAME_BYTES_MAX ? name.size : ASSET_NAME_BYTES_MAX);
    return loam_fail(error, status, "/features", "property %.*s %s", size, name.bytes, what);
}

static loam_status property_check(const loam_attribute *property, uint32_t count,
                                  loam_error *error) {
    loam_text name = property->name;
    if (name.size < 1 || name.size > ASSET_NAME_BYTES_MAX || name.bytes[0] == '$') {
        return property_fail(error, LOAM_BAD_NAME, name,
                             "must have a name of 1 to 256 bytes that does not begin with $");
    }
    bool text = property->kind == LOAM_ATTRIBUTE_STRING;
    if (!text && property->kind != LOAM_ATTRIBUTE_INT && property->kind != LOAM_ATTRIBUTE_FLOAT) {
        return property_fail(error, LOAM_WRONG_TYPE, name, "has an unknown kind");
    }
    for (uint32_t i = 0; text && i < count; i++) {
        int32_t value = property->values[i];
        if (value != LOAM_MISSING && (value < 0 || (uint32_t)value >= property->text_count)) {
            return property_fail(error, LOAM_OUT_OF_RANGE, name, "names a text that is not there");
        }
    }
    return LOAM_OK;
}

loam_status site_properties_check(const loam_sites_source *source, loam_error *error) {
    if (source->property_count > SITE_PROPERTIES_MAX) {
        return loam_fail(error, LOAM_TOO_MANY, "/features",
                         "points bring at most %d properties, not %u", SITE_PROPERTIES_MAX,
                         source->property_count);
    }
    for (uint32_t i = 0; i < source->property_count; i++) {
        LOAM_TRY(property_check(&source->properties[i], source->count, error));
        for (uint32_t j = 0; j < i; j++) {
            if (loam_text_equal(source->properties[i].name, source->properties[j].name)) {
                return property_fail(error, LOAM_DUPLICATE, source->properties[i].name,
                                     "is there twice");
            }
        }
    }
    return LOAM_OK;
}

static int name_compare(const void *context, uint32_t a, uint32_t b) {
    const loam_attribute *properties = context;
    return loam_text_compare(properties[a].name, properties[b].name);
}

static int text_compare(const void *context, uint32_t a, uint32_t b) {
    const loam_text *texts = context;
    return loam_text_compare(texts[a], texts[b]);
}

static bool property_is_used(const loam_attribute *property, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (property->values[i] != LOAM_MISSING) {
            return true;
        }
    }
    return false;
}

static loam_status text_keep(loam_text text, loam_arena *arena, loam_text *copy) {
    char *bytes = loam_arena_take(arena, text.size, 1);
    LOAM_TRY_MEMORY(bytes, NULL);
    if (text.size > 0) {
        memcpy(bytes, text.bytes, text.size);
    }
    *copy = (loam_text){bytes, text.size};
    return LOAM_OK;
}

/* Texts while they are put in order. */
typedef struct text_order {
    uint32_t *order; /* used texts */
    uint32_t *spare;
    int32_t *ranks; /* by text of the source: its index in the result */
    uint32_t used;
} text_order;

static loam_status texts_sort(const loam_attribute *property, uint32_t count, loam_arena *scratch,
                              text_order *texts) {
    texts->order = loam_arena_take(scratch, property->text_count, sizeof *texts->order);
    texts->spare = loam_arena_take(scratch, property->text_count, sizeof *texts->spare);
    texts->ranks = loam_arena_take_zero(scratch, property->text_count, sizeof *texts->ranks);
    if (texts->order == NULL || texts->spare == NULL || texts->ranks == NULL) {
        return LOAM_ARENA_FULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (property->values[i] != LOAM_MISSING) {
            texts->ranks[property->values[i]] = 1;
        }
    }
    for (uint32_t i = 0; i < property->text_count; i++) {
        if (texts->ranks[i] != 0) {
            texts->order[texts->used++] = i;
        }
    }
    index_sort(texts->order, texts->spare, texts->used, text_compare, property->texts);
    return LOAM_OK;
}

/* Equal texts become one; ranks are then indices of the result. */
static uint32_t texts_rank(const loam_attribute *property, text_order *texts) {
    uint32_t distinct = 0;
    for (uint32_t i = 0; i < texts->used; i++) {
        uint32_t text = texts->order[i];
        bool again = distinct > 0 && loam_text_equal(property->texts[text],
                                                     property->texts[texts->order[distinct - 1]]);
        if (!again) {
            texts->order[distinct++] = text;
        }
        texts->ranks[text] = (int32_t)distinct - 1;
    }
    return distinct;
}

/* How many texts the result has, and their bytes. */
static loam_status texts_measure(const loam_attribute *from, uint32_t count, loam_arena *scratch,
                                 uint32_t *text_count, size_t *bytes) {
    size_t mark = loam_arena_mark(scratch);
    text_order texts = {0};
    LOAM_TRY(texts_sort(from, count, scratch, &texts));
    *text_count = texts_rank(from, &texts);
    *bytes = 0;
    for (uint32_t i = 0; i < *text_count; i++) {
        *bytes += from->texts[texts.order[i]].size;
    }
    loam_arena_reset(scratch, mark);
    return LOAM_OK;
}

static loam_status texts_write(const loam_attribute *from, uint32_t count, int32_t *values,
                               loam_text *copies, char *bytes, loam_arena *scratch) {
    size_t mark = loam_arena_mark(scratch);
    text_order texts = {0};
    LOAM_TRY(texts_sort(from, count, scratch, &texts));
    uint32_t text_count = texts_rank(from, &texts);
    for (uint32_t i = 0; i < text_count; i++) {
        loam_text text = from->texts[texts.order[i]];
        if (text.size > 0) {
            memcpy(bytes, text.bytes, text.size);
        }
        copies[i] = (loam_text){bytes, text.size};
        bytes += text.size;
    }
    for (uint32_t i = 0; i < count; i++) {
        values[i] = from->values[i] == LOAM_MISSING ? LOAM_MISSING : texts.ranks[from->values[i]];
    }
    loam_arena_reset(scratch, mark);
    return LOAM_OK;
}

/* Sorted twice, so that what stays needs no more room than it has. */
static loam_status texts_make(const loam_attribute *from, uint32_t count, int32_t *values,
                              loam_arena *arena, loam_attribute *to) {
    size_t size = 0;
    LOAM_TRY(texts_measure(from, count, arena, &to->text_count, &size));
    loam_text *copies = loam_arena_take(arena, to->text_count, sizeof *copies);
    char *bytes = loam_arena_take(arena, size, 1);
    LOAM_TRY_MEMORY(copies, NULL);
    LOAM_TRY_MEMORY(bytes, NULL);
    to->texts = copies;
    return texts_write(from, count, values, copies, bytes, arena);
}

static loam_status property_make(const loam_attribute *from, uint32_t count, loam_arena *arena,
                                 loam_attribute *to) {
    int32_t *values = loam_arena_take(arena, count, sizeof *values);
    LOAM_TRY_MEMORY(values, NULL);
    *to = (loam_attribute){.kind = from->kind, .values = values};
    LOAM_TRY(text_keep(from->name, arena, &to->name));
    if (from->kind == LOAM_ATTRIBUTE_STRING) {
        return texts_make(from, count, values, arena, to);
    }
    memcpy(values, from->values, count * sizeof *values);
    return LOAM_OK;
}

loam_status site_properties_make(const loam_sites_source *source, loam_arena *arena,
                                 loam_attribute **properties, uint32_t *count, loam_error *error) {
    uint32_t order[SITE_PROPERTIES_MAX], spare[SITE_PROPERTIES_MAX];
    *count = 0;
    for (uint32_t i = 0; i < source->property_count; i++) {
        if (property_is_used(&source->properties[i], source->count)) {
            order[(*count)++] = i;
        }
    }
    index_sort(order, spare, *count, name_compare, source->properties);
    *properties = loam_arena_take(arena, *count, sizeof **properties);
    LOAM_TRY_MEMORY(*properties, error);
    for (uint32_t i = 0; i < *count; i++) {
        LOAM_TRY(
            property_make(&source->properties[order[i]], source->count, arena, &(*properties)[i]));
    }
    return LOAM_OK;
}
