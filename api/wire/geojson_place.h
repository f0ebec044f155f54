/* SPDX-License-Identifier: MIT
 *
 * geojson_place.h: where the reader of GeoJSON stands, as a few counters from which the pointer of
 * a fault is printed; and the members of an object, which come in any order: an object is passed
 * once to note where they begin, and then read in the order that makes sense. Internal to
 * geojson*.c.
 */
#ifndef LOAM_WIRE_GEOJSON_PLACE_H
#define LOAM_WIRE_GEOJSON_PLACE_H

#include "api/wire/asset_scan.h"
#include "api/wire/geojson.h"

#define NOWHERE (-1)

typedef struct geojson_reader {
    geojson_areas *areas;
    loam_error *error;
    uint32_t ring_count;
    uint32_t polygon_count;
    uint32_t feature_count;
    /* Where it stands; NOWHERE outside. */
    int64_t feature;
    bool in_geometry; /* of a feature: below /geometry */
    bool in_coordinates;
    int64_t polygon; /* of a MultiPolygon */
    int64_t ring;
    int64_t vertex;
} geojson_reader;

/* A fault at `tail` of where the reader stands. */
loam_status place_fail(const geojson_reader *at, loam_status status, const char *tail,
                       const char *what);
/* The value is there and of this kind. */
LOAM_MUST_USE loam_status place_require(const geojson_reader *at, const char *value, scan_kind kind,
                                        const char *tail, const char *what);

enum geojson_member {
    MEMBER_TYPE,
    MEMBER_FEATURES,
    MEMBER_GEOMETRY,
    MEMBER_COORDINATES,
    MEMBER_PROPERTIES,
    MEMBER_ID,
    MEMBER_CRS,
    MEMBER_NAME,
    MEMBER_MARGIN,
    MEMBER_BUFFER,
    MEMBER_COUNT,
};

/* Where the values of known members begin; NULL when absent. */
typedef struct geojson_members {
    const char *values[MEMBER_COUNT];
} geojson_members;

/* `at` at an object; ends behind it. */
LOAM_MUST_USE loam_status members_read(const geojson_reader *place, const char **at,
                                       const char *tail, geojson_members *found);
/* Not there, or null. */
bool value_is_absent(const char *value);
bool value_is_text(const char *value, const char *text);

/* The coordinates of a Polygon or MultiPolygon, added to the areas as the next feature's. */
LOAM_MUST_USE loam_status geometry_read(geojson_reader *place, const geojson_members *geometry);

#endif
