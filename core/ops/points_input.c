/* SPDX-License-Identifier: MIT
 *
 * points_input.c: points.input, given points as they are: their keys are the origins, their numbers
 * and texts are attributes. Every cell has the columns of all properties of the asset.
 */
#include "core/base/mix.h"
#include "core/base/try.h"
#include "core/ops/asked.h"
#include "core/ops/operation.h"
#include "core/space/sites.h"

#include <stdio.h>
#include <string.h>

/* x, y, z, a, b and some attributes. */
enum { INPUT_BYTES_EACH = 20 + 4 * 8 };
/* What a plan assumes of points that it does not know: one in a square of 8 m, and some. A cell
 * makes room for those that it has. */
#define INPUT_PITCH_UNITS ((int64_t)8 * LOAM_UNITS_PER_METRE)
enum { INPUT_POINTS_FREE = 1024 };

_Static_assert(SITE_PROPERTIES_MAX <= ATTRIBUTES_MAX, "every property is an attribute");

static const loam_port_schema input_ports[] = {
    {"points", LOAM_PORT_POINTS, true, 1 << LOAM_PORT_POINTS, false}};

/* Points of a node are points already. */
static loam_status input_check(const loam_node *node, const char *pointer, loam_error *error) {
    static const char tail[] = "params";
    if (node->inputs[0].kind != LOAM_SOURCE_NODE) {
        return LOAM_OK;
    }
    char port[LOAM_POINTER_BYTES];
    size_t size = strlen(pointer);
    size_t keep = size >= sizeof tail - 1 ? size - (sizeof tail - 1) : 0;
    snprintf(port, sizeof port, "%.*sin/points", (int)(keep < 200 ? keep : 200), pointer);
    return loam_fail(error, LOAM_PORT_MISMATCH, port, "points.input takes points of a slot");
}

static void input_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                       node_cost *cost) {
    (void)node;
    (void)inputs;
    uint64_t columns = (uint64_t)((rect.x1 - rect.x0) / INPUT_PITCH_UNITS) + 1;
    uint64_t rows = (uint64_t)((rect.z1 - rect.z0) / INPUT_PITCH_UNITS) + 1;
    *cost = (node_cost){.candidates =
                            add_saturated(multiply_saturated(columns, rows), INPUT_POINTS_FREE),
                        .spacing_min = LOAM_UNITS_PER_METRE,
                        .crowd = 1};
    cost->fresh = cost->candidates;
    cost->bytes = multiply_saturated(cost->candidates, INPUT_BYTES_EACH);
}

static loam_status input_see(const loam_node *node, uint32_t port, loam_rect rect,
                             const loam_asset *asset, byte_writer *writer, loam_arena *scratch) {
    (void)node;
    (void)port;
    return sites_key_write(writer, asset->sites, rect, 0, SITES_ALL, scratch);
}

/* Only their asset knows where they are; without it they are taken for none. */
static node_domain input_domain(const loam_node *node, const node_domain *inputs,
                                const loam_asset *const *assets) {
    (void)node;
    (void)inputs;
    return (node_domain){true, assets[0] == NULL ? (loam_rect){0, 0, 0, 0}
                                                 : sites_bounds(assets[0]->sites)};
}

static loam_status take_places(node_call *call, const loam_site *sites, const uint32_t *numbers,
                               uint32_t count) {
    int32_t *x = COLUMN_TAKE(call->arena, count, int32_t);
    int32_t *y = COLUMN_TAKE(call->arena, count, int32_t);
    int32_t *z = COLUMN_TAKE(call->arena, count, int32_t);
    uint32_t *a = COLUMN_TAKE(call->arena, count, uint32_t);
    uint32_t *b = COLUMN_TAKE(call->arena, count, uint32_t);
    LOAM_TRY_MEMORY(x, call->error);
    LOAM_TRY_MEMORY(y, call->error);
    LOAM_TRY_MEMORY(z, call->error);
    LOAM_TRY_MEMORY(a, call->error);
    LOAM_TRY_MEMORY(b, call->error);
    for (uint32_t i = 0; i < count; i++) {
        const loam_site *site = &sites[numbers[i]];
        x[i] = (int32_t)(site->x - call->rect.x0);
        y[i] = site->y;
        z[i] = (int32_t)(site->z - call->rect.z0);
        a[i] = (uint32_t)site->key;
        b[i] = (uint32_t)(site->key >> 32);
    }
    *call->out = (point_set){.count = count,
                             .base_x = call->rect.x0,
                             .base_z = call->rect.z0,
                             .x = x,
                             .y = y,
                             .z = z,
                             .a = a,
                             .b = b,
                             .id_key = draw_key(call->seed, DRAW_ID),
                             .density_all = LOAM_DENSITY_ONE,
                             .asset_all = ASSET_NONE};
    return LOAM_OK;
}

/* Texts become indices of the evaluation's names. */
static loam_status take_value(node_call *call, const loam_attribute *property, uint32_t site,
                              int32_t *value) {
    *value = property->values[site];
    if (property->kind != LOAM_ATTRIBUTE_STRING || *value == LOAM_MISSING) {
        return LOAM_OK;
    }
    uint32_t index;
    LOAM_TRY(name_table_add(call->names, property->texts[*value], &index));
    *value = (int32_t)index;
    return LOAM_OK;
}

static loam_status take_properties(node_call *call, const loam_sites_source *source,
                                   const uint32_t *numbers, uint32_t count) {
    point_attribute *attributes =
        loam_arena_take(call->arena, source->property_count, sizeof *attributes);
    LOAM_TRY_MEMORY(attributes, call->error);
    for (uint32_t p = 0; p < source->property_count; p++) {
        const loam_attribute *property = &source->properties[p];
        int32_t *values = COLUMN_TAKE(call->arena, count, int32_t);
        LOAM_TRY_MEMORY(values, call->error);
        for (uint32_t i = 0; i < count; i++) {
            LOAM_TRY(node_fail(call, take_value(call, property, numbers[i], &values[i])));
        }
        attributes[p] = (point_attribute){property->name, property->kind, values};
    }
    call->out->attributes = attributes;
    call->out->attribute_count = source->property_count;
    return LOAM_OK;
}

static loam_status input_evaluate(node_call *call) {
    const loam_sites *sites = call->assets[0]->sites;
    const loam_sites_source *source = loam_sites_normal_form(sites);
    uint32_t *numbers;
    uint32_t count = 0;
    LOAM_TRY(node_fail(call, sites_collect(sites, call->rect, 0, call->arena, &numbers, &count)));
    LOAM_TRY(take_places(call, source->sites, numbers, count));
    LOAM_TRY(take_properties(call, source, numbers, count));
    call->path = "compact";
    return poll_cancel(call);
}

const loam_operation points_input_operation = {
    .name = "points.input",
    .version = 1,
    .category = "sampling",
    .title = "Given points",
    .description = "Points of an asset, with ids from their feature keys; their numbers and texts "
                   "become attributes.",
    .reach = "0",
    .ports = input_ports,
    .port_count = COUNT_OF(input_ports),
    .seeded = true,
};
const operation_code points_input_code = {.check = input_check,
                                          .domain = input_domain,
                                          .cost = input_cost,
                                          .see = input_see,
                                          .evaluate = input_evaluate};
