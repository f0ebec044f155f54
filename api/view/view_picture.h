/* SPDX-License-Identifier: MIT
 *
 * view_picture.h: a picture of a region, north up: shaded relief tinted by height with the sea
 * below it, zones as a veil, lines as strokes, points as small crowns in the colour of their asset.
 * As a PNG whose bytes depend on nothing but what is shown: integers only, fixed compression, no
 * time in it.
 *
 * Create, add the points cell by cell (in a fixed order: later ones lie on top), write, destroy.
 */
#ifndef LOAM_VIEW_PICTURE_H
#define LOAM_VIEW_PICTURE_H

#include "api/wire/text_buffer.h"
#include "core/loam.h"

/* What lies on the ground beside the points: areas or lines. A word in the name chooses the colour:
 * a wood is green, a river blue, a road pale. */
typedef struct picture_layer {
    loam_text name;
    const loam_areas *areas; /* one of the two */
    const loam_lines *lines;
} picture_layer;

/* 16 M pixels at some 20 bytes each while it is drawn. */
#define PICTURE_SIDE_MAX 4096u

typedef struct picture_options {
    loam_rect region; /* units; what is shown, not empty */
    uint32_t width;   /* pixels */
    uint32_t height;
    const loam_heightfield *heightfield; /* NULL: flat ground */
    const picture_layer *layers;         /* layer_count of them; lines lie over areas */
    uint32_t layer_count;
    uint32_t exaggeration; /* of slopes, in 1/16; 0: chosen by the relief that is shown */
    uint32_t crown_units;  /* radius of a point of scale 1; 0: 1.5 m */
} picture_options;

typedef struct picture picture;

/* Owned. Borrows what the options point at for the call only. */
LOAM_MUST_USE loam_status picture_create(const picture_options *options, picture **made,
                                         loam_error *error);
/* Draws those that touch the region. */
void picture_add_points(picture *raster, const loam_points *points);
/* Adds the PNG to the buffer. */
LOAM_MUST_USE loam_status picture_write(const picture *raster, text_buffer *png, loam_error *error);
void picture_destroy(picture *raster);

/* A cell alone: its rectangle with its points, `side` pixels each way. */
LOAM_MUST_USE loam_status view_cell_picture(const loam_points *points,
                                            const loam_heightfield *heightfield, uint32_t side,
                                            text_buffer *png, loam_error *error);

#endif
