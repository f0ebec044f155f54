/* SPDX-License-Identifier: MIT
 *
 * test_biome.c: biome.generate: who gets which ground, what is planted there, the same from every
 * cell size; and rules that are wrong.
 */
#include "core/base/mix.h"
#include "core/space/areas.h"
#include "tests/support/forest.h"
#include "tests/support/rules_text.h"
#include "tests/support/sketch.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { METRE = LOAM_UNITS_PER_METRE };

static const char layers[] =
    "{\"layers\":["
    "{\"name\":\"meadow\",\"density\":0.25,\"assets\":[{\"name\":\"grass\",\"weight\":3},"
    "{\"name\":\"herb\"}]},"
    "{\"name\":\"pines\",\"priority\":2,\"assets\":[{\"name\":\"pine\",\"scale_min\":0.5,"
    "\"scale_max\":2,\"yaw\":\"random\",\"radius_m\":1.5}]},"
    "{\"name\":\"oaks\",\"priority\":2,\"assets\":[{\"name\":\"oak\"},{\"name\":\"dead\","
    "\"weight\":0}]}]}";

static const char *const graph_of_three[] = {
    "$ground heightfield",
    "$rules rules",
    "$town areas",
    "west spatial.box min_m=[-90000,-9000000,-90000] max_m=[40000,9000000,90000]",
    "middle spatial.sphere center_m=[38400,150000,38400] radius_m=25000",
    "land biome.generate spacing_m=600 surface<$ground rules<$rules exclude<$town pines<west "
    "oaks<middle",
    "=plants land",
    NULL,
};

static const loam_areas *town_at(loam_arena *arena) {
    static const int64_t ring[] = {10000, 10000, 20000, 10000, 20000,
                                   20000, 10000, 20000, 10000, 10000};
    const loam_ring rings[] = {{ring, 5}};
    const loam_polygon polygon = {rings, 1, 0};
    const loam_area_feature feature = {1, 512, LOAM_UNSET};
    const loam_areas_source source = {&polygon, 1, &feature, 1};
    const loam_areas *areas;
    loam_error error = {0};
    cr_assert_eq(loam_areas_build(&source, arena, &areas, &error), LOAM_OK, "%s", error.text);
    return areas;
}

static void bind(sketch *graph, const char *rules) {
    for (uint32_t i = 0; i < graph->graph.slot_count; i++) {
        loam_asset *slot = &graph->slots[i];
        if (slot->kind == LOAM_PORT_RULES) {
            slot->rules = rules_of_text(rules, &graph->arena);
        } else if (slot->kind == LOAM_PORT_AREAS) {
            slot->areas = town_at(&graph->arena);
        } else {
            slot->heightfield =
                terrain_hills(129, (int64_t)4 * METRE << 16, -100 * METRE, -100 * METRE);
        }
    }
}

static const loam_attribute *attribute_of(const loam_points *points, const char *name) {
    for (uint32_t i = 0; i < points->attribute_count; i++) {
        if (loam_text_equal(points->attributes[i].name, loam_text_of(name))) {
            return &points->attributes[i];
        }
    }
    cr_assert_fail("no attribute %s", name);
    return NULL;
}

static bool is_text(loam_text text, const char *expected) {
    return loam_text_equal(text, loam_text_of(expected));
}

/* Whose a point is, read literally. */
static const char *layer_at(int64_t x, int64_t y, int64_t z) {
    int64_t dx = x - 38400, dy = y - 150000, dz = z - 38400;
    if (dx * dx + dy * dy + dz * dz <= (int64_t)25000 * 25000) {
        return "oaks"; /* as high as pines, and first by name */
    }
    return x <= 40000 ? "pines" : "meadow";
}

Test(biome, each_point_is_of_the_highest_layer_whose_domain_holds_it) {
    sketch *graph = sketch_of(graph_of_three, 5);
    bind(graph, layers);
    loam_points points;
    loam_error error = {0};
    loam_rect rect = {0, 0, 300 * METRE, 300 * METRE};
    cr_assert_eq(sketch_build(graph, rect, &points, &error), LOAM_OK, "%s %s", error.pointer,
                 error.text);
    const loam_attribute *biome = attribute_of(&points, "biome");
    const loam_attribute *radius = attribute_of(&points, "radius");
    uint32_t of_layer[3] = {0}, grass = 0;
    for (uint32_t i = 0; i < points.count; i++) {
        const char *want = layer_at(points.x[i], points.y[i], points.z[i]);
        loam_text got = biome->texts[biome->values[i]], asset = points.palette[points.asset[i]];
        cr_assert(is_text(got, want), "point %u is %.*s, want %s", i, (int)got.size, got.bytes,
                  want);
        bool town =
            points.x[i] > 9488 && points.x[i] < 20512 && points.z[i] > 9488 && points.z[i] < 20512;
        cr_assert(!town || points.x[i] < 10000 || points.x[i] > 20000 || points.z[i] < 10000 ||
                  points.z[i] > 20000);
        if (is_text(got, "meadow")) {
            of_layer[0]++;
            grass += is_text(asset, "grass");
            cr_assert_eq(points.density[i], LOAM_DENSITY_ONE / 4);
            cr_assert_eq(points.yaw[i], 0);
        } else if (is_text(got, "pines")) {
            of_layer[1]++;
            cr_assert(is_text(asset, "pine"));
            cr_assert(points.scale_x[i] >= LOAM_SCALE_ONE / 2 &&
                      points.scale_x[i] <= 2 * LOAM_SCALE_ONE);
            cr_assert_eq(radius->values[i], 65536 * 3 / 2);
        } else {
            of_layer[2]++;
            cr_assert(is_text(asset, "oak"), "a weight of 0 is never chosen");
            cr_assert_eq(points.scale_x[i], LOAM_SCALE_ONE);
        }
    }
    cr_expect_gt(of_layer[0], 1000);
    cr_expect_gt(of_layer[1], 1000);
    cr_expect_gt(of_layer[2], 100);
    double share = (double)grass / of_layer[0], sigma = sqrt(0.75 * 0.25 / of_layer[0]);
    cr_expect_lt(fabs(share - 0.75), 4 * sigma, "%f", share);
}

Test(biome, cells_of_every_size_give_the_same_points) {
    sketch *graph = sketch_of(graph_of_three, 5);
    point_union whole = {0};
    bind(graph, layers);
    const char *difference = sketch_partition(graph, -20, 7, 300, &whole);
    cr_expect_null(difference, "%s", difference);
    cr_expect_gt(whole.count, 10000);
    union_fini(&whole);
}

Test(biome, pruning_after_it_is_the_same_by_the_lattice_and_the_general_path) {
    static const char *const lines[] = {
        "$rules rules",
        "land biome.generate spacing_m=600 rules<$rules",
        "spaced self.prune radius_m=1100 points<land",
        "=plants spaced",
        NULL,
    };
    sketch *graph = sketch_of(lines, 5);
    bind(graph, layers);
    loam_rect rect = {0, 0, 100 * METRE, 100 * METRE};
    loam_points points[2];
    for (int general = 0; general < 2; general++) {
        loam_error error = {0};
        loam_arena arena = arena_of(64 << 20);
        const loam_query query = {.plan = graph->plan, .rect = rect, .slots = graph->slots};
        const loam_run run = {.arena = &arena, .general_path = general == 1};
        cr_assert_eq(loam_cell_build(&query, &run, &points[general], &error), LOAM_OK, "%s",
                     error.text);
    }
    cr_assert_eq(points[0].count, points[1].count);
    cr_assert_arr_eq(points[0].id, points[1].id, points[0].count * sizeof(uint64_t));
    cr_assert_arr_eq(points[0].asset, points[1].asset, points[0].count * sizeof(uint32_t));
}

Test(biome, the_order_of_layers_and_ports_in_the_documents_changes_nothing) {
    static const char *const turned[] = {
        "$ground heightfield",
        "$rules rules",
        "$town areas",
        "west spatial.box min_m=[-90000,-9000000,-90000] max_m=[40000,9000000,90000]",
        "middle spatial.sphere center_m=[38400,150000,38400] radius_m=25000",
        "land biome.generate spacing_m=600 oaks<middle exclude<$town pines<west rules<$rules "
        "surface<$ground",
        "=plants land",
        NULL,
    };
    sketch *a = sketch_of(graph_of_three, 5), *b = sketch_of(turned, 5);
    bind(a, layers);
    bind(b, layers);
    loam_rect rect = {0, 0, 64 * METRE, 64 * METRE};
    cr_expect_eq(sketch_key(a, rect), sketch_key(b, rect));
}

static void expect_refused(const char *rules, loam_status status, const char *named) {
    sketch *graph = sketch_of(graph_of_three, 5);
    loam_points points;
    loam_error error = {0};
    bind(graph, rules);
    cr_expect_eq(sketch_build(graph, (loam_rect){0, 0, 256, 256}, &points, &error), status, "%s",
                 rules);
    cr_expect_str_eq(error.pointer, "/nodes/land/in/rules", "%s", rules);
    cr_expect(strstr(error.text, named) != NULL, "%s: %s", rules, error.text);
}

#define LAYER(name, assets) "{\"name\":\"" name "\",\"assets\":[" assets "]}"
#define PORTS_USED LAYER("pines", "{\"name\":\"a\"}") "," LAYER("oaks", "{\"name\":\"a\"}")

Test(biome, rules_that_are_wrong_name_the_place) {
    expect_refused("{}", LOAM_MISSING_FIELD, "/layers");
    expect_refused("{\"layers\":[]}", LOAM_TOO_MANY, "/layers");
    expect_refused("{\"modules\":[]}", LOAM_UNKNOWN_FIELD, "/modules");
    expect_refused("{\"layers\":[" PORTS_USED "," LAYER("x", "") "]}", LOAM_TOO_MANY,
                   "/layers/2/assets");
    expect_refused("{\"layers\":[" PORTS_USED "," LAYER("x", "{\"name\":\"a\",\"weight\":0}") "]}",
                   LOAM_OUT_OF_RANGE, "/layers/2/assets");
    expect_refused("{\"layers\":[" PORTS_USED "," LAYER("x", "{\"name\":\"a\",\"weight\":-1}") "]}",
                   LOAM_OUT_OF_RANGE, "/layers/2/assets/0/weight");
    expect_refused("{\"layers\":[" PORTS_USED "," LAYER("oaks", "{\"name\":\"a\"}") "]}",
                   LOAM_OUT_OF_RANGE, "/layers/2/name");
    expect_refused("{\"layers\":[" PORTS_USED "," LAYER("surface", "{\"name\":\"a\"}") "]}",
                   LOAM_OUT_OF_RANGE, "/layers/2/name");
    expect_refused("{\"layers\":[" LAYER("pines", "{\"name\":\"a\"}") "]}", LOAM_UNKNOWN_PORT,
                   "oaks");
    expect_refused("{\"layers\":[{\"name\":\"oaks\",\"priority\":1.5,\"assets\":[]}]}",
                   LOAM_WRONG_TYPE, "/layers/0/priority");
    expect_refused("{\"layers\":[{\"name\":\"oaks\",\"density\":1.00001,\"assets\":[]}]}",
                   LOAM_OUT_OF_RANGE, "/layers/0/density");
    expect_refused("{\"layers\":[{\"name\":7,\"assets\":[]}]}", LOAM_WRONG_TYPE, "/layers/0/name");
}

Test(biome, a_layer_without_a_port_leaves_nothing_to_lower_ones) {
    static const char *const lines[] = {
        "$rules rules", "land biome.generate spacing_m=6000 rules<$rules", "=plants land", NULL};
    sketch *graph = sketch_of(lines, 5);
    bind(graph, "{\"layers\":[" LAYER("b", "{\"name\":\"second\"}") "," LAYER(
                    "a", "{\"name\":\"first\"}") "]}");
    loam_points points;
    loam_error error = {0};
    cr_assert_eq(sketch_build(graph, (loam_rect){0, 0, 60000, 60000}, &points, &error), LOAM_OK);
    cr_assert_gt(points.count, 50);
    cr_assert_eq(points.palette_count, 1);
    cr_expect(is_text(points.palette[0], "first"));
}
