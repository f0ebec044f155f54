/* SPDX-License-Identifier: MIT
 *
 * spawn.c: spawn gives every point one of several assets, by weight and by the point's own draw, so
 * that what a neighbour gets changes nothing; and the asset's own scale, heading and radius.
 */
#include "core/base/mix.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/ops/asked.h"
#include "core/ops/attribute.h"
#include "core/ops/draw_walk.h"
#include "core/ops/weighted_asset.h"

#include <stdio.h>

enum { SPAWN_ASSETS, SPAWN_ATTRIBUTE };

enum { SPAWN_ASSETS_MAX = 64 };

/* A compact copy; the choice, the name, the radius, scales and yaw. */
enum { SPAWN_BYTES_EACH = ASKED_BYTES_EACH + 24 };
/* Of a weight that goes by an attribute: as it is, and wide. */
enum { WEIGHT_BYTES_EACH = 12 };

static const char *const yaw_choices[] = ASSET_YAW_CHOICES;
static const loam_port_schema spawn_ports[] = {{"points", LOAM_PORT_POINTS, true, 0, false}};

static const loam_param_schema asset_fields[ASSET_FIELDS] = {
    ASSET_FIELD_ROWS(PARAM("weight", "Weight", "", FLOAT, BITS_RATIO, LOAM_PARAM_ATTRIBUTE,
                           ATTRIBUTE_ONE, 0, INT32_MAX, 6554, "Its share among all weights."),
                     "Least factor on the point's scale.", "Largest factor on the point's scale.",
                     yaw_choices, "Heading: as it is, or at random."),
};

static const loam_param_schema spawn_params[] = {
    {.key = "assets",
     .label = "Assets",
     .description = "What can stand there, each with its share.",
     .unit = "",
     .kind = LOAM_PARAM_LIST,
     .flags = LOAM_PARAM_REQUIRED,
     .items_min = 1,
     .items_max = SPAWN_ASSETS_MAX,
     .fields = asset_fields,
     .field_count = COUNT_OF(asset_fields)},
    {.key = "attribute",
     .label = "Attribute",
     .description = "Where the name goes: `asset`, or a text attribute.",
     .unit = "",
     .kind = LOAM_PARAM_STRING,
     .initial_text = "asset"},
};

static const loam_value *assets_of(const loam_node *node) {
    return &node->params[SPAWN_ASSETS];
}

static const loam_value *field_of(const loam_node *node, uint32_t asset, uint32_t field) {
    return &assets_of(node)->items[asset].items[field];
}

static loam_status asset_fault(uint32_t asset, const char *field, const char *text,
                               const char *pointer, loam_error *error) {
    char at[LOAM_POINTER_BYTES];
    snprintf(at, sizeof at, "%s/assets/%u/%s", pointer, asset, field);
    return loam_fail(error, LOAM_OUT_OF_RANGE, at, "%s", text);
}

static loam_status check_asset(const loam_node *node, uint32_t asset, const char *pointer,
                               loam_error *error) {
    const char *field;
    const char *fault = asset_fault_text(&assets_of(node)->items[asset], &field);
    if (fault != NULL) {
        return asset_fault(asset, field, fault, pointer, error);
    }
    const loam_value *weight = field_of(node, asset, ASSET_WEIGHT);
    if (weight->kind == LOAM_VALUE_ATTRIBUTE && weight->text.size == 0) {
        return asset_fault(asset, "weight", "the name of an attribute is missing", pointer, error);
    }
    if (weight->kind == LOAM_VALUE_ATTRIBUTE && weight->text.bytes[0] == '$' &&
        !attribute_is_reserved(weight->text, false)) {
        return asset_fault(asset, "weight", "there is no such reserved attribute", pointer, error);
    }
    return LOAM_OK;
}

/* Weights that are all 0, whatever the point, choose nothing. */
static loam_status spawn_check(const loam_node *node, const char *pointer, loam_error *error) {
    bool any = false;
    for (uint32_t a = 0; a < assets_of(node)->item_count; a++) {
        LOAM_TRY(check_asset(node, a, pointer, error));
        const loam_value *weight = field_of(node, a, ASSET_WEIGHT);
        any = any || weight->kind == LOAM_VALUE_ATTRIBUTE || weight->integer > 0;
    }
    if (!any) {
        char at[LOAM_POINTER_BYTES];
        snprintf(at, sizeof at, "%s/assets", pointer);
        return loam_fail(error, LOAM_OUT_OF_RANGE, at, "at least one weight is above 0");
    }
    return attribute_name_check(node, SPAWN_ATTRIBUTE, ATTRIBUTE_WRITTEN_TEXT, pointer, error);
}

static void spawn_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                       node_cost *cost) {
    (void)rect;
    uint64_t bytes = SPAWN_BYTES_EACH;
    for (uint32_t a = 0; a < assets_of(node)->item_count; a++) {
        bool driven = field_of(node, a, ASSET_WEIGHT)->kind == LOAM_VALUE_ATTRIBUTE;
        bytes += driven ? WEIGHT_BYTES_EACH : 0;
    }
    cost_of_columns(&inputs[0], bytes, cost);
}

/* The assets of one evaluation: their names as indices, their weights per point. */
typedef struct spawn_table {
    uint32_t count;
    uint32_t name[SPAWN_ASSETS_MAX];
    param_column weight[SPAWN_ASSETS_MAX];
} spawn_table;

static loam_status read_table(node_call *call, const point_set *set, spawn_table *table) {
    table->count = assets_of(call->node)->item_count;
    for (uint32_t a = 0; a < table->count; a++) {
        loam_text name = field_of(call->node, a, ASSET_NAME)->text;
        LOAM_TRY(node_fail(call, name_table_add(call->names, name, &table->name[a])));
        LOAM_TRY(value_column_read(call, set, field_of(call->node, a, ASSET_WEIGHT),
                                   &asset_fields[ASSET_WEIGHT], &table->weight[a]));
    }
    return LOAM_OK;
}

/* floor(bits * total / 2^32), in two halves: a total has 37 bits. */
static uint64_t share_of(uint32_t bits, uint64_t total) {
    return bits * (total >> 32) + ((bits * (total & UINT32_MAX)) >> 32);
}

static loam_status choose(node_call *call, const point_set *set, const spawn_table *table,
                          uint8_t *chosen) {
    draw_walk walk = {.key = draw_key(call->seed, DRAW_ASSET)};
    for (uint32_t i = 0; i < set->count; i++) {
        uint64_t total = 0;
        for (uint32_t a = 0; a < table->count; a++) {
            total += (uint64_t)param_at(&table->weight[a], i);
        }
        if (total == 0) {
            return loam_fail(call->error, LOAM_OUT_OF_RANGE, call->pointer,
                             "all weights are 0 at a point");
        }
        uint64_t share = share_of(draw_next(&walk, set, i), total);
        uint32_t a = 0;
        while (share >= (uint64_t)param_at(&table->weight[a], i)) {
            share -= (uint64_t)param_at(&table->weight[a], i);
            a++;
        }
        chosen[i] = (uint8_t)a;
    }
    return LOAM_OK;
}

static loam_status write_names(node_call *call, const spawn_table *table, const uint8_t *chosen,
                               point_set *out) {
    uint32_t *names = COLUMN_TAKE(call->arena, out->count, uint32_t);
    LOAM_TRY_MEMORY(names, call->error);
    for (uint32_t i = 0; i < out->count; i++) {
        names[i] = table->name[chosen[i]];
    }
    loam_text attribute = call->node->params[SPAWN_ATTRIBUTE].text;
    if (attribute_is_asset(attribute)) {
        out->asset = names;
        return LOAM_OK;
    }
    return attribute_put(call, out, attribute, LOAM_ATTRIBUTE_STRING, (const int32_t *)names);
}

static loam_status write_radius(node_call *call, const uint8_t *chosen, point_set *out) {
    int32_t *radius = COLUMN_TAKE(call->arena, out->count, int32_t);
    LOAM_TRY_MEMORY(radius, call->error);
    for (uint32_t i = 0; i < out->count; i++) {
        int64_t units = field_of(call->node, chosen[i], ASSET_RADIUS)->integer;
        radius[i] = (int32_t)(units * (ATTRIBUTE_ONE / LOAM_UNITS_PER_METRE));
    }
    return attribute_put(call, out, loam_text_of("radius"), LOAM_ATTRIBUTE_FLOAT, radius);
}

static uint16_t scaled(const uint16_t *from, uint32_t i, uint64_t factor) {
    uint64_t before = from == NULL ? LOAM_SCALE_ONE : from[i];
    uint64_t product = (before * factor + LOAM_SCALE_ONE / 2) / LOAM_SCALE_ONE;
    return (uint16_t)(product < 1 ? 1 : product > ASSET_SCALE_MOST ? ASSET_SCALE_MOST : product);
}

static bool scales(const loam_node *node) {
    for (uint32_t a = 0; a < assets_of(node)->item_count; a++) {
        if (field_of(node, a, ASSET_SCALE_MIN)->integer != LOAM_SCALE_ONE ||
            field_of(node, a, ASSET_SCALE_MAX)->integer != LOAM_SCALE_ONE) {
            return true;
        }
    }
    return false;
}

static loam_status write_scales(node_call *call, const uint8_t *chosen, point_set *out) {
    if (!scales(call->node)) {
        return LOAM_OK;
    }
    bool uniform = out->scale_y == NULL;
    uint16_t *x = COLUMN_TAKE(call->arena, out->count, uint16_t);
    uint16_t *y = uniform ? x : COLUMN_TAKE(call->arena, out->count, uint16_t);
    uint16_t *z = uniform ? x : COLUMN_TAKE(call->arena, out->count, uint16_t);
    LOAM_TRY_MEMORY(x, call->error);
    LOAM_TRY_MEMORY(y, call->error);
    LOAM_TRY_MEMORY(z, call->error);
    draw_walk walk = {.key = draw_key(call->seed, DRAW_SCALE)};
    for (uint32_t i = 0; i < out->count; i++) {
        uint64_t low = (uint64_t)field_of(call->node, chosen[i], ASSET_SCALE_MIN)->integer;
        uint64_t high = (uint64_t)field_of(call->node, chosen[i], ASSET_SCALE_MAX)->integer;
        uint64_t factor = low + ((draw_next(&walk, out, i) * (high - low + 1)) >> 32);
        x[i] = scaled(out->scale, i, factor);
        if (!uniform) {
            y[i] = scaled(out->scale_y, i, factor);
            z[i] = scaled(out->scale_z, i, factor);
        }
    }
    out->scale = x;
    out->scale_y = uniform ? NULL : y;
    out->scale_z = uniform ? NULL : z;
    return LOAM_OK;
}

static loam_status write_yaws(node_call *call, const uint8_t *chosen, point_set *out) {
    uint16_t *yaw = COLUMN_TAKE(call->arena, out->count, uint16_t);
    LOAM_TRY_MEMORY(yaw, call->error);
    draw_walk walk = {.key = draw_key(call->seed, DRAW_YAW)};
    bool any = false;
    for (uint32_t i = 0; i < out->count; i++) {
        uint32_t bits = draw_next(&walk, out, i);
        bool random = field_of(call->node, chosen[i], ASSET_YAW)->integer == ASSET_YAW_RANDOM;
        uint16_t before = out->yaw == NULL ? 0 : out->yaw[i];
        yaw[i] = random ? (uint16_t)(bits >> 16) : before;
        any = any || random;
    }
    out->yaw = any ? yaw : out->yaw;
    return LOAM_OK;
}

static loam_status spawn_evaluate(node_call *call) {
    point_set *out = call->out;
    spawn_table table;
    LOAM_TRY(asked_compact(call, 0, call->rect, out));
    LOAM_TRY(read_table(call, out, &table));
    uint8_t *chosen = COLUMN_TAKE(call->arena, out->count, uint8_t);
    LOAM_TRY_MEMORY(chosen, call->error);
    LOAM_TRY(choose(call, out, &table, chosen));
    LOAM_TRY(write_names(call, &table, chosen, out));
    LOAM_TRY(write_radius(call, chosen, out));
    LOAM_TRY(write_scales(call, chosen, out));
    LOAM_TRY(write_yaws(call, chosen, out));
    call->path = "compact";
    return poll_cancel(call);
}

const loam_operation spawn_operation = {
    .name = "spawn",
    .version = 1,
    .category = "flow",
    .title = "Spawn",
    .description = "Chooses an asset for every point by weight and the point's own draw, with the "
                   "asset's scale, heading and radius; what is there is scaled by the draw.",
    .reach = "0",
    .ports = spawn_ports,
    .port_count = COUNT_OF(spawn_ports),
    .params = spawn_params,
    .param_count = COUNT_OF(spawn_params),
    .seeded = true,
};
const operation_code spawn_code = {
    .check = spawn_check, .cost = spawn_cost, .evaluate = spawn_evaluate};
