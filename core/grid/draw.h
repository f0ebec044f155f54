/* SPDX-License-Identifier: MIT
 *
 * draw.h: every random number of dungeons. No streams: a key names what is drawn for (seed, stage,
 * entity, attempt), and numbers under it are counted, so that one draw more never shifts another.
 * Ranges are taken by multiply-high of 64 by 32 bits: no loop, a bias below 2^-32.
 *
 * Draw into named locals, one draw a statement: C does not say in which order arguments are taken.
 */
#ifndef LOAM_GRID_DRAW_H
#define LOAM_GRID_DRAW_H

#include "core/base/mix.h"

#include <stdbool.h>

/* What a draw is for. Numbers are pinned: they are part of every result. Append only. */
typedef enum draw_stage {
    STAGE_ATTEMPT = 1,   /* the seed of an attempt from that of a floor */
    STAGE_FLOOR = 2,     /* the seed of a floor */
    STAGE_STAIRS = 3,    /* the stair cell of two floors */
    STAGE_PLACE = 4,     /* sides and places of rooms */
    STAGE_SEPARATE = 5,  /* the same where rooms push each other apart */
    STAGE_LOOP = 6,      /* the order of edges that are no tree edges */
    STAGE_ROUTE = 7,     /* style and bend of a corridor */
    STAGE_TRIM = 8,      /* which dead ends stay */
    STAGE_SPLIT = 9,     /* cuts of a partition */
    STAGE_LEAF = 10,     /* rooms in its leaves */
    STAGE_TEMPLATE = 11, /* which template, and its turn */
    STAGE_ACCRETE = 12,  /* where a room is tried */
    STAGE_CELL = 13,     /* a cell's own: rock of caves */
    STAGE_WALK = 14,     /* steps of a walk */
    STAGE_MAZE = 15,
    STAGE_BRAID = 16,
    STAGE_WAVE = 17,    /* cells and tiles of wave function collapse */
    STAGE_DETAIL = 18,  /* floor patterns and decoration */
    STAGE_VARIANT = 19, /* variants of tiles */
    STAGE_CONTENT = 20,
    STAGE_LOCK = 21,
    STAGE_SPAWN = 22,
    STAGE_ENCOUNTER = 23,
    STAGE_MISSION = 24,
} draw_stage;

/* The key of what is drawn for one entity of a stage; `attempt` counts tries at it. */
static inline uint64_t draw_for(uint64_t seed, draw_stage stage, uint64_t entity,
                                uint32_t attempt) {
    uint64_t key = mix_pair(seed, (uint64_t)stage << 32 | attempt);
    return mix_pair(key, entity);
}

/* 64 uniform bits: number `index` under a key. */
static inline uint64_t draw_at(uint64_t key, uint32_t index) {
    return mix64(key + (index + (uint64_t)1) * 0x9e3779b97f4a7c15u);
}

/* From 64 uniform bits to 0 .. count - 1; `count` is at least 1. */
static inline uint32_t draw_below(uint64_t bits, uint32_t count) {
    uint64_t low = (bits & 0xffffffffu) * count;
    uint64_t high = (bits >> 32) * count + (low >> 32);
    return (uint32_t)(high >> 32);
}

/* From 64 uniform bits to least .. most, both included; least <= most, less than 2^31 apart. */
static inline int32_t draw_between(uint64_t bits, int32_t least, int32_t most) {
    return least + (int32_t)draw_below(bits, (uint32_t)(most - least) + 1);
}

/* True so many times in 10,000. */
static inline bool draw_chance(uint64_t bits, uint32_t per_ten_thousand) {
    return draw_below(bits, 10000) < per_ten_thousand;
}

static inline bool draw_percent(uint64_t bits, int64_t percent) {
    return draw_chance(bits, (uint32_t)percent * 100);
}

#endif
