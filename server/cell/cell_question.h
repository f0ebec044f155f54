/* SPDX-License-Identifier: MIT
 *
 * cell_question.h: what a request for a cell asks: which cell, in which view, how patiently. Read
 * from path, query and headers without memory of its own, for the hit path does it too.
 */
#ifndef LOAM_SERVER_CELL_CELL_QUESTION_H
#define LOAM_SERVER_CELL_CELL_QUESTION_H

#include "server/cell/cell_address.h"
#include "server/flight/result_slot.h"

typedef enum cell_view { VIEW_CANONICAL, VIEW_JSON, VIEW_PNG, VIEW_CSV, VIEW_GLB } cell_view;

typedef struct cell_question {
    loam_text output_name;
    int64_t level;
    int64_t x;
    int64_t z;
    bool alias;
    cell_view view;
    result_manner manner;
} cell_question;

/* LOAM_MALFORMED for what is no number, LOAM_NOT_ACCEPTABLE, LOAM_OUT_OF_RANGE for ?cached=. */
LOAM_MUST_USE loam_status question_read(http_request *request, const flow_route *route,
                                        cell_question *question, loam_error *error);
/* The cell alone: level, x, z and output. */
LOAM_MUST_USE loam_status question_read_address(const http_request *request,
                                                const flow_route *route, cell_question *question,
                                                loam_error *error);
/* Where the cell stands in a revision: LOAM_NOT_FOUND for an output or level that it lacks,
 * LOAM_OUTSIDE_WORLD. */
LOAM_MUST_USE loam_status question_place(const cell_question *question,
                                         const revision_entry *revision, cell_address *address,
                                         loam_rect *rect, loam_error *error);
answer_name question_answer_name(const cell_question *question, const cell_address *address);
const char *cell_view_type(cell_view view);

#endif
