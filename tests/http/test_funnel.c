/* SPDX-License-Identifier: MIT
 *
 * test_funnel.c: a funnel as an artist sees it: the trace says how many points every node let
 * through, and the job that baked it names the node that let too little out.
 */
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(funnel, .init = server_start, .fini = server_stop);

/* Some 102,400 sites in a cell of 256 m; three of ten are drawn; of these, those of high noise; and
 * at last some fifty, by a node that drops more than 99 of 100. */
static const char world[] =
    "{\"seed\": \"3\", \"graph\": {\"loam_graph\": 1, \"nodes\": {"
    "\"sites\": {\"op\": \"grid.sample\", \"params\": {\"spacing_m\": 0.8, \"density\": 0.3}}, "
    "\"drawn\": {\"op\": \"density.cull\", \"in\": {\"points\": \"sites\"}}, "
    "\"field\": {\"op\": \"density.noise\", \"in\": {\"points\": \"drawn\"}, "
    "\"params\": {\"wavelength_m\": 24, \"combine\": \"replace\"}}, "
    "\"high\": {\"op\": \"filter.density\", \"in\": {\"points\": \"field\"}, "
    "\"params\": {\"min\": 0.65625}}, "
    "\"rare\": {\"op\": \"density.cull\", \"in\": {\"points\": \"high\"}, "
    "\"params\": {\"multiplier\": 0.0078125}}, "
    "\"apart\": {\"op\": \"self.prune\", \"in\": {\"points\": \"rare\"}, "
    "\"params\": {\"radius_m\": 1}}}, "
    "\"outputs\": {\"o\": {\"node\": \"apart\"}}}, \"slots\": {}, "
    "\"grid\": {\"levels\": [{\"cell_size_m\": 256}], "
    "\"bounds_m\": {\"min\": [0, 0], \"max\": [512, 512]}}}";

static void put_world(void) {
    answer put = ask_json(&server, "PUT", world, "/v1/worlds/funnel");
    cr_assert_eq(put.status, 201, "%s", put.body);
    answer_free(&put);
}

static json_int_t points_out(const json_t *trace, const char *node) {
    const json_t *nodes = json_object_get(trace, "nodes"), *at;
    size_t i;
    json_array_foreach(nodes, i, at) {
        if (strcmp(json_string_value(json_object_get(at, "node")), node) == 0) {
            return json_integer_value(json_object_get(at, "points_out"));
        }
    }
    cr_assert_fail("no node %s", node);
    return -1;
}

static void expect_between(json_int_t count, json_int_t least, json_int_t most, const char *node) {
    cr_expect(count >= least && count <= most, "%s: %d", node, (int)count);
}

Test(funnel, the_trace_tells_how_many_every_node_let_through) {
    put_world();
    answer got = ask_get(&server, "/v1/worlds/funnel/cells/0/0/0/o/trace");
    cr_assert_eq(got.status, 200, "%s", got.body);
    json_t *trace = answer_json(&got);
    expect_between(points_out(trace, "sites"), 101000, 103000, "sites");
    expect_between(points_out(trace, "drawn"), 30000, 31500, "drawn");
    cr_expect_eq(points_out(trace, "field"), points_out(trace, "drawn"));
    expect_between(points_out(trace, "high"), 7000, 10000, "high");
    expect_between(points_out(trace, "rare"), 10, 80, "rare");
    cr_expect_str_eq(json_string_value(json_object_get(trace, "suspicious")), "rare");
    json_decref(trace);
    answer_free(&got);
}

Test(funnel, the_job_names_the_suspicious_node) {
    static const char *const wait[] = {"Prefer: wait=30", NULL};
    put_world();
    answer made =
        ask_json(&server, "POST",
                 "{\"world\": \"funnel\", \"outputs\": [\"o\"], \"cells\": \"all\"}", "/v1/jobs");
    cr_assert_eq(made.status, 202, "%s", made.body);
    json_t *job = answer_json(&made);
    answer end = ask(&server, "GET", &(ask_options){.headers = wait}, "/v1/jobs/%s",
                     json_string_value(json_object_get(job, "id")));
    json_t *report = answer_json(&end);
    json_t *problems = json_object_get(report, "problems");
    cr_expect_str_eq(json_string_value(json_object_get(report, "state")), "succeeded");
    cr_assert_eq(json_array_size(problems), 1, "%s", end.body);
    json_t *problem = json_array_get(problems, 0);
    cr_expect_str_eq(json_string_value(json_object_get(problem, "node")), "rare");
    cr_expect_str_eq(json_string_value(json_object_get(problem, "code")), "node-drops");
    json_decref(report);
    json_decref(job);
    answer_free(&made);
    answer_free(&end);
}
