/* SPDX-License-Identifier: MIT
 *
 * poisson.c: poisson.sample, blue noise over the whole world: candidates on a lattice of half the
 * radius, thinned by the rounds of self.prune until no two are closer than it. Both are what the
 * lattice sampler and self.prune do, with one seed.
 */
#include "core/base/mix.h"
#include "core/base/try.h"
#include "core/ops/prune.h"
#include "core/ops/sample.h"
#include "core/space/heightfield.h"

enum { POISSON_RADIUS, POISSON_ROUNDS };

/* A compact copy, a rival, lists and marks; candidates are counted apart. */
enum { POISSON_BYTES_EACH = 160 };

static const loam_port_schema poisson_ports[] = {
    {"surface", LOAM_PORT_HEIGHTFIELD, false, 0, false}};

static const loam_param_schema poisson_params[] = {
    PARAM("radius_m", "Radius", "m", FLOAT, BITS_UNITS,
          LOAM_PARAM_REQUIRED | LOAM_PARAM_ROUND_UP | LOAM_PARAM_NONZERO, 0, 1, 1 << 18, 16,
          "No two points are closer than this."),
    PARAM("rounds", "Rounds", "", INT, 0, LOAM_PARAM_ADVANCED, 4, 1, PRUNE_ROUNDS_MAX, 1,
          "Rounds of pruning: more fill the last gaps and reach farther."),
};

/* Half the radius, never less: so the stencil of the lattice path reaches far enough. */
static int64_t spacing_of(const loam_node *node) {
    return (param_integer(node, POISSON_RADIUS) + 1) / 2;
}

static int64_t poisson_reach(const loam_node *node) {
    return prune_rule_reach(param_integer(node, POISSON_RADIUS),
                            param_integer(node, POISSON_ROUNDS));
}

static loam_rect rect_grown(const loam_node *node, loam_rect rect) {
    int64_t reach = poisson_reach(node);
    return (loam_rect){rect.x0 - reach, rect.z0 - reach, rect.x1 + reach, rect.z1 + reach};
}

static void poisson_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                         node_cost *cost) {
    (void)inputs;
    sample_lattice_cost(spacing_of(node), rect_grown(node, rect), cost);
    cost->bytes =
        add_saturated(cost->bytes, multiply_saturated(cost->candidates, POISSON_BYTES_EACH));
    prune_add_tests(cost, param_integer(node, POISSON_RADIUS), cost);
}

/* Candidates around the rectangle stand on the surface too. */
static loam_status poisson_see(const loam_node *node, uint32_t port, loam_rect rect,
                               const loam_asset *asset, byte_writer *writer, loam_arena *scratch) {
    (void)port;
    (void)scratch;
    heightfield_see(asset->heightfield, rect_grown(node, rect), writer);
    return LOAM_OK;
}

static loam_status poisson_evaluate(node_call *call) {
    const sample_rule sites = {spacing_of(call->node), 1 << BITS_RATIO, LOAM_DENSITY_ONE};
    const prune_rule rule = {
        .conflict = param_integer(call->node, POISSON_RADIUS),
        .rounds = (uint32_t)param_integer(call->node, POISSON_ROUNDS),
        .priority_key = draw_key(call->seed, DRAW_PRIORITY),
    };
    point_set candidates;
    fresh_columns columns;
    node_call around = *call;
    around.rect = rect_grown(call->node, call->rect);
    around.out = &candidates;
    LOAM_TRY(sample_lattice(&around, &sites, &columns));
    LOAM_TRY(sample_ground(&around, call->assets[0], &columns));
    return prune_points(call, &candidates, &rule);
}

const loam_operation poisson_sample_operation = {
    .name = "poisson.sample",
    .version = 1,
    .category = "sampling",
    .title = "Poisson sample",
    .description = "Blue noise over the world: evenly spread points that are never closer than "
                   "the radius, on a surface or at height 0.",
    .reach = "(2 rounds - 1) (radius - 1 unit)",
    .ports = poisson_ports,
    .port_count = COUNT_OF(poisson_ports),
    .params = poisson_params,
    .param_count = COUNT_OF(poisson_params),
    .seeded = true,
};
const operation_code poisson_sample_code = {
    .reach = poisson_reach, .cost = poisson_cost, .see = poisson_see, .evaluate = poisson_evaluate};
