/* SPDX-License-Identifier: MIT
 *
 * place_question.h: what a request asks about a place of a world: an output, a point and a radius
 * around it, from the query. Metres become units here, once.
 */
#ifndef LOAM_SERVER_CELL_PLACE_QUESTION_H
#define LOAM_SERVER_CELL_PLACE_QUESTION_H

#include "core/loam.h"
#include "server/http/http.h"
#include "server/world/world_table.h"

typedef struct place_question {
    loam_text output_name; /* borrowed from the request */
    loam_place place;
} place_question;

/* Names that the query takes, NULL-terminated. */
extern const char *const place_query[];

/* LOAM_MISSING_FIELD, LOAM_WRONG_TYPE for what is no number, LOAM_OUT_OF_RANGE. */
LOAM_MUST_USE loam_status place_read(const http_request *request, int64_t radius_m_max,
                                     place_question *question, loam_error *error);
/* The index of the output: LOAM_NOT_FOUND for one that the world lacks; LOAM_OUTSIDE_WORLD when the
 * place is beyond its bounds. */
LOAM_MUST_USE loam_status place_find(const place_question *question, const world *of,
                                     uint32_t *output, loam_error *error);
/* Whether a world has the point (x, z); one without bounds has all. */
bool place_in_world(const world *of, int64_t x, int64_t z);
/* The square around a place, cut to the bounds of the world. */
loam_rect place_rect(const loam_place *place, const world *of);

#endif
