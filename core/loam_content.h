/* SPDX-License-Identifier: MIT
 *
 * loam_content.h: what is in a dungeon: objects, spawn points, locks and their keys, and the proof
 * that all of them can be opened. A pure function of the dungeon, its rules and a secret.
 */
#ifndef LOAM_CONTENT_H
#define LOAM_CONTENT_H

#include "core/loam_dungeon_build.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* What a rule can place, but for spawns. */
typedef enum loam_object_kind {
    LOAM_OBJECT_CHEST,
    LOAM_OBJECT_TRAP,
    LOAM_OBJECT_PILLAR,
    LOAM_OBJECT_DECOR,
    LOAM_OBJECT_STAIRS,
    LOAM_OBJECT_KEY,
    LOAM_OBJECT_KINDS
} loam_object_kind;

/* "chest", "trap", "pillar", "decor", "stairs", "key". */
const char *loam_object_kind_name(loam_object_kind kind);

/* A cell that is in no room: of a corridor, of a cave. */
#define LOAM_ROOM_NONE UINT32_MAX
/* No rule asked for it: a key that the solver placed. */
#define LOAM_RULE_NONE UINT32_MAX

typedef struct loam_object {
    loam_object_kind kind;
    loam_spot at;
    uint32_t room; /* index, or LOAM_ROOM_NONE */
    uint32_t rule; /* index in the content's rules, or LOAM_RULE_NONE */
    bool blocking; /* its cell cannot be walked any more */
    loam_text key; /* of a key: the lock that it opens; else empty */
} loam_object;

typedef enum loam_spawn_kind {
    LOAM_SPAWN_PATROL,
    LOAM_SPAWN_AMBUSH,
    LOAM_SPAWN_NEST,
    LOAM_SPAWN_KINDS
} loam_spawn_kind;

/* "patrol", "ambush", "nest". */
const char *loam_spawn_kind_name(loam_spawn_kind kind);

/* Where a spawn is, for what comes out of it. */
typedef enum loam_place_kind {
    LOAM_PLACE_CORRIDOR, /* in no room */
    LOAM_PLACE_ROOM,
    LOAM_PLACE_AMBUSH,
    LOAM_PLACE_NEST,
    LOAM_PLACE_BOSS, /* in the room of a boss, whatever its kind */
    LOAM_PLACE_KINDS
} loam_place_kind;

/* "corridor", "room", "ambush", "nest", "boss". */
const char *loam_place_kind_name(loam_place_kind kind);

typedef struct loam_spawn {
    uint32_t id; /* floor * 65,536 + index in its floor */
    loam_spawn_kind kind;
    loam_place_kind place;
    loam_spot at;
    uint32_t room, rule;
    const loam_spot *route; /* of a patrol: from `at`, each a step after the last, and the first a
                               step after the last one (or the only one) */
    uint32_t route_count;
    loam_spot guards;    /* of an ambush: the cell before a way in, from where `at` is not seen;
                            else x is -1 */
    uint32_t capacity;   /* of a nest: as many at once */
    uint32_t interval_s; /* of a nest: seconds between two */
} loam_spawn;

/* Doors that are locked until their key is found. A consumable key is used up by one door, any of
 * its lock. */
typedef struct loam_lock {
    loam_text name;
    bool consumable;
    const uint32_t *doors; /* of the layout, rising */
    uint32_t door_count;
} loam_lock;

typedef enum loam_act { LOAM_ACT_TAKE, LOAM_ACT_OPEN, LOAM_ACT_EXIT, LOAM_ACTS } loam_act;

/* "take", "open", "exit". */
const char *loam_act_name(loam_act act);

/* A step of a way through all locks: walk so far, then take a key, open a door, or leave. */
typedef struct loam_walk_step {
    loam_act act;
    loam_spot at;
    uint32_t lock;  /* index; of the exit 0 */
    uint32_t steps; /* cells walked since the step before */
    bool critical;  /* the exit is not reached without it */
} loam_walk_step;

/* A rule that did nothing, and why. */
typedef struct loam_dropped_rule {
    uint32_t rule;
    loam_reason reason;
} loam_dropped_rule;

#define LOAM_CONTENT_METRICS(X)                                                                    \
    X(objects, "things that were placed, keys included")                                           \
    X(blocking, "of these, those that cannot be walked over")                                      \
    X(spawns, "spawn points")                                                                      \
    X(spawn_density, "spawn points in 10,000 walkable cells, floored")                             \
    X(locks, "locks")                                                                              \
    X(keys, "keys")                                                                                \
    X(solvable, "1: every lock can be opened, in whatever order one plays")                        \
    X(walk_steps, "cells walked on the way through all locks to the exit")                         \
    X(critical_steps, "cells walked when only what the exit needs is done")                        \
    X(backtrack_steps, "of these, cells walked before")                                            \
    X(dropped, "rules that did nothing though they should")                                        \
    X(attempts, "attempts that were made")

typedef struct loam_content_metrics {
#define LOAM_CONTENT_METRIC_FIELD(name_, text_) int64_t name_;
    LOAM_CONTENT_METRICS(LOAM_CONTENT_METRIC_FIELD)
#undef LOAM_CONTENT_METRIC_FIELD
} loam_content_metrics;

typedef struct loam_content_floor {
    uint32_t number;
    int32_t width, height;
    const loam_object *objects; /* by y, then x */
    uint32_t object_count;
    const loam_spawn *spawns; /* by y, then x, and by id */
    uint32_t spawn_count;
    const loam_lock *locks; /* by name */
    uint32_t lock_count;
    const loam_walk_step *walk; /* empty where there are no locks */
    uint32_t walk_count;
    const loam_dropped_rule *dropped; /* by rule */
    uint32_t dropped_count;
    loam_content_metrics metrics;
} loam_content_floor;

typedef struct loam_content {
    const loam_text *rules; /* names, in the document's order */
    uint32_t rule_count;
    const loam_content_floor *floors; /* as the dungeon has them */
    uint32_t floor_count;
} loam_content;

/* The document that is used where none is given: content.default/1. Static. */
const loam_rules *loam_content_default(void);

/* Whether a document is one of content rules; pointers of errors are into it. `scratch` is given
 * back. */
LOAM_MUST_USE loam_status loam_content_check(const loam_rules *rules, loam_arena *scratch,
                                             loam_error *error);

/* Most bytes of the arena that the content of a dungeon takes, scratch included. */
uint64_t loam_content_bytes(const loam_dungeon *dungeon);

/* What is in a dungeon: a function of the dungeon, `rules` (NULL: the default) and `sub`, which
 * nobody can guess who has the dungeon. A rule that cannot be done is dropped and listed; with the
 * dungeon's policy strict it is an error, at /rules/N. Names are borrowed from the rules and the
 * dungeon, everything else is from run->arena. */
LOAM_MUST_USE loam_status loam_content_build(const loam_dungeon *dungeon, const loam_rules *rules,
                                             uint64_t sub, const loam_run *run,
                                             loam_content *content, loam_error *error);

/* Canonical bytes (codec/FORMAT.md), and back: takes one spelling only; everything comes from
 * `arena`, texts are borrowed from `bytes`. */
void loam_content_encode(const loam_content *content, loam_sink sink);
LOAM_MUST_USE loam_status loam_content_decode(const void *bytes, size_t size, loam_arena *arena,
                                              loam_content *content, loam_error *error);

/* The spawn of an id, or NULL. */
const loam_spawn *loam_content_spawn(const loam_content *content, uint32_t id);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
