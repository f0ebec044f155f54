/* SPDX-License-Identifier: MIT
 *
 * heights_file.h: a heightfield as a file for other programs: 16-bit samples, raw or as a picture,
 * the north row first. The step is the smallest power of two of 1/65,536 m in which the range fits,
 * so offset and scale are exact numbers.
 */
#ifndef API_CLI_HEIGHTS_FILE_H
#define API_CLI_HEIGHTS_FILE_H

#include "api/wire/text_buffer.h"
#include "core/loam.h"

/* height = (offset + sample << scale_bits) / 65,536 m. */
typedef struct heights_scale {
    int64_t offset;
    uint32_t scale_bits;
} heights_scale;

heights_scale heights_scale_of(const loam_heightfield *field);
/* The nearest sample. */
uint16_t heights_sample(heights_scale scale, int32_t height);
/* u16le, row by row. */
LOAM_MUST_USE loam_status heights_write_raw(const loam_heightfield *field, heights_scale scale,
                                            text_buffer *file, loam_error *error);
/* 16-bit gray. */
LOAM_MUST_USE loam_status heights_write_png(const loam_heightfield *field, heights_scale scale,
                                            text_buffer *file, loam_error *error);

#endif
