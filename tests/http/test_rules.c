/* SPDX-License-Identifier: MIT
 *
 * test_rules.c: documents of rules over HTTP: put as assets, bound by worlds, told when they are
 * wrong before any cell is.
 */
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(rules, .init = server_start, .fini = server_stop);

static const char biomes[] =
    "{\"layers\": [{\"name\": \"meadow\", \"assets\": [{\"name\": \"grass\"}]},"
    " {\"name\": \"wood\", \"priority\": 1, \"assets\": [{\"name\": \"pine\", \"weight\": 3},"
    " {\"name\": \"fir\"}]}]}";

static const char world[] =
    "{\"seed\": \"7\", \"graph\": {\"loam_graph\": 1, \"slots\": {\"rules\": \"rules\"},"
    " \"nodes\": {"
    "\"hill\": {\"op\": \"spatial.sphere\", \"params\": {\"center_m\": [32, 0, 32],"
    " \"radius_m\": 20}},"
    "\"land\": {\"op\": \"biome.generate\", \"in\": {\"rules\": \"$rules\", \"wood\": \"hill\"},"
    " \"params\": {\"spacing_m\": 4}}},"
    "\"outputs\": {\"plants\": {\"node\": \"land\"}}},"
    "\"slots\": {\"rules\": \"biomes\"}, \"grid\": {\"levels\": [{\"cell_size_m\": 64}]}}";

static int put_rules(const char *json) {
    answer of = ask_json(&server, "PUT", json, "/v1/assets/biomes?kind=rules");
    int status = of.status;
    cr_expect(status < 300, "%s", of.body);
    answer_free(&of);
    return status;
}

Test(rules, a_world_with_biomes_generates_them) {
    cr_assert_eq(put_rules(biomes), 201);
    answer put = ask_json(&server, "PUT", world, "/v1/worlds/land");
    cr_assert_eq(put.status, 201, "%s", put.body);
    static const char *const json[] = {"Accept: application/json", NULL};
    const ask_options options = {.headers = json};
    answer cell = ask(&server, "GET", &options, "/v1/worlds/land/cells/0/0/0/plants");
    cr_assert_eq(cell.status, 200, "%s", cell.body);
    cr_expect(strstr(cell.body, "\"pine\"") != NULL);
    cr_expect(strstr(cell.body, "\"grass\"") != NULL);
    cr_expect(strstr(cell.body, "meadow") != NULL);
    answer_free(&put);
    answer_free(&cell);
}

Test(rules, equal_documents_are_one_asset) {
    cr_assert_eq(put_rules("{\"a\": 0.5, \"b\": [1]}"), 201);
    cr_expect_eq(put_rules("{\"b\": [1.0], \"a\": 5e-1}"), 200);
}

Test(rules, rules_that_do_not_fit_are_told_when_they_are_bound) {
    put_rules(
        "{\"layers\": [{\"name\": \"wood\", \"assets\": [{\"name\": \"x\", \"weight\": 0}]}]}");
    expect_problem(ask_json(&server, "PUT", world, "/v1/worlds/land"), 422, "out-of-range",
                   "/slots/rules");
    put_rules("{\"layers\": [{\"name\": \"meadow\", \"assets\": [{\"name\": \"x\"}]}]}");
    expect_problem(ask_json(&server, "PUT", world, "/v1/worlds/land"), 422, "unknown-port",
                   "/slots/rules");
    put_rules("{\"modules\": []}");
    expect_problem(ask_json(&server, "PUT", world, "/v1/worlds/land"), 422, "unknown-field",
                   "/slots/rules");
}
