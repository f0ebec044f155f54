/* SPDX-License-Identifier: MIT
 *
 * loam_dungeon_build.h: dungeons made from a recipe, a seed, parameters and a policy: the plan of
 * one with its keys, layout and assembly of each floor with the attempts that led there and what
 * was measured, and canonical bytes of it all. Integers alone, no clock: a pure function.
 */
#ifndef LOAM_DUNGEON_BUILD_H
#define LOAM_DUNGEON_BUILD_H

#include "core/loam_assembly.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

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

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
