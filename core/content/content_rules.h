/* SPDX-License-Identifier: MIT
 *
 * content_rules.h: a document of content rules, read and checked: what is placed where, how often,
 * and which doors content locks.
 */
#ifndef LOAM_CONTENT_CONTENT_RULES_H
#define LOAM_CONTENT_CONTENT_RULES_H

#include "core/loam_dungeon.h"

/* Rules of one document: more nobody oversees. Spacings: buckets stay fewer than cells. */
enum { CONTENT_RULES_MAX = 256, CONTENT_SPACING_MAX = 256 };
/* Doors that content may lock: every set of opened doors is looked at, 4,096 of them. */
enum { CONTENT_BRIDGES_MAX = 12 };

/* What a rule places: objects by loam_object_kind, then spawns. */
enum { RULE_SPAWN = LOAM_OBJECT_KINDS, RULE_THINGS = LOAM_OBJECT_KINDS + LOAM_SPAWN_KINDS };

typedef enum content_where {
    WHERE_ROOM_SMALL,
    WHERE_ROOM_MEDIUM,
    WHERE_ROOM_LARGE,
    WHERE_DEAD_END,
    WHERE_CORNER,
    WHERE_DOOR_SIDE,
    WHERE_CORRIDOR,
    WHERE_OPEN,
    WHERE_ENTRANCE,
    WHERE_EXIT,
    WHERE_ANY,
    WHERE_COUNT
} content_where;

typedef struct content_rule {
    loam_text name;
    uint64_t hash;  /* of its name: draws go by it, so that rules do not shift each other */
    uint32_t thing; /* loam_object_kind, or RULE_SPAWN + loam_spawn_kind */
    content_where where;
    uint32_t chance_permille;
    uint32_t per_room_max, total_max;
    int32_t spacing;
    uint32_t distance_min;
    bool blocking;
    loam_text key;
    bool in_room; /* only in the room of this name, or of this number */
    loam_text room;
} content_rule;

typedef struct content_rules {
    const content_rule *rules;
    const loam_text *names;
    uint32_t count;
    uint32_t bridges; /* doors to lock */
    bool consumable;  /* with one lock for all, whose keys are used up */
} content_rules;

static inline bool rule_is_spawn(const content_rule *rule) {
    return rule->thing >= RULE_SPAWN;
}

static inline bool where_is_room(content_where where) {
    return where <= WHERE_ROOM_LARGE;
}

/* A place as a whole: chance is drawn for each thing that it may hold, and not for each cell. */
static inline bool where_is_place(content_where where) {
    return where_is_room(where) || where == WHERE_ENTRANCE || where == WHERE_EXIT;
}

/* Everything from `arena`; names are borrowed from the document. Pointers begin with `pointer`. */
LOAM_MUST_USE loam_status content_rules_read(const loam_rules *document, const char *pointer,
                                             loam_arena *arena, content_rules *rules,
                                             loam_error *error);

#endif
