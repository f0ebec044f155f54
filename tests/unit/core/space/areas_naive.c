/* SPDX-License-Identifier: MIT
 *
 * areas_naive.c: see areas_naive.h. Inside is decided by a ray upwards, where the sources look
 * left.
 */
#include "tests/unit/core/space/areas_naive.h"

#include <string.h>

__extension__ typedef __int128 wide;

uint32_t naive_draw(naive_random *random, uint32_t below) {
    random->state = random->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(((random->state >> 33) * below) >> 31);
}

void naive_add_feature(naive_areas *areas, uint64_t key, int64_t margin, int64_t buffer) {
    areas->features[areas->feature_count++] = (loam_area_feature){key, margin, buffer};
}

void naive_add_polygon(naive_areas *areas) {
    areas->polygons[areas->polygon_count++] =
        (loam_polygon){areas->rings + areas->ring_count, 0, areas->feature_count - 1};
}

void naive_add_ring(naive_areas *areas, const int64_t *xz, uint32_t count) {
    int64_t *to = areas->xz + 2 * (size_t)areas->vertex_count;
    memcpy(to, xz, 2 * sizeof *xz * (size_t)count);
    memcpy(to + 2 * (size_t)count, xz, 2 * sizeof *xz);
    areas->vertex_count += count + 1;
    areas->rings[areas->ring_count++] = (loam_ring){to, count + 1};
    areas->polygons[areas->polygon_count - 1].ring_count++;
}

void naive_add_box(naive_areas *areas, int64_t x0, int64_t z0, int64_t x1, int64_t z1) {
    naive_add_ring(areas, (int64_t[]){x0, z0, x1, z0, x1, z1, x0, z1}, 4);
}

loam_areas_source naive_source(const naive_areas *areas) {
    return (loam_areas_source){areas->polygons, areas->polygon_count, areas->features,
                               areas->feature_count};
}

typedef struct vector {
    int64_t x, z;
} vector;

static vector ring_at(const loam_ring *ring, uint32_t index) {
    return (vector){ring->xz[2 * (size_t)index], ring->xz[2 * (size_t)index + 1]};
}

static vector minus(vector a, vector b) {
    return (vector){a.x - b.x, a.z - b.z};
}

static int turn(vector a, vector b) {
    wide cross = (wide)a.x * b.z - (wide)a.z * b.x;
    return (cross > 0) - (cross < 0);
}

static bool is_same(vector a, vector b) {
    return a.x == b.x && a.z == b.z;
}

static bool is_between(int64_t a, int64_t value, int64_t b) {
    return (a <= value && value <= b) || (b <= value && value <= a);
}

static bool is_on(vector a, vector b, vector p) {
    return turn(minus(b, a), minus(p, a)) == 0 && is_between(a.x, p.x, b.x) &&
           is_between(a.z, p.z, b.z);
}

bool naive_inside(const loam_polygon *polygon, int64_t x, int64_t z) {
    vector p = {x, z};
    bool inside = false;
    for (uint32_t i = 0; i < polygon->ring_count; i++) {
        const loam_ring *ring = &polygon->rings[i];
        for (uint32_t j = 0; j + 1 < ring->count; j++) {
            vector a = ring_at(ring, j);
            vector b = ring_at(ring, j + 1);
            if (is_on(a, b, p)) {
                return true;
            }
            if ((a.x <= x) != (b.x <= x)) {
                int side = turn(minus(b, a), minus(p, a));
                inside ^= (b.x > a.x) ? side < 0 : side > 0;
            }
        }
    }
    return inside;
}

static bool edge_near(vector a, vector b, vector p, int64_t distance) {
    if (is_on(a, b, p)) {
        return true;
    }
    vector d = minus(b, a);
    wide length2 = (wide)d.x * d.x + (wide)d.z * d.z;
    wide along = (wide)d.x * (p.x - a.x) + (wide)d.z * (p.z - a.z);
    if (along > 0 && along < length2) {
        wide cross = (wide)d.x * (p.z - a.z) - (wide)d.z * (p.x - a.x);
        cross = cross < 0 ? -cross : cross;
        /* Where the square would not fit, the distance is beyond any that is asked about. */
        return cross < (wide)1 << 62 && cross * cross < (wide)distance * distance * length2;
    }
    vector e = minus(p, along <= 0 ? a : b);
    return (wide)e.x * e.x + (wide)e.z * e.z < (wide)distance * distance;
}

bool naive_near(const loam_polygon *polygon, int64_t x, int64_t z, int64_t distance) {
    for (uint32_t i = 0; i < polygon->ring_count; i++) {
        const loam_ring *ring = &polygon->rings[i];
        for (uint32_t j = 0; j + 1 < ring->count; j++) {
            if (edge_near(ring_at(ring, j), ring_at(ring, j + 1), (vector){x, z}, distance)) {
                return true;
            }
        }
    }
    return false;
}

uint64_t naive_distance2(const loam_polygon *polygon, int64_t x, int64_t z) {
    wide best = ((wide)1 << 100);
    for (uint32_t i = 0; i < polygon->ring_count; i++) {
        const loam_ring *ring = &polygon->rings[i];
        for (uint32_t j = 0; j + 1 < ring->count; j++) {
            vector a = ring_at(ring, j);
            vector d = minus(ring_at(ring, j + 1), a);
            vector e = {x - a.x, z - a.z};
            wide length2 = (wide)d.x * d.x + (wide)d.z * d.z;
            wide along = length2 == 0 ? 0 : (wide)d.x * e.x + (wide)d.z * e.z;
            wide cross = (wide)d.x * e.z - (wide)d.z * e.x;
            wide to_start = ((wide)e.x * e.x + (wide)e.z * e.z) * 65536;
            wide found = along > 0 && along < length2 ? cross * cross * 65536 / length2 : to_start;
            best = found < best ? found : best;
        }
    }
    return (uint64_t)best;
}

/* One way of a border through a point: the directions to both sides. */
typedef struct passage {
    vector at, back, on;
} passage;

/* Whether direction d lies strictly inside the turn from a to b, counterclockwise. */
static bool is_inside_turn(vector a, vector b, vector d) {
    int whole = turn(a, b);
    if (whole > 0) {
        return turn(a, d) > 0 && turn(d, b) > 0;
    }
    if (whole < 0) {
        return !(turn(b, d) >= 0 && turn(d, a) >= 0);
    }
    return turn(a, d) > 0;
}

static bool passages_cross(passage a, passage b) {
    return is_inside_turn(a.back, a.on, b.back) != is_inside_turn(a.back, a.on, b.on);
}

/* All edges of a polygon; `next` is the edge that follows on the ring. */
typedef struct edge_list {
    vector from[NAIVE_VERTICES];
    vector to[NAIVE_VERTICES];
    uint32_t next[NAIVE_VERTICES];
    uint32_t count;
} edge_list;

static void edges_list(const loam_polygon *polygon, edge_list *edges) {
    edges->count = 0;
    for (uint32_t i = 0; i < polygon->ring_count; i++) {
        const loam_ring *ring = &polygon->rings[i];
        uint32_t first = edges->count;
        for (uint32_t j = 0; j + 1 < ring->count; j++) {
            if (!is_same(ring_at(ring, j), ring_at(ring, j + 1))) {
                edges->from[edges->count] = ring_at(ring, j);
                edges->to[edges->count] = ring_at(ring, j + 1);
                edges->next[edges->count] = edges->count + 1;
                edges->count++;
            }
        }
        if (edges->count > first) {
            edges->next[edges->count - 1] = first;
        }
    }
}

/* Sharing more than a point, or crossing inside both. */
static bool edges_cross(vector a, vector b, vector c, vector d) {
    int c_side = turn(minus(b, a), minus(c, a));
    int d_side = turn(minus(b, a), minus(d, a));
    if (c_side == 0 && d_side == 0) {
        int shared = is_on(a, b, c) + is_on(a, b, d) + is_on(c, d, a) + is_on(c, d, b);
        bool only_an_end = is_same(a, c) + is_same(a, d) + is_same(b, c) + is_same(b, d) == 1;
        return shared > 2 || (shared == 2 && !only_an_end);
    }
    int a_side = turn(minus(d, c), minus(a, c));
    int b_side = turn(minus(d, c), minus(b, c));
    return c_side * d_side < 0 && a_side * b_side < 0;
}

/* How edge i goes through p: as the end of a pass over a vertex, or in its middle. */
static bool passage_of(const edge_list *edges, uint32_t i, vector p, passage *found) {
    if (is_same(edges->to[i], p)) {
        *found = (passage){p, minus(edges->from[i], p), minus(edges->to[edges->next[i]], p)};
        return true;
    }
    if (!is_same(edges->from[i], p) && is_on(edges->from[i], edges->to[i], p)) {
        *found = (passage){p, minus(edges->from[i], p), minus(edges->to[i], p)};
        return true;
    }
    return false;
}

bool naive_polygon_crosses(const loam_polygon *polygon) {
    static edge_list edges;
    edges_list(polygon, &edges);
    for (uint32_t i = 0; i < edges.count; i++) {
        for (uint32_t j = i + 1; j < edges.count; j++) {
            if (edges_cross(edges.from[i], edges.to[i], edges.from[j], edges.to[j])) {
                return true;
            }
        }
    }
    for (uint32_t i = 0; i < edges.count; i++) {
        passage own;
        passage_of(&edges, i, edges.to[i], &own);
        for (uint32_t j = 0; j < edges.count; j++) {
            passage other;
            if (j != i && passage_of(&edges, j, own.at, &other) && passages_cross(own, other)) {
                return true;
            }
        }
    }
    return false;
}

/* Untangles a ring: where two edges cross, the way between them is turned round. */
static bool ring_untangle(int64_t *xz, uint32_t count) {
    for (int tries = 0; tries < 400; tries++) {
        bool crossed = false;
        for (uint32_t i = 0; i < count && !crossed; i++) {
            for (uint32_t j = i + 1; j < count && !crossed; j++) {
                uint32_t j_next = (j + 1) % count;
                vector a = {xz[2 * i], xz[2 * i + 1]};
                vector b = {xz[2 * i + 2], xz[2 * i + 3]};
                vector c = {xz[2 * j], xz[2 * j + 1]};
                vector d = {xz[2 * j_next], xz[2 * j_next + 1]};
                crossed = edges_cross(a, b, c, d);
                for (uint32_t k = 0; crossed && i + 1 + k < j - k; k++) {
                    int64_t *p = xz + 2 * (size_t)(i + 1 + k);
                    int64_t *q = xz + 2 * (size_t)(j - k);
                    int64_t kept[2] = {p[0], p[1]};
                    memcpy(p, q, sizeof kept);
                    memcpy(q, kept, sizeof kept);
                }
            }
        }
        if (!crossed) {
            return true;
        }
    }
    return false;
}

static bool has_corner(const int64_t *xz, uint32_t count) {
    vector a = {xz[0], xz[1]};
    for (uint32_t i = 1; i + 1 < count; i++) {
        vector b = {xz[2 * i], xz[2 * i + 1]};
        vector c = {xz[2 * i + 2], xz[2 * i + 3]};
        if (turn(minus(b, a), minus(c, a)) != 0) {
            return true;
        }
    }
    return false;
}

/* A ring in [x, x + side] x [z, z + side] added to the last polygon, if it fits there. */
static void random_ring_try(naive_areas *areas, naive_random *random, int64_t x, int64_t z,
                            int64_t side) {
    int64_t xz[2 * 32];
    uint32_t count = 3 + naive_draw(random, 10);
    for (uint32_t i = 0; i < count; i++) {
        xz[2 * i] = x + naive_draw(random, (uint32_t)side + 1);
        xz[2 * i + 1] = z + naive_draw(random, (uint32_t)side + 1);
    }
    if (!has_corner(xz, count) || !ring_untangle(xz, count)) {
        return;
    }
    naive_areas before = {.vertex_count = areas->vertex_count, .ring_count = areas->ring_count};
    loam_polygon *polygon = &areas->polygons[areas->polygon_count - 1];
    naive_add_ring(areas, xz, count);
    if (naive_polygon_crosses(polygon)) {
        areas->vertex_count = before.vertex_count;
        areas->ring_count = before.ring_count;
        polygon->ring_count--;
    }
}

static int64_t random_length(naive_random *random, int64_t most) {
    return naive_draw(random, 3) == 0 ? LOAM_UNSET
                                      : (int64_t)naive_draw(random, (uint32_t)most + 1);
}

void naive_random_areas(naive_areas *areas, naive_random *random, uint32_t polygon_count,
                        int64_t side, int64_t x, int64_t z, int64_t length) {
    areas->vertex_count = areas->ring_count = areas->polygon_count = areas->feature_count = 0;
    while (areas->polygon_count < polygon_count) {
        if (areas->feature_count == 0 || naive_draw(random, 3) > 0) {
            naive_add_feature(areas, naive_draw(random, 1000), random_length(random, length),
                              random_length(random, length));
        }
        naive_add_polygon(areas);
        uint32_t rings = 1 + naive_draw(random, 3);
        for (uint32_t i = 0; i < rings; i++) {
            int64_t part = i == 0 ? side : 1 + side / 4;
            int64_t dx = i == 0 ? 0 : (int64_t)naive_draw(random, (uint32_t)(side - part) + 1);
            int64_t dz = i == 0 ? 0 : (int64_t)naive_draw(random, (uint32_t)(side - part) + 1);
            random_ring_try(areas, random, x + dx, z + dz, part);
        }
        if (areas->polygons[areas->polygon_count - 1].ring_count == 0) {
            areas->polygon_count--;
        }
    }
}

static void ring_shuffle(const loam_ring *ring, naive_areas *to, naive_random *random) {
    int64_t xz[2 * NAIVE_VERTICES / 16];
    uint32_t count = ring->count - 1;
    uint32_t start = naive_draw(random, count);
    bool back = naive_draw(random, 2) == 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = back ? (start + count - i) % count : (start + i) % count;
        memcpy(xz + 2 * (size_t)i, ring->xz + 2 * (size_t)at, 2 * sizeof *xz);
    }
    naive_add_ring(to, xz, count);
}

static void order_shuffle(uint32_t *order, uint32_t count, naive_random *random) {
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
    }
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = naive_draw(random, i);
        uint32_t kept = order[i - 1];
        order[i - 1] = order[j];
        order[j] = kept;
    }
}

void naive_shuffle(const naive_areas *from, naive_areas *to, naive_random *random) {
    to->vertex_count = to->ring_count = to->polygon_count = 0;
    to->feature_count = from->feature_count;
    uint32_t order[NAIVE_POLYGONS];
    uint32_t rings[NAIVE_RINGS];
    order_shuffle(order, from->feature_count, random);
    for (uint32_t i = 0; i < from->feature_count; i++) {
        to->features[order[i]] = from->features[i];
    }
    uint32_t place[NAIVE_POLYGONS];
    order_shuffle(place, from->polygon_count, random);
    for (uint32_t i = 0; i < from->polygon_count; i++) {
        const loam_polygon *polygon = &from->polygons[place[i]];
        naive_add_polygon(to);
        to->polygons[i].feature = order[polygon->feature];
        order_shuffle(rings, polygon->ring_count, random);
        for (uint32_t j = 0; j < polygon->ring_count; j++) {
            ring_shuffle(&polygon->rings[rings[j]], to, random);
        }
    }
}
