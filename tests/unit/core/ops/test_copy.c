/* SPDX-License-Identifier: MIT
 *
 * test_copy.c: copy.points: what a copy is made of, where it stands, which sources have bounds, its
 * exact reach, what keys see, and no seams.
 */
#include "core/base/mix.h"
#include "core/ops/attribute.h"
#include "tests/support/sketch.h"
#include "tests/unit/core/ops/operation_fixture.h"

#include <math.h>
#include <string.h>

enum { METRE = LOAM_UNITS_PER_METRE };
enum { OF_SOURCE, OF_TARGET, OF_BOTH };

/* ---- One node ------------------------------------------------------------------------------- */

static operation_fixture *copy_of(point_set *source, point_set *target) {
    operation_fixture *fixture = fixture_of("copy.points");
    fixture_set(fixture, "max_points", 1000);
    fixture->inputs[0] = source;
    fixture->inputs[1] = target;
    return fixture;
}

/* Columns that tests write. */
static uint16_t *halves(const point_set *set) {
    return calloc(column_size(set->count + 1), sizeof(uint16_t));
}

static uint64_t id_of(const point_set *set, uint32_t i) {
    return set->id != NULL ? set->id[i] : mix_id(set->id_key, set->a[i], set->b[i]);
}

static void turn_and_scale(point_set *set, uint32_t seed) {
    uint16_t *yaw = halves(set), *scale = halves(set);
    for (uint32_t i = 0; i < set->count; i++) {
        yaw[i] = (uint16_t)mix32(i + seed);
        scale[i] = (uint16_t)(1000 + mix32(i * 3 + seed) % 15000);
    }
    set->yaw = yaw;
    set->scale = scale;
}

Test(copy_points, every_source_is_set_up_at_every_target) {
    point_set *source = random_points(3, 40, 2000), *target = random_points(4, 60, 30000);
    turn_and_scale(source, 1);
    turn_and_scale(target, 2);
    operation_fixture *fixture = copy_of(source, target);
    point_set out = fixture_run(fixture);
    cr_assert_eq(out.count, 40 * 60);
    uint64_t key = draw_key(fixture->seed, DRAW_ID);
    for (uint32_t t = 0; t < target->count; t++) {
        double turn = target->yaw[t] * 2.0 * 3.14159265358979 / 65536.0;
        double scale = target->scale[t] / 4096.0;
        for (uint32_t s = 0; s < source->count; s++) {
            uint64_t id = mix_pair(mix_pair(key, id_of(target, t)), id_of(source, s));
            uint32_t i = t * source->count + s;
            cr_assert_eq(out.id[i], id, "target-major");
            cr_assert_eq(out.a[i], (uint32_t)id);
            cr_assert_eq(out.b[i], (uint32_t)(id >> 32));
            double x = (double)(source->base_x + source->x[s]) * scale;
            double z = (double)(source->base_z + source->z[s]) * scale;
            double east = (double)(target->base_x + target->x[t]) + x * cos(turn) + z * sin(turn);
            double north = (double)(target->base_z + target->z[t]) + z * cos(turn) - x * sin(turn);
            cr_assert_leq(fabs((double)(out.base_x + out.x[i]) - east), 0.501);
            cr_assert_leq(fabs((double)(out.base_z + out.z[i]) - north), 0.501);
            cr_assert_leq(fabs(out.y[i] - target->y[t] - source->y[s] * scale), 0.501);
            cr_assert_eq(out.yaw[i], (uint16_t)(source->yaw[s] + target->yaw[t]));
            double product = source->scale[s] * scale;
            cr_assert_leq(fabs(out.scale[i] - (product > 65535 ? 65535 : product)), 0.501);
            double density = (double)source->density[s] * target->density[t] / LOAM_DENSITY_ONE;
            cr_assert_leq(fabs(out.density[i] - density), 0.501);
            cr_assert_eq(out.gradient_x[i], target->gradient_x[t]);
        }
    }
}

Test(copy_points, quarter_turns_are_exact) {
    point_set *source = random_points(3, 1, 1), *target = random_points(4, 4, 1);
    static const int64_t expected[4][2] = {{-700, 900}, {900, 700}, {700, -900}, {-900, -700}};
    uint16_t *yaw = halves(target);
    ((int32_t *)source->x)[0] = ((int32_t *)source->z)[0] = 0;
    for (uint32_t i = 0; i < 4; i++) {
        yaw[i] = (uint16_t)(i * 16384);
        ((int32_t *)target->x)[i] = ((int32_t *)target->z)[i] = 0;
    }
    target->yaw = yaw;
    point_set out = fixture_run(copy_of(source, target));
    for (uint32_t i = 0; i < 4; i++) {
        cr_expect_eq(out.base_x + out.x[i], -700 + expected[i][0], "%u", i);
        cr_expect_eq(out.base_z + out.z[i], 900 + expected[i][1], "%u", i);
    }
}

/* One attribute of each side under its own name, and one of both. */
static void name_points(point_set *set, const char *own, int32_t value, uint32_t asset) {
    point_attribute *attributes = calloc(2, sizeof *attributes);
    int32_t *values = calloc(column_size(set->count), sizeof *values);
    for (uint32_t i = 0; i < set->count; i++) {
        values[i] = value;
    }
    attributes[0] = (point_attribute){loam_text_of("both"), LOAM_ATTRIBUTE_INT, values};
    attributes[1] = (point_attribute){loam_text_of(own), LOAM_ATTRIBUTE_INT, values};
    set->attributes = attributes;
    set->attribute_count = 2;
    set->asset_all = asset;
}

static int32_t value_of(const point_set *out, const char *name) {
    int32_t found = attribute_find(out, loam_text_of(name));
    return found < 0 ? -1 : out->attributes[found].values[0];
}

Test(copy_points, metadata_says_whose_attributes_and_assets_a_copy_has) {
    static const int32_t expected[3][4] = {{1, 1, -1, 7}, {2, -1, 2, 8}, {1, 1, 2, 7}};
    point_set *source = random_points(3, 2, 100), *target = random_points(4, 3, 100);
    name_points(source, "leaf", 1, 7);
    name_points(target, "tree", 2, 8);
    for (int64_t metadata = OF_SOURCE; metadata <= OF_BOTH; metadata++) {
        operation_fixture *fixture = copy_of(source, target);
        fixture_set(fixture, "metadata", metadata);
        point_set out = fixture_run(fixture);
        cr_assert_eq(out.count, 6);
        cr_expect_eq(value_of(&out, "both"), expected[metadata][0]);
        cr_expect_eq(value_of(&out, "leaf"), expected[metadata][1]);
        cr_expect_eq(value_of(&out, "tree"), expected[metadata][2]);
        cr_expect_eq((int32_t)out.asset[0], expected[metadata][3]);
    }
    source->asset_all = ASSET_NONE;
    operation_fixture *fixture = copy_of(source, target);
    cr_expect_eq(fixture_run(fixture).asset[0], 8, "a source without an asset takes the target's");
}

Test(copy_points, too_many_sources_and_too_large_targets_fail_the_node) {
    point_set *source = random_points(3, 20, 2000), *target = random_points(4, 5, 3000);
    operation_fixture *fixture = copy_of(source, target);
    loam_error error = {0};
    point_set out;
    fixture_set(fixture, "max_points", 19);
    cr_expect_eq(fixture_try(fixture, &out, &error), LOAM_TOO_MANY);
    cr_expect_str_eq(error.pointer, "/nodes/n");
    cr_expect_str_eq(error.text, "the source of n has 20 points, more than max_points 19");
    fixture_set(fixture, "max_points", 20);
    cr_expect_eq(fixture_run(fixture).count, 100);
    uint16_t *scale = halves(target);
    for (uint32_t i = 0; i < target->count; i++) {
        scale[i] = 4 * LOAM_SCALE_ONE;
    }
    target->scale = scale;
    cr_expect_eq(fixture_run(fixture).count, 100);
    scale[3]++;
    error = (loam_error){0};
    cr_expect_eq(fixture_try(fixture, &out, &error), LOAM_OUT_OF_RANGE);
    target->live = calloc(column_size(5), sizeof(uint32_t));
    cr_expect_eq(fixture_run(fixture).count, 0, "nothing is made of the dead");
}

Test(copy_points, no_source_or_no_target_is_no_copy) {
    point_set *none = random_points(3, 0, 1), *some = random_points(4, 5, 3000);
    cr_expect_eq(fixture_run(copy_of(none, some)).count, 0);
    cr_expect_eq(fixture_run(copy_of(some, none)).count, 0);
}

/* ---- Reach ---------------------------------------------------------------------------------- */

static int64_t reach_of(operation_fixture *fixture, loam_rect source) {
    const node_domain inputs[2] = {{true, source}, {false, {0, 0, 0, 0}}};
    return copy_points_code.reach_from(&fixture->graph.nodes[0], inputs);
}

Test(copy_points, reach_is_the_farthest_corner_of_the_source_times_the_largest_target) {
    operation_fixture *fixture = fixture_of("copy.points");
    cr_expect_eq(reach_of(fixture, (loam_rect){-1000, 0, 1, 1}), 4000);
    cr_expect_eq(reach_of(fixture, (loam_rect){0, -300, 401, 1}), 4 * 500);
    cr_expect_eq(reach_of(fixture, (loam_rect){0, 0, 2, 2}), 6, "4 * 1.414 is 5.66, and up");
    cr_expect_eq(reach_of(fixture, (loam_rect){0, 0, 0, 0}), 0);
    fixture_set(fixture, "target_scale_max", LOAM_SCALE_ONE);
    cr_expect_eq(reach_of(fixture, (loam_rect){-1000, 0, 1, 1}), 1000);
    fixture_set(fixture, "target_scale_max", 1);
    cr_expect_eq(reach_of(fixture, (loam_rect){-1000, 0, 1, 1}), 1);
    cr_expect_gt(reach_of(fixture, (loam_rect){(int64_t)1 << 39, 0, (int64_t)1 << 40, 1}),
                 REACH_UNITS_MAX);
}

/* A source beyond the reach stands within it when all targets are small. */
Test(copy_points, reach_goes_by_what_is_left_of_a_distance_that_is_scaled) {
    operation_fixture *fixture = fixture_of("copy.points");
    const int64_t far = 12000 * LOAM_UNITS_PER_METRE;
    const loam_rect along = {far - 9, 0, far + 1, 1}, across = {0, -far, far + 1, 1};
    fixture_set(fixture, "target_scale_max", LOAM_SCALE_ONE / 2);
    int64_t reach = reach_of(fixture, along);
    cr_expect(reach >= far / 2 && reach <= far / 2 + 4, "%lld", (long long)reach);
    cr_expect_gt(reach_of(fixture, across), REACH_UNITS_MAX, "8.5 km");
    fixture_set(fixture, "target_scale_max", LOAM_SCALE_ONE / 4);
    reach = reach_of(fixture, across);
    cr_expect(reach * reach >= 2 * (far / 4) * (far / 4) && reach < far * 36 / 100);
}

/* A target at x = 5,000 of which the only copy is at 9,000: it is in the rectangle [9,000, 9,001),
 * which must see a target `shown` units west of it. */
static uint32_t copies_seen(int64_t shown) {
    point_set *source = random_points(3, 1, 1), *target = random_points(4, 1, 1);
    source->base_x = 1000;
    source->base_z = target->base_x = target->base_z = 0;
    ((int32_t *)source->x)[0] = ((int32_t *)source->z)[0] = ((int32_t *)target->z)[0] = 0;
    ((int32_t *)target->x)[0] = 5000;
    uint16_t *scale = halves(target);
    scale[0] = 4 * LOAM_SCALE_ONE;
    target->scale = scale;
    target->count = 5000 >= 9000 - shown ? 1 : 0;
    operation_fixture *fixture = copy_of(source, target);
    fixture->rect = (loam_rect){9000, 0, 9001, 1};
    return fixture_run(fixture).count;
}

Test(copy_points, a_reach_less_one_unit_shows) {
    operation_fixture *fixture = fixture_of("copy.points");
    int64_t reach = reach_of(fixture, (loam_rect){0, 0, 1001, 1});
    cr_expect_eq(copies_seen(reach), 1);
    cr_expect_eq(copies_seen(reach - 1), 0);
}

/* ---- Graphs --------------------------------------------------------------------------------- */

static const loam_sites *sites_of(loam_arena *arena, uint32_t count, int64_t x, int64_t side) {
    loam_site *list = calloc(count + 1, sizeof *list);
    const loam_sites *sites;
    loam_error error = {0};
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bits = mix64(i + 1);
        list[i] = (loam_site){.x = x + (int64_t)(bits % (uint64_t)side),
                              .z = (int64_t)((bits >> 32) % (uint64_t)side) - side / 2,
                              .y = (int32_t)(bits >> 50),
                              .key = i + 1};
    }
    const loam_sites_source source = {list, count, NULL, 0};
    cr_assert_eq(loam_sites_build(&source, arena, &sites, &error), LOAM_OK, "%s", error.text);
    return sites;
}

static uint32_t check_partition(const char *const *lines) {
    sketch *graph = sketch_of(lines, 42);
    point_union whole = {0};
    for (uint32_t i = 0; i < graph->graph.slot_count; i++) {
        graph->slots[i].sites = sites_of(&graph->arena, 50, -900, 2000);
    }
    const char *difference = sketch_partition(graph, -300, 5000, 300, &whole);
    cr_expect_null(difference, "%s", difference);
    uint32_t count = whole.count;
    union_fini(&whole);
    return count;
}

#define TARGETS                                                                                    \
    "sites grid.sample spacing_m=4000", "targets transform.scatter scale_min=2048 "                \
                                        "scale_max=9000 points<sites"
#define COPIES                                                                                     \
    "copies copy.points max_points=2000 source<stamp target<targets", "=points copies", NULL

Test(copy_points, cells_of_any_size_give_the_same_copies_of_every_bounded_source) {
    const char *const disk[] = {
        TARGETS,
        "stamp poisson.disk origin_x_m=-3000 origin_z_m=-100 width_m=3500 depth_m=1500 "
        "radius_m=300",
        COPIES};
    const char *const given[] = {"$given points", TARGETS, "stamp points.input points<$given",
                                 COPIES};
    const char *const boxed[] = {
        TARGETS, "dense grid.sample spacing_m=200",
        "stamp filter.box min_m=[1000,-9000,-500] max_m=[2500,9000,900] points<dense", COPIES};
    const char *const circle[] = {TARGETS, "dense poisson.sample radius_m=200",
                                  "stamp filter.radius x_m=-1500 z_m=700 radius_m=900 points<dense",
                                  COPIES};
    const char *const ball[] = {TARGETS,
                                "ball spatial.sphere center_m=[0,0,0] radius_m=1500",
                                "dense grid.sample spacing_m=200",
                                "inside filter.spatial points<dense domain<ball",
                                "strayed jitter x_m=200 z_m=300 points<inside",
                                "moved transform offset_m=[-700,0,900] points<strayed",
                                "stamp self.prune radius_m=250 points<moved",
                                COPIES};
    const char *const joined[] = {TARGETS,
                                  "ball spatial.sphere center_m=[0,0,0] radius_m=1500",
                                  "solid spatial.sample spacing_m=700 domain<ball",
                                  "disk poisson.disk origin_x_m=-3000 origin_z_m=-100 "
                                  "width_m=3500 depth_m=1500 radius_m=300",
                                  "stamp merge a<solid b<disk",
                                  COPIES};
    cr_expect_gt(check_partition(disk), 5000);
    cr_expect_gt(check_partition(given), 10000);
    cr_expect_gt(check_partition(boxed), 5000);
    cr_expect_gt(check_partition(circle), 5000);
    cr_expect_gt(check_partition(ball), 5000);
    cr_expect_gt(check_partition(joined), 5000);
    const char *const far[] = {
        "sites grid.sample spacing_m=65536",
        "targets transform.scatter scale_min=2048 scale_max=2048 points<sites",
        "stamp poisson.disk origin_x_m=3072000 origin_z_m=0 width_m=20000 depth_m=20000 "
        "radius_m=500",
        "copies copy.points max_points=2000 target_scale_max=2048 source<stamp target<targets",
        "=points copies",
        NULL};
    cr_expect_gt(check_partition(far), 500);
}

/* Copies of copies, whose inner source is far away; and a sampler that serves cells too. */
Test(copy_points, a_source_may_be_copies_and_a_node_may_serve_cells_and_sources) {
    const char *const nested[] = {
        "petals poisson.disk origin_x_m=900 origin_z_m=-100 width_m=300 depth_m=200 radius_m=60",
        "heads poisson.disk origin_x_m=-2000 origin_z_m=-900 width_m=3000 depth_m=1500 "
        "radius_m=500",
        "flowers copy.points max_points=100 target_scale_max=4096 source<petals target<heads",
        "sites grid.sample spacing_m=6000",
        "beds copy.points max_points=5000 target_scale_max=4096 source<flowers target<sites",
        "=points beds",
        NULL};
    const char *const shared[] = {
        "sites poisson.sample radius_m=900",
        "stamp filter.box min_m=[-1000,-9000,-1500] max_m=[1500,9000,1500] points<sites",
        "copies copy.points max_points=100 target_scale_max=4096 source<stamp target<sites",
        "all merge a<copies b<sites",
        "=points all",
        NULL};
    cr_expect_gt(check_partition(nested), 5000);
    cr_expect_gt(check_partition(shared), 9000);
}

Test(copy_points, a_prune_after_copies_has_no_seams) {
    const char *const lines[] = {
        "sites grid.sample spacing_m=3000",
        "targets transform.scatter points<sites",
        "stamp poisson.disk origin_x_m=-1500 origin_z_m=-1000 width_m=3000 depth_m=2000 "
        "radius_m=600 max_points=20",
        "copies copy.points max_points=200 target_scale_max=4096 source<stamp target<targets",
        "apart self.prune radius_m=350 points<copies",
        "=points apart",
        NULL};
    cr_expect_gt(check_partition(lines), 2000);
}

static loam_status fault_of(const char *const *lines, loam_error *error) {
    sketch *graph;
    *error = (loam_error){0};
    return sketch_read(lines, &graph, error);
}

Test(copy_points, a_source_without_bounds_is_a_fault_that_names_the_port) {
    loam_error error;
    const char *const plain[] = {"stamp grid.sample spacing_m=900",
                                 "targets grid.sample "
                                 "spacing_m=9000",
                                 COPIES};
    cr_expect_eq(fault_of(plain, &error), LOAM_UNBOUNDED_SOURCE);
    cr_expect_str_eq(error.pointer, "/nodes/copies/in/source");
    const char *const outside[] = {"dense grid.sample spacing_m=900",
                                   "targets grid.sample "
                                   "spacing_m=9000",
                                   "stamp filter.box min_m=[0,0,0] max_m=[9,9,9] invert=1 "
                                   "points<dense",
                                   COPIES};
    cr_expect_eq(fault_of(outside, &error), LOAM_UNBOUNDED_SOURCE);
    const char *const half[] = {"targets grid.sample spacing_m=9000",
                                "dense grid.sample spacing_m=900",
                                "few filter.box min_m=[0,0,0] max_m=[9,9,9] points<dense",
                                "stamp merge a<few b<dense", COPIES};
    cr_expect_eq(fault_of(half, &error), LOAM_UNBOUNDED_SOURCE);
    const char *const none[] = {"targets grid.sample spacing_m=9000",
                                "stamp poisson.disk origin_x_m=0 origin_z_m=0 width_m=9 depth_m=9 "
                                "radius_m=9",
                                "copies copy.points source<stamp target<targets", "=points copies",
                                NULL};
    cr_expect_eq(fault_of(none, &error), LOAM_MISSING_FIELD);
}

Test(copy_points, a_source_too_far_from_the_origin_or_too_wide_is_over_the_budget) {
    loam_error error;
    const char *const far[] = {"targets grid.sample spacing_m=9000",
                               "stamp poisson.disk origin_x_m=900000 origin_z_m=0 width_m=9 "
                               "depth_m=9 radius_m=9",
                               COPIES};
    sketch *graph;
    error = (loam_error){0};
    cr_assert_eq(sketch_read(far, &graph, &error), LOAM_OK);
    const loam_plan *plan;
    cr_expect_eq(loam_plan_build(&graph->graph, 1, &graph->arena, &plan, &error),
                 LOAM_BUDGET_EXCEEDED);
    cr_expect_str_eq(error.pointer, "/nodes/copies");
    const char *const wide[] = {"$given points", "targets grid.sample spacing_m=9000",
                                "stamp points.input points<$given", COPIES};
    graph = sketch_of(wide, 1);
    graph->slots[0].sites = sites_of(&graph->arena, 50, 0, (int64_t)1 << 30);
    loam_points points;
    error = (loam_error){0};
    cr_expect_eq(sketch_build(graph, (loam_rect){0, 0, 9000, 9000}, &points, &error),
                 LOAM_BUDGET_EXCEEDED);
}

/* Given points are known only when a cell is asked for: their copies' copies reach as far as all of
 * them together. */
Test(copy_points, the_reach_of_copies_of_copies_is_summed_over_given_points) {
    const char *const chain[] = {
        "$given points",
        "ground grid.sample spacing_m=65536",
        "stamp points.input points<$given",
        "near copy.points max_points=9 target_scale_max=4096 source<stamp target<ground",
        "far copy.points max_points=9 target_scale_max=4096 source<stamp target<near",
        "=points far",
        NULL};
    static const struct {
        int64_t metres;
        loam_status status;
    } rows[] = {{3000, LOAM_OK}, {5000, LOAM_BUDGET_EXCEEDED}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sketch *graph = sketch_of(chain, 1);
        graph->slots[0].sites =
            sites_of(&graph->arena, 1, rows[i].metres * LOAM_UNITS_PER_METRE, 10);
        loam_points points;
        loam_error error = {0};
        cr_expect_eq(sketch_build(graph, (loam_rect){0, 0, 9000, 9000}, &points, &error),
                     rows[i].status, "%s", error.text);
        if (rows[i].status != LOAM_OK) {
            cr_expect_str_eq(error.pointer, "/nodes/near");
        }
    }
}

/* ---- Keys ----------------------------------------------------------------------------------- */

static const char *const given_both[] = {
    "$stamp points",
    "$targets points",
    "s points.input points<$stamp",
    "t points.input points<$targets",
    "copies copy.points max_points=99 target_scale_max=4096 source<s target<t",
    "=points copies",
    NULL};

Test(copy_points, keys_see_the_whole_source_and_targets_within_its_reach) {
    sketch *graph = sketch_of(given_both, 1);
    const loam_rect cell = {0, 0, 8192, 8192};
    loam_asset *stamp = &graph->slots[0], *targets = &graph->slots[1];
    /* Farthest from the origin is (1,600, 0): that is the reach. */
    const loam_site at_1600[] = {{.x = 1600, .key = 1}}, at_1599[] = {{.x = 1599, .key = 1}};
    const loam_sites_source first = {at_1600, 1, NULL, 0}, second = {at_1599, 1, NULL, 0};
    loam_error error = {0};
    cr_assert_eq(loam_sites_build(&first, &graph->arena, &stamp->sites, &error), LOAM_OK);
    uint64_t keys[4];
    uint32_t counts[4];
    for (uint32_t i = 0; i < 4; i++) {
        const loam_site target = {.x = i == 3 ? -70000 : -1599 - (int64_t)i, .key = 9};
        const loam_sites_source one = {&target, 1, NULL, 0};
        loam_points points;
        cr_assert_eq(loam_sites_build(&one, &graph->arena, &targets->sites, &error), LOAM_OK);
        keys[i] = sketch_key(graph, cell);
        cr_assert_eq(sketch_build(graph, cell, &points, &error), LOAM_OK, "%s", error.text);
        counts[i] = points.count;
    }
    cr_expect_eq(counts[0], 1);
    cr_expect_eq(counts[1], 1, "1,600 units east of -1,600");
    cr_expect_eq(counts[2], 0);
    cr_expect_neq(keys[0], keys[1]);
    cr_expect_neq(keys[1], keys[2]);
    cr_expect_eq(keys[2], keys[3], "beyond the reach nothing is seen");
    cr_assert_eq(loam_sites_build(&second, &graph->arena, &stamp->sites, &error), LOAM_OK);
    cr_expect_neq(sketch_key(graph, cell), keys[3]);
}
