/* SPDX-License-Identifier: MIT
 *
 * asset_raw.c: a heightfield from raw samples: the size is checked first, then every sample becomes
 * an integer once, and rows end up south first.
 */
#include "api/wire/asset_heights.h"

#include "core/base/bytes.h"
#include "core/base/try.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t sample_bytes[HEIGHTS_ENCODING_COUNT] = {2, 2, 4};

static double sample_at(heights_encoding encoding, const unsigned char *at) {
    if (encoding == HEIGHTS_U16LE) {
        return get_u16(at);
    }
    if (encoding == HEIGHTS_U16BE) {
        return at[0] << 8 | at[1];
    }
    uint32_t bits = get_u32(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static loam_status check_body(const heights_form *form, loam_text body, loam_error *error) {
    uint64_t expected = (uint64_t)form->width * form->height * sample_bytes[form->encoding];
    if (body.size != expected) {
        return loam_fail(error, LOAM_SIZE_MISMATCH, NULL,
                         "%u x %u samples of %u bytes: expected %llu bytes, received %llu",
                         form->width, form->height, sample_bytes[form->encoding],
                         (unsigned long long)expected, (unsigned long long)body.size);
    }
    return LOAM_OK;
}

static loam_status read_row(const heights_form *form, loam_text body, uint32_t row,
                            int32_t *samples, loam_error *error) {
    size_t bytes = sample_bytes[form->encoding];
    size_t first = (size_t)row * form->width;
    const unsigned char *at = (const unsigned char *)body.bytes + first * bytes;
    for (uint32_t column = 0; column < form->width; column++, at += bytes) {
        double sample = sample_at(form->encoding, at);
        if (!heights_round(form, sample, &samples[column])) {
            return heights_fail_range(form, first + column, sample, error);
        }
    }
    return LOAM_OK;
}

loam_status heights_read_raw(const heights_form *form, loam_text body, int32_t **samples,
                             loam_error *error) {
    LOAM_TRY(heights_check_size(form->width, form->height, error));
    LOAM_TRY(check_body(form, body, error));
    int32_t *field = malloc((size_t)form->width * form->height * sizeof *field);
    if (field == NULL) {
        return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for the samples");
    }
    for (uint32_t row = 0; row < form->height; row++) {
        size_t first = (size_t)heights_row(form, row) * form->width;
        loam_status status = read_row(form, body, row, field + first, error);
        if (status != LOAM_OK) {
            free(field);
            return status;
        }
    }
    *samples = field;
    return LOAM_OK;
}
