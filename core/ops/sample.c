/* SPDX-License-Identifier: MIT
 *
 * sample.c: grid.sample and surface.sample. Site (i, j) of the world's lattice of spacing s covers
 * [i s, (i + 1) s) x [j s, (j + 1) s) and offers one candidate, jittered inside it, so candidates
 * of two windows are the same candidates. The result holds those in the rectangle asked, no other
 * is live.
 */
#include "core/ops/sample.h"

#include "core/base/fixed_math.h"
#include "core/base/mix.h"
#include "core/base/try.h"
#include "core/ops/operation.h"
#include "core/space/heightfield.h"

#include <string.h>

enum { SAMPLE_SPACING, SAMPLE_JITTER, SAMPLE_DENSITY, GRID_Y };

/* x, z, live, y, and twice the gradient. */
enum { SAMPLE_BYTES_EACH = 24 };

#define SPACING_UNITS_MAX ((int64_t)1 << 20)

#define SAMPLE_PARAMS                                                                              \
    PARAM("spacing_m", "Spacing", "m", FLOAT, BITS_UNITS,                                          \
          LOAM_PARAM_REQUIRED | LOAM_PARAM_ROUND_UP | LOAM_PARAM_NONZERO, 0, 1, SPACING_UNITS_MAX, \
          16, "Side of a lattice cell; each offers one candidate."),                               \
        PARAM(                                                                                     \
            "jitter", "Jitter", "", FLOAT, BITS_RATIO, 0, 65536, 0, 65536, 655,                    \
            "How far a candidate strays in its lattice cell: 0 is its low corner, 1 all of it."),  \
        PARAM("density", "Density", "", FLOAT, BITS_DENSITY, 0, LOAM_DENSITY_ONE, 0,               \
              LOAM_DENSITY_ONE, 1 << 17, "Density that every candidate begins with.")

static const loam_param_schema grid_params[] = {
    SAMPLE_PARAMS,
    PARAM("y_m", "Height", "m", FLOAT, BITS_UNITS, 0, 0, -(1 << 22), 1 << 22, 256,
          "Height of every point."),
};
static const loam_param_schema surface_params[] = {SAMPLE_PARAMS};
static const loam_port_schema surface_ports[] = {
    {"surface", LOAM_PORT_HEIGHTFIELD, true, 0, false}};

/* The lattice that covers a rectangle, its border included. */
static loam_status lattice_over(loam_rect rect, int64_t spacing, site_lattice *lattice) {
    int64_t west = floor_divide(rect.x0, spacing);
    int64_t east = floor_divide(rect.x1 - 1, spacing);
    int64_t south = floor_divide(rect.z0, spacing);
    int64_t north = floor_divide(rect.z1 - 1, spacing);
    lattice->site_x = west - LATTICE_BORDER;
    lattice->site_z = south - LATTICE_BORDER;
    lattice->stride = column_size((uint32_t)(east - west + 1) + 2 * LATTICE_BORDER);
    lattice->rows = (uint32_t)(north - south + 1) + 2 * LATTICE_BORDER;
    lattice->spacing = (int32_t)spacing;
    bool fits = lattice->site_x >= INT32_MIN && lattice->site_z >= INT32_MIN &&
                lattice->site_x + lattice->stride <= INT32_MAX &&
                lattice->site_z + lattice->rows <= INT32_MAX;
    return fits ? LOAM_OK : LOAM_COORDINATE_RANGE;
}

void sample_lattice_cost(int64_t spacing, loam_rect rect, node_cost *cost) {
    uint64_t columns =
        (uint64_t)((rect.x1 - rect.x0) / spacing) + 2 + 2 * LATTICE_BORDER + COLUMN_ALIGNMENT;
    uint64_t rows = (uint64_t)((rect.z1 - rect.z0) / spacing) + 2 + 2 * LATTICE_BORDER;
    cost->candidates = multiply_saturated(columns, rows);
    cost->fresh = cost->candidates;
    cost->bytes = multiply_saturated(cost->candidates, SAMPLE_BYTES_EACH);
    cost->spacing_min = spacing;
    cost->crowd = 1;
}

static void sample_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                        node_cost *cost) {
    (void)inputs;
    sample_lattice_cost(param_integer(node, SAMPLE_SPACING), rect, cost);
}

static loam_status place_sites(node_call *call, const site_lattice *lattice, int64_t jitter,
                               fresh_columns columns) {
    const sample_kernels *kernels = SIMD_SELECT(sample_kernels, call->run->level);
    int64_t base_x = lattice->site_x * lattice->spacing;
    int64_t base_z = lattice->site_z * lattice->spacing;
    uint64_t key_x = draw_key(call->seed, DRAW_JITTER_X);
    uint64_t key_z = draw_key(call->seed, DRAW_JITTER_Z);
    site_row row = {
        .first = (uint32_t)lattice->site_x,
        .spacing = lattice->spacing,
        .span = (uint32_t)(((int64_t)lattice->spacing * jitter) >> BITS_RATIO),
        .x0 = (int32_t)(call->rect.x0 - base_x),
        .z0 = (int32_t)(call->rect.z0 - base_z),
        .x1 = (int32_t)(call->rect.x1 - base_x),
        .z1 = (int32_t)(call->rect.z1 - base_z),
    };
    for (uint32_t j = 0; j < lattice->rows; j++) {
        uint32_t b = (uint32_t)(lattice->site_z + j);
        size_t at = (size_t)j * lattice->stride;
        row.key_x = draw_row_key(key_x, b);
        row.key_z = draw_row_key(key_z, b);
        row.z = (int32_t)j * lattice->spacing;
        kernels->place(&row, lattice->stride, columns.x + at, columns.z + at, columns.live + at);
        LOAM_TRY(poll_cancel(call));
    }
    return LOAM_OK;
}

loam_status sample_lattice(node_call *call, const sample_rule *rule, fresh_columns *columns) {
    site_lattice *lattice = loam_arena_take(call->arena, 1, sizeof *lattice);
    LOAM_TRY_MEMORY(lattice, call->error);
    if (lattice_over(call->rect, rule->spacing, lattice) != LOAM_OK) {
        return loam_fail(call->error, LOAM_COORDINATE_RANGE, call->pointer,
                         "the lattice has no sites so far from the origin; use a larger spacing");
    }
    uint32_t count = lattice->stride * lattice->rows;
    *columns = (fresh_columns){
        .x = COLUMN_TAKE(call->arena, count, int32_t),
        .z = COLUMN_TAKE(call->arena, count, int32_t),
        .y = COLUMN_TAKE(call->arena, count, int32_t),
        .live = COLUMN_TAKE(call->arena, count, uint32_t),
    };
    LOAM_TRY_MEMORY(columns->x, call->error);
    LOAM_TRY_MEMORY(columns->z, call->error);
    LOAM_TRY_MEMORY(columns->y, call->error);
    LOAM_TRY_MEMORY(columns->live, call->error);
    LOAM_TRY(place_sites(call, lattice, rule->jitter, *columns));
    *call->out = (point_set){
        .count = count,
        .base_x = lattice->site_x * lattice->spacing,
        .base_z = lattice->site_z * lattice->spacing,
        .x = columns->x,
        .z = columns->z,
        .y = columns->y,
        .live = columns->live,
        .id_key = draw_key(call->seed, DRAW_ID),
        .density_all = rule->density,
        .asset_all = ASSET_NONE,
        .lattice = lattice,
    };
    return LOAM_OK;
}

loam_status sample_ground(node_call *call, const loam_asset *surface, fresh_columns *columns) {
    point_set *out = call->out;
    if (surface == NULL) {
        memset(columns->y, 0, out->count * sizeof *columns->y);
        return LOAM_OK;
    }
    surface_columns heights = {
        .y = columns->y,
        .gradient_x = COLUMN_TAKE(call->arena, out->count, int32_t),
        .gradient_z = COLUMN_TAKE(call->arena, out->count, int32_t),
        .live = columns->live,
    };
    LOAM_TRY_MEMORY(heights.gradient_x, call->error);
    LOAM_TRY_MEMORY(heights.gradient_z, call->error);
    out->gradient_x = heights.gradient_x;
    out->gradient_z = heights.gradient_z;
    call->path = heightfield_sample(surface->heightfield, call->run->level, call->run->general_path,
                                    out->base_x, out->base_z, out->x, out->z, out->count, heights);
    return poll_cancel(call);
}

static sample_rule rule_of(const loam_node *node) {
    return (sample_rule){param_integer(node, SAMPLE_SPACING), param_integer(node, SAMPLE_JITTER),
                         (uint32_t)param_integer(node, SAMPLE_DENSITY)};
}

static loam_status grid_evaluate(node_call *call) {
    fresh_columns columns;
    sample_rule rule = rule_of(call->node);
    LOAM_TRY(sample_lattice(call, &rule, &columns));
    int32_t y = (int32_t)param_integer(call->node, GRID_Y);
    for (uint32_t i = 0; i < call->out->count; i++) {
        columns.y[i] = y;
    }
    call->path = "lattice";
    return LOAM_OK;
}

static loam_status surface_evaluate(node_call *call) {
    fresh_columns columns;
    sample_rule rule = rule_of(call->node);
    LOAM_TRY(sample_lattice(call, &rule, &columns));
    return sample_ground(call, call->assets[0], &columns);
}

loam_status surface_see(const loam_node *node, uint32_t port, loam_rect rect,
                        const loam_asset *asset, byte_writer *writer, loam_arena *scratch) {
    (void)node;
    (void)port;
    (void)scratch;
    heightfield_see(asset->heightfield, rect, writer);
    return LOAM_OK;
}

const loam_operation grid_sample_operation = {
    .name = "grid.sample",
    .version = 1,
    .category = "sampling",
    .title = "Grid sample",
    .description = "One candidate per site of a lattice that covers the world, at a fixed height.",
    .reach = "0",
    .params = grid_params,
    .param_count = COUNT_OF(grid_params),
    .seeded = true,
};
const operation_code grid_sample_code = {.cost = sample_cost, .evaluate = grid_evaluate};

const loam_operation surface_sample_operation = {
    .name = "surface.sample",
    .version = 1,
    .category = "sampling",
    .title = "Surface sample",
    .description = "One candidate per site of a lattice that covers the world, on a heightfield, "
                   "with its height and slope; none outside of it.",
    .reach = "0",
    .ports = surface_ports,
    .port_count = COUNT_OF(surface_ports),
    .params = surface_params,
    .param_count = COUNT_OF(surface_params),
    .seeded = true,
};
const operation_code surface_sample_code = {
    .cost = sample_cost, .see = surface_see, .evaluate = surface_evaluate};
