/* SPDX-License-Identifier: MIT
 *
 * layout.h: what a layout recipe is to the rest of core: a schema (loam_recipe) and a row of
 * functions. A recipe fills in a loam_layout from resolved parameters and the seed of one attempt of
 * one floor; it never reads a clock and never loops without a bound that its parameters give.
 */
#ifndef LOAM_LAYOUT_LAYOUT_H
#define LOAM_LAYOUT_LAYOUT_H

#include "core/loam_dungeon.h"
#include "core/schema/schema.h"

/* The parameters that every recipe has, the first ones of its schema in this order. */
typedef struct layout_size {
    int32_t width, height;
    int32_t border; /* cells of rock at each side, inside the size */
} layout_size;

/* Why an attempt is no good: a word for machines and a sentence for people. */
typedef struct layout_fault {
    const char *word; /* static: "no-path", "rooms-missing", "contradiction", ... */
    char text[160];
} layout_fault;

/* One attempt at one floor. The recipe fills in `out`, and `fault` where it had to give up: then
 * `out` is the best it has (a whole grid, maybe with fewer rooms). */
typedef struct layout_call {
    const loam_value *params; /* by index of the recipe's schema */
    layout_size size;
    uint64_t seed;               /* of this floor and attempt */
    const loam_spot *reserved;   /* cells that must be floor: stairs; known before anything else */
    uint32_t reserved_count;
    uint64_t steps, steps_max;   /* what was done, and the most that may be */
    const int *cancel;           /* polled between blocks; may be NULL */
    loam_arena *arena;
    loam_error *error;
    loam_layout *out;
    layout_fault fault; /* word NULL: none */
} layout_call;

typedef struct recipe_code {
    /* Rules between parameters and what cannot be done at all, which names its bound; or NULL. */
    loam_status (*check)(const loam_value *params, layout_size size, loam_error *error);
    /* Most steps of one attempt, from the parameters. */
    uint64_t (*steps)(const loam_value *params, layout_size size);
    /* Bytes of the arena that one attempt takes at most. */
    uint64_t (*bytes)(const loam_value *params, layout_size size);
    loam_status (*make)(layout_call *call);
} recipe_code;

/* A new recipe is a file and a line here. */
#define LOAM_LAYOUTS(X)                                                                            \
    X(dungeon_rooms)                                                                               \
    X(dungeon_bsp)                                                                                 \
    X(dungeon_accretion)                                                                           \
    X(dungeon_mission)                                                                             \
    X(cave_cellular)                                                                               \
    X(cave_walk)                                                                                   \
    X(wfc_simple)                                                                                  \
    X(level_roguelike)                                                                             \
    X(maze)

#endif
