/* SPDX-License-Identifier: MIT
 *
 * geojson_line.c: lines from GeoJSON: the coordinates of LineStrings and MultiLineStrings. All
 * lines of a feature have the feature's key; core tells them apart.
 */
#include "api/wire/geojson_place.h"
#include "core/base/try.h"

#include <stdlib.h>

enum {
    NUMBERS_PER_VERTEX = 2,
    NUMBERS_PER_LINE = 4, /* two positions */
    /* Room for a position that ends before its second number. */
    SPARE = 1,
};

/* One line; without positions it is nothing, as RFC 7946 allows. */
static loam_status read_line(geojson_reader *place, const char **at) {
    geojson_lines *lines = place->lines;
    LOAM_TRY(place_require(place, *at, SCAN_ARRAY, "", "a line is an array of positions"));
    loam_line line = {.xz = lines->xz + 2 * (size_t)lines->vertex_count,
                      .feature = place_feature(place)};
    place->vertex = 0;
    for (scan_enter(at); scan_more(at); place->vertex++) {
        LOAM_TRY(position_read(place, at, lines->xz + 2 * (size_t)lines->vertex_count, NULL));
        lines->vertex_count++;
        line.count++;
    }
    place->vertex = NOWHERE;
    if (line.count == 1) {
        return place_fail(place, LOAM_LINE_DEGENERATE, "", "a line has two positions or more");
    }
    if (line.count > 0) {
        lines->lines[lines->source.line_count++] = line;
    }
    return LOAM_OK;
}

static loam_status read_lines(geojson_reader *place, const char **at) {
    place->ring = 0;
    for (scan_enter(at); scan_more(at); place->ring++) {
        LOAM_TRY(read_line(place, at));
    }
    place->ring = NOWHERE;
    return LOAM_OK;
}

static loam_status take_geometry(geojson_reader *place, const geojson_members *geometry) {
    bool one = value_is_text(geometry->values[MEMBER_TYPE], "LineString");
    if (!one && !value_is_text(geometry->values[MEMBER_TYPE], "MultiLineString")) {
        return place_fail(place, LOAM_GEOMETRY_UNSUPPORTED, "/type",
                          "lines are of type LineString or MultiLineString");
    }
    const char *at = geometry->values[MEMBER_COORDINATES];
    LOAM_TRY(place_require(place, at, SCAN_ARRAY, "/coordinates", "coordinates are an array"));
    place->in_coordinates = true;
    LOAM_TRY(one ? read_line(place, &at) : read_lines(place, &at));
    place->in_coordinates = false;
    return LOAM_OK;
}

/* The lines since the last feature get their key. */
static loam_status take_feature(geojson_reader *place, const char *id, const char *properties) {
    geojson_lines *lines = place->lines;
    geojson_members own;
    uint64_t key = 0;
    bool any = lines->source.line_count > place->feature_count;
    const int64_t *first = any ? lines->lines[place->feature_count].xz : NULL;
    LOAM_TRY(properties_read(place, properties, &own));
    LOAM_TRY(feature_key_read(place, id, own.values[MEMBER_ID], first, &key));
    for (; place->feature_count < lines->source.line_count; place->feature_count++) {
        lines->lines[place->feature_count].key = key;
    }
    return LOAM_OK;
}

static loam_status read_all(loam_text document, uint32_t numbers, geojson_lines *lines,
                            loam_error *error) {
    static const geojson_taker taker = {take_geometry, take_feature};
    geojson_reader place = {.taker = &taker, .lines = lines, .error = error};
    size_t vertices = numbers / NUMBERS_PER_VERTEX + SPARE;
    lines->xz = malloc(vertices * 2 * sizeof *lines->xz);
    lines->lines = malloc((numbers / NUMBERS_PER_LINE + SPARE) * sizeof *lines->lines);
    if (lines->xz == NULL || lines->lines == NULL) {
        return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for %zu vertices", vertices);
    }
    LOAM_TRY(geojson_walk(&place, document));
    lines->collection = place.collection;
    lines->source.lines = lines->lines;
    return LOAM_OK;
}

loam_status geojson_read_lines(loam_text document, geojson_lines *lines, loam_error *error) {
    uint32_t numbers = 0;
    *lines = (geojson_lines){0};
    LOAM_TRY(geojson_check(document, &numbers, error));
    loam_status status = read_all(document, numbers, lines, error);
    if (status != LOAM_OK) {
        geojson_lines_fini(lines);
    }
    return status;
}

void geojson_lines_fini(geojson_lines *lines) {
    free(lines->xz);
    free(lines->lines);
    *lines = (geojson_lines){0};
}
