/* SPDX-License-Identifier: MIT
 *
 * dungeon_question.c: see dungeon_question.h.
 */
#include "server/dungeon/dungeon_question.h"

#include "core/base/text.h"
#include "server/slot/reply.h"

/* Above every view of cells: an answer about a dungeon is named by its key, where that of a cell
 * has its address. */
enum { DUNGEON_VIEW_FIRST = 1 << 8 };

#define DUNGEON_MEDIA_LIST                                                                         \
    MEDIA_JSON ", " MEDIA_DUNGEON ", " MEDIA_TEXT ", " MEDIA_TILED ", " MEDIA_LDTK ", " MEDIA_PNG  \
               " or " MEDIA_SVG

static const char *const view_types[] = {
    [DUNGEON_JSON] = MEDIA_JSON, [DUNGEON_CANONICAL] = MEDIA_DUNGEON,
    [DUNGEON_TEXT] = MEDIA_TEXT, [DUNGEON_TILED] = MEDIA_TILED,
    [DUNGEON_LDTK] = MEDIA_LDTK, [DUNGEON_PNG] = MEDIA_PNG,
    [DUNGEON_SVG] = MEDIA_SVG,   NULL,
};

const char *dungeon_view_type(dungeon_view view) {
    switch (view) {
    case DUNGEON_LAYOUT:
    case DUNGEON_ASSEMBLY:
        return MEDIA_JSON;
    case DUNGEON_TEXT:
        return MEDIA_TEXT "; charset=utf-8";
    default:
        return view_types[view];
    }
}

/* Parts of a dungeon, the last segment of an address, are JSON alone. */
static bool find_part(loam_text segment, dungeon_view *view) {
    static const struct {
        const char *name;
        dungeon_view view;
    } parts[] = {
        {"layout", DUNGEON_LAYOUT}, {"assembly", DUNGEON_ASSEMBLY}, {"content", DUNGEON_JSON},
        {"spawns", DUNGEON_JSON},   {"encounters", DUNGEON_JSON},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (loam_text_equal(segment, loam_text_of(parts[i].name))) {
            *view = parts[i].view;
            return true;
        }
    }
    return false;
}

static loam_status read_view(http_request *request, dungeon_question *question, loam_error *error) {
    static const char *const json_alone[] = {MEDIA_JSON, NULL};
    dungeon_view view = DUNGEON_JSON;
    bool part = find_part(http_segment(request, http_segment_count(request) - 1), &view);
    int32_t found = negotiate_media(http_header(request, "Accept"), part ? json_alone : view_types);
    if (found < 0) {
        return loam_fail(error, LOAM_NOT_ACCEPTABLE, NULL, "%s",
                         part ? "a part of a dungeon is " MEDIA_JSON
                              : "a dungeon is " DUNGEON_MEDIA_LIST);
    }
    question->view = part ? view : (dungeon_view)found;
    return LOAM_OK;
}

loam_status dungeon_question_read(http_request *request, dungeon_question *question,
                                  loam_error *error) {
    *question = (dungeon_question){0};
    question->coding = negotiate_content_coding(http_header(request, "Accept-Encoding"));
    question->part = http_header(request, "Range").bytes != NULL;
    question->prefer = preference_read(http_header(request, "Prefer"));
    question->wait_s = preference_wait(&question->prefer);
    return read_view(request, question, error);
}

answer_name dungeon_answer_name(const dungeon_question *question, const digest *key) {
    return (answer_name){.of = result_of_key(key),
                         .view = DUNGEON_VIEW_FIRST + (uint32_t)question->view,
                         .coding = (uint32_t)question->coding};
}
