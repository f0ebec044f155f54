/* SPDX-License-Identifier: MIT
 *
 * cave_bench.c: what a cave, a walk and a maze cost, from parameters that are read to a whole
 * layout. Lines of name, value, unit: the median over seeds.
 */
#include "core/base/mix.h"
#include "tests/support/layout_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { REPETITIONS = 25 };

static uint64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int compare(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void measure(layout_run *run, const char *name, const loam_recipe *recipe,
                    const recipe_code *code, const char *params) {
    uint64_t times[REPETITIONS], digest = 0;
    for (uint32_t i = 0; i < REPETITIONS; i++) {
        uint64_t start = now_ns();
        if (layout_run_make(run, recipe, code, params, i + 1) != LOAM_OK) {
            fprintf(stderr, "cave_bench: %s %s\n", run->error.pointer, run->error.text);
            exit(1);
        }
        times[i] = now_ns() - start;
        cell_grid cells = layout_run_cells(run);
        digest = mix_bytes(digest, cells.cells, grid_count(&cells));
    }
    qsort(times, REPETITIONS, sizeof *times, compare);
    printf("%-24s %9.3f ms, at most %9.3f  %016llx\n", name, (double)times[REPETITIONS / 2] / 1e6,
           (double)times[REPETITIONS - 1] / 1e6, (unsigned long long)digest);
}

int main(void) {
    static layout_run run;
    layout_run_init(&run, (size_t)256 << 20);
    const char *small = "{\"width\": 64, \"height\": 64}";
    const char *large = "{\"width\": 1024, \"height\": 1024}";
    measure(&run, "cave.cellular 64", &cave_cellular_recipe, &cave_cellular_code, small);
    measure(&run, "cave.cellular 1024", &cave_cellular_recipe, &cave_cellular_code, large);
    measure(&run, "cave.walk 64", &cave_walk_recipe, &cave_walk_code, small);
    measure(&run, "cave.walk 1024", &cave_walk_recipe, &cave_walk_code, large);
    measure(&run, "maze 64", &maze_recipe, &maze_code, small);
    measure(&run, "maze 1024", &maze_recipe, &maze_code, large);
    return 0;
}
