/* SPDX-License-Identifier: MIT
 *
 * cave_bench.c: what a cave, a walk and a maze cost, from parameters that are read to a whole
 * layout. Lines of name, value, unit: the median over seeds.
 */
#include "core/base/mix.h"
#include "tests/support/layout_run.h"
#include "tests/support/timing.h"

#include <stdio.h>
#include <stdlib.h>

enum { REPETITIONS = 25 };

static void measure(layout_run *run, const char *name, const loam_recipe *recipe,
                    const recipe_code *code, const char *params) {
    uint64_t times[REPETITIONS], digest = 0;
    for (uint32_t i = 0; i < REPETITIONS; i++) {
        uint64_t start = timing_now(NULL);
        if (layout_run_make(run, recipe, code, params, i + 1) != LOAM_OK) {
            fprintf(stderr, "cave_bench: %s %s\n", run->error.pointer, run->error.text);
            exit(1);
        }
        times[i] = timing_now(NULL) - start;
        cell_grid cells = layout_run_cells(run);
        digest = mix_bytes(digest, cells.cells, grid_count(&cells));
    }
    qsort(times, REPETITIONS, sizeof *times, timing_compare);
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
