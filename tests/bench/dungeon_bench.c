/* SPDX-License-Identifier: MIT
 *
 * dungeon_bench.c: what rooms, partitions and the triangulation of a thousand rooms cost, from
 * parameters that are read to a whole layout; lines of name, median, 99th of a hundred, unit,
 * digest. Then the whole way, from a request to a dungeon with its assembly, in memory that was
 * used before, and which parts of it validation and assembly are.
 */
#include "core/assembly/assembly.h"
#include "core/base/mix.h"
#include "core/dungeon/floor_build.h"
#include "core/grid/draw.h"
#include "core/grid/links.h"
#include "tests/support/forest.h"
#include "tests/support/layout_run.h"
#include "tests/support/rules_text.h"
#include "tests/support/timing.h"

#include <stdio.h>
#include <stdlib.h>

enum { REPETITIONS_MAX = 200, LINK_POINTS = 1000, LINK_SIDE = 16384 };

static uint64_t times[REPETITIONS_MAX];

static void print(const char *name, uint32_t count, uint64_t digest) {
    qsort(times, count, sizeof *times, timing_compare);
    printf("%-26s %9.3f ms, p99 %9.3f  %016llx\n", name, (double)times[count / 2] / 1e6,
           (double)times[count * 99 / 100] / 1e6, (unsigned long long)digest);
}

static void measure(layout_run *run, const char *name, const loam_recipe *recipe,
                    const recipe_code *code, const char *params, uint32_t count) {
    uint64_t digest = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t start = timing_now(NULL);
        if (layout_run_make(run, recipe, code, params, i + 1) != LOAM_OK) {
            fprintf(stderr, "dungeon_bench: %s %s\n", run->error.pointer, run->error.text);
            exit(1);
        }
        times[i] = timing_now(NULL) - start;
        cell_grid cells = layout_run_cells(run);
        digest = mix_bytes(digest, cells.cells, grid_count(&cells));
    }
    print(name, count, digest);
}

/* The links of points and their tree; a sum over the tree as a digest. */
static uint64_t link_points(const loam_spot *points, loam_arena *arena) {
    loam_error error = {0};
    link_list list;
    static bool in_tree[3 * LINK_POINTS];
    loam_arena_reset(arena, 0);
    if (links_triangulate(points, LINK_POINTS, arena, &list, &error) != LOAM_OK ||
        links_tree(&list, LINK_POINTS, arena, in_tree, &error) != LOAM_OK) {
        fprintf(stderr, "dungeon_bench: %s\n", error.text);
        exit(1);
    }
    uint64_t sum = list.count;
    for (uint32_t i = 0; i < list.count; i++) {
        sum = mix_pair(sum, list.links[i].place * 2 + in_tree[i]);
    }
    return sum;
}

static void measure_links(void) {
    static loam_spot points[LINK_POINTS];
    loam_arena arena = arena_of(4 << 20);
    uint64_t digest = 0;
    for (uint32_t i = 0; i < REPETITIONS_MAX; i++) {
        for (uint32_t j = 0; j < LINK_POINTS; j++) {
            uint64_t x = draw_at(i, 2 * j), y = draw_at(i, 2 * j + 1);
            points[j] =
                (loam_spot){(int32_t)draw_below(x, LINK_SIDE), (int32_t)draw_below(y, LINK_SIDE)};
        }
        uint64_t start = timing_now(NULL);
        digest ^= link_points(points, &arena);
        times[i] = timing_now(NULL) - start;
    }
    print("links and tree, 1000", REPETITIONS_MAX, digest);
}

/* A dungeon's time, and of it that of validation and of assembly, which are done once more. */
typedef struct whole_times {
    uint64_t all, validation, assembly;
} whole_times;

static void must(loam_status status, const loam_error *error) {
    if (status != LOAM_OK) {
        fprintf(stderr, "dungeon_bench: %s %s\n", error->pointer, error->text);
        exit(1);
    }
}

/* Entrance, exit and metrics, then the assembly, of the layout that is there. */
static void repeat_parts(const loam_dungeon_plan *plan, const loam_dungeon_floor *floor,
                         loam_arena *arena, whole_times *sum) {
    loam_error error = {0};
    loam_layout layout = floor->layout;
    loam_assembly assembly;
    floor_state state = {.layout = &layout, .stairs = {{-1, -1}, {-1, -1}}};
    size_t mark = loam_arena_mark(arena);
    uint64_t start = timing_now(NULL);
    must(floor_finish(&state, arena, &error), &error);
    must(floor_measure(&state, arena, &error), &error);
    uint64_t validated = timing_now(NULL);
    loam_arena_reset(arena, mark);
    assembly_input input = {&layout, plan->tile_map, false, plan->seed};
    must(assembly_make(&input, arena, &assembly, &error), &error);
    sum->assembly += timing_now(NULL) - validated;
    sum->validation += (validated - start) * floor->attempt_count;
}

static void measure_whole(loam_arena *arena, const char *recipe, const char *side,
                          const char *params, uint32_t count) {
    loam_arena texts = arena_of(1 << 20);
    whole_times sum = {0};
    uint64_t attempts = 0;
    const loam_rules *rules = rules_of_text(params, &texts);
    for (uint32_t i = 0; i <= count; i++) {
        const loam_dungeon_plan *plan;
        loam_dungeon dungeon;
        loam_error error = {0};
        loam_run run = {.arena = arena};
        loam_dungeon_request request = {
            .recipe = loam_text_of(recipe), .seed = i + 1, .params = rules};
        loam_arena_reset(arena, 0);
        uint64_t start = timing_now(NULL);
        must(loam_dungeon_plan_build(&request, arena, &plan, &error), &error);
        must(loam_dungeon_build(plan, &run, &dungeon, &error), &error);
        uint64_t took = timing_now(NULL) - start;
        if (i == 0) {
            continue; /* memory that was never used */
        }
        times[i - 1] = took;
        sum.all += took;
        attempts += dungeon.floors[0].attempt_count;
        repeat_parts(plan, &dungeon.floors[0], arena, &sum);
    }
    qsort(times, count, sizeof *times, timing_compare);
    printf("whole %s %s: %.3f ms, p99 %.3f, validation %.1f %%, assembly %.1f %%, attempts %.2f\n",
           recipe, side, (double)times[count / 2] / 1e6, (double)times[count * 99 / 100] / 1e6,
           100.0 * (double)sum.validation / (double)sum.all,
           100.0 * (double)sum.assembly / (double)sum.all, (double)attempts / count);
}

static void measure_wholes(void) {
    loam_arena arena = arena_of((size_t)512 << 20);
    const char *side256 = "{\"width\":256,\"height\":256}";
    const char *side1024 = "{\"width\":1024,\"height\":1024}";
    measure_whole(&arena, "dungeon.rooms", "64", "{}", REPETITIONS_MAX);
    measure_whole(&arena, "dungeon.bsp", "256", side256, 100);
    measure_whole(&arena, "dungeon.rooms", "256, 120",
                  "{\"width\":256,\"height\":256,\"rooms\":120}", 100);
    measure_whole(&arena, "cave.cellular", "256", side256, 100);
    measure_whole(&arena, "cave.cellular", "1024", side1024, 20);
    measure_whole(&arena, "dungeon.bsp", "1024", side1024, 20);
}

int main(void) {
    static layout_run run;
    measure_wholes();
    layout_run_init(&run, (size_t)256 << 20);
    measure_links();
    measure(&run, "dungeon.rooms 64", &dungeon_rooms_recipe, &dungeon_rooms_code, "{}", 200);
    measure(&run, "dungeon.rooms 64, 40 rooms", &dungeon_rooms_recipe, &dungeon_rooms_code,
            "{\"rooms\":40,\"room_max\":8}", 200);
    measure(&run, "dungeon.rooms 256, 150", &dungeon_rooms_recipe, &dungeon_rooms_code,
            "{\"width\":256,\"height\":256,\"rooms\":150}", 100);
    measure(&run, "dungeon.rooms 256, 500", &dungeon_rooms_recipe, &dungeon_rooms_code,
            "{\"width\":256,\"height\":256,\"rooms\":500,\"room_max\":8}", 100);
    measure(&run, "dungeon.bsp 80x40", &dungeon_bsp_recipe, &dungeon_bsp_code,
            "{\"width\":80,\"height\":40}", 200);
    measure(&run, "dungeon.bsp 1024", &dungeon_bsp_recipe, &dungeon_bsp_code,
            "{\"width\":1024,\"height\":1024}", 50);
    return 0;
}
