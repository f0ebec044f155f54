/* SPDX-License-Identifier: MIT
 *
 * wfc_bench.c: what a level of tiles costs: the presets, and the real samples and tile sets of
 * LOAM_TEST_DATA where it is set. Lines of name, value, unit: the median over seeds, the longest,
 * and how many were solved.
 */
#include "core/base/mix.h"
#include "tests/support/layout_run.h"
#include "tests/support/timing.h"
#include "tests/support/wave_data.h"

#include <stdio.h>
#include <stdlib.h>

enum { REPETITIONS = 21 };

static layout_run run;
static char text[WAVE_DATA_BYTES + 256];

static void measure(const char *name, const char *params) {
    uint64_t times[REPETITIONS], digest = 0;
    uint32_t solved = 0;
    for (uint32_t i = 0; i < REPETITIONS; i++) {
        uint64_t start = timing_now(NULL);
        if (layout_run_make(&run, &wfc_simple_recipe, &wfc_simple_code, params, i + 1) != LOAM_OK) {
            fprintf(stderr, "wfc_bench: %s %s\n", run.error.pointer, run.error.text);
            exit(1);
        }
        times[i] = timing_now(NULL) - start;
        if (run.call.fault.word == NULL) {
            cell_grid cells = layout_run_cells(&run);
            digest = mix_bytes(digest, run.layout.detail, grid_count(&cells));
            solved++;
        }
    }
    qsort(times, REPETITIONS, sizeof *times, timing_compare);
    printf("%-24s %9.3f ms, at most %9.3f, %u of %d  %016llx\n", name,
           (double)times[REPETITIONS / 2] / 1e6, (double)times[REPETITIONS - 1] / 1e6, solved,
           REPETITIONS, (unsigned long long)digest);
}

static void measure_sample(const char *name, bool path) {
    static wave_sample sample;
    if (wave_data_sample(name, &sample)) {
        snprintf(text, sizeof text, "{\"border\": %d, \"ensure_path\": %s, \"sample\": %s}", path,
                 path ? "true" : "false", wave_data_sample_text(&sample, 8));
        measure(name, text);
    }
}

static void measure_tileset(const char *name) {
    static wave_tileset set;
    if (wave_data_tileset(name, &set)) {
        snprintf(text, sizeof text, "{\"border\": 0, \"ensure_path\": false, \"tileset\": %s}",
                 wave_data_tileset_text(&set, ""));
        char title[32];
        snprintf(title, sizeof title, "set %s", name);
        measure(title, text);
    }
}

int main(void) {
    layout_run_init(&run, (size_t)256 << 20);
    measure("dungeon 64", "{}");
    measure("cave 64", "{\"preset\": \"cave\"}");
    measure("terrain 64", "{\"preset\": \"terrain\"}");
    measure("dungeon 256", "{\"width\": 256, \"height\": 256}");
    measure_sample("Dungeon", true);
    measure_sample("Rooms", false);
    measure_sample("Town", false);
    measure_tileset("Castle");
    measure_tileset("Rooms");
    return 0;
}
