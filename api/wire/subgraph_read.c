/* SPDX-License-Identifier: MIT
 *
 * subgraph_read.c: a subgraph node from its document into the graph around it; see subgraph.h.
 * Faults point into the nested document as if it stood here, also when a digest names it.
 */
#include "api/wire/subgraph.h"

#include "api/wire/graph_reader.h"
#include "api/wire/unknown.h"
#include "api/wire/value.h"
#include "core/base/text.h"
#include "core/base/try.h"

#include <stdio.h>
#include <string.h>

bool subgraph_stands_at(const item *node) {
    const char *op = json_string_value(json_object_get(node->value, "op"));
    return op != NULL && strcmp(op, subgraph_operation.name) == 0;
}

const subgraph *subgraph_find(const graph_document *document, loam_text name) {
    for (uint32_t i = 0; i < document->subgraph_count; i++) {
        if (loam_text_equal(document->subgraphs[i].name, name)) {
            return &document->subgraphs[i];
        }
    }
    return NULL;
}

/* ---- The nested graph ------------------------------------------------------------------------ */

static loam_status parse_inline(const graph_reader *reader, const item *at, subgraph *to) {
    graph_nesting nesting = {.outer = reader->nesting};
    LOAM_TRY(graph_parse_nested(at, &nesting, reader, &to->nested));
    return graph_write_copy(&to->nested, at, reader->arena, &to->graph_json);
}

static bool is_part_of(const digest *id, const graph_nesting *nesting) {
    for (; nesting != NULL; nesting = nesting->outer) {
        if (nesting->stored && digest_equal(id, &nesting->id)) {
            return true;
        }
    }
    return false;
}

static loam_status parse_stored(const graph_reader *reader, const item *at, subgraph *to) {
    graph_nesting nesting = {.outer = reader->nesting, .stored = true};
    const graph_resolver *resolver = reader->shared->resolver;
    loam_text text;
    LOAM_TRY(item_digest(at, &nesting.id));
    if (is_part_of(&nesting.id, reader->nesting)) {
        return item_fail(at, LOAM_CYCLE, "the graph is a part of itself");
    }
    loam_status found = resolver == NULL
                            ? LOAM_NOT_FOUND
                            : resolver->find_graph(resolver->context, &nesting.id, &text);
    if (found != LOAM_OK) {
        return item_fail(at, found,
                         found == LOAM_NOT_FOUND ? "there is no graph %.71s"
                                                 : "the graph %.71s cannot be looked up",
                         json_string_value(at->value));
    }
    json_t *root = NULL;
    LOAM_TRY(document_read(text, &root, at->faults));
    item stored = *at;
    stored.value = root;
    loam_status status = graph_parse_nested(&stored, &nesting, reader, &to->nested);
    json_decref(root);
    LOAM_TRY(status);
    char quoted[DIGEST_TEXT_BYTES + 2];
    snprintf(quoted, sizeof quoted, "\"%.71s\"", json_string_value(at->value));
    return text_copy(loam_text_of(quoted), reader->arena, &to->graph_json) == LOAM_OK
               ? LOAM_OK
               : item_fail_memory(at);
}

static loam_status parse_graph(const graph_reader *reader, const item *at, subgraph *to) {
    if (graph_depth(reader->nesting) >= SUBGRAPH_DEPTH_MAX) {
        return item_fail(at, LOAM_TOO_MANY, "graphs are nested at most %d deep",
                         SUBGRAPH_DEPTH_MAX);
    }
    if (reader->shared->graph_count >= SUBGRAPHS_MAX) {
        return item_fail(at, LOAM_TOO_MANY, "at most %d graphs are nested in one", SUBGRAPHS_MAX);
    }
    reader->shared->graph_count++;
    return json_is_string(at->value) ? parse_stored(reader, at, to) : parse_inline(reader, at, to);
}

/* ---- Its output ------------------------------------------------------------------------------ */

/* Which slots a node is to feed: that an input is no "$slot" shows before nodes are known. */
static void mark_fed(const item *inputs, subgraph *to) {
    const loam_graph *nested = &to->nested.graph;
    for (uint32_t i = 0; i < nested->slot_count; i++) {
        item input = item_field(inputs, nested->slots[i].name.bytes);
        const char *source = json_string_value(input.value);
        to->fed[i] = source != NULL && source[0] != '$';
    }
}

bool subgraph_is_bypassed(const subgraph *of, uint32_t node) {
    const loam_node *found = &of->nested.graph.nodes[node];
    return strcmp(found->operation->name, "points.input") == 0 &&
           found->inputs[0].kind == LOAM_SOURCE_SLOT && of->fed[found->inputs[0].index];
}

/* Marks a node and all above it; at most NODES_MAX deep, since a marked node is not entered. */
static void mark_needed(const subgraph *of, uint32_t index) {
    if (of->needed[index]) {
        return;
    }
    of->needed[index] = true;
    const loam_node *node = &of->nested.graph.nodes[index];
    for (uint32_t i = 0; i < loam_node_input_count(node); i++) {
        const loam_source *source = &node->inputs[i];
        if (source->kind == LOAM_SOURCE_NODE && !subgraph_is_bypassed(of, source->index)) {
            mark_needed(of, source->index);
        }
    }
}

static loam_status find_output(const graph_reader *reader, const item *at, subgraph *to) {
    static const char *const sides[] = {"", "#true", "#false"};
    const loam_graph *nested = &to->nested.graph;
    loam_text name;
    LOAM_TRY(item_text(at, &name));
    int32_t found = loam_graph_find_output(nested, name);
    if (found < 0) {
        return item_fail(at, LOAM_UNKNOWN_OUTPUT, "the graph has no output \"%.64s\"", name.bytes);
    }
    to->output = (uint32_t)found;
    const loam_output *output = &nested->outputs[found];
    mark_needed(to, output->node);
    char text[2 * NODE_PATH_BYTES_MAX];
    snprintf(text, sizeof text, "%.*s.%.*s%s", TEXT_ARGS(to->name),
             TEXT_ARGS(nested->nodes[output->node].name), sides[output->side]);
    return text_copy(loam_text_of(text), reader->arena, &to->result) == LOAM_OK
               ? LOAM_OK
               : item_fail_memory(at);
}

/* ---- Inlining -------------------------------------------------------------------------------- */

loam_text subgraph_inner_name(const subgraph *of, uint32_t node, subgraph_name *name) {
    int size = snprintf(name->text, sizeof name->text, "%.*s.%.*s", TEXT_ARGS(of->name),
                        TEXT_ARGS(of->nested.graph.nodes[node].name));
    return (loam_text){name->text, (size_t)size};
}

static loam_status inline_node(const graph_reader *reader, const item *at, const subgraph *of,
                               uint32_t index) {
    const loam_node *node = &of->nested.graph.nodes[index];
    subgraph_name storage;
    loam_text name = subgraph_inner_name(of, index, &storage);
    loam_error error = {0};
    loam_status status = loam_graph_add_inlined(
        reader->graph, name, loam_text_of(node->operation->name), node->operation->version, &error);
    if (status != LOAM_OK) {
        graph_refuse_part(at, status, &error);
        return status;
    }
    loam_node *inlined = &reader->graph->nodes[reader->graph->node_count - 1];
    memcpy(inlined->params, node->params, node->operation->param_count * sizeof *node->params);
    uint64_t outer = of->seed_pinned ? of->seed : loam_name_seed(of->name);
    uint64_t inner = node->seed_pinned ? node->seed : loam_name_seed(node->name);
    inlined->seed_pinned = true;
    inlined->seed = loam_inlined_seed(outer, inner);
    return LOAM_OK;
}

static loam_status inline_nodes(const graph_reader *reader, const item *at, const subgraph *of) {
    for (uint32_t i = 0; i < of->nested.graph.node_count; i++) {
        if (of->needed[i]) {
            LOAM_TRY(inline_node(reader, at, of, i));
        }
    }
    return LOAM_OK;
}

/* ---- The node -------------------------------------------------------------------------------- */

static loam_status read_head(const graph_reader *reader, const item *at, subgraph *to) {
    static const char *const fields[] = {"op", "in", "params", "version", "seed", NULL};
    item version = item_field(at, "version");
    item seed = item_field(at, "seed");
    int64_t number = subgraph_operation.version;
    item_fields(at, fields);
    if (!text_is_node_name(loam_text_of(at->key))) {
        return item_fail(at, LOAM_BAD_NAME, "a node's name is [a-z0-9][a-z0-9_-]{0,63}");
    }
    if (item_present(&version)) {
        LOAM_TRY(item_integer(&version, 1, UINT16_MAX, &number));
    }
    if (number != subgraph_operation.version) {
        return item_fail(&version, LOAM_VERSION_UNAVAILABLE, "%s has no version %lld here",
                         subgraph_operation.name, (long long)number);
    }
    if (item_present(&seed)) {
        LOAM_TRY(item_seed(&seed, &to->seed));
        to->seed_pinned = true;
    }
    return text_copy(loam_text_of(at->key), reader->arena, &to->name) == LOAM_OK
               ? LOAM_OK
               : item_fail_memory(at);
}

static loam_status read_params(const graph_reader *reader, const item *at, subgraph *to) {
    item params = item_field(at, "params");
    item graph = item_field(&params, "graph");
    item output = item_field(&params, "output");
    item parameters = item_field(&params, "parameters");
    LOAM_TRY(item_object(&params));
    item child;
    for (void *i = item_next(&params, NULL, &child); i != NULL; i = item_next(&params, i, &child)) {
        if (value_schema(subgraph_operation.params, subgraph_operation.param_count, child.key) ==
            NULL) {
            unknown_param(&child, subgraph_operation.name, subgraph_operation.params,
                          subgraph_operation.param_count);
        }
    }
    LOAM_TRY(parse_graph(reader, &graph, to));
    graph_override(&parameters, reader->arena, &to->nested.graph);
    const loam_graph *nested = &to->nested.graph;
    to->needed = loam_arena_take_zero(reader->arena, nested->node_count, sizeof *to->needed);
    to->inputs = loam_arena_take_zero(reader->arena, nested->slot_count, sizeof *to->inputs);
    to->fed = loam_arena_take_zero(reader->arena, nested->slot_count, sizeof *to->fed);
    if (to->needed == NULL || to->inputs == NULL || to->fed == NULL) {
        return item_fail_memory(at);
    }
    item inputs = item_field(at, "in");
    mark_fed(&inputs, to);
    LOAM_TRY(find_output(reader, &output, to));
    return inline_nodes(reader, &graph, to);
}

/* Keeps subgraphs in order of their names. */
static void keep(graph_document *document, const subgraph *made) {
    uint32_t at = document->subgraph_count++;
    while (at > 0 && loam_text_compare(document->subgraphs[at - 1].name, made->name) > 0) {
        document->subgraphs[at] = document->subgraphs[at - 1];
        at--;
    }
    document->subgraphs[at] = *made;
}

void subgraph_read(const graph_reader *reader, const item *at) {
    subgraph made = {.seed_pinned = false};
    if (read_head(reader, at, &made) == LOAM_OK && read_params(reader, at, &made) == LOAM_OK) {
        keep(reader->document, &made);
    }
}
