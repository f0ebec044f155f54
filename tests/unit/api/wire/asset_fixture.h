/* SPDX-License-Identifier: MIT
 *
 * asset_fixture.h: what the tests of assets share: queries from one line of text, files of the real
 * input data, small PNGs made on the spot.
 */
#ifndef LOAM_TESTS_ASSET_FIXTURE_H
#define LOAM_TESTS_ASSET_FIXTURE_H

#include "api/wire/asset_query.h"

enum { FIXTURE_PARAMS_MAX = 16 };

typedef struct query_fixture {
    char text[512];
    asset_param params[FIXTURE_PARAMS_MAX];
    asset_query query;
} query_fixture;

/* "width=3&height=2": as in an address, nothing to decode. */
void query_fixture_init(query_fixture *fixture, const char *text);

/* A file below LOAM_TEST_DATA, owned (free); bytes NULL, and said so, when there is no such data.
 */
loam_text data_read(const char *path);

typedef struct png_fixture {
    uint32_t width;
    uint32_t height;
    int bit_depth;
    int color_type;
    bool interlaced;
    const unsigned char *rows; /* as libpng wants them; NULL: all zero */
} png_fixture;

/* Owned (free). */
loam_text png_make(const png_fixture *picture);

#endif
