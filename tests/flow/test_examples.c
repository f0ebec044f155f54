/* SPDX-License-Identifier: MIT
 *
 * test_examples.c: the examples do what they say. The C example builds its graph by hand; the same
 * forest read from JSON must give the same bytes.
 */
#include <criterion/criterion.h>
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
        program_run(folder, "sh -n api/examples/demo.sh && sh -n api/examples/tour.sh");
    cr_assert_eq(result->exit_code, 0, "%s", result->output);
}
