/* SPDX-License-Identifier: MIT
 *
 * geojson_point.c: given points from GeoJSON: the coordinates of Points and MultiPoints, with the
 * numbers and texts of their features. All points of a feature have the feature's key; core tells
 * them apart.
 */
#include "api/wire/geojson_properties.h"
#include "core/base/try.h"

#include <stdlib.h>

enum { NUMBERS_PER_POINT = 2, SPARE = 1 };

static loam_status read_point(geojson_reader *place, const char **at) {
    geojson_points *points = place->points;
    loam_site *site = &points->sites[points->source.count];
    int64_t xz[2];
    int32_t y;
    LOAM_TRY(position_read(place, at, xz, &y));
    *site = (loam_site){.x = xz[0], .z = xz[1], .y = y, .feature = place_feature(place)};
    points->source.count++;
    return LOAM_OK;
}

static loam_status read_points(geojson_reader *place, const char **at) {
    place->vertex = 0;
    for (scan_enter(at); scan_more(at); place->vertex++) {
        LOAM_TRY(read_point(place, at));
    }
    place->vertex = NOWHERE;
    return LOAM_OK;
}

/* A point without a coordinate is nothing, as RFC 7946 allows. */
static bool array_is_empty(const char *at) {
    scan_enter(&at);
    return !scan_more(&at);
}

static loam_status take_geometry(geojson_reader *place, const geojson_members *geometry) {
    bool one = value_is_text(geometry->values[MEMBER_TYPE], "Point");
    if (!one && !value_is_text(geometry->values[MEMBER_TYPE], "MultiPoint")) {
        return place_fail(place, LOAM_GEOMETRY_UNSUPPORTED, "/type",
                          "points are of type Point or MultiPoint");
    }
    const char *at = geometry->values[MEMBER_COORDINATES];
    LOAM_TRY(place_require(place, at, SCAN_ARRAY, "/coordinates", "coordinates are an array"));
    if (array_is_empty(at)) {
        return LOAM_OK;
    }
    place->in_coordinates = true;
    LOAM_TRY(one ? read_point(place, &at) : read_points(place, &at));
    place->in_coordinates = false;
    return LOAM_OK;
}

/* The points since the last feature get their key and what the feature brings. */
static loam_status take_feature(geojson_reader *place, const char *id, const char *properties) {
    geojson_points *points = place->points;
    geojson_members own;
    uint64_t key = 0;
    uint32_t first = place->feature_count;
    uint32_t count = points->source.count - first;
    LOAM_TRY(properties_read(place, properties, &own));
    const int64_t xz[2] = {count > 0 ? points->sites[first].x : 0,
                           count > 0 ? points->sites[first].z : 0};
    LOAM_TRY(feature_key_read(place, id, own.values[MEMBER_ID], xz, &key));
    for (uint32_t i = 0; i < count; i++) {
        points->sites[first + i].key = key;
    }
    place->feature_count = points->source.count;
    return count > 0 && properties != NULL
               ? properties_note(points->properties, place, properties, first, count)
               : LOAM_OK;
}

static loam_status read_all(loam_text document, uint32_t numbers, geojson_points *points,
                            loam_error *error) {
    static const geojson_taker taker = {take_geometry, take_feature};
    geojson_reader place = {.taker = &taker, .points = points, .error = error};
    size_t most = numbers / NUMBERS_PER_POINT + SPARE;
    points->sites = malloc(most * sizeof *points->sites);
    points->properties = calloc(1, sizeof *points->properties);
    if (points->sites == NULL || points->properties == NULL) {
        return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for %zu points", most);
    }
    LOAM_TRY(geojson_walk(&place, document));
    LOAM_TRY(properties_settle(points->properties, &place, points->source.count));
    points->collection = place.collection;
    points->source.sites = points->sites;
    points->source.properties = points->properties->columns;
    points->source.property_count = points->properties->column_count;
    return LOAM_OK;
}

loam_status geojson_read_points(loam_text document, geojson_points *points, loam_error *error) {
    uint32_t numbers = 0;
    *points = (geojson_points){0};
    LOAM_TRY(geojson_check(document, &numbers, error));
    loam_status status = read_all(document, numbers, points, error);
    if (status != LOAM_OK) {
        geojson_points_fini(points);
    }
    return status;
}

void geojson_points_fini(geojson_points *points) {
    free(points->sites);
    properties_fini(points->properties);
    *points = (geojson_points){0};
}
