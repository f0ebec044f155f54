/* SPDX-License-Identifier: MIT
 *
 * triangulate.c: links_triangulate of links.h: divide and conquer over quad-edges, with orientation
 * and in-circle tests in exact integers. Both tests are strict, so what lies on one circle or line
 * is decided by the sorted order alone.
 */
#include "core/base/assert.h"
#include "core/base/try.h"
#include "core/grid/key_sort.h"
#include "core/grid/links.h"

/* A place in order of (x, y), and the index of the first point given there. */
typedef struct site {
    int32_t x, y;
    uint32_t index;
} site;

/* Four directed edges in a row of `next` and `origin`: e, its dual, its reverse, the dual of that.
 * The graph is planar at every moment, so 3 edges a site are enough; freed ones are used again. */
typedef struct edge_mesh {
    const site *sites;
    uint32_t *next;   /* counterclockwise around the origin */
    uint32_t *origin; /* of primal edges; NONE for a freed one */
    uint32_t used, freed;
} edge_mesh;

enum { EDGES_PER_SITE = 3, QUAD = 4 };
#define NONE UINT32_MAX

/* The outermost edges of a part: counterclockwise out of its first site, clockwise out of its last.
 */
typedef struct hull {
    uint32_t left, right;
} hull;

static uint32_t turned(uint32_t edge) {
    return (edge & ~3u) | ((edge + 1) & 3u);
}

static uint32_t turned_back(uint32_t edge) {
    return (edge & ~3u) | ((edge + 3) & 3u);
}

static uint32_t reverse(uint32_t edge) {
    return edge ^ 2u;
}

static uint32_t before_origin(const edge_mesh *mesh, uint32_t edge) {
    return turned(mesh->next[turned(edge)]);
}

static uint32_t left_next(const edge_mesh *mesh, uint32_t edge) {
    return turned(mesh->next[turned_back(edge)]);
}

static uint32_t right_before(const edge_mesh *mesh, uint32_t edge) {
    return mesh->next[reverse(edge)];
}

static uint32_t from(const edge_mesh *mesh, uint32_t edge) {
    return mesh->origin[edge];
}

static uint32_t to(const edge_mesh *mesh, uint32_t edge) {
    return mesh->origin[reverse(edge)];
}

static uint32_t make_edge(edge_mesh *mesh, uint32_t a, uint32_t b) {
    uint32_t edge = mesh->freed;
    if (edge == NONE) {
        edge = QUAD * mesh->used++;
    } else {
        mesh->freed = mesh->next[edge];
    }
    mesh->next[edge] = edge;
    mesh->next[edge + 1] = edge + 3;
    mesh->next[edge + 2] = edge + 2;
    mesh->next[edge + 3] = edge + 1;
    mesh->origin[edge] = a;
    mesh->origin[edge + 2] = b;
    return edge;
}

static void splice(edge_mesh *mesh, uint32_t a, uint32_t b) {
    uint32_t dual_a = turned(mesh->next[a]), dual_b = turned(mesh->next[b]);
    uint32_t kept = mesh->next[a];
    mesh->next[a] = mesh->next[b];
    mesh->next[b] = kept;
    kept = mesh->next[dual_a];
    mesh->next[dual_a] = mesh->next[dual_b];
    mesh->next[dual_b] = kept;
}

/* A new edge from the end of `a` to the start of `b`, with one face at its left. */
static uint32_t connect(edge_mesh *mesh, uint32_t a, uint32_t b) {
    uint32_t edge = make_edge(mesh, to(mesh, a), from(mesh, b));
    splice(mesh, edge, left_next(mesh, a));
    splice(mesh, reverse(edge), b);
    return edge;
}

static void remove_edge(edge_mesh *mesh, uint32_t edge) {
    splice(mesh, edge, before_origin(mesh, edge));
    splice(mesh, reverse(edge), before_origin(mesh, reverse(edge)));
    uint32_t quad = edge & ~3u;
    mesh->origin[quad] = NONE;
    mesh->next[quad] = mesh->freed;
    mesh->freed = quad;
}

/* Positive when a, b, c turn counterclockwise. */
static int64_t orient(const edge_mesh *mesh, uint32_t a, uint32_t b, uint32_t c) {
    const site *p = &mesh->sites[a], *q = &mesh->sites[b], *r = &mesh->sites[c];
    return (int64_t)(q->x - p->x) * (r->y - p->y) - (int64_t)(q->y - p->y) * (r->x - p->x);
}

/* Whether d is inside the circle through a, b, c, which turn counterclockwise. */
static bool in_circle(const edge_mesh *mesh, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    const site *sites = mesh->sites, *s = &sites[d];
    int64_t ax = sites[a].x - s->x, ay = sites[a].y - s->y;
    int64_t bx = sites[b].x - s->x, by = sites[b].y - s->y;
    int64_t cx = sites[c].x - s->x, cy = sites[c].y - s->y;
    return (ax * ax + ay * ay) * (bx * cy - by * cx) - (bx * bx + by * by) * (ax * cy - ay * cx) +
               (cx * cx + cy * cy) * (ax * by - ay * bx) >
           0;
}

static bool right_of(const edge_mesh *mesh, uint32_t at, uint32_t edge) {
    return orient(mesh, at, to(mesh, edge), from(mesh, edge)) > 0;
}

static bool left_of(const edge_mesh *mesh, uint32_t at, uint32_t edge) {
    return orient(mesh, at, from(mesh, edge), to(mesh, edge)) > 0;
}

static hull join_two(edge_mesh *mesh, uint32_t first) {
    uint32_t edge = make_edge(mesh, first, first + 1);
    return (hull){edge, reverse(edge)};
}

static hull join_three(edge_mesh *mesh, uint32_t first) {
    uint32_t a = make_edge(mesh, first, first + 1);
    uint32_t b = make_edge(mesh, first + 1, first + 2);
    splice(mesh, reverse(a), b);
    int64_t turn = orient(mesh, first, first + 1, first + 2);
    if (turn == 0) {
        return (hull){a, reverse(b)};
    }
    uint32_t c = connect(mesh, b, a);
    return turn > 0 ? (hull){a, reverse(b)} : (hull){reverse(c), c};
}

/* The lowest edge that has both parts above it. */
static uint32_t find_base(edge_mesh *mesh, uint32_t *left, uint32_t *right) {
    for (;;) {
        if (left_of(mesh, from(mesh, *right), *left)) {
            *left = left_next(mesh, *left);
        } else if (right_of(mesh, from(mesh, *left), *right)) {
            *right = right_before(mesh, *right);
        } else {
            return connect(mesh, reverse(*right), *left);
        }
    }
}

/* The next edges to go up by, at the left and at the right of the base; edges of the parts that the
 * circle of the new triangle would hold are removed. */
static uint32_t left_candidate(edge_mesh *mesh, uint32_t base) {
    uint32_t edge = mesh->next[reverse(base)];
    while (right_of(mesh, to(mesh, edge), base) &&
           in_circle(mesh, to(mesh, base), from(mesh, base), to(mesh, edge),
                     to(mesh, mesh->next[edge]))) {
        uint32_t after = mesh->next[edge];
        remove_edge(mesh, edge);
        edge = after;
    }
    return edge;
}

static uint32_t right_candidate(edge_mesh *mesh, uint32_t base) {
    uint32_t edge = before_origin(mesh, base);
    while (right_of(mesh, to(mesh, edge), base) &&
           in_circle(mesh, to(mesh, base), from(mesh, base), to(mesh, edge),
                     to(mesh, before_origin(mesh, edge)))) {
        uint32_t after = before_origin(mesh, edge);
        remove_edge(mesh, edge);
        edge = after;
    }
    return edge;
}

/* Goes up between two parts, edge by edge, until nothing is above. */
static void zip(edge_mesh *mesh, uint32_t base) {
    for (;;) {
        uint32_t left = left_candidate(mesh, base);
        uint32_t right = right_candidate(mesh, base);
        bool left_above = right_of(mesh, to(mesh, left), base);
        bool right_above = right_of(mesh, to(mesh, right), base);
        if (!left_above && !right_above) {
            return;
        }
        bool take_right =
            !left_above || (right_above && in_circle(mesh, to(mesh, left), from(mesh, left),
                                                     from(mesh, right), to(mesh, right)));
        base = take_right ? connect(mesh, right, reverse(base))
                          : connect(mesh, reverse(base), reverse(left));
    }
}

/* Sites from `first` up to `end`; at least two. As deep as the count has bits. */
static hull triangulate_part(edge_mesh *mesh, uint32_t first, uint32_t end) {
    if (end - first == 2) {
        return join_two(mesh, first);
    }
    if (end - first == 3) {
        return join_three(mesh, first);
    }
    uint32_t middle = first + (end - first) / 2;
    hull left = triangulate_part(mesh, first, middle);
    hull right = triangulate_part(mesh, middle, end);
    uint32_t inner_left = left.right, inner_right = right.left;
    uint32_t base = find_base(mesh, &inner_left, &inner_right);
    hull both = {left.left, right.right};
    if (from(mesh, inner_left) == from(mesh, both.left)) {
        both.left = reverse(base);
    }
    if (from(mesh, inner_right) == from(mesh, both.right)) {
        both.right = base;
    }
    zip(mesh, base);
    return both;
}

static void list_add(link_list *list, uint32_t a, uint32_t b, int64_t length2, uint64_t place) {
    list->links[list->count++] =
        (point_link){.a = a < b ? a : b, .b = a < b ? b : a, .length2 = length2, .place = place};
}

static void list_mesh(const edge_mesh *mesh, link_list *list) {
    for (uint32_t quad = 0; quad < mesh->used; quad++) {
        uint32_t a = mesh->origin[QUAD * quad], b = mesh->origin[QUAD * quad + 2];
        if (a == NONE) {
            continue;
        }
        uint32_t low = a < b ? a : b, high = a < b ? b : a;
        const site *p = &mesh->sites[low], *q = &mesh->sites[high];
        int64_t dx = q->x - p->x, dy = q->y - p->y;
        list_add(list, p->index, q->index, dx * dx + dy * dy, (uint64_t)low << 32 | high);
    }
}

/* The set of places in order; points that are not the first of theirs go to the list at once. */
static loam_status sort_sites(const loam_spot *points, uint32_t count, loam_arena *arena,
                              site *sites, uint32_t *site_count, link_list *list,
                              loam_error *error) {
    size_t mark = loam_arena_mark(arena);
    keyed_index *items = loam_arena_take(arena, count, sizeof *items);
    keyed_index *spare = loam_arena_take(arena, count, sizeof *spare);
    LOAM_TRY_MEMORY(items, error);
    LOAM_TRY_MEMORY(spare, error);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t x = (uint64_t)((int64_t)points[i].x - INT32_MIN);
        items[i] = (keyed_index){x << 32 | (uint32_t)((int64_t)points[i].y - INT32_MIN), i};
    }
    key_sort(items, spare, count);
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        loam_spot at = points[items[i].index];
        const site *last = used > 0 ? &sites[used - 1] : NULL;
        if (last != NULL && last->x == at.x && last->y == at.y) {
            list_add(list, last->index, items[i].index, 0, (uint64_t)(used - 1) << 32 | (used - 1));
        } else {
            sites[used++] = (site){at.x, at.y, items[i].index};
        }
    }
    *site_count = used;
    loam_arena_reset(arena, mark);
    return LOAM_OK;
}

static loam_status mesh_sites(const site *sites, uint32_t count, loam_arena *arena, link_list *list,
                              loam_error *error) {
    edge_mesh mesh = {.sites = sites, .freed = NONE};
    mesh.next = loam_arena_take(arena, (size_t)count * EDGES_PER_SITE, QUAD * sizeof *mesh.next);
    mesh.origin = loam_arena_take(arena, (size_t)count * EDGES_PER_SITE, QUAD * sizeof *mesh.next);
    LOAM_TRY_MEMORY(mesh.next, error);
    LOAM_TRY_MEMORY(mesh.origin, error);
    if (count >= 2) {
        triangulate_part(&mesh, 0, count);
        LOAM_ASSERT(mesh.used <= count * EDGES_PER_SITE);
        list_mesh(&mesh, list);
    }
    return LOAM_OK;
}

static loam_status check_span(const loam_spot *points, uint32_t count, loam_error *error) {
    if (count > LINKS_POINTS_MAX) {
        return loam_fail(error, LOAM_TOO_MANY, NULL, "at most %u points are triangulated",
                         LINKS_POINTS_MAX);
    }
    loam_spot least = {INT32_MAX, INT32_MAX}, most = {INT32_MIN, INT32_MIN};
    for (uint32_t i = 0; i < count; i++) {
        least.x = points[i].x < least.x ? points[i].x : least.x;
        least.y = points[i].y < least.y ? points[i].y : least.y;
        most.x = points[i].x > most.x ? points[i].x : most.x;
        most.y = points[i].y > most.y ? points[i].y : most.y;
    }
    bool wide = count > 0 && ((int64_t)most.x - least.x > LINKS_SPAN_MAX ||
                              (int64_t)most.y - least.y > LINKS_SPAN_MAX);
    return wide ? loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "points are at most %d apart",
                            LINKS_SPAN_MAX)
                : LOAM_OK;
}

loam_status links_triangulate(const loam_spot *points, uint32_t count, loam_arena *arena,
                              link_list *list, loam_error *error) {
    LOAM_TRY(check_span(points, count, error));
    list->count = 0;
    list->links = loam_arena_take(arena, (size_t)count * EDGES_PER_SITE, sizeof *list->links);
    LOAM_TRY_MEMORY(list->links, error);
    size_t mark = loam_arena_mark(arena);
    site *sites = loam_arena_take(arena, count, sizeof *sites);
    LOAM_TRY_MEMORY(sites, error);
    uint32_t site_count = 0;
    LOAM_TRY(sort_sites(points, count, arena, sites, &site_count, list, error));
    LOAM_TRY(mesh_sites(sites, site_count, arena, list, error));
    loam_arena_reset(arena, mark);
    return links_sort(list, arena, error);
}
