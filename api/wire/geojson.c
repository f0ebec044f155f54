/* SPDX-License-Identifier: MIT
 *
 * geojson.c: see geojson.h. From the document down to its features; coordinates are read in
 * geojson_polygon.c.
 */
#include "api/wire/geojson.h"

#include "api/wire/asset_feature.h"
#include "api/wire/asset_round.h"
#include "api/wire/geojson_place.h"
#include "core/base/limits.h"
#include "core/base/try.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NUMBERS_PER_VERTEX = 2,
    NUMBERS_PER_RING = 8, /* four positions */
    /* Room for a position that ends before its second number. */
    SPARE = 1,
};

/* A length of a feature in units, rounded up; LOAM_UNSET when absent. */
static loam_status read_length(const geojson_reader *place, const char *value, const char *tail,
                               int64_t *length) {
    *length = LOAM_UNSET;
    if (value_is_absent(value)) {
        return LOAM_OK;
    }
    LOAM_TRY(place_require(place, value, SCAN_NUMBER, tail, "a length is a number"));
    double metres = scan_number(scan_token(&value));
    if (!round_up(metres, LOAM_UNITS_PER_METRE, ZONE_MARGIN_UNITS_MAX, length) || *length < 0) {
        return place_fail(place, LOAM_OUT_OF_RANGE, tail, "a margin or buffer is 0 to 1024 m");
    }
    return LOAM_OK;
}

static loam_status read_key(const geojson_reader *place, const char *value, const char *tail,
                            uint64_t *key) {
    scan_kind kind = scan_kind_of(value);
    if (kind != SCAN_STRING && kind != SCAN_NUMBER) {
        return place_fail(place, LOAM_WRONG_TYPE, tail, "an id is a string or a number");
    }
    if (!feature_key_of_id(value, key)) {
        return place_fail(place, LOAM_OUT_OF_RANGE, tail, "an id is a finite number");
    }
    return LOAM_OK;
}

/* The polygons since `first_polygon` as one feature. */
static loam_status add_feature(geojson_reader *place, uint32_t first_polygon, const char *id,
                               const geojson_members *properties) {
    geojson_areas *areas = place->areas;
    loam_area_feature feature = {0};
    const char *own_id = properties->values[MEMBER_ID];
    LOAM_TRY(read_length(place, properties->values[MEMBER_MARGIN], "/properties/margin_m",
                         &feature.margin));
    LOAM_TRY(read_length(place, properties->values[MEMBER_BUFFER], "/properties/buffer_m",
                         &feature.buffer));
    if (!value_is_absent(id)) {
        LOAM_TRY(read_key(place, id, "/id", &feature.key));
    } else if (!value_is_absent(own_id)) {
        LOAM_TRY(read_key(place, own_id, "/properties/id", &feature.key));
    } else if (place->polygon_count > first_polygon) {
        const int64_t *xz = areas->polygons[first_polygon].rings[0].xz;
        feature.key = feature_key_of_vertex(xz[0], xz[1]);
    }
    if (place->polygon_count > first_polygon) {
        areas->features[place->feature_count] = feature;
        areas->places[place->feature_count++] =
            place->feature == NOWHERE ? 0 : (uint32_t)place->feature;
    }
    return LOAM_OK;
}

static loam_status read_properties(const geojson_reader *place, const char *value,
                                   geojson_members *properties) {
    *properties = (geojson_members){0};
    if (value_is_absent(value)) {
        return LOAM_OK;
    }
    LOAM_TRY(place_require(place, value, SCAN_OBJECT, "/properties", "properties are an object"));
    return members_read(place, &value, "/properties", properties);
}

static loam_status read_feature(geojson_reader *place, const geojson_members *feature) {
    uint32_t first_polygon = place->polygon_count;
    geojson_members properties;
    const char *value = feature->values[MEMBER_GEOMETRY];
    if (!value_is_absent(value)) {
        geojson_members geometry;
        LOAM_TRY(place_require(place, value, SCAN_OBJECT, "/geometry", "a geometry is an object"));
        place->in_geometry = true;
        LOAM_TRY(members_read(place, &value, "", &geometry));
        LOAM_TRY(geometry_read(place, &geometry));
        place->in_geometry = false;
    }
    LOAM_TRY(read_properties(place, feature->values[MEMBER_PROPERTIES], &properties));
    return add_feature(place, first_polygon, feature->values[MEMBER_ID], &properties);
}

static loam_status read_collection(geojson_reader *place, const char *at) {
    LOAM_TRY(place_require(place, at, SCAN_ARRAY, "/features", "features are an array"));
    place->areas->collection = true;
    place->feature = 0;
    for (scan_enter(&at); scan_more(&at); place->feature++) {
        geojson_members feature;
        LOAM_TRY(place_require(place, at, SCAN_OBJECT, "", "a feature is an object"));
        LOAM_TRY(members_read(place, &at, "", &feature));
        if (!value_is_text(feature.values[MEMBER_TYPE], "Feature")) {
            return place_fail(place, LOAM_WRONG_TYPE, "/type", "a collection holds Features");
        }
        LOAM_TRY(read_feature(place, &feature));
    }
    place->feature = NOWHERE;
    return LOAM_OK;
}

/* ---- The document -------------------------------------------------------------------------- */

/* Old GeoJSON names its reference system: "local", as a text or as {"properties": {"name": ...}}.
 */
static loam_status is_local(const geojson_reader *place, const char *crs, bool *local) {
    geojson_members parts;
    *local = value_is_text(crs, "local");
    if (scan_kind_of(crs) != SCAN_OBJECT) {
        return LOAM_OK;
    }
    LOAM_TRY(members_read(place, &crs, "/crs", &parts));
    const char *properties = parts.values[MEMBER_PROPERTIES];
    if (!value_is_absent(properties) && scan_kind_of(properties) == SCAN_OBJECT) {
        LOAM_TRY(members_read(place, &properties, "/crs/properties", &parts));
        *local = value_is_text(parts.values[MEMBER_NAME], "local");
    }
    return LOAM_OK;
}

static loam_status check_crs(const geojson_reader *place, const char *crs) {
    bool local = true;
    if (!value_is_absent(crs)) {
        LOAM_TRY(is_local(place, crs, &local));
    }
    return local ? LOAM_OK
                 : place_fail(place, LOAM_CRS_MISSING, "/crs",
                              "coordinates are local metres [x, z]: no other system is taken");
}

static loam_status read_document(geojson_reader *place, const char *at) {
    geojson_members root;
    LOAM_TRY(place_require(place, at, SCAN_OBJECT, "", "GeoJSON is an object"));
    LOAM_TRY(members_read(place, &at, "", &root));
    LOAM_TRY(check_crs(place, root.values[MEMBER_CRS]));
    const char *type = root.values[MEMBER_TYPE];
    LOAM_TRY(place_require(place, type, SCAN_STRING, "/type", "GeoJSON names its type"));
    if (value_is_text(type, "FeatureCollection")) {
        return read_collection(place, root.values[MEMBER_FEATURES]);
    }
    if (value_is_text(type, "Feature")) {
        return read_feature(place, &root);
    }
    LOAM_TRY(geometry_read(place, &root));
    return add_feature(place, 0, NULL, &(geojson_members){0});
}

/* A ring takes eight numbers at least, so their count bounds every array. */
static loam_status take_memory(geojson_areas *areas, uint32_t numbers, loam_error *error) {
    size_t vertices = numbers / NUMBERS_PER_VERTEX + SPARE;
    size_t rings = numbers / NUMBERS_PER_RING + SPARE;
    areas->xz = malloc(vertices * 2 * sizeof *areas->xz);
    areas->rings = malloc(rings * sizeof *areas->rings);
    areas->polygons = malloc(rings * sizeof *areas->polygons);
    areas->features = malloc(rings * sizeof *areas->features);
    areas->places = malloc(rings * sizeof *areas->places);
    if (areas->xz == NULL || areas->rings == NULL || areas->polygons == NULL ||
        areas->features == NULL || areas->places == NULL) {
        return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for %zu vertices", vertices);
    }
    return LOAM_OK;
}

static loam_status read_all(loam_text document, uint32_t numbers, geojson_areas *areas,
                            loam_error *error) {
    geojson_reader place = {.areas = areas,
                            .error = error,
                            .feature = NOWHERE,
                            .polygon = NOWHERE,
                            .ring = NOWHERE,
                            .vertex = NOWHERE};
    LOAM_TRY(take_memory(areas, numbers, error));
    LOAM_TRY(read_document(&place, scan_begin(document)));
    feature_set set = {.polygons = areas->polygons,
                       .polygon_count = place.polygon_count,
                       .features = areas->features,
                       .places = areas->places,
                       .feature_count = place.feature_count};
    LOAM_TRY(features_settle(&set, error));
    areas->source = (loam_areas_source){.polygons = set.polygons,
                                        .polygon_count = set.polygon_count,
                                        .features = set.features,
                                        .feature_count = set.feature_count};
    return LOAM_OK;
}

loam_status geojson_read_areas(loam_text document, geojson_areas *areas, loam_error *error) {
    scan_limits limits = {.depth_max = GEOJSON_DEPTH_MAX, .numbers_max = GEOJSON_NUMBERS_MAX};
    uint32_t numbers = 0;
    *areas = (geojson_areas){0};
    if (document.size > GEOJSON_BYTES_MAX) {
        return loam_fail(error, LOAM_TOO_LARGE, NULL, "GeoJSON has at most %zu bytes, not %zu",
                         GEOJSON_BYTES_MAX, document.size);
    }
    LOAM_TRY(scan_check(document, limits, &numbers, error));
    loam_status status = read_all(document, numbers, areas, error);
    if (status != LOAM_OK) {
        geojson_fini(areas);
    }
    return status;
}

void geojson_fini(geojson_areas *areas) {
    free(areas->xz);
    free(areas->rings);
    free(areas->polygons);
    free(areas->features);
    free(areas->places);
    *areas = (geojson_areas){0};
}

void geojson_place_error(const geojson_areas *areas, loam_error *error) {
    static const char head[] = "/features/";
    char tail[LOAM_POINTER_BYTES];
    char *end = NULL;
    if (error == NULL || strncmp(error->pointer, head, sizeof head - 1) != 0) {
        return;
    }
    unsigned long feature = strtoul(error->pointer + sizeof head - 1, &end, 10);
    if (feature >= areas->source.feature_count) {
        return;
    }
    snprintf(tail, sizeof tail, "%s", end);
    if (areas->collection) {
        snprintf(error->pointer, sizeof error->pointer, "%s%u%.200s", head, areas->places[feature],
                 tail);
    } else {
        snprintf(error->pointer, sizeof error->pointer, "%s", tail);
    }
}
