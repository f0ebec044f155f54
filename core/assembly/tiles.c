/* SPDX-License-Identifier: MIT
 *
 * tiles.c: which piece stands where: the tile map asked for every cell, door and junction, and the
 * looks that came up as a palette.
 */
#include "core/assembly/assembly.h"
#include "core/assembly/mask.h"
#include "core/base/try.h"
#include "core/grid/draw.h"

/* What one walks through a door: north and south, or west and east. */
enum { MASK_ACROSS_X = 0x11, MASK_ACROSS_Y = 0x44 };

/* Details from here on are decoration, not variants of the floor. */
enum { DETAIL_DECORATION = 100 };

static uint64_t row_key(const assembly_input *input, int32_t y) {
    return draw_for(input->seed, STAGE_VARIANT, (uint64_t)y, 0);
}

/* A layout with a detail layer says which variant a floor has, unless that layer holds tiles. */
static int32_t given_variant(const loam_layout *layout, size_t cell) {
    if (layout->detail == NULL || layout->tiles != NULL || layout->detail[cell] == 0 ||
        layout->detail[cell] >= DETAIL_DECORATION || layout->cells[cell] != LOAM_CELL_FLOOR) {
        return -1;
    }
    return layout->detail[cell] - 1;
}

static void pick_cells(const assembly_input *input, const uint8_t *mask, uint16_t *codes) {
    static const loam_tile_kind kinds[] = {[LOAM_CELL_WALL] = LOAM_TILE_WALL,
                                           [LOAM_CELL_FLOOR] = LOAM_TILE_FLOOR,
                                           [LOAM_CELL_DOOR] = LOAM_TILE_DOOR};
    const loam_layout *layout = input->layout;
    size_t cell = 0;
    for (int32_t y = 0; y < layout->height; y++) {
        uint64_t key = row_key(input, y);
        for (int32_t x = 0; x < layout->width; x++, cell++) {
            loam_tile_kind kind = kinds[layout->cells[cell]];
            codes[cell] = input->map->choices[kind][mask[cell]].look;
            if (codes[cell] == LOAM_TILE_NONE) {
                tile_draw draw = {key, x, given_variant(layout, cell)};
                codes[cell] = tile_map_pick(input->map, kind, mask[cell], draw);
            }
        }
    }
}

/* Every cell of a door shows what the whole does: one walks across it. */
static void pick_door(const assembly_input *input, loam_actor *actor, uint16_t *codes) {
    const loam_layout *layout = input->layout;
    loam_axis axis = layout->doors[actor->index].axis;
    uint8_t mask = axis == LOAM_AXIS_X ? MASK_ACROSS_X : MASK_ACROSS_Y;
    tile_draw draw = {row_key(input, actor->at.y), actor->at.x, -1};
    actor->tile = tile_map_pick(input->map, LOAM_TILE_DOOR, mask, draw);
    for (int32_t i = 0; i < actor->width; i++) {
        int32_t x = actor->at.x + (axis == LOAM_AXIS_X ? i : 0);
        int32_t y = actor->at.y + (axis == LOAM_AXIS_Y ? i : 0);
        if (x >= 0 && y >= 0 && x < layout->width && y < layout->height) {
            codes[(size_t)y * (size_t)layout->width + (size_t)x] = actor->tile;
        }
    }
}

static void pick_junction(const assembly_input *input, loam_actor *actor) {
    unsigned ways = input->layout->junctions[actor->index].ways;
    uint8_t mask =
        loam_mask_convert((uint8_t)(ways & 15), LOAM_MASK_EDGES_FIRST, LOAM_MASK_CLOCKWISE);
    tile_draw draw = {row_key(input, actor->at.y), actor->at.x, -1};
    actor->tile = tile_map_pick(input->map, LOAM_TILE_JUNCTION, mask, draw);
}

/* Numbers the looks that came up; `rank` goes from code to tile. */
static loam_status make_palette(const tile_map *map, const uint16_t *rank, loam_arena *arena,
                                loam_assembly *assembly, loam_error *error) {
    loam_tile *tiles = loam_arena_take(arena, assembly->tile_count, sizeof *tiles);
    LOAM_TRY_MEMORY(tiles, error);
    for (uint32_t code = 0; code < map->look_count; code++) {
        if (rank[code] != LOAM_TILE_NONE) {
            tiles[rank[code]] = map->looks[code];
        }
    }
    assembly->tiles = tiles;
    return LOAM_OK;
}

static void mark_code(uint16_t *rank, uint16_t code) {
    if (code != LOAM_TILE_NONE) {
        rank[code] = 0;
    }
}

static uint16_t rank_of(const uint16_t *rank, uint16_t code) {
    return code == LOAM_TILE_NONE ? LOAM_TILE_NONE : rank[code];
}

/* From codes to tiles, in place. */
static loam_status rank_codes(const assembly_input *input, uint16_t *grid, loam_actor *actors,
                              loam_arena *arena, loam_assembly *assembly, loam_error *error) {
    size_t cells = (size_t)input->layout->width * (size_t)input->layout->height;
    uint16_t *rank = loam_arena_take(arena, input->map->look_count, sizeof *rank);
    LOAM_TRY_MEMORY(rank, error);
    for (uint32_t code = 0; code < input->map->look_count; code++) {
        rank[code] = LOAM_TILE_NONE;
    }
    for (size_t i = 0; i < cells; i++) {
        mark_code(rank, grid[i]);
    }
    for (uint32_t i = 0; i < assembly->actor_count; i++) {
        mark_code(rank, actors[i].tile);
    }
    for (uint32_t code = 0; code < input->map->look_count; code++) {
        if (rank[code] == 0) {
            rank[code] = (uint16_t)assembly->tile_count++;
        }
    }
    for (size_t i = 0; i < cells; i++) {
        grid[i] = rank_of(rank, grid[i]);
    }
    for (uint32_t i = 0; i < assembly->actor_count; i++) {
        actors[i].tile = rank_of(rank, actors[i].tile);
    }
    return make_palette(input->map, rank, arena, assembly, error);
}

loam_status assembly_make(const assembly_input *input, loam_arena *arena, loam_assembly *assembly,
                          loam_error *error) {
    const loam_layout *layout = input->layout;
    size_t cells = (size_t)layout->width * (size_t)layout->height;
    *assembly = (loam_assembly){0};
    LOAM_TRY(assembly_derive(layout, input->outside_open, arena, assembly, error));
    uint16_t *grid = loam_arena_take(arena, cells, sizeof *grid);
    LOAM_TRY_MEMORY(grid, error);
    loam_actor *actors = (loam_actor *)assembly->actors;
    pick_cells(input, assembly->mask, grid);
    for (uint32_t i = 0; i < assembly->actor_count; i++) {
        if (actors[i].kind == LOAM_TILE_DOOR) {
            pick_door(input, &actors[i], grid);
        } else {
            pick_junction(input, &actors[i]);
        }
    }
    assembly->grid = grid;
    LOAM_TRY(rank_codes(input, grid, actors, arena, assembly, error));
    return assembly_batch(layout, arena, assembly, error);
}
