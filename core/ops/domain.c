/* SPDX-License-Identifier: MIT
 *
 * domain.c: see domain.h.
 */
#include "core/ops/domain.h"

#include "core/base/try.h"
#include "core/ops/asked.h"
#include "core/space/heightfield.h"
#include "core/space/lines.h"

loam_status domain_take(node_call *call, uint32_t port, const volume **domain) {
    if (call->volumes[port] != NULL) {
        *domain = call->volumes[port];
        return LOAM_OK;
    }
    const loam_asset *asset = call->assets[port];
    volume_part part = {.owner = &call->node->inputs[port], .extent = extent_free()};
    if (asset->kind == LOAM_PORT_AREAS) {
        part.kind = VOLUME_PRISM;
        part.of.areas = asset->areas;
    } else {
        part.kind = VOLUME_GROUND;
        part.of.ground = asset->heightfield;
    }
    return node_fail(call, volume_of_part(&part, call->arena, domain));
}

node_cost domain_cost(const loam_node *node, uint32_t port, const node_cost *inputs) {
    if (node->inputs[port].kind == LOAM_SOURCE_NODE) {
        return inputs[port];
    }
    return (node_cost){.parts = 1, .extent = extent_free()};
}

void domain_add_cost(const node_cost *domain, uint64_t count, node_cost *cost) {
    cost->tests = add_saturated(cost->tests, multiply_saturated(count, domain->point_tests));
    cost->bytes = add_saturated(cost->bytes, multiply_saturated(count, DOMAIN_BYTES_EACH));
    cost->bytes = add_saturated(cost->bytes, volume_scratch_bytes(domain->parts));
}

loam_status domain_see(const loam_node *node, uint32_t port, loam_rect rect,
                       const loam_asset *asset, byte_writer *writer, loam_arena *scratch) {
    (void)node;
    (void)port;
    write_u8(writer, (uint8_t)asset->kind);
    if (asset->kind == LOAM_PORT_HEIGHTFIELD) {
        heightfield_see(asset->heightfield, rect, writer);
        return LOAM_OK;
    }
    const areas_view view = {0};
    return areas_key_write(writer, asset->areas, &view, rect, false, scratch);
}

/* Edges and segments that a point may have to look at, over all parts. */
static uint64_t edges_in_sight(const volume *domain, loam_rect rect) {
    const areas_view view = {0};
    uint64_t edges = 0;
    for (uint32_t i = 0; i < domain->part_count; i++) {
        const volume_part *part = &domain->parts[i];
        if (part->kind == VOLUME_PRISM) {
            edges += areas_edge_count(part->of.areas, &view, rect);
        } else if (part->kind == VOLUME_TUBE) {
            edges += lines_segment_count(part->of.lines, rect, part->radius);
        }
    }
    return edges;
}

loam_status domain_hold(node_call *call, const volume *domain, const volume_points *points,
                        uint8_t *inside) {
    uint64_t tests = multiply_saturated(edges_in_sight(domain, call->rect), points->count);
    if (tests > TESTS_PER_CELL_MAX) {
        return loam_fail(call->error, LOAM_BUDGET_EXCEEDED, call->pointer,
                         "%llu segment tests are more than %llu; use smaller cells or simpler "
                         "shapes",
                         (unsigned long long)tests, (unsigned long long)TESTS_PER_CELL_MAX);
    }
    loam_status status = volume_hold(domain, points, call->run->level, inside, call->arena);
    if (status == LOAM_BUDGET_EXCEEDED) {
        return loam_fail(call->error, status, call->pointer,
                         "%u points are tested against more than %llu centers of balls; use a "
                         "smaller radius, fewer points or smaller cells",
                         points->count, (unsigned long long)TESTS_PER_CELL_MAX);
    }
    LOAM_TRY(node_fail(call, status));
    return poll_cancel(call);
}
