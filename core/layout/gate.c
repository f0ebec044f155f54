/* SPDX-License-Identifier: MIT
 *
 * gate.c: see gate.h.
 */
#include "core/layout/gate.h"

/* North and south sides run along x. */
static bool is_level(uint32_t way) {
    return way == WAY_NORTH || way == WAY_SOUTH;
}

int32_t gate_count(const room_plan *plan, uint32_t room, uint32_t way) {
    const loam_box *box = &plan->rooms[room].box;
    int32_t count = (is_level(way) ? box->width : box->height) - plan->width + 1;
    return count > 0 ? count : 0;
}

static loam_spot ring_spot(const room_plan *plan, loam_box box, uint32_t way, int32_t place) {
    loam_spot at = {box.x + plan->low + place, box.y + plan->low + place};
    if (is_level(way)) {
        at.y = way == WAY_NORTH ? box.y - 1 : box.y + box.height;
    } else {
        at.x = way == WAY_WEST ? box.x - 1 : box.x + box.width;
    }
    return at;
}

int32_t gate_depth(const room_plan *plan, uint32_t way) {
    return 1 + (way == WAY_NORTH || way == WAY_WEST ? plan->high : plan->low);
}

wall_gate gate_at(const room_plan *plan, uint32_t room, uint32_t way, int32_t place) {
    loam_spot ring = ring_spot(plan, plan->rooms[room].box, way, place);
    int32_t away = gate_depth(plan, way);
    loam_spot step = spot_step((loam_spot){0, 0}, way);
    return (wall_gate){.room = room,
                       .way = way,
                       .ring = ring,
                       .free = {ring.x + step.x * away, ring.y + step.y * away}};
}

int32_t gate_place(const room_plan *plan, uint32_t room, uint32_t way, int32_t coordinate) {
    const loam_box *box = &plan->rooms[room].box;
    return coordinate - plan->low - (is_level(way) ? box->x : box->y);
}

static bool is_floor(const room_plan *plan, loam_spot at) {
    return grid_get(&plan->cells, at.x, at.y, LOAM_CELL_WALL) != LOAM_CELL_WALL;
}

/* A shape without any '+' may be entered wherever there is floor. */
static bool is_doorway(const room_plan *plan, uint32_t room, loam_spot at) {
    const room_shape *shape = plan->shapes[room];
    if (shape == NULL ||
        memchr(shape->cells, '+', (size_t)shape->width * (size_t)shape->height) == NULL) {
        return true;
    }
    int32_t x = at.x - plan->rooms[room].box.x + 1, y = at.y - plan->rooms[room].box.y + 1;
    return shape->cells[(size_t)y * (size_t)shape->width + (size_t)x] == '+';
}

bool gate_fits(const room_plan *plan, const wall_gate *gate, bool lax) {
    int32_t dx = is_level(gate->way), dy = !dx, open = 0;
    bool doorway = false;
    loam_spot first = {gate->ring.x - dx * plan->low, gate->ring.y - dy * plan->low};
    for (int32_t i = 0; i < plan->width; i++) {
        loam_spot at = {first.x + dx * i, first.y + dy * i};
        if (!box_has(plan->inside, at.x, at.y) ||
            !is_floor(plan, spot_step(at, (gate->way + 2) & 3))) {
            return false;
        }
        doorway |= is_doorway(plan, gate->room, at);
        open += is_floor(plan, at);
    }
    if (!doorway) {
        return false;
    }
    loam_spot before = {first.x - dx, first.y - dy};
    loam_spot after = {first.x + dx * plan->width, first.y + dy * plan->width};
    bool closed = !is_floor(plan, before) && !is_floor(plan, after);
    return lax || (closed && (open == 0 || open == plan->width));
}
