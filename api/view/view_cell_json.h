/* SPDX-License-Identifier: MIT
 *
 * view_cell_json.h: a cell as the JSON document of API.md, points in canonical order, every number
 * exact. Written straight into text: a dense cell of 20,000 points takes some milliseconds.
 */
#ifndef LOAM_VIEW_CELL_JSON_H
#define LOAM_VIEW_CELL_JSON_H

#include "api/key/key.h"
#include "api/wire/text_buffer.h"
#include "core/loam.h"

/* Where the cell stands; what its points do not say themselves. */
typedef struct cell_place {
    loam_text world;
    digest revision;
    loam_text output;
    uint32_t level;
    int64_t x; /* of the cell, in the level's grid */
    int64_t z;
    digest build_key;
    digest digest; /* of the canonical bytes */
} cell_place;

/* A point without an asset has no "asset". Adds to the buffer: LOAM_TOO_LARGE at its limit. */
LOAM_MUST_USE loam_status view_cell_json(const cell_place *place, const loam_points *points,
                                         text_buffer *to);

/* The points alone, as an array: `rows` of them in their order, the first `count` when NULL. */
LOAM_MUST_USE loam_status view_points_json(const loam_points *points, const uint32_t *rows,
                                           uint32_t count, text_buffer *to);

#endif
