/* SPDX-License-Identifier: MIT
 *
 * graph_nodes.c: the first pass over a graph document: slots, nodes, parameters, seeds.
 */
#include "api/wire/graph_reader.h"

#include "api/wire/unknown.h"
#include "api/wire/value.h"
#include "core/base/try.h"

void graph_read_slot(const graph_reader *reader, const item *at) {
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
        graph_refuse_part(at, status, &error);
    }
}

static loam_status find_operation(const item *node, const loam_operation **operation) {
    item op = item_field(node, "op");
    item version = item_field(node, "version");
    loam_text name;
    int64_t number = 0;
    LOAM_TRY(item_text(&op, &name));
    if (loam_operation_find(name, 0) == NULL) {
        return unknown_operation(&op);
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
        unknown_param(at, operation->name, operation->params, operation->param_count);
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
        graph_refuse_part(at, status, &error);
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
        graph_refuse_part(at, status, &error);
    }
}

void graph_read_node(const graph_reader *reader, const item *at) {
    static const char *const fields[] = {"op", "in", "params", "version", "seed", NULL};
    if (item_object(at) != LOAM_OK) {
        return;
    }
    if (subgraph_stands_at(at)) {
        subgraph_read(reader, at);
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
        graph_refuse_part(at, status, &error);
        return;
    }
    item params = item_field(at, "params");
    item seed = item_field(at, "seed");
    read_params(reader, name, operation, &params);
    read_seed(reader, name, &seed);
}
