/* SPDX-License-Identifier: MIT
 *
 * asset_heights.c: see asset_heights.h.
 */
#include "api/wire/asset_heights.h"

#include "api/wire/asset_round.h"
#include "core/base/limits.h"
#include "core/base/try.h"

#include <stddef.h>

static const char *const known_names[] = {"kind",       "width",      "height",   "spacing_m",
                                          "offset_m",   "scale_m",    "encoding", "row0",
                                          "origin_x_m", "origin_z_m", NULL};

/* A length of the query in steps per metre. */
static loam_status read_length(const asset_query *query, const char *name, double steps,
                               int64_t limit, int64_t *length, loam_error *error) {
    double metres = 0;
    LOAM_TRY(query_number(query, name, &metres, error));
    if (!round_nearest(metres, steps, limit, length)) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "the query parameter %s is out of range",
                         name);
    }
    return LOAM_OK;
}

static loam_status read_spacing(const asset_query *query, heights_form *form, loam_error *error) {
    loam_text given;
    LOAM_TRY(query_require(query, "spacing_m", &given, error));
    LOAM_TRY(read_length(query, "spacing_m", (double)LOAM_UNITS_PER_METRE * LOAM_FINE_PER_UNIT,
                         HEIGHTFIELD_SPACING_FINE_MAX, &form->spacing_fine, error));
    if (form->spacing_fine < LOAM_FINE_PER_UNIT) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL,
                         "the query parameter spacing_m is at least 1/%d", LOAM_UNITS_PER_METRE);
    }
    return LOAM_OK;
}

static loam_status read_place(const asset_query *query, heights_form *form, loam_error *error) {
    LOAM_TRY(read_spacing(query, form, error));
    LOAM_TRY(read_length(query, "origin_x_m", LOAM_UNITS_PER_METRE, POSITION_UNITS_MAX,
                         &form->origin_x, error));
    return read_length(query, "origin_z_m", LOAM_UNITS_PER_METRE, POSITION_UNITS_MAX,
                       &form->origin_z, error);
}

static loam_status read_heights(const asset_query *query, heights_form *form, loam_error *error) {
    static const char *const rows[] = {"north", "south", NULL};
    uint32_t row = 0;
    form->offset_m = 0;
    form->scale_m = 1;
    LOAM_TRY(query_number(query, "offset_m", &form->offset_m, error));
    LOAM_TRY(query_number(query, "scale_m", &form->scale_m, error));
    LOAM_TRY(query_choice(query, "row0", rows, &row, error));
    form->north_first = row == 0;
    return LOAM_OK;
}

static loam_status read_encoding(const asset_query *query, bool picture, heights_form *form,
                                 loam_error *error) {
    static const char *const encodings[HEIGHTS_ENCODING_COUNT + 1] = {"u16le", "u16be", "f32le",
                                                                      NULL};
    uint32_t encoding = HEIGHTS_U16BE;
    if (!picture) {
        LOAM_TRY(query_choice(query, "encoding", encodings, &encoding, error));
    } else if (query_find(query, "encoding").bytes != NULL) {
        return loam_fail(error, LOAM_UNKNOWN_PARAMETER, NULL,
                         "the query parameter encoding is for raw samples: a PNG has its own");
    }
    form->encoding = (heights_encoding)encoding;
    return LOAM_OK;
}

loam_status heights_check_size(uint64_t width, uint64_t height, loam_error *error) {
    if (width < 2 || height < 2 || width > HEIGHTFIELD_SIDE_MAX || height > HEIGHTFIELD_SIDE_MAX) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL,
                         "a heightfield has 2 to %u samples a side, not %llu x %llu",
                         HEIGHTFIELD_SIDE_MAX, (unsigned long long)width,
                         (unsigned long long)height);
    }
    if (width * height > HEIGHTFIELD_SAMPLES_MAX) {
        return loam_fail(error, LOAM_TOO_LARGE, NULL,
                         "%llu x %llu samples are more than the %llu a heightfield may have",
                         (unsigned long long)width, (unsigned long long)height,
                         (unsigned long long)HEIGHTFIELD_SAMPLES_MAX);
    }
    return LOAM_OK;
}

loam_status heights_read_form(const asset_query *query, bool picture, heights_form *form,
                              loam_error *error) {
    loam_text given;
    *form = (heights_form){0};
    LOAM_TRY(query_check_names(query, known_names, error));
    if (!picture) {
        LOAM_TRY(query_require(query, "width", &given, error));
        LOAM_TRY(query_require(query, "height", &given, error));
    }
    LOAM_TRY(query_count(query, "width", &form->width, error));
    LOAM_TRY(query_count(query, "height", &form->height, error));
    LOAM_TRY(read_place(query, form, error));
    LOAM_TRY(read_heights(query, form, error));
    LOAM_TRY(read_encoding(query, picture, form, error));
    return picture ? LOAM_OK : heights_check_size(form->width, form->height, error);
}

bool heights_round(const heights_form *form, double sample, int32_t *height) {
    int64_t rounded = 0;
    double metres = form->offset_m + sample * form->scale_m;
    if (!round_nearest(metres, LOAM_HEIGHT_STEPS_PER_METRE, HEIGHT_SAMPLE_MAX - 1, &rounded)) {
        return false;
    }
    *height = (int32_t)rounded;
    return true;
}

uint32_t heights_row(const heights_form *form, uint32_t body_row) {
    return form->north_first ? form->height - 1 - body_row : body_row;
}

loam_status heights_fail_range(const heights_form *form, uint64_t index, double sample,
                               loam_error *error) {
    if (!(sample >= -3.5e38 && sample <= 3.5e38)) {
        return loam_fail(error, LOAM_NOT_FINITE, NULL,
                         "sample %llu (column %llu, row %llu) is not finite",
                         (unsigned long long)index, (unsigned long long)(index % form->width),
                         (unsigned long long)(index / form->width));
    }
    return loam_fail(
        error, LOAM_OUT_OF_RANGE, NULL, "sample %llu (column %llu, row %llu) is beyond %d m",
        (unsigned long long)index, (unsigned long long)(index % form->width),
        (unsigned long long)(index / form->width), HEIGHT_SAMPLE_MAX / LOAM_HEIGHT_STEPS_PER_METRE);
}
