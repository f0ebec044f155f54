/* SPDX-License-Identifier: MIT
 *
 * test_stage_kept.c: stages that a caller keeps: computed once for any number of cells, worlds and
 * threads; the same cells and traces with and without; keys that hold all that decides a stage and
 * nothing else; and damaged bytes, which are computed anew.
 */
#include "tests/support/forest.h"
#include "tests/support/rules_text.h"
#include "tests/support/sketch.h"
#include "tests/support/stage_shelf.h"
#include "tests/unit/core/base/byte_buffer.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <sys/mman.h>

enum { METRE = LOAM_UNITS_PER_METRE, CELL = 16 * METRE, PER_SIDE = 8 };

/* ---- Worlds --------------------------------------------------------------------------------- */

static const char *const disk[] = {"field poisson.disk origin_x_m=-5000 origin_z_m=300 "
                                   "width_m=40000 depth_m=30000 radius_m=300",
                                   "=points field", NULL};

static const char *const copies[] = {
    "$given points",
    "$ground heightfield",
    "sites grid.sample spacing_m=4000",
    "targets transform.scatter scale_min=2048 scale_max=9000 points<sites",
    "raw points.input points<$given",
    "high project points<raw onto<$ground",
    "stamp spawn points<high assets=[['a',65536,4096,4096,0,0],['b',65536,4096,4096,0,0]]",
    "copies copy.points max_points=2000 source<stamp target<targets",
    "=points copies",
    NULL};

static const char *const nested[] = {
    "petals poisson.disk origin_x_m=900 origin_z_m=-100 width_m=300 depth_m=200 radius_m=60",
    "heads poisson.disk origin_x_m=-2000 origin_z_m=-900 width_m=3000 depth_m=1500 radius_m=500",
    "flowers copy.points max_points=100 target_scale_max=4096 source<petals target<heads",
    "sites grid.sample spacing_m=6000",
    "beds copy.points max_points=5000 target_scale_max=4096 source<flowers target<sites",
    "=points beds",
    NULL};

/* One side of a branch, and a sampler that two sources share: none of those stands alone. */
static const char *const shared[] = {
    "dense grid.sample spacing_m=150",
    "drawn density.noise wavelength_m=2000 points<dense",
    "west filter.box min_m=[-1500,-9,-1500] max_m=[0,9,1500] points<drawn",
    "east filter.box min_m=[700,-9,-1500] max_m=[1500,9,1500] points<drawn",
    "sites grid.sample spacing_m=7000",
    "parts branch name='$density' op=0 value=8000000 points<west",
    "one copy.points max_points=900 target_scale_max=4096 source<parts#false target<sites",
    "two copy.points max_points=900 target_scale_max=4096 source<east target<sites",
    "all merge a<one b<two",
    "=points all",
    NULL};

static const char *const sided[] = {
    "dense grid.sample spacing_m=150",
    "drawn density.noise wavelength_m=2000 points<dense",
    "west filter.box min_m=[-1500,-9,-1500] max_m=[0,9,1500] points<drawn",
    "sites grid.sample spacing_m=7000",
    "parts branch name='$density' op=0 value=0.5 points<west",
    "one copy.points max_points=900 target_scale_max=4096 source<parts#false target<sites",
    "two copy.points max_points=900 target_scale_max=4096 source<parts#true target<sites",
    "all merge a<one b<two",
    "=points all",
    NULL};

static const char *const road[] = {
    "$ways lines",
    "$rules rules",
    "wall grammar.generate grammar='Post,[{Wall:2,Gate},Post]*' lines<$ways rules<$rules",
    "=wall wall",
    NULL,
};
static const char fence[] =
    "{\"modules\":["
    "{\"symbol\":\"Post\",\"length_m\":0.2,\"variants\":[{\"asset\":\"post\"}]},"
    "{\"symbol\":\"Wall\",\"length_m\":2,\"variants\":[{\"asset\":\"wall_a\",\"weight\":3},"
    "{\"asset\":\"wall_b\"}]},"
    "{\"symbol\":\"Gate\",\"length_m\":3}]}";

/* Two roads through all cells, of many bends. */
static const loam_lines *roads(loam_arena *arena, int64_t bend) {
    enum { BENDS = 200 };
    static int64_t first[2 * BENDS], second[2 * BENDS];
    for (int64_t i = 0; i < BENDS; i++) {
        first[2 * i] = (i - 60) * 1500;
        first[2 * i + 1] = i * 700 - 20000 + (i % 7) * 900;
        second[2 * i] = 9000 - (i % 5) * 800 + (i == 100 ? bend : 0);
        second[2 * i + 1] = (i - 80) * 1700;
    }
    const loam_line lines[] = {{.xz = first, .count = BENDS, .key = 5},
                               {.xz = second, .count = BENDS, .key = 6}};
    const loam_lines_source source = {lines, 2};
    const loam_lines *made;
    loam_error error = {0};
    cr_assert_eq(loam_lines_build(&source, arena, &made, &error), LOAM_OK, "%s", error.text);
    return made;
}

static const loam_sites *given(loam_arena *arena, int32_t lift) {
    enum { COUNT = 40 };
    loam_site sites[COUNT];
    int32_t kinds[COUNT], sizes[COUNT];
    static const loam_text texts[] = {{"moss", 4}, {"stone", 5}};
    for (int i = 0; i < COUNT; i++) {
        sites[i] = (loam_site){
            .x = i * 37 % 900 - 300, .z = i * 91 % 800, .y = i, .key = 70u + (uint32_t)i};
        sites[i].y += i == 11 ? lift : 0;
        kinds[i] = i % 3 == 0 ? LOAM_MISSING : i % 2;
        sizes[i] = i * 65536;
    }
    const loam_attribute properties[] = {{{"kind", 4}, LOAM_ATTRIBUTE_STRING, kinds, texts, 2},
                                         {{"size", 4}, LOAM_ATTRIBUTE_FLOAT, sizes, NULL, 0}};
    const loam_sites_source source = {sites, COUNT, properties, 2};
    const loam_sites *made;
    loam_error error = {0};
    cr_assert_eq(loam_sites_build(&source, arena, &made, &error), LOAM_OK, "%s", error.text);
    return made;
}

static sketch *world_of(const char *const *lines, uint64_t seed) {
    sketch *graph = sketch_of(lines, seed);
    for (uint32_t i = 0; i < graph->graph.slot_count; i++) {
        loam_asset *slot = &graph->slots[i];
        if (slot->kind == LOAM_PORT_LINES) {
            slot->lines = roads(&graph->arena, 0);
        } else if (slot->kind == LOAM_PORT_POINTS) {
            slot->sites = given(&graph->arena, 0);
        } else if (slot->kind == LOAM_PORT_RULES) {
            slot->rules = rules_of_text(fence, &graph->arena);
        } else {
            slot->heightfield = terrain_hills(40, (int64_t)2 * METRE << 16, -10000, -10000);
        }
    }
    return graph;
}

static const char *const *const worlds[] = {disk, copies, nested, shared, sided, road};
enum { WORLDS = sizeof worlds / sizeof worlds[0] };

/* ---- Cells ---------------------------------------------------------------------------------- */

/* Canonical bytes of cell `index` of 64. */
static byte_buffer cell_bytes(const sketch *graph, uint32_t index, loam_arena *arena) {
    const int64_t x = (int64_t)(index % PER_SIDE) * CELL, z = (int64_t)(index / PER_SIDE) * CELL;
    const loam_query query = {.plan = graph->plan,
                              .slots = graph->slots,
                              .rect = {x - 5000, z - 300, x - 5000 + CELL, z - 300 + CELL}};
    const loam_run run = {.arena = arena, .trace = graph->trace, .stages = graph->stages};
    loam_points points;
    loam_error error = {0};
    byte_buffer got = {0};
    loam_arena_reset(arena, 0);
    cr_assert_eq(loam_cell_build(&query, &run, &points, &error), LOAM_OK, "%s", error.text);
    got.capacity = loam_cell_bound(&points);
    got.bytes = malloc(got.capacity);
    cr_assert_eq(loam_cell_encode(&points, got.bytes, got.capacity, &got.size), LOAM_OK);
    return got;
}

static void expect_cells(sketch *graph, const loam_stages *stages, loam_arena *arena) {
    for (uint32_t i = 0; i < PER_SIDE * PER_SIDE; i++) {
        graph->stages = NULL;
        byte_buffer want = cell_bytes(graph, i, arena);
        graph->stages = stages;
        byte_buffer got = cell_bytes(graph, i, arena);
        cr_expect(buffer_equal(&want, &got), "cell %u", i);
        buffer_fini(&want);
        buffer_fini(&got);
    }
}

/* Keeps, hits and misses of all cells of a world. */
static void expect_counts(const char *const *lines, uint32_t keeps, uint32_t hits,
                          uint32_t misses) {
    loam_arena arena = arena_of((size_t)1 << 28);
    stage_shelf *shelf = stage_shelf_create();
    sketch *graph = world_of(lines, 42);
    expect_cells(graph, &shelf->stages, &arena);
    cr_expect_eq(shelf->keeps, keeps, "%u are kept", shelf->keeps);
    cr_expect_eq(shelf->hits, hits, "%u are found", shelf->hits);
    cr_expect_eq(shelf->misses, misses, "%u are not", shelf->misses);
    cr_expect_eq(shelf->borrowed, 0);
    stage_shelf_destroy(shelf);
    munmap(arena.memory, arena.size);
}

Test(stage_kept, sixty_four_cells_compute_a_stage_once) {
    expect_counts(copies, 1, 63, 1);
    expect_counts(disk, 1, 63, 1);
    expect_counts(sided, 1, 63, 1);
}

Test(stage_kept, behind_a_stage_that_is_found_nothing_is_looked_for) {
    /* Flowers, and once the petals and heads behind them. */
    expect_counts(nested, 3, 63, 3);
}

Test(stage_kept, sources_that_share_a_node_are_computed_by_every_cell) {
    expect_counts(shared, 0, 0, 0);
}

Test(stage_kept, a_long_line_is_laid_out_once) {
    loam_arena arena = arena_of((size_t)1 << 28);
    stage_shelf *shelf = stage_shelf_create();
    expect_cells(world_of(road, 42), &shelf->stages, &arena);
    cr_expect_eq(shelf->keeps, 2, "two roads");
    cr_expect_eq(shelf->misses, 2);
    cr_expect_gt(shelf->hits, 20);
    stage_shelf_destroy(shelf);
}

Test(stage_kept, one_place_serves_all_worlds) {
    loam_arena arena = arena_of((size_t)1 << 28);
    stage_shelf *shelf = stage_shelf_create();
    for (uint64_t seed = 1; seed <= 2; seed++) {
        for (int w = 0; w < WORLDS; w++) {
            expect_cells(world_of(worlds[w], seed), &shelf->stages, &arena);
        }
    }
    /* copies' seeded spawn, disk, two disks and a copy, a noise, two roads; for each of two seeds.
     */
    cr_expect_eq(shelf->count, 16, "%u", shelf->count);
    cr_expect_eq(shelf->differed, 0);
    stage_shelf_destroy(shelf);
}

Test(stage_kept, the_same_source_in_another_graph_is_found) {
    static const char *const other[] = {
        "$given points",
        "$ground heightfield",
        "anywhere grid.sample spacing_m=1234",
        "in points.input points<$given",
        "on project points<in onto<$ground",
        "copied copy.points max_points=2000 metadata=1 source<on target<anywhere",
        "=points copied",
        NULL};
    static const char *const plain[] = {
        "$given points",
        "$ground heightfield",
        "sites grid.sample spacing_m=4000",
        "raw points.input points<$given",
        "high project points<raw onto<$ground",
        "copies copy.points max_points=2000 source<high target<sites",
        "=points copies",
        NULL};
    loam_arena arena = arena_of((size_t)1 << 28);
    stage_shelf *shelf = stage_shelf_create();
    sketch *one = world_of(plain, 1), *two = world_of(other, 2);
    one->stages = two->stages = &shelf->stages;
    byte_buffer first = cell_bytes(one, 20, &arena);
    expect_cells(two, &shelf->stages, &arena);
    /* points.input makes ids by its own seed, so another name is another stage. */
    cr_expect_eq(shelf->count, 2);
    buffer_fini(&first);
    stage_shelf_destroy(shelf);
}

/* ---- Keys ----------------------------------------------------------------------------------- */

/* Stages that cells of a world want beyond those that are on the shelf already. */
static uint32_t new_stages(stage_shelf *shelf, sketch *graph, loam_arena *arena) {
    const uint32_t before = shelf->count;
    graph->stages = &shelf->stages;
    for (uint32_t i = 0; i < PER_SIDE * PER_SIDE; i++) {
        byte_buffer bytes = cell_bytes(graph, i, arena);
        buffer_fini(&bytes);
    }
    return shelf->count - before;
}

/* The world's lines with every `from` replaced. */
static sketch *tampered(const char *const *lines, const char *from, const char *to, uint64_t seed) {
    static char room[16][512];
    const char *changed[17] = {NULL};
    uint32_t found = 0;
    for (int i = 0; lines[i] != NULL; i++) {
        const char *at = strstr(lines[i], from);
        found += at != NULL;
        int head = at == NULL ? (int)strlen(lines[i]) : (int)(at - lines[i]);
        snprintf(room[i], sizeof room[i], "%.*s%s%s", head, lines[i], at == NULL ? "" : to,
                 at == NULL ? "" : at + strlen(from));
        changed[i] = room[i];
    }
    cr_assert_gt(found, 0, "%s", from);
    return world_of(changed, seed);
}

static void expect_new(const char *const *lines, const char *from, const char *to, uint32_t fresh) {
    loam_arena arena = arena_of((size_t)1 << 28);
    stage_shelf *shelf = stage_shelf_create();
    (void)new_stages(shelf, world_of(lines, 42), &arena);
    const uint32_t got = new_stages(shelf, tampered(lines, from, to, 42), &arena);
    cr_expect_eq(got, fresh, "%s to %s: %u new stages, want %u", from, to, got, fresh);
    stage_shelf_destroy(shelf);
    munmap(arena.memory, arena.size);
}

Test(stage_kept, every_parameter_of_what_is_behind_a_stage_is_in_its_key) {
    expect_new(disk, "origin_x_m=-5000", "origin_x_m=-4999", 1);
    expect_new(disk, "origin_z_m=300", "origin_z_m=299", 1);
    expect_new(disk, "width_m=40000", "width_m=40001", 1);
    expect_new(disk, "depth_m=30000", "depth_m=30001", 1);
    expect_new(disk, "radius_m=300", "radius_m=301", 1);
    expect_new(disk, "radius_m=300", "radius_m=300 attempts=29", 1);
    expect_new(disk, "radius_m=300", "radius_m=300 max_points=500", 1);
    expect_new(sided, "spacing_m=150", "spacing_m=151", 1);
    expect_new(sided, "wavelength_m=2000", "wavelength_m=2001", 1);
    expect_new(sided, "max_m=[0,9,1500]", "max_m=[1,9,1500]", 1);
    expect_new(sided, "op=0", "op=1", 1);
    expect_new(copies, "'a',65536", "'a',65537", 1);
    expect_new(copies, "'b'", "'c'", 1);
    expect_new(nested, "depth_m=200", "depth_m=201", 2);
    expect_new(nested, "radius_m=500", "radius_m=501", 2);
    expect_new(nested, "max_points=100", "max_points=101", 1);
}

Test(stage_kept, what_is_not_behind_a_stage_is_not_in_its_key) {
    expect_new(copies, "spacing_m=4000", "spacing_m=4001", 0);
    expect_new(copies, "scale_max=9000", "scale_max=9001", 0);
    expect_new(copies, "max_points=2000", "max_points=1999", 0);
    expect_new(nested, "max_points=5000", "max_points=4999", 0);
    expect_new(nested, "spacing_m=6000", "spacing_m=6100", 0);
    expect_new(sided, "spacing_m=7000", "spacing_m=7100", 0);
}

Test(stage_kept, a_layout_is_known_by_its_grammar_modules_seed_and_line) {
    expect_new(road, "[{Wall:2,Gate},Post]*", "[{Wall:3,Gate},Post]*", 2);
    expect_new(road, "rules<$rules", "rules<$rules accept_incomplete=1", 2);
    loam_arena arena = arena_of((size_t)1 << 28);
    stage_shelf *shelf = stage_shelf_create();
    sketch *graph = world_of(road, 42);
    cr_expect_eq(new_stages(shelf, graph, &arena), 2);
    cr_expect_eq(new_stages(shelf, world_of(road, 43), &arena), 2, "another seed");
    graph->slots[0].lines = roads(&graph->arena, 77);
    cr_expect_eq(new_stages(shelf, graph, &arena), 1, "one of the roads bends");
    static const char longer[] =
        "{\"modules\":[{\"symbol\":\"Post\",\"length_m\":0.21},"
        "{\"symbol\":\"Wall\",\"length_m\":2},{\"symbol\":\"Gate\",\"length_m\":3}]}";
    static const char others[] =
        "{\"modules\":[{\"symbol\":\"Post\",\"length_m\":0.2,\"variants\":[{\"asset\":\"x\"}]},"
        "{\"symbol\":\"Wall\",\"length_m\":2},{\"symbol\":\"Gate\",\"length_m\":3}]}";
    graph->slots[1].rules = rules_of_text(longer, &graph->arena);
    cr_expect_eq(new_stages(shelf, graph, &arena), 2, "a module is longer");
    graph->slots[1].rules = rules_of_text(others, &graph->arena);
    graph->slots[0].lines = roads(&graph->arena, 0);
    cr_expect_eq(new_stages(shelf, graph, &arena), 0, "variants are drawn on a layout");
    stage_shelf_destroy(shelf);
}

Test(stage_kept, what_a_stage_sees_of_assets_is_in_its_key_and_the_rest_is_not) {
    loam_arena arena = arena_of((size_t)1 << 28);
    stage_shelf *shelf = stage_shelf_create();
    sketch *graph = world_of(copies, 42);
    int32_t *samples = (int32_t *)(uintptr_t)graph->slots[1].heightfield->samples;
    cr_expect_eq(new_stages(shelf, graph, &arena), 1);
    cr_expect_eq(new_stages(shelf, world_of(copies, 43), &arena), 1, "another seed");
    samples[1] += 5000;
    samples[40 * 40 - 1] += 5000;
    cr_expect_eq(new_stages(shelf, graph, &arena), 0, "ground that no source stands on");
    /* Vertex 20 of both axes is 240 units from the origin. */
    samples[20 * 40 + 20] += 5000;
    cr_expect_eq(new_stages(shelf, graph, &arena), 1, "ground that one stands on");
    graph->slots[0].sites = given(&graph->arena, 1);
    cr_expect_eq(new_stages(shelf, graph, &arena), 1, "a given point is higher");
    stage_shelf_destroy(shelf);
}

/* Any byte of a key makes it another: what is kept under one is not found under the other. */
Test(stage_kept, bytes_of_another_key_are_not_taken) {
    loam_arena arena = arena_of((size_t)1 << 28);
    stage_shelf *shelf = stage_shelf_create();
    sketch *one = world_of(disk, 1), *two = world_of(disk, 2);
    cr_assert_eq(new_stages(shelf, one, &arena), 1);
    cr_assert_eq(new_stages(shelf, two, &arena), 1);
    const shelf_stage swap = shelf->kept[0];
    shelf->kept[0].bytes = shelf->kept[1].bytes;
    shelf->kept[0].size = shelf->kept[1].size;
    shelf->kept[1].bytes = swap.bytes;
    shelf->kept[1].size = swap.size;
    expect_cells(one, &shelf->stages, &arena);
    expect_cells(two, &shelf->stages, &arena);
    stage_shelf_destroy(shelf);
}

/* ---- Damage --------------------------------------------------------------------------------- */

static void expect_cell(const byte_buffer *want, const sketch *graph, loam_arena *arena,
                        const char *what, size_t at) {
    byte_buffer got = cell_bytes(graph, 27, arena);
    cr_expect(buffer_equal(want, &got), "%s at %zu", what, at);
    buffer_fini(&got);
}

Test(stage_kept, damaged_stages_are_computed_anew) {
    static const char *const small[] = {
        "d grid.sample spacing_m=200",
        "near filter.box min_m=[-500,-9,-500] max_m=[500,9,500] points<d",
        "stamp attribute.set.string name='kind' value='moss' points<near",
        "sites grid.sample spacing_m=900",
        "copies copy.points max_points=99 source<stamp target<sites",
        "=points copies",
        NULL};
    const char *const *const damaged[] = {small, road};
    for (int w = 0; w < 2; w++) {
        loam_arena arena = arena_of((size_t)1 << 28);
        stage_shelf *shelf = stage_shelf_create();
        sketch *graph = world_of(damaged[w], 42);
        byte_buffer want = cell_bytes(graph, 27, &arena);
        graph->stages = &shelf->stages;
        expect_cell(&want, graph, &arena, "kept", 0);
        cr_assert_gt(shelf->count, 0);
        for (uint32_t k = 0; k < shelf->count; k++) {
            shelf_stage *stage = &shelf->kept[k];
            const size_t size = stage->size, step = size / 150 + 1;
            for (size_t i = 0; i < size; i += step) {
                const uint32_t keeps = shelf->keeps;
                stage->bytes[i] ^= (unsigned char)(1u << i % 8);
                expect_cell(&want, graph, &arena, "flipped", i);
                stage->bytes[i] ^= (unsigned char)(1u << i % 8);
                cr_expect_gt(shelf->keeps, keeps, "byte %zu is noticed", i);
                stage->size = i;
                expect_cell(&want, graph, &arena, "cut", i);
                stage->size = size;
            }
        }
        cr_expect_eq(shelf->borrowed, 0);
        cr_expect_eq(shelf->differed > 0, true, "the shelf kept its damaged bytes");
        buffer_fini(&want);
        stage_shelf_destroy(shelf);
    }
}

Test(stage_kept, an_arena_of_the_estimate_is_enough_to_keep_and_to_find) {
    loam_arena arena = arena_of((size_t)1 << 28);
    for (int w = 0; w < WORLDS; w++) {
        stage_shelf *shelf = stage_shelf_create();
        sketch *graph = world_of(worlds[w], 42);
        byte_buffer want = cell_bytes(graph, 27, &arena);
        loam_estimate estimate;
        const loam_rect cell = {0, 0, CELL, CELL};
        cr_assert_eq(loam_plan_estimate(graph->plan, 0, cell, &estimate, NULL), LOAM_OK);
        loam_arena small;
        loam_arena_init(&small, arena.memory, estimate.arena_bytes);
        graph->stages = &shelf->stages;
        for (int i = 0; i < 2; i++) {
            byte_buffer got = cell_bytes(graph, 27, &small);
            cr_expect(buffer_equal(&want, &got));
            buffer_fini(&got);
        }
        cr_expect(shelf->hits > 0 || worlds[w] == shared, "world %d", w);
        buffer_fini(&want);
        stage_shelf_destroy(shelf);
    }
}

/* ---- Traces --------------------------------------------------------------------------------- */

static void expect_traces(const char *const *lines) {
    enum { NODES = 16 };
    loam_arena arena = arena_of((size_t)1 << 28);
    stage_shelf *shelf = stage_shelf_create();
    sketch *graph = world_of(lines, 42);
    loam_trace_node plain[NODES], kept[NODES];
    loam_trace want = {.nodes = plain}, got = {.nodes = kept};
    uint32_t paths = 0;
    for (uint32_t i = 0; i < PER_SIDE * PER_SIDE; i++) {
        graph->stages = NULL;
        graph->trace = &want;
        byte_buffer one = cell_bytes(graph, i, &arena);
        graph->stages = &shelf->stages;
        graph->trace = &got;
        byte_buffer two = cell_bytes(graph, i, &arena);
        cr_assert_eq(want.node_count, got.node_count);
        for (uint32_t n = 0; n < want.node_count; n++) {
            paths += strcmp(kept[n].path, "stage kept") == 0;
            cr_expect_eq(plain[n].node, kept[n].node);
            cr_expect_eq(plain[n].points_in, kept[n].points_in, "cell %u, node %u", i, n);
            cr_expect_eq(plain[n].points_out, kept[n].points_out, "cell %u, node %u", i, n);
            cr_expect_eq(plain[n].window_in, kept[n].window_in);
            cr_expect_eq(plain[n].window_out, kept[n].window_out);
            cr_expect_eq(plain[n].density_sum, kept[n].density_sum);
            cr_expect_arr_eq(plain[n].bounds, kept[n].bounds, sizeof plain[n].bounds);
        }
        buffer_fini(&one);
        buffer_fini(&two);
    }
    cr_expect(paths > 0 || lines == shared);
    stage_shelf_destroy(shelf);
}

Test(stage_kept, a_trace_tells_the_same_of_a_stage_that_was_kept) {
    for (int w = 0; w < WORLDS; w++) {
        expect_traces(worlds[w]);
    }
}

/* ---- Threads -------------------------------------------------------------------------------- */

typedef struct thread_world {
    const sketch *graph;
    const byte_buffer *want;
    uint32_t different;
} thread_world;

static void *build_all(void *context) {
    thread_world *own = context;
    loam_arena arena = arena_of((size_t)1 << 28);
    for (uint32_t i = 0; i < PER_SIDE * PER_SIDE; i++) {
        byte_buffer got = cell_bytes(own->graph, i, &arena);
        own->different += !buffer_equal(&own->want[i], &got);
        buffer_fini(&got);
    }
    munmap(arena.memory, arena.size);
    return NULL;
}

Test(stage_kept, threads_share_one_place) {
    enum { THREADS = 4 };
    loam_arena arena = arena_of((size_t)1 << 28);
    stage_shelf *shelf = stage_shelf_create();
    sketch *graph = world_of(nested, 42);
    byte_buffer want[PER_SIDE * PER_SIDE];
    for (uint32_t i = 0; i < PER_SIDE * PER_SIDE; i++) {
        want[i] = cell_bytes(graph, i, &arena);
    }
    graph->stages = &shelf->stages;
    pthread_t ids[THREADS];
    thread_world own[THREADS];
    for (int t = 0; t < THREADS; t++) {
        own[t] = (thread_world){graph, want, 0};
        cr_assert_eq(pthread_create(&ids[t], NULL, build_all, &own[t]), 0);
    }
    for (int t = 0; t < THREADS; t++) {
        pthread_join(ids[t], NULL);
        cr_expect_eq(own[t].different, 0);
    }
    cr_expect_eq(shelf->borrowed, 0);
    cr_expect_eq(shelf->differed, 0);
    cr_expect_eq(shelf->count, 3);
    stage_shelf_destroy(shelf);
}
