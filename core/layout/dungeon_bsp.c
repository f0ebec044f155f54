/* SPDX-License-Identifier: MIT
 *
 * dungeon_bsp.c: the area cut in two again and again (binary space partition), a room in each leaf,
 * and a corridor across each cut between two rooms beside it. Leaves tile the whole area. Nodes are
 * numbered as in a heap and draws keyed by that, so parts do not depend on each other.
 *
 * Why all rooms hang together: at each end of a cut stand two leaves that have at least leaf_min
 * rows in common, and margins and border leave at least corridor_width of them in both rooms.
 */
#include "core/base/try.h"
#include "core/grid/draw.h"
#include "core/layout/corridor.h"
#include "core/layout/open_layout.h"

enum { BSP_LEAF_MIN = LAYOUT_PARAMS, BSP_MARGIN, BSP_JITTER, BSP_STYLE, BSP_WIDTH, BSP_PARAMS };

/* Leaves of 8 cells on 2,048 squared are 65,536. */
enum { LEAF_MIN_LEAST = 5, LEAF_MIN_MOST = 256, MARGIN_MOST = 64 };
/* Cuts from the whole to a leaf: each leaves at most all but leaf_min of a side. */
enum { DEPTH_MAX = 2 * LAYOUT_SIDE_MAX / LEAF_MIN_LEAST };
enum { DRAW_AXIS, DRAW_CUT };
enum { DRAW_WEST, DRAW_EAST, DRAW_NORTH, DRAW_SOUTH };

#define NONE UINT32_MAX

static const loam_param_schema bsp_params[BSP_PARAMS] = {
    LAYOUT_PARAM_ROWS(LAYOUT_SIDE_MAX),
    PARAM("leaf_min", "Least leaf", "", INT, 0, 0, 8, LEAF_MIN_LEAST, LEAF_MIN_MOST, 1,
          "Cells along each side of a part that is cut no further, at least."),
    PARAM("room_margin_max", "Largest margin", "", INT, 0, 0, 3, 1, MARGIN_MOST, 1,
          "Cells between a room and the edge of its leaf, at most; at least 1."),
    PARAM("split_jitter_percent", "Jitter of cuts", "%", INT, 0, 0, 40, 0, 100, 1,
          "How far from the middle a cut may be: 0 halves, 100 leaves a leaf_min."),
    CORRIDOR_PARAM_ROWS,
};

const loam_recipe dungeon_bsp_recipe = {
    .name = "dungeon.bsp",
    .version = 1,
    .title = "Partition",
    .description = "The area cut in two again and again, a room in each part.",
    .params = bsp_params,
    .param_count = BSP_PARAMS,
};

/* A part: a leaf with a room, or two parts with a cut between. */
typedef struct bsp_part {
    loam_box box;
    uint64_t number;        /* mixed along the way from the root, as a heap's would be */
    uint32_t first, second; /* NONE in a leaf */
    uint32_t room;
    bool along_x; /* the cut is a column */
} bsp_part;

typedef struct bsp_work {
    layout_call *call;
    room_plan plan;
    bsp_part *parts;
    uint32_t part_count, part_capacity;
    uint32_t *sides[2]; /* rooms beside a cut */
} bsp_work;

static int32_t whole(const loam_value *params, uint32_t param) {
    return (int32_t)layout_integer(params, param);
}

static uint32_t leaves_most(const loam_value *params, layout_size size) {
    int32_t leaf = whole(params, BSP_LEAF_MIN);
    uint32_t columns = (uint32_t)(size.width / leaf), rows = (uint32_t)(size.height / leaf);
    return (columns > 0 ? columns : 1) * (rows > 0 ? rows : 1);
}

static room_plan_sizes sizes_of(const loam_value *params, layout_size size) {
    uint32_t leaves = leaves_most(params, size);
    return (room_plan_sizes){
        .rooms = leaves, .edges = leaves, .corridor_width = whole(params, BSP_WIDTH)};
}

static loam_status bsp_check(const loam_value *params, layout_size size, loam_error *error) {
    int32_t margin = whole(params, BSP_MARGIN);
    int32_t rim = margin > size.border ? margin : size.border;
    int32_t least = 2 * rim + whole(params, BSP_WIDTH);
    if (whole(params, BSP_LEAF_MIN) < least) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, "/params/leaf_min",
                         "leaf_min is at least %d: twice room_margin_max (or the border), and "
                         "corridor_width",
                         least);
    }
    int32_t side = size.width < size.height ? size.width : size.height;
    if (side < least) {
        return loam_fail(error, LOAM_INFEASIBLE,
                         size.width < size.height ? "/params/width" : "/params/height",
                         "a side is at least %d here", least);
    }
    return LOAM_OK;
}

/* Each part is cut, looked at from every part around it, and joined. */
static uint64_t bsp_steps(const loam_value *params, layout_size size) {
    uint64_t leaves = leaves_most(params, size);
    return leaves * DEPTH_MAX + room_plan_steps(size, leaves);
}

static uint64_t bsp_bytes(const loam_value *params, layout_size size) {
    uint64_t leaves = leaves_most(params, size);
    return room_plan_bytes(size, sizes_of(params, size)) +
           leaves * (2 * sizeof(bsp_part) + 2 * sizeof(uint32_t) + sizeof(loam_box)) + 1024;
}

/* ---- Cuts --------------------------------------------------------------------------------- */

/* The longer side, by more than a quarter; else by draw; false where neither can be cut. */
static bool pick_axis(const loam_box *box, int32_t leaf, uint64_t bits, bool *along_x) {
    bool wide = box->width >= 2 * leaf, high = box->height >= 2 * leaf;
    if (!wide || !high) {
        *along_x = wide;
        return wide || high;
    }
    if ((int64_t)box->width * 4 > (int64_t)box->height * 5) {
        *along_x = true;
    } else if ((int64_t)box->height * 4 > (int64_t)box->width * 5) {
        *along_x = false;
    } else {
        *along_x = (bits & 1) != 0;
    }
    return true;
}

/* Cells of the first part: the middle, moved by the jitter's share of what may be. */
static int32_t draw_cut(int32_t side, int32_t leaf, int64_t jitter, uint64_t bits) {
    int32_t reach = (int32_t)((side / 2 - leaf) * jitter / 100);
    return draw_between(bits, side / 2 - reach, (side + 1) / 2 + reach);
}

static uint32_t add_part(bsp_work *work, loam_box box, uint64_t number) {
    LOAM_ASSERT(work->part_count < work->part_capacity);
    work->parts[work->part_count] =
        (bsp_part){.box = box, .number = number, .first = NONE, .second = NONE, .room = NONE};
    return work->part_count++;
}

static void cut_part(bsp_work *work, uint32_t index) {
    bsp_part *part = &work->parts[index];
    const loam_value *params = work->call->params;
    int32_t leaf = whole(params, BSP_LEAF_MIN);
    uint64_t key = draw_for(work->call->seed, STAGE_SPLIT, part->number, 0);
    uint64_t axis_bits = draw_at(key, DRAW_AXIS), cut_bits = draw_at(key, DRAW_CUT);
    if (!pick_axis(&part->box, leaf, axis_bits, &part->along_x)) {
        return;
    }
    int32_t side = part->along_x ? part->box.width : part->box.height;
    int32_t cut = draw_cut(side, leaf, params[BSP_JITTER].integer, cut_bits);
    loam_box first = part->box, second = part->box;
    if (part->along_x) {
        first.width = cut;
        second.x += cut;
        second.width -= cut;
    } else {
        first.height = cut;
        second.y += cut;
        second.height -= cut;
    }
    part->first = add_part(work, first, mix_pair(part->number, 0));
    part->second = add_part(work, second, mix_pair(part->number, 1));
}

/* ---- Rooms -------------------------------------------------------------------------------- */

/* Reserved cells of a leaf are in its room, if need be up to its edge. */
static void reach_reserved(const layout_call *call, loam_box leaf, loam_box *room) {
    for (uint32_t i = 0; i < call->reserved_count; i++) {
        loam_spot at = call->reserved[i];
        if (!box_has(leaf, at.x, at.y)) {
            continue;
        }
        int32_t x0 = at.x < room->x ? at.x : room->x, y0 = at.y < room->y ? at.y : room->y;
        int32_t x1 = room->x + room->width, y1 = room->y + room->height;
        x1 = at.x >= x1 ? at.x + 1 : x1;
        y1 = at.y >= y1 ? at.y + 1 : y1;
        *room = (loam_box){x0, y0, x1 - x0, y1 - y0};
    }
}

static void add_room(bsp_work *work, bsp_part *part) {
    int32_t most = whole(work->call->params, BSP_MARGIN);
    uint64_t key = draw_for(work->call->seed, STAGE_LEAF, part->number, 0);
    uint64_t west_bits = draw_at(key, DRAW_WEST), east_bits = draw_at(key, DRAW_EAST);
    uint64_t north_bits = draw_at(key, DRAW_NORTH), south_bits = draw_at(key, DRAW_SOUTH);
    int32_t west = draw_between(west_bits, 1, most), east = draw_between(east_bits, 1, most);
    int32_t north = draw_between(north_bits, 1, most), south = draw_between(south_bits, 1, most);
    loam_box room = {part->box.x + west, part->box.y + north, part->box.width - west - east,
                     part->box.height - north - south};
    room = box_common(room, work->plan.inside);
    reach_reserved(work->call, part->box, &room);
    part->room = room_plan_add(&work->plan, room, NULL)->id;
}

/* Parts in the order in which they are made; leaves become rooms in that order. */
static loam_status cut_all(bsp_work *work) {
    loam_layout *out = work->call->out;
    (void)add_part(work, (loam_box){0, 0, work->call->size.width, work->call->size.height}, 1);
    for (uint32_t i = 0; i < work->part_count; i++) {
        cut_part(work, i);
        if (work->parts[i].first == NONE) {
            add_room(work, &work->parts[i]);
        }
    }
    out->leaf_count = work->plan.room_count;
    out->leaves = loam_arena_take(work->call->arena, out->leaf_count, sizeof *out->leaves);
    LOAM_TRY_MEMORY(out->leaves, work->call->error);
    for (uint32_t i = 0; i < work->part_count; i++) {
        if (work->parts[i].room != NONE) {
            out->leaves[work->parts[i].room] = work->parts[i].box;
        }
    }
    work->call->steps += work->part_count;
    return layout_poll(work->call);
}

/* ---- Corridors ---------------------------------------------------------------------------- */

/* Rooms of the leaves at one side of a part, in order along it. */
static uint32_t list_side(bsp_work *work, uint32_t index, bool along_x, bool far, uint32_t *rooms) {
    const bsp_part *part = &work->parts[index];
    work->call->steps++;
    if (part->room != NONE) {
        rooms[0] = part->room;
        return 1;
    }
    if (part->along_x == along_x) {
        return list_side(work, far ? part->second : part->first, along_x, far, rooms);
    }
    uint32_t count = list_side(work, part->first, along_x, far, rooms);
    return count + list_side(work, part->second, along_x, far, rooms + count);
}

/* Rows (or columns) that two rooms have in common, and what is between them. */
static int32_t common_lines(loam_box a, loam_box b, bool along_x) {
    int32_t a0 = along_x ? a.y : a.x, a1 = a0 + (along_x ? a.height : a.width);
    int32_t b0 = along_x ? b.y : b.x, b1 = b0 + (along_x ? b.height : b.width);
    return (a1 < b1 ? a1 : b1) - (a0 > b0 ? a0 : b0);
}

static int32_t gap_between(loam_box a, loam_box b, bool along_x) {
    return along_x ? b.x - a.x - a.width : b.y - a.y - a.height;
}

static int32_t end_of(loam_box box, bool along_x) {
    return along_x ? box.y + box.height : box.x + box.width;
}

typedef struct bsp_pair {
    uint32_t a, b;
    int32_t gap;
} bsp_pair;

static bool is_nearer(const bsp_pair *a, const bsp_pair *b) {
    if (a->gap != b->gap) {
        return a->gap < b->gap;
    }
    return a->a != b->a ? a->a < b->a : a->b < b->b;
}

/* Of the rooms along both sides of a cut, the nearest two that a straight corridor fits between. */
static bsp_pair nearest_pair(bsp_work *work, const uint32_t counts[2], bool along_x) {
    bsp_pair best = {NONE, NONE, INT32_MAX};
    for (uint32_t i = 0, j = 0; i < counts[0] && j < counts[1];) {
        uint32_t first = work->sides[0][i], second = work->sides[1][j];
        loam_box a = work->plan.rooms[first].box, b = work->plan.rooms[second].box;
        bsp_pair pair = {first < second ? first : second, first < second ? second : first,
                         gap_between(a, b, along_x)};
        if (common_lines(a, b, along_x) >= work->plan.width && is_nearer(&pair, &best)) {
            best = pair;
        }
        if (end_of(work->call->out->leaves[first], along_x) <=
            end_of(work->call->out->leaves[second], along_x)) {
            i++;
        } else {
            j++;
        }
        work->call->steps++;
    }
    LOAM_ASSERT(best.a != NONE);
    return best;
}

static loam_status join_part(bsp_work *work, const bsp_part *part) {
    uint32_t counts[2];
    counts[0] = list_side(work, part->first, part->along_x, true, work->sides[0]);
    counts[1] = list_side(work, part->second, part->along_x, false, work->sides[1]);
    bsp_pair pair = nearest_pair(work, counts, part->along_x);
    corridor_request request = {
        .a = pair.a, .b = pair.b, .style = (corridor_style)work->call->params[BSP_STYLE].integer};
    bool joined = false;
    LOAM_TRY(corridor_join(&work->plan, request, LOAM_EDGE_TREE, &joined));
    if (!joined) {
        request.force = FORCE_WALLS;
        LOAM_TRY(corridor_join(&work->plan, request, LOAM_EDGE_TREE, &joined));
    }
    if (!joined) {
        layout_give_up(work->call, "no-path", "no way from room %u to room %u", pair.a, pair.b);
    }
    return LOAM_OK;
}

/* The inner parts come last to first, so that near rooms are joined before far ones. */
static loam_status join_all(bsp_work *work) {
    for (uint32_t i = work->part_count; i-- > 0;) {
        if (work->parts[i].first != NONE) {
            LOAM_TRY(join_part(work, &work->parts[i]));
        }
    }
    return LOAM_OK;
}

static loam_status take_parts(bsp_work *work, uint32_t leaves) {
    loam_arena *arena = work->call->arena;
    work->part_capacity = 2 * leaves;
    work->parts = loam_arena_take(arena, work->part_capacity, sizeof *work->parts);
    LOAM_TRY_MEMORY(work->parts, work->call->error);
    for (int side = 0; side < 2; side++) {
        work->sides[side] = loam_arena_take(arena, leaves, sizeof **work->sides);
        LOAM_TRY_MEMORY(work->sides[side], work->call->error);
    }
    return LOAM_OK;
}

static loam_status bsp_make(layout_call *call) {
    bsp_work work = {.call = call};
    room_plan_sizes sizes = sizes_of(call->params, call->size);
    LOAM_TRY(room_plan_begin(&work.plan, call, sizes));
    LOAM_TRY(take_parts(&work, sizes.rooms));
    LOAM_TRY(cut_all(&work));
    room_plan_open(&work.plan);
    LOAM_TRY(join_all(&work));
    return room_plan_end(&work.plan);
}

const recipe_code dungeon_bsp_code = {
    .check = bsp_check,
    .steps = bsp_steps,
    .bytes = bsp_bytes,
    .make = bsp_make,
};
