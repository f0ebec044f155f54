/* SPDX-License-Identifier: MIT
 *
 * test_rivers.c: real rivers under whole graphs: the same points from every cell size, and an edit
 * of a bend that misses only the cells within its reach.
 */
#include "api/wire/asset.h"
#include "core/base/limits.h"
#include "core/space/lines.h"
#include "tests/support/forest.h"
#include "tests/support/sketch.h"
#include "tests/unit/api/wire/asset_fixture.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { METRE = LOAM_UNITS_PER_METRE, CELL_M = 256, CELLS_SIDE = 32 };

/* NULL, and said so, when there is no such data. */
static asset_data *read_file(const char *path) {
    query_fixture fixture;
    loam_error error = {0};
    asset_data *data = NULL;
    loam_text body = data_read(path);
    if (body.bytes == NULL) {
        return NULL;
    }
    query_fixture_init(&fixture, "kind=lines&crs=local");
    asset_request request = {loam_text_of("application/geo+json"), fixture.query, body};
    cr_assert_eq(asset_read(&request, &data, &error), LOAM_OK, "%s %s", error.pointer, error.text);
    free((void *)body.bytes);
    return data;
}

/* The number of the longest line. */
static uint32_t longest_of(const loam_lines *lines) {
    const loam_lines_source *source = loam_lines_normal_form(lines);
    uint32_t longest = 0;
    int64_t most = 0;
    for (uint32_t i = 0; i < source->line_count; i++) {
        int64_t length = lines_arc(lines, i)[source->lines[i].count - 1];
        longest = length > most ? i : longest;
        most = length > most ? length : most;
    }
    return longest;
}

/* ---- Every cell size ------------------------------------------------------------------------ */

static const char *const shore[] = {
    "$river lines",
    "rocks line.sample spacing_m=41943040 offsets_m=[0,512,2048] keep=[16777216,10000000,4000000] "
    "jitter_m=300 lines<$river",
    "posts line.sample spacing_m=117440512 anchor=1 offsets_m=[1000] lines<$river",
    "both merge a<rocks b<posts",
    "apart self.prune radius_m=300 points<both",
    "sites grid.sample spacing_m=1024",
    "near filter.line_distance min_m=256 max_m=6000 points<sites lines<$river",
    "all merge a<apart b<near",
    "=points all",
    NULL,
};

Test(rivers, cells_of_every_size_have_the_same_points_along_a_real_river) {
    static const char *const files[] = {"vector/bayreuth_waterways.local.geojson",
                                        "vector/wake_nc_waterways.local.geojson"};
    for (int i = 0; i < 2; i++) {
        asset_data *data = read_file(files[i]);
        if (data == NULL) {
            continue;
        }
        const loam_lines *lines = data->asset.lines;
        const loam_line *line = &loam_lines_normal_form(lines)->lines[longest_of(lines)];
        const int64_t *bend = line->xz + 2 * (size_t)(line->count / 2);
        sketch *graph = sketch_of(shore, 7);
        point_union whole = {0};
        graph->slots[0].lines = lines;
        const char *difference =
            sketch_partition(graph, bend[0] / METRE - 200, bend[1] / METRE - 100, 400, &whole);
        cr_expect_null(difference, "%s", difference);
        cr_expect_gt(whole.count, 300, "%u", whole.count);
        union_fini(&whole);
        asset_destroy(data);
    }
}

/* ---- Edits --------------------------------------------------------------------------------- */

static const char *const banks[] = {
    "$river lines",
    "sites grid.sample spacing_m=512",
    "near filter.line_distance max_m=2048 points<sites lines<$river",
    "apart self.prune radius_m=2048 points<near",
    "=points apart",
    NULL,
};

static void keys_of(const sketch *graph, uint64_t keys[CELLS_SIDE * CELLS_SIDE]) {
    const int64_t side = CELL_M * METRE;
    for (int64_t i = 0; i < CELLS_SIDE * CELLS_SIDE; i++) {
        int64_t x = i % CELLS_SIDE * side, z = i / CELLS_SIDE * side;
        keys[i] = sketch_key(graph, (loam_rect){x, z, x + side, z + side});
    }
}

/* The same lines but for one vertex of one of them, 20 m to the north-east. */
static const loam_lines *moved(const loam_lines *lines, uint32_t number, uint32_t vertex,
                               loam_arena *arena) {
    loam_lines_source source = *loam_lines_normal_form(lines);
    loam_line *copies = malloc(source.line_count * sizeof *copies);
    memcpy(copies, source.lines, source.line_count * sizeof *copies);
    int64_t *xz = malloc(2 * (size_t)copies[number].count * sizeof *xz);
    memcpy(xz, copies[number].xz, 2 * (size_t)copies[number].count * sizeof *xz);
    xz[2 * (size_t)vertex] += 12 * METRE;
    xz[2 * (size_t)vertex + 1] += 16 * METRE;
    copies[number].xz = xz;
    source.lines = copies;
    const loam_lines *made = NULL;
    cr_assert_eq(loam_lines_build(&source, arena, &made, NULL), LOAM_OK);
    free(xz);
    free(copies);
    return made;
}

Test(rivers, moving_a_bend_by_20_m_changes_the_keys_of_at_most_8_of_1024_cells) {
    static uint64_t before[CELLS_SIDE * CELLS_SIDE], after[CELLS_SIDE * CELLS_SIDE];
    asset_data *data = read_file("vector/bayreuth_waterways.local.geojson");
    if (data == NULL) {
        return;
    }
    const loam_lines *lines = data->asset.lines;
    uint32_t number = longest_of(lines);
    uint32_t vertices = loam_lines_normal_form(lines)->lines[number].count;
    sketch *graph = sketch_of(banks, 7);
    uint32_t most = 0;
    graph->slots[0].lines = lines;
    keys_of(graph, before);
    for (uint32_t vertex = 0; vertex < vertices; vertex += vertices / 12 + 1) {
        loam_arena arena = arena_of(16 << 20);
        uint32_t changed = 0;
        graph->slots[0].lines = moved(lines, number, vertex, &arena);
        keys_of(graph, after);
        for (uint32_t i = 0; i < CELLS_SIDE * CELLS_SIDE; i++) {
            changed += before[i] != after[i];
        }
        cr_expect(changed >= 1 && changed <= 8, "vertex %u: %u cells", vertex, changed);
        most = changed > most ? changed : most;
    }
    cr_expect_gt(most, 1, "an edit near a border is seen from both sides");
    asset_destroy(data);
}
