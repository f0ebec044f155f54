/* SPDX-License-Identifier: MIT
 *
 * graph_bench.c: what a cell of 256 m costs where rocks lie along a shore of 2,000 bends, and where
 * debris lies in the footprints of 144 houses of 140 m2; what it costs to explain a place in the
 * first; and how much memory a point takes. Lines of name, value, unit; a digest follows each cell.
 */
#include "core/base/fixed_math.h"
#include "tests/support/forest.h"
#include "tests/support/sketch.h"
#include "tests/support/timing.h"

#include <stdio.h>
#include <stdlib.h>

enum { REPETITIONS = 40, CELL = 65536, BENDS = 2000, HOUSES = 144, ATTRIBUTES = 4 };

static const char *const shore_graph[] = {
    "$ground heightfield",
    "$shore lines",
    "stations line.sample spacing_m=16777216 offsets_m=[300,1200,2600,5200] "
    "keep=[15000000,12000000,8000000,4000000] jitter_m=400 lines<$shore",
    "placed project points<stations onto<$ground",
    "gentle filter.slope max_deg=2621440 points<placed",
    "sized transform.scatter distribution=2 mu=-13107 sigma=26214 scale_cap=16384 "
    "tilt_max_deg=1310720 asset='rock' points<gentle",
    "spaced self.prune radius_m=@$scale:256:1024 mode=1 points<sized",
    "=rocks spaced",
    NULL,
};

static const char *const ruins_graph[] = {
    "$houses areas",
    "inside area.sample spacing_m=256 areas<$houses",
    "walls density.distance near_m=64 far_m=768 far=1677721 to<$houses points<inside",
    "thinned density.cull multiplier=8388608 points<walls",
    "turned transform.scatter scale_min=2048 scale_max=6144 asset='rubble' points<thinned",
    "spaced self.prune radius_m=100 points<turned",
    "=debris spaced",
    NULL,
};

static const char *const attributes_graph[] = {
    "sites grid.sample spacing_m=256",
    "one attribute.noise name='wet' wavelength_m=8192 min=0 max=65536 points<sites",
    "two attribute.set.float name='age' value=65536 points<one",
    "three attribute.set.int name='kind' value=3 points<two",
    "four attribute.set.string name='owner' value='nobody' points<three",
    "=points four",
    NULL,
};

/* A shore that winds through the cell from west to east. */
static const loam_lines *make_shore(loam_arena *arena) {
    static int64_t xz[2 * BENDS];
    for (uint32_t i = 0; i < BENDS; i++) {
        double wide, narrow, rest;
        fixed_sin_cos(i * 131u & 65535u, &wide, &rest);
        fixed_sin_cos(i * 2903u & 65535u, &narrow, &rest);
        xz[2 * i] = -16384 + (int64_t)i * 98304 / BENDS;
        xz[2 * i + 1] = 32768 + round_to_int(14000.0 * wide + 900.0 * narrow);
    }
    const loam_line line = {xz, BENDS, 0, 1};
    const loam_lines_source source = {&line, 1};
    const loam_lines *lines;
    loam_error error = {0};
    timing_must(loam_lines_build(&source, arena, &lines, &error), &error);
    return lines;
}

/* Twelve rows of twelve houses with an inner yard, each turned a little. */
static const loam_areas *make_houses(loam_arena *arena) {
    static int64_t corners[HOUSES][2][10];
    static loam_ring rings[HOUSES][2];
    static loam_polygon polygons[HOUSES];
    static loam_area_feature features[HOUSES];
    for (int32_t h = 0; h < HOUSES; h++) {
        double sine, cosine;
        fixed_sin_cos((uint32_t)h * 1511u & 16383u, &sine, &cosine);
        for (uint32_t r = 0; r < 2; r++) {
            static const int side[5][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
            const double size = r == 0 ? 1500.0 : 500.0;
            for (int c = 0; c < 5; c++) {
                double x = side[c][0] * size, z = side[c][1] * size;
                corners[h][r][2 * c] = 2730 + h % 12 * 5461 + round_to_int(x * cosine - z * sine);
                corners[h][r][2 * c + 1] =
                    2730 + h / 12 * 5461 + round_to_int(x * sine + z * cosine);
            }
            rings[h][r] = (loam_ring){corners[h][r], 5};
        }
        polygons[h] = (loam_polygon){rings[h], 2, (uint32_t)h};
        features[h] = (loam_area_feature){(uint64_t)h + 1, LOAM_UNSET, LOAM_UNSET};
    }
    const loam_areas_source source = {polygons, HOUSES, features, HOUSES};
    const loam_areas *areas;
    loam_error error = {0};
    timing_must(loam_areas_build(&source, arena, &areas, &error), &error);
    return areas;
}

typedef struct bench_cell {
    const sketch *graph;
    loam_arena *arena;
    loam_points points;
    loam_trace *trace;
    unsigned char *bytes;
    size_t capacity, size, memory;
    loam_fate *fates;
    uint32_t fate_count;
} bench_cell;

enum { FATES = 100000 };

static loam_query query_of(const bench_cell *cell) {
    return (loam_query){
        .plan = cell->graph->plan, .rect = {0, 0, CELL, CELL}, .slots = cell->graph->slots};
}

static void build(void *context) {
    bench_cell *cell = context;
    loam_error error = {0};
    const loam_query query = query_of(cell);
    const loam_run run = {.arena = cell->arena, .tick = timing_now, .trace = cell->trace};
    loam_arena_reset(cell->arena, 0);
    timing_must(loam_cell_build(&query, &run, &cell->points, &error), &error);
    timing_must(loam_cell_encode(&cell->points, cell->bytes, cell->capacity, &cell->size), &error);
}

static void explain(void *context) {
    bench_cell *cell = context;
    loam_error error = {0};
    const loam_query query = query_of(cell);
    const loam_run run = {.arena = cell->arena};
    const loam_place place = {32768, 32768, 20 * 256};
    loam_arena_reset(cell->arena, 0);
    timing_must(loam_explain(&query, place, &run, cell->fates, FATES, &cell->fate_count, &error),
                &error);
}

static void print_stages(bench_cell *cell, const char *name) {
    loam_trace_node nodes[16];
    loam_trace trace = {.nodes = nodes};
    cell->trace = &trace;
    build(cell);
    cell->trace = NULL;
    for (uint32_t i = trace.node_count; i-- > 0;) {
        printf("%s_stage_%u_%s\t%.3f\tms\n", name, nodes[i].node, nodes[i].path,
               (double)nodes[i].ticks / 1e6);
        printf("%s_stage_%u_points_out\t%llu\tpoints\n", name, nodes[i].node,
               (unsigned long long)nodes[i].window_out);
    }
}

static void bench(bench_cell *cell, const char *name, sketch *graph) {
    cell->graph = graph;
    timing measured = timing_of(build, cell, REPETITIONS);
    timing_print(name, measured);
    timing_print_digest(name, cell->bytes, cell->size);
    printf("%s_instances\t%u\tpoints\n", name, cell->points.count);
    print_stages(cell, name);
}

/* What a finished point takes: the columns of loam_points, and of the attributes. */
static size_t bytes_per_point(const loam_points *points) {
    return sizeof *points->id + sizeof *points->x + sizeof *points->y + sizeof *points->z +
           sizeof *points->yaw + sizeof *points->pitch + sizeof *points->roll +
           sizeof *points->scale_x + sizeof *points->scale_y + sizeof *points->scale_z +
           sizeof *points->density + sizeof *points->asset +
           points->attribute_count * sizeof *points->attributes->values;
}

int main(void) {
    loam_arena arena = arena_of((size_t)512 << 20);
    bench_cell cell = {.arena = &arena, .capacity = 16u << 20};
    cell.bytes = malloc(cell.capacity);
    cell.fates = malloc(FATES * sizeof *cell.fates);
    sketch *shore = sketch_of(shore_graph, 3);
    shore->slots[0].heightfield = terrain_hills(386, (int64_t)256 << 16, -64 * 256, -64 * 256);
    shore->slots[1].lines = make_shore(&shore->arena);
    bench(&cell, "rocky_shore", shore);
    timing_print("explain_20_m", timing_of(explain, &cell, REPETITIONS));
    printf("explain_20_m_candidates\t%u\tpoints\n", cell.fate_count);
    sketch *ruins = sketch_of(ruins_graph, 4);
    ruins->slots[0].areas = make_houses(&ruins->arena);
    bench(&cell, "ruins", ruins);
    sketch *attributes = sketch_of(attributes_graph, 5);
    bench(&cell, "four_attributes", attributes);
    printf("point_memory_%u_attributes\t%zu\tbytes\n", cell.points.attribute_count,
           bytes_per_point(&cell.points));
    printf("point_memory_whole_evaluation\t%.1f\tbytes/point\n",
           (double)arena.peak / cell.points.count);
    return 0;
}
