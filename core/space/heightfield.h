/* SPDX-License-Identifier: MIT
 *
 * heightfield.h: height and slope of a heightfield at positions in units. Inside a quad found by
 * floor (the last edge belongs to the last quad) the height is the exact bilinear value in
 * integers, floored to 1/65,536 m; y is that rounded to units; the slope is the gradient of the
 * same patch in 1/4,096, to nearest. There are three paths with equal results: in 32-bit integers
 * for a spacing that is a power of two and low relief, in exact doubles for whole-unit spacing and
 * sane relief, and a scalar path for everything.
 */
#ifndef LOAM_SPACE_HEIGHTFIELD_H
#define LOAM_SPACE_HEIGHTFIELD_H

#include "core/base/bytes.h"
#include "core/base/simd.h"
#include "core/loam.h"

/* Gradients are clamped to 256: 89.8 degrees. */
#define GRADIENT_MAX (1 << 20)
/* 1.0 of a gradient. */
#define GRADIENT_ONE 4096

/* Offset of vertex `index` from the origin, in units. */
int64_t heightfield_vertex(const loam_heightfield *field, int64_t index);
/* The vertex at or below an offset from the origin, by floor; may lie outside the field. */
int64_t heightfield_index(const loam_heightfield *field, int64_t offset_units);

/* Where the results go; `live` is ANDed with "inside the field". */
typedef struct surface_columns {
    int32_t *y;
    int32_t *gradient_x;
    int32_t *gradient_z;
    uint32_t *live;
} surface_columns;

/* Height and gradient at world position base + (x[i], z[i]), x and z not negative. Returns the path
 * taken. */
const char *heightfield_sample(const loam_heightfield *field, loam_simd level, bool general_path,
                               int64_t base_x, int64_t base_z, const int32_t *x, const int32_t *z,
                               uint32_t count, surface_columns columns);

/* The exact bilinear value at one place, floored to 1/65,536; false outside. */
bool heightfield_value(const loam_heightfield *field, int64_t x, int64_t z, int64_t *value);

/* Key bytes of what a rectangle can see: every block of samples that a point in it can read. */
void heightfield_see(const loam_heightfield *field, loam_rect rect, byte_writer *writer);

/* A field seen from one window: what the vector path needs, all in its exact range. */
typedef struct surface_window {
    const int32_t *samples;
    int32_t width, height;      /* vertices */
    int32_t spacing;            /* units */
    uint32_t reciprocal;        /* floor(2^32 / spacing) */
    int32_t shift;              /* log2 of the spacing, where the 32-bit path can take it; else 0 */
    int32_t quad_x, quad_z;     /* quad that holds the window's origin */
    int32_t inside_x, inside_z; /* offset of the window's origin in it */
} surface_window;

typedef struct surface_kernels {
    void (*sample)(const surface_window *window, const int32_t *restrict x,
                   const int32_t *restrict z, uint32_t count, int32_t *restrict y,
                   int32_t *restrict gradient_x, int32_t *restrict gradient_z,
                   uint32_t *restrict live);
    /* The same in 32 bits, for a spacing of 2^shift units and low relief. */
    void (*sample_shifted)(const surface_window *window, const int32_t *restrict x,
                           const int32_t *restrict z, uint32_t count, int32_t *restrict y,
                           int32_t *restrict gradient_x, int32_t *restrict gradient_z,
                           uint32_t *restrict live);
} surface_kernels;

SIMD_DECLARE(surface_kernels, surface_kernels);

/* The recipe that loam_heightmap_fbm follows. */
extern const loam_recipe heightmap_recipe;

#endif
