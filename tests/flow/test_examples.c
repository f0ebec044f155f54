/* SPDX-License-Identifier: MIT
 *
 * test_examples.c: the examples do what they say: each is the same from the program and from a
 * daemon, from cells of any size, and can be drawn. The C example builds its graph by hand; the
 * same forest read from JSON must give the same bytes.
 */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/program.h"

static char folder[64];

static void folder_begin(void) {
    program_folder_make(folder);
}

static void folder_end(void) {
    program_folder_remove(folder);
}

TestSuite(examples, .init = folder_begin, .fini = folder_end, .timeout = 60);

/* The world that generate_cell.c builds, as documents. */
static const char documents[] =
    "cat > $DIR/e.assets.json <<END\n"
    "{\"ground\": {\"recipe\": \"heightmap.fbm\", \"seed\": \"7\", \"params\": {\"width\": 129, "
    "\"height\": 129, \"spacing_m\": 8, \"wavelength_m\": 900, \"octaves\": 6, "
    "\"amplitude_m\": 120, \"base_m\": 150}},\n"
    " \"zone\": {\"file\": \"z.geojson\", \"kind\": \"areas\", \"crs\": \"local\"}}\nEND\n"
    "cat > $DIR/z.geojson <<END\n"
    "{\"type\": \"Polygon\", \"coordinates\": [[[300, 300], [420, 330], [340, 450], [300, 300]]]}"
    "\nEND\n"
    "{ echo '{\"seed\": \"42\", \"graph\": '; cat api/examples/forest.graph.json; "
    "echo ', \"slots\": {\"terrain\": \"ground\", \"village\": \"zone\"}, "
    "\"grid\": {\"levels\": [{\"cell_size_m\": 256}]}}'; } > $DIR/e.world.json";

Test(examples, a_cell_from_c_is_the_cell_from_json) {
    const char *build = getenv("LOAM_BUILD");
    const program_result *result = program_run(folder, "%s", documents);
    cr_assert_eq(result->exit_code, 0, "%s", result->output);
    result = program_run(folder, "%s/example/generate_cell > $DIR/c.cell",
                         build != NULL ? build : "build");
    cr_assert_eq(result->exit_code, 0, "%s", result->output);
    cr_assert(program_said(result, " trees, "), "%s", result->output);
    result = program_run(folder, "$LOAM cell $DIR/e.world.json --output trees --x 1 --z 1 "
                                 "-o $DIR/json.cell && cmp $DIR/c.cell $DIR/json.cell");
    cr_assert_eq(result->exit_code, 0, "%s", result->output);
}

Test(examples, the_scripts_are_sound) {
    const program_result *result =
        program_run(folder, "for s in api/examples/*.sh; do sh -n $s || exit 1; done");
    cr_assert_eq(result->exit_code, 0, "%s", result->output);
}

/* ---- Every example -------------------------------------------------------------------------- */

typedef struct example {
    const char *name, *output;
    int x, z;           /* a cell of level 0 that has much in it */
    const char *assets; /* all that stand there, without what is rare */
    bool cut;           /* into small cells too: not what is a part of another row's */
} example;

static const example examples[] = {
    {"forest", "trees", 3, 5, "pine", true},
    {"shore", "rocks", 5, 2, "rock-boulder rock-flat", false},
    {"shore", "pines", 5, 1, "pine", false},
    {"shore", "all", 5, 2, "rock-boulder pine", true},
    {"ruins", "debris", 1, 1, "ruin-rubble ruin-brick beam", false},
    {"ruins", "plants", 1, 1, "fern grass bush", false},
    {"ruins", "all", 2, 2, "ruin-rubble column-stone grass", true},
    {"biomes", "plants", 5, 6, "grass flower bush oak birch fern", false},
    {"biomes", "plants", 4, 4, "grass reed willow-tree", true},
    {"biomes", "plants", 3, 0, "pine boulder grass", false},
    {"hamlet", "fences", 2, 1, "fence-panel fence-broken fence-gate hedge", false},
    {"hamlet", "houses", 1, 1, "house", false},
    {"hamlet", "landmarks", 2, 1, "stone-landmark", false},
    {"hamlet", "all", 2, 1, "house fence-gate flower apple-tree oak birch fir", true},
};
enum { EXAMPLES = sizeof examples / sizeof *examples };

static const char *const names[] = {"forest", "shore", "ruins", "biomes", "hamlet"};
enum { NAMES = sizeof names / sizeof *names };

static const program_result *expect_done(const program_result *result, const char *what) {
    cr_assert_eq(result->exit_code, 0, "%s: %s", what, result->output);
    return result;
}

Test(examples, a_world_holds_the_graph_that_stands_beside_it) {
    for (size_t i = 0; i < NAMES; i++) {
        char path[2][64];
        snprintf(path[0], sizeof path[0], "api/examples/%s.graph.json", names[i]);
        snprintf(path[1], sizeof path[1], "api/examples/%s.world.json", names[i]);
        json_t *graph = json_load_file(path[0], 0, NULL), *world = json_load_file(path[1], 0, NULL);
        cr_assert(graph != NULL && world != NULL, "%s", names[i]);
        cr_expect(json_equal(graph, json_object_get(world, "graph")), "%s", names[i]);
        json_decref(graph);
        json_decref(world);
        expect_done(program_run(folder, "$LOAM graph check %s", path[0]), names[i]);
    }
}

Test(examples, cells_hold_what_their_example_is_about) {
    for (size_t i = 0; i < EXAMPLES; i++) {
        const example *of = &examples[i];
        expect_done(program_run(folder,
                                "$LOAM cell api/examples/%s.world.json --output %s --x %d --z %d "
                                "--format csv -o $DIR/a.csv && for a in %s; do "
                                "grep -qw -- $a $DIR/a.csv || { echo no $a; exit 1; }; done",
                                of->name, of->output, of->x, of->z, of->assets),
                    of->name);
    }
}

/* 16 cells of a fourth of the side hold the points of the large one, ids and all. */
Test(examples, cells_of_either_size_have_the_same_points) {
    for (size_t i = 0; i < EXAMPLES; i++) {
        const example *of = &examples[i];
        if (!of->cut) {
            continue;
        }
        expect_done(
            program_run(folder,
                        "w=api/examples/%s.world.json; o='--output %s --format csv'; x=%d z=%d; "
                        "$LOAM cell $w $o --x $x --z $z | tail -n +2 | sort > $DIR/one.csv; "
                        "for j in 0 1 2 3; do for i in 0 1 2 3; do "
                        "$LOAM cell $w $o --level 1 --x $((x * 4 + i)) --z $((z * 4 + j)) "
                        "2>/dev/null | tail -n +2; done; done | sort > $DIR/many.csv; "
                        "[ -s $DIR/one.csv ] && cmp $DIR/one.csv $DIR/many.csv",
                        of->name, of->output, of->x, of->z),
            of->name);
    }
}

Test(examples, regions_can_be_drawn) {
    for (size_t i = 0; i < NAMES; i++) {
        const char *output = i == 0 ? "trees" : i == 3 ? "plants" : "all";
        expect_done(program_run(folder,
                                "$LOAM picture api/examples/%s.world.json --output %s --area "
                                "256,256,768,768 --pixels 96 -o $DIR/%s.png && "
                                "head -c 4 $DIR/%s.png | grep -q PNG",
                                names[i], output, names[i], names[i]),
                    names[i]);
    }
}

#define AT " --port-file $DIR/port"

Test(examples, a_daemon_makes_the_same_cells_and_bakes_them) {
    int daemon = program_daemon_start(folder);
    for (size_t i = 0; i < NAMES; i++) {
        expect_done(program_run(folder,
                                "cd api/examples && $LOAM put assets %s.assets.json" AT
                                " && $LOAM put world %s %s.world.json" AT,
                                names[i], names[i], names[i]),
                    names[i]);
    }
    for (size_t i = 0; i < EXAMPLES; i++) {
        const example *of = &examples[i];
        expect_done(program_run(folder,
                                "c='--output %s --x %d --z %d'; "
                                "$LOAM cell %s $c -o $DIR/far.cell" AT
                                " && $LOAM cell api/examples/%s.world.json $c -o $DIR/near.cell "
                                "&& cmp $DIR/far.cell $DIR/near.cell && "
                                "$LOAM job submit %s --output %s --cells %d,%d,%d,%d --wait" AT,
                                of->output, of->x, of->z, of->name, of->name, of->name, of->output,
                                of->x - 1, of->z, of->x, of->z),
                    of->name);
    }
    cr_expect_eq(program_daemon_end(daemon), 0);
}

Test(examples, an_assets_file_that_is_wrong_ends_at_its_entry) {
    int daemon = program_daemon_start(folder);
    expect_done(program_run(folder,
                            "echo '{\"a\": {\"recipe\": \"heightmap.fbm\", \"seed\": \"1\", "
                            "\"params\": {}}, \"b\": {\"kind\": \"lines\"}, "
                            "\"c\": {\"file\": \"none.r16\"}}' > $DIR/w.json"),
                "w.json");
    const program_result *result = program_run(folder, "$LOAM put assets $DIR/w.json" AT);
    cr_expect_eq(result->exit_code, 1, "%s", result->output);
    cr_expect(program_said(result, " a\n"), "%s", result->output);
    cr_expect(program_said(result, "asset b: it needs a"), "%s", result->output);
    cr_expect(!program_said(result, "asset c"), "%s", result->output);
    cr_expect_eq(program_daemon_end(daemon), 0);
}

/* ---- Edits ---------------------------------------------------------------------------------- */

/* Both outputs of one cell of the shore, in a folder, after an edit of its graph by sed. */
static void shore_cells(const char *to, const char *edit) {
    expect_done(
        program_run(folder,
                    "mkdir $DIR/%s && cp api/examples/shore.* $DIR/%s && cd $DIR/%s && sed -i '%s' "
                    "shore.world.json && for o in rocks pines; do $LOAM cell shore.world.json "
                    "--output $o --x 5 --z 2 -o $o.cell && $LOAM cell shore.world.json --output "
                    "$o --x 5 --z 2 --key > $o.key || exit 1; done",
                    to, to, to, edit),
        to);
}

static bool same(const char *a, const char *b) {
    return program_run(folder, "cmp $DIR/%s $DIR/%s", a, b)->exit_code == 0;
}

Test(examples, a_change_of_the_rocks_leaves_the_trees_as_they_are) {
    shore_cells("was", "");
    shore_cells("is", "s/\"sigma\": 0.5/\"sigma\": 0.6/");
    cr_expect(!same("was/rocks.cell", "is/rocks.cell"));
    cr_expect(same("was/pines.cell", "is/pines.cell"));
    cr_expect(same("was/pines.key", "is/pines.key"));
}

Test(examples, a_node_that_changes_nothing_leaves_the_digests_as_they_are) {
    shore_cells("was", "");
    shore_cells("is", "s/\"grown\": .*\"points\": \"seeded\"/\"idle\": {\"op\": \"filter.height\", "
                      "\"in\": {\"points\": \"seeded\"}, \"params\": {\"min_m\": -8000, "
                      "\"max_m\": 8000}},\\n"
                      "\"grown\": {\"op\": \"self.prune\", \"in\": {\"points\": \"idle\"/");
    cr_expect(same("was/rocks.key", "is/rocks.key"));
    cr_expect(!same("was/pines.key", "is/pines.key"));
    cr_expect(same("was/pines.cell", "is/pines.cell"));
}

/* The checks of an example hold (its cells are made), and would tell if they did not. */
Test(examples, a_check_that_is_asked_too_much_tells_its_reason) {
    const program_result *result =
        program_run(folder, "cp api/examples/hamlet.* $DIR && sed -i 's/\"houses\": { "
                            "\"spacing_m\": 15/\"houses\": { \"spacing_m\": 40/' "
                            "$DIR/hamlet.world.json && $LOAM cell $DIR/hamlet.world.json --output "
                            "houses --x 2 --z 1 -o $DIR/a.cell");
    cr_expect_eq(result->exit_code, 1, "%s", result->output);
    cr_expect(program_said(result, "spacing"), "%s", result->output);
}

/* ---- Real data ------------------------------------------------------------------------------ */

Test(examples, the_examples_run_on_real_data, .timeout = 240) {
    static const char *const rows[] = {"forest", "coast", "river", "ruins", "biomes", "hamlet"};
    const char *data = getenv("LOAM_TEST_DATA");
    if (data == NULL || *data == 0) {
        fprintf(stderr, "LOAM_TEST_DATA is not set: the examples on real data are not tested\n");
        return;
    }
    int daemon = program_daemon_start(folder);
    expect_done(program_run(folder, "PIXELS=128 sh api/examples/on_real_data.sh $DIR/real"),
                "on_real_data.sh");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const program_result *result = expect_done(
            program_run(folder,
                        "cd $DIR/real && head -c 4 %s.png | grep -q PNG && "
                        "$LOAM put assets %s.assets.json" AT
                        " && $LOAM put world %s %s.world.json" AT
                        " && for c in %s/*.cell; do n=${c##*/}; n=${n%%.cell}; "
                        "$LOAM cell %s --output $(cat %s.output) --x ${n%%_*} --z ${n#*_} -o f" AT
                        " && cmp f $c || exit 1; done; "
                        "echo sizes $(cat %s/*.cell | wc -c)",
                        rows[i], rows[i], rows[i], rows[i], rows[i], rows[i], rows[i], rows[i]),
            rows[i]);
        long size = strtol(strstr(result->output, "sizes ") + 6, NULL, 10);
        cr_expect_gt(size, 20000, "%s: %ld bytes", rows[i], size);
    }
    cr_expect_eq(program_daemon_end(daemon), 0);
}
