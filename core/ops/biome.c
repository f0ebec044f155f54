/* SPDX-License-Identifier: MIT
 *
 * biome.c: biome.generate: candidates of a lattice, each of which belongs to the layer of highest
 * priority whose domain holds it. A layer's domain comes in through a port that has its name; one
 * without a port covers all. What a layer plants is written by biome_plant.c.
 */
#include "core/ops/biome.h"

#include "core/base/pointer.h"
#include "core/base/rules_tree.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/ops/asked.h"
#include "core/ops/domain.h"
#include "core/ops/rules.h"
#include "core/ops/sample.h"
#include "core/ops/weighted_asset.h"
#include "core/space/heightfield.h"

#include <stdio.h>
#include <string.h>

enum { BIOME_SURFACE, BIOME_RULES, BIOME_EXCLUDE, BIOME_PORTS };
enum { BIOME_SPACING, BIOME_JITTER };
enum { LAYER_NAME, LAYER_PRIORITY, LAYER_DENSITY, LAYER_ASSETS };

/* Layer, density, name, biome, radius, scale and yaw of a candidate; its place while it is asked.
 */
enum { BIOME_BYTES_EACH = 24 + 24 };
#define SPACING_UNITS_MAX ((int64_t)1 << 20)
#define PRIORITY_MAX 1000000

static const char *const yaw_choices[] = ASSET_YAW_CHOICES;

static const loam_param_schema asset_fields[ASSET_FIELDS] = {
    ASSET_FIELD_ROWS(PARAM("weight", "Weight", "", FLOAT, BITS_RATIO, 0, 65536, 0, INT32_MAX, 6554,
                           "Its share among the weights of its layer."),
                     "Least scale.", "Largest scale.", yaw_choices,
                     "Heading: north, or at random."),
};

static const loam_param_schema layer_fields[] = {
    PARAM("name", "Name", "", STRING, 0, LOAM_PARAM_REQUIRED, 0, 0, 0, 0,
          "The layer's name, and that of the port of its domain."),
    PARAM("priority", "Priority", "", INT, 0, 0, 0, -PRIORITY_MAX, PRIORITY_MAX, 1,
          "Where domains meet, the higher priority wins."),
    PARAM("density", "Density", "", FLOAT, BITS_DENSITY, 0, LOAM_DENSITY_ONE, 0, LOAM_DENSITY_ONE,
          1 << 17, "Density that its points begin with."),
    {.key = "assets",
     .label = "Assets",
     .description = "What can stand there, each with its share.",
     .unit = "",
     .kind = LOAM_PARAM_LIST,
     .flags = LOAM_PARAM_REQUIRED,
     .items_min = 1,
     .items_max = WEIGHTED_MAX,
     .fields = asset_fields,
     .field_count = COUNT_OF(asset_fields)},
};

static const loam_param_schema rules_fields[] = {
    {.key = "layers",
     .label = "Layers",
     .description = "Biomes that share the ground by domain and priority.",
     .unit = "",
     .kind = LOAM_PARAM_LIST,
     .flags = LOAM_PARAM_REQUIRED,
     .items_min = 1,
     .items_max = BIOME_LAYERS_MAX,
     .fields = layer_fields,
     .field_count = COUNT_OF(layer_fields)},
};

static const loam_param_schema biome_params[] = {
    PARAM("spacing_m", "Spacing", "m", FLOAT, BITS_UNITS,
          LOAM_PARAM_REQUIRED | LOAM_PARAM_ROUND_UP | LOAM_PARAM_NONZERO, 0, 1, SPACING_UNITS_MAX,
          16, "Side of a lattice cell; each offers one candidate."),
    PARAM("jitter", "Jitter", "", FLOAT, BITS_RATIO, 0, 65536, 0, 65536, 655,
          "How far a candidate strays in its lattice cell: 0 is its low corner, 1 all of it."),
};

static const loam_port_schema biome_ports[BIOME_PORTS] = {
    {"surface", LOAM_PORT_HEIGHTFIELD, false, 0, false},
    {"rules", LOAM_PORT_RULES, true, 0, false},
    {"exclude", LOAM_PORT_AREAS, false, 0, false},
};
static const loam_port_schema layer_port = {"layer", LOAM_PORT_SPATIAL, false, DOMAIN_ALSO, false};

/* ---- Rules ---------------------------------------------------------------------------------- */

static const loam_value *field_of(const loam_value *record, uint32_t field) {
    return &record->items[field];
}

static loam_status layer_fault(uint32_t layer, const char *field, loam_error *error,
                               const char *text) {
    char at[LOAM_POINTER_BYTES];
    snprintf(at, sizeof at, "/layers/%u/%s", layer, field);
    return loam_fail(error, LOAM_OUT_OF_RANGE, at, "%s", text);
}

static loam_status check_assets(const loam_value *assets, uint32_t layer, loam_error *error) {
    int64_t total = 0;
    for (uint32_t i = 0; i < assets->item_count; i++) {
        const loam_value *asset = &assets->items[i];
        const char *field;
        const char *fault = asset_fault_text(asset, &field);
        if (fault != NULL) {
            return layer_fault(layer, "assets", error, fault);
        }
        total += field_of(asset, ASSET_WEIGHT)->integer;
    }
    return total > 0 ? LOAM_OK
                     : layer_fault(layer, "assets", error, "at least one weight is above 0");
}

static loam_status check_name(const loam_node *node, const loam_value *layers, uint32_t layer,
                              loam_error *error) {
    loam_text name = field_of(&layers->items[layer], LAYER_NAME)->text;
    if (name.size == 0 || operation_port(node->operation, name) >= 0) {
        return layer_fault(layer, "name", error, "a layer has a name that no other port has");
    }
    for (uint32_t i = 0; i < layer; i++) {
        if (loam_text_equal(field_of(&layers->items[i], LAYER_NAME)->text, name)) {
            return layer_fault(layer, "name", error, "two layers have this name");
        }
    }
    return LOAM_OK;
}

/* The layer of a name, or -1. */
static int32_t find_layer(const loam_value *layers, loam_text name) {
    for (uint32_t i = 0; i < layers->item_count; i++) {
        if (loam_text_equal(field_of(&layers->items[i], LAYER_NAME)->text, name)) {
            return (int32_t)i;
        }
    }
    return -1;
}

static loam_status biome_check_rules(const loam_node *node, const loam_value *rules,
                                     loam_error *error) {
    for (uint32_t i = 0; i < rules->item_count; i++) {
        LOAM_TRY(check_name(node, rules, i, error));
        LOAM_TRY(check_assets(field_of(&rules->items[i], LAYER_ASSETS), i, error));
    }
    for (uint32_t p = 0; p < node->open_count; p++) {
        if (find_layer(rules, node->open_names[p]) < 0) {
            return loam_fail(error, LOAM_UNKNOWN_PORT, "/layers",
                             "no layer is called %.*s, as a port of %.*s is",
                             TEXT_ARGS(node->open_names[p]), TEXT_ARGS(node->name));
        }
    }
    return LOAM_OK;
}

/* The port of a layer's domain, or -1. */
static int32_t port_of_layer(const loam_node *node, loam_text name) {
    for (uint32_t p = 0; p < node->open_count; p++) {
        if (loam_text_equal(node->open_names[p], name)) {
            return (int32_t)(node->operation->port_count + p);
        }
    }
    return -1;
}

static loam_status take_assets(node_call *call, const loam_value *assets, biome_layer *layer,
                               biome_rules *rules) {
    int64_t weights[WEIGHTED_MAX];
    biome_asset *made = loam_arena_take(call->arena, assets->item_count, sizeof *made);
    LOAM_TRY_MEMORY(made, call->error);
    for (uint32_t i = 0; i < assets->item_count; i++) {
        const loam_value *asset = &assets->items[i];
        int64_t low = field_of(asset, ASSET_SCALE_MIN)->integer;
        int64_t high = field_of(asset, ASSET_SCALE_MAX)->integer;
        made[i] = (biome_asset){
            .scale_min = (uint32_t)low,
            .scale_span = (uint32_t)(high - low + 1),
            .radius = (int32_t)(field_of(asset, ASSET_RADIUS)->integer * LOAM_UNITS_PER_METRE),
            .random_yaw = field_of(asset, ASSET_YAW)->integer == ASSET_YAW_RANDOM,
        };
        weights[i] = field_of(asset, ASSET_WEIGHT)->integer;
        LOAM_TRY(node_fail(
            call, name_table_add(call->names, field_of(asset, ASSET_NAME)->text, &made[i].name)));
        rules->scales = rules->scales || low != LOAM_SCALE_ONE || high != LOAM_SCALE_ONE;
        rules->turns = rules->turns || made[i].random_yaw;
        rules->radii = rules->radii || made[i].radius > 0;
    }
    layer->assets = made;
    weighted_init(&layer->weights, weights, assets->item_count);
    return LOAM_OK;
}

/* Whether layer a wins over layer b where both are. */
static bool wins(const loam_value *a, const loam_value *b) {
    int64_t pa = field_of(a, LAYER_PRIORITY)->integer, pb = field_of(b, LAYER_PRIORITY)->integer;
    return pa != pb ? pa > pb
                    : loam_text_compare(field_of(a, LAYER_NAME)->text,
                                        field_of(b, LAYER_NAME)->text) < 0;
}

static loam_status take_layers(node_call *call, const loam_value *layers, biome_rules *rules) {
    uint32_t order[BIOME_LAYERS_MAX];
    for (uint32_t i = 0; i < layers->item_count; i++) {
        uint32_t at = i;
        while (at > 0 && wins(&layers->items[i], &layers->items[order[at - 1]])) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = i;
    }
    rules->count = layers->item_count;
    for (uint32_t i = 0; i < rules->count; i++) {
        const loam_value *from = &layers->items[order[i]];
        biome_layer *layer = &rules->layers[i];
        loam_text name = field_of(from, LAYER_NAME)->text;
        layer->density = (uint32_t)field_of(from, LAYER_DENSITY)->integer;
        layer->port = port_of_layer(call->node, name);
        LOAM_TRY(node_fail(call, name_table_add(call->names, name, &layer->name)));
        LOAM_TRY(take_assets(call, field_of(from, LAYER_ASSETS), layer, rules));
    }
    return LOAM_OK;
}

/* ---- Candidates ----------------------------------------------------------------------------- */

static void biome_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                       node_cost *cost) {
    *cost = (node_cost){0};
    sample_lattice_cost(param_integer(node, BIOME_SPACING), rect, cost);
    cost->bytes =
        add_saturated(cost->bytes, multiply_saturated(cost->candidates, BIOME_BYTES_EACH));
    cost->bytes = add_saturated(cost->bytes, 2 * sizeof(biome_rules));
    for (uint32_t p = BIOME_PORTS; p < loam_node_input_count(node); p++) {
        node_cost domain = domain_cost(node, p, inputs);
        domain_add_cost(&domain, cost->candidates, cost);
    }
}

/* Candidates that no layer has yet: their rows and places. */
typedef struct free_points {
    uint32_t *rows;
    int32_t *x, *y, *z;
    uint32_t count;
} free_points;

static loam_status take_free(node_call *call, free_points *left) {
    const point_set *set = call->out;
    LOAM_TRY(
        node_fail(call, point_set_select(set, call->rect, call->arena, &left->rows, &left->count)));
    left->x = COLUMN_TAKE(call->arena, left->count, int32_t);
    left->y = COLUMN_TAKE(call->arena, left->count, int32_t);
    left->z = COLUMN_TAKE(call->arena, left->count, int32_t);
    LOAM_TRY_MEMORY(left->x, call->error);
    LOAM_TRY_MEMORY(left->y, call->error);
    LOAM_TRY_MEMORY(left->z, call->error);
    for (uint32_t k = 0; k < left->count; k++) {
        left->x[k] = set->x[left->rows[k]];
        left->y[k] = set->y[left->rows[k]];
        left->z[k] = set->z[left->rows[k]];
    }
    return LOAM_OK;
}

/* Gives the marked points to a layer; the others stay free. */
static void give_marked(free_points *left, const uint8_t *marks, uint8_t to, uint8_t *layer) {
    uint32_t kept = 0;
    for (uint32_t k = 0; k < left->count; k++) {
        uint32_t row = left->rows[k];
        layer[row] = marks[k] != 0 ? to : layer[row];
        left->rows[kept] = row;
        left->x[kept] = left->x[k];
        left->y[kept] = left->y[k];
        left->z[kept] = left->z[k];
        kept += marks[k] == 0;
    }
    left->count = kept;
}

static areas_view exclude_view(void) {
    return (areas_view){.feature_margin = true};
}

/* Those in excluded areas are no layer's. */
static loam_status exclude(node_call *call, free_points *left, uint8_t *marks, uint8_t *layer) {
    const loam_asset *asset = call->assets[BIOME_EXCLUDE];
    if (asset == NULL) {
        return LOAM_OK;
    }
    areas_view view = exclude_view();
    uint64_t tests =
        multiply_saturated(areas_edge_count(asset->areas, &view, call->rect), left->count);
    if (tests > TESTS_PER_CELL_MAX) {
        return loam_fail(call->error, LOAM_BUDGET_EXCEEDED, call->pointer,
                         "%llu segment tests are more than %llu; use smaller cells",
                         (unsigned long long)tests, (unsigned long long)TESTS_PER_CELL_MAX);
    }
    const areas_points places = {call->out->base_x, call->out->base_z, left->x, left->z,
                                 left->count};
    LOAM_TRY(node_fail(call, areas_veto(asset->areas, &view, &places, marks, call->arena)));
    give_marked(left, marks, BIOME_NONE, layer);
    return LOAM_OK;
}

static loam_status share_ground(node_call *call, const biome_rules *rules, uint8_t *layer) {
    free_points left;
    LOAM_TRY(take_free(call, &left));
    uint8_t *marks = COLUMN_TAKE(call->arena, left.count, uint8_t);
    LOAM_TRY_MEMORY(marks, call->error);
    memset(layer, BIOME_NONE, call->out->count);
    LOAM_TRY(exclude(call, &left, marks, layer));
    for (uint32_t i = 0; i < rules->count && left.count > 0; i++) {
        const volume *domain;
        if (rules->layers[i].port < 0) {
            memset(marks, 1, left.count);
            give_marked(&left, marks, (uint8_t)i, layer);
            continue;
        }
        const volume_points places = {call->out->base_x, call->out->base_z, left.x, left.y, left.z,
                                      left.count};
        LOAM_TRY(domain_take(call, (uint32_t)rules->layers[i].port, &domain));
        LOAM_TRY(domain_hold(call, domain, &places, marks));
        give_marked(&left, marks, (uint8_t)i, layer);
    }
    return LOAM_OK;
}

static loam_status biome_evaluate(node_call *call) {
    const loam_value *values;
    biome_rules *rules = loam_arena_take_zero(call->arena, 1, sizeof *rules);
    fresh_columns columns;
    sample_rule rule = {param_integer(call->node, BIOME_SPACING),
                        param_integer(call->node, BIOME_JITTER), LOAM_DENSITY_ONE};
    LOAM_TRY_MEMORY(rules, call->error);
    LOAM_TRY(rules_take(call, BIOME_RULES, &values));
    LOAM_TRY(take_layers(call, values, rules));
    LOAM_TRY(sample_lattice(call, &rule, &columns));
    LOAM_TRY(sample_ground(call, call->assets[BIOME_SURFACE], &columns));
    uint8_t *layer = COLUMN_TAKE(call->arena, call->out->count, uint8_t);
    LOAM_TRY_MEMORY(layer, call->error);
    LOAM_TRY(share_ground(call, rules, layer));
    for (uint32_t i = 0; i < call->out->count; i++) {
        columns.live[i] = layer[i] != BIOME_NONE ? UINT32_MAX : 0;
    }
    LOAM_TRY(biome_plant(call, rules, layer, call->out));
    call->path = "lattice";
    return poll_cancel(call);
}

static loam_status biome_see(const loam_node *node, uint32_t port, loam_rect rect,
                             const loam_asset *asset, byte_writer *writer, loam_arena *scratch) {
    if (port == BIOME_SURFACE) {
        heightfield_see(asset->heightfield, rect, writer);
    } else if (port == BIOME_RULES) {
        rules_tree_write(writer, asset->rules);
    } else if (port == BIOME_EXCLUDE) {
        areas_view view = exclude_view();
        return areas_key_write(writer, asset->areas, &view, rect, false, scratch);
    } else {
        return domain_see(node, port, rect, asset, writer, scratch);
    }
    return LOAM_OK;
}

const loam_operation biome_generate_operation = {
    .name = "biome.generate",
    .version = 1,
    .category = "flow",
    .title = "Biomes",
    .description = "Candidates of a lattice, shared out among layers by domain and priority; each "
                   "gets one of its layer's assets by weight. A layer's domain comes in through "
                   "the port that has its name; a layer without a port covers all.",
    .reach = "0; an excluded area's own bounds grow by its margin",
    .ports = biome_ports,
    .port_count = COUNT_OF(biome_ports),
    .params = biome_params,
    .param_count = COUNT_OF(biome_params),
    .seeded = true,
    .open_port = &layer_port,
    .rules = rules_fields,
    .rules_count = COUNT_OF(rules_fields),
};
const operation_code biome_generate_code = {.check_rules = biome_check_rules,
                                            .cost = biome_cost,
                                            .see = biome_see,
                                            .evaluate = biome_evaluate};
