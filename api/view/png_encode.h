/* SPDX-License-Identifier: MIT
 *
 * png_encode.h: rows of red, green and blue as a PNG, whose bytes depend on nothing else: fixed
 * compression, no time in it.
 */
#ifndef LOAM_VIEW_PNG_ENCODE_H
#define LOAM_VIEW_PNG_ENCODE_H

#include "api/wire/text_buffer.h"
#include "core/loam.h"

typedef struct png_source {
    uint32_t width, height; /* pixels */
    void (*row)(const void *context, uint32_t row, unsigned char *rgb);
    const void *context;
} png_source;

/* Adds the PNG to the buffer; rows are asked for from the top, each once. */
LOAM_MUST_USE loam_status png_write_rgb(const png_source *source, text_buffer *png,
                                        loam_error *error);

#endif
