/* SPDX-License-Identifier: MIT
 *
 * graph_rules.c: whether a document of rules is what the nodes that a slot feeds want. A world can
 * ask when it binds the slot; an evaluation asks again.
 */
#include "core/base/try.h"
#include "core/graph/graph.h"
#include "core/ops/rules.h"

static loam_status check_node(const loam_node *node, const char *pointer, const loam_rules *rules,
                              loam_arena *scratch, loam_error *error) {
    loam_error fault = {0};
    const loam_value *values;
    loam_status status = rules_of_node(node, rules, scratch, &values, &fault);
    return status == LOAM_OK
               ? LOAM_OK
               : loam_fail(error, status, pointer, "rules of %s%s%s: %s", node->operation->name,
                           fault.pointer[0] != 0 ? ", " : "", fault.pointer, fault.text);
}

loam_status loam_graph_check_rules(const loam_graph *graph, uint32_t slot, const loam_rules *rules,
                                   loam_arena *scratch, loam_error *error) {
    pointer_text pointer = pointer_to("slots", graph->slots[slot].name, NULL, NULL);
    for (uint32_t n = 0; n < graph->node_count; n++) {
        const loam_node *node = &graph->nodes[n];
        for (uint32_t p = 0; p < node->operation->port_count; p++) {
            const loam_source *source = &node->inputs[p];
            if (source->kind != LOAM_SOURCE_SLOT || source->index != slot ||
                node->operation->ports[p].kind != LOAM_PORT_RULES) {
                continue;
            }
            size_t mark = loam_arena_mark(scratch);
            loam_status status = check_node(node, pointer.text, rules, scratch, error);
            loam_arena_reset(scratch, mark);
            LOAM_TRY(status);
        }
    }
    return LOAM_OK;
}
