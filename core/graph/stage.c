/* SPDX-License-Identifier: MIT
 *
 * stage.c: where the points of nodes are, whatever is asked of them. Most are everywhere; those of
 * some samplers, of boxes and of given points have bounds, and so has what is made of them. A
 * staged port asks its source for all of them.
 */
#include "core/graph/graph.h"
#include "core/graph/plan.h"

bool port_is_staged(const loam_node *node, uint32_t port) {
    return (operation_code_of(node->operation)->staged >> port & 1) != 0;
}

void domains_of_inputs(const loam_node *node, const node_domain *domains, node_domain *inputs) {
    for (uint32_t p = 0; p < loam_node_input_count(node); p++) {
        bool known = node->inputs[p].kind == LOAM_SOURCE_NODE;
        inputs[p] = known ? domains[node->inputs[p].index] : (node_domain){false, {0, 0, 0, 0}};
    }
}

/* The assets of a node's slots, those that are there. */
static void assets_of(const loam_node *node, const loam_asset *slots, const loam_asset **assets) {
    for (uint32_t p = 0; p < loam_node_input_count(node); p++) {
        bool bound = slots != NULL && node->inputs[p].kind == LOAM_SOURCE_SLOT &&
                     slots[node->inputs[p].index].kind != LOAM_PORT_NONE;
        assets[p] = bound ? &slots[node->inputs[p].index] : NULL;
    }
}

/* Points of a node stand where those of its first port of points do. */
static node_domain domain_passed_on(const loam_node *node, const node_domain *inputs) {
    for (uint32_t p = 0; p < loam_node_input_count(node); p++) {
        const loam_port_schema *port = loam_node_input_port(node, p);
        if (port->kind == LOAM_PORT_POINTS && !port->aside) {
            return inputs[p];
        }
    }
    return (node_domain){false, {0, 0, 0, 0}};
}

static bool has_end(int64_t low, int64_t high) {
    return low != END_FREE_LOW && high != END_FREE_HIGH;
}

/* An extent is closed. */
static node_domain domain_of_extent(const volume_extent *extent) {
    bool bounded = has_end(extent->low[SPACE_X], extent->high[SPACE_X]) &&
                   has_end(extent->low[SPACE_Z], extent->high[SPACE_Z]);
    if (!bounded) {
        return (node_domain){false, {0, 0, 0, 0}};
    }
    return (node_domain){true,
                         {extent->low[SPACE_X], extent->low[SPACE_Z], extent->high[SPACE_X] + 1,
                          extent->high[SPACE_Z] + 1}};
}

/* A spatial value says where it ends by its cost, and of its inputs' it needs the same alone. */
static volume_extent extent_of(const loam_node *node, const volume_extent *extents) {
    node_cost inputs[PORTS_MAX] = {{0}}, cost = {0};
    for (uint32_t p = 0; p < loam_node_input_count(node); p++) {
        if (node->inputs[p].kind == LOAM_SOURCE_NODE) {
            inputs[p].extent = extents[node->inputs[p].index];
        }
    }
    operation_code_of(node->operation)->cost(node, (loam_rect){0, 0, 1, 1}, inputs, &cost);
    return cost.extent;
}

static node_domain domain_of_points(const loam_node *node, const loam_asset *slots,
                                    const node_domain *domains) {
    const operation_code *code = operation_code_of(node->operation);
    node_domain inputs[PORTS_MAX];
    const loam_asset *assets[PORTS_MAX];
    domains_of_inputs(node, domains, inputs);
    assets_of(node, slots, assets);
    return code->domain != NULL ? code->domain(node, inputs, assets)
                                : domain_passed_on(node, inputs);
}

void graph_domains(const loam_graph *graph, const uint32_t *order, const loam_asset *slots,
                   node_domain *domains) {
    volume_extent extents[NODES_MAX];
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const uint32_t n = order[i];
        if (graph->nodes[n].operation->gives == LOAM_PORT_SPATIAL) {
            extents[n] = extent_of(&graph->nodes[n], extents);
            domains[n] = domain_of_extent(&extents[n]);
        } else {
            extents[n] = extent_free();
            domains[n] = domain_of_points(&graph->nodes[n], slots, domains);
        }
    }
}
