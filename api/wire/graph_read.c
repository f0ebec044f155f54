/* SPDX-License-Identifier: MIT
 *
 * graph_read.c: see graph_document.h. Names, types and numbers are judged here, where their places
 * are known; what concerns the whole graph (cycles, missing inputs, kinds) core finds.
 */
#include "api/wire/graph_reader.h"

#include "core/base/limits.h"
#include "core/base/try.h"

#include <stdio.h>
#include <string.h>

enum { GRAPH_DOCUMENT_VERSION = 1 };

void graph_refuse_part(const item *at, loam_status status, const loam_error *error) {
    item_fail(at, status, "%s", error->text[0] == 0 ? loam_status_text(status) : error->text);
}

static loam_status check_count(const item *section, size_t max) {
    if (!item_present(section)) {
        return LOAM_OK;
    }
    LOAM_TRY(item_object(section));
    if (item_count(section) > max) {
        return item_fail(section, LOAM_TOO_MANY, "at most %zu are allowed, not %zu", max,
                         item_count(section));
    }
    return LOAM_OK;
}

static loam_status read_head(const item *document, graph_reader *reader) {
    static const char *const fields[] = {"loam_graph", "slots",      "nodes",
                                         "outputs",    "parameters", NULL};
    LOAM_TRY(item_object(document));
    item_fields(document, fields);
    int64_t version = 0;
    item version_item = item_field(document, "loam_graph");
    LOAM_TRY(item_integer(&version_item, 0, UINT16_MAX, &version));
    if (version != GRAPH_DOCUMENT_VERSION) {
        return item_fail(&version_item, LOAM_OUT_OF_RANGE,
                         "this build reads graph documents of version %d, not %lld",
                         GRAPH_DOCUMENT_VERSION, (long long)version);
    }
    reader->slots = item_field(document, "slots");
    reader->nodes = item_field(document, "nodes");
    reader->parameters = item_field(document, "parameters");
    reader->outputs = item_field(document, "outputs");
    LOAM_TRY(check_count(&reader->slots, SLOTS_MAX));
    LOAM_TRY(item_object(&reader->nodes));
    LOAM_TRY(check_count(&reader->nodes, NODES_MAX));
    LOAM_TRY(check_count(&reader->parameters, EXPOSED_MAX));
    LOAM_TRY(item_object(&reader->outputs));
    return check_count(&reader->outputs, OUTPUTS_MAX);
}

/* How many nodes are subgraphs. */
static uint32_t count_subgraphs(const item *nodes) {
    uint32_t count = 0;
    item child;
    for (void *i = item_next(nodes, NULL, &child); i != NULL; i = item_next(nodes, i, &child)) {
        count += subgraph_stands_at(&child);
    }
    return count;
}

static loam_status start_graph(const item *document, const graph_reader *reader) {
    uint32_t subgraphs = count_subgraphs(&reader->nodes);
    loam_graph_sizes sizes = {
        /* How many nodes a subgraph becomes is known when it has been read. */
        .nodes = subgraphs > 0 ? NODES_MAX : (uint32_t)item_count(&reader->nodes),
        .slots = (uint32_t)item_count(&reader->slots),
        .outputs = (uint32_t)item_count(&reader->outputs),
        .exposed = (uint32_t)item_count(&reader->parameters),
    };
    loam_error error = {0};
    error.status = loam_graph_init(reader->graph, sizes, reader->arena, &error);
    reader->document->subgraphs =
        loam_arena_take_zero(reader->arena, subgraphs, sizeof *reader->document->subgraphs);
    if (reader->document->subgraphs == NULL) {
        return item_fail_memory(document);
    }
    return error.status == LOAM_OK ? LOAM_OK : graph_refuse(document, &error);
}

typedef void read_part(const graph_reader *reader, const item *at);

static void read_each(const graph_reader *reader, const item *section, read_part *read) {
    item child;
    for (void *i = item_next(section, NULL, &child); i != NULL; i = item_next(section, i, &child)) {
        read(reader, &child);
    }
}

/* OK when nothing was noted since `before`, else the status of the first that was. */
static loam_status status_since(const fault_list *faults, uint32_t before) {
    if (faults->count == before) {
        return LOAM_OK;
    }
    return before < FAULTS_MAX ? faults->items[before].status : fault_status(faults);
}

static loam_status parse(const item *at, graph_reader *reader) {
    uint32_t before = at->faults->count;
    *reader->document = (graph_document){.subgraph_count = 0};
    reader->graph = &reader->document->graph;
    LOAM_TRY(read_head(at, reader));
    LOAM_TRY(start_graph(at, reader));
    read_each(reader, &reader->slots, graph_read_slot);
    read_each(reader, &reader->nodes, graph_read_node);
    read_each(reader, &reader->nodes, graph_read_inputs);
    read_each(reader, &reader->parameters, graph_read_exposed);
    read_each(reader, &reader->outputs, graph_read_output);
    LOAM_TRY(status_since(at->faults, before));
    loam_error error = {.status = loam_graph_sort(reader->graph)};
    return error.status == LOAM_OK ? LOAM_OK : graph_refuse(at, &error);
}

loam_status graph_parse(const item *at, const graph_resolver *resolver, loam_arena *arena,
                        graph_document *document) {
    graph_shared shared = {.resolver = resolver};
    graph_reader reader = {.document = document, .arena = arena, .shared = &shared};
    return parse(at, &reader);
}

uint32_t graph_depth(const graph_nesting *nesting) {
    uint32_t depth = 0;
    for (; nesting != NULL; nesting = nesting->outer) {
        depth++;
    }
    return depth;
}

loam_status graph_parse_nested(const item *at, const graph_nesting *nesting,
                               const graph_reader *outer, graph_document *to) {
    graph_reader reader = {
        .document = to, .arena = outer->arena, .shared = outer->shared, .nesting = nesting};
    return parse(at, &reader);
}

loam_status graph_refuse(const item *place, const loam_error *error) {
    loam_error fault = *error;
    item_pointer(place, fault.pointer, sizeof fault.pointer);
    size_t used = strlen(fault.pointer);
    snprintf(fault.pointer + used, sizeof fault.pointer - used, "%s", error->pointer);
    if (fault.text[0] == 0) {
        snprintf(fault.text, sizeof fault.text, "%s", loam_status_text(error->status));
    }
    return fault_add(place->faults, &fault);
}

loam_status graph_check(const item *document, const loam_graph *graph) {
    loam_error found[FAULTS_MAX];
    memset(found, 0, sizeof found);
    uint32_t before = document->faults->count;
    uint32_t count = loam_graph_faults(graph, found, FAULTS_MAX);
    for (uint32_t i = 0; i < count && i < FAULTS_MAX; i++) {
        graph_refuse(document, &found[i]);
    }
    return status_since(document->faults, before);
}

loam_status graph_read(loam_text json, const graph_resolver *resolver, loam_arena *arena,
                       graph_document *document, fault_list *faults) {
    json_t *root = NULL;
    LOAM_TRY(document_read(json, &root, faults));
    item whole = document_item(root, faults);
    loam_status status = graph_parse(&whole, resolver, arena, document);
    if (status == LOAM_OK) {
        status = graph_check(&whole, &document->graph);
    }
    json_decref(root);
    return status == LOAM_OK ? LOAM_OK : fault_status(faults);
}
