/* SPDX-License-Identifier: MIT
 *
 * geojson_polygon.c: coordinates of Polygons and MultiPolygons, in the order in which they stand.
 * Rings are checked for what only the document can place: positions, and being closed.
 */
#include "api/wire/geojson_place.h"

#include "core/base/try.h"

static loam_status check_ring(const geojson_reader *place, const loam_ring *ring) {
    if (ring->count < 4) {
        return place_fail(place, LOAM_RING_DEGENERATE, "",
                          "a ring has four positions or more, the last equal to the first");
    }
    const int64_t *last = ring->xz + 2 * ((size_t)ring->count - 1);
    if (ring->xz[0] != last[0] || ring->xz[1] != last[1]) {
        return place_fail(place, LOAM_RING_OPEN, "", "the last position is not equal to the first");
    }
    return LOAM_OK;
}

static loam_status read_ring(geojson_reader *place, const char **at) {
    geojson_areas *areas = place->areas;
    LOAM_TRY(place_require(place, *at, SCAN_ARRAY, "", "a ring is an array of positions"));
    loam_ring ring = {.xz = areas->xz + 2 * (size_t)areas->vertex_count};
    place->vertex = 0;
    for (scan_enter(at); scan_more(at); place->vertex++) {
        LOAM_TRY(position_read(place, at, areas->xz + 2 * (size_t)areas->vertex_count, NULL));
        areas->vertex_count++;
        ring.count++;
    }
    place->vertex = NOWHERE;
    LOAM_TRY(check_ring(place, &ring));
    areas->rings[place->ring_count++] = ring;
    return LOAM_OK;
}

/* One polygon; without rings it is nothing, as RFC 7946 allows. */
static loam_status read_polygon(geojson_reader *place, const char **at) {
    geojson_areas *areas = place->areas;
    LOAM_TRY(place_require(place, *at, SCAN_ARRAY, "", "a polygon is an array of rings"));
    loam_polygon polygon = {.rings = areas->rings + place->ring_count,
                            .feature = place->feature_count};
    place->ring = 0;
    for (scan_enter(at); scan_more(at); place->ring++) {
        LOAM_TRY(read_ring(place, at));
        polygon.ring_count++;
    }
    place->ring = NOWHERE;
    if (polygon.ring_count > 0) {
        areas->polygons[place->polygon_count++] = polygon;
    }
    return LOAM_OK;
}

static loam_status read_polygons(geojson_reader *place, const char **at) {
    LOAM_TRY(place_require(place, *at, SCAN_ARRAY, "", "a MultiPolygon is an array of polygons"));
    place->polygon = 0;
    for (scan_enter(at); scan_more(at); place->polygon++) {
        LOAM_TRY(read_polygon(place, at));
    }
    place->polygon = NOWHERE;
    return LOAM_OK;
}

loam_status polygons_read(geojson_reader *place, const geojson_members *geometry) {
    bool one = value_is_text(geometry->values[MEMBER_TYPE], "Polygon");
    if (!one && !value_is_text(geometry->values[MEMBER_TYPE], "MultiPolygon")) {
        return place_fail(place, LOAM_GEOMETRY_UNSUPPORTED, "/type",
                          "areas are of type Polygon or MultiPolygon");
    }
    const char *at = geometry->values[MEMBER_COORDINATES];
    LOAM_TRY(place_require(place, at, SCAN_ARRAY, "/coordinates", "coordinates are an array"));
    place->in_coordinates = true;
    LOAM_TRY(one ? read_polygon(place, &at) : read_polygons(place, &at));
    place->in_coordinates = false;
    return LOAM_OK;
}
