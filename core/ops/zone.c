/* SPDX-License-Identifier: MIT
 *
 * zone.c: zone.exclude, the hard veto. It comes after pruning, so that moving a zone changes only
 * what is inside it. Zones do not grow the rectangle asked: a zone's own bounds grow by its margin.
 */
#include "core/base/try.h"
#include "core/ops/operation.h"
#include "core/space/areas.h"

enum { ZONE_POINTS, ZONE_ZONES };
enum { ZONE_MARGIN, ZONE_INVERT };

/* Live, a compact copy of the columns, marks. */
enum { ZONE_BYTES_EACH = 80 };

static const loam_port_schema zone_ports[] = {
    {"points", LOAM_PORT_POINTS, true, 0, false},
    {"zones", LOAM_PORT_AREAS, true, 0, false},
};

static const loam_param_schema zone_params[] = {
    PARAM("margin_m", "Margin", "m", FLOAT, BITS_UNITS, LOAM_PARAM_ROUND_UP, 0, 0,
          ZONE_MARGIN_UNITS_MAX, 64,
          "Points closer to a zone than this are dropped too; a "
          "feature's own margin_m adds to it."),
    PARAM_INVERT,
};

static areas_view zone_view(const loam_node *node) {
    return (areas_view){.margin_units = param_integer(node, ZONE_MARGIN), .feature_margin = true};
}

static void zone_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                      node_cost *cost) {
    (void)node;
    (void)rect;
    cost_of_columns(&inputs[0], ZONE_BYTES_EACH, cost);
}

static loam_status zone_see(const loam_node *node, uint32_t port, loam_rect rect,
                            const loam_asset *asset, byte_writer *writer, loam_arena *scratch) {
    (void)port;
    areas_view view = zone_view(node);
    return areas_key_write(writer, asset->areas, &view, rect, false, scratch);
}

/* Points times edges in sight; bands make it far less, but this is a bound. */
static loam_status check_tests(const node_call *call, const point_set *set,
                               const areas_view *view) {
    const loam_areas *areas = call->assets[ZONE_ZONES]->areas;
    uint64_t edges = areas_edge_count(areas, view, call->rect);
    uint64_t tests = multiply_saturated(edges, set->count);
    if (tests > TESTS_PER_CELL_MAX) {
        return loam_fail(
            call->error, LOAM_BUDGET_EXCEEDED, call->pointer,
            "%llu segment tests are more than %llu; use smaller cells or simpler zones",
            (unsigned long long)tests, (unsigned long long)TESTS_PER_CELL_MAX);
    }
    return LOAM_OK;
}

static loam_status zone_evaluate(node_call *call) {
    point_set *out = call->out;
    if (point_set_compact(call->inputs[ZONE_POINTS], call->arena, out) != LOAM_OK) {
        return loam_fail(call->error, LOAM_ARENA_FULL, NULL, "%s",
                         loam_status_text(LOAM_ARENA_FULL));
    }
    areas_view view = zone_view(call->node);
    LOAM_TRY(check_tests(call, out, &view));
    uint8_t *inside = COLUMN_TAKE(call->arena, out->count, uint8_t);
    uint32_t *live = COLUMN_TAKE(call->arena, out->count, uint32_t);
    LOAM_TRY_MEMORY(inside, call->error);
    LOAM_TRY_MEMORY(live, call->error);
    const areas_points points = {out->base_x, out->base_z, out->x, out->z, out->count};
    loam_status status =
        areas_veto(call->assets[ZONE_ZONES]->areas, &view, &points, inside, call->arena);
    if (status != LOAM_OK) {
        return loam_fail(call->error, status, call->pointer, "%s", loam_status_text(status));
    }
    bool keep = param_integer(call->node, ZONE_INVERT) != 0;
    for (uint32_t i = 0; i < out->count; i++) {
        live[i] = (inside[i] != 0) == keep ? UINT32_MAX : 0;
    }
    out->live = live;
    call->path = "compact";
    return poll_cancel(call);
}

static void zone_explain(node_call *call, uint32_t port, uint32_t row, node_reason *reason) {
    (void)call;
    (void)port;
    (void)row;
    reason->word = "zone";
}

const loam_operation zone_exclude_operation = {
    .name = "zone.exclude",
    .version = 1,
    .category = "filters",
    .title = "Zone veto",
    .description = "Drops points inside zones, on their border, or closer to them than the margin.",
    .reach = "0; a zone's own bounds grow by its margin",
    .ports = zone_ports,
    .port_count = COUNT_OF(zone_ports),
    .params = zone_params,
    .param_count = COUNT_OF(zone_params),
};
const operation_code zone_exclude_code = {
    .cost = zone_cost, .see = zone_see, .evaluate = zone_evaluate, .explain = zone_explain};
