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

typedef struct geojson_reader geojson_reader;
typedef struct geojson_members geojson_members;

/* What a kind makes of a document. */
typedef struct geojson_taker {
    /* The coordinates of a geometry. */
    loam_status (*geometry)(geojson_reader *place, const geojson_members *geometry);
    /* What the geometries since the last feature gave is a feature; `id` and `properties` (an
     * object) are NULL when absent. */
    loam_status (*feature)(geojson_reader *place, const char *id, const char *properties);
} geojson_taker;

struct geojson_reader {
    const geojson_taker *taker;
    geojson_areas *areas; /* one of these three */
    geojson_lines *lines;
    geojson_points *points;
    loam_error *error;
    uint32_t ring_count;
    uint32_t polygon_count;
    uint32_t polygon_first; /* of the feature that is being read */
    uint32_t feature_count;
    bool collection;
    /* Where it stands; NOWHERE outside. */
    int64_t feature;
    bool in_geometry; /* of a feature: below /geometry */
    bool in_coordinates;
    int64_t polygon; /* of a MultiPolygon */
    int64_t ring;    /* or the line of a MultiLineString */
    int64_t vertex;
};

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
struct geojson_members {
    const char *values[MEMBER_COUNT];
};

/* `at` at an object; ends behind it. */
LOAM_MUST_USE loam_status members_read(const geojson_reader *place, const char **at,
                                       const char *tail, geojson_members *found);
/* Not there, or null. */
bool value_is_absent(const char *value);
bool value_is_text(const char *value, const char *text);

/* The numbers of a position in units; a third, the height, is passed over where `y` is NULL. `at`
 * ends behind it. */
LOAM_MUST_USE loam_status position_read(const geojson_reader *place, const char **at, int64_t xz[2],
                                        int32_t *y);

/* ---- The document (geojson_walk.c) --------------------------------------------------------- */

/* Checks the text and how large it is; `numbers` becomes how many numbers it holds. */
LOAM_MUST_USE loam_status geojson_check(loam_text document, uint32_t *numbers, loam_error *error);
/* Reads a checked document: each geometry and each feature goes to the place's taker. */
LOAM_MUST_USE loam_status geojson_walk(geojson_reader *place, loam_text document);
/* A feature's number in its document, from 0. */
uint32_t place_feature(const geojson_reader *place);
/* The key of a feature: of its id, else of properties.id, else of its first vertex. */
LOAM_MUST_USE loam_status feature_key_read(const geojson_reader *place, const char *id,
                                           const char *own_id, const int64_t first[2],
                                           uint64_t *key);
/* The known members of an object or of NULL. */
LOAM_MUST_USE loam_status properties_read(const geojson_reader *place, const char *value,
                                          geojson_members *properties);

/* The coordinates of a Polygon or MultiPolygon, added to the areas as the next feature's. */
LOAM_MUST_USE loam_status polygons_read(geojson_reader *place, const geojson_members *geometry);

#endif
