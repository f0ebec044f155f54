/* SPDX-License-Identifier: MIT
 *
 * layout_encode.c: canonical bytes of a layout (FORMAT.md, "Dungeons").
 */
#include "core/codec/dungeon_form.h"
#include "core/codec/format.h"

static void write_spot(byte_writer *writer, loam_spot at) {
    write_i32(writer, at.x);
    write_i32(writer, at.y);
}

static void write_box(byte_writer *writer, loam_box box) {
    write_i32(writer, box.x);
    write_i32(writer, box.y);
    write_i32(writer, box.width);
    write_i32(writer, box.height);
}

static void write_grids(byte_writer *writer, const loam_layout *layout) {
    size_t cells = (size_t)layout->width * (size_t)layout->height;
    write_bytes(writer, layout->cells, cells);
    write_u8(writer, layout->detail != NULL);
    if (layout->detail != NULL) {
        write_bytes(writer, layout->detail, cells);
    }
    write_u32(writer, layout->tile_count);
    for (uint32_t i = 0; i < layout->tile_count; i++) {
        write_text(writer, layout->tiles[i]);
    }
}

static void write_rooms(byte_writer *writer, const loam_layout *layout) {
    write_u32(writer, layout->room_count);
    for (uint32_t i = 0; i < layout->room_count; i++) {
        write_u8(writer, (uint8_t)layout->rooms[i].kind);
        write_box(writer, layout->rooms[i].box);
        write_text(writer, layout->rooms[i].name);
    }
    write_u32(writer, layout->rooms_wanted);
    write_u32(writer, layout->edge_count);
    for (uint32_t i = 0; i < layout->edge_count; i++) {
        const loam_room_edge *edge = &layout->edges[i];
        write_u32(writer, edge->a);
        write_u32(writer, edge->b);
        write_u8(writer, (uint8_t)edge->role);
        write_i64(writer, edge->length2);
        write_text(writer, edge->lock);
    }
}

static void write_corridors(byte_writer *writer, const loam_layout *layout) {
    write_u32(writer, layout->corridor_count);
    for (uint32_t i = 0; i < layout->corridor_count; i++) {
        const loam_corridor *corridor = &layout->corridors[i];
        write_u32(writer, corridor->a);
        write_u32(writer, corridor->b);
        write_i32(writer, corridor->width);
        write_u32(writer, corridor->path_count);
        for (uint32_t p = 0; p < corridor->path_count; p++) {
            write_spot(writer, corridor->path[p]);
        }
    }
}

static void write_pieces(byte_writer *writer, const loam_layout *layout) {
    write_u32(writer, layout->junction_count);
    for (uint32_t i = 0; i < layout->junction_count; i++) {
        const loam_junction *junction = &layout->junctions[i];
        write_spot(writer, junction->at);
        write_i32(writer, junction->width);
        write_u8(writer, (uint8_t)junction->kind);
        write_u8(writer, junction->ways);
    }
    write_u32(writer, layout->door_count);
    for (uint32_t i = 0; i < layout->door_count; i++) {
        const loam_door *door = &layout->doors[i];
        write_spot(writer, door->at);
        write_i32(writer, door->width);
        write_u8(writer, (uint8_t)door->axis);
        write_text(writer, door->lock);
    }
    write_u32(writer, layout->leaf_count);
    for (uint32_t i = 0; i < layout->leaf_count; i++) {
        write_box(writer, layout->leaves[i]);
    }
}

void layout_write(byte_writer *writer, const loam_layout *layout) {
    write_bytes(writer, LAYOUT_MAGIC, MAGIC_BYTES);
    write_u16(writer, DUNGEON_FORMAT_VERSION);
    write_i32(writer, layout->width);
    write_i32(writer, layout->height);
    write_spot(writer, layout->entrance);
    write_spot(writer, layout->exit);
    write_spot(writer, layout->stairs_up);
    write_spot(writer, layout->stairs_down);
    write_grids(writer, layout);
    write_rooms(writer, layout);
    write_corridors(writer, layout);
    write_pieces(writer, layout);
}
