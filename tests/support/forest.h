/* SPDX-License-Identifier: MIT
 *
 * forest.h: the forest graph of the documentation, built without JSON, and the terrains that tests
 * and benchmarks grow it on. Scenes are shared, so that what is measured is what is tested.
 */
#ifndef LOAM_TESTS_SUPPORT_FOREST_H
#define LOAM_TESTS_SUPPORT_FOREST_H

#include "core/loam.h"

/* What can be varied; all in the units of the schemas. */
typedef struct forest_options {
    int64_t spacing, radius;        /* units */
    int64_t height_min, height_max; /* units */
    int64_t slope_max_deg;
    int64_t wavelength;              /* units */
    int64_t octaves, contrast, bias; /* 1/65,536 for the last two */
    int64_t rounds;
    bool flat;  /* grid.sample instead of surface.sample */
    bool zones; /* a slot "village" and a veto */
} forest_options;

/* Spacing 0.6, radius 1.2, slope 25, band 300 to 1,400 m, wavelength 96 m, 2 octaves. */
forest_options forest_default(void);

/* Slot 0 is "terrain" (unless flat), the next "village". Aborts the program when it cannot. */
void forest_build(loam_graph *graph, loam_arena *arena, forest_options options);

/* Hills between about 540 and 660 m, as a heightfield in heap memory (never freed). */
loam_heightfield *terrain_hills(uint32_t samples, int64_t spacing_fine, int64_t origin_x,
                                int64_t origin_z);

/* An arena over mapped memory that lives as long as the program. */
loam_arena arena_of(size_t bytes);

#endif
