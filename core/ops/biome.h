/* SPDX-License-Identifier: MIT
 *
 * biome.h: the rules of biome.generate as its code uses them: layers in the order in which they
 * win, and what each plants.
 */
#ifndef LOAM_OPS_BIOME_H
#define LOAM_OPS_BIOME_H

#include "core/ops/operation.h"
#include "core/ops/weighted.h"

/* Layers at most; more than have a port: those without one cover all, so one is the last that can
 * win, but rules may be shared by graphs. */
enum { BIOME_LAYERS_MAX = 64 };
/* No layer. */
enum { BIOME_NONE = 255 };

/* One of a layer's assets. */
typedef struct biome_asset {
    uint32_t name; /* index of the evaluation's names */
    uint32_t scale_min, scale_span;
    int32_t radius; /* 1/65,536 m */
    bool random_yaw;
} biome_asset;

typedef struct biome_layer {
    uint32_t name;
    uint32_t density;
    int32_t port; /* -1: it covers all */
    weighted_table weights;
    const biome_asset *assets;
} biome_layer;

typedef struct biome_rules {
    biome_layer layers[BIOME_LAYERS_MAX]; /* the first that holds a point gets it */
    uint32_t count;
    bool scales, turns, radii; /* whether any asset has one of its own */
} biome_rules;

/* Whose layer each row is, by number; columns of the set's count. */
LOAM_MUST_USE loam_status biome_plant(node_call *call, const biome_rules *rules,
                                      const uint8_t *layer, point_set *set);

#endif
