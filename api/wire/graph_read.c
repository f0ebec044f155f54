/* SPDX-License-Identifier: MIT
 *
 * graph_read.c: see graph_document.h. Names, types and numbers are judged here, where their places
 * are known; what concerns the whole graph (cycles, missing inputs, kinds) core finds.
 */
#include "api/wire/graph_document.h"

#include "api/wire/document.h"
#include "api/wire/value.h"
#include "core/base/limits.h"
#include "core/base/try.h"

#include <stdio.h>
#include <string.h>

enum { GRAPH_DOCUMENT_VERSION = 1 };

/* The document's sections and the graph that they become. */
typedef struct graph_reader {
    item slots;
    item nodes;
    item parameters;
    item outputs;
    loam_graph *graph;
    loam_arena *arena;
} graph_reader;

/* Notes core's verdict at a place that is known better here. */
static void refuse(const item *at, loam_status status, const loam_error *error) {
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

/* ---- Slots and nodes: the first pass -------------------------------------------------------- */

static void read_slot(const graph_reader *reader, const item *at) {
    loam_text name;
    loam_text kind_name;
    if (item_key_name(at, &name) != LOAM_OK || item_text(at, &kind_name) != LOAM_OK) {
        return;
    }
    loam_port_kind kind = loam_port_kind_find(kind_name);
    if (kind == LOAM_PORT_NONE || kind == LOAM_PORT_SPATIAL) {
        item_fail(at, LOAM_OUT_OF_RANGE,
                  "a slot is one of: heightfield, lines, areas, points, rules");
        return;
    }
    loam_error error = {0};
    loam_status status = loam_graph_add_slot(reader->graph, name, kind, &error);
    if (status != LOAM_OK) {
        refuse(at, status, &error);
    }
}

static loam_status find_operation(const item *node, const loam_operation **operation) {
    item op = item_field(node, "op");
    item version = item_field(node, "version");
    loam_text name;
    int64_t number = 0;
    LOAM_TRY(item_text(&op, &name));
    if (loam_operation_find(name, 0) == NULL) {
        return item_fail(&op, LOAM_UNKNOWN_OPERATION, "there is no operation \"%.64s\"",
                         name.bytes);
    }
    if (item_present(&version)) {
        LOAM_TRY(item_integer(&version, 1, UINT16_MAX, &number));
    }
    *operation = loam_operation_find(name, (uint16_t)number);
    if (*operation == NULL) {
        return item_fail(&version, LOAM_VERSION_UNAVAILABLE, "%.64s has no version %lld here",
                         name.bytes, (long long)number);
    }
    return LOAM_OK;
}

static void read_param(const graph_reader *reader, loam_text node, const loam_operation *operation,
                       const item *at) {
    const loam_param_schema *schema =
        value_schema(operation->params, operation->param_count, at->key);
    if (schema == NULL) {
        item_fail(at, LOAM_UNKNOWN_PARAMETER, "%s has no parameter \"%.64s\"", operation->name,
                  at->key);
        return;
    }
    size_t mark = loam_arena_mark(reader->arena);
    loam_value value;
    if (value_read(at, schema, reader->arena, &value) != LOAM_OK) {
        loam_arena_reset(reader->arena, mark);
        return;
    }
    loam_error error = {0};
    loam_status status =
        loam_graph_set(reader->graph, node, loam_text_of(schema->key), &value, &error);
    if (status != LOAM_OK) {
        refuse(at, status, &error);
    }
}

static void read_params(const graph_reader *reader, loam_text node, const loam_operation *operation,
                        const item *params) {
    if (!item_present(params) || item_object(params) != LOAM_OK) {
        return;
    }
    item child;
    for (void *i = item_next(params, NULL, &child); i != NULL; i = item_next(params, i, &child)) {
        read_param(reader, node, operation, &child);
    }
}

static void read_seed(const graph_reader *reader, loam_text node, const item *at) {
    uint64_t seed = 0;
    loam_error error = {0};
    if (!item_present(at) || item_seed(at, &seed) != LOAM_OK) {
        return;
    }
    loam_status status = loam_graph_pin_seed(reader->graph, node, seed, &error);
    if (status != LOAM_OK) {
        refuse(at, status, &error);
    }
}

static void read_node(const graph_reader *reader, const item *at) {
    static const char *const fields[] = {"op", "in", "params", "version", "seed", NULL};
    if (item_object(at) != LOAM_OK) {
        return;
    }
    item_fields(at, fields);
    const loam_operation *operation = NULL;
    if (find_operation(at, &operation) != LOAM_OK) {
        return;
    }
    loam_text name = loam_text_of(at->key);
    loam_error error = {0};
    loam_status status = loam_graph_add_node(reader->graph, name, loam_text_of(operation->name),
                                             operation->version, &error);
    if (status != LOAM_OK) {
        refuse(at, status, &error);
        return;
    }
    item params = item_field(at, "params");
    item seed = item_field(at, "seed");
    read_params(reader, name, operation, &params);
    read_seed(reader, name, &seed);
}

/* ---- Links: the second pass ----------------------------------------------------------------- */

/* Whether a source names a node that the document has but the first pass refused: its own fault is
 * noted already, and a second one would mislead. */
static bool names_refused_node(const graph_reader *reader, loam_text source) {
    char name[NAME_BYTES_MAX + 1];
    const char *end = source.size == 0 ? NULL : memchr(source.bytes, '#', source.size);
    size_t size = end == NULL ? source.size : (size_t)(end - source.bytes);
    if (size > NAME_BYTES_MAX) {
        return false;
    }
    memcpy(name, source.bytes, size);
    name[size] = 0;
    item node = item_field(&reader->nodes, name);
    return item_present(&node) && loam_graph_find_node(reader->graph, (loam_text){name, size}) < 0;
}

static void read_input(const graph_reader *reader, loam_text node, const item *at) {
    loam_text source;
    if (item_text(at, &source) != LOAM_OK || names_refused_node(reader, source)) {
        return;
    }
    loam_error error = {0};
    loam_status status =
        loam_graph_connect(reader->graph, node, loam_text_of(at->key), source, &error);
    if (status != LOAM_OK) {
        refuse(at, status, &error);
    }
}

static void read_inputs(const graph_reader *reader, const item *node) {
    loam_text name = loam_text_of(node->key);
    item inputs = item_field(node, "in");
    if (!item_present(&inputs) || loam_graph_find_node(reader->graph, name) < 0 ||
        item_object(&inputs) != LOAM_OK) {
        return;
    }
    item child;
    for (void *i = item_next(&inputs, NULL, &child); i != NULL; i = item_next(&inputs, i, &child)) {
        read_input(reader, name, &child);
    }
}

static void read_exposed(const graph_reader *reader, const item *at) {
    static const char *const fields[] = {"node", "key", NULL};
    if (item_fields(at, fields) != LOAM_OK) {
        return;
    }
    item node_item = item_field(at, "node");
    item key_item = item_field(at, "key");
    loam_text name;
    loam_text node;
    loam_text key;
    if (item_key_name(at, &name) != LOAM_OK || item_text(&node_item, &node) != LOAM_OK ||
        item_text(&key_item, &key) != LOAM_OK || names_refused_node(reader, node)) {
        return;
    }
    loam_error error = {0};
    loam_status status = loam_graph_expose(reader->graph, name, node, key, &error);
    if (status != LOAM_OK) {
        const item *place = status == LOAM_UNKNOWN_NODE ? &node_item : at;
        refuse(status == LOAM_UNKNOWN_PARAMETER ? &key_item : place, status, &error);
    }
}

static void read_output(const graph_reader *reader, const item *at) {
    static const char *const fields[] = {"node", "level", NULL};
    if (item_fields(at, fields) != LOAM_OK) {
        return;
    }
    item source_item = item_field(at, "node");
    item level_item = item_field(at, "level");
    loam_text name;
    loam_text source;
    int64_t level = 0;
    if (item_key_name(at, &name) != LOAM_OK || item_text(&source_item, &source) != LOAM_OK ||
        (item_present(&level_item) &&
         item_integer(&level_item, 0, LEVELS_MAX - 1, &level) != LOAM_OK) ||
        names_refused_node(reader, source)) {
        return;
    }
    loam_error error = {0};
    loam_status status = loam_graph_add_output(reader->graph, name, source, (uint8_t)level, &error);
    if (status != LOAM_OK) {
        bool in_source = status == LOAM_UNKNOWN_NODE || status == LOAM_PORT_MISMATCH ||
                         status == LOAM_UNKNOWN_SLOT;
        refuse(in_source ? &source_item : at, status, &error);
    }
}

/* ---- The whole ------------------------------------------------------------------------------ */

static loam_status read_head(const item *document, graph_reader *reader) {
    static const char *const fields[] = {"loam_graph", "slots",      "nodes",
                                         "outputs",    "parameters", NULL};
    LOAM_TRY(item_object(document));
    item_fields(document, fields);
    int64_t version = 0;
    item version_item = item_field(document, "loam_graph");
    LOAM_TRY(item_integer(&version_item, GRAPH_DOCUMENT_VERSION, GRAPH_DOCUMENT_VERSION, &version));
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

static loam_status start_graph(const item *document, const graph_reader *reader) {
    loam_graph_sizes sizes = {
        .nodes = (uint32_t)item_count(&reader->nodes),
        .slots = (uint32_t)item_count(&reader->slots),
        .outputs = (uint32_t)item_count(&reader->outputs),
        .exposed = (uint32_t)item_count(&reader->parameters),
    };
    loam_error error = {0};
    error.status = loam_graph_init(reader->graph, sizes, reader->arena, &error);
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

loam_status graph_parse(const item *document, loam_arena *arena, loam_graph *graph) {
    uint32_t before = document->faults->count;
    graph_reader reader = {.graph = graph, .arena = arena};
    LOAM_TRY(read_head(document, &reader));
    LOAM_TRY(start_graph(document, &reader));
    read_each(&reader, &reader.slots, read_slot);
    read_each(&reader, &reader.nodes, read_node);
    read_each(&reader, &reader.nodes, read_inputs);
    read_each(&reader, &reader.parameters, read_exposed);
    read_each(&reader, &reader.outputs, read_output);
    LOAM_TRY(status_since(document->faults, before));
    loam_error error = {.status = loam_graph_sort(graph)};
    return error.status == LOAM_OK ? LOAM_OK : graph_refuse(document, &error);
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

loam_status graph_read(loam_text json, loam_arena *arena, loam_graph *graph, fault_list *faults) {
    json_t *root = NULL;
    LOAM_TRY(document_read(json, &root, faults));
    item document = document_item(root, faults);
    loam_status status = graph_parse(&document, arena, graph);
    if (status == LOAM_OK) {
        status = graph_check(&document, graph);
    }
    json_decref(root);
    return status;
}
