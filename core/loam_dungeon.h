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
    const loam_batch *batches; /* walls and floors, sorted by asset, variant */
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

typedef enum loam_verdict {
    LOAM_VERDICT_OK,
    LOAM_VERDICT_REJECTED, /* it is whole, but a check says no */
    LOAM_VERDICT_FAILED,   /* the recipe gave up */
} loam_verdict;

/* "ok", "rejected", "failed". */
const char *loam_verdict_name(loam_verdict verdict);

typedef struct loam_reason {
    loam_text code; /* "loops", "rooms-missing", ... */
    loam_text text;
} loam_reason;

typedef struct loam_attempt {
    uint32_t attempt;
    loam_verdict verdict;
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

#ifdef __cplusplus
}
#endif

#endif
