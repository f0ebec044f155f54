/* SPDX-License-Identifier: MIT
 *
 * test_cli_offline.c: the program `loam` without a daemon, as a user runs it: graphs, cells, bakes,
 * terrain and pictures, and what it says when something is wrong. Runs from the root of the tree.
 */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/program.h"

#define GRAPH "api/examples/forest.graph.json"
#define WORLD "api/examples/forest.world.json"

#define CELL "$LOAM cell " WORLD " --output trees --x 3 --z 5 "

static char folder[64];

static void folder_begin(void) {
    program_folder_make(folder);
}

static void folder_end(void) {
    program_folder_remove(folder);
}

TestSuite(cli_offline, .init = folder_begin, .fini = folder_end, .timeout = 120);

/* Runs and demands an exit code; on a surprise the output is shown. */
static const program_result *expect(int exit_code, const char *line) {
    const program_result *result = program_run(folder, "%s", line);
    cr_assert_eq(result->exit_code, exit_code, "'%s' ended with %d: %s", line, result->exit_code,
                 result->output);
    return result;
}

static void expect_said(const program_result *result, const char *text) {
    cr_assert(program_said(result, text), "'%s' is not in: %s", text, result->output);
}

/* The output of a command, kept. */
static char *said_by(const char *line) {
    return strdup(expect(0, line)->output);
}

static void expect_equal(const char *one, const char *other) {
    char *first = said_by(one);
    char *second = said_by(other);
    cr_assert_str_eq(first, second, "'%s' and '%s' differ", one, other);
    free(first);
    free(second);
}

Test(cli_offline, the_forest_graph_has_no_faults_and_the_reach_of_its_pruning) {
    const program_result *result = expect(0, "$LOAM graph check " GRAPH);
    expect_said(result, "output trees: reach 5.99609375 m");
    expect_said(result, "no faults");
}

Test(cli_offline, every_fault_of_a_graph_is_named_with_its_place) {
    expect(0, "sed -e 's/self.prune/self.prine/' -e 's/\"max_deg\": 25/\"max_deg\": 250/' "
              "-e 's/\"zones\": \"$village\"/\"zones\": \"$vilage\"/' " GRAPH " > $DIR/bad.json");
    const program_result *result = expect(1, "$LOAM graph check $DIR/bad.json");
    expect_said(result, "bad.json:/nodes/spaced/op");
    expect_said(result, "[unknown-operation]");
    expect_said(result, "bad.json:/nodes/gentle/params/max_deg");
    expect_said(result, "[out-of-range]");
    expect_said(result, "bad.json:/nodes/kept/in/zones");
    expect_said(result, "[unknown-slot]");
    expect_said(result, "'loam operations' lists them");
}

Test(cli_offline, the_canonical_document_is_its_own_canonical_form) {
    expect(0, "$LOAM graph fmt " GRAPH " -o $DIR/one.json");
    expect(0, "$LOAM graph fmt $DIR/one.json -o $DIR/two.json");
    expect(0, "cmp $DIR/one.json $DIR/two.json");
    expect(0, "$LOAM graph check $DIR/one.json");
    expect_said(expect(0, "cat $DIR/one.json"), "0.6015625");
}

Test(cli_offline, what_a_canonical_graph_adds_is_listed_on_demand) {
    const program_result *result = expect(0, "$LOAM graph fmt --notes " GRAPH " -o $DIR/one.json");
    expect_said(result, "forest.graph.json:/nodes/drawn/params/multiplier: 1 is added");
    result = expect(0, "$LOAM graph fmt --notes $DIR/one.json -o $DIR/two.json");
    cr_assert_not(program_said(result, "is added"), "%s", result->output);
}

Test(cli_offline, a_word_that_begins_commands_lists_them) {
    expect_said(expect(0, "$LOAM graph --help"), "loam graph rename");
    expect_said(expect(2, "$LOAM graph"), "loam graph check");
}

Test(cli_offline, a_compiled_graph_does_not_depend_on_the_order_of_its_document) {
    expect(0, "$LOAM graph compile " GRAPH " -o $DIR/one.graph");
    expect(0, "$LOAM graph fmt " GRAPH " | $LOAM graph compile - -o $DIR/two.graph");
    expect(0, "cmp $DIR/one.graph $DIR/two.graph");
}

Test(cli_offline, a_renamed_node_keeps_its_points) {
    expect(0, "$LOAM graph rename " GRAPH " drawn thinned -o $DIR/renamed.json");
    char path[128];
    (void)snprintf(path, sizeof path, "%s/renamed.json", folder);
    json_t *world = json_load_file(WORLD, 0, NULL);
    json_t *graph = json_load_file(path, 0, NULL);
    cr_assert_not_null(json_object_get(json_object_get(graph, "nodes"), "thinned"));
    cr_assert_eq(json_object_set_new(world, "graph", graph), 0);
    (void)snprintf(path, sizeof path, "%s/renamed.world.json", folder);
    cr_assert_eq(json_dump_file(world, path, 0), 0);
    json_decref(world);
    expect(0, CELL "-o $DIR/one.cell");
    expect(0, "$LOAM cell $DIR/renamed.world.json --assets api/examples/forest.assets.json "
              "--output trees --x 3 --z 5 -o $DIR/two.cell");
    expect(0, "cmp $DIR/one.cell $DIR/two.cell");
    expect_said(expect(1, "$LOAM graph rename " GRAPH " none other"), "[unknown-node]");
}

Test(cli_offline, a_graph_is_drawn_for_graphviz) {
    const program_result *result = expect(0, "$LOAM graph dot " GRAPH);
    expect_said(result, "digraph loam {");
    expect_said(result, "\"drawn\" -> \"spaced\" [label=\"points\"];");
}

Test(cli_offline, a_check_tells_what_no_output_needs) {
    expect(0, "sed -e 's/\"slots\": {/\"slots\": { \"roads\": \"lines\",/' " GRAPH
              " > $DIR/spare.json");
    const program_result *result = expect(0, "$LOAM graph check $DIR/spare.json");
    expect_said(result, "/slots/roads: no output needs this slot [unused-slot]");
    expect_said(result, "no faults");
}

Test(cli_offline, the_example_world_holds_the_example_graph) {
    json_t *world = json_load_file(WORLD, 0, NULL);
    json_t *graph = json_load_file(GRAPH, 0, NULL);
    cr_assert_not_null(world);
    cr_assert_not_null(graph);
    cr_assert(json_equal(json_object_get(world, "graph"), graph));
    json_decref(world);
    json_decref(graph);
}

Test(cli_offline, a_cell_is_the_same_on_every_path) {
    char *best = said_by(CELL "-o $DIR/a.cell 2>&1 && $LOAM digest $DIR/a.cell");
    cr_assert_not_null(strstr(best, " points"), "%s", best);
    free(best);
    expect_equal("$LOAM digest $DIR/a.cell", CELL "--general 2>$DIR/log | $LOAM digest -");
    expect_equal("$LOAM digest $DIR/a.cell", CELL "--simd baseline 2>$DIR/log | $LOAM digest -");
}

Test(cli_offline, the_line_about_a_cell_tells_its_digest_and_key) {
    char *digest = said_by(CELL "-o $DIR/a.cell >$DIR/log 2>&1; $LOAM digest $DIR/a.cell");
    char *key = said_by(CELL "--key");
    const program_result *result = expect(0, "cat $DIR/log");
    expect_said(result, strtok(digest, "\n"));
    expect_said(result, strtok(key, "\n"));
    free(digest);
    free(key);
}

/* The document of a cell that a command writes to $DIR/cell.json; ended with json_decref. */
static json_t *cell_json(const char *line) {
    char path[128];
    (void)snprintf(path, sizeof path, "%s/cell.json", folder);
    (void)expect(0, line);
    json_t *document = json_load_file(path, 0, NULL);
    cr_assert_not_null(document);
    return document;
}

Test(cli_offline, json_tells_the_place_and_the_points_of_a_cell) {
    json_t *document = cell_json(CELL "--level 0 --format json -o $DIR/cell.json");
    json_t *points = json_object_get(document, "points");
    cr_assert_str_eq(json_string_value(json_object_get(document, "world")), "forest");
    cr_assert_eq(json_integer_value(json_object_get(document, "z")), 5);
    cr_assert_gt(json_array_size(points), 100);
    cr_assert_eq((size_t)json_integer_value(json_object_get(document, "count")),
                 json_array_size(points));
    json_decref(document);
}

Test(cli_offline, four_small_cells_are_the_points_of_a_large_one) {
    size_t count = 0;
    json_t *large = cell_json("$LOAM cell " WORLD " --output trees --x 9 --z 4 --format json "
                              "-o $DIR/cell.json");
    for (int i = 0; i < 16; i++) {
        char line[256];
        (void)snprintf(line, sizeof line,
                       "$LOAM cell " WORLD " --output trees --level 1 --x %d --z %d "
                       "--format json -o $DIR/cell.json",
                       36 + i % 4, 16 + i / 4);
        json_t *small = cell_json(line);
        count += json_array_size(json_object_get(small, "points"));
        json_decref(small);
    }
    cr_assert_eq(count, json_array_size(json_object_get(large, "points")));
    json_decref(large);
}

Test(cli_offline, a_trace_names_every_node) {
    const program_result *result = expect(0, CELL "--trace -o $DIR/a.cell");
    static const char *const nodes[] = {"sites", "gentle", "band", "field",
                                        "drawn", "spaced", "kept", "trees"};
    for (size_t i = 0; i < sizeof nodes / sizeof nodes[0]; i++) {
        expect_said(result, nodes[i]);
    }
}

#define BAKE "$LOAM bake " WORLD " --output trees --level 1 --cells 12,20,15,22 -o $DIR/"

Test(cli_offline, a_bake_is_the_same_with_any_number_of_workers) {
    expect(0, BAKE "one --workers 1");
    expect(0, BAKE "three --workers 3 --general");
    expect(0, "diff -r $DIR/one $DIR/three");
    expect(0, "[ $(ls $DIR/one/*.cell | wc -l) = 12 ]");
    expect(0, "$LOAM cell " WORLD " --output trees --level 1 --x 13 --z 21 -o $DIR/a.cell");
    expect(0, "cmp $DIR/a.cell $DIR/one/13_21.cell");
}

Test(cli_offline, a_second_bake_makes_only_what_is_missing_or_damaged) {
    expect(0, BAKE "out");
    expect_said(expect(0, BAKE "out"), "0 made, 12 up to date");
    expect(0,
           "cp -r $DIR/out $DIR/first && rm $DIR/out/12_20.cell && echo x >> $DIR/out/13_20.cell "
           "&& echo x > $DIR/out/14_20.key");
    expect_said(expect(0, BAKE "out"), "3 made, 9 up to date");
    expect(0, "diff -r $DIR/first $DIR/out");
}

Test(cli_offline, a_moved_zone_remakes_only_the_cells_that_see_it) {
    expect(0, "cp api/examples/forest.* api/examples/village.geojson $DIR");
    expect(0, "$LOAM bake $DIR/forest.world.json --output trees --cells 2,3,6,7 -o $DIR/out");
    expect(0, "sed -i 's/\\[1268, 1024\\]/[1267, 1024]/' $DIR/village.geojson");
    const program_result *result =
        expect(0, "$LOAM bake $DIR/forest.world.json --output trees --cells 2,3,6,7 -o $DIR/out");
    /* The cell that holds the corner, and the one that its margin of 8 m reaches into. */
    expect_said(result, "2 made, 23 up to date");
}

Test(cli_offline, terrain_written_as_samples_is_put_back_by_the_options_that_are_printed) {
    char *options = said_by("$LOAM heightmap --seed 9 --width 33 --height 65 --spacing-m 10 "
                            "--wavelength-m 200 --octaves 5 --amplitude-m 90 --base-m 100 "
                            "-o $DIR/h.r16");
    cr_assert_not_null(strstr(options, "--kind heightfield --width 33 --height 65"), "%s", options);
    cr_assert_not_null(strstr(options, "--spacing-m 10 "), "%s", options);
    free(options);
    expect(0, "[ $(wc -c < $DIR/h.r16) = 4290 ]");
}

Test(cli_offline, a_picture_of_heights_is_an_asset_like_the_samples) {
    static const char assets[] =
        "cat > $DIR/h.assets.json <<END\n"
        "{\"forest-terrain\": {\"file\": \"h.%s\", \"kind\": \"heightfield\", %s \"spacing_m\": 8,"
        " \"offset_m\": $(sed 's/.*--offset-m \\([^ ]*\\).*/\\1/' $DIR/opts),"
        " \"scale_m\": $(sed 's/.*--scale-m \\([^ ]*\\).*/\\1/' $DIR/opts), \"row0\": \"north\"},"
        " \"forest-village\": {\"file\": \"village.geojson\", \"kind\": \"areas\","
        " \"crs\": \"local\"}}\nEND\n"
        "cp api/examples/village.geojson $DIR; $LOAM cell " WORLD " --assets $DIR/h.assets.json "
        "--output trees --x 0 --z 0 -o $DIR/%s.cell";
    for (int i = 0; i < 2; i++) {
        const char *kind = i == 0 ? "r16" : "png";
        const char *size = i == 0 ? "\"width\": 65, \"height\": 65, \"encoding\": \"u16le\"," : "";
        const program_result *result = program_run(
            folder,
            "$LOAM heightmap --seed 9 --width 65 --height 65 --spacing-m 8 --wavelength-m 900 "
            "--octaves 5 --amplitude-m 90 --base-m 150 -o $DIR/h.%s > $DIR/opts",
            kind);
        cr_assert_eq(result->exit_code, 0, "%s", result->output);
        result = program_run(folder, assets, kind, size, kind);
        cr_assert_eq(result->exit_code, 0, "%s", result->output);
    }
    expect(0, "cmp $DIR/r16.cell $DIR/png.cell");
}

Test(cli_offline, a_region_becomes_a_png_of_the_asked_width) {
    expect(0, "$LOAM picture " WORLD " --output trees --area 700,1200,1200,1700 --pixels 100 "
              "-o $DIR/one.png --workers 1");
    expect(0, "$LOAM picture " WORLD " --output trees --area 700,1200,1200,1700 --pixels 100 "
              "-o $DIR/two.png --workers 2");
    expect(0, "cmp $DIR/one.png $DIR/two.png");
    expect_said(expect(0, "od -An -tu1 -j16 -N8 $DIR/one.png"), "0   0   0 100   0   0   0 100");
}

Test(cli_offline, operations_and_recipes_are_explained) {
    const program_result *result = expect(0, "$LOAM operations");
    expect_said(result, "self.prune");
    expect_said(result, "heightmap.fbm");
    result = expect(0, "$LOAM operations self.prune");
    expect_said(result, "radius_m");
    expect_said(result, "REACH");
    expect_said(expect(1, "$LOAM operations self.prine"), "self.prine");
}

typedef struct mistake {
    const char *line;
    int exit_code;
    const char *said;
} mistake;

Test(cli_offline, every_mistake_says_what_is_wrong) {
    static const mistake mistakes[] = {
        {"$LOAM", 2, "usage"},
        {"$LOAM dance", 2, "there is no command 'dance'\n"},
        {"$LOAM graph chekc", 2,
         "there is no command 'graph chekc'; did you mean \"graph check\"?"},
        {"$LOAM digest --hlep", 2, "there is no option --hlep"},
        {"$LOAM dungeon --sead 3", 2, "did you mean \"seed\"?"},
        {"$LOAM operations self.prnue", 1, "did you mean \"self.prune\"?"},
        {"$LOAM admin gc --bytes '' --server 127.0.0.1:1", 2, "--bytes takes bytes"},
        {"$LOAM admin gc --bytes K --server 127.0.0.1:1", 2, "--bytes takes bytes"},
        {"$LOAM admin scrub --bytes-per-s '' --server 127.0.0.1:1", 2, "--bytes-per-s takes"},
        {"$LOAM cell " WORLD " --output trees --level ''", 2, "--level takes"},
        {"$LOAM cell " WORLD, 2, "--output"},
        {CELL "--level 99", 2, "--level"},
        {CELL "--simd sse", 1, "sse"},
        {CELL "--level 7", 1, "level"},
        {"$LOAM cell " WORLD " --output bushes", 1, "bushes"},
        {"$LOAM cell " WORLD " --output trees --x 16", 1, "outside-world"},
        {"$LOAM bake $DIR/none.json --output trees --cells 0,0,0,0 -o $DIR/o", 1, "none.json"},
        {"$LOAM graph check $DIR/none.json", 1, "none.json"},
        {"$LOAM digest $DIR/none", 1, "none"},
        {"$LOAM heightmap --seed 1e3 --width 9 --height 9 --spacing-m 1 --wavelength-m 9 "
         "-o $DIR/x.r16",
         1, "seed"},
        {"$LOAM heightmap --seed 1 --width 9 --height 9 --spacing-m 1 --wavelength-m 9 "
         "-o $DIR/x.tiff",
         1, "tiff"},
        {"$LOAM get /v1/version --server 127.0.0.1:1", 4, "--server"},
        {"$LOAM get v1 --server 127.0.0.1:1", 1, "begins with"},
        {"$LOAM get /v1/version --server ftp://a", 2, "'ftp://a' is no address"},
        {"$LOAM get /v1/version --server ''", 2, "--server is empty"},
        {"$LOAM job get 0123 --server $(printf %0600d 0)", 2, "address is too long"},
        {"$LOAM admin gc --bytes 1G --server ftp://a", 2, "'ftp://a' is no address"},
        {"$LOAM get /v1/version --token-file $DIR/none", 1, "cannot read the token file"},
        {"$LOAM admin stats --token-file $DIR/none", 1, "cannot read the token file"},
        {"$LOAM get /v1/version --port-file $DIR/none", 4, "cannot read the port file"},
        {"$LOAM cell forest --output trees --server 127.0.0.1:1", 4, "loamd"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        expect_said(expect(mistakes[i].exit_code, mistakes[i].line), mistakes[i].said);
    }
}

Test(cli_offline, an_asset_that_is_not_described_is_named) {
    expect(0, "echo '{}' > $DIR/none.json");
    const program_result *result = expect(1, CELL "--assets $DIR/none.json");
    expect_said(result, "forest-");
    expect_said(result, "--assets");
}

Test(cli_offline, a_fault_in_an_asset_names_the_asset_and_the_place) {
    expect(0, "cp api/examples/forest.* $DIR");
    expect(0, "sed 's/, \\[820, 1330\\]\\],/],/' api/examples/village.geojson > "
              "$DIR/village.geojson");
    const program_result *result =
        expect(1, "$LOAM cell $DIR/forest.world.json --output trees -o $DIR/x");
    expect_said(result, "forest-village");
    expect_said(result, "/features/0");
    expect_said(result, "[ring-open]");
}

Test(cli_offline, every_command_explains_itself) {
    static const char *const commands[] = {"heightmap",   "cell",       "bake",       "picture",
                                           "graph check", "graph fmt",  "operations", "put asset",
                                           "get",         "job submit", "digest",     "wait-ready"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        const program_result *result = program_run(folder, "$LOAM %s --help", commands[i]);
        cr_assert_eq(result->exit_code, 0, "%s", commands[i]);
        expect_said(result, "usage: loam");
        expect_said(result, "examples:");
    }
    expect_said(expect(0, "$LOAM --help"), "exit codes");
    expect_said(expect(0, "$LOAM --version"), "loam 0.");
}

/* ---- Checks --------------------------------------------------------------------------------- */

/* $DIR/NAME.world.json: the forest with checks of its trees. */
static void make_checked(const char *name, const char *mode, const char *trees) {
    char line[1024];
    snprintf(line, sizeof line,
             "cp api/examples/forest.terrain.json api/examples/village.geojson $DIR/ && "
             "cp api/examples/forest.assets.json $DIR/%s.assets.json && "
             "sed 's|\"grid\"|\"checks\": {\"mode\": \"%s\", \"outputs\": {\"trees\": %s}}, "
             "\"grid\"|' " WORLD " > $DIR/%s.world.json",
             name, mode, trees, name);
    expect(0, line);
}

#define CHECKED_BAKE(name, code, options)                                                          \
    expect(code, "$LOAM bake $DIR/" name ".world.json --output trees --level 1 "                   \
                 "--cells 24,29,25,30 -o $DIR/" name " " options)

Test(cli_offline, a_bake_lists_cells_that_fail_their_checks) {
    make_checked("crowd", "fail", "{\"count\": {\"max\": 10}}");
    const program_result *result = CHECKED_BAKE("crowd", 1, "");
    expect_said(result, "trees 1/24/29: check-failed: count: ");
    expect_said(result, "trees 1/25/30: check-failed: count: ");
    expect_said(result, "4 cells failed the world's checks");
    expect_said(expect(0, "cat $DIR/crowd/manifest.json"), "\"checks\":\"failed\"");
    result = CHECKED_BAKE("crowd", 1, "");
    expect_said(result, "4 up to date");
    expect_said(result, "4 cells failed the world's checks");
    CHECKED_BAKE("crowd", 0, "--no-checks");
    make_checked("crowd", "warn", "{\"count\": {\"max\": 10}}");
    result = CHECKED_BAKE("crowd", 0, "");
    expect_said(result, "trees 1/24/29: warning: count: ");
    expect_said(result, "4 up to date");
}

Test(cli_offline, a_bake_that_passes_its_checks_is_the_bake_without_them) {
    make_checked("fit", "fail",
                 "{\"count\": {\"min\": 0}, \"spacing_m\": 1.2, \"floating_m\": 0, \"ring\": "
                 "{\"zones\": \"village\", \"width_m\": 0}}");
    CHECKED_BAKE("fit", 0, "");
    expect(0, "$LOAM bake " WORLD " --output trees --level 1 --cells 24,29,25,30 -o $DIR/plain");
    expect(0, "for f in $DIR/plain/*.cell $DIR/plain/*.key; do cmp $f $DIR/fit/${f##*/} || exit 1; "
              "done");
}

Test(cli_offline, a_cell_that_fails_its_checks_is_written_and_told) {
    make_checked("close", "fail", "{\"spacing_m\": 1.5}");
    const program_result *result =
        expect(1, "$LOAM cell $DIR/close.world.json --output trees --x 6 --z 7 -o $DIR/a.cell");
    expect_said(result, "trees 0/6/7: check-failed: spacing: instances ");
    expect(0, "$LOAM cell $DIR/close.world.json --output trees --x 6 --z 7 --no-checks "
              "-o $DIR/b.cell");
    expect(0, "cmp $DIR/a.cell $DIR/b.cell");
}

/* ---- What is wrong with a command line ------------------------------------------------------- */

Test(cli_offline, what_is_no_command_is_named_beside_those_that_are) {
    expect_said(expect(2, "$LOAM put worl x"), "no command 'put worl'");
    expect_said(expect(2, "$LOAM put worl x"), "loam put world");
    expect_said(expect(2, "$LOAM help frob"), "no command 'frob'");
    expect_said(expect(0, "$LOAM help job"), "loam job wait");
    expect_said(expect(0, "$LOAM job --help"), "loam job list");
    expect_said(expect(2, "$LOAM frob --help"), "no command 'frob'");
}

Test(cli_offline, a_file_that_is_not_there_is_not_looked_for_in_a_daemon) {
    expect_said(expect(1, "$LOAM cell $DIR/none.world.json --output trees"), "cannot read");
    expect_said(expect(1, "$LOAM trace none.json --output trees"), "cannot read none.json");
}

Test(cli_offline, a_token_has_no_settings_that_a_daemon_cannot_read) {
    expect_said(expect(2, "$LOAM token new a --requests many"), "--requests");
    expect_said(expect(2, "$LOAM token new a --jobs 0"), "--jobs");
    expect_said(expect(2, "$LOAM token new a --asset-bytes 5X"), "--asset-bytes");
    expect_said(expect(2, "$LOAM token new a --worlds 'a b'"), "--worlds");
    expect_said(expect(0, "$LOAM token new a --asset-bytes 5G --jobs 2"), "jobs=2 asset-bytes=5G");
}

Test(cli_offline, a_token_line_that_a_daemon_would_refuse_is_not_written) {
    static const mistake mistakes[] = {
        {"--asset-bytes ''", 2, ""},
        {"--scopes '' --requests 3", 2, "--scopes"},
        {"--scopes '' --jobs 3", 2, "--scopes"},
        {"--requests 5000000000000000000", 2, "is not a count"},
        {"--worlds A,,b", 2, "names of worlds"},
        {"--worlds a,,b", 2, "names of worlds"},
        {"--worlds $(seq -s, 1 33)", 2, "1 to 32 names"},
        {"--worlds $(seq -s, -f $(printf %060d 0)%02.0f 1 80) --jobs 1", 2, "bytes"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        const program_result *result =
            program_run(folder, "$LOAM token new a --file $DIR/none %s", mistakes[i].line);
        cr_assert_eq(result->exit_code, mistakes[i].exit_code, "%s: %d, %s", mistakes[i].line,
                     result->exit_code, result->output);
        expect_said(result, mistakes[i].said);
        expect(1, "test -e $DIR/none");
    }
    expect_said(expect(0, "$LOAM token new a --jobs 3 --worlds "
                          "$(seq -s, -f $(printf %060d 0)%02.0f 1 32)"),
                "032 jobs=3");
}

Test(cli_offline, a_token_goes_on_a_line_of_its_own) {
    expect(0, "$LOAM token new a --file $DIR/tokens");
    expect(0, "printf '# the end' >> $DIR/tokens");
    expect(0, "$LOAM token new b --file $DIR/tokens");
    expect(0, "$LOAM token new c --file $DIR/tokens");
    expect(0, "[ \"$(cut -d' ' -f1 $DIR/tokens | tr '\\n' ' ')\" = 'a # b c ' ]");
}

Test(cli_offline, output_that_cannot_be_written_is_a_failure) {
    static const char *const lines[] = {
        "--help",           "--version",
        "help job",         "job --help",
        "cell -h",          "operations",
        "digest " WORLD,    "token new a",
        "completion bash",  "graph check " GRAPH,
        "graph dot " GRAPH, "cell " WORLD " --output trees --key",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        const program_result *result = program_run(folder, "$LOAM %s > /dev/full", lines[i]);
        cr_assert_eq(result->exit_code, 1, "%s: %d, %s", lines[i], result->exit_code,
                     result->output);
        expect_said(result, "cannot write: No space left on device");
        cr_expect_eq(program_run(folder, "$LOAM %s >&-", lines[i])->exit_code, 1, "%s", lines[i]);
    }
}

Test(cli_offline, a_token_that_cannot_be_shown_has_no_line) {
    expect_said(expect(1, "$LOAM token new a --file $DIR/tokens > /dev/full"), "cannot write");
    expect(1, "test -e $DIR/tokens");
}

Test(cli_offline, a_pipe_and_a_device_are_written_to_and_stay) {
    expect(0, "$LOAM graph dot " GRAPH " > $DIR/want");
    expect(0, "mkfifo $DIR/pipe; timeout 20 cat $DIR/pipe > $DIR/got & "
              "$LOAM graph dot " GRAPH " -o $DIR/pipe && wait && test -p $DIR/pipe && "
              "cmp $DIR/want $DIR/got");
    expect(0, "ln -s /dev/null $DIR/null; $LOAM graph dot " GRAPH " -o $DIR/null && "
              "test -L $DIR/null && test -c $DIR/null");
    expect_said(expect(1, "ln -s /dev/full $DIR/full; $LOAM graph dot " GRAPH " -o $DIR/full"),
                "full: No space left on device");
    expect_said(expect(1, "$LOAM graph dot " GRAPH " -o $DIR"), "Is a directory");
}

Test(cli_offline, a_link_stays_and_the_file_behind_it_is_written) {
    expect(0, "$LOAM graph dot " GRAPH " > $DIR/want; mkdir $DIR/far; ln -s far/file $DIR/link");
    for (int i = 0; i < 2; i++) {
        expect(0, "$LOAM graph dot " GRAPH " -o $DIR/link && test -L $DIR/link && "
                  "cmp $DIR/want $DIR/far/file");
        expect(0, "echo longer than nothing > $DIR/far/file");
    }
    expect(0, "[ \"$(ls $DIR/far)\" = file ]");
}

Test(cli_offline, upkeep_that_nobody_answered_is_not_shown_as_done) {
    const program_result *result = expect(4, "$LOAM admin gc --bytes 1G --server 127.0.0.1:1");
    expect_said(result, "does not answer");
    cr_expect_not(program_said(result, "1000"), "%s", result->output);
}

Test(cli_offline, a_graph_is_judged_in_the_document_of_a_daemon) {
    expect_said(expect(0, "$LOAM graph check --json api/examples/forest.graph.json"),
                "{\"valid\":true,");
    expect(0,
           "echo '{\"loam_graph\":1,\"nodes\":{\"a\":{\"op\":\"x.y\"}},\"outputs\":{}}' > $DIR/g");
    expect_said(expect(1, "$LOAM graph check --json $DIR/g"), "\"pointer\":\"/nodes/a/op\"");
    expect(1, "$LOAM graph check --json $DIR/none");
}
