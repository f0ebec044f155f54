/* SPDX-License-Identifier: MIT
 *
 * asset_feature.h: feature keys: which feature of one upload is which of the next. A key is the
 * hash of the feature's id, else of its first vertex; where two features share a key the first
 * vertex is mixed in, and features that are equal in all are one. What depends on a feature then
 * stays put when others come and go.
 */
#ifndef LOAM_WIRE_ASSET_FEATURE_H
#define LOAM_WIRE_ASSET_FEATURE_H

#include "core/loam.h"

/* The key of an id as it is written in JSON: a string, or a number, which stands for its shortest
 * text, so that 7, 7.0 and "7" are one id. False for a number beyond binary64, or no memory. */
LOAM_MUST_USE bool feature_key_of_id(const char *value, uint64_t *key);
/* The same of the text that an id is or stands for. */
uint64_t feature_key_of_text(loam_text id);
/* The text that a number stands for as an id, and its size; 0 when it is beyond binary64. `text`
 * has room for FEATURE_NUMBER_BYTES. */
enum { FEATURE_NUMBER_BYTES = 320 };
size_t feature_number_text(double number, char *text);
uint64_t feature_key_of_vertex(int64_t x, int64_t z);

/* Areas being gathered: arrays of the caller, polygons in the order of their features. `places[i]`
 * is where feature i stands in the document. */
typedef struct feature_set {
    loam_polygon *polygons;
    uint32_t polygon_count;
    loam_area_feature *features;
    uint32_t *places;
    uint32_t feature_count;
} feature_set;

/* Resolves equal keys and removes repeated features, in n log n. Every feature has a polygon. */
LOAM_MUST_USE loam_status features_settle(feature_set *set, loam_error *error);

#endif
