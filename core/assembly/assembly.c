/* SPDX-License-Identifier: MIT
 *
 * assembly.c: masks, the grid to walk on, pieces that stand alone, and batches.
 */
#include "core/assembly/assembly.h"

#include "core/assembly/mask.h"
#include "core/base/try.h"
#include "core/grid/bit_rows.h"

#include <string.h>

/* A cell: mask, blob, tile and its look's code, instance, the bits to walk on, scratch of masks and
 * colliders. Every take is rounded up to a line of the cache. */
enum { CELL_BYTES = 1 + 1 + 2 + sizeof(loam_instance) + 2, TAKES = 24, LINE_BYTES = 64 };

uint64_t assembly_bytes(int32_t width, int32_t height, uint64_t pieces, const tile_map *map) {
    uint64_t cells = ((uint64_t)width + 2) * ((uint64_t)height + 2);
    uint64_t boxes = (cells / 2 + 1) * sizeof(loam_box);
    uint64_t looks = (uint64_t)map->look_count *
                     (sizeof(loam_tile) + sizeof(loam_batch) + sizeof(uint32_t) + 2 * 2);
    return cells * CELL_BYTES + boxes + looks + pieces * sizeof(loam_actor) + TAKES * LINE_BYTES;
}

static loam_status make_walk(const loam_layout *layout, loam_arena *arena, loam_assembly *assembly,
                             loam_error *error) {
    uint32_t stride = loam_walk_stride(layout->width);
    uint8_t *walk = loam_arena_take_zero(arena, (size_t)layout->height, stride);
    LOAM_TRY_MEMORY(walk, error);
    for (int32_t y = 0; y < layout->height; y++) {
        const uint8_t *row = layout->cells + (size_t)y * (size_t)layout->width;
        uint8_t *bits = walk + (size_t)y * stride;
        int32_t x = 0;
        for (; x + 8 <= layout->width; x += 8) {
            bits[x / 8] = bits_of_cells(row + x);
        }
        for (; x < layout->width; x++) {
            unsigned bit = row[x] != LOAM_CELL_WALL;
            bits[x / 8] = (uint8_t)(bits[x / 8] | bit << (x % 8));
        }
    }
    assembly->walk = walk;
    return LOAM_OK;
}

/* Doors in their order, then junctions in theirs. */
static loam_status make_actors(const loam_layout *layout, loam_arena *arena,
                               loam_assembly *assembly, loam_error *error) {
    uint32_t count = layout->door_count + layout->junction_count;
    loam_actor *actors = loam_arena_take(arena, count, sizeof *actors);
    LOAM_TRY_MEMORY(actors, error);
    for (uint32_t i = 0; i < layout->door_count; i++) {
        const loam_door *door = &layout->doors[i];
        actors[i] = (loam_actor){LOAM_TILE_DOOR, i, door->at, door->width, LOAM_TILE_NONE};
    }
    for (uint32_t i = 0; i < layout->junction_count; i++) {
        const loam_junction *junction = &layout->junctions[i];
        actors[layout->door_count + i] =
            (loam_actor){LOAM_TILE_JUNCTION, i, junction->at, junction->width, LOAM_TILE_NONE};
    }
    assembly->actors = actors;
    assembly->actor_count = count;
    return LOAM_OK;
}

loam_status assembly_derive(const loam_layout *layout, bool outside_open, loam_arena *arena,
                            loam_assembly *assembly, loam_error *error) {
    size_t cells = (size_t)layout->width * (size_t)layout->height;
    uint8_t *mask = loam_arena_take(arena, cells, 1);
    uint8_t *blob = loam_arena_take(arena, cells, 1);
    LOAM_TRY_MEMORY(mask, error);
    LOAM_TRY_MEMORY(blob, error);
    mask_frame frame = {layout->width, layout->height, outside_open};
    LOAM_TRY(mask_grid(layout->cells, frame, mask, arena, error));
    blob_grid(mask, cells, blob);
    assembly->mask = mask;
    assembly->blob = blob;
    LOAM_TRY(make_walk(layout, arena, assembly, error));
    LOAM_TRY(make_actors(layout, arena, assembly, error));
    return colliders_make(layout, arena, assembly, error);
}

/* Tiles that differ in turn alone share a batch; doors have none. Returns how many there are. */
static uint32_t number_batches(const loam_assembly *assembly, uint16_t *batch_of) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < assembly->tile_count; i++) {
        const loam_tile *tile = &assembly->tiles[i], *last = i > 0 ? tile - 1 : NULL;
        if (tile->kind > LOAM_TILE_WALL) {
            batch_of[i] = LOAM_TILE_NONE;
            continue;
        }
        bool same = last != NULL && last->kind == tile->kind && last->variant == tile->variant &&
                    loam_text_equal(last->asset, tile->asset);
        count += !same;
        batch_of[i] = (uint16_t)(count - 1);
    }
    return count;
}

/* Each batch gets its part of the instances: `ends` is where the next instance of it goes. */
static void place_batches(const loam_assembly *assembly, const uint16_t *batch_of,
                          const uint32_t *tile_cells, loam_batch *batches,
                          loam_instance *instances) {
    uint32_t begin = 0;
    for (uint32_t i = 0; i < assembly->tile_count; i++) {
        if (batch_of[i] == LOAM_TILE_NONE) {
            continue;
        }
        loam_batch *batch = &batches[batch_of[i]];
        if (batch->instances == NULL) {
            *batch = (loam_batch){.kind = assembly->tiles[i].kind,
                                  .asset = assembly->tiles[i].asset,
                                  .variant = assembly->tiles[i].variant,
                                  .instances = instances + begin};
        }
        begin += tile_cells[i];
    }
}

static void fill_batches(const loam_layout *layout, const loam_assembly *assembly,
                         const uint16_t *batch_of, loam_batch *batches, loam_instance *instances) {
    const uint16_t *tile = assembly->grid;
    for (int32_t y = 0; y < layout->height; y++) {
        for (int32_t x = 0; x < layout->width; x++, tile++) {
            uint16_t number = *tile == LOAM_TILE_NONE ? LOAM_TILE_NONE : batch_of[*tile];
            if (number != LOAM_TILE_NONE) {
                loam_batch *batch = &batches[number];
                size_t at = (size_t)(batch->instances - instances) + batch->instance_count++;
                instances[at] = (loam_instance){{x, y}, assembly->tiles[*tile].turn};
            }
        }
    }
}

/* Cells of each tile; returns how many cells have none. */
static uint32_t count_cells(const loam_assembly *assembly, size_t cells, uint32_t *tile_cells) {
    uint32_t without = 0;
    for (size_t i = 0; i < cells; i++) {
        if (assembly->grid[i] == LOAM_TILE_NONE) {
            without++;
        } else {
            tile_cells[assembly->grid[i]]++;
        }
    }
    return without;
}

loam_status assembly_batch(const loam_layout *layout, loam_arena *arena, loam_assembly *assembly,
                           loam_error *error) {
    size_t cells = (size_t)layout->width * (size_t)layout->height;
    uint32_t *tile_cells = loam_arena_take_zero(arena, assembly->tile_count, sizeof *tile_cells);
    uint16_t *batch_of = loam_arena_take(arena, assembly->tile_count, sizeof *batch_of);
    loam_instance *instances = loam_arena_take(arena, cells, sizeof *instances);
    LOAM_TRY_MEMORY(tile_cells, error);
    LOAM_TRY_MEMORY(batch_of, error);
    LOAM_TRY_MEMORY(instances, error);
    assembly->unmatched = count_cells(assembly, cells, tile_cells);
    for (uint32_t i = 0; i < assembly->actor_count; i++) {
        const loam_actor *actor = &assembly->actors[i];
        assembly->unmatched += actor->kind == LOAM_TILE_JUNCTION && actor->tile == LOAM_TILE_NONE;
    }
    assembly->batch_count = number_batches(assembly, batch_of);
    loam_batch *batches = loam_arena_take_zero(arena, assembly->batch_count, sizeof *batches);
    LOAM_TRY_MEMORY(batches, error);
    place_batches(assembly, batch_of, tile_cells, batches, instances);
    fill_batches(layout, assembly, batch_of, batches, instances);
    assembly->batches = batches;
    return LOAM_OK;
}
