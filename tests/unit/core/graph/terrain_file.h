/* SPDX-License-Identifier: MIT
 *
 * terrain_file.h: real terrain for tests, from the folder that LOAM_TEST_DATA names. A .r16 holds
 * u16 little-endian values, the northernmost row first; the south-west sample stands at (0, 0).
 */
#ifndef LOAM_TESTS_TERRAIN_FILE_H
#define LOAM_TESTS_TERRAIN_FILE_H

#include "core/loam.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct terrain_file {
    const char *name; /* below the folder */
    uint32_t side;    /* samples */
    int64_t spacing_m;
    int64_t offset_m, scale_inverse; /* height = offset + value / scale_inverse */
} terrain_file;

/* Opens the file, or says that it is not there and what is not tested; then NULL. */
static inline FILE *terrain_open(const terrain_file *file) {
    const char *folder = getenv("LOAM_TEST_DATA");
    char path[1024];
    if (folder == NULL || *folder == 0) {
        fprintf(stderr, "LOAM_TEST_DATA is not set: %s is not tested\n", file->name);
        return NULL;
    }
    snprintf(path, sizeof path, "%s/%s", folder, file->name);
    FILE *opened = fopen(path, "rb");
    if (opened == NULL) {
        fprintf(stderr, "%s is not there: it is not tested\n", path);
    }
    return opened;
}

/* Samples in 1/65,536 m, the southernmost row first; NULL when the file is not there. Never freed.
 */
static inline loam_heightfield *terrain_read(const terrain_file *file) {
    FILE *opened = terrain_open(file);
    if (opened == NULL) {
        return NULL;
    }
    uint32_t side = file->side;
    int32_t *samples = malloc((size_t)side * side * sizeof *samples);
    loam_heightfield *field = malloc(sizeof *field);
    for (uint32_t row = side; row-- > 0;) {
        for (uint32_t column = 0; column < side; column++) {
            int low = getc(opened), high = getc(opened);
            cr_assert(low != EOF && high != EOF, "%s is cut", file->name);
            samples[(size_t)row * side + column] =
                (int32_t)(file->offset_m * 65536 +
                          (high << 8 | low) * (65536 / file->scale_inverse));
        }
    }
    cr_assert_eq(getc(opened), EOF, "%s is longer than it should be", file->name);
    fclose(opened);
    *field = (loam_heightfield){.width = side,
                                .height = side,
                                .samples = samples,
                                .spacing_fine = file->spacing_m * LOAM_UNITS_PER_METRE * 65536};
    cr_assert_eq(loam_heightfield_init(field, NULL), LOAM_OK);
    return field;
}

#endif
