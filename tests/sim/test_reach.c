/* SPDX-License-Identifier: MIT
 *
 * test_reach.c: promise P4 to the unit, operation by operation. A cell has a point at its low
 * corner and an input has one thing so far west of it: within the reach, its last unit included, it
 * is in the key and can be felt in the cell; a unit farther neither sees it. So an operation whose
 * reach is a unit short fails here, and so does one that looks farther than it says.
 */
#include "tests/support/forest.h"
#include "tests/support/graph_world.h"
#include "tests/support/rules_text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { METRE = LOAM_UNITS_PER_METRE, ROW_LINES = 8, SEEDS = 40 };

/* Heightfields are seen by blocks of 32 m and the quads beside them. */
enum { FIELD_SIDE = 201, FIELD_WEST_M = 100, BLOCK_M = 32 };

/* As good as nothing. */
#define NOWHERE ((int64_t)3 << 22)

typedef struct reach_row {
    const char *operation;
    const char *about;
    const char *lines[ROW_LINES];
    loam_port_kind kind; /* of slot `in` */
    int64_t reach;       /* units: what is this far is seen and can be felt */
    int64_t beyond;      /* what is this far is not; 0: one unit more */
    bool around;         /* an area around the cell: what is so far is its own border */
} reach_row;

#define SITES "sites grid.sample spacing_m=100000 jitter=0"
#define GIVEN "given points.input points<$in"
#define HUGE_BOX "box spatial.box min_m=[-99999,-9,-99999] max_m=[99999,9,99999]"
#define AWAY_BOX "box spatial.box min_m=[50000,-9,50000] max_m=[50001,9,50001]"
#define HELD "kept filter.spatial points<sites domain<n"
#define BLOCK ((BLOCK_M + 2) * METRE)
#define POINTS LOAM_PORT_POINTS
#define LINES LOAM_PORT_LINES
#define AREAS LOAM_PORT_AREAS
#define FIELD LOAM_PORT_HEIGHTFIELD

static const reach_row rows[] = {
    {"points.input", "", {"$in points", "n points.input points<$in", "=out n"}, POINTS, 0, 0, 0},
    {"self.prune",
     "",
     {"$in points", SITES, GIVEN, "both merge a<sites b<given",
      "n self.prune radius_m=1000 rounds=1 points<both", "=out n"},
     POINTS,
     999,
     0,
     0},
    {"self.prune",
     "by radii that add up",
     {"$in points", SITES, GIVEN, "both merge a<sites b<given",
      "n self.prune radius_m=@$scale:1:500 mode=2 rounds=1 points<both", "=out n"},
     POINTS,
     511,
     999 + 1,
     0},
    {"bounds.prune",
     "",
     {"$in points", SITES, GIVEN, "n bounds.prune distance_m=1000 points<sites against<given",
      "=out n"},
     POINTS,
     999,
     0,
     0},
    {"jitter",
     "",
     {"$in points", GIVEN, "n jitter x_m=3 z_m=0 points<given", "=out n"},
     POINTS,
     3,
     0,
     0},
    {"transform",
     "",
     {"$in points", GIVEN, "n transform offset_m=[700,0,0] points<given", "=out n"},
     POINTS,
     700,
     0,
     0},
    {"copy.points",
     "",
     {"$in points", GIVEN, "far transform offset_m=[500,0,0] points<away",
      "src filter.box min_m=[500,-9,0] max_m=[500,9,0] points<far",
      "n copy.points max_points=9 target_scale_max=4096 source<src target<given", "=out n"},
     POINTS,
     500,
     0,
     0},
    {"spatial.points",
     "",
     {"$in points", SITES, GIVEN, "n spatial.points radius_m=256 points<given", HELD, "=out kept"},
     POINTS,
     256,
     0,
     0},
    {"density.distance",
     "to points of a node",
     {"$in points", SITES, GIVEN, "n density.distance near_m=0 far_m=1000 points<sites to<given",
      "=out n"},
     POINTS,
     999,
     0,
     0},
    {"density.distance",
     "to points",
     {"$in points", SITES, "n density.distance near_m=0 far_m=1000 points<sites to<$in", "=out n"},
     POINTS,
     999,
     0,
     0},
    {"density.distance",
     "to lines",
     {"$in lines", SITES, "n density.distance near_m=0 far_m=1000 points<sites to<$in", "=out n"},
     LINES,
     999,
     0,
     0},
    {"density.distance",
     "to areas",
     {"$in areas", SITES, "n density.distance near_m=0 far_m=1000 points<sites to<$in", "=out n"},
     AREAS,
     999,
     0,
     0},
    {"attribute.distance",
     "to points",
     {"$in points", SITES, "n attribute.distance name='d' max_m=1000 points<sites to<$in",
      "=out n"},
     POINTS,
     999,
     0,
     0},
    {"attribute.distance",
     "to lines",
     {"$in lines", SITES, "n attribute.distance name='d' max_m=1000 points<sites to<$in", "=out n"},
     LINES,
     999,
     0,
     0},
    {"attribute.distance",
     "to areas",
     {"$in areas", SITES, "n attribute.distance name='d' max_m=1000 points<sites to<$in", "=out n"},
     AREAS,
     999,
     0,
     0},
    {"line.sample",
     "",
     {"$in lines", "n line.sample spacing_m=4194304 offsets_m=[700] lines<$in", "=out n"},
     LINES,
     700,
     0,
     0},
    {"filter.line_distance",
     "",
     {"$in lines", SITES, "n filter.line_distance max_m=771 points<sites lines<$in", "=out n"},
     LINES,
     771,
     0,
     0},
    {"spatial.tube",
     "",
     {"$in lines", SITES, "n spatial.tube radius_m=745 min_y_m=-9 max_y_m=9 lines<$in", HELD,
      "=out kept"},
     LINES,
     745,
     0,
     0},
    {"grammar.generate",
     "",
     {"$in lines", "$rules rules", "n grammar.generate grammar='A*' lines<$in rules<$rules",
      "=out n"},
     LINES,
     0,
     0,
     0},
    {"area.sample",
     "edge",
     {"$in areas", "n area.sample spacing_m=100000 jitter=0 edge_m=500 areas<$in", "=out n"},
     AREAS,
     499,
     0,
     true},
    {"zone.exclude",
     "margin",
     {"$in areas", SITES, "n zone.exclude margin_m=512 points<sites zones<$in", "=out n"},
     AREAS,
     511,
     0,
     0},
    {"zone.buffer",
     "width",
     {"$in areas", SITES, "n zone.buffer width_m=1024 points<sites zones<$in", "=out n"},
     AREAS,
     1023,
     0,
     0},
    {"biome.generate",
     "excluded areas",
     {"$in areas", "$rules rules",
      "n biome.generate spacing_m=100000 jitter=0 rules<$rules exclude<$in", "=out n"},
     AREAS,
     0,
     0,
     0},
    {"biome.generate",
     "ground",
     {"$in heightfield", "$rules rules",
      "n biome.generate spacing_m=100000 jitter=0 rules<$rules surface<$in", "=out n"},
     FIELD,
     0,
     BLOCK,
     0},
    {"biome.generate",
     "a domain",
     {"$in areas", "$rules rules",
      "n biome.generate spacing_m=100000 jitter=0 rules<$rules wood<$in", "=out n"},
     AREAS,
     0,
     0,
     0},
    {"filter.polygon",
     "",
     {"$in areas", SITES, "n filter.polygon points<sites areas<$in", "=out n"},
     AREAS,
     0,
     0,
     0},
    {"spatial.prism",
     "",
     {"$in areas", SITES, "n spatial.prism min_y_m=-9 max_y_m=9 areas<$in", HELD, "=out kept"},
     AREAS,
     0,
     0,
     0},
    {"spatial.union",
     "",
     {"$in areas", SITES, AWAY_BOX, "n spatial.union a<$in b<box", HELD, "=out kept"},
     AREAS,
     0,
     0,
     0},
    {"spatial.intersection",
     "",
     {"$in areas", SITES, HUGE_BOX, "n spatial.intersection a<box b<$in", HELD, "=out kept"},
     AREAS,
     0,
     0,
     0},
    {"spatial.difference",
     "",
     {"$in areas", SITES, HUGE_BOX, "n spatial.difference a<box b<$in", HELD, "=out kept"},
     AREAS,
     0,
     0,
     0},
    {"filter.spatial",
     "areas",
     {"$in areas", SITES, "n filter.spatial points<sites domain<$in", "=out n"},
     AREAS,
     0,
     0,
     0},
    {"filter.spatial",
     "ground",
     {"$in heightfield", "sites grid.sample spacing_m=100000 jitter=0 y_m=25700",
      "n filter.spatial points<sites domain<$in", "=out n"},
     FIELD,
     0,
     BLOCK,
     0},
    {"spatial.sample",
     "",
     {"$in areas", "n spatial.sample spacing_m=99999 jitter=0 min_y_m=0 max_y_m=9 domain<$in",
      "=out n"},
     AREAS,
     0,
     0,
     0},
    {"surface.sample",
     "",
     {"$in heightfield", "n surface.sample spacing_m=100000 jitter=0 surface<$in", "=out n"},
     FIELD,
     0,
     BLOCK,
     0},
    {"poisson.sample",
     "",
     {"$in heightfield", "n poisson.sample radius_m=500 rounds=1 surface<$in", "=out n"},
     FIELD,
     0,
     BLOCK + 499,
     0},
    {"project",
     "",
     {"$in heightfield", SITES, "n project points<sites onto<$in", "=out n"},
     FIELD,
     0,
     BLOCK,
     0},
    {"density.raster",
     "",
     {"$in heightfield", SITES, "n density.raster in_min=0 in_max=13107200 points<sites mask<$in",
      "=out n"},
     FIELD,
     0,
     BLOCK,
     0},
};

static loam_asset point_at(int64_t x, loam_arena *arena) {
    const loam_site site = {.x = x, .key = 5};
    const loam_sites_source source = {&site, 1, NULL, 0};
    loam_asset asset = {.kind = POINTS};
    cr_assert_eq(loam_sites_build(&source, arena, &asset.sites, NULL), LOAM_OK);
    return asset;
}

static loam_asset line_at(int64_t x, loam_arena *arena) {
    const int64_t xz[] = {x, -4096, x, 4096};
    const loam_line line = {.xz = xz, .count = 2, .key = 5};
    const loam_lines_source source = {&line, 1};
    loam_asset asset = {.kind = LINES};
    cr_assert_eq(loam_lines_build(&source, arena, &asset.lines, NULL), LOAM_OK);
    return asset;
}

static loam_asset area_at(int64_t x, bool around, loam_arena *arena) {
    int64_t x0 = around ? x : x - 3000, x1 = around ? 9000 : x;
    const int64_t xz[] = {x0, -9000, x1, -9000, x1, 9000, x0, 9000, x0, -9000};
    const loam_ring ring = {xz, 5};
    const loam_polygon polygon = {&ring, 1, 0};
    const loam_area_feature feature = {7, LOAM_UNSET, LOAM_UNSET};
    const loam_areas_source source = {&polygon, 1, &feature, 1};
    loam_asset asset = {.kind = AREAS};
    cr_assert_eq(loam_areas_build(&source, arena, &asset.areas, NULL), LOAM_OK);
    return asset;
}

/* A plain, and a vertex of it that is higher. */
static loam_asset field_at(int64_t x) {
    loam_asset asset =
        plane_of(FIELD_SIDE, -FIELD_WEST_M, -FIELD_WEST_M, 0, 0, 100 * LOAM_HEIGHT_STEPS_PER_METRE);
    const int64_t column = FIELD_WEST_M + x / METRE;
    int32_t *samples = (int32_t *)(uintptr_t)asset.heightfield->samples;
    if (column >= 0) {
        samples[FIELD_WEST_M * FIELD_SIDE + column] += LOAM_HEIGHT_STEPS_PER_METRE;
    }
    return asset;
}

static loam_asset thing_at(const reach_row *row, int64_t gap, loam_arena *arena) {
    switch (row->kind) {
    case LOAM_PORT_POINTS:
        return point_at(-gap, arena);
    case LOAM_PORT_LINES:
        return line_at(-gap, arena);
    case LOAM_PORT_AREAS:
        return area_at(-gap, row->around, arena);
    default:
        return field_at(-gap);
    }
}

static const char rules_of_biome[] = "{\"layers\":[{\"name\":\"wood\",\"priority\":1,\"assets\":[{"
                                     "\"name\":\"a\"}]},{\"name\":\"rest\",\"assets\":[{\"name\":"
                                     "\"b\"}]}]}";
static const char rules_of_grammar[] =
    "{\"modules\":[{\"symbol\":\"A\",\"length_m\":1,\"variants\":[{\"asset\":\"a\"}]}]}";

/* What a cell of one metre is, and its key. */
typedef struct reach_answer {
    uint64_t key, bytes;
} reach_answer;

static reach_answer answer_of(const reach_row *row, int64_t gap, uint64_t seed) {
    const loam_rect cell = {0, 0, METRE, METRE};
    const char *lines[ROW_LINES + 2] = {"away grid.sample spacing_m=1000000 jitter=0"};
    memcpy(lines + 1, row->lines, sizeof row->lines);
    graph_world *world = world_of(lines, seed);
    world_bind(world, "in", thing_at(row, gap, &world->arena));
    if (loam_graph_find_slot(&world->graph, loam_text_of("rules")) >= 0) {
        bool biome = strcmp(row->operation, "biome.generate") == 0;
        const char *json = biome ? rules_of_biome : rules_of_grammar;
        world_bind(
            world, "rules",
            (loam_asset){.kind = LOAM_PORT_RULES, .rules = rules_of_text(json, &world->arena)});
    }
    reach_answer answer = {world_key(world, "out", cell), world_bytes(world, "out", cell)};
    world_free(world);
    return answer;
}

static void check_row(const reach_row *row) {
    const int64_t beyond = row->beyond > 0 ? row->beyond : row->reach + 1;
    bool felt = false;
    for (uint64_t seed = 1; seed <= SEEDS && !felt; seed++) {
        reach_answer near = answer_of(row, row->reach, seed);
        reach_answer far = answer_of(row, beyond, seed);
        reach_answer nowhere = answer_of(row, NOWHERE, seed);
        cr_expect_neq(near.key, nowhere.key, "%s %s: not seen within the reach", row->operation,
                      row->about);
        cr_expect_eq(far.key, nowhere.key, "%s %s: seen beyond the reach", row->operation,
                     row->about);
        cr_expect_eq(far.bytes, nowhere.bytes, "%s %s: felt beyond the reach", row->operation,
                     row->about);
        felt = near.bytes != nowhere.bytes;
    }
    cr_expect(felt, "%s %s: not felt within the reach", row->operation, row->about);
}

Test(reach, what_is_within_the_last_unit_is_seen_and_felt_and_one_farther_is_not, .timeout = 0) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_row(&rows[i]);
    }
}

static bool has_row(const loam_operation *operation) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].operation, operation->name) == 0) {
            return true;
        }
    }
    return false;
}

/* Through all others only what their source sees is seen. */
static bool looks_around(const loam_operation *operation) {
    bool looks = strcmp(operation->reach, "0") != 0 && operation->port_count > 0;
    for (uint32_t p = 0; p < operation->port_count; p++) {
        looks = looks || operation->ports[p].kind != LOAM_PORT_POINTS;
    }
    return looks;
}

Test(reach, every_operation_that_takes_an_input_or_looks_sideways_is_in_the_table) {
    for (uint32_t i = 0; i < loam_operation_count(); i++) {
        const loam_operation *operation = loam_operation_at(i);
        cr_expect(!looks_around(operation) || has_row(operation), "%s", operation->name);
    }
}
