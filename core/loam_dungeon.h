/* SPDX-License-Identifier: MIT
 *
 * loam_dungeon.h: dungeons: layout, assembly, content and encounters. Integers alone, no clock: a
 * dungeon is a pure function of recipe, seed, parameters and policy; content one of the dungeon,
 * its rules and a secret; an encounter one of content, table, player and wave.
 *
 * Cells have x to the east and y to the south; row 0 is the northernmost. Grids are row-major,
 * width bytes a row. Everything is taken from the caller's arena unless said otherwise.
 */
#ifndef LOAM_DUNGEON_H
#define LOAM_DUNGEON_H

#include "core/loam.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Layout -----------------------------------------------------------------------------------
 */

/* Cells to a side at most: 4 M cells are 4 MB a grid. */
enum { LOAM_DUNGEON_SIDE_MAX = 2048 };

typedef struct loam_spot {
    int32_t x, y;
} loam_spot;

/* Cells left of x + width and above y + height. */
typedef struct loam_box {
    int32_t x, y, width, height;
} loam_box;

/* What a cell of a layout is. A door can be walked through. */
typedef enum loam_cell { LOAM_CELL_WALL, LOAM_CELL_FLOOR, LOAM_CELL_DOOR } loam_cell;

typedef enum loam_room_kind {
    LOAM_ROOM_SMALL,  /* at most 36 cells */
    LOAM_ROOM_MEDIUM, /* at most 100 */
    LOAM_ROOM_LARGE,
    LOAM_ROOM_BOSS,
    LOAM_ROOM_ENTRANCE,
} loam_room_kind;

typedef struct loam_room {
    uint32_t id; /* its index */
    loam_room_kind kind;
    loam_box box;
    loam_text name; /* of a mission or a template; empty */
} loam_room;

typedef enum loam_edge_role { LOAM_EDGE_TREE, LOAM_EDGE_LOOP } loam_edge_role;

/* Two rooms that a corridor joins, a < b. */
typedef struct loam_room_edge {
    uint32_t a, b;
    loam_edge_role role;
    int64_t length2; /* squared, between doubled centres */
    loam_text lock;  /* of a mission's edge; empty */
} loam_room_edge;

typedef struct loam_corridor {
    uint32_t a, b; /* rooms */
    int32_t width;
    const loam_spot *path; /* the middle line, one cell after another */
    uint32_t path_count;
} loam_corridor;

typedef enum loam_junction_kind {
    LOAM_JUNCTION_END,
    LOAM_JUNCTION_STRAIGHT,
    LOAM_JUNCTION_BEND,
    LOAM_JUNCTION_TEE,
    LOAM_JUNCTION_CROSS,
} loam_junction_kind;

typedef struct loam_junction {
    loam_spot at;
    int32_t width;
    loam_junction_kind kind;
    uint8_t ways; /* where corridors go on: north 1, east 2, south 4, west 8 */
} loam_junction;

typedef enum loam_axis { LOAM_AXIS_X, LOAM_AXIS_Y } loam_axis;

/* A run of `width` door cells from `at` along its axis; one walks across it. */
typedef struct loam_door {
    uint32_t id; /* its index */
    loam_spot at;
    int32_t width;
    loam_axis axis;
    loam_text lock; /* empty: a plain door */
} loam_door;

/* Detail of a level: what the floor looks like (variant 1 and up; 100 and up: decoration). */
typedef struct loam_layout {
    int32_t width, height;
    uint8_t *cells;         /* loam_cell */
    uint8_t *detail;        /* of level.roguelike and wfc.simple (the tile's index); else NULL */
    const loam_text *tiles; /* names of tiles of wfc.simple, "name turn"; else NULL */
    uint32_t tile_count;
    loam_room *rooms;
    uint32_t room_count;
    uint32_t rooms_wanted; /* 0 where none are asked for by number */
    loam_room_edge *edges;
    uint32_t edge_count;
    loam_corridor *corridors;
    uint32_t corridor_count;
    loam_junction *junctions;
    uint32_t junction_count;
    loam_door *doors;
    uint32_t door_count;
    loam_box *leaves; /* of dungeon.bsp */
    uint32_t leaf_count;
    loam_spot entrance, exit;         /* x is -1 where the recipe does not say */
    loam_spot stairs_up, stairs_down; /* of floors; x is -1 where there are none */
} loam_layout;

/* ---- Assembly ---------------------------------------------------------------------------------
 */

/* Two orders of the bits of a mask. Clockwise from north, N 1, NE 2, E 4, SE 8, S 16, SW 32, W 64,
 * NW 128, is the one of every mask here; edges first is N 1, E 2, S 4, W 8, then NE 16, SE 32, SW
 * 64, NW 128. */
typedef enum loam_mask_order { LOAM_MASK_CLOCKWISE, LOAM_MASK_EDGES_FIRST } loam_mask_order;

/* "clockwise", "edges-first". */
const char *loam_mask_order_name(loam_mask_order order);
/* A mask from one order into the other. */
uint8_t loam_mask_convert(uint8_t mask, loam_mask_order from, loam_mask_order to);
/* A corner counts only where both edges beside it do: 47 masks are left of 256. Clockwise. */
uint8_t loam_mask_reduce(uint8_t mask);
/* Rank of a mask among the 47 reduced ones in rising order; and the mask of a rank. */
enum { LOAM_BLOB_COUNT = 47 };
uint8_t loam_blob_index(uint8_t mask);
uint8_t loam_blob_mask(uint8_t index);

typedef enum loam_tile_kind {
    LOAM_TILE_FLOOR,
    LOAM_TILE_WALL,
    LOAM_TILE_DOOR,
    LOAM_TILE_JUNCTION,
} loam_tile_kind;

/* A look that cells have: an asset, turned clockwise by quarters. */
typedef struct loam_tile {
    loam_tile_kind kind;
    loam_text asset;
    uint8_t turn;
    uint8_t variant; /* below the asset's count of variants; 0 where it has none */
} loam_tile;

/* No rule of the tile map fits the cell. */
#define LOAM_TILE_NONE UINT16_MAX

typedef struct loam_instance {
    loam_spot at;
    uint8_t turn;
} loam_instance;

/* All cells that show one variant of an asset of floors or walls, row by row. */
typedef struct loam_batch {
    loam_tile_kind kind; /* LOAM_TILE_FLOOR or LOAM_TILE_WALL */
    loam_text asset;
    uint8_t variant;
    const loam_instance *instances;
    uint32_t instance_count;
} loam_batch;

/* A piece that stands alone: a door or a junction of corridors. */
typedef struct loam_actor {
    loam_tile_kind kind; /* LOAM_TILE_DOOR or LOAM_TILE_JUNCTION */
    uint32_t index;      /* of the layout's doors or junctions */
    loam_spot at;
    int32_t width;
    uint16_t tile; /* of the palette, or LOAM_TILE_NONE */
} loam_actor;

typedef struct loam_assembly {
    const uint8_t *mask;    /* of walkable neighbours, one a cell */
    const uint8_t *blob;    /* index among the 47 */
    const loam_tile *tiles; /* sorted by kind, asset, variant, turn; used ones only */
    uint32_t tile_count;
    const uint16_t *grid;      /* index in tiles, or LOAM_TILE_NONE */
    uint32_t unmatched;        /* cells and actors without a tile */
    const loam_batch *batches; /* sorted by kind, asset, variant */
    uint32_t batch_count;
    const loam_actor *actors;
    uint32_t actor_count;
    const loam_box *colliders; /* cover exactly the walls, none twice; by y, then x */
    uint32_t collider_count;
    const uint8_t *walk; /* rows of loam_walk_stride bytes: bit x % 8 of byte x / 8 is walkable */
} loam_assembly;

static inline uint32_t loam_walk_stride(int32_t width) {
    return ((uint32_t)width + 7) / 8;
}

/* ---- Dungeons ---------------------------------------------------------------------------------
 */

typedef enum loam_policy {
    LOAM_POLICY_DEGRADED, /* the best attempt, so marked */
    LOAM_POLICY_STRICT,   /* an error with the reasons */
    LOAM_POLICY_FALLBACK, /* a plain dungeon that always succeeds */
} loam_policy;

/* "degraded", "strict", "fallback"; and back, false when it is none. */
const char *loam_policy_name(loam_policy policy);
bool loam_policy_find(loam_text name, loam_policy *policy);

typedef struct loam_dungeon_request {
    loam_text recipe;
    uint16_t version; /* 0: the newest */
    uint64_t seed;
    const loam_rules
        *params; /* an object; NULL: all defaults. Names of assets are documents by now */
    loam_policy policy;
} loam_dungeon_request;

/* A request with every default filled in, checked against what can be done at all. */
typedef struct loam_dungeon_plan {
    const loam_recipe *recipe;
    uint64_t seed;
    loam_policy policy;
    const loam_value *values; /* recipe->param_count */
    const loam_rules *params; /* the same as a document: sent again, it gives the same plan */
    const struct tile_map *tile_map;
    int32_t width, height;
    uint32_t floors;
    int32_t floor; /* the one that is wanted, or -1 */
    uint32_t attempts_max;
    uint64_t steps;       /* of one attempt, at most */
    uint64_t arena_bytes; /* what a build needs of its arena, results included */
} loam_dungeon_plan;

/* Everything from `arena`; texts and documents are borrowed from the request. Pointers of errors
 * are into a document {"recipe", "version", "seed", "params", "policy"}. */
LOAM_MUST_USE loam_status loam_dungeon_plan_build(const loam_dungeon_request *request,
                                                  loam_arena *arena, const loam_dungeon_plan **plan,
                                                  loam_error *error);

/* Parts of a dungeon with a key and a digest of their own. */
typedef enum loam_dungeon_stage { LOAM_STAGE_LAYOUT, LOAM_STAGE_ASSEMBLY } loam_dungeon_stage;

/* Bytes whose SHA-256 is the build key of the whole; and of one stage of it: what only a later
 * stage reads is not in it. */
void loam_dungeon_key(const loam_dungeon_plan *plan, loam_sink sink);
void loam_dungeon_stage_key(const loam_dungeon_plan *plan, loam_dungeon_stage stage,
                            loam_sink sink);

typedef enum loam_attempt_verdict {
    LOAM_VERDICT_OK,
    LOAM_VERDICT_REJECTED, /* it is whole, but a check says no */
    LOAM_VERDICT_FAILED,   /* the recipe gave up */
} loam_attempt_verdict;

/* "ok", "rejected", "failed". */
const char *loam_attempt_verdict_name(loam_attempt_verdict verdict);

typedef struct loam_reason {
    loam_text code; /* "loops", "rooms-missing", ... */
    loam_text text;
} loam_reason;

typedef struct loam_attempt {
    uint32_t attempt;
    loam_attempt_verdict verdict;
    const loam_reason *reasons;
    uint32_t reason_count;
    uint64_t steps;
} loam_attempt;

/* What can be measured of a layout, integers all. Name in documents, what it is. */
#define LOAM_METRICS(X)                                                                            \
    X(regions, "4-connected parts of what can be walked")                                          \
    X(walkable, "cells that can be walked")                                                        \
    X(unreachable, "of these, cells that no way leads to from the entrance")                       \
    X(floor_percent, "walkable of all cells, floored")                                             \
    X(rooms, "rooms")                                                                              \
    X(rooms_wanted, "rooms that were asked for, 0 where none were")                                \
    X(edges, "edges between rooms")                                                                \
    X(loops, "ways around: of the graph of rooms; without one, islands of walls")                  \
    X(dead_ends, "walkable cells with one walkable neighbour")                                     \
    X(largest_open, "cells of the largest walkable square")                                        \
    X(corridor_total, "cells of the middle lines of corridors")                                    \
    X(corridor_longest, "cells of the longest")                                                    \
    X(diameter, "edges between the two rooms that are furthest apart")                             \
    X(path_steps, "steps from entrance to exit")                                                   \
    X(path_permille, "cells of that way, of all walkable ones")                                    \
    X(linearity, "1,000: rooms stand in a line; 0: they spread evenly")                            \
    X(doors, "doors")                                                                              \
    X(door_faults, "doors without floor across, without walls aside, or side by side")             \
    X(clearance, "side of the largest square, to 3, that can go from entrance to exit")            \
    X(unmatched, "cells and pieces that no rule of the tile map fits")                             \
    X(attempts, "attempts that were made")                                                         \
    X(steps, "steps of all of them")

typedef struct loam_metrics {
#define LOAM_METRIC_FIELD(name_, text_) int64_t name_;
    LOAM_METRICS(LOAM_METRIC_FIELD)
#undef LOAM_METRIC_FIELD
} loam_metrics;

typedef enum loam_dungeon_status {
    LOAM_DUNGEON_OK,
    LOAM_DUNGEON_DEGRADED,
    LOAM_DUNGEON_FALLBACK,
} loam_dungeon_status;

/* "ok", "degraded", "fallback". */
const char *loam_dungeon_status_name(loam_dungeon_status status);

typedef struct loam_dungeon_floor {
    uint32_t number;
    loam_dungeon_status status;
    const loam_attempt *attempts;
    uint32_t attempt_count;
    uint32_t chosen; /* the attempt that `layout` is of; attempt_count: the fallback */
    loam_layout layout;
    loam_assembly assembly;
    loam_metrics metrics;
} loam_dungeon_floor;

typedef struct loam_dungeon {
    loam_text recipe;
    uint16_t version;
    uint64_t seed;
    loam_policy policy;
    const loam_rules *params; /* all of them, resolved */
    int64_t cell_size_units;
    bool outside_open;          /* what cells beyond the map count as in masks */
    loam_dungeon_status status; /* the worst of its floors */
    const loam_dungeon_floor *floors;
    uint32_t floor_count;
} loam_dungeon;

/* Layout, checks, assembly. Everything is taken from run->arena (plan->arena_bytes suffice) and
 * borrows from the plan. With the policy strict LOAM_NOT_ACHIEVED, with the reasons of the last
 * attempt. run->level, general_path and trace are not looked at. */
LOAM_MUST_USE loam_status loam_dungeon_build(const loam_dungeon_plan *plan, const loam_run *run,
                                             loam_dungeon *dungeon, loam_error *error);

/* Canonical bytes (codec/FORMAT.md) of a dungeon, and of one stage of one floor alone, which the
 * dungeon's contain. */
void loam_dungeon_encode(const loam_dungeon *dungeon, loam_sink sink);
void loam_stage_encode(const loam_dungeon *dungeon, uint32_t floor, loam_dungeon_stage stage,
                       loam_sink sink);
/* Takes one spelling only; all that it gives comes from `arena`, texts are borrowed from `bytes`.
 */
LOAM_MUST_USE loam_status loam_dungeon_decode(const void *bytes, size_t size, loam_arena *arena,
                                              loam_dungeon *dungeon, loam_error *error);

/* ---- Content ----------------------------------------------------------------------------------
 */

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

/* ---- Encounters -------------------------------------------------------------------------------
 */

typedef struct loam_player {
    int64_t level, gear;     /* 0 to 1,000,000 */
    int64_t health_permille; /* 0 to 1,000 */
    int64_t streak;          /* rooms without damage, 0 to 1,000,000 */
} loam_player;

typedef struct loam_encounter_request {
    const loam_spawn *spawn;
    const loam_rules *table;
    loam_player player;
    int64_t progress_permille; /* how far into the dungeon, 0 to 1,000 */
    uint32_t wave;
    uint64_t sub;
} loam_encounter_request;

/* A behaviour's parameter, as the table or the place gives it. */
typedef struct loam_trait {
    loam_text name;
    const loam_rules *value;
} loam_trait;

typedef struct loam_encounter {
    loam_text archetype;
    int64_t level, health, damage;
    int64_t threat; /* permille */
    int64_t strength;
    const loam_trait *behaviour; /* by name */
    uint32_t behaviour_count;
    const loam_reason *reasons; /* how it came to this, in order */
    uint32_t reason_count;
} loam_encounter;

/* Whether a document is an encounter table. `scratch` is given back. */
LOAM_MUST_USE loam_status loam_encounter_check(const loam_rules *table, loam_arena *scratch,
                                               loam_error *error);

/* Who comes out of a spawn: a pure function of the request. Names and traits are borrowed from the
 * table, lists and texts come from `arena`. Pointers of errors are into a document {"player",
 * "progress_permille", "table"}. */
LOAM_MUST_USE loam_status loam_encounter_resolve(const loam_encounter_request *request,
                                                 loam_arena *arena, loam_encounter *encounter,
                                                 loam_error *error);

#ifdef __cplusplus
}
#endif

#endif
