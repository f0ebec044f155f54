/* SPDX-License-Identifier: MIT
 *
 * layout_decode.c: a layout from its bytes. Everything that is an index or a place is checked, so
 * that whoever draws or walks it need not.
 */
#include "core/base/try.h"
#include "core/codec/dungeon_form.h"
#include "core/codec/format.h"
#include "core/layout/layout.h"

#include <string.h>

/* Bytes of the least of each. */
enum {
    TEXT_BYTES_MIN = 4,
    ROOM_BYTES_MIN = 21,
    EDGE_BYTES_MIN = 21,
    CORRIDOR_BYTES_MIN = 16,
    SPOT_BYTES = 8,
    JUNCTION_BYTES = 14,
    DOOR_BYTES_MIN = 17,
    BOX_BYTES = 16,
};

/* Widest corridor or door: as wide as a map. */
enum { PIECE_WIDTH_MAX = LAYOUT_SIDE_MAX };

loam_status dungeon_damaged(loam_error *error, const char *what) {
    return loam_fail(error, LOAM_DAMAGED, NULL, "no dungeon: %s", what);
}

loam_status read_count(dungeon_reader *reader, uint32_t bytes_min, uint32_t *count) {
    *count = read_u32(&reader->from);
    if (reader->from.failed || *count > reader->from.left / bytes_min) {
        return dungeon_damaged(reader->error, "it is cut");
    }
    return LOAM_OK;
}

static loam_spot read_spot(byte_reader *from) {
    loam_spot at;
    at.x = read_i32(from);
    at.y = read_i32(from);
    return at;
}

static loam_box read_box(byte_reader *from) {
    loam_box box;
    box.x = read_i32(from);
    box.y = read_i32(from);
    box.width = read_i32(from);
    box.height = read_i32(from);
    return box;
}

static bool has_spot(const loam_layout *layout, loam_spot at) {
    return at.x >= 0 && at.y >= 0 && at.x < layout->width && at.y < layout->height;
}

static bool has_spot_or_none(const loam_layout *layout, loam_spot at) {
    return has_spot(layout, at) || (at.x == -1 && at.y == -1);
}

static bool has_box(const loam_layout *layout, loam_box box) {
    return box.x >= 0 && box.y >= 0 && box.width >= 1 && box.height >= 1 &&
           box.width <= layout->width - box.x && box.height <= layout->height - box.y;
}

static bool is_width(int32_t width) {
    return width >= 1 && width <= PIECE_WIDTH_MAX;
}

static loam_status read_head(dungeon_reader *reader, loam_layout *layout) {
    const unsigned char *magic = read_bytes(&reader->from, MAGIC_BYTES);
    uint16_t version = read_u16(&reader->from);
    layout->width = read_i32(&reader->from);
    layout->height = read_i32(&reader->from);
    layout->entrance = read_spot(&reader->from);
    layout->exit = read_spot(&reader->from);
    layout->stairs_up = read_spot(&reader->from);
    layout->stairs_down = read_spot(&reader->from);
    if (reader->from.failed || memcmp(magic, LAYOUT_MAGIC, MAGIC_BYTES) != 0 ||
        version != DUNGEON_FORMAT_VERSION) {
        return dungeon_damaged(reader->error, "a layout begins otherwise");
    }
    if (layout->width < 1 || layout->height < 1 || layout->width > LAYOUT_SIDE_MAX ||
        layout->height > LAYOUT_SIDE_MAX) {
        return dungeon_damaged(reader->error, "the size is out of range");
    }
    if (!has_spot_or_none(layout, layout->entrance) || !has_spot_or_none(layout, layout->exit) ||
        !has_spot_or_none(layout, layout->stairs_up) ||
        !has_spot_or_none(layout, layout->stairs_down)) {
        return dungeon_damaged(reader->error, "a place lies outside");
    }
    return LOAM_OK;
}

/* A copy of so many bytes; the caller may change layouts, not what they are read from. */
static loam_status read_cells(dungeon_reader *reader, size_t count, uint8_t **cells) {
    const unsigned char *bytes = read_bytes(&reader->from, count);
    if (bytes == NULL) {
        return dungeon_damaged(reader->error, "it is cut");
    }
    *cells = loam_arena_take(reader->arena, count, 1);
    LOAM_TRY_MEMORY(*cells, reader->error);
    memcpy(*cells, bytes, count);
    return LOAM_OK;
}

static loam_status read_tiles(dungeon_reader *reader, loam_layout *layout, size_t cells) {
    LOAM_TRY(read_count(reader, TEXT_BYTES_MIN, &layout->tile_count));
    if (layout->tile_count == 0) {
        return LOAM_OK;
    }
    loam_text *tiles = loam_arena_take(reader->arena, layout->tile_count, sizeof *tiles);
    LOAM_TRY_MEMORY(tiles, reader->error);
    for (uint32_t i = 0; i < layout->tile_count; i++) {
        tiles[i] = read_text(&reader->from);
    }
    layout->tiles = tiles;
    for (size_t i = 0; layout->detail != NULL && i < cells; i++) {
        if (layout->detail[i] >= layout->tile_count) {
            return dungeon_damaged(reader->error, "a cell names no tile");
        }
    }
    return layout->detail != NULL ? LOAM_OK
                                  : dungeon_damaged(reader->error, "tiles without cells of them");
}

static loam_status read_grids(dungeon_reader *reader, loam_layout *layout) {
    size_t cells = (size_t)layout->width * (size_t)layout->height;
    LOAM_TRY(read_cells(reader, cells, &layout->cells));
    for (size_t i = 0; i < cells; i++) {
        if (layout->cells[i] > LOAM_CELL_DOOR) {
            return dungeon_damaged(reader->error, "a cell is of no known kind");
        }
    }
    uint8_t has_detail = read_u8(&reader->from);
    if (has_detail > 1) {
        return dungeon_damaged(reader->error, "a mark is neither 0 nor 1");
    }
    if (has_detail == 1) {
        LOAM_TRY(read_cells(reader, cells, &layout->detail));
    }
    return read_tiles(reader, layout, cells);
}

static loam_status read_rooms(dungeon_reader *reader, loam_layout *layout) {
    LOAM_TRY(read_count(reader, ROOM_BYTES_MIN, &layout->room_count));
    layout->rooms = loam_arena_take(reader->arena, layout->room_count, sizeof *layout->rooms);
    LOAM_TRY_MEMORY(layout->rooms, reader->error);
    for (uint32_t i = 0; i < layout->room_count; i++) {
        loam_room *room = &layout->rooms[i];
        uint8_t kind = read_u8(&reader->from);
        *room = (loam_room){.id = i, .kind = (loam_room_kind)kind};
        room->box = read_box(&reader->from);
        room->name = read_text(&reader->from);
        if (kind > LOAM_ROOM_ENTRANCE || !has_box(layout, room->box)) {
            return dungeon_damaged(reader->error, "a room is out of range");
        }
    }
    layout->rooms_wanted = read_u32(&reader->from);
    return LOAM_OK;
}

static loam_status read_edges(dungeon_reader *reader, loam_layout *layout) {
    LOAM_TRY(read_count(reader, EDGE_BYTES_MIN, &layout->edge_count));
    layout->edges = loam_arena_take(reader->arena, layout->edge_count, sizeof *layout->edges);
    LOAM_TRY_MEMORY(layout->edges, reader->error);
    for (uint32_t i = 0; i < layout->edge_count; i++) {
        loam_room_edge *edge = &layout->edges[i];
        edge->a = read_u32(&reader->from);
        edge->b = read_u32(&reader->from);
        uint8_t role = read_u8(&reader->from);
        edge->role = (loam_edge_role)role;
        edge->length2 = read_i64(&reader->from);
        edge->lock = read_text(&reader->from);
        if (role > LOAM_EDGE_LOOP || edge->a >= edge->b || edge->b >= layout->room_count) {
            return dungeon_damaged(reader->error, "an edge joins no two rooms");
        }
    }
    return LOAM_OK;
}

static loam_status read_path(dungeon_reader *reader, const loam_layout *layout,
                             loam_corridor *corridor) {
    LOAM_TRY(read_count(reader, SPOT_BYTES, &corridor->path_count));
    loam_spot *path = loam_arena_take(reader->arena, corridor->path_count, sizeof *path);
    LOAM_TRY_MEMORY(path, reader->error);
    for (uint32_t i = 0; i < corridor->path_count; i++) {
        path[i] = read_spot(&reader->from);
        if (!has_spot(layout, path[i])) {
            return dungeon_damaged(reader->error, "a corridor leads outside");
        }
    }
    corridor->path = path;
    return LOAM_OK;
}

static loam_status read_corridors(dungeon_reader *reader, loam_layout *layout) {
    LOAM_TRY(read_count(reader, CORRIDOR_BYTES_MIN, &layout->corridor_count));
    layout->corridors =
        loam_arena_take(reader->arena, layout->corridor_count, sizeof *layout->corridors);
    LOAM_TRY_MEMORY(layout->corridors, reader->error);
    for (uint32_t i = 0; i < layout->corridor_count; i++) {
        loam_corridor *corridor = &layout->corridors[i];
        corridor->a = read_u32(&reader->from);
        corridor->b = read_u32(&reader->from);
        corridor->width = read_i32(&reader->from);
        if (corridor->a >= layout->room_count || corridor->b >= layout->room_count ||
            !is_width(corridor->width)) {
            return dungeon_damaged(reader->error, "a corridor joins no two rooms");
        }
        LOAM_TRY(read_path(reader, layout, corridor));
    }
    return LOAM_OK;
}

static loam_status read_junctions(dungeon_reader *reader, loam_layout *layout) {
    enum { WAYS_ALL = 15 };
    LOAM_TRY(read_count(reader, JUNCTION_BYTES, &layout->junction_count));
    layout->junctions =
        loam_arena_take(reader->arena, layout->junction_count, sizeof *layout->junctions);
    LOAM_TRY_MEMORY(layout->junctions, reader->error);
    for (uint32_t i = 0; i < layout->junction_count; i++) {
        loam_junction *junction = &layout->junctions[i];
        junction->at = read_spot(&reader->from);
        junction->width = read_i32(&reader->from);
        uint8_t kind = read_u8(&reader->from);
        junction->kind = (loam_junction_kind)kind;
        junction->ways = read_u8(&reader->from);
        if (!has_spot(layout, junction->at) || kind > LOAM_JUNCTION_CROSS ||
            junction->ways > WAYS_ALL || !is_width(junction->width)) {
            return dungeon_damaged(reader->error, "a junction is out of range");
        }
    }
    return LOAM_OK;
}

static loam_status read_doors(dungeon_reader *reader, loam_layout *layout) {
    LOAM_TRY(read_count(reader, DOOR_BYTES_MIN, &layout->door_count));
    layout->doors = loam_arena_take(reader->arena, layout->door_count, sizeof *layout->doors);
    LOAM_TRY_MEMORY(layout->doors, reader->error);
    for (uint32_t i = 0; i < layout->door_count; i++) {
        loam_door *door = &layout->doors[i];
        *door = (loam_door){.id = i, .at = read_spot(&reader->from)};
        door->width = read_i32(&reader->from);
        uint8_t axis = read_u8(&reader->from);
        door->axis = (loam_axis)axis;
        door->lock = read_text(&reader->from);
        loam_box run = {door->at.x, door->at.y, axis == LOAM_AXIS_X ? door->width : 1,
                        axis == LOAM_AXIS_X ? 1 : door->width};
        if (axis > LOAM_AXIS_Y || !has_box(layout, run)) {
            return dungeon_damaged(reader->error, "a door is out of range");
        }
    }
    return LOAM_OK;
}

static loam_status read_leaves(dungeon_reader *reader, loam_layout *layout) {
    LOAM_TRY(read_count(reader, BOX_BYTES, &layout->leaf_count));
    layout->leaves = loam_arena_take(reader->arena, layout->leaf_count, sizeof *layout->leaves);
    LOAM_TRY_MEMORY(layout->leaves, reader->error);
    for (uint32_t i = 0; i < layout->leaf_count; i++) {
        layout->leaves[i] = read_box(&reader->from);
        if (!has_box(layout, layout->leaves[i])) {
            return dungeon_damaged(reader->error, "a leaf is out of range");
        }
    }
    return LOAM_OK;
}

loam_status layout_read(dungeon_reader *reader, loam_layout *layout) {
    *layout = (loam_layout){0};
    LOAM_TRY(read_head(reader, layout));
    LOAM_TRY(read_grids(reader, layout));
    LOAM_TRY(read_rooms(reader, layout));
    LOAM_TRY(read_edges(reader, layout));
    LOAM_TRY(read_corridors(reader, layout));
    LOAM_TRY(read_junctions(reader, layout));
    LOAM_TRY(read_doors(reader, layout));
    LOAM_TRY(read_leaves(reader, layout));
    return reader->from.failed ? dungeon_damaged(reader->error, "it is cut") : LOAM_OK;
}
