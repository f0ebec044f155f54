/* SPDX-License-Identifier: MIT
 *
 * content_build.c: the content of a dungeon, floor by floor: attempts on the layout as it is, the
 * best of them, and what came of it in the order of its cells. What attempts work with lies at the
 * end of the arena and is given back floor by floor.
 */
#include "core/base/pointer.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/content/content_result.h"
#include "core/content/spawn_places.h"
#include "core/grid/draw.h"

/* Attempts at a floor: what the first does not place, other orders of cells may. */
enum { CONTENT_ATTEMPTS_MAX = 8 };

/* Scratch: bytes a cell, a door's cell, a room and a placement, and what is there in any case. */
enum {
    CELL_BYTES = 96,
    DOOR_CELL_BYTES = 1280,
    ROOM_BYTES = 64,
    PLACED_BYTES = 64,
    FLOOR_BYTES = 128 << 10,
};
/* Results: a thing, a spawn with its route, what else a floor has; and what a rule is read into. */
enum {
    OBJECT_BYTES = sizeof(loam_object),
    SPAWN_BYTES = sizeof(loam_spawn) + PATROL_ROUTE_MAX * sizeof(loam_spot) + 64,
    REST_BYTES = 64 << 10,
    RULES_BYTES = 1 << 20,
};

/* ---- Sizes ---------------------------------------------------------------------------------- */

static uint64_t cells_of(const loam_layout *layout) {
    return ((uint64_t)layout->width + 2) * ((uint64_t)layout->height + 2);
}

static uint64_t placed_bound(const loam_layout *layout) {
    uint64_t cells = cells_of(layout);
    return cells < CONTENT_PLACED_MAX ? cells : CONTENT_PLACED_MAX;
}

static uint64_t scratch_bound(const loam_layout *layout) {
    uint64_t door_cells = 0;
    for (uint32_t d = 0; d < layout->door_count; d++) {
        door_cells += (uint64_t)layout->doors[d].width + 1;
    }
    return cells_of(layout) * CELL_BYTES + door_cells * DOOR_CELL_BYTES +
           (uint64_t)layout->room_count * ROOM_BYTES + placed_bound(layout) * PLACED_BYTES +
           FLOOR_BYTES;
}

static uint64_t result_bound(const loam_layout *layout) {
    uint64_t placed = placed_bound(layout);
    uint64_t spawns = placed < CONTENT_SPAWNS_MAX ? placed : CONTENT_SPAWNS_MAX;
    return placed * OBJECT_BYTES + spawns * SPAWN_BYTES + REST_BYTES +
           (uint64_t)layout->door_count * (sizeof(uint32_t) + 64);
}

uint64_t loam_content_bytes(const loam_dungeon *dungeon) {
    uint64_t scratch = 0, results = RULES_BYTES;
    for (uint32_t f = 0; f < dungeon->floor_count; f++) {
        uint64_t here = scratch_bound(&dungeon->floors[f].layout);
        scratch = here > scratch ? here : scratch;
        results += result_bound(&dungeon->floors[f].layout);
    }
    return scratch + results;
}

/* ---- Attempts ------------------------------------------------------------------------------- */

/* Floor k alone is as floor k of all. */
static uint64_t floor_sub(const content_call *call) {
    return draw_for(call->sub, STAGE_FLOOR, call->out->number, 0);
}

static loam_status run_attempt(content_call *call, const loam_layout *layout, uint32_t attempt) {
    content_work *work = call->work;
    work->draw = (content_draw){floor_sub(call), attempt};
    loam_arena_reset(work->arena, 0);
    return content_place(work, layout);
}

/* The first attempt that drops the fewest rules is what the floor has. */
static loam_status run_attempts(content_call *call, const loam_layout *layout) {
    content_work *work = call->work;
    uint32_t best = 0, best_dropped = UINT32_MAX, attempt = 0;
    for (; attempt < CONTENT_ATTEMPTS_MAX; attempt++) {
        LOAM_TRY(run_attempt(call, layout, attempt));
        if (work->dropped_count < best_dropped) {
            best = attempt;
            best_dropped = work->dropped_count;
        }
        if (work->dropped_count == 0 || work->hopeless) {
            attempt++;
            break;
        }
    }
    if (best + 1 != attempt) {
        LOAM_TRY(run_attempt(call, layout, best));
    }
    call->out->metrics.attempts = attempt;
    return LOAM_OK;
}

static loam_status refuse_dropped(const content_call *call) {
    const loam_dropped_rule *dropped = &call->work->dropped[0];
    const content_rule *rule = &call->rules->rules[dropped->rule];
    pointer_text at = pointer_below("/rules", NULL, dropped->rule);
    bool infeasible = rule->thing == LOAM_OBJECT_KEY;
    return loam_fail(call->error, infeasible ? LOAM_INFEASIBLE : LOAM_NOT_ACHIEVED, at.text,
                     "floor %u, rule %.*s%s%.*s: %.*s", call->out->number, TEXT_ARGS(rule->name),
                     rule->key.size > 0 ? " for the key " : "", TEXT_ARGS(rule->key),
                     TEXT_ARGS(dropped->reason.text));
}

/* ---- Dungeons ------------------------------------------------------------------------------- */

static loam_status build_floor(content_call *call, const loam_dungeon_floor *from) {
    *call->out = (loam_content_floor){
        .number = from->number, .width = from->layout.width, .height = from->layout.height};
    LOAM_TRY(run_attempts(call, &from->layout));
    if (call->work->dropped_count > 0 && call->dungeon->policy == LOAM_POLICY_STRICT) {
        return refuse_dropped(call);
    }
    return content_result_take(call);
}

/* The end of the arena is lent to `scratch` while a floor is built. */
static loam_status lend_scratch(const content_call *call, const loam_layout *layout,
                                loam_arena *scratch, size_t *lent) {
    loam_arena *arena = call->run->arena;
    uint64_t bytes = (scratch_bound(layout) + 63) / 64 * 64;
    if (arena->memory == NULL || bytes > arena->size - arena->used) {
        return loam_fail(call->error, LOAM_ARENA_FULL, NULL, "%s",
                         loam_status_text(LOAM_ARENA_FULL));
    }
    *lent = (size_t)bytes + arena->size % 64;
    *lent = *lent > arena->size - arena->used ? arena->size - arena->used : *lent;
    arena->size -= *lent;
    loam_arena_init(scratch, arena->memory + arena->size, *lent);
    return LOAM_OK;
}

static loam_status build_floors(content_call *call, loam_content_floor *floors) {
    loam_arena *arena = call->run->arena, scratch;
    for (uint32_t f = 0; f < call->dungeon->floor_count; f++) {
        size_t lent = 0;
        call->out = &floors[f];
        LOAM_TRY(lend_scratch(call, &call->dungeon->floors[f].layout, &scratch, &lent));
        call->work->arena = &scratch;
        loam_status status = build_floor(call, &call->dungeon->floors[f]);
        arena->size += lent;
        size_t peak = arena->used + scratch.peak;
        arena->peak = peak > arena->peak ? peak : arena->peak;
        LOAM_TRY(status);
    }
    return LOAM_OK;
}

loam_status loam_content_build(const loam_dungeon *dungeon, const loam_rules *rules, uint64_t sub,
                               const loam_run *run, loam_content *content, loam_error *error) {
    content_rules read;
    LOAM_TRY(content_rules_read(rules != NULL ? rules : loam_content_default(), "", run->arena,
                                &read, error));
    content_work *work = loam_arena_take_zero(run->arena, 1, sizeof *work);
    loam_content_floor *floors =
        loam_arena_take_zero(run->arena, dungeon->floor_count, sizeof *floors);
    LOAM_TRY_MEMORY(work, error);
    LOAM_TRY_MEMORY(floors, error);
    *work = (content_work){.rules = &read, .cancel = run->cancel, .error = error};
    content_call call = {dungeon, &read, sub, run, error, work, NULL};
    LOAM_TRY(build_floors(&call, floors));
    *content = (loam_content){.rules = read.names,
                              .rule_count = read.count,
                              .floors = floors,
                              .floor_count = dungeon->floor_count};
    return LOAM_OK;
}

const loam_spawn *loam_content_spawn(const loam_content *content, uint32_t id) {
    for (uint32_t f = 0; f < content->floor_count; f++) {
        const loam_content_floor *floor = &content->floors[f];
        if (floor->number == id >> 16 && (id & 0xffff) < floor->spawn_count) {
            return &floor->spawns[id & 0xffff];
        }
    }
    return NULL;
}
