/* SPDX-License-Identifier: MIT
 *
 * geojson_walk.c: from a GeoJSON document down to its features, the same for every kind of asset;
 * what is made of them is the taker's.
 */
#include "api/wire/asset_feature.h"
#include "api/wire/geojson_place.h"
#include "core/base/try.h"

loam_status geojson_check(loam_text document, uint32_t *numbers, loam_error *error) {
    scan_limits limits = {.depth_max = GEOJSON_DEPTH_MAX, .numbers_max = GEOJSON_NUMBERS_MAX};
    if (document.size > GEOJSON_BYTES_MAX) {
        return loam_fail(error, LOAM_TOO_LARGE, NULL, "GeoJSON has at most %zu bytes, not %zu",
                         GEOJSON_BYTES_MAX, document.size);
    }
    return scan_check(document, limits, numbers, error);
}

uint32_t place_feature(const geojson_reader *place) {
    return place->feature == NOWHERE ? 0 : (uint32_t)place->feature;
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

loam_status feature_key_read(const geojson_reader *place, const char *id, const char *own_id,
                             const int64_t first[2], uint64_t *key) {
    if (!value_is_absent(id)) {
        return read_key(place, id, "/id", key);
    }
    if (!value_is_absent(own_id)) {
        return read_key(place, own_id, "/properties/id", key);
    }
    if (first != NULL) {
        *key = feature_key_of_vertex(first[0], first[1]);
    }
    return LOAM_OK;
}

loam_status properties_read(const geojson_reader *place, const char *value,
                            geojson_members *properties) {
    *properties = (geojson_members){0};
    return value == NULL ? LOAM_OK : members_read(place, &value, "/properties", properties);
}

/* ---- Features ------------------------------------------------------------------------------ */

static loam_status read_feature(geojson_reader *place, const geojson_members *feature) {
    const char *value = feature->values[MEMBER_GEOMETRY];
    if (!value_is_absent(value)) {
        geojson_members geometry;
        LOAM_TRY(place_require(place, value, SCAN_OBJECT, "/geometry", "a geometry is an object"));
        place->in_geometry = true;
        LOAM_TRY(members_read(place, &value, "", &geometry));
        LOAM_TRY(place->taker->geometry(place, &geometry));
        place->in_geometry = false;
    }
    const char *id = feature->values[MEMBER_ID];
    const char *properties = feature->values[MEMBER_PROPERTIES];
    if (!value_is_absent(properties)) {
        LOAM_TRY(place_require(place, properties, SCAN_OBJECT, "/properties",
                               "properties are an object"));
    }
    return place->taker->feature(place, value_is_absent(id) ? NULL : id,
                                 value_is_absent(properties) ? NULL : properties);
}

static loam_status read_collection(geojson_reader *place, const char *at) {
    LOAM_TRY(place_require(place, at, SCAN_ARRAY, "/features", "features are an array"));
    place->collection = true;
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
    LOAM_TRY(place->taker->geometry(place, &root));
    return place->taker->feature(place, NULL, NULL);
}

loam_status geojson_walk(geojson_reader *place, loam_text document) {
    place->feature = NOWHERE;
    place->polygon = NOWHERE;
    place->ring = NOWHERE;
    place->vertex = NOWHERE;
    return read_document(place, scan_begin(document));
}
