/* SPDX-License-Identifier: MIT
 *
 * corners.h: the values at and just past the ends of what a parameter's schema allows.
 */
#ifndef LOAM_SIM_CORNERS_H
#define LOAM_SIM_CORNERS_H

#include "core/loam.h"

enum { CORNERS_MAX = 64 };

typedef enum corner_fit {
    CORNER_IN,     /* the schema allows it; other rules may not */
    CORNER_OUT,    /* it is refused when it is set */
    CORNER_FAULT,  /* it is refused then, or when the whole is planned */
    CORNER_EITHER, /* the schema does not say */
} corner_fit;

typedef struct corner {
    loam_value value;
    corner_fit fit;
    const char *what;
} corner;

/* All corners of a parameter; memory is the arena's. Returns how many. */
uint32_t corners_of(const loam_param_schema *schema, loam_arena *arena, corner *corners);

#endif
