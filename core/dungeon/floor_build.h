/* SPDX-License-Identifier: MIT
 *
 * floor_build.h: one floor of a dungeon: attempts at its layout, each finished, measured and
 * judged, until one is good or the policy decides; then its assembly. And what the steps share.
 */
#ifndef LOAM_DUNGEON_FLOOR_BUILD_H
#define LOAM_DUNGEON_FLOOR_BUILD_H

#include "core/dungeon/recipe_table.h"
#include "core/grid/grid.h"
#include "core/grid/walk_field.h"

/* Reasons of one attempt: one for each thing that is judged. */
enum { REASONS_MAX = 12, REASON_TEXT_BYTES = 160 };

/* Stairs of one floor: up to the one before, down to the one after; x is -1 where there are none.
 */
typedef struct floor_stairs {
    loam_spot up, down;
} floor_stairs;

/* Where the stairs between floors k and k + 1 stand: a draw of (seed, k) alone. Odd ones stand in
 * the eastern half, even ones in the western, so that no floor has two in one cell. */
loam_spot stairs_between(uint64_t seed, uint32_t k, layout_size size);

/* A layout, and what it was measured by. */
typedef struct floor_state {
    loam_layout *layout;
    floor_stairs stairs;
    walk_field field; /* steps from the entrance */
    loam_metrics metrics;
    bool has_floor; /* there is an entrance and an exit */
} floor_state;

/* Memory of the two functions below. */
uint64_t floor_measure_bytes(layout_size size);
/* Entrance, exit and kinds of rooms, where the recipe left them open. */
LOAM_MUST_USE loam_status floor_finish(floor_state *state, loam_arena *arena, loam_error *error);
/* Everything that LOAM_METRICS lists but attempts, steps and unmatched. */
LOAM_MUST_USE loam_status floor_measure(floor_state *state, loam_arena *arena, loam_error *error);
/* Of the room graph: loops and diameter; and how much rooms stand in a line. */
LOAM_MUST_USE loam_status floor_measure_rooms(floor_state *state, loam_arena *arena,
                                              loam_error *error);

/* An attempt with room for its reasons. */
typedef struct floor_attempt {
    loam_attempt public;
    loam_reason reasons[REASONS_MAX];
    char texts[REASONS_MAX][REASON_TEXT_BYTES];
} floor_attempt;

/* Appends a reason; `code` is static. */
void attempt_add_reason(floor_attempt *attempt, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Holds a measured layout against the checks. */
void floor_judge(const floor_state *state, const loam_value *checks, floor_attempt *attempt);

/* A layout that always succeeds: one room as large as the map. */
LOAM_MUST_USE loam_status hall_make(layout_call *call);

static inline layout_size plan_size(const loam_dungeon_plan *plan) {
    return (layout_size){(int32_t)layout_integer(plan->values, LAYOUT_WIDTH),
                         (int32_t)layout_integer(plan->values, LAYOUT_HEIGHT),
                         (int32_t)layout_integer(plan->values, LAYOUT_BORDER)};
}

/* Memory of one floor at most, its result included. `scratch` is given back. */
LOAM_MUST_USE loam_status floor_bytes(const loam_dungeon_plan *plan, loam_arena *scratch,
                                      uint64_t *bytes, loam_error *error);
LOAM_MUST_USE loam_status floor_build(const loam_dungeon_plan *plan, uint32_t number,
                                      const loam_run *run, loam_dungeon_floor *floor,
                                      loam_error *error);

#endif
