/* SPDX-License-Identifier: MIT
 *
 * geojson.h: GeoJSON (RFC 7946) in local metres [x, z] becomes areas, lines or points. Lon/lat is
 * refused: who sends it gets positions that look right and are wrong. Foreign members are legal and
 * passed over.
 *
 * The document is checked whole and then read in place; what is allocated is bounded by how many
 * numbers it holds.
 */
#ifndef LOAM_WIRE_GEOJSON_H
#define LOAM_WIRE_GEOJSON_H

#include "core/loam.h"

/* 32 MB and 2 M numbers: a country's forests; a million vertices at 16 bytes. */
#define GEOJSON_BYTES_MAX ((size_t)32 << 20)
#define GEOJSON_NUMBERS_MAX 2000000u
/* A position of a MultiPolygon of a collection is 8 deep; the rest is for foreign members. */
#define GEOJSON_DEPTH_MAX 32

typedef struct geojson_areas {
    loam_areas_source source; /* borrowed from this struct until its fini */
    uint32_t vertex_count;    /* of all rings, last equal to first */
    bool collection;          /* errors about feature i stand at /features/i */
    uint32_t *places;         /* a feature's place in the document */
    int64_t *xz;
    loam_ring *rings;
    loam_polygon *polygons;
    loam_area_feature *features;
} geojson_areas;

/* Lines: each knows the number of its feature in the document. */
typedef struct geojson_lines {
    loam_lines_source source; /* borrowed from this struct until its fini */
    uint32_t vertex_count;
    bool collection;
    int64_t *xz;
    loam_line *lines;
} geojson_lines;

/* Given points with their numbers and texts. */
typedef struct geojson_points {
    loam_sites_source source; /* borrowed from this struct and the document until its fini */
    bool collection;
    loam_site *sites;
    struct point_properties *properties;
} geojson_points;

/* A FeatureCollection, a Feature or a geometry, of Polygon and MultiPolygon; features without
 * geometry are passed over. Ends with geojson_fini when it is LOAM_OK, else holds nothing. */
LOAM_MUST_USE loam_status geojson_read_areas(loam_text document, geojson_areas *areas,
                                             loam_error *error);
void geojson_fini(geojson_areas *areas);

/* The same of LineString and MultiLineString; lines without positions are passed over. */
LOAM_MUST_USE loam_status geojson_read_lines(loam_text document, geojson_lines *lines,
                                             loam_error *error);
void geojson_lines_fini(geojson_lines *lines);

/* The same of Point and MultiPoint. A third coordinate is the height, else that is 0. A property
 * whose values are whole numbers becomes integers, of other numbers numbers in 1/65,536; numbers
 * too large for that, and those of a property that is a text elsewhere, become their shortest
 * texts. Other values (true, null, lists) are no properties. */
LOAM_MUST_USE loam_status geojson_read_points(loam_text document, geojson_points *points,
                                              loam_error *error);
void geojson_points_fini(geojson_points *points);

/* Turns a pointer /features/i of lines and points into one into the document. */
void geojson_place_number(bool collection, loam_error *error);

/* Turns a pointer /features/i into `source` into one into the document. */
void geojson_place_error(const geojson_areas *areas, loam_error *error);

#endif
