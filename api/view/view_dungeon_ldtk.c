/* SPDX-License-Identifier: MIT
 *
 * view_dungeon_ldtk.c: see view_dungeon_ldtk.h. Fields with two underscores repeat definitions, for
 * readers that do not look at those. Every thing has an iid, made of the build key and its number.
 */
#include "api/view/view_dungeon_ldtk.h"

#include "api/view/dungeon_ldtk_defs.h"
#include "api/view/dungeon_view.h"

#include <stdio.h>

enum { IID_BYTES = 40, NAME_BYTES = 32 };

typedef struct ldtk_project {
    text_buffer *to;
    const loam_dungeon *dungeon;
    const dungeon_digests *digests;
    uint32_t things; /* that have an iid */
    uint32_t floor;  /* whose entities are written */
} ldtk_project;

static void write_null(text_buffer *to, const char *key) {
    buffer_key(to, key);
    buffer_null(to);
}

static void write_empty(text_buffer *to, const char *key) {
    buffer_key(to, key);
    buffer_open_array(to);
    buffer_close_array(to);
}

static void write_pair(text_buffer *to, const char *key, int64_t x, int64_t y) {
    buffer_key(to, key);
    buffer_open_array(to);
    buffer_integer(to, x);
    buffer_integer(to, y);
    buffer_close_array(to);
}

/* The iid of thing `number`: 0 is the project, i + 1 the level of floor i. */
static void make_iid(const ldtk_project *project, uint32_t number, char iid[IID_BYTES]) {
    const unsigned char *b = project->digests->build_key.bytes;
    (void)snprintf(iid, IID_BYTES, "%02x%02x%02x%02x-%02x%02x-11ed-%02x%02x-%02x%02x%08x", b[0],
                   b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], number);
}

static void write_next_iid(ldtk_project *project) {
    char iid[IID_BYTES];
    make_iid(project, project->things++, iid);
    buffer_field_string(project->to, "iid", iid);
}

/* ---- Entities -------------------------------------------------------------------------------- */

/* The text of the entity's field; an empty one is null. */
static void write_field(text_buffer *to, ldtk_entity entity, loam_text value) {
    buffer_open_object(to);
    buffer_field_string(to, "__identifier", ldtk_entity_field(entity));
    buffer_field_string(to, "__type", "String");
    buffer_key(to, "__value");
    if (value.size == 0) {
        buffer_null(to);
    } else {
        buffer_string_text(to, value);
    }
    write_null(to, "__tile");
    buffer_field_integer(to, "defUid", LDTK_FIELD_FIRST + (int64_t)entity);
    buffer_key(to, "realEditorValues");
    buffer_open_array(to);
    if (value.size > 0) {
        buffer_open_object(to);
        buffer_field_string(to, "id", "V_String");
        buffer_key(to, "params");
        buffer_open_array(to);
        buffer_string_text(to, value);
        buffer_close_array(to);
        buffer_close_object(to);
    }
    buffer_close_array(to);
    buffer_close_object(to);
}

static void write_entity(ldtk_project *project, ldtk_entity entity, loam_box box, loam_text value) {
    text_buffer *to = project->to;
    const int64_t x = (int64_t)box.x * LDTK_GRID, y = (int64_t)box.y * LDTK_GRID;
    const int64_t left =
        (int64_t)project->dungeon->floors[0].layout.width * LDTK_GRID * project->floor;
    buffer_open_object(to);
    buffer_field_string(to, "__identifier", ldtk_entity_name(entity));
    write_pair(to, "__grid", box.x, box.y);
    write_pair(to, "__pivot", 0, 0);
    write_empty(to, "__tags");
    write_null(to, "__tile");
    buffer_field_string(to, "__smartColor", ldtk_entity_color(entity));
    write_next_iid(project);
    buffer_field_integer(to, "width", (int64_t)box.width * LDTK_GRID);
    buffer_field_integer(to, "height", (int64_t)box.height * LDTK_GRID);
    buffer_field_integer(to, "defUid", LDTK_ENTITY_FIRST + (int64_t)entity);
    write_pair(to, "px", x, y);
    buffer_key(to, "fieldInstances");
    buffer_open_array(to);
    if (ldtk_entity_field(entity) != NULL) {
        write_field(to, entity, value);
    }
    buffer_close_array(to);
    buffer_field_integer(to, "__worldX", left + x);
    buffer_field_integer(to, "__worldY", y);
    buffer_close_object(to);
}

static void write_spot(ldtk_project *project, ldtk_entity entity, loam_spot at, const char *value) {
    if (at.x >= 0) {
        write_entity(project, entity, (loam_box){at.x, at.y, 1, 1}, loam_text_of(value));
    }
}

static void write_entities(ldtk_project *project, const loam_layout *layout,
                           const loam_content_floor *content) {
    buffer_key(project->to, "entityInstances");
    buffer_open_array(project->to);
    write_spot(project, LDTK_ENTRANCE, layout->entrance, "");
    write_spot(project, LDTK_EXIT, layout->exit, "");
    write_spot(project, LDTK_STAIRS_UP, layout->stairs_up, "");
    write_spot(project, LDTK_STAIRS_DOWN, layout->stairs_down, "");
    for (uint32_t i = 0; i < layout->room_count; i++) {
        write_entity(project, LDTK_ROOM, layout->rooms[i].box,
                     loam_text_of(dungeon_room_word(layout->rooms[i].kind)));
    }
    for (uint32_t i = 0; i < layout->door_count; i++) {
        const loam_door *door = &layout->doors[i];
        const bool along_x = door->axis == LOAM_AXIS_X;
        const loam_box box = {door->at.x, door->at.y, along_x ? door->width : 1,
                              along_x ? 1 : door->width};
        write_entity(project, LDTK_DOOR, box, door->lock);
    }
    for (uint32_t i = 0; content != NULL && i < content->spawn_count; i++) {
        write_spot(project, LDTK_SPAWN, content->spawns[i].at,
                   loam_spawn_kind_name(content->spawns[i].kind));
    }
    for (uint32_t i = 0; content != NULL && i < content->object_count; i++) {
        write_spot(project, LDTK_OBJECT, content->objects[i].at,
                   loam_object_kind_name(content->objects[i].kind));
    }
    buffer_close_array(project->to);
}

/* ---- Layers and levels ----------------------------------------------------------------------- */

static void write_cells(text_buffer *to, const loam_layout *layout) {
    const size_t count = (size_t)layout->width * (size_t)layout->height;
    buffer_key(to, "intGridCsv");
    buffer_open_array(to);
    for (size_t i = 0; i < count; i++) {
        buffer_unsigned(to, layout->cells[i] + 1u);
    }
    buffer_close_array(to);
}

static void open_layer(ldtk_project *project, const char *type, const char *name, int64_t uid) {
    text_buffer *to = project->to;
    const loam_layout *layout = &project->dungeon->floors[project->floor].layout;
    buffer_open_object(to);
    buffer_field_string(to, "__identifier", name);
    buffer_field_string(to, "__type", type);
    buffer_field_integer(to, "__cWid", layout->width);
    buffer_field_integer(to, "__cHei", layout->height);
    buffer_field_integer(to, "__gridSize", LDTK_GRID);
    buffer_field_integer(to, "__opacity", 1);
    buffer_field_integer(to, "__pxTotalOffsetX", 0);
    buffer_field_integer(to, "__pxTotalOffsetY", 0);
    write_null(to, "__tilesetDefUid");
    write_null(to, "__tilesetRelPath");
    write_next_iid(project);
    buffer_field_integer(to, "levelId", LDTK_LEVEL_FIRST + (int64_t)project->floor);
    buffer_field_integer(to, "layerDefUid", uid);
    buffer_field_integer(to, "pxOffsetX", 0);
    buffer_field_integer(to, "pxOffsetY", 0);
    buffer_key(to, "visible");
    buffer_bool(to, true);
    write_empty(to, "optionalRules");
    write_empty(to, "autoLayerTiles");
    buffer_field_integer(to, "seed", 0);
    write_null(to, "overrideTilesetUid");
    write_empty(to, "gridTiles");
}

static void write_layers(ldtk_project *project, const loam_layout *layout,
                         const loam_content_floor *content) {
    buffer_key(project->to, "layerInstances");
    buffer_open_array(project->to);
    open_layer(project, "Entities", "Entities", LDTK_LAYER_ENTITIES);
    write_empty(project->to, "intGridCsv");
    write_entities(project, layout, content);
    buffer_close_object(project->to);
    open_layer(project, "IntGrid", "Cells", LDTK_LAYER_CELLS);
    write_cells(project->to, layout);
    write_empty(project->to, "entityInstances");
    buffer_close_object(project->to);
    buffer_close_array(project->to);
}

static void write_neighbour(ldtk_project *project, uint32_t floor, const char *side) {
    char iid[IID_BYTES];
    make_iid(project, floor + 1, iid);
    buffer_open_object(project->to);
    buffer_field_string(project->to, "levelIid", iid);
    buffer_field_string(project->to, "dir", side);
    buffer_close_object(project->to);
}

static void write_level_head(ldtk_project *project, const loam_dungeon_floor *floor) {
    text_buffer *to = project->to;
    char name[NAME_BYTES], iid[IID_BYTES];
    const int64_t width = (int64_t)floor->layout.width * LDTK_GRID;
    (void)snprintf(name, sizeof name, "Floor_%u", floor->number);
    make_iid(project, project->floor + 1, iid);
    buffer_field_string(to, "identifier", name);
    buffer_field_string(to, "iid", iid);
    buffer_field_integer(to, "uid", LDTK_LEVEL_FIRST + (int64_t)project->floor);
    buffer_field_integer(to, "worldX", width * project->floor);
    buffer_field_integer(to, "worldY", 0);
    buffer_field_integer(to, "worldDepth", 0);
    buffer_field_integer(to, "pxWid", width);
    buffer_field_integer(to, "pxHei", (int64_t)floor->layout.height * LDTK_GRID);
    buffer_field_string(to, "__bgColor", "#23262E");
    write_null(to, "bgColor");
    buffer_key(to, "useAutoIdentifier");
    buffer_bool(to, false);
    write_null(to, "bgRelPath");
    write_null(to, "bgPos");
    buffer_field_integer(to, "bgPivotX", 0);
    buffer_field_integer(to, "bgPivotY", 0);
    buffer_field_string(to, "__smartColor", "#9697A2");
    write_null(to, "__bgPos");
    write_null(to, "externalRelPath");
    write_empty(to, "fieldInstances");
}

static void write_level(ldtk_project *project, const loam_content_floor *content) {
    const loam_dungeon_floor *floor = &project->dungeon->floors[project->floor];
    buffer_open_object(project->to);
    write_level_head(project, floor);
    write_layers(project, &floor->layout, content);
    buffer_key(project->to, "__neighbours");
    buffer_open_array(project->to);
    if (project->floor > 0) {
        write_neighbour(project, project->floor - 1, "w");
    }
    if (project->floor + 1 < project->dungeon->floor_count) {
        write_neighbour(project, project->floor + 1, "e");
    }
    buffer_close_array(project->to);
    buffer_close_object(project->to);
}

loam_status view_dungeon_ldtk(const loam_dungeon *dungeon, const dungeon_digests *digests,
                              const loam_content *content, text_buffer *to) {
    ldtk_project project = {to, dungeon, digests, dungeon->floor_count + 1, 0};
    char iid[IID_BYTES];
    make_iid(&project, 0, iid);
    buffer_open_object(to);
    ldtk_write_project(to, iid, dungeon->floor_count,
                       (int64_t)dungeon->floors[0].layout.width * LDTK_GRID);
    buffer_key(to, "levels");
    buffer_open_array(to);
    for (; project.floor < dungeon->floor_count; project.floor++) {
        write_level(&project, content != NULL ? &content->floors[project.floor] : NULL);
    }
    buffer_close_array(to);
    buffer_close_object(to);
    return buffer_status(to);
}
