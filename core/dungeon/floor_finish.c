/* SPDX-License-Identifier: MIT
 *
 * floor_finish.c: where one comes in and where one goes out, and what the rooms there are called.
 * Stairs decide first (from those that lead down the entrance is as far as can be), then the
 * recipe, then rooms that it marked; else the north-western room (or cell) is the entrance and what
 * is furthest to walk from it the exit.
 */
#include "core/base/try.h"
#include "core/dungeon/floor_build.h"
#include "core/grid/regions.h"

/* Areas of rooms, in cells (RECIPES.md). */
enum { SMALL_CELLS_MAX = 36, MEDIUM_CELLS_MAX = 100 };

static const loam_spot nowhere = {-1, -1};

static cell_grid grid_of(const loam_layout *layout) {
    return (cell_grid){layout->width, layout->height, layout->cells};
}

static bool is_walkable(const loam_layout *layout, loam_spot at) {
    cell_grid grid = grid_of(layout);
    return grid_get(&grid, at.x, at.y, LOAM_CELL_WALL) != LOAM_CELL_WALL;
}

/* The walkable cell of a room nearest to its centre, the first of them row by row. */
static loam_spot middle_of(const loam_layout *layout, const loam_room *room) {
    loam_spot centre2 = box_center2(room->box), best = nowhere;
    loam_spot centre = {room->box.x + (room->box.width - 1) / 2,
                        room->box.y + (room->box.height - 1) / 2};
    int64_t nearest = INT64_MAX;
    if (is_walkable(layout, centre)) {
        return centre;
    }
    for (int32_t y = room->box.y; y < room->box.y + room->box.height; y++) {
        for (int32_t x = room->box.x; x < room->box.x + room->box.width; x++) {
            int64_t dx = 2 * x + 1 - centre2.x, dy = 2 * y + 1 - centre2.y;
            int64_t distance2 = dx * dx + dy * dy;
            if (distance2 < nearest && is_walkable(layout, (loam_spot){x, y})) {
                nearest = distance2;
                best = (loam_spot){x, y};
            }
        }
    }
    return best;
}

static loam_spot middle_of_kind(const loam_layout *layout, loam_room_kind kind) {
    for (uint32_t i = 0; i < layout->room_count; i++) {
        if (layout->rooms[i].kind == kind) {
            return middle_of(layout, &layout->rooms[i]);
        }
    }
    return nowhere;
}

/* The room whose centre comes first from the north-west. */
static loam_spot first_room(const loam_layout *layout) {
    const loam_room *first = NULL;
    int32_t least = INT32_MAX;
    for (uint32_t i = 0; i < layout->room_count; i++) {
        loam_spot centre2 = box_center2(layout->rooms[i].box);
        if (centre2.x + centre2.y < least) {
            least = centre2.x + centre2.y;
            first = &layout->rooms[i];
        }
    }
    return first == NULL ? nowhere : middle_of(layout, first);
}

/* The cell of the largest region that comes first from the north-west. */
static loam_status first_cell(const loam_layout *layout, loam_arena *arena, loam_spot *at,
                              loam_error *error) {
    bit_rows rows;
    grid_regions regions;
    cell_grid grid = grid_of(layout);
    int32_t least = INT32_MAX;
    *at = nowhere;
    LOAM_TRY(bit_rows_take(layout->width, layout->height, arena, &rows, error));
    bit_rows_of_cells(&grid, &rows);
    LOAM_TRY(regions_find(&rows, arena, &regions, error));
    uint32_t largest = regions.count > 0 ? regions_largest(&regions) : 0;
    for (int32_t y = 0; y < layout->height; y++) {
        for (uint32_t i = regions.row_starts[y]; i < regions.row_starts[y + 1]; i++) {
            if (regions.runs[i].region == largest && regions.runs[i].x0 + y < least) {
                least = regions.runs[i].x0 + y;
                *at = (loam_spot){regions.runs[i].x0, y};
            }
        }
    }
    return LOAM_OK;
}

/* Steps from a cell to whatever may be chosen as the other end. */
static void walk_from(floor_state *state, loam_spot from) {
    const loam_layout *layout = state->layout;
    cell_grid grid = grid_of(layout);
    walk_field_open(&state->field, &grid);
    walk_field_ask(&state->field, layout->exit);
    walk_field_ask(&state->field, state->stairs.down);
    for (uint32_t i = 0; i < layout->room_count; i++) {
        walk_field_ask(&state->field, middle_of(layout, &layout->rooms[i]));
    }
    walk_field_fill(&state->field, from);
}

/* The room that is furthest to walk to; nowhere when it is the entrance's own. */
static loam_spot last_room(const floor_state *state) {
    const loam_layout *layout = state->layout;
    loam_spot best = nowhere;
    uint32_t most = 0;
    for (uint32_t i = 0; i < layout->room_count; i++) {
        loam_spot at = middle_of(layout, &layout->rooms[i]);
        uint32_t steps = at.x < 0 ? WALK_CLOSED : walk_field_at(&state->field, at);
        bool own = box_has(layout->rooms[i].box, layout->entrance.x, layout->entrance.y);
        if (!own && steps < WALK_UNREACHED && steps > most) {
            most = steps;
            best = at;
        }
    }
    return best;
}

/* Furthest from the stairs that lead down: a floor is to be walked through. */
static void choose_away_from_stairs(floor_state *state) {
    loam_layout *layout = state->layout;
    layout->entrance = state->stairs.down;
    walk_from(state, state->stairs.down);
    loam_spot room = last_room(state);
    layout->entrance = room.x >= 0 ? room : state->field.farthest;
}

static loam_status choose_entrance(floor_state *state, loam_arena *arena, loam_error *error) {
    loam_layout *layout = state->layout;
    if (state->stairs.up.x >= 0) {
        layout->entrance = state->stairs.up;
    } else if (is_walkable(layout, state->stairs.down)) {
        choose_away_from_stairs(state);
    }
    if (!is_walkable(layout, layout->entrance)) {
        layout->entrance = middle_of_kind(layout, LOAM_ROOM_ENTRANCE);
    }
    if (!is_walkable(layout, layout->entrance)) {
        layout->entrance = first_room(layout);
    }
    size_t mark = loam_arena_mark(arena);
    if (!is_walkable(layout, layout->entrance)) {
        LOAM_TRY(first_cell(layout, arena, &layout->entrance, error));
    }
    loam_arena_reset(arena, mark);
    return LOAM_OK;
}

/* An exit is another cell than the entrance, and a way leads there. */
static bool is_exit(const floor_state *state, loam_spot at) {
    return is_walkable(state->layout, at) && walk_field_at(&state->field, at) > 0 &&
           walk_field_at(&state->field, at) < WALK_UNREACHED;
}

static void choose_exit(floor_state *state) {
    loam_layout *layout = state->layout;
    if (state->stairs.down.x >= 0) {
        layout->exit = state->stairs.down;
        return;
    }
    if (!is_exit(state, layout->exit)) {
        layout->exit = middle_of_kind(layout, LOAM_ROOM_BOSS);
    }
    if (!is_exit(state, layout->exit)) {
        layout->exit = last_room(state);
    }
    if (!is_exit(state, layout->exit)) {
        layout->exit = state->field.farthest;
    }
}

static loam_room_kind kind_by_area(loam_box box) {
    int64_t area = box_area(box);
    return area <= SMALL_CELLS_MAX    ? LOAM_ROOM_SMALL
           : area <= MEDIUM_CELLS_MAX ? LOAM_ROOM_MEDIUM
                                      : LOAM_ROOM_LARGE;
}

/* The room around a cell takes the kind, unless another has it already. */
static void mark_room(loam_layout *layout, loam_spot at, loam_room_kind kind) {
    loam_room *room = NULL;
    for (uint32_t i = 0; i < layout->room_count; i++) {
        if (layout->rooms[i].kind == kind) {
            return;
        }
        if (room == NULL && box_has(layout->rooms[i].box, at.x, at.y)) {
            room = &layout->rooms[i];
        }
    }
    if (room != NULL && room->kind != LOAM_ROOM_ENTRANCE) {
        room->kind = kind;
    }
}

static void mark_rooms(const floor_state *state) {
    loam_layout *layout = state->layout;
    for (uint32_t i = 0; i < layout->room_count; i++) {
        layout->rooms[i].id = i;
        if (layout->rooms[i].kind == LOAM_ROOM_SMALL) {
            layout->rooms[i].kind = kind_by_area(layout->rooms[i].box);
        }
    }
    mark_room(layout, layout->entrance, LOAM_ROOM_ENTRANCE);
    if (state->stairs.down.x < 0) {
        mark_room(layout, layout->exit, LOAM_ROOM_BOSS);
    }
}

static bool is_same(loam_spot a, loam_spot b) {
    return a.x == b.x && a.y == b.y;
}

/* The recipe has walked from its entrance to its exit, and neither rooms nor stairs say more. */
static bool is_walked(const floor_state *state) {
    const loam_layout *layout = state->layout;
    const walk_field *field = &state->field;
    return field->blocks != NULL && layout->room_count == 0 && state->stairs.up.x < 0 &&
           state->stairs.down.x < 0 && is_same(field->from, layout->entrance) &&
           is_same(field->farthest, layout->exit);
}

loam_status floor_finish(floor_state *state, loam_arena *arena, loam_error *error) {
    loam_layout *layout = state->layout;
    cell_grid grid = grid_of(layout);
    bool walked = is_walked(state);
    if (!walked) {
        uint32_t asked = layout->room_count + 2; /* their middles, the exit, the stairs */
        LOAM_TRY(walk_field_take(&grid, asked, arena, &state->field, error));
    }
    LOAM_TRY(choose_entrance(state, arena, error));
    state->has_floor = is_walkable(layout, layout->entrance);
    if (state->has_floor) {
        if (!walked) {
            walk_from(state, layout->entrance);
        }
        choose_exit(state);
        mark_rooms(state);
    }
    return LOAM_OK;
}
