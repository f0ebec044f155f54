/* SPDX-License-Identifier: MIT
 *
 * test_copies.c: copies of a bounded source over HTTP: the source is computed once for all cells,
 * and a source that has no bounds, or more points than it may, is told by its place.
 */
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void start(void) {
    static const char *const args[] = {"--workers", "2", NULL};
    server = daemon_start(NULL, args);
}

TestSuite(copies, .init = start, .fini = server_stop);

/* A graph of flower beds; `stamp` is the node that is copied. */
static const char *graph_of(const char *stamp, int most) {
    static char json[2048];
    snprintf(json, sizeof json,
             "{\"loam_graph\": 1, \"nodes\": {"
             "\"dense\": {\"op\": \"grid.sample\", \"params\": {\"spacing_m\": 0.5}},"
             "\"stamp\": %s,"
             "\"sites\": {\"op\": \"grid.sample\", \"params\": {\"spacing_m\": 20}},"
             "\"beds\": {\"op\": \"copy.points\", \"in\": {\"source\": \"stamp\","
             " \"target\": \"sites\"}, \"params\": {\"max_points\": %d}}},"
             "\"outputs\": {\"flowers\": {\"node\": \"beds\"}}}",
             stamp, most);
    return json;
}

static answer put_world(const char *stamp, int most) {
    static char json[4096];
    snprintf(json, sizeof json,
             "{\"seed\": \"7\", \"graph\": %s, \"grid\": {\"levels\": [{\"cell_size_m\": 64}]}}",
             graph_of(stamp, most));
    return ask_json(&server, "PUT", json, "/v1/worlds/garden");
}

static const char disk[] =
    "{\"op\": \"poisson.disk\", \"params\": {\"origin_x_m\": -3, \"origin_z_m\": -3,"
    " \"width_m\": 6, \"depth_m\": 6, \"radius_m\": 0.5}}";
static const char boxed[] = "{\"op\": \"filter.box\", \"in\": {\"points\": \"dense\"},"
                            " \"params\": {\"min_m\": [-3, -9, -3], \"max_m\": [3, 9, 3]}}";
static const char everywhere[] = "{\"op\": \"filter.density\", \"in\": {\"points\": \"dense\"}}";

Test(copies, a_source_without_bounds_is_told_by_its_port) {
    expect_problem(put_world(everywhere, 99), 422, "unbounded-source",
                   "/graph/nodes/beds/in/source");
    expect_problem(ask_json(&server, "POST", graph_of(everywhere, 99), "/v1/graphs"), 422,
                   "unbounded-source", "/nodes/beds/in/source");
    answer check = ask_json(&server, "POST", graph_of(everywhere, 99), "/v1/graph-validations");
    cr_assert_eq(check.status, 200, "%s", check.body);
    json_t *body = answer_json(&check);
    cr_expect(json_is_false(json_object_get(body, "valid")));
    const json_t *fault = json_array_get(json_object_get(body, "faults"), 0);
    cr_expect_str_eq(json_string_value(json_object_get(fault, "code")), "unbounded-source");
    cr_expect_str_eq(json_string_value(json_object_get(fault, "pointer")), "/nodes/beds/in/source");
    json_decref(body);
    answer_free(&check);
}

Test(copies, more_source_points_than_asked_fail_the_cell_and_name_the_node) {
    answer put = put_world(boxed, 99);
    cr_assert_eq(put.status, 201, "%s", put.body);
    answer_free(&put);
    answer cell = ask_get(&server, "/v1/worlds/garden/cells/0/0/0/flowers");
    cr_expect(cell.status >= 400 && cell.status < 500, "%d", cell.status);
    cr_expect(strstr(cell.body, "source of beds has 144 points, more than max_points 99") != NULL,
              "%s", cell.body);
    answer_free(&cell);
}

/* Nine cells: the first computes the source, unless two workers begin at once. */
static void expect_once(const char *stamp) {
    answer put = put_world(stamp, 2000);
    cr_assert_eq(put.status, 201, "%s", put.body);
    answer_free(&put);
    for (int i = 0; i < 9; i++) {
        answer cell =
            ask_get(&server, "/v1/worlds/garden/cells/0/%d/%d/flowers", i % 3 - 1, i / 3 - 1);
        cr_assert_eq(cell.status, 200, "%s", cell.body);
        expect_hashes(&cell);
        answer_free(&cell);
    }
    cr_expect_eq(daemon_metric(&server, "loam_stage_misses_total"), 1);
    cr_expect_eq(daemon_metric(&server, "loam_stage_hits_total"), 8);
    cr_expect_gt(daemon_metric(&server, "loam_stage_bytes"), 500);
}

Test(copies, a_filled_rectangle_is_computed_once_for_all_cells) {
    expect_once(disk);
}

Test(copies, a_source_behind_a_box_is_computed_once_for_all_cells) {
    expect_once(boxed);
}

Test(copies, a_trace_tells_of_a_source_that_was_kept) {
    answer put = put_world(boxed, 2000);
    cr_assert_eq(put.status, 201, "%s", put.body);
    answer_free(&put);
    double counts[2] = {-1, -1};
    for (int i = 0; i < 2; i++) {
        answer trace = ask_get(&server, "/v1/worlds/garden/cells/0/%d/0/flowers/trace", i);
        json_t *body = answer_json(&trace);
        size_t index;
        json_t *node;
        json_array_foreach(json_object_get(body, "nodes"), index, node) {
            const char *path = json_string_value(json_object_get(node, "path"));
            if (strcmp(json_string_value(json_object_get(node, "node")), "stamp") == 0) {
                counts[i] = json_number_value(json_object_get(node, "points_out"));
                cr_expect_eq(strcmp(path, "stage kept") == 0, i == 1, "%s", path);
            }
        }
        json_decref(body);
        answer_free(&trace);
    }
    cr_expect_gt(counts[0], 90);
    cr_expect_eq(counts[0], counts[1]);
}
