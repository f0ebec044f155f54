/* SPDX-License-Identifier: MIT
 *
 * dungeon_rooms.c: rooms apart from each other, joined along the shortest tree of their
 * triangulation, and by an exact share of its other links.
 */
#include "core/base/try.h"
#include "core/layout/corridor.h"
#include "core/layout/room_budget.h"

enum {
    ROOMS_COUNT = LAYOUT_PARAMS,
    ROOMS_SIDE_MIN,
    ROOMS_SIDE_MAX,
    ROOMS_GAP,
    ROOMS_LOOPS,
    ROOMS_STYLE,
    ROOMS_WIDTH,
    ROOMS_DEAD_ENDS,
    ROOMS_PLACEMENT,
    ROOMS_TEMPLATES,
    ROOMS_PARAMS
};

static const loam_param_schema rooms_params[ROOMS_PARAMS] = {
    LAYOUT_PARAM_ROWS(LAYOUT_SIDE_MAX),
    ROOM_PARAM_ROWS,
    PARAM("gap", "Gap", "", INT, 0, 0, 2, 1, ROOM_GAP_MAX, 1, "Cells between two rooms, at least."),
    PARAM("loops_percent", "Loops", "%", INT, 0, 0, 15, 0, 100, 1,
          "So many of the links that are not in the tree become corridors."),
    CORRIDOR_PARAM_ROWS,
    PARAM("dead_end_keep_percent", "Dead ends kept", "%", INT, 0, 0, 100, 0, 100, 1,
          "So many stay of the ends of corridors that lead nowhere: a way round may leave some."),
    PARAM_CHOICE("placement", "Placement", PLACE_COOLING, placements, PLACEMENTS,
                 "Rooms one after another with less room each try, or all pushed apart."),
    {.key = "templates",
     .label = "Templates",
     .description =
         "Drawn rooms instead of boxes: a document of templates, or \"" TEMPLATES_DEFAULT "\".",
     .unit = "",
     .kind = LOAM_PARAM_RULES,
     .initial = LOAM_UNSET},
};

const loam_recipe dungeon_rooms_recipe = {
    .name = "dungeon.rooms",
    .version = 1,
    .title = "Rooms and corridors",
    .description = "Rooms apart from each other, corridors along their shortest tree, and loops.",
    .params = rooms_params,
    .param_count = ROOMS_PARAMS,
};

static int32_t whole(const loam_value *params, uint32_t param) {
    return (int32_t)layout_integer(params, param);
}

static room_plan_sizes sizes_of(const loam_value *params) {
    return room_sizes(whole(params, ROOMS_COUNT), whole(params, ROOMS_WIDTH));
}

static place_sides sides_of(const loam_value *params) {
    return (place_sides){.least = whole(params, ROOMS_SIDE_MIN),
                         .most = whole(params, ROOMS_SIDE_MAX),
                         .gap = whole(params, ROOMS_GAP),
                         .rooms = whole(params, ROOMS_COUNT),
                         .corridor_width = whole(params, ROOMS_WIDTH)};
}

static loam_status rooms_check(const loam_value *params, layout_size size, loam_error *error) {
    if (params[ROOMS_TEMPLATES].kind != LOAM_VALUE_UNSET) {
        return LOAM_OK; /* read, and checked, where there is memory for them */
    }
    return place_check_sides(sides_of(params), layout_inside(size), error);
}

static loam_status rooms_feasible(const loam_value *params, layout_size size, loam_error *error) {
    if (params[ROOMS_TEMPLATES].kind != LOAM_VALUE_UNSET) {
        return LOAM_OK;
    }
    return place_check_bound(sides_of(params), layout_inside(size), error);
}

static uint64_t rooms_steps(const loam_value *params, layout_size size) {
    return room_steps(size, sizes_of(params).rooms);
}

static uint64_t rooms_bytes(const loam_value *params, layout_size size) {
    uint64_t templates = params[ROOMS_TEMPLATES].kind == LOAM_VALUE_UNSET ? 0 : TEMPLATE_BYTES_MAX;
    return templates + room_bytes(size, sizes_of(params));
}

static loam_status place(const layout_call *call, room_plan *plan) {
    const loam_value *params = call->params;
    place_options options = place_options_of(sides_of(params), plan->inside);
    options.placement = (placement)params[ROOMS_PLACEMENT].integer;
    template_set set;
    if (params[ROOMS_TEMPLATES].kind != LOAM_VALUE_UNSET) {
        LOAM_TRY(template_set_read(params[ROOMS_TEMPLATES].rules, "/params/templates", call->arena,
                                   &set, call->error));
        if (!place_keep_fitting(&set, plan->inside, plan->width)) {
            return loam_fail(call->error, LOAM_INFEASIBLE, "/params/templates",
                             "no template fits in %d by %d cells and lets in corridors of %d",
                             plan->inside.width, plan->inside.height, plan->width);
        }
        options.templates = &set;
    }
    return place_rooms(plan, &options);
}

static loam_status rooms_make(layout_call *call) {
    room_plan plan;
    LOAM_TRY(room_plan_begin(&plan, call, sizes_of(call->params)));
    LOAM_TRY(place(call, &plan));
    room_plan_open(&plan);
    room_links_options options = {.style = (corridor_style)call->params[ROOMS_STYLE].integer,
                                  .loops_percent = call->params[ROOMS_LOOPS].integer,
                                  .trim_percent = 100 - call->params[ROOMS_DEAD_ENDS].integer};
    LOAM_TRY(room_links_join(&plan, options));
    return room_plan_end(&plan);
}

const recipe_code dungeon_rooms_code = {
    .check = rooms_check,
    .feasible = rooms_feasible,
    .steps = rooms_steps,
    .bytes = rooms_bytes,
    .make = rooms_make,
};
