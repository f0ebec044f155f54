/* SPDX-License-Identifier: MIT
 *
 * graph_ports.c: the inputs of a node. Most operations have a fixed list of ports; one with open
 * ports takes further inputs by names that its user gives (a biome's layers). Those stand behind
 * the fixed ones in order of their names, so that equal nodes are equal structures.
 */
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/graph/graph.h"

loam_text loam_node_input_name(const loam_node *node, uint32_t input) {
    uint32_t fixed = node->operation->port_count;
    return input < fixed ? loam_text_of(node->operation->ports[input].name)
                         : node->open_names[input - fixed];
}

const loam_port_schema *loam_node_input_port(const loam_node *node, uint32_t input) {
    return input < node->operation->port_count ? &node->operation->ports[input]
                                               : node->operation->open_port;
}

/* Where a name stands among the open ports, or belongs. */
static uint32_t place_of(const loam_node *node, loam_text name) {
    uint32_t at = 0;
    while (at < node->open_count && loam_text_compare(node->open_names[at], name) < 0) {
        at++;
    }
    return at;
}

static loam_status check_new_port(const loam_node *node, loam_text name, const char *pointer,
                                  loam_error *error) {
    if (!text_is_name(name)) {
        return loam_fail(error, LOAM_BAD_NAME, pointer,
                         "a port's name is [a-z0-9][a-z0-9._-]{0,63}");
    }
    if (loam_node_input_count(node) >= PORTS_MAX) {
        return loam_fail(error, LOAM_TOO_MANY, pointer, "a node has at most %d inputs", PORTS_MAX);
    }
    return LOAM_OK;
}

/* Arrays with one place more; the old ones stay in the arena, as graphs are small. */
static loam_status insert_port(loam_node *node, uint32_t at, loam_text name,
                               const loam_source *source, loam_arena *arena, loam_error *error) {
    uint32_t fixed = node->operation->port_count, count = node->open_count;
    loam_source *inputs = loam_arena_take(arena, fixed + count + 1u, sizeof *inputs);
    loam_text *names = loam_arena_take(arena, count + 1u, sizeof *names);
    LOAM_TRY_MEMORY(inputs, error);
    LOAM_TRY_MEMORY(names, error);
    for (uint32_t i = 0; i < fixed + count; i++) {
        inputs[i + (i >= fixed + at)] = node->inputs[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        names[i + (i >= at)] = node->open_names[i];
    }
    loam_status status = text_copy(name, arena, &names[at]);
    if (status != LOAM_OK) {
        return loam_fail(error, status, NULL, "%s", loam_status_text(status));
    }
    inputs[fixed + at] = *source;
    node->inputs = inputs;
    node->open_names = names;
    node->open_count = count + 1;
    return LOAM_OK;
}

loam_status node_open_port(loam_node *node, loam_text name, const loam_source *source,
                           loam_arena *arena, const char *pointer, loam_error *error) {
    uint32_t at = place_of(node, name);
    if (at < node->open_count && loam_text_equal(node->open_names[at], name)) {
        node->inputs[node->operation->port_count + at] = *source;
        return LOAM_OK;
    }
    LOAM_TRY(check_new_port(node, name, pointer, error));
    return insert_port(node, at, name, source, arena, error);
}
