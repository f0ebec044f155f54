/* SPDX-License-Identifier: MIT
 *
 * content_place.c: see content_place.h.
 */
#include "core/content/content_place.h"

#include "core/base/cancel.h"
#include "core/base/try.h"
#include "core/content/rule_run.h"

typedef enum rule_turn { TURN_KEYS, TURN_OBJECTS, TURN_SPAWNS } rule_turn;

static rule_turn turn_of(const content_rule *rule) {
    return rule->thing == LOAM_OBJECT_KEY ? TURN_KEYS
           : rule_is_spawn(rule)          ? TURN_SPAWNS
                                          : TURN_OBJECTS;
}

static loam_status run_turn(rule_call *call, rule_turn turn) {
    content_work *work = call->work;
    for (uint32_t i = 0; i < work->rules->count; i++) {
        if (is_cancelled(work->cancel)) {
            return loam_fail(work->error, LOAM_CANCELLED, NULL, "%s",
                             loam_status_text(LOAM_CANCELLED));
        }
        if (turn_of(&work->rules->rules[i]) == turn) {
            size_t mark = loam_arena_mark(work->arena);
            LOAM_TRY(turn == TURN_KEYS ? rule_run_key(call, i) : rule_run(call, i));
            loam_arena_reset(work->arena, mark);
        }
    }
    return LOAM_OK;
}

static loam_status take_lists(content_work *work, rule_call *call) {
    uint32_t room_count = work->map.layout->room_count;
    uint32_t most = work->map.reached > room_count ? work->map.reached : room_count;
    call->cells = loam_arena_take(work->arena, most, sizeof *call->cells);
    call->spare = loam_arena_take(work->arena, most, sizeof *call->spare);
    call->room_counts = loam_arena_take(work->arena, room_count, sizeof *call->room_counts);
    LOAM_TRY_MEMORY(call->cells, work->error);
    LOAM_TRY_MEMORY(call->spare, work->error);
    LOAM_TRY_MEMORY(call->room_counts, work->error);
    return LOAM_OK;
}

static bool any_blocks(const content_rules *rules) {
    bool blocks = false;
    for (uint32_t i = 0; i < rules->count; i++) {
        blocks = blocks || rules->rules[i].blocking;
    }
    return blocks;
}

/* The floor before anything stands on it. */
static loam_status prepare(content_work *work, const loam_layout *layout) {
    work->placed_count = work->dropped_count = 0;
    work->hopeless = true;
    work->guard.parents = NULL;
    LOAM_TRY(content_map_build(layout, work->arena, &work->map, work->error));
    work->placed_max =
        work->map.reached < CONTENT_PLACED_MAX ? work->map.reached : CONTENT_PLACED_MAX;
    work->placed = loam_arena_take(work->arena, work->placed_max, sizeof *work->placed);
    work->dropped = loam_arena_take(work->arena, work->rules->count, sizeof *work->dropped);
    LOAM_TRY_MEMORY(work->placed, work->error);
    LOAM_TRY_MEMORY(work->dropped, work->error);
    return lock_set_build(&work->locks, &work->map, work->rules, work->draw, work->arena,
                          work->error);
}

loam_status content_place(content_work *work, const loam_layout *layout) {
    LOAM_TRY(prepare(work, layout));
    size_t mark = loam_arena_mark(work->arena);
    rule_call call = {.work = work};
    LOAM_TRY(take_lists(work, &call));
    LOAM_TRY(run_turn(&call, TURN_KEYS));
    LOAM_TRY(lock_place_keys(&work->locks, &work->map, work->draw, work->arena, work->error));
    if (any_blocks(work->rules)) {
        LOAM_TRY(walk_guard_init(&work->guard, &work->map, work->arena, work->error));
    }
    LOAM_TRY(run_turn(&call, TURN_OBJECTS));
    work->object_count = work->placed_count;
    LOAM_TRY(run_turn(&call, TURN_SPAWNS));
    loam_arena_reset(work->arena, mark);
    return LOAM_OK;
}
