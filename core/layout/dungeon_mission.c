/* SPDX-License-Identifier: MIT
 *
 * dungeon_mission.c: a graph of rooms, given by whoever asks, as a layout: its rooms, a corridor
 * for each of its edges and no other way between them. An attempt draws it several times, each with
 * other sides of rooms, smaller from time to time, and takes the first drawing that fits, or that
 * which has the most corridors of the style that is asked for.
 */
#include "core/base/try.h"
#include "core/grid/draw.h"
#include "core/layout/corridor.h"
#include "core/layout/mission_lay.h"
#include "core/layout/open_layout.h"

enum { MISSION_DOCUMENT = LAYOUT_PARAMS, MISSION_STYLE, MISSION_WIDTH, MISSION_PARAMS };

/* Sides of the map: rooms of a graph that can be drawn at all fit into it (RECIPES.md). */
enum { MISSION_MAP_MAX = 512 };
/* Drawings of an attempt, and how often sides are cooled on the way. */
enum { DRAWINGS_A_STEP = 8, COOLING_STEPS = 4, DRAWINGS = DRAWINGS_A_STEP * COOLING_STEPS };

static const int32_t spreads[DRAWINGS_A_STEP] = {2, 4, 1, 8, 3, 0, 16, 6};

static const loam_param_schema mission_params[MISSION_PARAMS] = {
    LAYOUT_PARAM_ROWS(MISSION_MAP_MAX),
    {.key = "mission",
     .label = "Mission",
     .description =
         "Rooms, which of them are joined, and what is locked: a document, or the name of one.",
     .unit = "",
     .kind = LOAM_PARAM_RECORD,
     .flags = LOAM_PARAM_REQUIRED,
     .initial = LOAM_UNSET,
     .fields = mission_fields,
     .field_count = MISSION_FIELDS},
    PARAM_CHOICE("corridor_style", "Corridors", CORRIDOR_MIXED, corridor_styles, CORRIDOR_STYLES,
                 "Of drawings that fit, that with the most such corridors: straight, one bend (l), "
                 "two (z), the shortest in all (astar). Others bend as the drawing needs; none may "
                 "touch another, so diagonal is mixed: any drawing."),
    PARAM("corridor_width", "Corridor width", "", INT, 0, 0, 1, 1, CORRIDOR_WIDTH_MAX, 1,
          "Cells across."),
};

const loam_recipe dungeon_mission_recipe = {
    .name = "dungeon.mission",
    .version = 1,
    .title = "Mission",
    .description = "A given graph of rooms, with locks; no way but its edges joins them.",
    .params = mission_params,
    .param_count = MISSION_PARAMS,
};

static int32_t width_of(const loam_value *params) {
    return (int32_t)layout_integer(params, MISSION_WIDTH);
}

static loam_status read_mission(const loam_value *params, room_mission *mission,
                                loam_error *error) {
    return mission_read(&params[MISSION_DOCUMENT], width_of(params), mission, error);
}

/* Rooms side by side, each with the wall to its east and south, inside the walls at the edges. */
static loam_status check_area(const room_mission *mission, layout_size size, loam_error *error) {
    loam_box inside = layout_inside(size);
    int64_t area = 0, most = (int64_t)(inside.width + 1) * (inside.height + 1);
    for (int32_t i = 0; i < mission->graph.node_count; i++) {
        int32_t side = mission->rooms[i].side_min;
        area += (int64_t)(side + 1) * (side + 1);
        if (side > inside.width || side > inside.height) {
            return loam_fail(error, LOAM_INFEASIBLE, "/params/mission/rooms",
                             "a side of %d is more than what is inside the border: %d by %d", side,
                             inside.width, inside.height);
        }
    }
    return area <= most ? LOAM_OK
                        : loam_fail(error, LOAM_INFEASIBLE, "/params/mission/rooms",
                                    "the least rooms and their walls take %lld cells: at most %lld "
                                    "are inside the border",
                                    (long long)area, (long long)most);
}

static loam_status mission_check(const loam_value *params, layout_size size, loam_error *error) {
    room_mission mission;
    /* Each room and edge of a graph lies on the one floor: for several, one asks for several. */
    if (layout_integer(params, LAYOUT_FLOORS) > 1) {
        return loam_fail(error, LOAM_INFEASIBLE, "/params/floors",
                         "a mission has one floor: stairs would be one more way");
    }
    LOAM_TRY(read_mission(params, &mission, error));
    return check_area(&mission, size, error);
}

static room_plan_sizes sizes_of(const loam_value *params) {
    const loam_value *document = params[MISSION_DOCUMENT].items;
    return (room_plan_sizes){.rooms = document[MISSION_ROOMS].item_count,
                             .edges = document[MISSION_EDGES].item_count,
                             .corridor_width = width_of(params)};
}

static uint64_t mission_steps(const loam_value *params, layout_size size) {
    (void)params;
    return room_plan_steps(size, 1) + (DRAWINGS + 1) * mission_draw_steps();
}

static uint64_t mission_bytes(const loam_value *params, layout_size size) {
    return sizeof(room_mission) + sizeof(mission_draw) + mission_lay_bytes(size) +
           room_plan_bytes(size, sizes_of(params)) + 256;
}

/* ---- An attempt ---------------------------------------------------------------------------- */

typedef struct mission_work {
    layout_call *call;
    room_mission *mission;
    mission_draw *draw;
    loam_box inside;
    int32_t least_x, least_y; /* of drawings that did not fit */
} mission_work;

static bool fits(const mission_work *work, bool swap) {
    int32_t width = swap ? work->draw->span_y : work->draw->span_x;
    int32_t height = swap ? work->draw->span_x : work->draw->span_y;
    return width <= work->inside.width && height <= work->inside.height;
}

/* Turned as the seed says, when it fits so. */
static lay_turn choose_turn(const mission_work *work, uint32_t trial) {
    uint64_t key = draw_for(work->call->seed, STAGE_MISSION, UINT64_MAX, trial);
    uint64_t mirrors = draw_at(key, 0), x = draw_at(key, 1), y = draw_at(key, 2);
    bool swap = (mirrors & 4) != 0;
    swap = fits(work, swap) ? swap : !swap;
    int32_t wide = swap ? work->draw->span_y : work->draw->span_x;
    int32_t high = swap ? work->draw->span_x : work->draw->span_y;
    loam_spot origin = {work->inside.x + draw_between(x, 0, work->inside.width - wide),
                        work->inside.y + draw_between(y, 0, work->inside.height - high)};
    return (lay_turn){(mirrors & 1) != 0, (mirrors & 2) != 0, swap, origin};
}

static void note_least(mission_work *work) {
    int64_t area = (int64_t)work->draw->span_x * work->draw->span_y;
    if (work->least_x == 0 || area < (int64_t)work->least_x * work->least_y) {
        work->least_x = work->draw->span_x;
        work->least_y = work->draw->span_y;
    }
}

/* How well the drawing does what the style asks for; 0 where any will do. */
static int64_t score_of(const mission_work *work) {
    static const int32_t lines[CORRIDOR_STYLES] = {
        [CORRIDOR_STRAIGHT] = 1, [CORRIDOR_L] = 2, [CORRIDOR_Z] = 3};
    int64_t style = layout_integer(work->call->params, MISSION_STYLE), score = 0;
    for (int32_t edge = 0; edge < work->draw->edge_count; edge++) {
        lay_shape shape = mission_lay_shape(work->draw, edge);
        score += shape.lines == lines[style];
        score -= style == CORRIDOR_ASTAR ? shape.cells : 0;
    }
    return score;
}

static bool takes_first(const mission_work *work) {
    int64_t style = layout_integer(work->call->params, MISSION_STYLE);
    return style == CORRIDOR_MIXED || style == CORRIDOR_DIAGONAL;
}

static bool draw_trial(mission_work *work, uint32_t trial) {
    draw_options options = {.corridor_width = width_of(work->call->params),
                            .seed = work->call->seed,
                            .trial = trial,
                            .cooling = trial / DRAWINGS_A_STEP,
                            .cooling_steps = COOLING_STEPS,
                            .spread = spreads[trial % DRAWINGS_A_STEP]};
    work->call->steps += mission_draw_steps();
    return mission_draw_make(work->draw, work->mission, &options);
}

/* The first drawing that fits, or of all that fit the best one, the earlier of two; false when none
 * does. */
static loam_status find_drawing(mission_work *work, bool *found, lay_turn *turn) {
    uint32_t best = 0;
    int64_t most = 0;
    *found = false;
    for (uint32_t i = 0; i < DRAWINGS && !(*found && takes_first(work)); i++) {
        LOAM_TRY(layout_poll(work->call));
        if (!draw_trial(work, i)) {
            continue;
        }
        note_least(work);
        int64_t score = score_of(work);
        if ((fits(work, false) || fits(work, true)) && (!*found || score > most)) {
            *found = true;
            best = i;
            most = score;
        }
    }
    if (*found && !takes_first(work)) {
        (void)draw_trial(work, best);
    }
    if (*found) {
        *turn = choose_turn(work, best);
    }
    return LOAM_OK;
}

static void give_up(mission_work *work) {
    if (work->least_x == 0) {
        layout_give_up(
            work->call, "no-gates",
            "a room has not enough sides for the corridors that leave it upward or down");
        return;
    }
    layout_give_up(work->call, "too-large",
                   "the smallest of %d drawings takes %d by %d cells: %d by %d are inside the "
                   "border",
                   DRAWINGS, work->least_x, work->least_y, work->inside.width, work->inside.height);
}

static loam_status mission_make(layout_call *call) {
    room_plan plan;
    lay_turn turn;
    bool found;
    mission_work work = {.call = call, .inside = layout_inside(call->size)};
    work.mission = loam_arena_take(call->arena, 1, sizeof *work.mission);
    work.draw = loam_arena_take(call->arena, 1, sizeof *work.draw);
    LOAM_TRY_MEMORY(work.mission, call->error);
    LOAM_TRY_MEMORY(work.draw, call->error);
    LOAM_TRY(read_mission(call->params, work.mission, call->error));
    LOAM_TRY(room_plan_begin(&plan, call, sizes_of(call->params)));
    call->out->rooms_wanted = sizes_of(call->params).rooms;
    LOAM_TRY(find_drawing(&work, &found, &turn));
    if (!found) {
        give_up(&work);
        return room_plan_end(&plan);
    }
    mission_lay_rooms(&plan, work.draw, &turn);
    room_plan_open(&plan);
    LOAM_TRY(mission_lay_corridors(&plan, work.draw, &turn));
    LOAM_TRY(room_plan_end(&plan));
    mission_lay_locks(&plan, work.mission);
    return LOAM_OK;
}

const recipe_code dungeon_mission_code = {
    .check = mission_check,
    .steps = mission_steps,
    .bytes = mission_bytes,
    .make = mission_make,
    .no_fallback = true,
};
