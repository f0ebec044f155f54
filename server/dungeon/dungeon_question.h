/* SPDX-License-Identifier: MIT
 *
 * dungeon_question.h: what a request for a dungeon asks: which part, in which view, how patiently.
 * Read without memory of its own, for the hit path does it too.
 */
#ifndef LOAM_SERVER_DUNGEON_DUNGEON_QUESTION_H
#define LOAM_SERVER_DUNGEON_DUNGEON_QUESTION_H

#include "server/flight/result_slot.h"

/* Those that Accept chooses from stand first, the default at the top; then the parts that the last
 * segment of an address names. */
typedef enum dungeon_view {
    DUNGEON_JSON,
    DUNGEON_CANONICAL,
    DUNGEON_TEXT,
    DUNGEON_TILED,
    DUNGEON_LDTK,
    DUNGEON_PNG,
    DUNGEON_SVG,
    DUNGEON_LAYOUT,
    DUNGEON_ASSEMBLY,
    DUNGEON_CONTENT, /* what is hidden, from here on */
    DUNGEON_SPAWNS,
    DUNGEON_ENCOUNTER,
} dungeon_view;

typedef struct dungeon_question {
    dungeon_view view;
    result_manner manner;
    bool named;     /* the content, by its key: ?content= */
    digest content; /* that key */
} dungeon_question;

/* LOAM_NOT_ACCEPTABLE, LOAM_OUT_OF_RANGE for ?content=. */
LOAM_MUST_USE loam_status dungeon_question_read(http_request *request, dungeon_question *question,
                                                loam_error *error);
const char *dungeon_view_type(dungeon_view view);
/* What an answer is remembered by: `of` is the dungeon, by its key or by its place in a world;
 * `newest` where the world was asked without its revision. */
answer_name dungeon_answer_name(const dungeon_question *question, const result_name *of,
                                bool newest);

#endif
