/* SPDX-License-Identifier: MIT
 *
 * test_geojson_files.c: GeoJSON as people have it: files that are wrong are refused with their
 * place, the same way offline and by a daemon; real files come in whole, ids missing or twice.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/program.h"

#define AT " --port-file $DIR/port"

TestSuite(geojson_files, .init = program_begin, .fini = program_end, .timeout = 120);

typedef struct broken {
    const char *kind, *geometry; /* of the second feature */
    const char *code, *place;    /* behind the feature's */
} broken;

static const broken files[] = {
    {"lines", "{\"type\": \"LineString\", \"coordinates\": [[1, 1]]}", "line-degenerate",
     "/geometry/coordinates"},
    {"lines", "{\"type\": \"MultiLineString\", \"coordinates\": [[[1, 1], [2, 2]], [[3, 3]]]}",
     "line-degenerate", "/geometry/coordinates/1"},
    {"lines", "{\"type\": \"LineString\", \"coordinates\": [[1, 1], [\"2\", 2]]}", "wrong-type",
     "/geometry/coordinates/1/0"},
    {"lines", "{\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [9, 0], [9, 9], [0, 0]]]}",
     "geometry-unsupported", "/geometry/type"},
    {"areas", "{\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [9, 0], [0, 0]]]}",
     "ring-degenerate", "/geometry/coordinates/0"},
    {"areas", "{\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [9, 0], [9, 9], [0, 9]]]}",
     "ring-open", "/geometry/coordinates/0"},
    {"areas", "{\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [9, 0], [18, 0], [0, 0]]]}",
     "ring-degenerate", ""},
    {"areas", "{\"type\": \"Polygon\", \"coordinates\": [[[1, 1], [1, 1], [1, 1], [1, 1]]]}",
     "ring-degenerate", ""},
    {"areas",
     "{\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [9, 9], [9, 0], [0, 9], [0, 0]]]}",
     "ring-crosses", ""},
    {"areas", "{\"type\": \"Point\", \"coordinates\": [1, 2]}", "geometry-unsupported",
     "/geometry/type"},
    {"points", "{\"type\": \"Point\", \"coordinates\": [1]}", "malformed", "/geometry/coordinates"},
    {"points", "{\"type\": \"LineString\", \"coordinates\": [[1, 1], [2, 2]]}",
     "geometry-unsupported", "/geometry/type"},
};

/* A feature that is well, then the broken one; and a world that asks for them. */
static void write_files(const broken *of) {
    static const char *const fine[] = {
        "{\"type\": \"LineString\", \"coordinates\": [[50, 50], [60, 60]]}",
        "{\"type\": \"Polygon\", \"coordinates\": [[[50, 50], [60, 50], [60, 60], [50, 50]]]}",
        "{\"type\": \"Point\", \"coordinates\": [50, 50]}"};
    static const char *const nodes[] = {
        "\"s\": {\"op\": \"line.sample\", \"in\": {\"lines\": \"$s\"}, "
        "\"params\": {\"spacing_m\": 1}}",
        "\"s\": {\"op\": \"area.sample\", \"in\": {\"areas\": \"$s\"}, "
        "\"params\": {\"spacing_m\": 1}}",
        "\"s\": {\"op\": \"points.input\", \"in\": {\"points\": \"$s\"}}"};
    int kind = of->kind[0] == 'l' ? 0 : of->kind[0] == 'a' ? 1 : 2;
    const program_result *result =
        program_run(program_folder,
                    "cat > $DIR/s.geojson <<'END'\n"
                    "{\"type\": \"FeatureCollection\", \"features\": ["
                    "{\"type\": \"Feature\", \"properties\": {}, \"geometry\": %s}, "
                    "{\"type\": \"Feature\", \"properties\": {}, \"geometry\": %s}]}\nEND\n"
                    "cat > $DIR/s.world.json <<'END'\n"
                    "{\"seed\": \"1\", \"graph\": {\"loam_graph\": 1, \"slots\": {\"s\": \"%s\"}, "
                    "\"nodes\": {%s}, \"outputs\": {\"o\": {\"node\": \"s\"}}}, "
                    "\"slots\": {\"s\": \"s\"}, "
                    "\"grid\": {\"levels\": [{\"cell_size_m\": 64}]}}\nEND\n"
                    "echo '{\"s\": {\"file\": \"s.geojson\", \"kind\": \"%s\", "
                    "\"crs\": \"local\"}}' > $DIR/s.assets.json",
                    fine[kind], of->geometry, of->kind, nodes[kind], of->kind);
    cr_assert_eq(result->exit_code, 0, "%s", result->output);
}

static void expect_refused(const program_result *result, int exit_code, const broken *of) {
    char code[64], place[128];
    snprintf(code, sizeof code, "[%s]", of->code);
    snprintf(place, sizeof place, "/features/1%s: ", of->place);
    cr_expect_eq(result->exit_code, exit_code, "%s: %s", of->geometry, result->output);
    cr_expect(program_said(result, code) && program_said(result, place), "%s %s is not in: %s",
              place, code, result->output);
}

Test(geojson_files, what_is_wrong_is_refused_with_its_place_here_and_there) {
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        write_files(&files[i]);
        expect_refused(
            program_run(program_folder, "$LOAM cell $DIR/s.world.json --output o -o $DIR/s.cell"),
            1, &files[i]);
        expect_refused(program_run(program_folder, "$LOAM put assets $DIR/s.assets.json" AT), 3,
                       &files[i]);
    }
}

/* All of the map, by its kind; the coast has no ids, roads and rivers have some twice. */
Test(geojson_files, real_files_come_in_whole) {
    static const char *const maps[][3] = {
        {"cape_flattery_coast_dem", "lines", "\"lines\":13,\"vertices\":1570"},
        {"bayreuth_waterways", "lines", "\"lines\":200,"},
        {"bayreuth_roads", "lines", "\"lines\":1826,"},
        {"wake_nc_waterways", "lines", "\"lines\":1760,"},
        {"bayreuth_buildings_west", "areas", "\"features\":1964,"},
        {"bayreuth_forest", "areas", "\"features\":113,"},
        {"bayreuth_settlement", "areas", "\"features\":183,"},
        {"andorra_historic", "areas", "\"features\":2,"},
        {"bayreuth_places", "points", "\"points\":68,"},
        {"bayreuth_historic_points", "points", "\"points\":3,"},
    };
    const char *data = getenv("LOAM_TEST_DATA");
    if (data == NULL || *data == 0) {
        fprintf(stderr, "LOAM_TEST_DATA is not set: real files are not tested\n");
        return;
    }
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        const program_result *result =
            program_run(program_folder,
                        "$LOAM put asset map \"$LOAM_TEST_DATA/vector/%s.local.geojson\" --kind %s "
                        "--crs local --json" AT,
                        maps[i][0], maps[i][1]);
        cr_expect_eq(result->exit_code, 0, "%s: %s", maps[i][0], result->output);
        cr_expect(program_said(result, maps[i][2]), "%s: %s", maps[i][0], result->output);
    }
    const program_result *refused = program_run(
        program_folder, "$LOAM put asset map "
                        "\"$LOAM_TEST_DATA/vector/bayreuth_waterways.geojson\" --kind lines" AT);
    cr_expect(program_said(refused, "[crs-missing]"), "lon/lat: %s", refused->output);
}
