/* SPDX-License-Identifier: MIT
 *
 * dungeon_question.c: see dungeon_question.h.
 */
#include "server/dungeon/dungeon_question.h"

#include "core/base/text.h"
#include "core/base/try.h"

/* Above every view of cells. */
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
    case DUNGEON_TEXT:
        return MEDIA_TEXT "; charset=utf-8";
    default:
        return view < DUNGEON_LAYOUT ? view_types[view] : MEDIA_JSON;
    }
}

/* Parts of a dungeon, the last segment of an address, are JSON alone. */
static bool find_part(loam_text segment, dungeon_view *view) {
    static const struct {
        const char *name;
        dungeon_view view;
    } parts[] = {
        {"layout", DUNGEON_LAYOUT}, {"assembly", DUNGEON_ASSEMBLY},    {"content", DUNGEON_CONTENT},
        {"spawns", DUNGEON_SPAWNS}, {"encounters", DUNGEON_ENCOUNTER},
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

static loam_status read_content(http_request *request, dungeon_question *question,
                                loam_error *error) {
    loam_text wanted = http_query(request, "content");
    question->named = wanted.bytes != NULL;
    return !question->named || digest_parse(wanted, &question->content)
               ? LOAM_OK
               : loam_fail(error, LOAM_OUT_OF_RANGE, NULL,
                           "?content= takes a content key: sha256- and 64 hex digits");
}

loam_status dungeon_question_read(http_request *request, dungeon_question *question,
                                  loam_error *error) {
    *question = (dungeon_question){.manner = manner_read(request)};
    LOAM_TRY(read_content(request, question, error));
    return read_view(request, question, error);
}

answer_name dungeon_answer_name(const dungeon_question *question, const result_name *of,
                                bool newest) {
    answer_name name = {.of = *of,
                        .view = DUNGEON_VIEW_FIRST + (uint32_t)question->view,
                        .coding = (uint32_t)question->manner.coding,
                        .alias = newest};
    if (question->named) {
        digest both[2] = {{{0}}, question->content};
        memcpy(&both[0], of, sizeof *of);
        both[0] = digest_of(both, sizeof both);
        name.of = result_of_key(&both[0]);
    }
    return name;
}
