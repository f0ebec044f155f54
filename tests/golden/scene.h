/* SPDX-License-Identifier: MIT
 *
 * scene.h: the scenes of the golden catalogue, one per cell or heightmap. A scene is text that a
 * person can read in the catalogue; parameters are integers in the scale of their schema.
 */
#ifndef LOAM_GOLDEN_SCENE_H
#define LOAM_GOLDEN_SCENE_H

#include "core/loam.h"

/* Which asset every heightfield slot of a scene gets. */
typedef enum scene_terrain { TERRAIN_4_M, TERRAIN_30_M, TERRAIN_FRACTION } scene_terrain;

typedef struct scene_text {
    const char *name;
    const char *about;
    uint64_t seed;
    /* "$slot kind", "$slot rules {document}", "node operation key=value port<source ...",
     * "=output source"; a value is one word, see tests/support/value_text.h. NULL-terminated. None
     * for a heightmap. */
    const char *const *graph;
    loam_rect rect;
    scene_terrain terrain;
    loam_heightmap heightmap;
} scene_text;

uint32_t scene_count(void);
const scene_text *scene_at(uint32_t index);

/* A scene ready to be asked. Everything is taken from the arena; aborts when the text is wrong. */
typedef struct golden_scene {
    loam_graph graph;
    loam_asset slots[4];
} golden_scene;

void scene_build(const scene_text *text, loam_arena *arena, golden_scene *scene);

#endif
