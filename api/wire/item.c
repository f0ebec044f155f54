/* SPDX-License-Identifier: MIT
 *
 * item.c: typed values of a document; see document.h.
 */
#include "api/wire/document.h"

#include "api/wire/seed.h"
#include "api/wire/unknown.h"
#include "core/base/text.h"
#include "core/base/try.h"

#include <math.h>
#include <string.h>

static const char *type_name(const json_t *value) {
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
    case JSON_FALSE:
        return "a boolean";
    case JSON_NULL:
        return "null";
    }
    return "nothing";
}

/* The fault of an item that is absent or of another type than `wanted`. */
static loam_status refuse_type(const item *at, const char *wanted) {
    if (!item_present(at)) {
        return item_fail(at, LOAM_MISSING_FIELD, "%s is required here", wanted);
    }
    return item_fail(at, LOAM_WRONG_TYPE, "%s is wanted, not %s", wanted, type_name(at->value));
}

loam_status item_object(const item *at) {
    return json_is_object(at->value) ? LOAM_OK : refuse_type(at, "an object");
}

loam_status item_array(const item *at, size_t count_min, size_t count_max) {
    if (!json_is_array(at->value)) {
        return refuse_type(at, "an array");
    }
    size_t count = json_array_size(at->value);
    if (count < count_min) {
        return item_fail(at, LOAM_OUT_OF_RANGE, "at least %zu items are wanted, not %zu", count_min,
                         count);
    }
    if (count > count_max) {
        return item_fail(at, LOAM_TOO_MANY, "at most %zu items are allowed, not %zu", count_max,
                         count);
    }
    return LOAM_OK;
}

static bool is_known(const char *key, const char *const *known) {
    for (; *known != NULL; known++) {
        if (strcmp(key, *known) == 0) {
            return true;
        }
    }
    return false;
}

loam_status item_fields(const item *at, const char *const *known) {
    LOAM_TRY(item_object(at));
    loam_status status = LOAM_OK;
    item child;
    for (void *i = item_next(at, NULL, &child); i != NULL; i = item_next(at, i, &child)) {
        if (!is_known(child.key, known)) {
            status = unknown_field(&child, known);
        }
    }
    return status;
}

loam_status item_text(const item *at, loam_text *text) {
    if (!json_is_string(at->value)) {
        return refuse_type(at, "a string");
    }
    *text = (loam_text){json_string_value(at->value), json_string_length(at->value)};
    return LOAM_OK;
}

static loam_status refuse_name(const item *at) {
    return item_fail(at, LOAM_BAD_NAME, "a name is [a-z0-9][a-z0-9._-]*, at most %d bytes",
                     NAME_BYTES_MAX);
}

loam_status item_name(const item *at, loam_text *name) {
    LOAM_TRY(item_text(at, name));
    return text_is_name(*name) ? LOAM_OK : refuse_name(at);
}

loam_status item_key_name(const item *at, loam_text *name) {
    *name = loam_text_of(at->key);
    return text_is_name(*name) ? LOAM_OK : refuse_name(at);
}

loam_status item_bool(const item *at, bool *value) {
    if (!json_is_boolean(at->value)) {
        return refuse_type(at, "true or false");
    }
    *value = json_is_true(at->value);
    return LOAM_OK;
}

loam_status item_number(const item *at, double *value) {
    if (!json_is_number(at->value)) {
        return refuse_type(at, "a number");
    }
    *value = json_number_value(at->value);
    return LOAM_OK;
}

loam_status item_integer(const item *at, int64_t min, int64_t max, int64_t *value) {
    double number = 0;
    LOAM_TRY(item_number(at, &number));
    if (number < (double)min || number > (double)max) {
        return item_fail(at, LOAM_OUT_OF_RANGE, "it must be in %lld..%lld", (long long)min,
                         (long long)max);
    }
    if (number != floor(number)) {
        return item_fail(at, LOAM_WRONG_TYPE, "a whole number is wanted");
    }
    *value = (int64_t)number;
    return LOAM_OK;
}

loam_status item_seed(const item *at, uint64_t *seed) {
    if (!item_present(at)) {
        return refuse_type(at, "a seed");
    }
    loam_text text = {json_string_value(at->value), json_string_length(at->value)};
    if (!json_is_string(at->value) || !seed_parse(text, seed)) {
        return item_fail(at, LOAM_SEED_OUT_OF_RANGE,
                         "a seed is a decimal string from \"0\" to \"18446744073709551615\"");
    }
    return LOAM_OK;
}

loam_status item_digest(const item *at, digest *value) {
    loam_text text;
    LOAM_TRY(item_text(at, &text));
    if (!digest_parse(text, value)) {
        return item_fail(at, LOAM_BAD_NAME, "a digest is \"sha256-\" and 64 lower-case hex digits");
    }
    return LOAM_OK;
}
