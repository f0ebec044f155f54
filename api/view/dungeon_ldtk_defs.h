/* SPDX-License-Identifier: MIT
 *
 * dungeon_ldtk_defs.h: what is the same in every LDtk project of a dungeon: its header and its
 * definitions. Internal to view_dungeon_ldtk.c.
 *
 * Source: the JSON format of LDtk 1.5.3 (ldtk.io/json).
 */
#ifndef LOAM_VIEW_DUNGEON_LDTK_DEFS_H
#define LOAM_VIEW_DUNGEON_LDTK_DEFS_H

#include "api/wire/text_buffer.h"

/* Pixels of a cell; unique numbers of definitions; the first level's. */
enum {
    LDTK_GRID = 16,
    LDTK_LAYER_CELLS = 1,
    LDTK_LAYER_ENTITIES = 2,
    LDTK_FIELD_FIRST = 50, /* the text of entity i is LDTK_FIELD_FIRST + i */
    LDTK_ENTITY_FIRST = 10,
    LDTK_LEVEL_FIRST = 100
};

typedef enum ldtk_entity {
    LDTK_ENTRANCE,
    LDTK_EXIT,
    LDTK_STAIRS_UP,
    LDTK_STAIRS_DOWN,
    LDTK_DOOR,
    LDTK_ROOM,
    LDTK_SPAWN,
    LDTK_OBJECT,
    LDTK_ENTITIES
} ldtk_entity;

const char *ldtk_entity_name(ldtk_entity entity);
const char *ldtk_entity_color(ldtk_entity entity);
/* The name of its field, or NULL when it has none. */
const char *ldtk_entity_field(ldtk_entity entity);

/* The fields of a project before "levels", with "defs". `levels` is how many there will be. */
void ldtk_write_project(text_buffer *to, const char *iid, uint32_t levels, int64_t level_width);

#endif
