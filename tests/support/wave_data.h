/* SPDX-License-Identifier: MIT
 *
 * wave_data.h: real samples and tile sets for wave function collapse, from the folder that
 * LOAM_TEST_DATA names, as parameters of wfc.simple in JSON. A picture's colours become characters,
 * the one at its corner '#', the next one met '.'; weights of tiles become whole numbers.
 */
#ifndef LOAM_TESTS_SUPPORT_WAVE_DATA_H
#define LOAM_TESTS_SUPPORT_WAVE_DATA_H

#include <stdbool.h>
#include <stdint.h>

enum { WAVE_DATA_BYTES = 1 << 16, WAVE_DATA_SIDE = 64 };

typedef struct wave_sample {
    int32_t width, height;
    char rows[WAVE_DATA_SIDE][WAVE_DATA_SIDE + 1];
} wave_sample;

/* tiles/wfc/samples/NAME.png; false, and said so, when there is no such data. */
bool wave_data_sample(const char *name, wave_sample *sample);
/* {"rows": [...], "symmetry": n} */
const char *wave_data_sample_text(const wave_sample *sample, int symmetry);

typedef struct wave_tileset {
    struct {
        char name[32];
        char symmetry;
        double weight;
    } tiles[32];
    struct {
        char left[32], right[32];
    } pairs[128];
    int tile_count, pair_count;
} wave_tileset;

/* tiles/wfc/tilesets/NAME.xml. */
bool wave_data_tileset(const char *name, wave_tileset *set);
/* {"tiles": [...], "neighbors": [...]}; tiles named in `walkable`, with blanks around, are. */
const char *wave_data_tileset_text(const wave_tileset *set, const char *walkable);

#endif
