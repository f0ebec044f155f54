/* SPDX-License-Identifier: MIT
 *
 * passage.c: what is done when all corridors are laid: diagonal gaps closed, doors hung in one pass
 * with one registry, junctions listed; see room_plan.h.
 */
#include "core/base/try.h"
#include "core/layout/room_plan.h"

/* Opening a gap can make another beside it; after so many passes what is left stays. */
enum { GAP_PASSES_MAX = 8 };

static bool is_open(const room_plan *plan, int32_t x, int32_t y) {
    return grid_get(&plan->cells, x, y, LOAM_CELL_WALL) != LOAM_CELL_WALL;
}

static bool open_rock(room_plan *plan, int32_t x, int32_t y) {
    bool rock = box_has(plan->inside, x, y) &&
                plan->zones.cells[grid_index(&plan->zones, x, y)] == ZONE_ROCK;
    if (rock) {
        grid_set(&plan->cells, x, y, LOAM_CELL_FLOOR);
    }
    return rock;
}

/* All of four cells are there, and two of them touch by a corner alone. */
static bool is_gap(const room_plan *plan, int32_t x, int32_t y) {
    const cell_grid *cells = &plan->cells;
    if (x < 0 || y < 0 || x + 1 >= cells->width || y + 1 >= cells->height) {
        return false;
    }
    const uint8_t *row = &cells->cells[grid_index(cells, x, y)], *below = row + cells->width;
    bool nw = row[0] != 0, ne = row[1] != 0, sw = below[0] != 0, se = below[1] != 0;
    return nw == se && ne == sw && nw != ne;
}

/* Of four cells two that touch by a corner alone: one of the others is opened, unless both are
 * walls of rooms. */
static bool close_gap(room_plan *plan, int32_t x, int32_t y) {
    if (!is_gap(plan, x, y)) {
        return false;
    }
    return is_open(plan, x, y) ? open_rock(plan, x + 1, y) || open_rock(plan, x, y + 1)
                               : open_rock(plan, x, y) || open_rock(plan, x + 1, y + 1);
}

/* Gaps are at the rims of corridors: rooms keep a wall. */
static bool close_around(room_plan *plan, loam_spot at) {
    bool any = false;
    for (int32_t y = at.y - plan->low - 1; y <= at.y + plan->high; y++) {
        for (int32_t x = at.x - plan->low - 1; x <= at.x + plan->high; x++) {
            any |= close_gap(plan, x, y);
        }
    }
    return any;
}

void passage_close_gaps(room_plan *plan) {
    bool any = true;
    for (uint32_t pass = 0; pass < GAP_PASSES_MAX && any; pass++) {
        any = false;
        for (uint32_t i = 0; i < plan->path_count; i++) {
            any |= close_around(plan, plan->path[i]);
        }
    }
}

/* ---- Doors -------------------------------------------------------------------------------- */

static bool is_door(const room_plan *plan, int32_t x, int32_t y) {
    return grid_get(&plan->cells, x, y, LOAM_CELL_WALL) == LOAM_CELL_DOOR;
}

/* A cell of a run: floor here and on both sides across, and no door beside it. */
static bool may_be_door(const room_plan *plan, loam_spot at, loam_axis axis) {
    int32_t dx = axis == LOAM_AXIS_Y, dy = axis == LOAM_AXIS_X;
    bool floor = is_open(plan, at.x, at.y) && is_open(plan, at.x + dx, at.y + dy) &&
                 is_open(plan, at.x - dx, at.y - dy);
    bool alone = !is_door(plan, at.x, at.y) && !is_door(plan, at.x + dx, at.y + dy) &&
                 !is_door(plan, at.x - dx, at.y - dy);
    return floor && alone;
}

/* The run of the brush where a middle line crosses a wall: two floors across, two walls aside, no
 * other door beside it. Gates are never at corners. */
static void hang_door(room_plan *plan, loam_spot gate, loam_box room, loam_door *doors,
                      uint32_t *count) {
    bool level = gate.y < room.y || gate.y >= room.y + room.height;
    loam_axis axis = level ? LOAM_AXIS_X : LOAM_AXIS_Y;
    int32_t dx = level, dy = !level;
    loam_spot first = {gate.x - dx * plan->low, gate.y - dy * plan->low};
    bool fits = !is_open(plan, first.x - dx, first.y - dy) &&
                !is_open(plan, first.x + dx * plan->width, first.y + dy * plan->width);
    for (int32_t i = 0; i < plan->width && fits; i++) {
        fits = may_be_door(plan, (loam_spot){first.x + dx * i, first.y + dy * i}, axis);
    }
    if (!fits) {
        return;
    }
    for (int32_t i = 0; i < plan->width; i++) {
        grid_set(&plan->cells, first.x + dx * i, first.y + dy * i, LOAM_CELL_DOOR);
    }
    doors[*count] = (loam_door){.id = *count, .at = first, .width = plan->width, .axis = axis};
    (*count)++;
}

loam_status passage_hang_doors(room_plan *plan) {
    size_t most = (size_t)plan->edge_count * 2;
    loam_layout *out = plan->call->out;
    out->doors = loam_arena_take(plan->call->arena, most, sizeof *out->doors);
    LOAM_TRY_MEMORY(out->doors, plan->call->error);
    out->door_count = 0;
    for (uint32_t i = 0; i < plan->edge_count; i++) {
        const loam_corridor *corridor = &plan->corridors[i];
        hang_door(plan, corridor->path[0], plan->rooms[corridor->a].box, out->doors,
                  &out->door_count);
        hang_door(plan, corridor->path[corridor->path_count - 1], plan->rooms[corridor->b].box,
                  out->doors, &out->door_count);
    }
    return LOAM_OK;
}

/* ---- Junctions ---------------------------------------------------------------------------- */

/* Of a set of ways; 0 and straight lines are no junctions. */
static bool junction_of(uint8_t ways, loam_junction_kind *kind) {
    static const loam_junction_kind kinds[16] = {
        [1] = LOAM_JUNCTION_END,    [2] = LOAM_JUNCTION_END,      [4] = LOAM_JUNCTION_END,
        [8] = LOAM_JUNCTION_END,    [3] = LOAM_JUNCTION_BEND,     [6] = LOAM_JUNCTION_BEND,
        [12] = LOAM_JUNCTION_BEND,  [9] = LOAM_JUNCTION_BEND,     [7] = LOAM_JUNCTION_TEE,
        [11] = LOAM_JUNCTION_TEE,   [13] = LOAM_JUNCTION_TEE,     [14] = LOAM_JUNCTION_TEE,
        [15] = LOAM_JUNCTION_CROSS, [5] = LOAM_JUNCTION_STRAIGHT, [10] = LOAM_JUNCTION_STRAIGHT,
    };
    *kind = kinds[ways];
    return ways != 0 && *kind != LOAM_JUNCTION_STRAIGHT;
}

enum { SEEN = 0x80 };

/* Marks what it has counted: lines share cells. */
static uint32_t count_junctions(const room_plan *plan) {
    uint32_t count = 0;
    loam_junction_kind kind;
    for (uint32_t i = 0; i < plan->path_count; i++) {
        loam_spot at = plan->path[i];
        uint8_t *ways = &plan->ways.cells[grid_index(&plan->ways, at.x, at.y)];
        count += (*ways & SEEN) == 0 && junction_of(*ways, &kind);
        *ways |= SEEN;
    }
    return count;
}

loam_status passage_list_junctions(room_plan *plan) {
    loam_layout *out = plan->call->out;
    out->junction_count = 0;
    if (!plan->bends) {
        return LOAM_OK;
    }
    out->junctions =
        loam_arena_take(plan->call->arena, count_junctions(plan), sizeof *out->junctions);
    LOAM_TRY_MEMORY(out->junctions, plan->call->error);
    for (uint32_t i = 0; i < plan->path_count; i++) {
        loam_spot at = plan->path[i];
        uint8_t *ways = &plan->ways.cells[grid_index(&plan->ways, at.x, at.y)];
        uint8_t on = *ways & (SEEN - 1);
        loam_junction_kind kind;
        if ((*ways & SEEN) != 0 && junction_of(on, &kind)) {
            out->junctions[out->junction_count++] =
                (loam_junction){.at = at, .width = plan->width, .kind = kind, .ways = on};
        }
        *ways = on;
    }
    return LOAM_OK;
}
