/* SPDX-License-Identifier: MIT
 *
 * geojson_place.c: see geojson_place.h.
 */
#include "api/wire/geojson_place.h"

#include "api/wire/asset_round.h"
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/base/try.h"

#include <stdio.h>

static const char *const member_names[MEMBER_COUNT] = {
    "type", "features", "geometry", "coordinates", "properties",
    "id",   "crs",      "name",     "margin_m",    "buffer_m",
};

/* ---- Places -------------------------------------------------------------------------------- */

static size_t add_index(char *pointer, size_t size, int64_t index) {
    if (index == NOWHERE || size >= LOAM_POINTER_BYTES) {
        return size;
    }
    return size +
           (size_t)snprintf(pointer + size, LOAM_POINTER_BYTES - size, "/%lld", (long long)index);
}

static size_t add_part(char *pointer, size_t size, const char *part) {
    return size + (size_t)snprintf(pointer + size, LOAM_POINTER_BYTES - size, "%s", part);
}

/* A fault at `tail` of where the reader stands. */
loam_status place_fail(const geojson_reader *at, loam_status status, const char *tail,
                       const char *what) {
    char pointer[LOAM_POINTER_BYTES] = "";
    size_t size = 0;
    if (at->feature != NOWHERE) {
        size = add_index(pointer, add_part(pointer, 0, "/features"), at->feature);
    }
    size = add_part(pointer, size, at->in_geometry ? "/geometry" : "");
    size = add_part(pointer, size, at->in_coordinates ? "/coordinates" : "");
    size = add_index(pointer, size, at->polygon);
    size = add_index(pointer, size, at->ring);
    size = add_index(pointer, size, at->vertex);
    (void)add_part(pointer, size, tail);
    return loam_fail(at->error, status, pointer, "%s", what);
}

loam_status place_require(const geojson_reader *at, const char *value, scan_kind kind,
                          const char *tail, const char *what) {
    if (value == NULL) {
        return place_fail(at, LOAM_MISSING_FIELD, tail, what);
    }
    return scan_kind_of(value) == kind ? LOAM_OK : place_fail(at, LOAM_WRONG_TYPE, tail, what);
}

/* ---- Members ------------------------------------------------------------------------------- */

static int member_find(loam_text key) {
    for (int i = 0; i < MEMBER_COUNT; i++) {
        if (scan_equal(key, member_names[i])) {
            return i;
        }
    }
    return MEMBER_COUNT;
}

/* `at` at an object; ends behind it. */
loam_status members_read(const geojson_reader *place, const char **at, const char *tail,
                         geojson_members *found) {
    *found = (geojson_members){0};
    for (scan_enter(at); scan_more(at); scan_skip(at)) {
        int member = member_find(scan_key(at));
        if (member == MEMBER_COUNT) {
            continue;
        }
        if (found->values[member] != NULL) {
            return place_fail(place, LOAM_MALFORMED, tail,
                              "a member of this object is there twice");
        }
        found->values[member] = *at;
    }
    return LOAM_OK;
}

bool value_is_absent(const char *value) {
    return value == NULL || scan_kind_of(value) == SCAN_NULL;
}

bool value_is_text(const char *value, const char *text) {
    return !value_is_absent(value) && scan_kind_of(value) == SCAN_STRING &&
           scan_equal(scan_token(&value), text);
}

/* ---- Positions ----------------------------------------------------------------------------- */

enum { POSITION_NUMBERS = 3 };

loam_status position_read(const geojson_reader *place, const char **at, int64_t xz[2], int32_t *y) {
    static const char *const tails[POSITION_NUMBERS] = {"/0", "/1", "/2"};
    int64_t units[POSITION_NUMBERS] = {0};
    size_t wanted = y == NULL ? 2 : POSITION_NUMBERS;
    size_t count = 0;
    LOAM_TRY(place_require(place, *at, SCAN_ARRAY, "", "a position is an array [x, z]"));
    for (scan_enter(at); scan_more(at); count++) {
        if (count >= wanted) {
            scan_skip(at);
            continue;
        }
        LOAM_TRY(place_require(place, *at, SCAN_NUMBER, tails[count], "a coordinate is a number"));
        double metres = scan_number(scan_token(at));
        int64_t most = count < 2 ? POSITION_UNITS_MAX : SITE_Y_UNITS_MAX;
        if (!round_nearest(metres, LOAM_UNITS_PER_METRE, most, &units[count])) {
            return place_fail(place, LOAM_COORDINATE_RANGE, tails[count],
                              "a coordinate is too far out");
        }
    }
    if (count < 2) {
        return place_fail(place, LOAM_MALFORMED, "", "a position has two numbers");
    }
    xz[0] = units[0];
    xz[1] = units[1];
    if (y != NULL) {
        *y = (int32_t)units[2];
    }
    return LOAM_OK;
}
