/* SPDX-License-Identifier: MIT
 *
 * picture_spline.h: heights between the samples of a heightfield as a picture wants them: a uniform
 * cubic B-spline, so that slopes change smoothly and no quad shows. It passes near the samples, not
 * through them: good for shading, wrong for anything else.
 *
 * Where a pixel spans several samples they are averaged first. Source: Unser, "Splines: a perfect
 * fit for signal and image processing", 1999.
 */
#ifndef LOAM_VIEW_PICTURE_SPLINE_H
#define LOAM_VIEW_PICTURE_SPLINE_H

#include "core/loam.h"

/* Weights are in 1/16,384; of the four samples from `first` on. */
typedef struct spline_tap {
    uint32_t first;
    int32_t value[4];
    int32_t slope[4];
    bool inside; /* the field reaches here */
} spline_tap;

typedef struct spline_grid {
    int32_t *heights; /* 1/65,536 m */
    int32_t *shores;  /* the same near the shore, 0 is the water's edge */
    uint32_t width;
    uint32_t height;
    uint32_t factor;     /* samples of the field averaged each way */
    spline_tap *columns; /* one a pixel */
    spline_tap *rows;    /* from north to south */
} spline_grid;

/* What one pixel sees; slopes in 1/4,096. */
typedef struct spline_sample {
    int32_t height;
    int32_t slope_x;
    int32_t slope_z;
    int32_t shore;
    int32_t shore_x; /* its change over one grid step */
    int32_t shore_z;
} spline_sample;

/* Owned by the caller, who ends it with spline_fini also when it failed. */
LOAM_MUST_USE loam_status spline_init(spline_grid *grid, const loam_heightfield *field,
                                      loam_rect region, uint32_t width, uint32_t height,
                                      loam_error *error);
void spline_fini(spline_grid *grid);
/* Room of spline_row: int64 numbers. */
size_t spline_row_bound(const spline_grid *grid);
/* The samples of one row of `width` pixels. */
void spline_row(const spline_grid *grid, const loam_heightfield *field, uint32_t row,
                uint32_t width, int64_t *room, spline_sample *samples);

#endif
