/* SPDX-License-Identifier: MIT
 *
 * inputs.h: small made inputs around a place: hills, ways, zones and trees that cross its borders.
 * They are plain arrays that a test can change anywhere, and become assets again after.
 */
#ifndef LOAM_SIM_INPUTS_H
#define LOAM_SIM_INPUTS_H

#include "core/loam.h"
#include "tests/sim/dice.h"

enum {
    HILLS_SIDE = 49,
    WAYS = 6,
    WAY_VERTICES = 6,
    ZONES = 5,
    ZONE_VERTICES = 5,
    TREES = 40,
    INPUT_KINDS = 4,
};

/* Where a test takes place: the south-west corner and side of a square, in metres. */
typedef struct sim_place {
    int64_t x_m, z_m, side_m;
} sim_place;

typedef struct sim_way {
    int64_t xz[2 * WAY_VERTICES];
    uint32_t count;
    uint64_t key;
} sim_way;

/* A triangle (4 vertices) or a box with a hole (5). */
typedef struct sim_zone {
    int64_t xz[2 * ZONE_VERTICES];
    uint32_t count;
    bool hole;
    int64_t margin, buffer;
} sim_zone;

typedef struct sim_inputs {
    loam_heightfield hills;
    int32_t heights[HILLS_SIDE * HILLS_SIDE];
    sim_way ways[WAYS];
    sim_zone zones[ZONES];
    loam_site trees[TREES];
    int32_t ages[TREES], sizes[TREES], kinds[TREES];
    uint32_t way_count, zone_count, tree_count;
} sim_inputs;

void inputs_make(dice *from, sim_place place, sim_inputs *inputs);

/* The asset of a kind (heightfield, lines, areas, points); memory is the arena's, heights are
 * borrowed. False when they are none: a triangle without area, say. */
bool inputs_asset(sim_inputs *inputs, loam_port_kind kind, loam_arena *arena, loam_asset *asset);

/* Changes one thing of a kind: a vertex, a place, a height, a property, or takes a feature away. */
void inputs_edit(dice *from, loam_port_kind kind, sim_place place, sim_inputs *inputs);

/* Adds, or changes, a feature of a kind that lies `far_units` and more to the east of the place. */
void inputs_edit_far(loam_port_kind kind, sim_place place, int64_t far_units, int64_t by,
                     sim_inputs *inputs);

#endif
