/* SPDX-License-Identifier: MIT
 *
 * dungeon_bench.c: what rooms, partitions and the triangulation of a thousand rooms cost, from
 * parameters that are read to a whole layout. Lines of name, median, 99th of a hundred, unit,
 * digest.
 */
#include "core/base/mix.h"
#include "core/grid/draw.h"
#include "core/grid/links.h"
#include "tests/support/forest.h"
#include "tests/support/layout_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { REPETITIONS_MAX = 200, LINK_POINTS = 1000, LINK_SIDE = 16384 };

static uint64_t times[REPETITIONS_MAX];

static uint64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int compare(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void print(const char *name, uint32_t count, uint64_t digest) {
    qsort(times, count, sizeof *times, compare);
    printf("%-26s %9.3f ms, p99 %9.3f  %016llx\n", name, (double)times[count / 2] / 1e6,
           (double)times[count * 99 / 100] / 1e6, (unsigned long long)digest);
}

static void measure(layout_run *run, const char *name, const loam_recipe *recipe,
                    const recipe_code *code, const char *params, uint32_t count) {
    uint64_t digest = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t start = now_ns();
        if (layout_run_make(run, recipe, code, params, i + 1) != LOAM_OK) {
            fprintf(stderr, "dungeon_bench: %s %s\n", run->error.pointer, run->error.text);
            exit(1);
        }
        times[i] = now_ns() - start;
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
        uint64_t start = now_ns();
        digest ^= link_points(points, &arena);
        times[i] = now_ns() - start;
    }
    print("links and tree, 1000", REPETITIONS_MAX, digest);
}

int main(void) {
    static layout_run run;
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
