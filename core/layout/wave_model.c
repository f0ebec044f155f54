/* SPDX-License-Identifier: MIT
 *
 * wave_model.c: see wave_model.h.
 */
#include "core/layout/wave_model.h"

#include "core/base/try.h"

enum { BITS_A_SET_WORD = 64 };

static uint32_t words_of(uint32_t tile_count) {
    return (tile_count + BITS_A_SET_WORD - 1) / BITS_A_SET_WORD;
}

uint64_t wave_model_bytes(uint32_t tile_count) {
    enum { ALIGNMENTS = 512 };
    uint64_t tiles = tile_count, words = words_of(tile_count);
    return tiles * sizeof(wave_tile) + (2 * WAY_COUNT * tiles + 1) * words * sizeof(uint64_t) +
           WAVE_SHOWN_MAX * sizeof(loam_text) + ALIGNMENTS;
}

loam_status wave_model_take(uint32_t tile_count, uint32_t name_count, loam_arena *arena,
                            wave_model *model, loam_error *error) {
    *model = (wave_model){
        .tile_count = tile_count, .words = words_of(tile_count), .name_count = name_count};
    size_t sets = (size_t)WAY_COUNT * tile_count;
    model->tiles = loam_arena_take_zero(arena, tile_count, sizeof *model->tiles);
    model->fits = loam_arena_take_zero(arena, sets * model->words, sizeof *model->fits);
    model->walkable = loam_arena_take_zero(arena, model->words, sizeof *model->walkable);
    model->names = loam_arena_take_zero(arena, name_count, sizeof *model->names);
    LOAM_TRY_MEMORY(model->tiles, error);
    LOAM_TRY_MEMORY(model->fits, error);
    LOAM_TRY_MEMORY(model->walkable, error);
    LOAM_TRY_MEMORY(model->names, error);
    return LOAM_OK;
}

static void add_to_set(uint64_t *set, uint32_t tile) {
    set[tile / BITS_A_SET_WORD] |= (uint64_t)1 << (tile % BITS_A_SET_WORD);
}

void wave_model_pair(wave_model *model, uint32_t tile, uint32_t way, uint32_t other) {
    add_to_set(wave_fits(model, way, tile), other);
    add_to_set(wave_fits(model, (way + 2) & 3, other), tile);
}

/* Tiles that the same tiles fit on a side: patterns of a sample that are alike there. */
static void find_twins(const wave_model *model, uint32_t way, uint32_t tile) {
    const uint64_t *fits = wave_fits(model, way, tile);
    for (uint32_t other = 0; other <= tile; other++) {
        if (memcmp(fits, wave_fits(model, way, other), model->words * sizeof *fits) == 0) {
            add_to_set(wave_twins(model, way, tile), other);
            add_to_set(wave_twins(model, way, other), tile);
        }
    }
}

loam_status wave_model_close(wave_model *model, loam_arena *arena, loam_error *error) {
    size_t sets = (size_t)WAY_COUNT * model->tile_count;
    model->twins = loam_arena_take_zero(arena, sets * model->words, sizeof *model->twins);
    LOAM_TRY_MEMORY(model->twins, error);
    for (uint32_t tile = 0; tile < model->tile_count; tile++) {
        for (uint32_t way = 0; way < WAY_COUNT; way++) {
            find_twins(model, way, tile);
        }
        if (model->tiles[tile].walkable) {
            add_to_set(model->walkable, tile);
            model->walkable_count++;
        }
    }
    return LOAM_OK;
}
