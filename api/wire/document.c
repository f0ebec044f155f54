/* SPDX-License-Identifier: MIT
 *
 * document.c: see document.h. Parsing and places; typed values are in item.c.
 */
#include "api/wire/document.h"

#include "api/wire/parse_memory.h"
#include "core/base/try.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

loam_status wire_init(loam_error *error) {
    size_t seed = 0;
    while (seed == 0) {
        if (getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed) {
            return loam_fail(error, LOAM_IO, NULL, "the kernel gives no random bytes");
        }
    }
    json_object_seed(seed);
    parse_memory_init();
    return LOAM_OK;
}

static loam_status check_extent(loam_text json, size_t values_max, const item *whole,
                                size_t *values) {
    if (json.size > JSON_BYTES_MAX) {
        return item_fail(whole, LOAM_TOO_LARGE, "a JSON document has at most %zu bytes, not %zu",
                         JSON_BYTES_MAX, json.size);
    }
    /* The parser passes over one that follows a number. */
    if (json.size > 0 && memchr(json.bytes, 0, json.size) != NULL) {
        return item_fail(whole, LOAM_MALFORMED, "a byte of zero is no JSON");
    }
    json_extent extent = json_scan(json, JSON_DEPTH_MAX, values_max);
    if (extent.depth > JSON_DEPTH_MAX) {
        return item_fail(whole, LOAM_MALFORMED, "nested deeper than %d", JSON_DEPTH_MAX);
    }
    if (extent.values > values_max) {
        return item_fail(whole, LOAM_TOO_MANY, "more than %zu values", values_max);
    }
    *values = extent.values;
    return LOAM_OK;
}

bool document_fits(loam_text json) {
    json_extent extent = json_scan(json, JSON_DEPTH_MAX, JSON_VALUES_MAX);
    return json.size <= JSON_BYTES_MAX && extent.depth <= JSON_DEPTH_MAX &&
           extent.values <= JSON_VALUES_MAX;
}

loam_status document_read(loam_text json, json_t **root, fault_list *faults) {
    return document_read_many(json, JSON_VALUES_MAX, root, faults);
}

/* Where memory is short, what was made of it is none. */
static loam_status parse(loam_text json, json_t **root, const item *whole) {
    /* Every number as binary64: a whole number beyond 64 bits is out of range for its field, which
     * the field's reader says, and no fault of the syntax. */
    size_t flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL;
    json_error_t fault;
    *root = json_loadb(json.size == 0 ? "" : json.bytes, json.size, flags, &fault);
    if (parse_memory_was_short()) {
        json_decref(*root);
        *root = NULL;
        return item_fail(whole, LOAM_OVERLOADED, "no memory for the document");
    }
    if (*root != NULL) {
        return LOAM_OK;
    }
    loam_status status =
        json_error_code(&fault) == json_error_numeric_overflow ? LOAM_OUT_OF_RANGE : LOAM_MALFORMED;
    return item_fail(whole, status, "line %d, column %d: %s", fault.line, fault.column, fault.text);
}

loam_status document_read_many(loam_text json, size_t values_max, json_t **root,
                               fault_list *faults) {
    size_t values = 0;
    *root = NULL;
    item whole = {.faults = faults};
    LOAM_TRY(check_extent(json, values_max, &whole, &values));
    if (!parse_memory_begin(json.size, values)) {
        return item_fail(&whole, LOAM_OVERLOADED, "no memory for the document");
    }
    loam_status status = parse(json, root, &whole);
    parse_memory_end();
    return status;
}

item document_item(json_t *root, fault_list *faults) {
    return (item){.value = root, .faults = faults};
}

item item_field(const item *object, const char *key) {
    return (item){.value = json_object_get(object->value, key),
                  .parent = object,
                  .key = key,
                  .faults = object->faults};
}

item item_at(const item *array, size_t index) {
    return (item){.value = json_array_get(array->value, index),
                  .parent = array,
                  .index = index,
                  .faults = array->faults};
}

size_t item_count(const item *array) {
    return json_is_object(array->value) ? json_object_size(array->value)
                                        : json_array_size(array->value);
}

void *item_next(const item *object, void *previous, item *child) {
    void *at = previous == NULL ? json_object_iter(object->value)
                                : json_object_iter_next(object->value, previous);
    if (at != NULL) {
        *child = (item){.value = json_object_iter_value(at),
                        .parent = object,
                        .key = json_object_iter_key(at),
                        .faults = object->faults};
    }
    return at;
}

bool item_present(const item *at) {
    return at->value != NULL;
}

/* One segment, '~' and '/' escaped; false when it does not fit. */
static bool add_segment(const item *at, char *pointer, size_t capacity, size_t *size) {
    char index[24];
    snprintf(index, sizeof index, "%zu", at->index);
    size_t used = *size;
    pointer[used++] = '/';
    for (const char *from = at->key == NULL ? index : at->key; *from != 0; from++) {
        if (used + 3 > capacity) {
            return false;
        }
        if (*from == '~' || *from == '/') {
            pointer[used++] = '~';
            pointer[used++] = *from == '~' ? '0' : '1';
        } else {
            pointer[used++] = *from;
        }
    }
    *size = used;
    return true;
}

static bool add_place(const item *at, char *pointer, size_t capacity, size_t *size) {
    if (at->parent == NULL) {
        return true;
    }
    return add_place(at->parent, pointer, capacity, size) && *size + 2 < capacity &&
           add_segment(at, pointer, capacity, size);
}

void item_pointer(const item *at, char *pointer, size_t capacity) {
    size_t size = 0;
    (void)add_place(at, pointer, capacity, &size);
    pointer[size] = 0;
}

loam_status item_fail(const item *at, loam_status status, const char *format, ...) {
    loam_error fault = {.status = status};
    item_pointer(at, fault.pointer, sizeof fault.pointer);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault.text, sizeof fault.text, format, arguments);
    va_end(arguments);
    return fault_add(at->faults, &fault);
}

loam_status item_fail_memory(const item *at) {
    return item_fail(at, LOAM_ARENA_FULL, "the document needs more memory than it may have");
}
