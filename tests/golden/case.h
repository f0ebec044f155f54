/* SPDX-License-Identifier: MIT
 *
 * case.h: the case file of the golden catalogue: what the host hands to the digest program, so that
 * the latter needs no JSON and no library but core. `generate` writes it with the functions below,
 * digest.c reads it; README.md describes the bytes. All numbers are little endian.
 *
 * file  u32 count of cases, then the cases
 * cell  u8 0, u32 size + graph bytes, u64 seed, u32 output, i64 x0 z0 x1 z1, u32 count of slots,
 *       per slot u32 size + asset bytes (size 0: unbound)
 * heightmap  u8 1, u64 seed, u64 width, u64 height, i64 spacing_fine, i64 origin_x, i64 origin_z,
 *       i64 wavelength, i64 amplitude, i64 base, i64 warp, u64 octaves, u64 ridged
 * dungeon  u8 2, u32 size + name of the recipe, u64 seed, u8 1 when its key is wanted, u8 1 when
 * the dungeon is, the parameters (core/base/rules_tree.h)
 * content  u8 3, the same without u8 2, u64 sub, the rules
 */
#ifndef LOAM_GOLDEN_CASE_H
#define LOAM_GOLDEN_CASE_H

#include "core/base/bytes.h"
#include "core/base/rules_tree.h"
#include "core/base/try.h"
#include "core/loam_dungeon.h"

enum case_kind { CASE_CELL = 0, CASE_HEIGHTMAP = 1, CASE_DUNGEON = 2, CASE_CONTENT = 3 };

/* What the digest program writes before each record: whose bytes follow. */
enum record_kind { RECORD_ARTIFACT = 'd', RECORD_KEY = 'k' };

/* One cell of a graph. Borrowed. */
typedef struct case_cell {
    const loam_graph *graph;
    uint64_t seed;
    uint32_t output;
    loam_rect rect;
    const loam_asset *slots; /* graph->slot_count; kind LOAM_PORT_NONE for an unbound one */
} case_cell;

/* One dungeon of the newest version of a recipe, policy degraded. Borrowed. */
typedef struct case_dungeon {
    loam_text recipe;
    uint64_t seed;
    const loam_rules *params;
    bool has_key, has_artifact;
} case_dungeon;

static inline void case_count_bytes(void *context, const void *bytes, size_t size) {
    (void)bytes;
    *(uint64_t *)context += size;
}

static inline void case_forward_bytes(void *context, const void *bytes, size_t size) {
    write_bytes(context, bytes, size);
}

LOAM_MUST_USE static inline loam_status case_write_graph(byte_writer *writer,
                                                         const loam_graph *graph) {
    uint64_t size = 0;
    LOAM_TRY(loam_graph_encode(graph, (loam_sink){case_count_bytes, &size}));
    write_u32(writer, (uint32_t)size);
    return loam_graph_encode(graph, (loam_sink){case_forward_bytes, writer});
}

LOAM_MUST_USE static inline loam_status case_write_asset(byte_writer *writer,
                                                         const loam_asset *asset) {
    uint64_t size = 0;
    if (asset->kind == LOAM_PORT_NONE) {
        write_u32(writer, 0);
        return LOAM_OK;
    }
    LOAM_TRY(loam_asset_encode(asset, (loam_sink){case_count_bytes, &size}));
    write_u32(writer, (uint32_t)size);
    return loam_asset_encode(asset, (loam_sink){case_forward_bytes, writer});
}

LOAM_MUST_USE static inline loam_status case_write_cell(byte_writer *writer,
                                                        const case_cell *cell) {
    write_u8(writer, CASE_CELL);
    LOAM_TRY(case_write_graph(writer, cell->graph));
    write_u64(writer, cell->seed);
    write_u32(writer, cell->output);
    write_i64(writer, cell->rect.x0);
    write_i64(writer, cell->rect.z0);
    write_i64(writer, cell->rect.x1);
    write_i64(writer, cell->rect.z1);
    write_u32(writer, cell->graph->slot_count);
    for (uint32_t i = 0; i < cell->graph->slot_count; i++) {
        LOAM_TRY(case_write_asset(writer, &cell->slots[i]));
    }
    return LOAM_OK;
}

static inline void case_write_heightmap(byte_writer *writer, const loam_heightmap *recipe) {
    write_u8(writer, CASE_HEIGHTMAP);
    write_u64(writer, recipe->seed);
    write_u64(writer, recipe->width);
    write_u64(writer, recipe->height);
    write_i64(writer, recipe->spacing_fine);
    write_i64(writer, recipe->origin_x);
    write_i64(writer, recipe->origin_z);
    write_i64(writer, recipe->wavelength);
    write_i64(writer, recipe->amplitude);
    write_i64(writer, recipe->base);
    write_i64(writer, recipe->warp);
    write_u64(writer, recipe->octaves);
    write_u64(writer, recipe->ridged ? 1 : 0);
}

static inline void case_write_request(byte_writer *writer, const case_dungeon *dungeon) {
    write_text(writer, dungeon->recipe);
    write_u64(writer, dungeon->seed);
    write_u8(writer, dungeon->has_key);
    write_u8(writer, dungeon->has_artifact);
    rules_tree_write(writer, dungeon->params);
}

static inline void case_write_dungeon(byte_writer *writer, const case_dungeon *dungeon) {
    write_u8(writer, CASE_DUNGEON);
    case_write_request(writer, dungeon);
}

/* What is in a dungeon. */
static inline void case_write_content(byte_writer *writer, const case_dungeon *dungeon,
                                      uint64_t sub, const loam_rules *rules) {
    write_u8(writer, CASE_CONTENT);
    case_write_request(writer, dungeon);
    write_u64(writer, sub);
    rules_tree_write(writer, rules);
}

#endif
