/* SPDX-License-Identifier: MIT
 *
 * dungeon_text.h: dungeons from text, for tests of core and the golden catalogue: parameters as
 * JSON (rules_text.h), everything in an arena of its own.
 */
#ifndef LOAM_TESTS_SUPPORT_DUNGEON_TEXT_H
#define LOAM_TESTS_SUPPORT_DUNGEON_TEXT_H

#include "core/loam_dungeon.h"
#include "tests/support/rules_text.h"

typedef struct dungeon_text {
    const char *recipe;
    uint64_t seed;
    const char *params; /* NULL: all defaults */
    loam_policy policy;
} dungeon_text;

/* What was made of it. Owns its memory. */
typedef struct dungeon_made {
    void *memory, *build_memory;
    loam_arena plan_arena, arena;
    const loam_dungeon_plan *plan;
    loam_dungeon dungeon;
    loam_status status;
    loam_error error;
} dungeon_made;

/* Parameters and plans: a map of tiles is the largest part of one. */
#define DUNGEON_PLAN_BYTES ((size_t)4 << 20)

static inline void dungeon_plan_text(dungeon_made *made, dungeon_text text) {
    *made = (dungeon_made){.memory = malloc(DUNGEON_PLAN_BYTES)};
    loam_arena_init(&made->plan_arena, made->memory, DUNGEON_PLAN_BYTES);
    loam_dungeon_request request = {
        .recipe = loam_text_of(text.recipe), .seed = text.seed, .policy = text.policy};
    request.params = text.params == NULL ? NULL : rules_of_text(text.params, &made->plan_arena);
    made->status = loam_dungeon_plan_build(&request, &made->plan_arena, &made->plan, &made->error);
}

/* As much memory as the plan says, and no more. */
static inline void dungeon_take_arena(dungeon_made *made) {
    made->build_memory = malloc(made->plan->arena_bytes);
    loam_arena_init(&made->arena, made->build_memory, made->plan->arena_bytes);
}

static inline void dungeon_build_text(dungeon_made *made, dungeon_text text) {
    dungeon_plan_text(made, text);
    if (made->status != LOAM_OK) {
        return;
    }
    dungeon_take_arena(made);
    loam_run run = {.arena = &made->arena};
    made->status = loam_dungeon_build(made->plan, &run, &made->dungeon, &made->error);
}

static inline void dungeon_made_fini(dungeon_made *made) {
    free(made->build_memory);
    free(made->memory);
    *made = (dungeon_made){0};
}

#endif
