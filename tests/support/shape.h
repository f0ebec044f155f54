/* SPDX-License-Identifier: MIT
 *
 * shape.h: lines or areas of a GeoJSON file as a test sees them, with arithmetic of its own: what
 * is inside and how far the nearest edge is. Shares nothing with core/space and api/wire.
 */
#ifndef LOAM_TESTS_SUPPORT_SHAPE_H
#define LOAM_TESTS_SUPPORT_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

/* A point nearer to an edge than this lies on it, which counts as inside, metres. */
#define SHAPE_BORDER 1e-6
/* Distances beyond this are not looked for, metres. */
#define SHAPE_DISTANCE_MAX 32.0

typedef struct shape_edge {
    double x0, z0, x1, z1; /* metres */
    uint32_t part;         /* line or polygon */
} shape_edge;

typedef struct shape shape;

/* Owned; fails the test when the file is not there or not GeoJSON. */
shape *shape_read(const char *path);
void shape_free(shape *of);
/* In any polygon, by the even-odd rule over all its rings. */
bool shape_holds(const shape *of, double x_m, double z_m);
/* To the nearest edge, metres; SHAPE_DISTANCE_MAX when there is none so near. */
double shape_distance(const shape *of, double x_m, double z_m);

#endif
