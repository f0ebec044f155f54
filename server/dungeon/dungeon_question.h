/* SPDX-License-Identifier: MIT
 *
 * dungeon_question.h: what a request for a dungeon asks: in which view, how patiently. Read without
 * memory of its own, for the hit path does it too.
 */
#ifndef LOAM_SERVER_DUNGEON_DUNGEON_QUESTION_H
#define LOAM_SERVER_DUNGEON_DUNGEON_QUESTION_H

#include "server/slot/negotiate.h"
#include "server/slot/ram_cache.h"

/* Those that Accept chooses from stand first, the default at the top. */
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
} dungeon_view;

typedef struct dungeon_question {
    dungeon_view view;
    content_coding coding; /* that the client takes */
    bool part;             /* asks for a range of the bytes */
    preference prefer;
    uint32_t wait_s;
} dungeon_question;

/* LOAM_NOT_ACCEPTABLE. The route's last segment names a part. */
LOAM_MUST_USE loam_status dungeon_question_read(http_request *request, dungeon_question *question,
                                                loam_error *error);
const char *dungeon_view_type(dungeon_view view);
/* What an answer is remembered by: `alias` where it says which address it is an alias of. */
answer_name dungeon_answer_name(const dungeon_question *question, const digest *key);

#endif
