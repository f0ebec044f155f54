/* SPDX-License-Identifier: MIT
 *
 * areas_naive.h: what tests of areas compare with: the plainest answers, edge by edge and pair by
 * pair, written without a look at the sources; and random polygons on small lattices, where points
 * on borders, touching corners and common lines are frequent.
 */
#ifndef LOAM_TESTS_AREAS_NAIVE_H
#define LOAM_TESTS_AREAS_NAIVE_H

#include "core/space/areas.h"

/* The same random numbers in every run. */
typedef struct naive_random {
    uint64_t state;
} naive_random;

uint32_t naive_draw(naive_random *random, uint32_t below);

/* A set of polygons that owns its memory: rings are closed. */
enum { NAIVE_VERTICES = 4096, NAIVE_RINGS = 512, NAIVE_POLYGONS = 256, NAIVE_FEATURES = 256 };

typedef struct naive_areas {
    int64_t xz[2 * NAIVE_VERTICES];
    loam_ring rings[NAIVE_RINGS];
    loam_polygon polygons[NAIVE_POLYGONS];
    loam_area_feature features[NAIVE_FEATURES];
    uint32_t vertex_count, ring_count, polygon_count, feature_count;
} naive_areas;

/* Begins a feature, a polygon of the last feature, a ring of the last polygon. */
void naive_add_feature(naive_areas *areas, uint64_t key, int64_t margin, int64_t buffer);
void naive_add_polygon(naive_areas *areas);
/* `count` vertices, closed by the call. */
void naive_add_ring(naive_areas *areas, const int64_t *xz, uint32_t count);
void naive_add_box(naive_areas *areas, int64_t x0, int64_t z0, int64_t x1, int64_t z1);
loam_areas_source naive_source(const naive_areas *areas);

/* Random polygons with holes that pass naive_polygon_crosses, coordinates in [0, side] + (x, z);
 * margins and buffers up to `length`, some unset. */
void naive_random_areas(naive_areas *areas, naive_random *random, uint32_t polygon_count,
                        int64_t side, int64_t x, int64_t z, int64_t length);
/* The same polygons, wound, started and ordered otherwise. */
void naive_shuffle(const naive_areas *from, naive_areas *to, naive_random *random);

bool naive_polygon_crosses(const loam_polygon *polygon);
/* Even-odd, borders included. */
bool naive_inside(const loam_polygon *polygon, int64_t x, int64_t z);
/* Whether the border is nearer than `distance` (on it: always). */
bool naive_near(const loam_polygon *polygon, int64_t x, int64_t z, int64_t distance);
/* floor(65,536 d^2) to the border. */
uint64_t naive_distance2(const loam_polygon *polygon, int64_t x, int64_t z);

#endif
