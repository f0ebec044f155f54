/* SPDX-License-Identifier: MIT
 *
 * floor_build.c: attempts at one floor. The seed of a floor is a draw of (seed, floor), that of an
 * attempt a draw of the floor's and its number, so that floors and attempts know nothing of each
 * other. Memory holds one attempt; when an earlier one turns out to be the best, it is made again.
 */
#include "core/dungeon/floor_build.h"

#include "core/assembly/assembly.h"
#include "core/base/cancel.h"
#include "core/base/try.h"
#include "core/grid/draw.h"

#include <stdio.h>
#include <string.h>

/* The recipe that stands in, when it is in the table and can do the size. */
#define FALLBACK_RECIPE "dungeon.bsp"

/* Doors and junctions of a layout at most: their memory is the recipe's, that of their actors is
 * counted here. */
static uint64_t pieces_max(layout_size size) {
    return (uint64_t)size.width * (uint64_t)size.height / 2;
}

/* A recipe with the values that it is to be made with. */
typedef struct floor_recipe {
    const recipe_code *code; /* NULL: a hall */
    const loam_value *values;
} floor_recipe;

typedef struct floor_work {
    const loam_dungeon_plan *plan;
    const loam_run *run;
    loam_error *error;
    loam_dungeon_floor *floor;
    floor_attempt *attempts;
    uint64_t seed;
    layout_size size;
    floor_state state;
    size_t mark; /* the arena before the attempt that is in it */
    bool last_resort;
} floor_work;

/* Values of the recipe that stands in: its defaults, at the size that was asked for. No code where
 * it cannot do that. */
static loam_status fallback_recipe(const loam_dungeon_plan *plan, loam_arena *arena,
                                   floor_recipe *recipe, loam_error *error) {
    const loam_recipe *other = loam_recipe_find(loam_text_of(FALLBACK_RECIPE), 0);
    *recipe = (floor_recipe){0};
    if (other == NULL) {
        return LOAM_OK;
    }
    loam_value *values = loam_arena_take(arena, other->param_count, sizeof *values);
    LOAM_TRY_MEMORY(values, error);
    for (uint32_t i = 0; i < other->param_count; i++) {
        LOAM_TRY(loam_value_default(&other->params[i], arena, &values[i], error));
    }
    memcpy(values, plan->values, LAYOUT_PARAMS * sizeof *values);
    const recipe_code *code = recipe_code_of(other);
    loam_error refusal = {0};
    if (code->check == NULL || code->check(values, plan_size(plan), &refusal) == LOAM_OK) {
        *recipe = (floor_recipe){code, values};
    }
    return LOAM_OK;
}

/* What the recipe that stands in takes beside the one that was asked for. */
static loam_status fallback_bytes(const loam_dungeon_plan *plan, loam_arena *scratch,
                                  uint64_t *bytes, loam_error *error) {
    floor_recipe other;
    size_t mark = loam_arena_mark(scratch);
    LOAM_TRY(fallback_recipe(plan, scratch, &other, error));
    *bytes = loam_arena_mark(scratch) - mark;
    *bytes += other.code == NULL ? 0 : other.code->bytes(other.values, plan_size(plan));
    loam_arena_reset(scratch, mark);
    return LOAM_OK;
}

loam_status floor_bytes(const loam_dungeon_plan *plan, loam_arena *scratch, uint64_t *bytes,
                        loam_error *error) {
    layout_size size = plan_size(plan);
    uint64_t made = recipe_code_of(plan->recipe)->bytes(plan->values, size), other = 0;
    uint64_t hall = (uint64_t)size.width * (uint64_t)size.height + sizeof(loam_room) + 1024;
    if (plan->policy == LOAM_POLICY_FALLBACK) {
        LOAM_TRY(fallback_bytes(plan, scratch, &other, error));
    }
    made += other;
    made = made > hall ? made : hall;
    *bytes = made + floor_measure_bytes(size) +
             assembly_bytes(size.width, size.height, pieces_max(size), plan->tile_map) +
             (uint64_t)plan->attempts_max * (sizeof(floor_attempt) + sizeof(loam_attempt)) +
             sizeof(loam_dungeon_floor) + 1024;
    return LOAM_OK;
}

static void set_stairs(floor_work *work) {
    const loam_dungeon_plan *plan = work->plan;
    uint32_t k = work->floor->number;
    loam_spot none = {-1, -1};
    work->state.stairs.up = k > 0 ? stairs_between(plan->seed, k - 1, work->size) : none;
    work->state.stairs.down =
        k + 1 < plan->floors ? stairs_between(plan->seed, k, work->size) : none;
}

/* Makes, finishes and measures one layout. */
static loam_status make_layout(floor_work *work, floor_recipe recipe, uint64_t seed,
                               layout_call *call) {
    loam_spot reserved[2];
    loam_arena_reset(work->run->arena, work->mark);
    loam_layout *layout = &work->floor->layout;
    *layout = (loam_layout){.entrance = {-1, -1}, .exit = {-1, -1}};
    *call = (layout_call){.params = recipe.values,
                          .size = work->size,
                          .seed = seed,
                          .reserved = reserved,
                          .steps_max = UINT64_MAX,
                          .last_resort = work->last_resort,
                          .cancel = work->run->cancel,
                          .arena = work->run->arena,
                          .error = work->error,
                          .out = layout};
    if (work->state.stairs.up.x >= 0) {
        reserved[call->reserved_count++] = work->state.stairs.up;
    }
    if (work->state.stairs.down.x >= 0) {
        reserved[call->reserved_count++] = work->state.stairs.down;
    }
    if (recipe.code != NULL) {
        call->steps_max = recipe.code->steps(recipe.values, work->size);
        LOAM_TRY(recipe.code->make(call));
    } else {
        LOAM_TRY(hall_make(call));
    }
    layout->stairs_up = work->state.stairs.up;
    layout->stairs_down = work->state.stairs.down;
    work->state.layout = layout;
    work->state.field = call->walk;
    work->state.metrics = (loam_metrics){0};
    LOAM_TRY(floor_finish(&work->state, work->run->arena, work->error));
    return floor_measure(&work->state, work->run->arena, work->error);
}

static loam_status make_attempt(floor_work *work, uint32_t number) {
    floor_attempt *attempt = &work->attempts[number];
    layout_call call;
    floor_recipe recipe = {recipe_code_of(work->plan->recipe), work->plan->values};
    uint64_t seed = draw_for(work->seed, STAGE_ATTEMPT, 0, number);
    *attempt = (floor_attempt){.public = {.attempt = number}};
    LOAM_TRY(make_layout(work, recipe, seed, &call));
    attempt->public.steps = call.steps;
    if (call.fault.word != NULL) {
        attempt_add_reason(attempt, call.fault.word, "%s", call.fault.text);
        attempt->public.verdict = LOAM_VERDICT_FAILED;
    }
    floor_judge(&work->state, work->plan->values[LAYOUT_CHECKS].items, attempt);
    return LOAM_OK;
}

/* What the order of attempts goes by, in this order, less is better; then the earlier one. */
typedef struct floor_score {
    int64_t parts[4];
} floor_score;

static floor_score score_of(const floor_attempt *attempt, const loam_metrics *metrics) {
    int64_t missing = metrics->rooms_wanted - metrics->rooms;
    return (floor_score){{(int64_t)attempt->public.verdict, (int64_t)attempt->public.reason_count,
                          metrics->unreachable, missing > 0 ? missing : 0}};
}

static bool is_better(const floor_score *a, const floor_score *b) {
    for (int i = 0; i < 4; i++) {
        if (a->parts[i] != b->parts[i]) {
            return a->parts[i] < b->parts[i];
        }
    }
    return false;
}

/* Tries until one is good. `chosen` is the best, `whole` whether it can be played at all. */
static loam_status try_attempts(floor_work *work, bool *good, bool *whole) {
    floor_score best = {{0}};
    *good = *whole = false;
    for (uint32_t i = 0; i < work->plan->attempts_max && !*good; i++) {
        if (is_cancelled(work->run->cancel)) {
            return loam_fail(work->error, LOAM_CANCELLED, NULL, "%s",
                             loam_status_text(LOAM_CANCELLED));
        }
        LOAM_TRY(make_attempt(work, i));
        floor_score score = score_of(&work->attempts[i], &work->state.metrics);
        work->floor->attempt_count = i + 1;
        if (i == 0 || is_better(&score, &best)) {
            best = score;
            work->floor->chosen = i;
            *whole = work->state.has_floor;
        }
        *good = work->attempts[i].public.verdict == LOAM_VERDICT_OK;
    }
    return LOAM_OK;
}

static loam_status refuse(const floor_work *work) {
    const loam_attempt *last = &work->attempts[work->floor->attempt_count - 1].public;
    char text[LOAM_ERROR_TEXT_BYTES] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < last->reason_count && used < sizeof text - 1; i++) {
        int more = snprintf(text + used, sizeof text - used, "%s%s", i == 0 ? "" : "; ",
                            work->attempts[last->attempt].texts[i]);
        used += more > 0 ? (size_t)more : 0;
    }
    return loam_fail(work->error, LOAM_NOT_ACHIEVED, "/params",
                     "floor %u: none of %u attempts did; the last: %s",
                     (unsigned)work->floor->number, (unsigned)work->floor->attempt_count, text);
}

/* The hall takes over when the recipe that stands in does not do it either. */
static loam_status make_fallback(floor_work *work) {
    floor_recipe recipe;
    layout_call call;
    uint64_t seed = draw_for(work->seed, STAGE_ATTEMPT, 1, 0);
    loam_arena_reset(work->run->arena, work->mark);
    LOAM_TRY(fallback_recipe(work->plan, work->run->arena, &recipe, work->error));
    work->mark = loam_arena_mark(work->run->arena);
    work->floor->status = LOAM_DUNGEON_FALLBACK;
    work->floor->chosen = work->floor->attempt_count;
    LOAM_TRY(make_layout(work, recipe, seed, &call));
    const loam_metrics *metrics = &work->state.metrics;
    bool good = call.fault.word == NULL && metrics->unreachable == 0 && metrics->path_steps > 0;
    return good ? LOAM_OK : make_layout(work, (floor_recipe){0}, seed, &call);
}

/* Nothing can be walked on: the best attempt once more, with less than was asked for. */
static loam_status try_less(floor_work *work, bool *whole) {
    work->last_resort = true;
    LOAM_TRY(make_attempt(work, work->floor->chosen));
    work->last_resort = false;
    *whole = work->state.has_floor;
    return LOAM_OK;
}

static loam_status settle(floor_work *work, bool good, bool whole) {
    if (good) {
        return LOAM_OK;
    }
    if (work->plan->policy == LOAM_POLICY_FALLBACK) {
        return make_fallback(work);
    }
    bool strict = work->plan->policy == LOAM_POLICY_STRICT;
    bool less = !strict && !whole && recipe_code_of(work->plan->recipe)->can_do_less;
    if (less) {
        LOAM_TRY(try_less(work, &whole));
    }
    if (strict || !whole) {
        return refuse(work);
    }
    work->floor->status = LOAM_DUNGEON_DEGRADED;
    bool here = less || work->floor->chosen + 1 == work->floor->attempt_count;
    return here ? LOAM_OK : make_attempt(work, work->floor->chosen);
}

/* From the working form to the public one. */
static loam_status publish_attempts(floor_work *work) {
    uint32_t count = work->floor->attempt_count;
    loam_attempt *attempts = loam_arena_take(work->run->arena, count, sizeof *attempts);
    LOAM_TRY_MEMORY(attempts, work->error);
    for (uint32_t i = 0; i < count; i++) {
        work->attempts[i].public.reasons = work->attempts[i].reasons;
        attempts[i] = work->attempts[i].public;
        work->state.metrics.steps += (int64_t)attempts[i].steps;
    }
    work->state.metrics.attempts = count;
    work->floor->attempts = attempts;
    return LOAM_OK;
}

static loam_status assemble(floor_work *work) {
    bool open = work->plan->values[LAYOUT_OUTSIDE].integer != 0;
    assembly_input input = {&work->floor->layout, work->plan->tile_map, open, work->seed};
    LOAM_TRY(assembly_make(&input, work->run->arena, &work->floor->assembly, work->error));
    work->state.metrics.unmatched = work->floor->assembly.unmatched;
    work->floor->metrics = work->state.metrics;
    return LOAM_OK;
}

loam_status floor_build(const loam_dungeon_plan *plan, uint32_t number, const loam_run *run,
                        loam_dungeon_floor *floor, loam_error *error) {
    floor_work work = {.plan = plan, .run = run, .error = error, .floor = floor};
    bool good, whole;
    *floor = (loam_dungeon_floor){.number = number};
    work.seed = draw_for(plan->seed, STAGE_FLOOR, number, 0);
    work.size = plan_size(plan);
    work.attempts = loam_arena_take(run->arena, plan->attempts_max, sizeof *work.attempts);
    LOAM_TRY_MEMORY(work.attempts, error);
    work.mark = loam_arena_mark(run->arena);
    set_stairs(&work);
    LOAM_TRY(try_attempts(&work, &good, &whole));
    LOAM_TRY(settle(&work, good, whole));
    LOAM_TRY(publish_attempts(&work));
    return assemble(&work);
}
