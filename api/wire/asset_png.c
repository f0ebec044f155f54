/* SPDX-License-Identifier: MIT
 *
 * asset_png.c: a heightfield from a 16-bit gray PNG. The header is read by hand before libpng sees
 * a byte, so that a small file that declares a huge picture is refused before anything is
 * allocated.
 *
 * libpng writes each row of 16-bit samples into the front half of the row's own int32 field row,
 * which is then widened in place from its end: no second picture is held, interlaced or not.
 */
#include "api/wire/asset_heights.h"

#include "core/base/try.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIGNATURE_BYTES = 8,
    HEADER_BYTES = 33, /* signature, length, "IHDR", 13 bytes, check sum */
};

typedef struct picture_source {
    const unsigned char *at;
    size_t left;
    char fault[80];
} picture_source;

static uint32_t read_big_endian(const unsigned char *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static loam_status check_sides(heights_form *form, uint32_t width, uint32_t height,
                               loam_error *error) {
    LOAM_TRY(heights_check_size(width, height, error));
    if ((form->width != 0 && form->width != width) ||
        (form->height != 0 && form->height != height)) {
        return loam_fail(error, LOAM_SIZE_MISMATCH, NULL,
                         "the query says %u x %u, the PNG %u x %u (0: not given)", form->width,
                         form->height, width, height);
    }
    form->width = width;
    form->height = height;
    return LOAM_OK;
}

static loam_status check_header(heights_form *form, loam_text body, loam_error *error) {
    const unsigned char *at = (const unsigned char *)body.bytes;
    if (body.size < HEADER_BYTES || png_sig_cmp(at, 0, SIGNATURE_BYTES) != 0 ||
        memcmp(at + 8, "\0\0\0\rIHDR", 8) != 0) {
        return loam_fail(error, LOAM_MALFORMED, NULL, "the body does not begin as a PNG does");
    }
    if (at[24] != 16 || at[25] != PNG_COLOR_TYPE_GRAY) {
        return loam_fail(error, LOAM_PNG_UNSUPPORTED, NULL,
                         "a heightfield is a 16-bit gray PNG, not %d-bit of colour type %d", at[24],
                         at[25]);
    }
    return check_sides(form, read_big_endian(at + 16), read_big_endian(at + 20), error);
}

static void feed(png_structp png, png_bytep to, size_t size) {
    picture_source *source = png_get_io_ptr(png);
    if (size > source->left) {
        png_error(png, "the file ends too early");
    }
    memcpy(to, source->at, size);
    source->at += size;
    source->left -= size;
}

static void note_fault(png_structp png, png_const_charp text) {
    picture_source *source = png_get_error_ptr(png);
    size_t size = strnlen(text, sizeof source->fault - 1);
    memcpy(source->fault, text, size);
    source->fault[size] = 0;
    png_longjmp(png, 1);
}

static void drop_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

/* A row of big-endian samples in the front of `row`, widened and rounded; the index in the body of
 * the first sample that is too high or too low, or -1. */
static int64_t widen_row(const heights_form *form, uint32_t body_row, int32_t *row) {
    const unsigned char *bytes = (const unsigned char *)row;
    int64_t refused = -1;
    for (uint32_t column = form->width; column-- > 0;) {
        uint32_t sample = (uint32_t)bytes[2 * column] << 8 | bytes[2 * column + 1];
        if (!heights_round(form, sample, &row[column])) {
            refused = (int64_t)((uint64_t)body_row * form->width + column);
            row[column] = (int32_t)sample;
        }
    }
    return refused;
}

static loam_status widen(const heights_form *form, int32_t *field, loam_error *error) {
    for (uint32_t body_row = 0; body_row < form->height; body_row++) {
        int32_t *row = field + (size_t)heights_row(form, body_row) * form->width;
        int64_t refused = widen_row(form, body_row, row);
        if (refused >= 0) {
            int32_t sample = row[refused % form->width];
            return heights_fail_range(form, (uint64_t)refused, sample, error);
        }
    }
    return LOAM_OK;
}

/* Everything that may jump out of libpng; false when it did. */
static bool decode(png_structp png, png_infop info, const heights_form *form, int32_t *field) {
    if (setjmp(png_jmpbuf(png)) != 0) {
        return false;
    }
    png_set_user_limits(png, form->width, form->height);
    /* Text and colour are of no use here, and are passed over: libpng (1.6.39) would allocate and
     * clear whatever length such a chunk claims, its own limit being a mere warning. */
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_read_info(png, info);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    if (png_get_rowbytes(png, info) != (size_t)form->width * 2) {
        png_error(png, "the header changed under way");
    }
    for (int pass = 0; pass < passes; pass++) {
        for (uint32_t row = 0; row < form->height; row++) {
            png_read_row(png, (png_bytep)(field + (size_t)heights_row(form, row) * form->width),
                         NULL);
        }
    }
    png_read_end(png, NULL);
    return true;
}

static loam_status decode_all(const heights_form *form, loam_text body, int32_t *field,
                              loam_error *error) {
    picture_source source = {.at = (const unsigned char *)body.bytes, .left = body.size};
    png_structp png =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, &source, note_fault, drop_warning);
    png_infop info = png == NULL ? NULL : png_create_info_struct(png);
    loam_status status = LOAM_OK;
    if (info == NULL) {
        status = loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for reading the PNG");
    } else {
        png_set_read_fn(png, &source, feed);
        if (!decode(png, info, form, field)) {
            status = loam_fail(error, LOAM_MALFORMED, NULL, "the PNG is damaged: %s", source.fault);
        }
    }
    png_destroy_read_struct(&png, &info, NULL);
    return status;
}

loam_status heights_read_png(heights_form *form, loam_text body, int32_t **samples,
                             loam_error *error) {
    LOAM_TRY(check_header(form, body, error));
    int32_t *field = calloc((size_t)form->width * form->height, sizeof *field);
    if (field == NULL) {
        return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for the samples");
    }
    loam_status status = decode_all(form, body, field, error);
    if (status == LOAM_OK) {
        status = widen(form, field, error);
    }
    if (status != LOAM_OK) {
        free(field);
        return status;
    }
    *samples = field;
    return LOAM_OK;
}
