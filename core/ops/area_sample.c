/* SPDX-License-Identifier: MIT
 *
 * area_sample.c: area.sample, candidates of the world's lattice inside polygons. Polygons decide
 * which sites have a point, never where: two that overlap share it.
 */
#include "core/base/try.h"
#include "core/ops/asked.h"
#include "core/ops/attribute.h"
#include "core/ops/sample.h"

#include <string.h>

enum { AREA_SPACING, AREA_JITTER, AREA_EDGE };

/* Two compact copies, the feature's number, and its name: text, its place in the table. */
enum { AREA_BYTES_EACH = 240 };

#define AREA_SPACING_MAX ((int64_t)1 << 20)

/* A feature's key as text: 16 digits. */
enum { KEY_DIGITS = 16, KEY_DIGIT_BITS = 4 };

/* Names found last, by the low bits of the feature's number: neighbours are of few features. */
enum { NAMES_KEPT = 64 };

static const loam_port_schema area_ports[] = {{"areas", LOAM_PORT_AREAS, true, 0, false}};

static const loam_param_schema area_params[] = {
    PARAM("spacing_m", "Spacing", "m", FLOAT, BITS_UNITS,
          LOAM_PARAM_REQUIRED | LOAM_PARAM_ROUND_UP | LOAM_PARAM_NONZERO, 0, 1, AREA_SPACING_MAX,
          16, "Side of a lattice cell; each offers one candidate."),
    PARAM("jitter", "Jitter", "", FLOAT, BITS_RATIO, 0, 65536, 0, 65536, 655,
          "How far a candidate strays in its lattice cell: 0 is its low corner, 1 all of it."),
    PARAM("edge_m", "Edge", "m", FLOAT, BITS_UNITS, LOAM_PARAM_ROUND_UP, 0, 0,
          ZONE_MARGIN_UNITS_MAX, 64, "No point is closer to the border of its polygon."),
};

static areas_view area_view(const loam_node *node) {
    return (areas_view){.margin_units = param_integer(node, AREA_EDGE)};
}

static void area_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                      node_cost *cost) {
    (void)inputs;
    sample_lattice_cost(param_integer(node, AREA_SPACING), rect, cost);
    cost->bytes = add_saturated(cost->bytes, multiply_saturated(cost->candidates, AREA_BYTES_EACH));
}

static loam_status area_see(const loam_node *node, uint32_t port, loam_rect rect,
                            const loam_asset *asset, byte_writer *writer, loam_arena *scratch) {
    (void)port;
    areas_view view = area_view(node);
    return areas_key_write(writer, asset->areas, &view, rect, true, scratch);
}

/* The index of a feature's key among the names. */
static loam_status name_key(node_call *call, uint64_t key, uint32_t *name) {
    char *digits = loam_arena_take(call->arena, KEY_DIGITS, 1);
    LOAM_TRY_MEMORY(digits, call->error);
    for (int i = KEY_DIGITS; i-- > 0; key >>= KEY_DIGIT_BITS) {
        digits[i] = "0123456789abcdef"[key & 15];
    }
    return node_fail(call, name_table_add(call->names, (loam_text){digits, KEY_DIGITS}, name));
}

/* Names of features that points are in, as the values of an attribute. */
static loam_status name_features(node_call *call, const uint32_t *features, uint32_t count,
                                 int32_t *values) {
    const loam_area_feature *all = loam_areas_normal_form(call->assets[0]->areas)->features;
    uint32_t kept[NAMES_KEPT], names[NAMES_KEPT];
    memset(kept, 0xff, sizeof kept);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = features[i] % NAMES_KEPT;
        if (kept[at] != features[i]) {
            LOAM_TRY(name_key(call, all[features[i]].key, &names[at]));
            kept[at] = features[i];
        }
        values[i] = (int32_t)names[at];
    }
    return LOAM_OK;
}

/* Places of the rows of a set, as questions want them. */
static loam_status take_places(node_call *call, const point_set *set, const uint32_t *rows,
                               uint32_t count, areas_points *places) {
    int32_t *x = COLUMN_TAKE(call->arena, count, int32_t);
    int32_t *z = COLUMN_TAKE(call->arena, count, int32_t);
    LOAM_TRY_MEMORY(x, call->error);
    LOAM_TRY_MEMORY(z, call->error);
    for (uint32_t i = 0; i < count; i++) {
        x[i] = set->x[rows[i]];
        z[i] = set->z[rows[i]];
    }
    *places = (areas_points){set->base_x, set->base_z, x, z, count};
    return LOAM_OK;
}

/* Leaves those of the rows of `lattice` that polygons hold, and makes call->out of them;
 * features[i] becomes that of the i-th. */
static loam_status keep_covered(node_call *call, const point_set *lattice, uint32_t *rows,
                                uint32_t count, uint32_t *features) {
    const loam_areas *areas = call->assets[0]->areas;
    const areas_view view = area_view(call->node);
    areas_points places;
    LOAM_TRY(take_places(call, lattice, rows, count, &places));
    LOAM_TRY(areas_tests_check(call, areas, &view, count));
    LOAM_TRY(
        node_fail(call, areas_cover(areas, view.margin_units, &places, features, call->arena)));
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (features[i] != AREA_FEATURE_NONE) {
            features[kept] = features[i];
            rows[kept++] = rows[i];
        }
    }
    return node_fail(call, point_set_gather(lattice, rows, kept, call->arena, call->out));
}

static loam_status area_evaluate(node_call *call) {
    const sample_rule rule = {param_integer(call->node, AREA_SPACING),
                              param_integer(call->node, AREA_JITTER), LOAM_DENSITY_ONE};
    fresh_columns columns;
    uint32_t *rows, count;
    LOAM_TRY(sample_lattice(call, &rule, &columns));
    LOAM_TRY(sample_ground(call, NULL, &columns));
    const point_set lattice = *call->out;
    LOAM_TRY(node_fail(call, point_set_select(&lattice, call->rect, call->arena, &rows, &count)));
    uint32_t *features = COLUMN_TAKE(call->arena, count, uint32_t);
    LOAM_TRY_MEMORY(features, call->error);
    LOAM_TRY(keep_covered(call, &lattice, rows, count, features));
    int32_t *values = COLUMN_TAKE(call->arena, call->out->count, int32_t);
    LOAM_TRY_MEMORY(values, call->error);
    LOAM_TRY(name_features(call, features, call->out->count, values));
    call->path = "compact";
    LOAM_TRY(
        attribute_put(call, call->out, loam_text_of("feature"), LOAM_ATTRIBUTE_STRING, values));
    return poll_cancel(call);
}

const loam_operation area_sample_operation = {
    .name = "area.sample",
    .version = 1,
    .category = "sampling",
    .title = "Area sample",
    .description = "One candidate per site of a lattice that covers the world, where it lies in a "
                   "polygon; `feature` names the polygon's.",
    .reach = "the edge distance, of areas alone",
    .ports = area_ports,
    .port_count = COUNT_OF(area_ports),
    .params = area_params,
    .param_count = COUNT_OF(area_params),
    .seeded = true,
};
const operation_code area_sample_code = {
    .cost = area_cost, .see = area_see, .evaluate = area_evaluate};
