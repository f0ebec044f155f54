/* SPDX-License-Identifier: MIT
 *
 * heights_file.c: see heights_file.h.
 */
#include "api/cli/heights_file.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>

#include "core/base/bytes.h"

/* Sides of a picture are 31-bit numbers, and a heightfield's are far smaller. */
#define SAMPLE_MAX 65535

static void range_of(const loam_heightfield *field, int64_t *low, int64_t *high) {
    size_t count = (size_t)field->width * field->height;
    *low = field->samples[0];
    *high = field->samples[0];
    for (size_t i = 1; i < count; i++) {
        int64_t sample = field->samples[i];
        *low = sample < *low ? sample : *low;
        *high = sample > *high ? sample : *high;
    }
}

/* Down to a multiple of 2^bits, below zero as well. */
static int64_t floor_to(int64_t value, uint32_t bits) {
    int64_t step = (int64_t)1 << bits;
    int64_t rest = value % step;
    return value - (rest < 0 ? rest + step : rest);
}

heights_scale heights_scale_of(const loam_heightfield *field) {
    int64_t low;
    int64_t high;
    heights_scale scale = {0};
    range_of(field, &low, &high);
    for (;; scale.scale_bits++) {
        scale.offset = floor_to(low, scale.scale_bits);
        if ((high - scale.offset) >> scale.scale_bits < SAMPLE_MAX) {
            return scale;
        }
    }
}

uint16_t heights_sample(heights_scale scale, int32_t height) {
    int64_t half = scale.scale_bits > 0 ? (int64_t)1 << (scale.scale_bits - 1) : 0;
    return (uint16_t)((height - scale.offset + half) >> scale.scale_bits);
}

loam_status heights_write_raw(const loam_heightfield *field, heights_scale scale, text_buffer *file,
                              loam_error *error) {
    for (uint32_t row = field->height; row > 0; row--) {
        const int32_t *samples = field->samples + (size_t)(row - 1) * field->width;
        for (uint32_t column = 0; column < field->width; column++) {
            unsigned char bytes[2];
            put_u16(bytes, heights_sample(scale, samples[column]));
            buffer_add(file, bytes, sizeof bytes);
        }
    }
    return file->failed ? loam_fail(error, LOAM_TOO_LARGE, NULL, "the heights are too many")
                        : LOAM_OK;
}

static void png_add(png_structp png, png_bytep bytes, size_t size) {
    buffer_add(png_get_io_ptr(png), bytes, size);
}

static void png_flush_nothing(png_structp png) {
    (void)png;
}

/* PNG is big endian. */
static void row_fill(const int32_t *samples, uint32_t width, heights_scale scale, png_bytep row) {
    for (uint32_t column = 0; column < width; column++) {
        uint16_t sample = heights_sample(scale, samples[column]);
        row[2 * column] = (png_byte)(sample >> 8);
        row[2 * column + 1] = (png_byte)sample;
    }
}

/* libpng leaves by longjmp when memory is short: no local changes after setjmp. */
static bool png_fill(png_structp png, png_infop info, const loam_heightfield *field,
                     heights_scale scale, png_bytep row) {
    if (setjmp(png_jmpbuf(png)) != 0) {
        return false;
    }
    png_set_IHDR(png, info, field->width, field->height, 16, PNG_COLOR_TYPE_GRAY,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (uint32_t at = field->height; at > 0; at--) {
        row_fill(field->samples + (size_t)(at - 1) * field->width, field->width, scale, row);
        png_write_row(png, row);
    }
    png_write_end(png, info);
    return true;
}

loam_status heights_write_png(const loam_heightfield *field, heights_scale scale, text_buffer *file,
                              loam_error *error) {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    png_bytep row = malloc((size_t)field->width * 2);
    bool written = false;
    if (info != NULL && row != NULL) {
        png_set_write_fn(png, file, png_add, png_flush_nothing);
        written = png_fill(png, info, field, scale, row) && !file->failed;
    }
    png_destroy_write_struct(&png, &info);
    free(row);
    return written ? LOAM_OK : loam_fail(error, LOAM_INTERNAL, NULL, "the picture does not fit");
}
