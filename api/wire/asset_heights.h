/* SPDX-License-Identifier: MIT
 *
 * asset_heights.h: what a heightfield's query says, and the rounding of one height: the common part
 * of raw samples (asset_raw.c) and pictures (asset_png.c). Heights become integers here, once.
 *
 * Invariant: sizes are checked against the limits before anything is allocated by them.
 */
#ifndef LOAM_WIRE_ASSET_HEIGHTS_H
#define LOAM_WIRE_ASSET_HEIGHTS_H

#include "api/wire/asset_query.h"

typedef enum heights_encoding {
    HEIGHTS_U16LE,
    HEIGHTS_U16BE,
    HEIGHTS_F32LE,
    HEIGHTS_ENCODING_COUNT,
} heights_encoding;

typedef struct heights_form {
    uint32_t width; /* 0 when not given */
    uint32_t height;
    int64_t spacing_fine;
    int64_t origin_x;
    int64_t origin_z;
    double offset_m;
    double scale_m;
    heights_encoding encoding;
    bool north_first; /* the first row of the body is the northernmost */
} heights_form;

/* Reads and checks the query. A picture brings its own encoding, and may bring its own size. */
LOAM_MUST_USE loam_status heights_read_form(const asset_query *query, bool picture,
                                            heights_form *form, loam_error *error);
/* Whether a field may have these sides. */
LOAM_MUST_USE loam_status heights_check_size(uint64_t width, uint64_t height, loam_error *error);
/* The height of a sample in 1/65,536 m; false when it is too high or too low for a heightfield. */
bool heights_round(const heights_form *form, double sample, int32_t *height);
/* The row of the field (0 is south) that the body's row is. */
uint32_t heights_row(const heights_form *form, uint32_t body_row);
/* The error for a sample, counted in the body's order, that heights_round refused. */
loam_status heights_fail_range(const heights_form *form, uint64_t index, double sample,
                               loam_error *error);

/* Raw samples as `form` says. `samples` becomes the owned (free) field of width * height. */
LOAM_MUST_USE loam_status heights_read_raw(const heights_form *form, loam_text body,
                                           int32_t **samples, loam_error *error);
/* A 16-bit gray PNG; fills in the form's size. `samples` as above. */
LOAM_MUST_USE loam_status heights_read_png(heights_form *form, loam_text body, int32_t **samples,
                                           loam_error *error);

#endif
