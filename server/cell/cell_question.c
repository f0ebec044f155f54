/* SPDX-License-Identifier: MIT
 *
 * cell_question.c: see cell_question.h.
 */
#include "server/cell/cell_question.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "server/slot/reply.h"

#include <stdio.h>

static const char *const view_types[] = {
    [VIEW_CANONICAL] = MEDIA_CELL, [VIEW_JSON] = MEDIA_JSON, [VIEW_PNG] = MEDIA_PNG,
    [VIEW_CSV] = MEDIA_CSV,        [VIEW_GLB] = MEDIA_GLB,   NULL,
};

const char *cell_view_type(cell_view view) {
    return view_types[view];
}

/* A signed decimal integer, written in the one way that has no leading zeros. */
static bool parse_integer(loam_text text, int64_t *value) {
    bool negative = text.size > 0 && text.bytes[0] == '-';
    size_t first = negative ? 1 : 0;
    int64_t number = 0;
    /* 18 digits stay in range; no coordinate has as many. */
    if (text.size <= first || text.size - first > 18) {
        return false;
    }
    if (text.bytes[first] == '0' && (negative || text.size > 1)) {
        return false;
    }
    for (size_t i = first; i < text.size; i++) {
        if (text.bytes[i] < '0' || text.bytes[i] > '9') {
            return false;
        }
        number = number * 10 + (text.bytes[i] - '0');
    }
    *value = negative ? -number : number;
    return true;
}

static loam_text segment(const http_request *request, const flow_route *route, const char *name) {
    return http_segment(request, (size_t)route_capture(route, name));
}

static loam_status read_number(const http_request *request, const flow_route *route,
                               const char *name, int64_t *value, loam_error *error) {
    if (!parse_integer(segment(request, route, name), value)) {
        return loam_fail(error, LOAM_MALFORMED, NULL, "%s of a cell is a decimal integer", name);
    }
    return LOAM_OK;
}

static loam_status read_manner(http_request *request, result_manner *manner, loam_error *error) {
    loam_text cached = http_query(request, "cached");
    *manner = manner_read(request);
    manner->cached_only = cached.bytes != NULL;
    if (cached.bytes != NULL && !loam_text_equal(cached, loam_text_of("only"))) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "?cached= takes \"only\"");
    }
    return LOAM_OK;
}

static loam_status read_view(http_request *request, cell_question *question, loam_error *error) {
    int32_t view = negotiate_media(http_header(request, "Accept"), view_types);
    if (view < 0) {
        return loam_fail(error, LOAM_NOT_ACCEPTABLE, NULL, "a cell is %s, %s, %s, %s or %s",
                         view_types[0], view_types[1], view_types[2], view_types[3], view_types[4]);
    }
    question->view = (cell_view)view;
    return LOAM_OK;
}

loam_status question_read_address(const http_request *request, const flow_route *route,
                                  cell_question *question, loam_error *error) {
    *question = (cell_question){.output_name = segment(request, route, "output"),
                                .alias = route_capture(route, "rev") < 0};
    LOAM_TRY(read_number(request, route, "level", &question->level, error));
    LOAM_TRY(read_number(request, route, "x", &question->x, error));
    return read_number(request, route, "z", &question->z, error);
}

loam_status question_read(http_request *request, const flow_route *route, cell_question *question,
                          loam_error *error) {
    LOAM_TRY(question_read_address(request, route, question, error));
    LOAM_TRY(read_manner(request, &question->manner, error));
    return read_view(request, question, error);
}

/* Numbers of cells are parts of an address: one that the world lacks is not found. */
static loam_status find_rect(const cell_question *question, const world *of, loam_rect *rect,
                             loam_error *error) {
    if (question->level < 0 || question->level >= (int64_t)of->level_count) {
        return loam_fail(error, LOAM_NOT_FOUND, NULL, "the world has levels 0 to %u",
                         of->level_count - 1);
    }
    loam_error fault = {0};
    loam_status status =
        world_cell(of, (uint32_t)question->level, question->x, question->z, rect, &fault);
    if (status != LOAM_OK) {
        status = status == LOAM_COORDINATE_RANGE ? LOAM_OUTSIDE_WORLD : status;
        return loam_fail(error, status, NULL, "%s", fault.text);
    }
    return LOAM_OK;
}

loam_status question_place(const cell_question *question, const revision_entry *revision,
                           cell_address *address, loam_rect *rect, loam_error *error) {
    int32_t output = loam_graph_find_output(&revision->world.graph, question->output_name);
    if (output < 0) {
        return loam_fail(error, LOAM_NOT_FOUND, NULL, "the world has no output of this name");
    }
    LOAM_TRY(find_rect(question, &revision->world, rect, error));
    *address = (cell_address){.revision = revision->serial,
                              .x = question->x,
                              .z = question->z,
                              .output = (uint32_t)output,
                              .level = (uint32_t)question->level};
    return LOAM_OK;
}

answer_name question_answer_name(const cell_question *question, const cell_address *address) {
    return (answer_name){.of = result_of_address(address),
                         .view = (uint32_t)question->view,
                         .coding = (uint32_t)question->manner.coding,
                         .alias = question->alias};
}
