/* SPDX-License-Identifier: MIT
 *
 * distance.c: see distance.h.
 */
#include "core/ops/distance.h"

#include "core/base/fixed_math.h"
#include "core/base/try.h"
#include "core/points/near_grid.h"
#include "core/space/lines.h"
#include "core/space/sites.h"

#include <string.h>

/* What a search among a node's points is expected to look at; the truth is counted as it goes. */
enum { NEAR_TESTS_EACH = 32 };
/* Points between two looks at the cancel flag. */
enum { MEASURE_BLOCK = 4096 };

const loam_port_schema distance_ports[DISTANCE_PORTS] = {
    {"points", LOAM_PORT_POINTS, true, 0, false},
    {"to", LOAM_PORT_LINES, true, 1 << LOAM_PORT_AREAS | 1 << LOAM_PORT_POINTS, true},
};

static loam_status check_tests(const node_call *call, uint64_t tests) {
    if (tests > TESTS_PER_CELL_MAX) {
        return loam_fail(call->error, LOAM_BUDGET_EXCEEDED, call->pointer,
                         "%llu distance tests are more than %llu; use smaller cells or a shorter "
                         "distance",
                         (unsigned long long)tests, (unsigned long long)TESTS_PER_CELL_MAX);
    }
    return LOAM_OK;
}

/* Parts of the asset in sight: each point meets at most so many. */
static uint64_t parts_in_sight(const loam_asset *asset, loam_rect rect, int64_t limit) {
    switch (asset->kind) {
    case LOAM_PORT_AREAS: {
        const areas_view view = {.width_units = limit};
        return areas_edge_count(asset->areas, &view, rect);
    }
    case LOAM_PORT_LINES:
        return lines_segment_count(asset->lines, rect, limit - 1);
    default:
        return sites_count_inside(asset->sites, rect, limit - 1);
    }
}

static loam_status measure_asset(node_call *call, const areas_points *places, int64_t limit,
                                 uint8_t *inside, uint64_t *distance2) {
    const loam_asset *asset = call->assets[DISTANCE_TO];
    uint64_t parts = parts_in_sight(asset, call->rect, limit);
    LOAM_TRY(check_tests(call, multiply_saturated(parts, places->count)));
    switch (asset->kind) {
    case LOAM_PORT_AREAS:
        call->path = "areas";
        return areas_nearest(asset->areas, limit, places, inside, distance2, call->arena);
    case LOAM_PORT_LINES:
        call->path = "lines";
        return lines_nearest(asset->lines, limit, places, distance2, call->arena);
    default:
        call->path = "sites";
        return sites_nearest(asset->sites, limit, places, distance2, call->arena);
    }
}

static loam_status measure_points(node_call *call, const areas_points *places, int64_t limit,
                                  uint64_t *distance2) {
    point_set others;
    near_grid grid;
    loam_rect rect = distance_ask(limit, DISTANCE_TO, call->rect);
    LOAM_TRY(asked_compact(call, DISTANCE_TO, rect, &others));
    LOAM_TRY(node_fail(call, near_grid_build(&others, call->arena, &grid)));
    uint64_t tests = 0;
    for (uint32_t k = 0; k < places->count; k++) {
        uint64_t squared = near_grid_find(&grid, places->base_x + places->x[k],
                                          places->base_z + places->z[k], limit, &tests);
        distance2[k] = squared == UINT64_MAX ? AREA_DISTANCE2_NONE : squared * AREA_DISTANCE2_SCALE;
        LOAM_TRY(check_tests(call, tests));
        if (k % MEASURE_BLOCK == 0) {
            LOAM_TRY(poll_cancel(call));
        }
    }
    call->path = "grid";
    return LOAM_OK;
}

loam_status distance_measure(node_call *call, const asked_points *asked, int64_t limit,
                             int64_t **distance, uint8_t **inside) {
    areas_points places;
    LOAM_TRY(asked_places(call, asked, &places));
    uint64_t *distance2 = COLUMN_TAKE(call->arena, asked->count, uint64_t);
    *inside = COLUMN_TAKE(call->arena, asked->count, uint8_t);
    *distance = COLUMN_TAKE(call->arena, asked->count, int64_t);
    LOAM_TRY_MEMORY(distance2, call->error);
    LOAM_TRY_MEMORY(*inside, call->error);
    LOAM_TRY_MEMORY(*distance, call->error);
    memset(*inside, 0, asked->count);
    if (asked->count > 0) {
        LOAM_TRY(node_fail(call, call->assets[DISTANCE_TO] != NULL
                                     ? measure_asset(call, &places, limit, *inside, distance2)
                                     : measure_points(call, &places, limit, distance2)));
    }
    for (uint32_t k = 0; k < asked->count; k++) {
        bool none = distance2[k] == AREA_DISTANCE2_NONE;
        (*distance)[k] = none ? DISTANCE_NONE : (int64_t)integer_root(distance2[k]);
    }
    return poll_cancel(call);
}

loam_status distance_see(int64_t limit, loam_rect rect, const loam_asset *asset,
                         byte_writer *writer, loam_arena *scratch) {
    switch (asset->kind) {
    case LOAM_PORT_AREAS: {
        const areas_view view = {.width_units = limit};
        return areas_key_write(writer, asset->areas, &view, rect, false, scratch);
    }
    case LOAM_PORT_LINES:
        return lines_key_write(writer, asset->lines, rect, limit - 1, LINES_SHAPE, scratch);
    default:
        return sites_key_write(writer, asset->sites, rect, limit - 1, SITES_PLACES, scratch);
    }
}

loam_rect distance_ask(int64_t limit, uint32_t port, loam_rect rect) {
    int64_t reach = port == DISTANCE_TO ? limit - 1 : 0;
    return (loam_rect){rect.x0 - reach, rect.z0 - reach, rect.x1 + reach, rect.z1 + reach};
}

void distance_cost(const loam_node *node, const node_cost *inputs, uint64_t bytes_each,
                   node_cost *cost) {
    cost_of_columns(&inputs[DISTANCE_POINTS], bytes_each, cost);
    if (node->inputs[DISTANCE_TO].kind == LOAM_SOURCE_NODE) {
        uint64_t others = inputs[DISTANCE_TO].candidates;
        uint64_t each = others < NEAR_TESTS_EACH ? others : NEAR_TESTS_EACH;
        cost->tests = multiply_saturated(inputs[DISTANCE_POINTS].candidates, each);
        cost->bytes = add_saturated(
            cost->bytes, multiply_saturated(others, ASKED_BYTES_EACH + NEAR_GRID_BYTES_EACH));
    }
}
