/* SPDX-License-Identifier: MIT
 *
 * validation_write.c: see validation_write.h. Each section is written from as much of the graph as
 * could be made: effective values once it parsed, reach and estimate once it can be planned.
 */
#include "api/wire/validation_write.h"

#include "api/wire/document.h"
#include "api/wire/graph_added.h"
#include "api/wire/graph_warnings.h"
#include "api/wire/value.h"
#include "core/base/limits.h"
#include "core/base/try.h"

#include <stdio.h>
#include <string.h>

typedef struct validation {
    const item *document;
    loam_arena *arena;
    text_buffer *buffer;
    loam_graph graph;
    const loam_plan *plan; /* NULL when there is none */
    bool parsed;
    loam_estimate estimates[OUTPUTS_MAX];
    bool estimated[OUTPUTS_MAX];
} validation;

/* ---- Judging -------------------------------------------------------------------------------- */

/* Any seed: neither reach nor estimate depend on it. */
enum { VALIDATION_SEED = 0 };

static void estimate_output(validation *state, uint32_t index, loam_rect rect) {
    loam_error error = {0};
    if (loam_plan_estimate(state->plan, index, rect, &state->estimates[index], &error) == LOAM_OK) {
        state->estimated[index] = true;
        return;
    }
    if (error.pointer[0] == 0) {
        snprintf(error.pointer, sizeof error.pointer, "/outputs/%.64s",
                 state->graph.outputs[index].name.bytes);
    }
    graph_refuse(state->document, &error);
}

static void judge(validation *state, const graph_resolver *resolver, uint32_t cell_size_m) {
    graph_document parsed;
    if (graph_parse(state->document, resolver, state->arena, &parsed) != LOAM_OK) {
        return;
    }
    state->graph = parsed.graph;
    state->parsed = true;
    if (graph_check(state->document, &state->graph) != LOAM_OK) {
        return;
    }
    loam_error error = {0};
    if (loam_plan_build(&state->graph, VALIDATION_SEED, state->arena, &state->plan, &error) !=
        LOAM_OK) {
        graph_refuse(state->document, &error);
        return;
    }
    int64_t side = (int64_t)cell_size_m * LOAM_UNITS_PER_METRE;
    for (uint32_t i = 0; i < state->graph.output_count; i++) {
        estimate_output(state, i, (loam_rect){0, 0, side, side});
    }
}

/* ---- Writing -------------------------------------------------------------------------------- */

static void write_note(void *context, const char *code, const char *pointer, const char *text) {
    text_buffer *buffer = context;
    buffer_open_object(buffer);
    buffer_key(buffer, "code");
    buffer_string(buffer, code);
    buffer_key(buffer, "pointer");
    buffer_string(buffer, pointer);
    buffer_key(buffer, "detail");
    buffer_string(buffer, text);
    buffer_close_object(buffer);
}

static void write_faults(const validation *state) {
    const fault_list *faults = state->document->faults;
    buffer_key(state->buffer, "valid");
    buffer_bool(state->buffer, faults->count == 0);
    buffer_key(state->buffer, "faults");
    buffer_open_array(state->buffer);
    for (uint32_t i = 0; i < fault_kept(faults); i++) {
        const loam_error *fault = &faults->items[i];
        write_note(state->buffer, loam_status_code(fault->status), fault->pointer, fault->text);
    }
    buffer_close_array(state->buffer);
}

static void write_reach(const validation *state) {
    buffer_key(state->buffer, "reach_m");
    buffer_open_object(state->buffer);
    for (uint32_t i = 0; state->plan != NULL && i < state->graph.output_count; i++) {
        buffer_key_text(state->buffer, state->graph.outputs[i].name);
        buffer_decimal(state->buffer, loam_plan_reach(state->plan, i), 8);
    }
    buffer_close_object(state->buffer);
}

static void write_node_values(text_buffer *buffer, const loam_node *node) {
    buffer_key_text(buffer, node->name);
    buffer_open_object(buffer);
    for (uint32_t i = 0; i < node->operation->param_count; i++) {
        if (node->params[i].kind != LOAM_VALUE_UNSET) {
            buffer_key(buffer, node->operation->params[i].key);
            value_write(buffer, &node->operation->params[i], &node->params[i]);
        }
    }
    buffer_close_object(buffer);
}

static void write_effective(const validation *state) {
    buffer_key(state->buffer, "effective");
    buffer_open_object(state->buffer);
    for (uint32_t i = 0; state->parsed && i < state->graph.node_count; i++) {
        write_node_values(state->buffer, &state->graph.nodes[i]);
    }
    buffer_close_object(state->buffer);
}

static void write_count(text_buffer *buffer, const char *key, uint64_t count) {
    buffer_key(buffer, key);
    buffer_unsigned(buffer, count);
}

static void write_estimates(const validation *state, uint32_t cell_size_m) {
    text_buffer *buffer = state->buffer;
    buffer_key(buffer, "estimate");
    buffer_open_object(buffer);
    for (uint32_t i = 0; state->parsed && i < state->graph.output_count; i++) {
        if (!state->estimated[i]) {
            continue;
        }
        const loam_estimate *estimate = &state->estimates[i];
        buffer_key_text(buffer, state->graph.outputs[i].name);
        buffer_open_object(buffer);
        write_count(buffer, "cell_size_m", cell_size_m);
        write_count(buffer, "candidates_per_cell", estimate->candidates);
        write_count(buffer, "candidates_per_node", estimate->candidates_node);
        write_count(buffer, "tests_per_cell", estimate->tests);
        write_count(buffer, "arena_bytes", estimate->arena_bytes);
        buffer_close_object(buffer);
    }
    buffer_close_object(buffer);
}

static void write_all(const validation *state, uint32_t cell_size_m) {
    buffer_open_object(state->buffer);
    write_faults(state);
    buffer_key(state->buffer, "warnings");
    buffer_open_array(state->buffer);
    if (state->parsed) {
        graph_warn(&state->graph, &(warning_sink){write_note, state->buffer});
    }
    buffer_close_array(state->buffer);
    buffer_key(state->buffer, "added");
    buffer_open_array(state->buffer);
    if (state->parsed) {
        graph_added(state->document, &state->graph, &(warning_sink){write_note, state->buffer});
    }
    buffer_close_array(state->buffer);
    write_reach(state);
    write_effective(state);
    write_estimates(state, cell_size_m);
    buffer_close_object(state->buffer);
}

loam_status validation_write(loam_text json, const graph_resolver *resolver, uint32_t cell_size_m,
                             loam_arena *arena, text_buffer *buffer, fault_list *faults) {
    json_t *root = NULL;
    LOAM_TRY(document_read(json, &root, faults));
    item document = document_item(root, faults);
    size_t mark = loam_arena_mark(arena);
    validation state = {.document = &document, .arena = arena, .buffer = buffer};
    judge(&state, resolver, cell_size_m);
    write_all(&state, cell_size_m);
    loam_arena_reset(arena, mark);
    json_decref(root);
    return LOAM_OK;
}
