/* SPDX-License-Identifier: MIT
 *
 * mission_draw.c: levels and columns of a drawing, see mission_draw.h: first as ranks and faces of
 * the plane graph give them, then in cells.
 */
#include "core/layout/mission_draw.h"

#include "core/grid/draw.h"
#include "core/layout/mission_pack.h"

#include <string.h>

/* So often rows and columns are packed by turns; more gains little. */
enum { PACK_ROUNDS = 3 };
/* Ranks are drawn so often, for few levels: tall drawings fit worse than wide ones. */
enum { DRAWS_OF_LEVELS = 8 };
/* A face is so many columns wide at first: edges stand 2 inside of it, boxes just beside its left
 * end, and so no two are in one column. */
enum { FACE_COLUMNS = 4 };

/* The plane graph with blocks joined, its faces and ranks. */
typedef struct draw_plan {
    planar_graph graph;
    int32_t rank[PLANAR_NODES_MAX];
    int32_t face[PLANAR_HALVES_MAX];
    int32_t face_count;
    int32_t outer; /* left of the first half-edge: seen from the right it is another face */
    int32_t half;  /* from the lowest node to the highest, leftmost */
    int32_t face_x[2 * PLANAR_NODES_MAX + 2];
    int32_t node_y[PLANAR_NODES_MAX];
} draw_plan;

/* Ranks, levels and faces: each edge once a pass, and no more passes than nodes or faces. */
uint64_t mission_draw_steps(void) {
    uint64_t pass = PLANAR_HALVES_MAX + PLANAR_NODES_MAX;
    return (DRAWS_OF_LEVELS + 3) * pass * PLANAR_NODES_MAX + PACK_ROUNDS * mission_pack_steps();
}

/* ---- Levels and faces ---------------------------------------------------------------------- */

static bool goes_up(const draw_plan *plan, int32_t half) {
    return plan->rank[planar_to(&plan->graph, half)] > plan->rank[plan->graph.ends[half]];
}

static int32_t left_face(const draw_plan *plan, int32_t up) {
    return plan->face[up];
}

static int32_t right_face(const draw_plan *plan, int32_t up) {
    int32_t face = plan->face[planar_twin(up)];
    return face == plan->outer ? plan->face_count : face;
}

/* Of a node's half-edges the leftmost that goes up; the others follow clockwise, then those that go
 * down, from right to left. */
static int32_t leftmost_up(const draw_plan *plan, int32_t node) {
    int32_t half = plan->graph.first[node];
    if (node == plan->graph.ends[plan->half]) {
        return plan->half;
    }
    while (!goes_up(plan, half) || goes_up(plan, plan->graph.back[half])) {
        half = plan->graph.next[half];
    }
    return half;
}

/* The lowest and the highest node. */
static bool is_pole(const draw_plan *plan, int32_t node) {
    return plan->rank[node] == 0 || plan->rank[node] == plan->graph.node_count - 1;
}

/* The face to the right of a node that is no pole. */
static int32_t last_face(const draw_plan *plan, int32_t node) {
    int32_t right = leftmost_up(plan, node);
    while (goes_up(plan, plan->graph.next[right])) {
        right = plan->graph.next[right];
    }
    return right_face(plan, right);
}

static bool raise(int32_t *value, int32_t least) {
    bool more = *value < least;
    *value = more ? least : *value;
    return more;
}

/* Faces from west to east: across an edge that is a corridor, and across a node, there is a column
 * at least. Longest ways; as many passes as there are faces, at most. */
static void place_faces(draw_plan *plan, int32_t real_edges) {
    bool more = true;
    memset(plan->face_x, 0, sizeof plan->face_x);
    for (int32_t pass = 0; pass <= plan->face_count && more; pass++) {
        more = false;
        for (int32_t edge = 0; edge < plan->graph.edge_count; edge++) {
            int32_t up = goes_up(plan, 2 * edge) ? 2 * edge : 2 * edge + 1;
            more |= raise(&plan->face_x[right_face(plan, up)],
                          plan->face_x[left_face(plan, up)] + (edge < real_edges));
        }
        for (int32_t node = 0; node < plan->graph.node_count; node++) {
            if (!is_pole(plan, node)) {
                more |= raise(&plan->face_x[last_face(plan, node)],
                              plan->face_x[left_face(plan, leftmost_up(plan, node))] + 1);
            }
        }
    }
}

static void place_nodes(draw_plan *plan) {
    bool more = true;
    memset(plan->node_y, 0, sizeof plan->node_y);
    for (int32_t pass = 0; pass < plan->graph.node_count && more; pass++) {
        more = false;
        for (int32_t half = 0; half < 2 * plan->graph.edge_count; half++) {
            int32_t from = plan->graph.ends[half], to = planar_to(&plan->graph, half);
            if (goes_up(plan, half)) {
                more |= raise(&plan->node_y[to], plan->node_y[from] + 1);
            }
        }
    }
}

/* Levels and faces of one draw; returns how many levels there are. */
static int32_t draw_plan_once(draw_plan *plan, const draw_options *options, uint32_t turn) {
    uint64_t keys[PLANAR_EDGES_MAX];
    uint64_t key = draw_for(options->seed, STAGE_MISSION, (uint64_t)turn << 32, options->trial);
    for (int32_t i = 0; i < plan->graph.edge_count; i++) {
        keys[i] = draw_at(key, (uint32_t)i + 1);
    }
    uint64_t bits = draw_at(key, 0);
    plan->half = (int32_t)draw_below(bits, 2 * (uint32_t)plan->graph.edge_count);
    planar_rank(&plan->graph, plan->half, keys, plan->rank);
    place_nodes(plan);
    return plan->node_y[planar_to(&plan->graph, plan->half)];
}

/* Rooms that even at their largest have not enough gates for this many ways up and down. */
static int32_t count_crowded(const draw_plan *plan, const room_mission *mission, int32_t width) {
    int32_t ways[PLANAR_NODES_MAX][DRAW_SIDES] = {{0}}, crowded = 0;
    for (int32_t half = 0; half < 2 * mission->graph.edge_count; half++) {
        ways[plan->graph.ends[half]][goes_up(plan, half) ? DRAW_UP : DRAW_DOWN]++;
    }
    for (int32_t node = 0; node < plan->graph.node_count; node++) {
        int32_t ports = mission_ports(mission->rooms[node].side_max, width), more = 0;
        for (int32_t side = DRAW_DOWN; side < DRAW_SIDES; side++) {
            more += ways[node][side] > ports ? ways[node][side] - ports : 0;
        }
        crowded += more > 2 * ports;
    }
    return crowded;
}

/* Of several draws the one with the fewest crowded rooms, and of these with the fewest levels. */
static void make_plan(draw_plan *plan, const room_mission *mission, const draw_options *options) {
    int32_t fewest = INT32_MAX;
    uint32_t best = 0;
    plan->graph = mission->graph;
    planar_join_blocks(&plan->graph);
    for (uint32_t turn = 0; turn < DRAWS_OF_LEVELS; turn++) {
        int32_t levels = draw_plan_once(plan, options, turn);
        levels += count_crowded(plan, mission, options->corridor_width) * PLANAR_NODES_MAX;
        best = levels < fewest ? turn : best;
        fewest = levels < fewest ? levels : fewest;
    }
    (void)draw_plan_once(plan, options, best);
    plan->face_count = planar_faces(&plan->graph, plan->face);
    plan->outer = plan->face[plan->half];
    place_faces(plan, mission->graph.edge_count);
}

/* ---- Into the drawing ---------------------------------------------------------------------- */

/* From the face to the left of a node to that to its right; all of them for a pole. */
static void face_span(const draw_plan *plan, int32_t node, int32_t *first, int32_t *end) {
    bool pole = is_pole(plan, node);
    *first = pole ? 0 : plan->face_x[left_face(plan, leftmost_up(plan, node))];
    *end = plan->face_x[pole ? plan->face_count : last_face(plan, node)];
}

/* Real edges of a node, from left to right, of one side. */
static void list_side(mission_draw *draw, const draw_plan *plan, int32_t node, int32_t side,
                      int32_t *used) {
    draw_room *room = &draw->rooms[node];
    const planar_graph *graph = &plan->graph;
    bool highest = plan->rank[node] == graph->node_count - 1;
    int32_t begin = highest ? planar_twin(plan->half) : leftmost_up(plan, node), half = begin;
    int32_t *list = &draw->lists[*used], count = 0;
    /* Clockwise: upward ones from left to right; the other way round: downward ones. */
    for (bool again = true; again;) {
        if (goes_up(plan, half) == (side == DRAW_UP) && half / 2 < draw->edge_count) {
            list[count++] = half / 2;
            draw->ends[half / 2][side].room = node;
        }
        half = side == DRAW_UP ? graph->next[half] : graph->back[half];
        again = half != begin;
    }
    room->edges[side] = list;
    room->count[side] = count;
    *used += count;
}

static void take_plan(mission_draw *draw, const draw_plan *plan) {
    int32_t used = 0;
    for (int32_t node = 0; node < draw->room_count; node++) {
        list_side(draw, plan, node, DRAW_UP, &used);
        list_side(draw, plan, node, DRAW_DOWN, &used);
        face_span(plan, node, &draw->face_first[node], &draw->face_end[node]);
        draw->first[node] = draw->rooms[node].level = plan->node_y[node];
        draw->end[node] = plan->node_y[node] + 1;
    }
    for (int32_t edge = 0; edge < draw->edge_count; edge++) {
        int32_t up = goes_up(plan, 2 * edge) ? 2 * edge : 2 * edge + 1;
        int32_t part = draw->room_count + edge;
        draw->x[part] = FACE_COLUMNS * plan->face_x[left_face(plan, up)] + 2;
        draw->first[part] = plan->node_y[plan->graph.ends[up]];
        draw->end[part] = plan->node_y[planar_to(&plan->graph, up)] + 1;
    }
}

static int32_t draw_side(const mission_room *room, uint64_t bits, const draw_options *options) {
    int32_t wide = room->side_max - room->side_min;
    int32_t left = (int32_t)(options->cooling_steps - 1 - options->cooling);
    int32_t most = options->cooling_steps > 1
                       ? room->side_min + wide * left / (int32_t)(options->cooling_steps - 1)
                       : room->side_max;
    return draw_between(bits, room->side_min, most);
}

static int32_t least_of(int32_t a, int32_t b) {
    return a < b ? a : b;
}

/* Of a side's ways so many that begin left of a column. */
static int32_t count_left(const mission_draw *draw, const draw_room *room, int32_t side,
                          int32_t column) {
    int32_t count = 0;
    while (count < room->count[side] &&
           draw->x[draw->room_count + room->edges[side][count]] < column) {
        count++;
    }
    return count;
}

/* Ways that do not fit into floor or ceiling go by left and right: those by the left begin left of
 * the column, the others right of it, so that they keep their order. */
static bool share_at(const mission_draw *draw, draw_room *room, int32_t column) {
    int32_t level = mission_ports(room->width, draw->width), all = 0, least = 0;
    int32_t beside = mission_ports(room->height, draw->width);
    int32_t most[DRAW_SIDES], more[DRAW_SIDES];
    for (int32_t side = DRAW_DOWN; side < DRAW_SIDES; side++) {
        int32_t left = count_left(draw, room, side, column), right = room->count[side] - left;
        more[side] = room->count[side] > level ? room->count[side] - level : 0;
        room->left[side] = more[side] > right ? more[side] - right : 0;
        most[side] = least_of(more[side], left);
        least += room->left[side];
        all += more[side];
    }
    int32_t wanted = all / 2 - least;
    for (int32_t side = DRAW_DOWN; side < DRAW_SIDES; side++) {
        int32_t add = wanted > 0 ? least_of(wanted, most[side] - room->left[side]) : 0;
        room->left[side] += add;
        room->right[side] = more[side] - room->left[side];
        wanted -= add;
    }
    int32_t left = room->left[DRAW_DOWN] + room->left[DRAW_UP];
    return left <= beside && all - left <= beside;
}

/* Shares gates out at the first column that does; columns are told by the faces of the plane graph,
 * and the box stands between two. */
static bool share_gates(mission_draw *draw, int32_t node) {
    int32_t first = draw->face_first[node];
    for (int32_t column = first; column <= draw->face_end[node]; column++) {
        if (share_at(draw, &draw->rooms[node], FACE_COLUMNS * column)) {
            draw->x[node] = FACE_COLUMNS * column + (column == first ? 1 : -1);
            return true;
        }
    }
    return false;
}

/* A room grows to its largest side until all its ways have a gate. */
static bool size_room(mission_draw *draw, int32_t node, const draw_options *options) {
    const mission_room *asked = &draw->mission->rooms[node];
    draw_room *room = &draw->rooms[node];
    uint64_t key = draw_for(options->seed, STAGE_MISSION, (uint64_t)node + 1, options->trial);
    uint64_t wide = draw_at(key, 0), high = draw_at(key, 1);
    room->width = draw_side(asked, wide, options);
    room->height = draw_side(asked, high, options);
    bool fits = share_gates(draw, node);
    while (!fits && (room->width < asked->side_max || room->height < asked->side_max)) {
        bool widen = room->height == asked->side_max ||
                     (room->width <= room->height && room->width < asked->side_max);
        room->width += widen;
        room->height += !widen;
        fits = share_gates(draw, node);
    }
    draw->size[node] = room->width;
    return fits;
}

static void note_gates(mission_draw *draw, int32_t node) {
    const draw_room *room = &draw->rooms[node];
    for (int32_t side = DRAW_DOWN; side < DRAW_SIDES; side++) {
        for (int32_t i = 0; i < room->count[side]; i++) {
            draw_end *end = &draw->ends[room->edges[side][i]][side];
            bool right = i >= room->count[side] - room->right[side];
            end->gate = i < room->left[side] ? GATE_LEFT : right ? GATE_RIGHT : GATE_LEVEL;
        }
    }
}

bool mission_draw_make(mission_draw *draw, const room_mission *mission,
                       const draw_options *options) {
    memset(draw, 0, sizeof *draw);
    draw->mission = mission;
    draw->room_count = mission->graph.node_count;
    draw->edge_count = mission->graph.edge_count;
    draw->part_count = draw->room_count + draw->edge_count;
    draw->width = options->corridor_width;
    if (draw->room_count > 1) {
        draw_plan plan;
        make_plan(&plan, mission, options);
        take_plan(draw, &plan);
    }
    for (int32_t node = 0; node < draw->room_count; node++) {
        if (!size_room(draw, node, options)) {
            return false;
        }
        note_gates(draw, node);
    }
    for (int32_t part = draw->room_count; part < draw->part_count; part++) {
        draw->size[part] = draw->width;
    }
    for (uint32_t round = 0; round < PACK_ROUNDS; round++) {
        if (!mission_pack(draw, round == 0 ? options->spread : 0)) {
            return false;
        }
    }
    return true;
}
