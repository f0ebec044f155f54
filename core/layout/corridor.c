/* SPDX-License-Identifier: MIT
 *
 * corridor.c: see corridor.h. A draft is a middle line behind those of the plan; shapes write it
 * step by step and give up at the first place where the brush may not be.
 */
#include "core/layout/corridor.h"

#include "core/base/try.h"
#include "core/grid/draw.h"
#include "core/layout/gate.h"
#include "core/layout/lane_search.h"
#include "core/layout/open_layout.h"

const char *const corridor_styles[CORRIDOR_STYLES + 1] = {"straight", "l",     "z", "astar",
                                                          "diagonal", "mixed", NULL};

typedef struct joining {
    room_plan *plan;
    corridor_request request;
    uint64_t key;
    uint32_t draws;
} joining;

typedef enum corridor_shape { SHAPE_STRAIGHT, SHAPE_L, SHAPE_Z, SHAPE_STAIRS } corridor_shape;

static uint64_t next_bits(joining *join) {
    return draw_at(join->key, join->draws++);
}

static loam_box box_of(const joining *join, bool second) {
    return join->plan->rooms[second ? join->request.b : join->request.a].box;
}

/* ---- Drafts ------------------------------------------------------------------------------- */

static bool draft_add(room_plan *plan, loam_spot at) {
    if (plan->draft_count >= plan->path_capacity - plan->path_count) {
        return false;
    }
    plan->path[plan->path_count + plan->draft_count++] = at;
    plan->call->steps++;
    return true;
}

static loam_spot draft_end(const room_plan *plan) {
    return plan->path[plan->path_count + plan->draft_count - 1];
}

static int32_t distance(int32_t a, int32_t b) {
    return a < b ? b - a : a - b;
}

static int32_t toward(int32_t from, int32_t to) {
    return (to > from) - (to < from);
}

/* On to `to` in a straight line, whatever is there. */
static bool draft_cross(room_plan *plan, loam_spot to) {
    for (loam_spot at = draft_end(plan); at.x != to.x || at.y != to.y;) {
        at.x += toward(at.x, to.x);
        at.y += toward(at.y, to.y);
        if (!draft_add(plan, at)) {
            return false;
        }
    }
    return true;
}

static bool lane_is_free(const room_plan *plan, loam_spot at) {
    return grid_get(&plan->lanes, at.x, at.y, LANE_EDGE) <= LANE_BESIDE;
}

/* On to `to` in a straight line, where corridors may be. */
static bool draft_to(room_plan *plan, loam_spot to) {
    for (loam_spot at = draft_end(plan); at.x != to.x || at.y != to.y;) {
        at.x += toward(at.x, to.x);
        at.y += toward(at.y, to.y);
        if (!lane_is_free(plan, at) || !draft_add(plan, at)) {
            return false;
        }
    }
    return true;
}

static bool draft_begin(room_plan *plan, const wall_gate *from) {
    room_plan_open_lanes(plan);
    plan->draft_count = 0;
    return gate_fits(plan, from, false) && lane_is_free(plan, from->free) &&
           draft_add(plan, from->ring) && draft_cross(plan, from->free);
}

static bool draft_finish(room_plan *plan, const wall_gate *to) {
    return draft_cross(plan, to->ring);
}

/* ---- Shapes ------------------------------------------------------------------------------- */

/* Sides that face each other: along x, or along y. */
static void facing_sides(const joining *join, bool along_x, uint32_t ways[2]) {
    loam_spot a = box_center2(box_of(join, false)), b = box_center2(box_of(join, true));
    if (along_x) {
        ways[0] = b.x > a.x ? WAY_EAST : WAY_WEST;
    } else {
        ways[0] = b.y > a.y ? WAY_SOUTH : WAY_NORTH;
    }
    ways[1] = (ways[0] + 2) & 3;
}

/* Between the walls there is rock alone, as wide as the brush. */
static bool is_rock_between(const room_plan *plan, const wall_gate *a, const wall_gate *b) {
    loam_spot step = spot_step((loam_spot){0, 0}, a->way);
    int32_t dx = step.x == 0, dy = step.y == 0;
    loam_spot at = {a->ring.x + step.x, a->ring.y + step.y};
    for (; at.x != b->ring.x || at.y != b->ring.y; at.x += step.x, at.y += step.y) {
        for (int32_t i = -plan->low; i <= plan->high; i++) {
            if (grid_get(&plan->zones, at.x + dx * i, at.y + dy * i, ZONE_WALL) != ZONE_ROCK) {
                return false;
            }
        }
    }
    return true;
}

static bool try_line(joining *join, wall_gate a, wall_gate b) {
    room_plan *plan = join->plan;
    bool lax = join->request.force != FORCE_NONE;
    bool wall_is_one = a.ring.x == b.ring.x && a.ring.y == b.ring.y;
    if (!gate_fits(plan, &a, lax) || !gate_fits(plan, &b, lax) ||
        (!wall_is_one && !is_rock_between(plan, &a, &b))) {
        return false;
    }
    plan->draft_count = 0;
    return draft_add(plan, a.ring) && draft_cross(plan, b.ring);
}

/* Rows or columns that both rooms have in common, as places of the first gate. */
static int32_t common_places(const joining *join, bool along_x, int32_t *first) {
    loam_box a = box_of(join, false), b = box_of(join, true);
    int32_t a0 = along_x ? a.y : a.x, a1 = a0 + (along_x ? a.height : a.width);
    int32_t b0 = along_x ? b.y : b.x, b1 = b0 + (along_x ? b.height : b.width);
    int32_t low = a0 > b0 ? a0 : b0, high = a1 < b1 ? a1 : b1;
    *first = low - a0;
    return high - low - join->plan->width + 1;
}

static bool try_straight(joining *join, bool along_x) {
    int32_t first, count = common_places(join, along_x, &first);
    uint32_t ways[2];
    facing_sides(join, along_x, ways);
    if (count <= 0) {
        return false;
    }
    uint64_t bits = next_bits(join);
    int32_t start = (int32_t)draw_below(bits, (uint32_t)count);
    for (int32_t i = 0; i < count && i < CORRIDOR_TRIES; i++) {
        int32_t place = first + (start + i) % count;
        wall_gate a = gate_at(join->plan, join->request.a, ways[0], place);
        int32_t line = along_x ? a.ring.y : a.ring.x;
        wall_gate b = gate_at(join->plan, join->request.b, ways[1],
                              gate_place(join->plan, join->request.b, ways[1], line));
        if (try_line(join, a, b)) {
            return true;
        }
    }
    return false;
}

/* Any gate of a side; false when the side is too narrow. */
static bool draw_gate(joining *join, uint32_t room, uint32_t way, wall_gate *to) {
    int32_t count = gate_count(join->plan, room, way);
    uint64_t bits = next_bits(join);
    if (count <= 0) {
        return false;
    }
    *to = gate_at(join->plan, room, way, (int32_t)draw_below(bits, (uint32_t)count));
    return true;
}

/* Out of the first room along one axis, into the second along the other. */
static bool try_bend(joining *join, bool along_x) {
    uint32_t out[2], in[2];
    wall_gate a, b;
    facing_sides(join, along_x, out);
    facing_sides(join, !along_x, in);
    bool first = draw_gate(join, join->request.a, out[0], &a);
    bool second = draw_gate(join, join->request.b, in[1], &b);
    if (!first || !second || !gate_fits(join->plan, &b, false)) {
        return false;
    }
    loam_spot corner = along_x ? (loam_spot){b.ring.x, a.ring.y} : (loam_spot){a.ring.x, b.ring.y};
    return draft_begin(join->plan, &a) && draft_to(join->plan, corner) &&
           draft_to(join->plan, b.free) && draft_finish(join->plan, &b);
}

/* Whether going from the one to the other is going outward. */
static bool is_ahead(const wall_gate *a, const wall_gate *b) {
    loam_spot step = spot_step((loam_spot){0, 0}, a->way);
    return (b->free.x - a->free.x) * step.x + (b->free.y - a->free.y) * step.y >= 0;
}

static bool facing_gates(joining *join, bool along_x, wall_gate *a, wall_gate *b) {
    uint32_t ways[2];
    facing_sides(join, along_x, ways);
    bool first = draw_gate(join, join->request.a, ways[0], a);
    bool second = draw_gate(join, join->request.b, ways[1], b);
    return first && second && is_ahead(a, b) && gate_fits(join->plan, b, false);
}

/* Out, aside, and on: two bends. */
static bool try_jog(joining *join, bool along_x) {
    wall_gate a, b;
    bool facing = facing_gates(join, along_x, &a, &b);
    uint64_t bits = next_bits(join);
    if (!facing) {
        return false;
    }
    loam_spot one = a.free, two = b.free;
    if (along_x) {
        int32_t least = one.x < two.x ? one.x : two.x, most = one.x < two.x ? two.x : one.x;
        one.x = two.x = draw_between(bits, least, most);
    } else {
        int32_t least = one.y < two.y ? one.y : two.y, most = one.y < two.y ? two.y : one.y;
        one.y = two.y = draw_between(bits, least, most);
    }
    return draft_begin(join->plan, &a) && draft_to(join->plan, one) && draft_to(join->plan, two) &&
           draft_to(join->plan, b.free) && draft_finish(join->plan, &b);
}

/* A line from free place to free place in single steps along x and y, as even as can be. */
static bool draft_stairs(room_plan *plan, loam_spot to) {
    loam_spot at = draft_end(plan);
    int64_t wide = distance(at.x, to.x), high = distance(at.y, to.y);
    int64_t done_x = 0, done_y = 0;
    while (done_x < wide || done_y < high) {
        bool along_x = (2 * done_x + 1) * high <= (2 * done_y + 1) * wide && done_x < wide;
        if (along_x || done_y >= high) {
            at.x += toward(at.x, to.x);
            done_x++;
        } else {
            at.y += toward(at.y, to.y);
            done_y++;
        }
        if (!lane_is_free(plan, at) || !draft_add(plan, at)) {
            return false;
        }
    }
    return true;
}

static bool try_stairs(joining *join, bool along_x) {
    wall_gate a, b;
    return facing_gates(join, along_x, &a, &b) && draft_begin(join->plan, &a) &&
           draft_stairs(join->plan, b.free) && draft_finish(join->plan, &b);
}

static bool try_shape(joining *join, corridor_shape shape) {
    static bool (*const shapes[])(joining *, bool) = {
        [SHAPE_STRAIGHT] = try_straight,
        [SHAPE_L] = try_bend,
        [SHAPE_Z] = try_jog,
        [SHAPE_STAIRS] = try_stairs,
    };
    loam_spot a = box_center2(box_of(join, false)), b = box_center2(box_of(join, true));
    uint64_t bits = next_bits(join);
    bool along_x = distance(a.x, b.x) > distance(a.y, b.y);
    along_x = shape == SHAPE_L ? (bits & 1) != 0 : along_x;
    uint32_t tries = shape == SHAPE_STRAIGHT ? 1 : CORRIDOR_DRAWS;
    for (uint32_t i = 0; i < tries; i++) {
        if (shapes[shape](join, along_x) || shapes[shape](join, !along_x)) {
            return true;
        }
    }
    return false;
}

/* ---- Styles ------------------------------------------------------------------------------- */

enum { SHAPES_A_STYLE = 4, SHAPES_END = -1 };

/* Of a hundred mixed corridors so many bend once, twice, or go the cheapest way where no straight
 * line does. */
enum { MIXED_L_PERCENT = 55, MIXED_Z_PERCENT = 80 };

static corridor_style pick_style(joining *join) {
    uint32_t percent = draw_below(next_bits(join), 100);
    if (join->request.style != CORRIDOR_MIXED) {
        return join->request.style;
    }
    if (percent >= MIXED_Z_PERCENT) {
        return CORRIDOR_MIXED;
    }
    return percent < MIXED_L_PERCENT ? CORRIDOR_STRAIGHT : CORRIDOR_STYLES;
}

/* CORRIDOR_MIXED stands here for a straight line or the search, CORRIDOR_STYLES for two bends where
 * no line is. */
static const int8_t style_shapes[CORRIDOR_STYLES + 1][SHAPES_A_STYLE + 1] = {
    [CORRIDOR_STRAIGHT] = {SHAPE_STRAIGHT, SHAPE_L, SHAPE_Z, SHAPES_END},
    [CORRIDOR_L] = {SHAPE_L, SHAPE_STRAIGHT, SHAPE_Z, SHAPES_END},
    [CORRIDOR_Z] = {SHAPE_Z, SHAPE_STRAIGHT, SHAPE_L, SHAPES_END},
    [CORRIDOR_ASTAR] = {SHAPES_END},
    [CORRIDOR_DIAGONAL] = {SHAPE_STAIRS, SHAPE_STRAIGHT, SHAPE_L, SHAPE_Z, SHAPES_END},
    [CORRIDOR_MIXED] = {SHAPE_STRAIGHT, SHAPES_END},
    [CORRIDOR_STYLES] = {SHAPE_STRAIGHT, SHAPE_Z, SHAPE_L, SHAPES_END},
};

static int64_t length2_between(loam_box a, loam_box b) {
    loam_spot one = box_center2(a), two = box_center2(b);
    int64_t dx = two.x - one.x, dy = two.y - one.y;
    return dx * dx + dy * dy;
}

/* The shapes of the style, then the cheapest way; rooms whose walls are all there is between them
 * can still have a line. */
static loam_status draft(joining *join, bool *drafted) {
    const int8_t *shapes = style_shapes[pick_style(join)];
    for (uint32_t i = 0; shapes[i] != SHAPES_END; i++) {
        if (try_shape(join, (corridor_shape)shapes[i])) {
            *drafted = true;
            return LOAM_OK;
        }
    }
    LOAM_TRY(lane_search_draft(join->plan, join->request, drafted));
    *drafted = *drafted || try_shape(join, SHAPE_STRAIGHT);
    return LOAM_OK;
}

loam_status corridor_join(room_plan *plan, corridor_request request, loam_edge_role role,
                          bool *joined) {
    uint64_t pair = (uint64_t)request.a << 32 | request.b;
    joining join = {.plan = plan,
                    .request = request,
                    .key = draw_for(plan->call->seed, STAGE_ROUTE, pair, request.force)};
    *joined = false;
    LOAM_TRY(draft(&join, joined));
    if (*joined) {
        loam_box a = plan->rooms[request.a].box, b = plan->rooms[request.b].box;
        room_plan_lay(plan, (loam_room_edge){.a = request.a,
                                             .b = request.b,
                                             .role = role,
                                             .length2 = length2_between(a, b)});
    }
    return layout_poll(plan->call);
}
