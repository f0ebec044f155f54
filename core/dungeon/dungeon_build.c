/* SPDX-License-Identifier: MIT
 *
 * dungeon_build.c: the floors of a dungeon, each for itself.
 */
#include "core/base/try.h"
#include "core/dungeon/floor_build.h"

loam_status loam_dungeon_build(const loam_dungeon_plan *plan, const loam_run *run,
                               loam_dungeon *dungeon, loam_error *error) {
    uint32_t count = plan->floor < 0 ? plan->floors : 1;
    loam_dungeon_floor *floors = loam_arena_take_zero(run->arena, count, sizeof *floors);
    LOAM_TRY_MEMORY(floors, error);
    *dungeon = (loam_dungeon){.recipe = loam_text_of(plan->recipe->name),
                              .version = plan->recipe->version,
                              .seed = plan->seed,
                              .policy = plan->policy,
                              .params = plan->params,
                              .cell_size_units = layout_integer(plan->values, LAYOUT_CELL_SIZE),
                              .outside_open = layout_integer(plan->values, LAYOUT_OUTSIDE) != 0,
                              .floors = floors,
                              .floor_count = count};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = plan->floor < 0 ? i : (uint32_t)plan->floor;
        LOAM_TRY(floor_build(plan, number, run, &floors[i], error));
        bool worse = floors[i].status > dungeon->status;
        dungeon->status = worse ? floors[i].status : dungeon->status;
    }
    return LOAM_OK;
}
