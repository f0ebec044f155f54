/* SPDX-License-Identifier: MIT
 *
 * asset_query.c: see asset_query.h.
 */
#include "api/wire/asset_query.h"

#include "api/wire/asset_scan.h"
#include "api/wire/unknown.h"
#include "core/base/text.h"
#include "core/base/try.h"

#include <string.h>

enum {
    /* What an error repeats of the address. */
    SHOWN_BYTES_MAX = 64,
    /* A number's digits; more than any binary64 needs to be told apart. */
    NUMBER_TEXT_BYTES_MAX = 64,
};

static loam_text shown(loam_text text) {
    return (loam_text){text.bytes, text.size < SHOWN_BYTES_MAX ? text.size : SHOWN_BYTES_MAX};
}

loam_status query_check_names(const asset_query *query, const char *const *known,
                              loam_error *error) {
    for (uint32_t i = 0; i < query->count; i++) {
        loam_text name = query->params[i].name;
        LOAM_TRY(query_name_check(name, known, error));
        for (uint32_t j = 0; j < i; j++) {
            if (loam_text_equal(name, query->params[j].name)) {
                return loam_fail(error, LOAM_DUPLICATE, NULL,
                                 "the query parameter %.*s is given twice", TEXT_ARGS(name));
            }
        }
    }
    return LOAM_OK;
}

loam_text query_find(const asset_query *query, const char *name) {
    for (uint32_t i = 0; i < query->count; i++) {
        if (loam_text_equal(query->params[i].name, loam_text_of(name))) {
            loam_text value = query->params[i].value;
            return value.bytes == NULL ? (loam_text){"", 0} : value;
        }
    }
    return (loam_text){NULL, 0};
}

loam_status query_require(const asset_query *query, const char *name, loam_text *value,
                          loam_error *error) {
    *value = query_find(query, name);
    if (value->bytes == NULL) {
        return loam_fail(error, LOAM_MISSING_FIELD, NULL, "the query parameter %s is required",
                         name);
    }
    return LOAM_OK;
}

loam_status query_count(const asset_query *query, const char *name, uint32_t *value,
                        loam_error *error) {
    loam_text text = query_find(query, name);
    uint64_t count = 0;
    *value = 0;
    if (text.bytes == NULL) {
        return LOAM_OK;
    }
    for (size_t i = 0; i < text.size; i++) {
        if (text.bytes[i] < '0' || text.bytes[i] > '9') {
            return loam_fail(error, LOAM_WRONG_TYPE, NULL,
                             "the query parameter %s is a whole number, not %.*s", name,
                             TEXT_ARGS(shown(text)));
        }
        count = count * 10 + (uint64_t)(text.bytes[i] - '0');
        if (count > UINT32_MAX) {
            break;
        }
    }
    if (count == 0 || count > UINT32_MAX) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL,
                         "the query parameter %s is out of range: %.*s", name,
                         TEXT_ARGS(shown(text)));
    }
    *value = (uint32_t)count;
    return LOAM_OK;
}

static bool is_number(loam_text text) {
    bool starts = text.size > 0 && text.size <= NUMBER_TEXT_BYTES_MAX &&
                  (text.bytes[0] == '-' || (text.bytes[0] >= '0' && text.bytes[0] <= '9'));
    char last = starts ? text.bytes[text.size - 1] : ' ';
    scan_limits limits = {.depth_max = 1, .numbers_max = 1};
    uint32_t numbers = 0;
    return last >= '0' && last <= '9' && scan_check(text, limits, &numbers, NULL) == LOAM_OK;
}

loam_status query_number(const asset_query *query, const char *name, double *value,
                         loam_error *error) {
    loam_text text = query_find(query, name);
    if (text.bytes == NULL) {
        return LOAM_OK;
    }
    if (!is_number(text)) {
        return loam_fail(error, LOAM_WRONG_TYPE, NULL,
                         "the query parameter %s is a number, not %.*s", name,
                         TEXT_ARGS(shown(text)));
    }
    *value = scan_number(text);
    return LOAM_OK;
}

loam_status query_choice(const asset_query *query, const char *name, const char *const *choices,
                         uint32_t *index, loam_error *error) {
    loam_text text;
    LOAM_TRY(query_require(query, name, &text, error));
    for (*index = 0; choices[*index] != NULL; *index += 1) {
        if (loam_text_equal(text, loam_text_of(choices[*index]))) {
            return LOAM_OK;
        }
    }
    return loam_fail(error, LOAM_OUT_OF_RANGE, NULL,
                     "the query parameter %s cannot be %.*s, but for example %s", name,
                     TEXT_ARGS(shown(text)), choices[0]);
}
