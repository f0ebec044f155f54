/* SPDX-License-Identifier: MIT
 *
 * geojson.c: areas from GeoJSON: see geojson.h. The document is walked by geojson_walk.c,
 * coordinates are read in geojson_polygon.c.
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

/* The polygons since the last feature as one feature. */
static loam_status add_feature(geojson_reader *place, const char *id, const char *properties) {
    geojson_areas *areas = place->areas;
    loam_area_feature feature = {0};
    geojson_members own;
    bool any = place->polygon_count > place->polygon_first;
    LOAM_TRY(properties_read(place, properties, &own));
    LOAM_TRY(
        read_length(place, own.values[MEMBER_MARGIN], "/properties/margin_m", &feature.margin));
    LOAM_TRY(
        read_length(place, own.values[MEMBER_BUFFER], "/properties/buffer_m", &feature.buffer));
    const int64_t *first = any ? areas->polygons[place->polygon_first].rings[0].xz : NULL;
    LOAM_TRY(feature_key_read(place, id, own.values[MEMBER_ID], first, &feature.key));
    if (any) {
        areas->features[place->feature_count] = feature;
        areas->places[place->feature_count++] = place_feature(place);
        place->polygon_first = place->polygon_count;
    }
    return LOAM_OK;
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
    static const geojson_taker taker = {polygons_read, add_feature};
    geojson_reader place = {.taker = &taker, .areas = areas, .error = error};
    LOAM_TRY(take_memory(areas, numbers, error));
    LOAM_TRY(geojson_walk(&place, document));
    areas->collection = place.collection;
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
    uint32_t numbers = 0;
    *areas = (geojson_areas){0};
    LOAM_TRY(geojson_check(document, &numbers, error));
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

/* The pointer's head, and where what follows the feature's number begins; NULL for other errors. */
static const char feature_head[] = "/features/";

static char *pointer_feature(loam_error *error, unsigned long *feature) {
    size_t size = sizeof feature_head - 1;
    char *end = NULL;
    if (error == NULL || strncmp(error->pointer, feature_head, size) != 0) {
        return NULL;
    }
    *feature = strtoul(error->pointer + size, &end, 10);
    return end;
}

void geojson_place_error(const geojson_areas *areas, loam_error *error) {
    char tail[LOAM_POINTER_BYTES];
    unsigned long feature = 0;
    const char *end = pointer_feature(error, &feature);
    if (end == NULL || feature >= areas->source.feature_count) {
        return;
    }
    snprintf(tail, sizeof tail, "%s", end);
    if (areas->collection) {
        snprintf(error->pointer, sizeof error->pointer, "%s%u%.200s", feature_head,
                 areas->places[feature], tail);
    } else {
        snprintf(error->pointer, sizeof error->pointer, "%s", tail);
    }
}

void geojson_place_number(bool collection, loam_error *error) {
    unsigned long feature = 0;
    const char *end = pointer_feature(error, &feature);
    if (end != NULL && !collection) {
        memmove(error->pointer, end, strlen(end) + 1);
    }
}
