/* SPDX-License-Identifier: MIT
 *
 * dungeon_layout_json.c: the layout of one floor as fields of a JSON object.
 */
#include "api/view/dungeon_view.h"

static const char *const room_words[] = {"small", "medium", "large", "boss", "entrance"};
static const char *const junction_words[] = {"end", "straight", "bend", "tee", "cross"};

const char *dungeon_room_word(loam_room_kind kind) {
    return room_words[kind];
}

const char *dungeon_junction_word(loam_junction_kind kind) {
    return junction_words[kind];
}

static bool is_at(loam_spot spot, int32_t x, int32_t y) {
    return spot.x == x && spot.y == y;
}

char dungeon_glyph(const loam_layout *layout, int32_t x, int32_t y) {
    static const char glyphs[] = {'#', '.', '+'};
    if (is_at(layout->entrance, x, y)) {
        return '@';
    }
    if (is_at(layout->exit, x, y) || is_at(layout->stairs_down, x, y)) {
        return '>';
    }
    if (is_at(layout->stairs_up, x, y)) {
        return '<';
    }
    return glyphs[layout->cells[dungeon_cell(layout, x, y)]];
}

void dungeon_write_spot(text_buffer *to, loam_spot spot) {
    buffer_open_array(to);
    buffer_integer(to, spot.x);
    buffer_integer(to, spot.y);
    buffer_close_array(to);
}

static void write_name(text_buffer *to, const char *key, loam_text name) {
    if (name.size > 0) {
        buffer_key(to, key);
        buffer_string_text(to, name);
    }
}

static void write_place(text_buffer *to, const char *key, loam_spot spot) {
    if (spot.x >= 0) {
        buffer_key(to, key);
        dungeon_write_spot(to, spot);
    }
}

static void write_box(text_buffer *to, loam_box box) {
    buffer_field_integer(to, "x", box.x);
    buffer_field_integer(to, "y", box.y);
    buffer_field_integer(to, "width", box.width);
    buffer_field_integer(to, "height", box.height);
}

static void write_rooms(text_buffer *to, const loam_layout *layout) {
    buffer_key(to, "rooms");
    buffer_open_array(to);
    for (uint32_t i = 0; i < layout->room_count; i++) {
        const loam_room *room = &layout->rooms[i];
        buffer_open_object(to);
        buffer_field_integer(to, "id", room->id);
        buffer_field_string(to, "kind", dungeon_room_word(room->kind));
        write_name(to, "name", room->name);
        write_box(to, room->box);
        buffer_key(to, "center2");
        dungeon_write_spot(
            to, (loam_spot){2 * room->box.x + room->box.width, 2 * room->box.y + room->box.height});
        buffer_close_object(to);
    }
    buffer_close_array(to);
}

static void write_edges(text_buffer *to, const loam_layout *layout) {
    buffer_key(to, "edges");
    buffer_open_array(to);
    for (uint32_t i = 0; i < layout->edge_count; i++) {
        const loam_room_edge *edge = &layout->edges[i];
        buffer_open_object(to);
        buffer_field_integer(to, "a", edge->a);
        buffer_field_integer(to, "b", edge->b);
        buffer_field_string(to, "role", edge->role == LOAM_EDGE_TREE ? "tree" : "loop");
        buffer_field_integer(to, "length2", edge->length2);
        write_name(to, "lock", edge->lock);
        buffer_close_object(to);
    }
    buffer_close_array(to);
}

static void write_corridors(text_buffer *to, const loam_layout *layout) {
    buffer_key(to, "corridors");
    buffer_open_array(to);
    for (uint32_t i = 0; i < layout->corridor_count; i++) {
        const loam_corridor *corridor = &layout->corridors[i];
        buffer_open_object(to);
        buffer_field_integer(to, "a", corridor->a);
        buffer_field_integer(to, "b", corridor->b);
        buffer_field_integer(to, "width", corridor->width);
        buffer_key(to, "path");
        buffer_open_array(to);
        for (uint32_t k = 0; k < corridor->path_count; k++) {
            dungeon_write_spot(to, corridor->path[k]);
        }
        buffer_close_array(to);
        buffer_close_object(to);
    }
    buffer_close_array(to);
}

static void write_junctions(text_buffer *to, const loam_layout *layout) {
    buffer_key(to, "junctions");
    buffer_open_array(to);
    for (uint32_t i = 0; i < layout->junction_count; i++) {
        const loam_junction *junction = &layout->junctions[i];
        buffer_open_object(to);
        buffer_field_integer(to, "x", junction->at.x);
        buffer_field_integer(to, "y", junction->at.y);
        buffer_field_integer(to, "width", junction->width);
        buffer_field_string(to, "kind", dungeon_junction_word(junction->kind));
        buffer_close_object(to);
    }
    buffer_close_array(to);
}

static void write_doors(text_buffer *to, const loam_layout *layout) {
    buffer_key(to, "doors");
    buffer_open_array(to);
    for (uint32_t i = 0; i < layout->door_count; i++) {
        const loam_door *door = &layout->doors[i];
        buffer_open_object(to);
        buffer_field_integer(to, "id", door->id);
        buffer_field_integer(to, "x", door->at.x);
        buffer_field_integer(to, "y", door->at.y);
        buffer_field_integer(to, "width", door->width);
        buffer_field_string(to, "axis", door->axis == LOAM_AXIS_X ? "x" : "y");
        buffer_field_string(to, "kind", door->lock.size > 0 ? "locked" : "plain");
        write_name(to, "lock", door->lock);
        buffer_close_object(to);
    }
    buffer_close_array(to);
}

static void write_leaves(text_buffer *to, const loam_layout *layout) {
    if (layout->leaf_count == 0) {
        return;
    }
    buffer_key(to, "leaves");
    buffer_open_array(to);
    for (uint32_t i = 0; i < layout->leaf_count; i++) {
        buffer_open_object(to);
        write_box(to, layout->leaves[i]);
        buffer_close_object(to);
    }
    buffer_close_array(to);
}

static void write_rows(text_buffer *to, const loam_layout *layout) {
    char row[LOAM_DUNGEON_SIDE_MAX];
    buffer_key(to, "rows");
    buffer_open_array(to);
    for (int32_t y = 0; y < layout->height; y++) {
        for (int32_t x = 0; x < layout->width; x++) {
            row[x] = dungeon_glyph(layout, x, y);
        }
        buffer_string_text(to, (loam_text){row, (size_t)layout->width});
    }
    buffer_close_array(to);
}

static void write_detail(text_buffer *to, const loam_layout *layout) {
    if (layout->detail == NULL) {
        return;
    }
    buffer_key(to, "detail");
    buffer_open_array(to);
    for (int32_t y = 0; y < layout->height; y++) {
        buffer_open_array(to);
        for (int32_t x = 0; x < layout->width; x++) {
            buffer_unsigned(to, layout->detail[dungeon_cell(layout, x, y)]);
        }
        buffer_close_array(to);
    }
    buffer_close_array(to);
    buffer_key(to, "detail_names");
    buffer_open_array(to);
    for (uint32_t i = 0; i < layout->tile_count; i++) {
        buffer_string_text(to, layout->tiles[i]);
    }
    buffer_close_array(to);
}

void dungeon_write_layout(text_buffer *to, const loam_layout *layout) {
    buffer_field_integer(to, "width", layout->width);
    buffer_field_integer(to, "height", layout->height);
    write_place(to, "entrance", layout->entrance);
    write_place(to, "exit", layout->exit);
    write_place(to, "stairs_up", layout->stairs_up);
    write_place(to, "stairs_down", layout->stairs_down);
    write_rooms(to, layout);
    write_edges(to, layout);
    write_corridors(to, layout);
    write_junctions(to, layout);
    write_doors(to, layout);
    write_leaves(to, layout);
    write_rows(to, layout);
    write_detail(to, layout);
}
