/* SPDX-License-Identifier: MIT
 *
 * wave_model.h: what wave function collapse works with, wherever it comes from: tiles (turned ones
 * are tiles of their own; of a sample: its patterns), weights, and which tile may stand on which
 * side of which. Both ways of every pair are in it.
 */
#ifndef LOAM_LAYOUT_WAVE_MODEL_H
#define LOAM_LAYOUT_WAVE_MODEL_H

#include "core/grid/grid.h"

/* What is shown fits a byte a cell; patterns are more, and the trail of a block is then 21 MB. */
enum { WAVE_SHOWN_MAX = 255, WAVE_TILES_MAX = 1024, WAVE_WORDS_MAX = WAVE_TILES_MAX / 64 };

typedef enum wave_door { WAVE_DOOR_NONE, WAVE_DOOR_ALONG_X, WAVE_DOOR_ALONG_Y } wave_door;

typedef struct wave_tile {
    uint32_t weight; /* at least 1 */
    uint8_t shown;   /* of the names */
    bool walkable;
    uint8_t door; /* wave_door */
} wave_tile;

typedef struct wave_model {
    wave_tile *tiles;
    uint32_t tile_count;
    uint32_t words;     /* of a set of tiles */
    uint64_t *fits;     /* sets: by tile, then way: who may stand there */
    uint64_t *twins;    /* sets: by tile, then way: those the same tiles fit there */
    uint64_t *walkable; /* a set */
    loam_text *names;   /* of what is shown */
    uint32_t name_count;
    uint32_t walkable_count;
    bool periodic; /* as its document says */
} wave_model;

/* Memory of a model of so many tiles, at most. */
uint64_t wave_model_bytes(uint32_t tile_count);

/* An empty model, from the arena: tiles and pairs are set, then it is closed. */
LOAM_MUST_USE loam_status wave_model_take(uint32_t tile_count, uint32_t name_count,
                                          loam_arena *arena, wave_model *model, loam_error *error);
/* `other` may stand on that side of `tile`. */
void wave_model_pair(wave_model *model, uint32_t tile, uint32_t way, uint32_t other);
/* All tiles and pairs are there: makes of them what is asked while solving. */
LOAM_MUST_USE loam_status wave_model_close(wave_model *model, loam_arena *arena, loam_error *error);

static inline uint64_t *wave_fits(const wave_model *model, uint32_t way, uint32_t tile) {
    return model->fits + ((size_t)tile * WAY_COUNT + way) * model->words;
}

static inline uint64_t *wave_twins(const wave_model *model, uint32_t way, uint32_t tile) {
    return model->twins + ((size_t)tile * WAY_COUNT + way) * model->words;
}

static inline bool wave_may_stand(const wave_model *model, uint32_t tile, uint32_t way,
                                  uint32_t other) {
    return (wave_fits(model, way, tile)[other / 64] >> (other % 64) & 1) != 0;
}

/* From documents and presets. Errors point below `pointer`. */
LOAM_MUST_USE loam_status wave_model_of_tiles(const loam_rules *document, const char *pointer,
                                              loam_arena *arena, wave_model *model,
                                              loam_error *error);
LOAM_MUST_USE loam_status wave_model_of_sample(const loam_rules *document, int32_t side,
                                               const char *pointer, loam_arena *arena,
                                               wave_model *model, loam_error *error);

typedef enum wave_preset { WAVE_DUNGEON, WAVE_CAVE, WAVE_TERRAIN } wave_preset;

LOAM_MUST_USE loam_status wave_model_of_preset(wave_preset preset, loam_arena *arena,
                                               wave_model *model, loam_error *error);

/* Memory of reading a document, beside the model; and most tiles that it has. */
uint64_t wave_tiles_bytes(const loam_rules *document);
uint32_t wave_tiles_most(const loam_rules *document);
uint64_t wave_sample_bytes(const loam_rules *document, int32_t side);
uint32_t wave_sample_most(const loam_rules *document);

#endif
