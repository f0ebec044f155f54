/* SPDX-License-Identifier: MIT
 *
 * graph_world.h: a whole graph as text, made ready to be asked: for tests of operations. Lines are
 * those of the golden catalogue: "$slot kind", "node operation key=value port<source ...",
 * "=output source".
 */
#ifndef LOAM_TESTS_SUPPORT_GRAPH_WORLD_H
#define LOAM_TESTS_SUPPORT_GRAPH_WORLD_H

#include "core/loam.h"
#include "tests/support/union.h"

enum { WORLD_SLOTS_MAX = 8 };

typedef struct graph_world {
    loam_graph graph;
    loam_asset slots[WORLD_SLOTS_MAX]; /* to be filled in before cells are built */
    const loam_plan *plan;
    loam_arena arena;
} graph_world;

/* Lives as long as the program; aborts it when the text is no graph or has faults. */
graph_world *world_of(const char *const *lines, uint64_t seed);
/* The same with every sampler `times` as wide apart, for large squares. */
graph_world *world_sparse(const char *const *lines, uint64_t seed, int64_t times);
/* NULL where there is a fault; else to be given back. */
graph_world *world_try(const char *const *lines, uint64_t seed, loam_error *error);
void world_free(graph_world *world);
/* The first thing wrong with a graph: by a line of it, or with the whole. */
loam_error world_fault(const char *const *lines);
void world_bind(graph_world *world, const char *slot, loam_asset asset);

/* The points of an output; they live as long as the program. */
loam_points world_points(graph_world *world, const char *output, loam_rect rect);
/* What fails there; status LOAM_OK when nothing does. */
loam_error world_failure(graph_world *world, const char *output, loam_rect rect);
/* The fates of the candidates around a place; `count` is how many, at most `capacity`. */
uint32_t world_explain(graph_world *world, const char *output, loam_place place, loam_fate *fates,
                       uint32_t capacity);
/* Digest of the key bytes, and of the canonical bytes of a cell. */
uint64_t world_key(graph_world *world, const char *output, loam_rect rect);
uint64_t world_bytes(graph_world *world, const char *output, loam_rect rect);

loam_rect rect_of_metres(int64_t x, int64_t z, int64_t side);

/* How many points a square has, or -1 where its cells give another union than the whole does. */
int64_t world_partition(graph_world *world, const char *output, int64_t x_m, int64_t z_m,
                        int64_t cell_m, int64_t per_side);

/* The number of an attribute of a point; INT32_MIN when it has none. */
int32_t point_number(const loam_points *points, uint32_t i, const char *name);
/* The text of an attribute of a point; empty when it has none. */
loam_text point_text(const loam_points *points, uint32_t i, const char *name);
/* The row with an id, or -1. */
int64_t point_row(const loam_points *points, uint64_t id);

/* Areas of one feature each, boxes x0 z0 x1 z1 in metres. */
typedef struct box_metres {
    int64_t x0, z0, x1, z1;
    int64_t margin, buffer; /* units, or LOAM_UNSET */
} box_metres;
loam_asset areas_of_boxes(const box_metres *boxes, uint32_t count);
/* A plane: height rise_x * x + rise_z * z + base in 1/65,536 m per metre, a sample each metre. */
loam_asset plane_of(uint32_t samples, int64_t x_m, int64_t z_m, int32_t rise_x, int32_t rise_z,
                    int32_t base);

#endif
