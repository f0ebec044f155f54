/* SPDX-License-Identifier: MIT
 *
 * floor_rooms.c: measures of the graph of rooms: ways around, how far apart rooms are, and whether
 * they stand in a line.
 */
#include "core/base/try.h"
#include "core/dungeon/floor_build.h"

__extension__ typedef __int128 room_wide;

/* Rooms that the diameter is sought among: of more, the first ones, and it is the largest that
 * these know of. A search is linear in edges, so that all of them, at worst, stay below a million
 * steps. */
enum { DIAMETER_ROOMS_MAX = 256 };

/* The graph as rows of neighbours. */
typedef struct room_graph {
    uint32_t count;
    uint32_t *starts; /* of a room's neighbours; one more at the end */
    uint32_t *neighbours;
    uint32_t *steps, *queue;
} room_graph;

static loam_status graph_take(const loam_layout *layout, room_graph *graph, loam_arena *arena,
                              loam_error *error) {
    uint32_t rooms = layout->room_count;
    graph->count = rooms;
    graph->starts = loam_arena_take_zero(arena, (size_t)rooms + 2, sizeof *graph->starts);
    graph->neighbours = loam_arena_take(arena, 2 * (size_t)layout->edge_count, sizeof(uint32_t));
    graph->steps = loam_arena_take(arena, rooms, sizeof *graph->steps);
    graph->queue = loam_arena_take(arena, rooms, sizeof *graph->queue);
    LOAM_TRY_MEMORY(graph->starts, error);
    LOAM_TRY_MEMORY(graph->neighbours, error);
    LOAM_TRY_MEMORY(graph->steps, error);
    LOAM_TRY_MEMORY(graph->queue, error);
    return LOAM_OK;
}

/* Counts, sums, then fills: `starts` is one row ahead while rows are filled. */
static void graph_fill(const loam_layout *layout, room_graph *graph) {
    for (uint32_t i = 0; i < layout->edge_count; i++) {
        graph->starts[layout->edges[i].a + 2]++;
        graph->starts[layout->edges[i].b + 2]++;
    }
    for (uint32_t i = 2; i < graph->count + 2; i++) {
        graph->starts[i] += graph->starts[i - 1];
    }
    for (uint32_t i = 0; i < layout->edge_count; i++) {
        uint32_t a = layout->edges[i].a, b = layout->edges[i].b;
        graph->neighbours[graph->starts[a + 1]++] = b;
        graph->neighbours[graph->starts[b + 1]++] = a;
    }
}

/* Breadth first from a room, among those that have no steps yet; returns the last of them: it has
 * the most steps. */
static uint32_t graph_search(room_graph *graph, uint32_t from) {
    uint32_t reached = 0, room = from;
    graph->steps[from] = 0;
    graph->queue[reached++] = from;
    for (uint32_t at = 0; at < reached; at++) {
        room = graph->queue[at];
        for (uint32_t i = graph->starts[room]; i < graph->starts[room + 1]; i++) {
            uint32_t next = graph->neighbours[i];
            if (graph->steps[next] == UINT32_MAX) {
                graph->steps[next] = graph->steps[room] + 1;
                graph->queue[reached++] = next;
            }
        }
    }
    return room;
}

static void graph_forget(room_graph *graph) {
    for (uint32_t i = 0; i < graph->count; i++) {
        graph->steps[i] = UINT32_MAX;
    }
}

/* How many parts hang together, and the last room of the last part's search. */
static uint32_t count_parts(room_graph *graph, uint32_t *last) {
    uint32_t parts = 0;
    graph_forget(graph);
    for (uint32_t i = 0; i < graph->count; i++) {
        if (graph->steps[i] == UINT32_MAX) {
            *last = graph_search(graph, i);
            parts++;
        }
    }
    return parts;
}

static uint32_t sources_of(const room_graph *graph) {
    return graph->count < DIAMETER_ROOMS_MAX ? graph->count : DIAMETER_ROOMS_MAX;
}

/* Of a tree: what is farthest from any room is an end of a longest way, and what is farthest from
 * any room is one of both ends. `end` is one. */
static int64_t diameter_of_tree(room_graph *graph, uint32_t end) {
    uint32_t most = 0;
    for (int way = 0; way < 2; way++) {
        graph_forget(graph);
        end = graph_search(graph, end);
        for (uint32_t i = 0; i < sources_of(graph); i++) {
            most = graph->steps[i] > most ? graph->steps[i] : most;
        }
    }
    return most;
}

/* What is known of the most steps from a room, before a search from it: at least and at most. */
typedef struct room_bound {
    uint32_t least, most;
} room_bound;

/* A search from a room with `most` steps says of a room `away` steps away that none is farther from
 * it than their sum, and one as far as the larger of `away` and most - away. */
static void narrow_bounds(const room_graph *graph, uint32_t most, room_bound *bounds,
                          uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t away = graph->steps[i];
        if (away == UINT32_MAX) {
            continue;
        }
        uint32_t least = away > most - away ? away : most - away;
        bounds[i].least = least > bounds[i].least ? least : bounds[i].least;
        bounds[i].most = most + away < bounds[i].most ? most + away : bounds[i].most;
    }
}

/* The room that could be the outermost, or, every other time, that seems to be in the middle: of
 * those that could have more steps than `most`; `count` when none could. */
static uint32_t next_source(const room_bound *bounds, uint32_t count, uint32_t most, bool middle) {
    uint32_t best = count;
    for (uint32_t i = 0; i < count; i++) {
        bool better = best == count || (middle ? bounds[i].least < bounds[best].least
                                               : bounds[i].most > bounds[best].most);
        best = bounds[i].most > most && better ? i : best;
    }
    return best;
}

/* Exact: only rooms that cannot have more steps than one that was searched from are left out
 * (Takes and Kosters, Determining the Diameter of Small World Networks, 2011). */
static int64_t diameter_of(room_graph *graph) {
    room_bound bounds[DIAMETER_ROOMS_MAX];
    uint32_t count = sources_of(graph), most = 0, room;
    bool middle = false;
    for (uint32_t i = 0; i < count; i++) {
        bounds[i] = (room_bound){0, UINT32_MAX};
    }
    while ((room = next_source(bounds, count, most, middle)) < count) {
        graph_forget(graph);
        uint32_t steps = graph->steps[graph_search(graph, room)];
        most = steps > most ? steps : most;
        bounds[room] = (room_bound){steps, steps};
        narrow_bounds(graph, steps, bounds, count);
        middle = !middle;
    }
    return most;
}

/* 1000 - 1000 * 4 det / trace^2 of the centres' covariance, rounded up: 1000 only when all stand in
 * a line or as good as. Two rooms always do, which says nothing: 0. */
static int64_t linearity_of(const loam_layout *layout) {
    int64_t n = layout->room_count, sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
    if (n < 3) {
        return 0;
    }
    for (uint32_t i = 0; i < layout->room_count; i++) {
        loam_spot centre2 = box_center2(layout->rooms[i].box);
        int64_t x = centre2.x, y = centre2.y;
        sx += x;
        sy += y;
        sxx += x * x;
        syy += y * y;
        sxy += x * y;
    }
    room_wide xx = (room_wide)n * sxx - (room_wide)sx * sx;
    room_wide yy = (room_wide)n * syy - (room_wide)sy * sy;
    room_wide xy = (room_wide)n * sxy - (room_wide)sx * sy;
    room_wide trace = xx + yy, det = xx * yy - xy * xy;
    /* Products stay below 2^127: sums stay below 2^61 for as many rooms as fit a map. */
    return trace == 0 ? 1000 : 1000 - (int64_t)(4000 * (det / trace) / trace);
}

loam_status floor_measure_rooms(floor_state *state, loam_arena *arena, loam_error *error) {
    const loam_layout *layout = state->layout;
    loam_metrics *metrics = &state->metrics;
    room_graph graph;
    metrics->rooms = layout->room_count;
    metrics->rooms_wanted = layout->rooms_wanted;
    metrics->edges = layout->edge_count;
    metrics->linearity = linearity_of(layout);
    if (layout->room_count == 0) {
        return LOAM_OK;
    }
    LOAM_TRY(graph_take(layout, &graph, arena, error));
    graph_fill(layout, &graph);
    uint32_t last = 0, parts = count_parts(&graph, &last);
    metrics->loops = (int64_t)layout->edge_count - layout->room_count + parts;
    bool tree = parts == 1 && metrics->loops == 0;
    metrics->diameter = tree ? diameter_of_tree(&graph, last) : diameter_of(&graph);
    return LOAM_OK;
}
