/* SPDX-License-Identifier: MIT
 *
 * weighted_asset.h: an asset among several, as the parameters of `spawn` and the layers of a
 * `biome.generate` write it: its name, its share, and how it stands. The two read the same fields
 * and differ in what a weight may be and in how they say what a scale is of.
 */
#ifndef LOAM_OPS_WEIGHTED_ASSET_H
#define LOAM_OPS_WEIGHTED_ASSET_H

#include "core/ops/operation.h"

enum {
    ASSET_NAME,
    ASSET_WEIGHT,
    ASSET_SCALE_MIN,
    ASSET_SCALE_MAX,
    ASSET_YAW,
    ASSET_RADIUS,
    ASSET_FIELDS
};
enum { ASSET_YAW_KEEP, ASSET_YAW_RANDOM };
enum { ASSET_SCALE_MOST = UINT16_MAX };
#define ASSET_YAW_CHOICES                                                                          \
    { "keep", "random", NULL }

/* The fields in that order, but for the weight's row; `yaws` are ASSET_YAW_CHOICES. */
#define ASSET_FIELD_ROWS(weight_row, least, largest, yaws, heading)                                \
    PARAM("name", "Name", "", STRING, 0, LOAM_PARAM_REQUIRED, 0, 0, 0, 0, "What stands there."),   \
        weight_row,                                                                                \
        PARAM("scale_min", "Smallest scale", "", FLOAT, BITS_SCALE, LOAM_PARAM_NONZERO,            \
              LOAM_SCALE_ONE, 1, ASSET_SCALE_MOST, 41, least),                                     \
        PARAM("scale_max", "Largest scale", "", FLOAT, BITS_SCALE, LOAM_PARAM_NONZERO,             \
              LOAM_SCALE_ONE, 1, ASSET_SCALE_MOST, 41, largest),                                   \
        PARAM_CHOICE("yaw", "Yaw", ASSET_YAW_KEEP, yaws, 2, heading),                              \
        PARAM("radius_m", "Radius", "m", FLOAT, BITS_UNITS, LOAM_PARAM_ROUND_UP, 0, 0, 1 << 18,    \
              16, "How much room it takes: the attribute `radius`.")

/* Why an asset cannot be one of several, as far as both ask: NULL, or the text, with the field in
 * question. */
static inline const char *asset_fault_text(const loam_value *asset, const char **field) {
    *field = "name";
    if (asset->items[ASSET_NAME].text.size == 0) {
        return "an asset has a name";
    }
    *field = "scale_min";
    return asset->items[ASSET_SCALE_MIN].integer > asset->items[ASSET_SCALE_MAX].integer
               ? "scale_min is larger than scale_max"
               : NULL;
}

#endif
