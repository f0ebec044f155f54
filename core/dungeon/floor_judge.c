/* SPDX-License-Identifier: MIT
 *
 * floor_judge.c: measures against what was asked for, each shortfall a word for machines and a
 * sentence for people. Layout and assembly alone are judged here, never content.
 */
#include "core/dungeon/floor_build.h"

#include <stdarg.h>
#include <stdio.h>

void attempt_add_reason(floor_attempt *attempt, const char *code, const char *format, ...) {
    loam_attempt *public = &attempt->public;
    if (public->reason_count == REASONS_MAX) {
        return;
    }
    char *text = attempt->texts[public->reason_count];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(text, REASON_TEXT_BYTES, format, arguments);
    va_end(arguments);
    (void)size; /* what does not fit is cut */
    attempt->reasons[public->reason_count++] =
        (loam_reason){loam_text_of(code), loam_text_of(text)};
    if (public->verdict == LOAM_VERDICT_OK) {
        public->verdict = LOAM_VERDICT_REJECTED;
    }
}

static void judge_ways(const floor_state *state, const loam_value *checks, floor_attempt *attempt) {
    const loam_metrics *metrics = &state->metrics;
    const loam_value *percent = &checks[CHECK_REACHABLE_PERCENT];
    int64_t reached = metrics->walkable - metrics->unreachable;
    if (percent->kind == LOAM_VALUE_UNSET) {
        return;
    }
    if (reached * 100 < percent->integer * metrics->walkable) {
        attempt_add_reason(attempt, "unreachable",
                           "%lld of %lld walkable cells cannot be reached from the entrance",
                           (long long)metrics->unreachable, (long long)metrics->walkable);
    }
    if (metrics->path_steps < 1) {
        attempt_add_reason(attempt, "no-exit", "no way leads from the entrance to another cell");
    }
}

static void judge_stairs(const floor_state *state, loam_spot stairs, floor_attempt *attempt) {
    const loam_layout *layout = state->layout;
    cell_grid grid = {layout->width, layout->height, layout->cells};
    if (stairs.x >= 0 && grid_get(&grid, stairs.x, stairs.y, LOAM_CELL_WALL) != LOAM_CELL_FLOOR) {
        attempt_add_reason(attempt, "stairs", "the stairs at %d, %d do not stand on floor",
                           stairs.x, stairs.y);
    }
}

/* A number that must be at least, or at most, what was asked for. */
static void judge_least(const loam_value *check, int64_t value, const char *code, const char *what,
                        floor_attempt *attempt) {
    if (check->kind != LOAM_VALUE_UNSET && value < check->integer) {
        attempt_add_reason(attempt, code, "%s is %lld, at least %lld is asked for", what,
                           (long long)value, (long long)check->integer);
    }
}

static void judge_most(const loam_value *check, int64_t value, const char *code, const char *what,
                       floor_attempt *attempt) {
    if (check->kind != LOAM_VALUE_UNSET && value > check->integer) {
        attempt_add_reason(attempt, code, "%s is %lld, at most %lld is asked for", what,
                           (long long)value, (long long)check->integer);
    }
}

void floor_judge(const floor_state *state, const loam_value *checks, floor_attempt *attempt) {
    const loam_metrics *metrics = &state->metrics;
    if (!state->has_floor) {
        attempt_add_reason(attempt, "no-floor", "there is nothing to walk on");
        attempt->public.verdict = LOAM_VERDICT_FAILED;
        return;
    }
    judge_ways(state, checks, attempt);
    judge_stairs(state, state->stairs.up, attempt);
    judge_stairs(state, state->stairs.down, attempt);
    if (metrics->rooms < metrics->rooms_wanted) {
        attempt_add_reason(attempt, "rooms-missing", "%lld of %lld rooms were placed",
                           (long long)metrics->rooms, (long long)metrics->rooms_wanted);
    }
    if (metrics->door_faults > 0) {
        attempt_add_reason(attempt, "doors", "%lld of %lld doors stand where no door can",
                           (long long)metrics->door_faults, (long long)metrics->doors);
    }
    judge_least(&checks[CHECK_LOOPS_MIN], metrics->loops, "loops", "loops", attempt);
    judge_most(&checks[CHECK_LARGEST_OPEN_MAX], metrics->largest_open, "largest-open",
               "largest_open", attempt);
    judge_most(&checks[CHECK_LINEARITY_MAX], metrics->linearity, "linearity", "linearity", attempt);
    judge_least(&checks[CHECK_ROOMS_MIN], metrics->rooms, "rooms", "rooms", attempt);
}
