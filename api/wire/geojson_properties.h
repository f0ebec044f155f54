/* SPDX-License-Identifier: MIT
 *
 * geojson_properties.h: the numbers and texts of features become columns: an entry is noted for
 * each value as it is read, and what a column holds is decided when all of it is known. Internal to
 * geojson*.c.
 */
#ifndef LOAM_WIRE_GEOJSON_PROPERTIES_H
#define LOAM_WIRE_GEOJSON_PROPERTIES_H

#include "api/wire/geojson_place.h"
#include "core/base/limits.h"

/* A value in the document, of some points. */
typedef struct property_entry {
    const char *value;
    uint32_t column;
    uint32_t feature; /* its number in the document */
    uint32_t site_first;
    uint32_t site_count;
} property_entry;

typedef struct point_properties {
    char names[SITE_PROPERTIES_MAX][ASSET_NAME_BYTES_MAX]; /* of the columns, escapes resolved */
    loam_attribute columns[SITE_PROPERTIES_MAX];
    uint32_t column_count;
    property_entry *entries;
    size_t entry_count;
    size_t entry_capacity;
    int32_t *values;
    loam_text *texts;
    char *bytes;
    size_t byte_count;
} point_properties;

/* Notes the numbers and texts of an object for points [site_first, site_first + site_count). */
LOAM_MUST_USE loam_status properties_note(point_properties *properties, const geojson_reader *place,
                                          const char *object, uint32_t site_first,
                                          uint32_t site_count);
/* Makes the columns of all entries, for `site_count` points, when the document is read. */
LOAM_MUST_USE loam_status properties_settle(point_properties *properties,
                                            const geojson_reader *place, uint32_t site_count);
void properties_fini(point_properties *properties);

#endif
