/* SPDX-License-Identifier: MIT
 *
 * merge.c: several point sets as one. Port a keeps its ids and origins; the points of b, c and d
 * get ids mixed with the port, and origins that are the halves of those, so the same points through
 * two ports stay two points, with draws of their own.
 */
#include "core/base/mix.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/ops/attribute.h"
#include "core/ops/domain_rect.h"
#include "core/ops/operation.h"

enum { MERGE_PORTS = 4 };

/* Compact copies of the inputs, and the joined columns. */
enum { MERGE_BYTES_EACH = 160 };

static const loam_port_schema merge_ports[MERGE_PORTS] = {
    {"a", LOAM_PORT_POINTS, true, 0, false},
    {"b", LOAM_PORT_POINTS, true, 0, false},
    {"c", LOAM_PORT_POINTS, false, 0, false},
    {"d", LOAM_PORT_POINTS, false, 0, false},
};

static void merge_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                       node_cost *cost) {
    (void)rect;
    *cost = (node_cost){.spacing_min = INT64_MAX};
    for (uint32_t port = 0; port < MERGE_PORTS; port++) {
        if (node->inputs[port].kind == LOAM_SOURCE_UNBOUND) {
            continue;
        }
        cost->candidates = add_saturated(cost->candidates, inputs[port].candidates);
        cost->crowd = add_saturated(cost->crowd, inputs[port].crowd);
        cost->spacing_min = inputs[port].spacing_min < cost->spacing_min ? inputs[port].spacing_min
                                                                         : cost->spacing_min;
    }
    cost->fresh = cost->candidates;
    cost->bytes = multiply_saturated(cost->candidates, MERGE_BYTES_EACH);
}

/* The inputs, compact, and the joined columns while they are written. */
typedef struct joined_parts {
    point_set parts[MERGE_PORTS];
    uint32_t part_count;
    uint32_t port[MERGE_PORTS];
    uint32_t count;
    int64_t base_x, base_z;
} joined_parts;

static loam_status collect(node_call *call, joined_parts *join) {
    for (uint32_t port = 0; port < MERGE_PORTS; port++) {
        if (call->inputs[port] == NULL) {
            continue;
        }
        point_set *part = &join->parts[join->part_count];
        LOAM_TRY(point_set_compact(call->inputs[port], call->arena, part));
        bool first = join->part_count == 0;
        join->base_x = first || part->base_x < join->base_x ? part->base_x : join->base_x;
        join->base_z = first || part->base_z < join->base_z ? part->base_z : join->base_z;
        join->count += part->count;
        join->port[join->part_count++] = port;
    }
    return LOAM_OK;
}

static loam_status join_places(node_call *call, const joined_parts *join, point_set *out) {
    int32_t *x = COLUMN_TAKE(call->arena, join->count, int32_t);
    int32_t *z = COLUMN_TAKE(call->arena, join->count, int32_t);
    int32_t *y = COLUMN_TAKE(call->arena, join->count, int32_t);
    if (x == NULL || y == NULL || z == NULL) {
        return LOAM_ARENA_FULL;
    }
    uint32_t at = 0;
    for (uint32_t p = 0; p < join->part_count; p++) {
        const point_set *part = &join->parts[p];
        int32_t shift_x = (int32_t)(part->base_x - join->base_x);
        int32_t shift_z = (int32_t)(part->base_z - join->base_z);
        for (uint32_t i = 0; i < part->count; i++, at++) {
            x[at] = part->x[i] + shift_x;
            z[at] = part->z[i] + shift_z;
            y[at] = part->y[i];
        }
    }
    out->x = x;
    out->z = z;
    out->y = y;
    return LOAM_OK;
}

static loam_status join_origins(node_call *call, const joined_parts *join, point_set *out) {
    uint32_t *a = COLUMN_TAKE(call->arena, join->count, uint32_t);
    uint32_t *b = COLUMN_TAKE(call->arena, join->count, uint32_t);
    uint64_t *id = COLUMN_TAKE(call->arena, join->count, uint64_t);
    if (a == NULL || b == NULL || id == NULL) {
        return LOAM_ARENA_FULL;
    }
    uint64_t key = draw_key(call->seed, DRAW_ID);
    uint32_t at = 0;
    for (uint32_t p = 0; p < join->part_count; p++) {
        const point_set *part = &join->parts[p];
        const uint64_t *ids;
        LOAM_TRY(point_set_ids(part, call->arena, &ids));
        bool keep = join->port[p] == 0;
        uint64_t port_key = mix_pair(key, join->port[p]);
        for (uint32_t i = 0; i < part->count; i++, at++) {
            id[at] = keep ? ids[i] : mix_pair(port_key, ids[i]);
            a[at] = keep ? part->a[i] : (uint32_t)id[at];
            b[at] = keep ? part->b[i] : (uint32_t)(id[at] >> 32);
        }
    }
    out->a = a;
    out->b = b;
    out->id = id;
    return LOAM_OK;
}

/* Joins one optional column; a part without it gives `absent`. All without it: NULL. */
#define JOIN(type, column, absent)                                                                 \
    do {                                                                                           \
        bool any = false;                                                                          \
        for (uint32_t p = 0; p < join->part_count; p++) {                                          \
            any = any || join->parts[p].column != NULL;                                            \
        }                                                                                          \
        type *joined = any ? COLUMN_TAKE(call->arena, join->count, type) : NULL;                   \
        if (any && joined == NULL) {                                                               \
            return LOAM_ARENA_FULL;                                                                \
        }                                                                                          \
        uint32_t at = 0;                                                                           \
        for (uint32_t p = 0; any && p < join->part_count; p++) {                                   \
            const point_set *part = &join->parts[p];                                               \
            for (uint32_t i = 0; i < part->count; i++) {                                           \
                joined[at++] = part->column != NULL ? part->column[i] : (type)(absent);            \
            }                                                                                      \
        }                                                                                          \
        out->column = joined;                                                                      \
    } while (0)

/* Constant density and asset differ between parts: write them out first. */
static loam_status write_out_constants(node_call *call, joined_parts *join) {
    for (uint32_t p = 0; p < join->part_count; p++) {
        point_set *part = &join->parts[p];
        part->density = density_column(call, part);
        if (part->asset == NULL) {
            uint32_t *asset = COLUMN_TAKE(call->arena, part->count, uint32_t);
            for (uint32_t i = 0; asset != NULL && i < part->count; i++) {
                asset[i] = part->asset_all;
            }
            part->asset = asset;
        }
        if (part->density == NULL || part->asset == NULL) {
            return LOAM_ARENA_FULL;
        }
    }
    return LOAM_OK;
}

/* What an axis has where a part is uniform. */
static uint16_t scale_like_x(const point_set *part, uint32_t i) {
    return part->scale == NULL ? LOAM_SCALE_ONE : part->scale[i];
}

static loam_status join_columns(node_call *call, joined_parts *join, point_set *out) {
    LOAM_TRY(write_out_constants(call, join));
    JOIN(int32_t, gradient_x, 0);
    JOIN(int32_t, gradient_z, 0);
    JOIN(uint32_t, density, 0);
    JOIN(uint32_t, asset, 0);
    JOIN(uint16_t, yaw, 0);
    JOIN(int16_t, pitch, 0);
    JOIN(int16_t, roll, 0);
    JOIN(uint16_t, scale, LOAM_SCALE_ONE);
    JOIN(uint16_t, scale_y, scale_like_x(part, i));
    JOIN(uint16_t, scale_z, scale_like_x(part, i));
    JOIN(int32_t, station, 0);
    JOIN(int32_t, offset, 0);
    return LOAM_OK;
}

/* One attribute of any part, over all of them. Two kinds under one name are a mistake. */
static loam_status join_attribute(node_call *call, const joined_parts *join,
                                  const point_attribute *of, point_set *out) {
    int32_t *values = COLUMN_TAKE(call->arena, join->count, int32_t);
    uint32_t at = 0;
    if (values == NULL) {
        return LOAM_ARENA_FULL;
    }
    for (uint32_t p = 0; p < join->part_count; p++) {
        const point_set *part = &join->parts[p];
        int32_t found = attribute_find(part, of->name);
        if (found >= 0 && part->attributes[found].kind != of->kind) {
            return loam_fail(call->error, LOAM_WRONG_TYPE, call->pointer,
                             "attribute %.*s has another type at another port",
                             TEXT_ARGS(of->name));
        }
        for (uint32_t i = 0; i < part->count; i++) {
            values[at++] = found >= 0 ? part->attributes[found].values[i] : ATTRIBUTE_MISSING;
        }
    }
    return attribute_put(call, out, of->name, of->kind, values);
}

static loam_status join_attributes(node_call *call, const joined_parts *join, point_set *out) {
    for (uint32_t p = 0; p < join->part_count; p++) {
        const point_set *part = &join->parts[p];
        for (uint32_t a = 0; a < part->attribute_count; a++) {
            if (attribute_find(out, part->attributes[a].name) < 0) {
                LOAM_TRY(join_attribute(call, join, &part->attributes[a], out));
            }
        }
    }
    return LOAM_OK;
}

static node_domain merge_domain(const loam_node *node, const node_domain *inputs,
                                const loam_asset *const *assets) {
    (void)assets;
    node_domain all = inputs[0];
    for (uint32_t port = 1; port < MERGE_PORTS; port++) {
        if (node->inputs[port].kind != LOAM_SOURCE_UNBOUND) {
            all = domain_join(all, inputs[port]);
        }
    }
    return all;
}

static uint64_t merge_rename(const node_call *call, uint32_t port, uint64_t id) {
    uint64_t key = draw_key(call->seed, DRAW_ID);
    return port == 0 ? id : mix_pair(mix_pair(key, port), id);
}

static loam_status merge_evaluate(node_call *call) {
    joined_parts join = {0};
    loam_status status = collect(call, &join);
    *call->out = (point_set){.count = join.count, .base_x = join.base_x, .base_z = join.base_z};
    if (status == LOAM_OK) {
        status = join_places(call, &join, call->out);
    }
    if (status == LOAM_OK) {
        status = join_origins(call, &join, call->out);
    }
    if (status == LOAM_OK) {
        status = join_columns(call, &join, call->out);
    }
    if (status == LOAM_OK) {
        status = join_attributes(call, &join, call->out);
    }
    if (status != LOAM_OK) {
        return loam_fail(call->error, status, call->pointer, "%s", loam_status_text(status));
    }
    call->path = "compact";
    return poll_cancel(call);
}

const loam_operation merge_operation = {
    .name = "merge",
    .version = 1,
    .category = "flow",
    .title = "Merge",
    .description =
        "All points of its inputs. Those of a keep their ids; the same points through two "
        "ports stay two points.",
    .reach = "0",
    .ports = merge_ports,
    .port_count = COUNT_OF(merge_ports),
    .seeded = true,
};
const operation_code merge_code = {
    .domain = merge_domain, .cost = merge_cost, .evaluate = merge_evaluate, .rename = merge_rename};
