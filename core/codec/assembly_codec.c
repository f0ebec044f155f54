/* SPDX-License-Identifier: MIT
 *
 * assembly_codec.c: canonical bytes of an assembly, out and in. Tiles and the grid of them are
 * read; masks, colliders, the grid to walk on and the places of pieces are skipped, made again from
 * the layout and compared with the rest of the bytes by whoever calls.
 */
#include "core/assembly/assembly.h"
#include "core/base/try.h"
#include "core/codec/dungeon_form.h"
#include "core/codec/format.h"

#include <string.h>

enum { TILE_BYTES_MIN = 7, ACTOR_BYTES = 19, COLLIDER_BYTES = 16, GRID_BLOCK = 1024 };

static void write_grid(byte_writer *writer, const uint16_t *grid, size_t cells) {
    unsigned char block[GRID_BLOCK * 2];
    for (size_t first = 0; first < cells; first += GRID_BLOCK) {
        size_t count = cells - first < GRID_BLOCK ? cells - first : GRID_BLOCK;
        for (size_t i = 0; i < count; i++) {
            put_u16(block + 2 * i, grid[first + i]);
        }
        write_bytes(writer, block, 2 * count);
    }
}

static void write_tiles(byte_writer *writer, const loam_assembly *assembly) {
    write_u32(writer, assembly->tile_count);
    for (uint32_t i = 0; i < assembly->tile_count; i++) {
        write_u8(writer, (uint8_t)assembly->tiles[i].kind);
        write_text(writer, assembly->tiles[i].asset);
        write_u8(writer, assembly->tiles[i].variant);
        write_u8(writer, assembly->tiles[i].turn);
    }
}

static void write_actors(byte_writer *writer, const loam_assembly *assembly) {
    write_u32(writer, assembly->actor_count);
    for (uint32_t i = 0; i < assembly->actor_count; i++) {
        const loam_actor *actor = &assembly->actors[i];
        write_u8(writer, (uint8_t)actor->kind);
        write_u32(writer, actor->index);
        write_i32(writer, actor->at.x);
        write_i32(writer, actor->at.y);
        write_i32(writer, actor->width);
        write_u16(writer, actor->tile);
    }
}

static void write_colliders(byte_writer *writer, const loam_assembly *assembly) {
    write_u32(writer, assembly->collider_count);
    for (uint32_t i = 0; i < assembly->collider_count; i++) {
        const loam_box *box = &assembly->colliders[i];
        write_i32(writer, box->x);
        write_i32(writer, box->y);
        write_i32(writer, box->width);
        write_i32(writer, box->height);
    }
}

void assembly_write(byte_writer *writer, const loam_layout *layout, const loam_assembly *assembly,
                    bool outside_open) {
    size_t cells = (size_t)layout->width * (size_t)layout->height;
    write_bytes(writer, ASSEMBLY_MAGIC, MAGIC_BYTES);
    write_u16(writer, DUNGEON_FORMAT_VERSION);
    write_i32(writer, layout->width);
    write_i32(writer, layout->height);
    write_u8(writer, outside_open);
    write_tiles(writer, assembly);
    write_grid(writer, assembly->grid, cells);
    write_actors(writer, assembly);
    write_bytes(writer, assembly->mask, cells);
    write_bytes(writer, assembly->blob, cells);
    write_colliders(writer, assembly);
    write_bytes(writer, assembly->walk, (size_t)layout->height * loam_walk_stride(layout->width));
}

/* Strictly rising by kind, asset, variant, turn. */
static bool is_after(const loam_tile *a, const loam_tile *b) {
    int asset = loam_text_compare(a->asset, b->asset);
    if (a->kind != b->kind) {
        return a->kind < b->kind;
    }
    if (asset != 0) {
        return asset < 0;
    }
    return a->variant != b->variant ? a->variant < b->variant : a->turn < b->turn;
}

static loam_status read_palette(dungeon_reader *reader, loam_assembly *assembly) {
    LOAM_TRY(read_count(reader, TILE_BYTES_MIN, &assembly->tile_count));
    if (assembly->tile_count >= LOAM_TILE_NONE) {
        return dungeon_damaged(reader->error, "there are too many tiles");
    }
    loam_tile *tiles = loam_arena_take(reader->arena, assembly->tile_count, sizeof *tiles);
    LOAM_TRY_MEMORY(tiles, reader->error);
    for (uint32_t i = 0; i < assembly->tile_count; i++) {
        uint8_t kind = read_u8(&reader->from);
        tiles[i] = (loam_tile){.kind = (loam_tile_kind)kind};
        tiles[i].asset = read_text(&reader->from);
        tiles[i].variant = read_u8(&reader->from);
        tiles[i].turn = read_u8(&reader->from);
        if (kind > LOAM_TILE_JUNCTION || tiles[i].turn > 3 || tiles[i].asset.size == 0 ||
            (i > 0 && !is_after(&tiles[i - 1], &tiles[i]))) {
            return dungeon_damaged(reader->error, "tiles are out of order");
        }
    }
    assembly->tiles = tiles;
    return LOAM_OK;
}

/* Floors have tiles of floors, walls of walls, doors of doors, or none. */
static loam_status read_tile_grid(dungeon_reader *reader, const loam_layout *layout,
                                  loam_assembly *assembly, bool *used) {
    static const loam_tile_kind kinds[] = {[LOAM_CELL_WALL] = LOAM_TILE_WALL,
                                           [LOAM_CELL_FLOOR] = LOAM_TILE_FLOOR,
                                           [LOAM_CELL_DOOR] = LOAM_TILE_DOOR};
    size_t cells = (size_t)layout->width * (size_t)layout->height;
    const unsigned char *bytes = read_bytes(&reader->from, 2 * cells);
    if (bytes == NULL) {
        return dungeon_damaged(reader->error, "it is cut");
    }
    uint16_t *grid = loam_arena_take(reader->arena, cells, sizeof *grid);
    LOAM_TRY_MEMORY(grid, reader->error);
    for (size_t i = 0; i < cells; i++) {
        grid[i] = get_u16(bytes + 2 * i);
        if (grid[i] == LOAM_TILE_NONE) {
            continue;
        }
        if (grid[i] >= assembly->tile_count ||
            assembly->tiles[grid[i]].kind != kinds[layout->cells[i]]) {
            return dungeon_damaged(reader->error, "a cell has a tile of another kind");
        }
        used[grid[i]] = true;
    }
    assembly->grid = grid;
    return LOAM_OK;
}

/* Of a piece only the tile is believed. */
static loam_status read_actor_tiles(dungeon_reader *reader, loam_assembly *assembly, bool *used) {
    loam_actor *actors = (loam_actor *)assembly->actors;
    uint32_t count;
    LOAM_TRY(read_count(reader, ACTOR_BYTES, &count));
    if (count != assembly->actor_count) {
        return dungeon_damaged(reader->error, "pieces are not those of the layout");
    }
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *bytes = read_bytes(&reader->from, ACTOR_BYTES);
        uint16_t tile = get_u16(bytes + ACTOR_BYTES - 2);
        if (tile != LOAM_TILE_NONE &&
            (tile >= assembly->tile_count || assembly->tiles[tile].kind != actors[i].kind)) {
            return dungeon_damaged(reader->error, "a piece has a tile of another kind");
        }
        if (tile != LOAM_TILE_NONE) {
            used[tile] = true;
        }
        actors[i].tile = tile;
    }
    return LOAM_OK;
}

static loam_status check_used(dungeon_reader *reader, const loam_assembly *assembly,
                              const bool *used) {
    for (uint32_t i = 0; i < assembly->tile_count; i++) {
        if (!used[i]) {
            return dungeon_damaged(reader->error, "a tile stands nowhere");
        }
    }
    return LOAM_OK;
}

/* What is made again anyway. */
static loam_status skip_rest(dungeon_reader *reader, const loam_layout *layout) {
    uint32_t colliders;
    size_t cells = (size_t)layout->width * (size_t)layout->height;
    (void)read_bytes(&reader->from, 2 * cells);
    LOAM_TRY(read_count(reader, COLLIDER_BYTES, &colliders));
    (void)read_bytes(&reader->from, (size_t)colliders * COLLIDER_BYTES);
    (void)read_bytes(&reader->from, (size_t)layout->height * loam_walk_stride(layout->width));
    return reader->from.failed ? dungeon_damaged(reader->error, "it is cut") : LOAM_OK;
}

loam_status assembly_read(dungeon_reader *reader, const loam_layout *layout, bool outside_open,
                          loam_assembly *assembly) {
    enum { HEAD_BYTES = MAGIC_BYTES + 2 + 4 + 4 + 1 };
    *assembly = (loam_assembly){0};
    if (read_bytes(&reader->from, HEAD_BYTES) == NULL) {
        return dungeon_damaged(reader->error, "it is cut");
    }
    LOAM_TRY(read_palette(reader, assembly));
    LOAM_TRY(assembly_derive(layout, outside_open, reader->arena, assembly, reader->error));
    bool *used = loam_arena_take_zero(reader->arena, assembly->tile_count, sizeof *used);
    LOAM_TRY_MEMORY(used, reader->error);
    LOAM_TRY(read_tile_grid(reader, layout, assembly, used));
    LOAM_TRY(read_actor_tiles(reader, assembly, used));
    LOAM_TRY(check_used(reader, assembly, used));
    LOAM_TRY(skip_rest(reader, layout));
    return assembly_batch(layout, reader->arena, assembly, reader->error);
}
