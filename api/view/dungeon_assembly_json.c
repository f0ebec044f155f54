/* SPDX-License-Identifier: MIT
 *
 * dungeon_assembly_json.c: the assembly of one floor as fields of a JSON object.
 */
#include "api/view/dungeon_view.h"

static const char *const tile_words[] = {"floor", "wall", "door", "junction"};

const char *dungeon_tile_word(loam_tile_kind kind) {
    return tile_words[kind];
}

/* Rows of numbers, a byte a cell. */
static void write_bytes(text_buffer *to, const char *key, const loam_layout *layout,
                        const uint8_t *cells) {
    buffer_key(to, key);
    buffer_open_array(to);
    for (int32_t y = 0; y < layout->height; y++) {
        buffer_open_array(to);
        for (int32_t x = 0; x < layout->width; x++) {
            buffer_unsigned(to, cells[dungeon_cell(layout, x, y)]);
        }
        buffer_close_array(to);
    }
    buffer_close_array(to);
}

/* Indices in "tiles", -1 where no rule fits. */
static int32_t tile_number(uint16_t tile) {
    return tile == LOAM_TILE_NONE ? -1 : (int32_t)tile;
}

static void write_grid(text_buffer *to, const loam_layout *layout, const uint16_t *grid) {
    buffer_key(to, "grid");
    buffer_open_array(to);
    for (int32_t y = 0; y < layout->height; y++) {
        buffer_open_array(to);
        for (int32_t x = 0; x < layout->width; x++) {
            buffer_integer(to, tile_number(grid[dungeon_cell(layout, x, y)]));
        }
        buffer_close_array(to);
    }
    buffer_close_array(to);
}

static void write_tiles(text_buffer *to, const loam_assembly *assembly) {
    buffer_key(to, "tiles");
    buffer_open_array(to);
    for (uint32_t i = 0; i < assembly->tile_count; i++) {
        const loam_tile *tile = &assembly->tiles[i];
        buffer_open_object(to);
        buffer_key(to, "kind");
        buffer_string(to, dungeon_tile_word(tile->kind));
        buffer_key(to, "asset");
        buffer_string_text(to, tile->asset);
        buffer_field_integer(to, "turn", tile->turn);
        buffer_field_integer(to, "variant", tile->variant);
        buffer_close_object(to);
    }
    buffer_close_array(to);
}

static void write_batch(text_buffer *to, const loam_batch *batch) {
    buffer_open_object(to);
    buffer_key(to, "asset");
    buffer_string_text(to, batch->asset);
    buffer_field_integer(to, "variant", batch->variant);
    buffer_key(to, "instances");
    buffer_open_array(to);
    for (uint32_t i = 0; i < batch->instance_count; i++) {
        buffer_open_array(to);
        buffer_integer(to, batch->instances[i].at.x);
        buffer_integer(to, batch->instances[i].at.y);
        buffer_integer(to, batch->instances[i].turn);
        buffer_close_array(to);
    }
    buffer_close_array(to);
    buffer_close_object(to);
}

static void write_actors(text_buffer *to, const loam_assembly *assembly) {
    buffer_key(to, "actors");
    buffer_open_array(to);
    for (uint32_t i = 0; i < assembly->actor_count; i++) {
        const loam_actor *actor = &assembly->actors[i];
        buffer_open_object(to);
        buffer_key(to, "kind");
        buffer_string(to, dungeon_tile_word(actor->kind));
        buffer_field_integer(to, "index", actor->index);
        buffer_field_integer(to, "x", actor->at.x);
        buffer_field_integer(to, "y", actor->at.y);
        buffer_field_integer(to, "width", actor->width);
        buffer_field_integer(to, "tile", tile_number(actor->tile));
        buffer_close_object(to);
    }
    buffer_close_array(to);
}

static void write_colliders(text_buffer *to, const loam_assembly *assembly) {
    buffer_key(to, "colliders");
    buffer_open_array(to);
    for (uint32_t i = 0; i < assembly->collider_count; i++) {
        const loam_box *box = &assembly->colliders[i];
        buffer_open_array(to);
        buffer_integer(to, box->x);
        buffer_integer(to, box->y);
        buffer_integer(to, box->width);
        buffer_integer(to, box->height);
        buffer_close_array(to);
    }
    buffer_close_array(to);
}

/* The bits of walkable cells, a row a text of hex digits: byte x / 8, bit x % 8. */
static void write_walk(text_buffer *to, const loam_layout *layout, const uint8_t *walk) {
    static const char digits[] = "0123456789abcdef";
    const uint32_t stride = loam_walk_stride(layout->width);
    char row[LOAM_DUNGEON_SIDE_MAX / 4 + 2];
    buffer_key(to, "walk");
    buffer_open_array(to);
    for (int32_t y = 0; y < layout->height; y++) {
        for (uint32_t i = 0; i < stride; i++) {
            const uint8_t byte = walk[(size_t)y * stride + i];
            row[2 * i] = digits[byte >> 4];
            row[2 * i + 1] = digits[byte & 15];
        }
        buffer_string_text(to, (loam_text){row, 2 * (size_t)stride});
    }
    buffer_close_array(to);
}

void dungeon_write_assembly(text_buffer *to, const loam_layout *layout,
                            const loam_assembly *assembly) {
    write_bytes(to, "mask", layout, assembly->mask);
    write_bytes(to, "blob", layout, assembly->blob);
    write_tiles(to, assembly);
    write_grid(to, layout, assembly->grid);
    buffer_field_integer(to, "unmatched", assembly->unmatched);
    write_colliders(to, assembly);
    buffer_key(to, "batches");
    buffer_open_array(to);
    for (uint32_t i = 0; i < assembly->batch_count; i++) {
        write_batch(to, &assembly->batches[i]);
    }
    buffer_close_array(to);
    write_actors(to, assembly);
    write_walk(to, layout, assembly->walk);
}
