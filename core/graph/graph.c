/* SPDX-License-Identifier: MIT
 *
 * graph.c: building a graph part by part. What one part can be wrong in is found here; what needs
 * the whole graph is found by graph_check.c.
 */
#include "core/graph/graph.h"

#include "core/base/limits.h"
#include "core/base/mix.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/ops/operation.h"

#include <stdio.h>
#include <string.h>

static const char *const port_kind_names[] = {"none",  "points",  "heightfield", "lines",
                                              "areas", "spatial", "rules"};

const char *loam_port_kind_name(loam_port_kind kind) {
    return (unsigned)kind < sizeof port_kind_names / sizeof port_kind_names[0]
               ? port_kind_names[kind]
               : "none";
}

loam_port_kind loam_port_kind_find(loam_text name) {
    for (unsigned i = 1; i < sizeof port_kind_names / sizeof port_kind_names[0]; i++) {
        if (loam_text_equal(name, loam_text_of(port_kind_names[i]))) {
            return (loam_port_kind)i;
        }
    }
    return LOAM_PORT_NONE;
}

loam_status loam_graph_init(loam_graph *graph, loam_graph_sizes sizes, loam_arena *arena,
                            loam_error *error) {
    if (sizes.nodes > NODES_MAX) {
        return loam_fail(error, LOAM_TOO_MANY, "/nodes", "%u nodes are more than %d", sizes.nodes,
                         NODES_MAX);
    }
    if (sizes.slots > SLOTS_MAX || sizes.outputs > OUTPUTS_MAX || sizes.exposed > EXPOSED_MAX) {
        return loam_fail(error, LOAM_TOO_MANY, NULL,
                         "at most %d slots, %d outputs and %d parameters", SLOTS_MAX, OUTPUTS_MAX,
                         EXPOSED_MAX);
    }
    *graph = (loam_graph){
        .nodes = loam_arena_take_zero(arena, sizes.nodes + 1, sizeof(loam_node)),
        .slots = loam_arena_take_zero(arena, sizes.slots + 1, sizeof(loam_slot)),
        .outputs = loam_arena_take_zero(arena, sizes.outputs + 1, sizeof(loam_output)),
        .exposed = loam_arena_take_zero(arena, sizes.exposed + 1, sizeof(loam_exposed)),
        .node_capacity = sizes.nodes,
        .slot_capacity = sizes.slots,
        .output_capacity = sizes.outputs,
        .exposed_capacity = sizes.exposed,
        .arena = arena,
    };
    LOAM_TRY_MEMORY(graph->nodes, error);
    LOAM_TRY_MEMORY(graph->slots, error);
    LOAM_TRY_MEMORY(graph->outputs, error);
    LOAM_TRY_MEMORY(graph->exposed, error);
    return LOAM_OK;
}

/* Finds a name in an array of structs that begin with it. */
#define FIND_NAME(array, count, name)                                                              \
    do {                                                                                           \
        for (uint32_t i = 0; i < (count); i++) {                                                   \
            if (loam_text_equal((array)[i].name, (name))) {                                        \
                return (int32_t)i;                                                                 \
            }                                                                                      \
        }                                                                                          \
        return -1;                                                                                 \
    } while (0)

int32_t loam_graph_find_node(const loam_graph *graph, loam_text name) {
    FIND_NAME(graph->nodes, graph->node_count, name);
}

int32_t loam_graph_find_slot(const loam_graph *graph, loam_text name) {
    FIND_NAME(graph->slots, graph->slot_count, name);
}

int32_t loam_graph_find_output(const loam_graph *graph, loam_text name) {
    FIND_NAME(graph->outputs, graph->output_count, name);
}

/* What every new part goes through: a legal name, not taken, and room. */
static loam_status check_new(const char *section, loam_text name, bool legal, int32_t found,
                             uint32_t count, uint32_t capacity, loam_error *error) {
    pointer_text pointer = pointer_to(section, name, NULL, NULL);
    if (!legal) {
        /* It is no path either: the pointer says it as it is. */
        pointer = (pointer_text){""};
        pointer_append(&pointer, loam_text_of(section));
        pointer_append(&pointer, name);
        return loam_fail(error, LOAM_BAD_NAME, pointer.text,
                         "a name is [a-z0-9][a-z0-9._-]{0,63}; a node's has no dot");
    }
    if (found >= 0) {
        return loam_fail(error, LOAM_DUPLICATE, pointer.text, "the name %.*s is taken",
                         TEXT_ARGS(name));
    }
    if (count >= capacity) {
        return loam_fail(error, LOAM_TOO_MANY, pointer.text, "there is room for %u", capacity);
    }
    return LOAM_OK;
}

static loam_status copy_name(loam_text name, loam_arena *arena, loam_text *copy,
                             loam_error *error) {
    loam_status status = text_copy(name, arena, copy);
    return status == LOAM_OK ? LOAM_OK
                             : loam_fail(error, status, NULL, "%s", loam_status_text(status));
}

loam_status loam_graph_add_slot(loam_graph *graph, loam_text name, loam_port_kind kind,
                                loam_error *error) {
    LOAM_TRY(check_new("slots", name, text_is_name(name), loam_graph_find_slot(graph, name),
                       graph->slot_count, graph->slot_capacity, error));
    if (kind == LOAM_PORT_NONE || kind == LOAM_PORT_SPATIAL) {
        return loam_fail(error, LOAM_WRONG_TYPE, pointer_to("slots", name, NULL, NULL).text,
                         "a slot is heightfield, lines, areas, points or rules");
    }
    loam_slot *slot = &graph->slots[graph->slot_count];
    slot->kind = kind;
    LOAM_TRY(copy_name(name, graph->arena, &slot->name, error));
    graph->slot_count++;
    return LOAM_OK;
}

static loam_status find_operation(loam_text node, loam_text name, uint16_t version,
                                  const loam_operation **operation, loam_error *error) {
    *operation = loam_operation_find(name, version);
    if (*operation != NULL) {
        return LOAM_OK;
    }
    if (loam_operation_find(name, 0) == NULL) {
        return loam_fail(error, LOAM_UNKNOWN_OPERATION, pointer_to("nodes", node, "op", NULL).text,
                         "no operation is called %.*s", TEXT_ARGS(name));
    }
    return loam_fail(error, LOAM_VERSION_UNAVAILABLE,
                     pointer_to("nodes", node, "version", NULL).text,
                     "this build has no version %u of %.*s", version, TEXT_ARGS(name));
}

static loam_status add_node(loam_graph *graph, loam_text name, bool legal, loam_text operation,
                            uint16_t version, loam_error *error) {
    LOAM_TRY(check_new("nodes", name, legal, loam_graph_find_node(graph, name), graph->node_count,
                       graph->node_capacity, error));
    loam_node node = {0};
    LOAM_TRY(find_operation(name, operation, version, &node.operation, error));
    LOAM_TRY(copy_name(name, graph->arena, &node.name, error));
    node.params =
        loam_arena_take(graph->arena, node.operation->param_count + 1u, sizeof *node.params);
    node.inputs =
        loam_arena_take_zero(graph->arena, node.operation->port_count + 1u, sizeof *node.inputs);
    LOAM_TRY_MEMORY(node.params, error);
    LOAM_TRY_MEMORY(node.inputs, error);
    for (uint32_t i = 0; i < node.operation->param_count; i++) {
        const loam_param_schema *schema = &node.operation->params[i];
        LOAM_TRY(loam_value_default(schema, graph->arena, &node.params[i], error));
    }
    graph->nodes[graph->node_count++] = node;
    return LOAM_OK;
}

loam_status loam_graph_add_node(loam_graph *graph, loam_text name, loam_text operation,
                                uint16_t version, loam_error *error) {
    return add_node(graph, name, text_is_node_name(name), operation, version, error);
}

loam_status loam_graph_add_inlined(loam_graph *graph, loam_text name, loam_text operation,
                                   uint16_t version, loam_error *error) {
    return add_node(graph, name, text_is_node_path(name), operation, version, error);
}

uint64_t loam_inlined_seed(uint64_t outer, uint64_t inner) {
    return mix_pair(outer, inner);
}

/* The node that a builder call names. */
static loam_status find_named(const loam_graph *graph, loam_text name, loam_node **node,
                              loam_error *error) {
    int32_t index = loam_graph_find_node(graph, name);
    if (index < 0) {
        return loam_fail(error, LOAM_UNKNOWN_NODE, pointer_to("nodes", name, NULL, NULL).text,
                         "no node is called %.*s", TEXT_ARGS(name));
    }
    *node = &graph->nodes[index];
    return LOAM_OK;
}

/* Reads "$slot", "node" or "node#side". */
static loam_status parse_source(const loam_graph *graph, loam_text text, const char *pointer,
                                loam_source *source, loam_error *error) {
    if (text.size > 0 && text.bytes[0] == '$') {
        int32_t slot = loam_graph_find_slot(graph, (loam_text){text.bytes + 1, text.size - 1});
        if (slot < 0) {
            return loam_fail(error, LOAM_UNKNOWN_SLOT, pointer, "no slot is called %.*s",
                             TEXT_ARGS(text));
        }
        *source = (loam_source){.kind = LOAM_SOURCE_SLOT, .index = (uint32_t)slot};
        return LOAM_OK;
    }
    const char *hash = text.size == 0 ? NULL : memchr(text.bytes, '#', text.size);
    loam_text name = text;
    loam_side side = LOAM_SIDE_ALL;
    if (hash != NULL) {
        loam_text ending = {hash, text.size - (size_t)(hash - text.bytes)};
        name.size = (size_t)(hash - text.bytes);
        side = loam_text_equal(ending, loam_text_of("#true")) ? LOAM_SIDE_TRUE : LOAM_SIDE_FALSE;
        if (side == LOAM_SIDE_FALSE && !loam_text_equal(ending, loam_text_of("#false"))) {
            return loam_fail(error, LOAM_UNKNOWN_NODE, pointer,
                             "a branch's sides are #true and #false");
        }
    }
    int32_t node = loam_graph_find_node(graph, name);
    if (node < 0) {
        return loam_fail(error, LOAM_UNKNOWN_NODE, pointer, "no node is called %.*s",
                         TEXT_ARGS(name));
    }
    *source = (loam_source){LOAM_SOURCE_NODE, side, (uint32_t)node};
    return LOAM_OK;
}

loam_status loam_graph_connect(loam_graph *graph, loam_text node, loam_text port, loam_text source,
                               loam_error *error) {
    loam_node *found = NULL;
    LOAM_TRY(find_named(graph, node, &found, error));
    int32_t index = operation_port(found->operation, port);
    char key[NAME_BYTES_MAX + 1];
    snprintf(key, sizeof key, "%.*s", TEXT_ARGS(port));
    pointer_text pointer = pointer_to("nodes", node, "in", key);
    if (index >= 0) {
        return parse_source(graph, source, pointer.text, &found->inputs[index], error);
    }
    if (found->operation->open_port == NULL) {
        return loam_fail(error, LOAM_UNKNOWN_PORT, pointer.text, "%s has no port %s",
                         found->operation->name, key);
    }
    loam_source parsed;
    LOAM_TRY(parse_source(graph, source, pointer.text, &parsed, error));
    return node_open_port(found, port, &parsed, graph->arena, pointer.text, error);
}

loam_status loam_graph_set(loam_graph *graph, loam_text node, loam_text key,
                           const loam_value *value, loam_error *error) {
    loam_node *found = NULL;
    LOAM_TRY(find_named(graph, node, &found, error));
    int32_t index = operation_param(found->operation, key);
    char name[NAME_BYTES_MAX + 1];
    snprintf(name, sizeof name, "%.*s", TEXT_ARGS(key));
    pointer_text pointer = pointer_to("nodes", node, "params", name);
    if (index < 0) {
        return loam_fail(error, LOAM_UNKNOWN_PARAMETER, pointer.text, "%s has no parameter %s",
                         found->operation->name, name);
    }
    LOAM_TRY(value_check(&found->operation->params[index], value, pointer.text, error));
    loam_value copy;
    loam_status status = value_copy(value, graph->arena, &copy);
    if (status != LOAM_OK) {
        return loam_fail(error, status, pointer.text, "%s", loam_status_text(status));
    }
    found->params[index] = copy;
    return LOAM_OK;
}

loam_status loam_graph_pin_seed(loam_graph *graph, loam_text node, uint64_t seed,
                                loam_error *error) {
    loam_node *found = NULL;
    LOAM_TRY(find_named(graph, node, &found, error));
    found->seed_pinned = true;
    found->seed = seed;
    return LOAM_OK;
}

loam_status loam_graph_expose(loam_graph *graph, loam_text name, loam_text node, loam_text key,
                              loam_error *error) {
    int32_t found = -1;
    for (uint32_t i = 0; i < graph->exposed_count; i++) {
        found = loam_text_equal(graph->exposed[i].name, name) ? (int32_t)i : found;
    }
    LOAM_TRY(check_new("parameters", name, text_is_name(name), found, graph->exposed_count,
                       graph->exposed_capacity, error));
    int32_t index = loam_graph_find_node(graph, node);
    if (index < 0) {
        return loam_fail(error, LOAM_UNKNOWN_NODE,
                         pointer_to("parameters", name, "node", NULL).text,
                         "no node is called %.*s", TEXT_ARGS(node));
    }
    int32_t param = operation_param(graph->nodes[index].operation, key);
    if (param < 0) {
        return loam_fail(
            error, LOAM_UNKNOWN_PARAMETER, pointer_to("parameters", name, "key", NULL).text,
            "%s has no parameter %.*s", graph->nodes[index].operation->name, TEXT_ARGS(key));
    }
    loam_exposed *exposed = &graph->exposed[graph->exposed_count];
    *exposed = (loam_exposed){.node = (uint32_t)index, .param = (uint32_t)param};
    LOAM_TRY(copy_name(name, graph->arena, &exposed->name, error));
    graph->exposed_count++;
    return LOAM_OK;
}

loam_status loam_graph_add_output(loam_graph *graph, loam_text name, loam_text source,
                                  uint8_t level, loam_error *error) {
    LOAM_TRY(check_new("outputs", name, text_is_name(name), loam_graph_find_output(graph, name),
                       graph->output_count, graph->output_capacity, error));
    pointer_text pointer = pointer_to("outputs", name, "node", NULL);
    loam_source parsed;
    LOAM_TRY(parse_source(graph, source, pointer.text, &parsed, error));
    if (parsed.kind != LOAM_SOURCE_NODE) {
        return loam_fail(error, LOAM_PORT_MISMATCH, pointer.text, "an output is a node's result");
    }
    loam_output *output = &graph->outputs[graph->output_count];
    *output = (loam_output){.node = parsed.index, .side = parsed.side, .level = level};
    LOAM_TRY(copy_name(name, graph->arena, &output->name, error));
    graph->output_count++;
    return LOAM_OK;
}
