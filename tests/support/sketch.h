/* SPDX-License-Identifier: MIT
 *
 * sketch.h: a whole graph in a few lines of text, the assets that a test binds to its slots, and
 * the promise that every operation keeps: cells of any size give the same points.
 *
 *   "$name kind"                             a slot
 *   "=name source"                           an output
 *   "name operation key=value port<source"   a node; values as in value_text.h
 */
#ifndef LOAM_TESTS_SUPPORT_SKETCH_H
#define LOAM_TESTS_SUPPORT_SKETCH_H

#include "tests/support/union.h"

enum { SKETCH_SLOTS = 8, SKETCH_NODES = 64 };

typedef struct sketch {
    loam_graph graph;
    loam_arena arena;
    loam_asset slots[SKETCH_SLOTS]; /* in the order of the lines */
    const loam_plan *plan;
    const loam_stages *stages; /* given to builds; NULL: none are kept */
    loam_trace *trace;         /* the same */
} sketch;

/* Reads the lines (ended by NULL), in mapped memory that is never freed. The first fault ends it
 * and is its status. */
LOAM_MUST_USE loam_status sketch_read(const char *const *lines, sketch **made, loam_error *error);
/* The same, with a plan; aborts the program when there is a fault. */
sketch *sketch_of(const char *const *lines, uint64_t seed);

/* Output 0 over a rectangle; memory is mapped and never freed. */
LOAM_MUST_USE loam_status sketch_build(const sketch *from, loam_rect rect, loam_points *points,
                                       loam_error *error);
/* A hash of the rectangle's key bytes. */
uint64_t sketch_key(const sketch *from, loam_rect rect);

/* Builds a square as one piece and, with one place for the stages of all, by cells of 64, 100, 256
 * and 333 m: the points are added to `whole`, sorted. NULL when all are equal, else what differs;
 * static. */
const char *sketch_partition(const sketch *from, int64_t x_m, int64_t z_m, int64_t side_m,
                             point_union *whole);

#endif
