/* SPDX-License-Identifier: MIT
 *
 * areas_sweep.c: a line sweeps over all rings of a polygon by (z, x); the edges that it cuts stand
 * in order, and only neighbours are tested against each other. At each vertex the edges that end
 * there, pass through it and start there are taken together: pairs of edges that belong together
 * (a ring's pass through the vertex, or an edge's two halves) must nest around it like brackets,
 * else they cross. So touching is told from crossing, exactly.
 *
 * Source: Shamos and Hoey, "Geometric intersection problems", 1976, with touching points handled as
 * events, which are all vertices since coordinates are integers.
 */
#include "core/space/areas_sweep.h"

#include "core/base/assert.h"
#include "core/base/index_sort.h"
#include "core/base/try.h"
#include "core/space/areas_status.h"

/* The pair of an edge that passes through a vertex; there is at most one. */
#define PAIR_PASSING UINT32_MAX

typedef struct ring_sweep {
    const int64_t *xz;
    uint32_t count;
    uint32_t *previous; /* each vertex's predecessor on its ring; edge i starts at vertex i */
    uint32_t *order;    /* vertices by (z, x) */
    sweep_status status;
    uint32_t root;
    uint32_t *falling; /* edges at this vertex from below, left to right */
    uint32_t *rising;  /* and those going up */
    uint32_t *spare;
    uint32_t falling_count;
    uint32_t rising_count;
    uint32_t passing; /* the one that does both */
    sweep_result *result;
} ring_sweep;

static const int64_t *sweep_vertex(const ring_sweep *sweep, uint32_t vertex) {
    return sweep->xz + 2 * (size_t)vertex;
}

static int vertex_compare(const void *context, uint32_t a, uint32_t b) {
    const int64_t *xz = context;
    const int64_t *va = xz + 2 * (size_t)a;
    const int64_t *vb = xz + 2 * (size_t)b;
    int order = (va[1] > vb[1]) - (va[1] < vb[1]);
    return order != 0 ? order : (va[0] > vb[0]) - (va[0] < vb[0]);
}

static void edge_init(ring_sweep *sweep, uint32_t from, uint32_t to) {
    bool forward = vertex_compare(sweep->xz, from, to) < 0;
    uint32_t low = forward ? from : to;
    uint32_t high = forward ? to : from;
    const int64_t *a = sweep_vertex(sweep, low);
    const int64_t *b = sweep_vertex(sweep, high);
    sweep->status.edges[from] = (sweep_edge){
        .x0 = a[0], .z0 = a[1], .x1 = b[0], .z1 = b[1], .vertex0 = low, .vertex1 = high};
    sweep->previous[to] = from;
}

static void edges_init(ring_sweep *sweep, const area_ring *rings, uint32_t ring_count) {
    uint32_t first = 0;
    for (uint32_t i = 0; i < ring_count; i++) {
        uint32_t count = rings[i].count;
        for (uint32_t j = 0; j < count; j++) {
            edge_init(sweep, first + j, j + 1 < count ? first + j + 1 : first);
        }
        first += count;
    }
}

static loam_status sweep_init(ring_sweep *sweep, const area_ring *rings, uint32_t ring_count,
                              loam_arena *scratch) {
    uint32_t count = sweep->count;
    sweep->previous = loam_arena_take(scratch, count, sizeof(uint32_t));
    sweep->order = loam_arena_take(scratch, count, sizeof(uint32_t));
    sweep->falling = loam_arena_take(scratch, (size_t)count + 1, sizeof(uint32_t));
    sweep->rising = loam_arena_take(scratch, (size_t)count + 1, sizeof(uint32_t));
    sweep->spare = loam_arena_take(scratch, (size_t)count * 2 + 2, sizeof(uint32_t));
    sweep->status.edges = loam_arena_take(scratch, count, sizeof(sweep_edge));
    if (sweep->previous == NULL || sweep->order == NULL || sweep->falling == NULL ||
        sweep->rising == NULL || sweep->spare == NULL || sweep->status.edges == NULL) {
        return LOAM_ARENA_FULL;
    }
    edges_init(sweep, rings, ring_count);
    for (uint32_t i = 0; i < count; i++) {
        sweep->order[i] = i;
    }
    index_sort(sweep->order, sweep->spare, count, vertex_compare, sweep->xz);
    return LOAM_OK;
}

static bool cross_at(ring_sweep *sweep, const int64_t *xz) {
    sweep->result->crosses = true;
    sweep->result->xz[0] = xz[0];
    sweep->result->xz[1] = xz[1];
    return true;
}

static int64_t wide_floor(area_wide a, area_wide b) {
    area_wide quotient = a / b;
    return (int64_t)(quotient - ((a % b != 0) && ((a < 0) != (b < 0))));
}

/* Whether two edges cross inside both. Touching is left to the vertex that touches. */
static bool edges_cross(ring_sweep *sweep, uint32_t first, uint32_t second) {
    if (first == STATUS_NONE || second == STATUS_NONE) {
        return false;
    }
    const sweep_edge *a = &sweep->status.edges[first];
    const sweep_edge *b = &sweep->status.edges[second];
    sweep->status.steps++;
    int64_t ends[4][2] = {{a->x0, a->z0}, {a->x1, a->z1}, {b->x0, b->z0}, {b->x1, b->z1}};
    if (sweep_edge_side(a, ends[2]) * sweep_edge_side(a, ends[3]) >= 0 ||
        sweep_edge_side(b, ends[0]) * sweep_edge_side(b, ends[1]) >= 0) {
        return false;
    }
    area_wide ax = a->x1 - a->x0;
    area_wide az = a->z1 - a->z0;
    area_wide bx = b->x1 - b->x0;
    area_wide bz = b->z1 - b->z0;
    area_wide part = (b->x0 - a->x0) * bz - (b->z0 - a->z0) * bx;
    area_wide whole = ax * bz - az * bx;
    return cross_at(sweep, (int64_t[2]){a->x0 + wide_floor(ax * part, whole),
                                        a->z0 + wide_floor(az * part, whole)});
}

static void rising_add(ring_sweep *sweep, uint32_t edge) {
    sweep->rising[sweep->rising_count++] = edge;
}

/* The edges that start at the vertices order[first .. end), which are one point. */
static void rising_gather(ring_sweep *sweep, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++) {
        uint32_t vertex = sweep->order[i];
        uint32_t before = sweep->previous[vertex];
        if (sweep->status.edges[vertex].vertex0 == vertex) {
            rising_add(sweep, vertex);
        }
        if (sweep->status.edges[before].vertex0 == vertex) {
            rising_add(sweep, before);
        }
    }
}

/* By direction, left to right: the order in which they leave a common point upwards. */
static int direction_compare(const void *context, uint32_t a, uint32_t b) {
    const sweep_edge *ea = (const sweep_edge *)context + a;
    const sweep_edge *eb = (const sweep_edge *)context + b;
    area_wide cross = (area_wide)(ea->x1 - ea->x0) * (eb->z1 - eb->z0) -
                      (area_wide)(ea->z1 - ea->z0) * (eb->x1 - eb->x0);
    return (cross > 0) - (cross < 0);
}

/* Finds the passing edge among the falling; true when there are two, which cross. */
static bool passing_find(ring_sweep *sweep, const int64_t *xz) {
    sweep->passing = STATUS_NONE;
    for (uint32_t i = 0; i < sweep->falling_count; i++) {
        const sweep_edge *edge = &sweep->status.edges[sweep->falling[i]];
        if (edge->x1 == xz[0] && edge->z1 == xz[1]) {
            continue;
        }
        if (sweep->passing != STATUS_NONE) {
            return cross_at(sweep, xz);
        }
        sweep->passing = sweep->falling[i];
    }
    return false;
}

/* Edges that leave in one direction share a stretch. */
static bool rising_overlap(ring_sweep *sweep, const int64_t *xz) {
    for (uint32_t i = 1; i < sweep->rising_count; i++) {
        sweep->status.steps++;
        if (direction_compare(sweep->status.edges, sweep->rising[i - 1], sweep->rising[i]) == 0) {
            return cross_at(sweep, xz);
        }
    }
    return false;
}

/* Opens the pair on a stack of brackets, or closes it when it is the innermost. */
static void bracket_step(uint32_t *stack, uint32_t *depth, uint32_t pair) {
    if (*depth > 0 && stack[*depth - 1] == pair) {
        (*depth)--;
    } else {
        stack[(*depth)++] = pair;
    }
}

/* Whether pairs of edges interleave around the vertex: once round, upper edges left to right, then
 * lower edges right to left. */
static bool pairs_interleave(ring_sweep *sweep, const int64_t *xz) {
    uint32_t depth = 0;
    for (uint32_t i = 0; i < sweep->rising_count; i++) {
        uint32_t edge = sweep->rising[i];
        bool passing = edge == sweep->passing;
        bracket_step(sweep->spare, &depth,
                     passing ? PAIR_PASSING : sweep->status.edges[edge].vertex0);
    }
    for (uint32_t i = sweep->falling_count; i > 0; i--) {
        uint32_t edge = sweep->falling[i - 1];
        bool passing = edge == sweep->passing;
        bracket_step(sweep->spare, &depth,
                     passing ? PAIR_PASSING : sweep->status.edges[edge].vertex1);
    }
    return depth > 0 && cross_at(sweep, xz);
}

/* Puts the rising edges between the parts left and right of the vertex, and tests what has become
 * neighbours. */
static bool rising_insert(ring_sweep *sweep, uint32_t left, uint32_t right) {
    uint32_t left_edge = status_last(&sweep->status, left);
    uint32_t right_edge = status_first(&sweep->status, right);
    if (sweep->rising_count == 0) {
        sweep->root = status_append(&sweep->status, left, right);
        return edges_cross(sweep, left_edge, right_edge);
    }
    uint32_t last = sweep->rising[sweep->rising_count - 1];
    for (uint32_t i = 0; i + 1 < sweep->rising_count; i++) {
        left = status_join(&sweep->status, left, sweep->rising[i], STATUS_NONE);
    }
    sweep->root = status_join(&sweep->status, left, last, right);
    return edges_cross(sweep, left_edge, sweep->rising[0]) || edges_cross(sweep, last, right_edge);
}

/* One point of the sweep: the vertices order[first .. end). True when a crossing was found. */
static bool sweep_event(ring_sweep *sweep, uint32_t first, uint32_t end) {
    const int64_t *xz = sweep_vertex(sweep, sweep->order[first]);
    status_pair outer = status_split(&sweep->status, sweep->root, xz, -1);
    status_pair inner = status_split(&sweep->status, outer.right, xz, 0);
    uint32_t *falling_end = status_list(&sweep->status, inner.left, sweep->falling);
    sweep->falling_count = (uint32_t)(falling_end - sweep->falling);
    sweep->rising_count = 0;
    if (passing_find(sweep, xz)) {
        return true;
    }
    rising_gather(sweep, first, end);
    if (sweep->passing != STATUS_NONE) {
        rising_add(sweep, sweep->passing);
    }
    index_sort(sweep->rising, sweep->spare, sweep->rising_count, direction_compare,
               sweep->status.edges);
    if (rising_overlap(sweep, xz) || pairs_interleave(sweep, xz)) {
        return true;
    }
    return rising_insert(sweep, outer.left, inner.right);
}

static void sweep_run(ring_sweep *sweep) {
    uint32_t first = 0;
    while (first < sweep->count) {
        uint32_t end = first + 1;
        while (end < sweep->count &&
               vertex_compare(sweep->xz, sweep->order[first], sweep->order[end]) == 0) {
            end++;
        }
        if (sweep_event(sweep, first, end)) {
            return;
        }
        first = end;
    }
    LOAM_ASSERT(sweep->root == STATUS_NONE);
}

loam_status sweep_rings(const area_ring *rings, uint32_t ring_count, loam_arena *scratch,
                        sweep_result *result) {
    *result = (sweep_result){0};
    ring_sweep sweep = {.root = STATUS_NONE, .xz = ring_count > 0 ? rings[0].xz : NULL};
    sweep.result = result;
    for (uint32_t i = 0; i < ring_count; i++) {
        sweep.count += rings[i].count;
    }
    LOAM_TRY(sweep_init(&sweep, rings, ring_count, scratch));
    sweep_run(&sweep);
    result->steps = sweep.status.steps;
    return LOAM_OK;
}
