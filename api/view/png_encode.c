/* SPDX-License-Identifier: MIT
 *
 * png_encode.c: see png_encode.h.
 */
#include "api/view/png_encode.h"

#include <png.h>
#include <stdlib.h>

enum { COMPRESSION_LEVEL = 6 };

static void write_bytes_png(png_structp png, png_bytep bytes, size_t size) {
    text_buffer *buffer = png_get_io_ptr(png);
    buffer_add(buffer, bytes, size);
    if (buffer->failed) {
        png_error(png, "too large");
    }
}

static void flush_nothing(png_structp png) {
    (void)png;
}

static void fail_png(png_structp png, png_const_charp text) {
    (void)text;
    png_longjmp(png, 1);
}

static void drop_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

/* Everything that may jump out of libpng; false when it did. */
static bool encode(png_structp png, png_infop info, const png_source *source, unsigned char *row) {
    if (setjmp(png_jmpbuf(png)) != 0) {
        return false;
    }
    png_set_IHDR(png, info, source->width, source->height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, COMPRESSION_LEVEL);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_PAETH);
    png_write_info(png, info);
    for (uint32_t i = 0; i < source->height; i++) {
        source->row(source->context, i, row);
        png_write_row(png, row);
    }
    png_write_end(png, NULL);
    return true;
}

loam_status png_write_rgb(const png_source *source, text_buffer *png, loam_error *error) {
    unsigned char *row = malloc((size_t)source->width * 3);
    png_structp writer =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, fail_png, drop_warning);
    png_infop info = writer == NULL ? NULL : png_create_info_struct(writer);
    loam_status status = LOAM_OK;
    if (row == NULL || info == NULL) {
        status = loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for the PNG");
    } else {
        png_set_write_fn(writer, png, write_bytes_png, flush_nothing);
        if (!encode(writer, info, source, row)) {
            bool large = buffer_status(png) == LOAM_TOO_LARGE;
            status = loam_fail(error, large ? LOAM_TOO_LARGE : LOAM_OVERLOADED, NULL, "%s",
                               large ? "the PNG is too large" : "no memory for the PNG");
        }
    }
    png_destroy_write_struct(&writer, &info);
    free(row);
    return status;
}
