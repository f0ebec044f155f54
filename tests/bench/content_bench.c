/* SPDX-License-Identifier: MIT
 *
 * content_bench.c: what dungeons of 64 and 256 cells a side cost with layout, masks and content,
 * and content alone; medians and 99th percentiles over seeds. Lines of name, value, unit.
 */
#include "core/loam_dungeon.h"
#include "tests/support/forest.h"
#include "tests/support/rules_text.h"
#include "tests/support/timing.h"

#include <stdio.h>
#include <stdlib.h>

enum { SEEDS_MAX = 1000 };

typedef struct bench_times {
    uint64_t whole_ns[SEEDS_MAX], content_ns[SEEDS_MAX];
    uint64_t things;
} bench_times;

static void must(loam_status status, const loam_error *error) {
    if (status != LOAM_OK) {
        fprintf(stderr, "content_bench: %s %s\n", error->pointer, error->text);
        exit(1);
    }
}

static void run_seed(loam_arena *arena, const loam_rules *params, uint64_t seed, bench_times *times,
                     uint32_t index) {
    const loam_dungeon_plan *plan;
    loam_dungeon dungeon;
    loam_content content;
    loam_error error = {0};
    loam_run run = {.arena = arena};
    loam_arena_reset(arena, 0);
    loam_dungeon_request request = {
        .recipe = loam_text_of("dungeon.rooms"), .seed = seed, .params = params};
    must(loam_dungeon_plan_build(&request, arena, &plan, &error), &error);
    uint64_t begin = timing_now(NULL);
    must(loam_dungeon_build(plan, &run, &dungeon, &error), &error);
    uint64_t built = timing_now(NULL);
    must(loam_content_build(&dungeon, NULL, seed, &run, &content, &error), &error);
    uint64_t end = timing_now(NULL);
    times->whole_ns[index] = end - begin;
    times->content_ns[index] = end - built;
    times->things += content.floors[0].object_count + content.floors[0].spawn_count;
}

static void print_times(const char *name, const char *what, uint64_t *ns, uint32_t count) {
    qsort(ns, count, sizeof *ns, timing_compare);
    printf("%s.%s.median %.1f us\n", name, what, (double)ns[count / 2] / 1000.0);
    printf("%s.%s.p99 %.1f us\n", name, what, (double)ns[count * 99 / 100] / 1000.0);
}

static void bench_size(const char *name, const char *params, uint32_t seeds) {
    static bench_times times;
    loam_arena arena = arena_of((size_t)256 << 20), texts = arena_of(1 << 20);
    const loam_rules *rules = rules_of_text(params, &texts);
    times.things = 0;
    run_seed(&arena, rules, seeds + 1, &times, 0);
    times.things = 0;
    for (uint32_t i = 0; i < seeds; i++) {
        run_seed(&arena, rules, i + 1, &times, i);
    }
    print_times(name, "whole", times.whole_ns, seeds);
    print_times(name, "content", times.content_ns, seeds);
    printf("%s.things %.1f each\n", name, (double)times.things / seeds);
}

int main(void) {
    bench_size("dungeon.64", "{}", SEEDS_MAX);
    bench_size("dungeon.256", "{\"width\":256,\"height\":256,\"rooms\":120}", 100);
    return 0;
}
