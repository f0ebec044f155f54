/* SPDX-License-Identifier: MIT
 *
 * mission_lay.c: see mission_lay.h. A corridor is a chain of lines, across and along by turns, each
 * told by the first of its `width` cells, from the wall of one room to that of the other.
 */
#include "core/layout/mission_lay.h"

#include "core/base/try.h"

#include <string.h>

/* Gate, track, column, track, gate. */
enum { LAY_LINES_MAX = 5 };

/* Lines that go along y are told by a column, those along x by a row. */
typedef struct lay_chain {
    int32_t lines[LAY_LINES_MAX];
    int32_t count;
    bool first_along_y;
    int32_t begin, end; /* where the first line begins and the last one ends: cells of walls */
} lay_chain;

/* ---- The drawing --------------------------------------------------------------------------- */

static void chain_add(lay_chain *chain, int32_t line) {
    chain->lines[chain->count++] = line;
}

static int32_t box_row(const mission_draw *draw, int32_t node) {
    return draw_box_row(&draw->rooms[node], draw->width) - 1;
}

/* The row of a track; floor begins in row 0, one below the first wall. */
static int32_t track_row(const mission_draw *draw, const draw_end *end, int32_t side) {
    const draw_room *room = &draw->rooms[end->room];
    int32_t pitch = draw->width + 1, row = box_row(draw, end->room);
    return side == DRAW_UP ? row + room->height + 1 + end->track * pitch
                           : row - 1 - draw->width - end->track * pitch;
}

/* The cell of the wall where a corridor meets a room. */
static int32_t wall_cell(const mission_draw *draw, const draw_end *end, int32_t side) {
    const draw_room *room = &draw->rooms[end->room];
    if (end->gate == GATE_LEFT) {
        return draw->x[end->room] - 1;
    }
    if (end->gate == GATE_RIGHT) {
        return draw->x[end->room] + room->width;
    }
    return box_row(draw, end->room) + (side == DRAW_UP ? room->height : -1);
}

/* The lines from a gate to the column, which is not added. */
static int32_t end_lines(const mission_draw *draw, const draw_end *end, int32_t side,
                         int32_t lines[2]) {
    if (end->gate != GATE_LEVEL) {
        lines[0] = box_row(draw, end->room) + end->place;
        return 1;
    }
    if (end->track < 0) {
        return 0;
    }
    lines[0] = end->place;
    lines[1] = track_row(draw, end, side);
    return 2;
}

static lay_chain chain_of(const mission_draw *draw, int32_t edge) {
    const draw_end *low = &draw->ends[edge][DRAW_UP], *high = &draw->ends[edge][DRAW_DOWN];
    lay_chain chain = {.first_along_y = low->gate == GATE_LEVEL,
                       .begin = wall_cell(draw, low, DRAW_UP),
                       .end = wall_cell(draw, high, DRAW_DOWN)};
    int32_t lines[2], count = end_lines(draw, low, DRAW_UP, lines);
    for (int32_t i = 0; i < count; i++) {
        chain_add(&chain, lines[i]);
    }
    chain_add(&chain, draw->x[draw->room_count + edge]);
    count = end_lines(draw, high, DRAW_DOWN, lines);
    for (int32_t i = count; i > 0; i--) {
        chain_add(&chain, lines[i - 1]);
    }
    return chain;
}

/* ---- The map ------------------------------------------------------------------------------- */

/* A stretch of `size` cells of one axis, mirrored and moved. */
static int32_t turned(const mission_draw *draw, const lay_turn *turn, bool x, int32_t first,
                      int32_t size) {
    bool mirror = x ? turn->mirror_x : turn->mirror_y;
    int32_t span = x ? draw->span_x : draw->span_y;
    int32_t origin = x != turn->swap ? turn->origin.x : turn->origin.y;
    return origin + (mirror ? span - size - first : first);
}

static loam_box turned_box(const mission_draw *draw, const lay_turn *turn, int32_t node) {
    const draw_room *room = &draw->rooms[node];
    int32_t x = turned(draw, turn, true, draw->x[node], room->width);
    int32_t y = turned(draw, turn, false, box_row(draw, node), room->height);
    return turn->swap ? (loam_box){y, x, room->height, room->width}
                      : (loam_box){x, y, room->width, room->height};
}

void mission_lay_rooms(room_plan *plan, const mission_draw *draw, const lay_turn *turn) {
    for (int32_t node = 0; node < draw->room_count; node++) {
        const mission_room *asked = &draw->mission->rooms[node];
        loam_room *room = room_plan_add(plan, turned_box(draw, turn, node), NULL);
        room->kind = asked->kind;
        room->name = asked->id;
    }
}

/* The chain on the map: the middles of its lines, and its ends. */
static lay_chain turned_chain(const mission_draw *draw, const lay_turn *turn, lay_chain chain,
                              int32_t low) {
    lay_chain out = chain;
    bool last_along_y = chain.first_along_y == (chain.count % 2 == 1);
    for (int32_t i = 0; i < chain.count; i++) {
        bool along_y = chain.first_along_y == (i % 2 == 0);
        out.lines[i] = turned(draw, turn, along_y, chain.lines[i], draw->width) + low;
    }
    out.begin = turned(draw, turn, !chain.first_along_y, chain.begin, 1);
    out.end = turned(draw, turn, !last_along_y, chain.end, 1);
    out.first_along_y = chain.first_along_y != turn->swap;
    return out;
}

/* Where line i begins; of i = count, where the last one ends. */
static loam_spot chain_corner(const lay_chain *chain, int32_t i) {
    int32_t along = i == 0 ? chain->begin : chain->lines[i - 1];
    int32_t line = i == chain->count ? chain->end : chain->lines[i];
    bool along_y = chain->first_along_y == (i % 2 == 0);
    /* The last point lies on the last line, at its end. */
    return along_y ? (loam_spot){line, along} : (loam_spot){along, line};
}

lay_shape mission_lay_shape(const mission_draw *draw, int32_t edge) {
    lay_chain chain = chain_of(draw, edge);
    lay_shape shape = {.lines = chain.count, .cells = 1};
    for (int32_t i = 1; i <= chain.count; i++) {
        loam_spot a = chain_corner(&chain, i - 1), b = chain_corner(&chain, i);
        shape.cells += (a.x > b.x ? a.x - b.x : b.x - a.x) + (a.y > b.y ? a.y - b.y : b.y - a.y);
    }
    return shape;
}

/* ---- Paths of all corridors, before any is laid -------------------------------------------- */

/* Paths keep a wall between them, so all of them together are no more cells than there are. */
typedef struct lay_paths {
    loam_spot *spots;
    uint32_t count, capacity;
    uint32_t first[MISSION_EDGES_MAX], end[MISSION_EDGES_MAX];
    loam_room_edge edges[MISSION_EDGES_MAX];
} lay_paths;

uint64_t mission_lay_bytes(layout_size size) {
    uint64_t cells = (uint64_t)size.width * (uint64_t)size.height;
    return sizeof(lay_paths) + cells * sizeof(loam_spot) + 256;
}

static loam_status take_paths(room_plan *plan, lay_paths **taken) {
    loam_arena *arena = plan->call->arena;
    lay_paths *paths = loam_arena_take(arena, 1, sizeof *paths);
    LOAM_TRY_MEMORY(paths, plan->call->error);
    paths->count = 0;
    paths->capacity = (uint32_t)grid_count(&plan->cells);
    paths->spots = loam_arena_take(arena, paths->capacity, sizeof *paths->spots);
    LOAM_TRY_MEMORY(paths->spots, plan->call->error);
    *taken = paths;
    return LOAM_OK;
}

static void path_to(lay_paths *paths, loam_spot to) {
    loam_spot now = paths->spots[paths->count - 1];
    while (now.x != to.x || now.y != to.y) {
        now.x += (to.x > now.x) - (to.x < now.x);
        now.y += (to.y > now.y) - (to.y < now.y);
        LOAM_ASSERT(paths->count < paths->capacity);
        paths->spots[paths->count++] = now;
    }
}

static void path_of_chain(lay_paths *paths, int32_t edge, const lay_chain *chain, bool backward) {
    paths->first[edge] = paths->count;
    paths->spots[paths->count++] = chain_corner(chain, backward ? chain->count : 0);
    for (int32_t i = 1; i <= chain->count; i++) {
        path_to(paths, chain_corner(chain, backward ? chain->count - i : i));
    }
    paths->end[edge] = paths->count;
}

static int64_t length2_between(loam_box a, loam_box b) {
    loam_spot one = box_center2(a), two = box_center2(b);
    int64_t dx = two.x - one.x, dy = two.y - one.y;
    return dx * dx + dy * dy;
}

static int32_t part_of(int32_t *parts, int32_t node) {
    while (parts[node] != node) {
        parts[node] = parts[parts[node]];
        node = parts[node];
    }
    return node;
}

/* In the order of edges, those that join what was apart are the tree's. */
static loam_edge_role role_of(int32_t *parts, const room_mission *mission, int32_t edge) {
    int32_t a = part_of(parts, mission->graph.ends[2 * edge]);
    int32_t b = part_of(parts, mission->graph.ends[2 * edge + 1]);
    parts[a > b ? a : b] = a > b ? b : a;
    return a == b ? LOAM_EDGE_LOOP : LOAM_EDGE_TREE;
}

static void draw_paths(room_plan *plan, lay_paths *paths, const mission_draw *draw,
                       const lay_turn *turn) {
    int32_t parts[MISSION_ROOMS_MAX];
    for (int32_t node = 0; node < draw->room_count; node++) {
        parts[node] = node;
    }
    for (int32_t edge = 0; edge < draw->edge_count; edge++) {
        lay_chain chain = turned_chain(draw, turn, chain_of(draw, edge), plan->low);
        uint32_t low = (uint32_t)draw->ends[edge][DRAW_UP].room;
        uint32_t high = (uint32_t)draw->ends[edge][DRAW_DOWN].room;
        uint32_t a = low < high ? low : high, b = low < high ? high : low;
        path_of_chain(paths, edge, &chain, low > high);
        paths->edges[edge] =
            (loam_room_edge){.a = a,
                             .b = b,
                             .role = role_of(parts, draw->mission, edge),
                             .length2 = length2_between(plan->rooms[a].box, plan->rooms[b].box),
                             .lock = draw->mission->locks[edge]};
    }
}

static void lay_path(room_plan *plan, const lay_paths *paths, int32_t edge) {
    uint32_t count = paths->end[edge] - paths->first[edge];
    LOAM_ASSERT(count <= plan->path_capacity - plan->path_count);
    memcpy(&plan->path[plan->path_count], &paths->spots[paths->first[edge]],
           count * sizeof *paths->spots);
    plan->draft_count = count;
    plan->call->steps += count;
    room_plan_lay(plan, paths->edges[edge]);
}

loam_status mission_lay_corridors(room_plan *plan, const mission_draw *draw, const lay_turn *turn) {
    lay_paths *paths = NULL;
    LOAM_TRY(take_paths(plan, &paths));
    draw_paths(plan, paths, draw, turn);
    for (int32_t edge = 0; edge < draw->edge_count; edge++) {
        lay_path(plan, paths, edge);
    }
    return LOAM_OK;
}

static bool door_has(const loam_door *door, loam_spot at) {
    bool along_x = door->axis == LOAM_AXIS_X;
    loam_box cells = {door->at.x, door->at.y, along_x ? door->width : 1, along_x ? 1 : door->width};
    return box_has(cells, at.x, at.y);
}

void mission_lay_locks(const room_plan *plan, const room_mission *mission) {
    loam_layout *out = plan->call->out;
    for (int32_t edge = 0; edge < mission->graph.edge_count; edge++) {
        bool hung = mission->locks[edge].size == 0;
        for (uint32_t i = 0; i < out->door_count && !hung; i++) {
            hung = door_has(&out->doors[i], plan->corridors[edge].path[0]);
            if (hung) {
                out->doors[i].lock = mission->locks[edge];
            }
        }
        LOAM_ASSERT(hung);
    }
}
