/* SPDX-License-Identifier: MIT
 *
 * view_dungeon_tiled.c: see view_dungeon_tiled.h. Coordinates of objects are pixels; y points down
 * there as in a dungeon.
 */
#include "api/view/view_dungeon_tiled.h"

#include "api/view/dungeon_tileset.h"
#include "api/view/dungeon_view.h"
#include "core/base/limits.h"
#include "core/base/try.h"

#include <stdio.h>

/* The highest bits of a gid mirror the tile: along x, along y, along the diagonal (first). */
#define FLIP_X 0x80000000u
#define FLIP_Y 0x40000000u
#define FLIP_DIAGONAL 0x20000000u

/* An asset name and a variant as the name of a picture. */
enum { ASSET_IMAGE_BYTES = ASSET_NAME_BYTES_MAX + 16 };

/* The first tile of the only tile set; 0 is an empty cell. */
enum { FIRST_GID = 1 };

/* What a layer and an object are counted by. */
typedef struct tiled_map {
    text_buffer *to;
    const dungeon_tileset *tileset;
    const loam_dungeon *dungeon;
    const loam_content *content;
    int64_t layers, objects;
} tiled_map;

static void write_flag(text_buffer *to, const char *key, bool value) {
    buffer_key(to, key);
    buffer_bool(to, value);
}

/* ---- Tiles ----------------------------------------------------------------------------------- */

static uint32_t gid_of(const tiled_map *map, const loam_tile *tile) {
    static const uint32_t turns[4] = {0, FLIP_DIAGONAL | FLIP_X, FLIP_X | FLIP_Y,
                                      FLIP_DIAGONAL | FLIP_Y};
    return (FIRST_GID + dungeon_tileset_find(map->tileset, tile)) | turns[tile->turn & 3];
}

static void open_layer(tiled_map *map, const char *name, const char *type) {
    buffer_open_object(map->to);
    buffer_field_integer(map->to, "id", ++map->layers);
    buffer_field_string(map->to, "name", name);
    buffer_field_string(map->to, "type", type);
    buffer_field_integer(map->to, "opacity", 1);
    write_flag(map->to, "visible", true);
    buffer_field_integer(map->to, "x", 0);
    buffer_field_integer(map->to, "y", 0);
}

static void write_tiles(tiled_map *map, const loam_dungeon_floor *floor) {
    const loam_layout *layout = &floor->layout;
    const size_t count = (size_t)layout->width * (size_t)layout->height;
    open_layer(map, "tiles", "tilelayer");
    buffer_field_integer(map->to, "width", layout->width);
    buffer_field_integer(map->to, "height", layout->height);
    buffer_key(map->to, "data");
    buffer_open_array(map->to);
    for (size_t i = 0; i < count; i++) {
        uint16_t tile = floor->assembly.grid[i];
        buffer_unsigned(map->to,
                        tile == LOAM_TILE_NONE ? 0 : gid_of(map, &floor->assembly.tiles[tile]));
    }
    buffer_close_array(map->to);
    buffer_close_object(map->to);
}

/* ---- Objects --------------------------------------------------------------------------------- */

static void open_objects(tiled_map *map, const char *name) {
    open_layer(map, name, "objectgroup");
    buffer_field_string(map->to, "draworder", "topdown");
    buffer_key(map->to, "objects");
    buffer_open_array(map->to);
}

static void close_objects(tiled_map *map) {
    buffer_close_array(map->to);
    buffer_close_object(map->to);
}

/* An object over a box of cells; its fields may go on. */
static void open_object(tiled_map *map, const char *type, loam_box box) {
    buffer_open_object(map->to);
    buffer_field_integer(map->to, "id", ++map->objects);
    buffer_field_string(map->to, "type", type);
    buffer_field_integer(map->to, "x", (int64_t)box.x * DUNGEON_TILE_PIXELS);
    buffer_field_integer(map->to, "y", (int64_t)box.y * DUNGEON_TILE_PIXELS);
    buffer_field_integer(map->to, "width", (int64_t)box.width * DUNGEON_TILE_PIXELS);
    buffer_field_integer(map->to, "height", (int64_t)box.height * DUNGEON_TILE_PIXELS);
    buffer_field_integer(map->to, "rotation", 0);
    write_flag(map->to, "visible", true);
}

static void write_name(tiled_map *map, const char *kind, uint32_t number) {
    char name[40];
    (void)snprintf(name, sizeof name, "%s %u", kind, number);
    buffer_field_string(map->to, "name", name);
}

static void write_property(tiled_map *map, const char *name, loam_text value) {
    buffer_open_object(map->to);
    buffer_field_string(map->to, "name", name);
    buffer_field_string(map->to, "type", "string");
    buffer_key(map->to, "value");
    buffer_string_text(map->to, value);
    buffer_close_object(map->to);
}

static void write_rooms(tiled_map *map, const loam_layout *layout) {
    open_objects(map, "rooms");
    for (uint32_t i = 0; i < layout->room_count; i++) {
        const loam_room *room = &layout->rooms[i];
        open_object(map, dungeon_room_word(room->kind), room->box);
        write_name(map, "room", room->id);
        buffer_close_object(map->to);
    }
    close_objects(map);
}

/* A line through the middles of cells, from the object's own place. */
static void write_polyline(tiled_map *map, const loam_spot *path, uint32_t count) {
    buffer_key(map->to, "polyline");
    buffer_open_array(map->to);
    for (uint32_t i = 0; i < count; i++) {
        const int64_t half = DUNGEON_TILE_PIXELS / 2;
        buffer_open_object(map->to);
        buffer_field_integer(map->to, "x",
                             (int64_t)(path[i].x - path[0].x) * DUNGEON_TILE_PIXELS + half);
        buffer_field_integer(map->to, "y",
                             (int64_t)(path[i].y - path[0].y) * DUNGEON_TILE_PIXELS + half);
        buffer_close_object(map->to);
    }
    buffer_close_array(map->to);
}

static void write_corridors(tiled_map *map, const loam_layout *layout) {
    open_objects(map, "corridors");
    for (uint32_t i = 0; i < layout->corridor_count; i++) {
        const loam_corridor *corridor = &layout->corridors[i];
        if (corridor->path_count == 0) {
            continue;
        }
        open_object(map, "corridor", (loam_box){corridor->path[0].x, corridor->path[0].y, 0, 0});
        write_name(map, "corridor", i);
        write_polyline(map, corridor->path, corridor->path_count);
        buffer_close_object(map->to);
    }
    close_objects(map);
}

static void write_doors(tiled_map *map, const loam_layout *layout) {
    open_objects(map, "doors");
    for (uint32_t i = 0; i < layout->door_count; i++) {
        const loam_door *door = &layout->doors[i];
        const bool along_x = door->axis == LOAM_AXIS_X;
        open_object(map, "door",
                    (loam_box){door->at.x, door->at.y, along_x ? door->width : 1,
                               along_x ? 1 : door->width});
        write_name(map, "door", door->id);
        if (door->lock.size > 0) {
            buffer_key(map->to, "properties");
            buffer_open_array(map->to);
            write_property(map, "lock", door->lock);
            buffer_close_array(map->to);
        }
        buffer_close_object(map->to);
    }
    close_objects(map);
}

static void write_place(tiled_map *map, const char *name, loam_spot spot) {
    if (spot.x >= 0) {
        open_object(map, name, (loam_box){spot.x, spot.y, 1, 1});
        buffer_field_string(map->to, "name", name);
        buffer_close_object(map->to);
    }
}

static void write_places(tiled_map *map, const loam_layout *layout) {
    open_objects(map, "places");
    write_place(map, "entrance", layout->entrance);
    write_place(map, "exit", layout->exit);
    write_place(map, "stairs up", layout->stairs_up);
    write_place(map, "stairs down", layout->stairs_down);
    close_objects(map);
}

static void write_spawns(tiled_map *map, const loam_content_floor *content) {
    open_objects(map, "spawns");
    for (uint32_t i = 0; i < content->spawn_count; i++) {
        const loam_spawn *spawn = &content->spawns[i];
        open_object(map, loam_spawn_kind_name(spawn->kind),
                    (loam_box){spawn->at.x, spawn->at.y, 1, 1});
        write_name(map, "spawn", spawn->id);
        buffer_close_object(map->to);
    }
    close_objects(map);
    open_objects(map, "objects");
    for (uint32_t i = 0; i < content->object_count; i++) {
        const loam_object *object = &content->objects[i];
        open_object(map, loam_object_kind_name(object->kind),
                    (loam_box){object->at.x, object->at.y, 1, 1});
        write_name(map, loam_object_kind_name(object->kind), i);
        buffer_close_object(map->to);
    }
    close_objects(map);
}

/* ---- The map --------------------------------------------------------------------------------- */

static void write_floor(tiled_map *map, uint32_t index) {
    const loam_dungeon_floor *floor = &map->dungeon->floors[index];
    write_tiles(map, floor);
    write_rooms(map, &floor->layout);
    write_corridors(map, &floor->layout);
    write_doors(map, &floor->layout);
    write_places(map, &floor->layout);
    if (map->content != NULL) {
        write_spawns(map, &map->content->floors[index]);
    }
}

static void write_layers(tiled_map *map) {
    buffer_key(map->to, "layers");
    buffer_open_array(map->to);
    for (uint32_t i = 0; i < map->dungeon->floor_count; i++) {
        if (map->dungeon->floor_count == 1) {
            write_floor(map, i);
            continue;
        }
        char name[32];
        (void)snprintf(name, sizeof name, "floor %u", map->dungeon->floors[i].number);
        open_layer(map, name, "group");
        buffer_key(map->to, "layers");
        buffer_open_array(map->to);
        write_floor(map, i);
        buffer_close_array(map->to);
        buffer_close_object(map->to);
    }
    buffer_close_array(map->to);
}

static void write_tile(tiled_map *map, uint32_t id) {
    const dungeon_tile *tile = &map->tileset->tiles[id];
    char image[ASSET_IMAGE_BYTES];
    (void)snprintf(image, sizeof image, "%.*s.%u.png", (int)tile->asset.size, tile->asset.bytes,
                   tile->variant);
    buffer_open_object(map->to);
    buffer_field_integer(map->to, "id", id);
    buffer_key(map->to, "type");
    buffer_string_text(map->to, tile->asset);
    buffer_field_string(map->to, "image", image);
    buffer_field_integer(map->to, "imagewidth", DUNGEON_TILE_PIXELS);
    buffer_field_integer(map->to, "imageheight", DUNGEON_TILE_PIXELS);
    buffer_close_object(map->to);
}

static void write_tileset(tiled_map *map) {
    buffer_key(map->to, "tilesets");
    buffer_open_array(map->to);
    buffer_open_object(map->to);
    buffer_field_integer(map->to, "firstgid", FIRST_GID);
    buffer_field_string(map->to, "name", "loam");
    buffer_field_integer(map->to, "columns", 0);
    buffer_field_integer(map->to, "tilecount", map->tileset->count);
    buffer_field_integer(map->to, "tilewidth", DUNGEON_TILE_PIXELS);
    buffer_field_integer(map->to, "tileheight", DUNGEON_TILE_PIXELS);
    buffer_field_integer(map->to, "margin", 0);
    buffer_field_integer(map->to, "spacing", 0);
    buffer_key(map->to, "tiles");
    buffer_open_array(map->to);
    for (uint32_t i = 0; i < map->tileset->count; i++) {
        write_tile(map, i);
    }
    buffer_close_array(map->to);
    buffer_close_object(map->to);
    buffer_close_array(map->to);
}

static void write_properties(tiled_map *map, const dungeon_digests *digests) {
    char key[DIGEST_TEXT_BYTES], seed[24];
    digest_text(&digests->build_key, key);
    (void)snprintf(seed, sizeof seed, "%llu", (unsigned long long)map->dungeon->seed);
    buffer_key(map->to, "properties");
    buffer_open_array(map->to);
    write_property(map, "build_key", loam_text_of(key));
    write_property(map, "recipe", map->dungeon->recipe);
    write_property(map, "seed", loam_text_of(seed));
    write_property(map, "status", loam_text_of(loam_dungeon_status_name(map->dungeon->status)));
    buffer_close_array(map->to);
}

static void write_map(tiled_map *map, const dungeon_digests *digests) {
    const loam_layout *first = &map->dungeon->floors[0].layout;
    text_buffer *to = map->to;
    buffer_open_object(to);
    buffer_field_string(to, "type", "map");
    buffer_field_string(to, "version", "1.10");
    buffer_field_string(to, "tiledversion", "1.10.2");
    buffer_field_string(to, "orientation", "orthogonal");
    buffer_field_string(to, "renderorder", "right-down");
    buffer_field_integer(to, "compressionlevel", -1);
    write_flag(to, "infinite", false);
    buffer_field_integer(to, "width", first->width);
    buffer_field_integer(to, "height", first->height);
    buffer_field_integer(to, "tilewidth", DUNGEON_TILE_PIXELS);
    buffer_field_integer(to, "tileheight", DUNGEON_TILE_PIXELS);
    write_properties(map, digests);
    write_tileset(map);
    write_layers(map);
    buffer_field_integer(to, "nextlayerid", map->layers + 1);
    buffer_field_integer(to, "nextobjectid", map->objects + 1);
    buffer_close_object(to);
}

loam_status view_dungeon_tiled(const loam_dungeon *dungeon, const dungeon_digests *digests,
                               const loam_content *content, text_buffer *to) {
    dungeon_tileset tileset;
    LOAM_TRY(dungeon_tileset_init(&tileset, dungeon));
    tiled_map map = {.to = to, .tileset = &tileset, .dungeon = dungeon, .content = content};
    write_map(&map, digests);
    dungeon_tileset_fini(&tileset);
    return buffer_status(to);
}
