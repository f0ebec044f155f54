/* SPDX-License-Identifier: MIT
 *
 * test_lines.c: lines and given points over HTTP: sent as GeoJSON, summed up, bound to slots of a
 * world, seen in its cells; what is refused names its place.
 */
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(lines, .init = server_start, .fini = server_stop);

static answer put(const char *name, const char *kind, const char *text) {
    return ask(&server, "PUT", &(ask_options){.body = text, .type = "application/geo+json"},
               "/v1/assets/%s?kind=%s&crs=local", name, kind);
}

static void expect_summary(answer made, const char *kind, const char *summary) {
    cr_expect_eq(made.status, 201, "%s", made.body);
    json_t *root = answer_json(&made);
    json_t *want = json_loads(summary, 0, NULL);
    cr_expect_str_eq(json_string_value(json_object_get(root, "kind")), kind);
    cr_expect(json_equal(json_object_get(root, "summary"), want), "%s", made.body);
    json_decref(want);
    json_decref(root);
    answer_free(&made);
}

static void put_both(void) {
    expect_summary(
        put("road", "lines", "{\"type\":\"LineString\",\"coordinates\":[[0,10],[50,10],[100,10]]}"),
        "lines",
        "{\"lines\":1,\"vertices\":3,\"length_m\":100,"
        "\"bounds_m\":{\"min\":[0,10],\"max\":[100,10]}}");
    expect_summary(put("wells", "points",
                       "{\"type\":\"Feature\",\"id\":1,\"properties\":{\"depth\":7.5,\"of\":"
                       "\"stone\"},\"geometry\":{\"type\":\"Point\",\"coordinates\":[5,6,7]}}"),
                   "points",
                   "{\"points\":1,\"properties\":{\"depth\":\"float\",\"of\":\"string\"},"
                   "\"bounds_m\":{\"min\":[5,6],\"max\":[5,6]}}");
}

static const char world[] =
    "{\"seed\":\"5\",\"graph\":{\"loam_graph\":1,\"slots\":{\"way\":\"lines\",\"given\":\"points\"}"
    ",\"nodes\":{"
    "\"posts\":{\"op\":\"line.sample\",\"in\":{\"lines\":\"$way\"},"
    "\"params\":{\"spacing_m\":10,\"offsets_m\":[0,2.5]}},"
    "\"wells\":{\"op\":\"points.input\",\"in\":{\"points\":\"$given\"}}},"
    "\"outputs\":{\"posts\":{\"node\":\"posts\"},\"wells\":{\"node\":\"wells\"}}},"
    "\"slots\":{\"way\":\"road\",\"given\":\"wells\"},"
    "\"grid\":{\"levels\":[{\"cell_size_m\":64}]}}";

static void put_world(void) {
    answer made = ask_json(&server, "PUT", world, "/v1/worlds/w");
    cr_assert(made.status == 201 || made.status == 200, "%s", made.body);
    answer_free(&made);
}

static json_t *points_of(const char *cell) {
    static const char *const headers[] = {"Accept: application/json", NULL};
    answer got =
        ask(&server, "GET", &(ask_options){.headers = headers}, "/v1/worlds/w/cells/%s", cell);
    cr_assert_eq(got.status, 200, "%s", got.body);
    json_t *root = answer_json(&got);
    json_t *points = json_incref(json_object_get(root, "points"));
    json_decref(root);
    answer_free(&got);
    return points;
}

Test(lines, a_world_has_stations_along_its_lines_and_its_given_points) {
    put_both();
    put_world();
    json_t *west = points_of("0/0/0/posts"), *east = points_of("0/1/0/posts");
    cr_expect_eq(json_array_size(west), 21, "at 0, 10, ... 60 m, three each");
    cr_expect_eq(json_array_size(east), 12, "at 70, 80, 90, 100 m");
    json_t *wells = points_of("0/0/0/wells");
    cr_assert_eq(json_array_size(wells), 1);
    json_t *place = json_object_get(json_array_get(wells, 0), "position_m");
    cr_expect_eq(json_number_value(json_array_get(place, 1)), 7);
    json_decref(west);
    json_decref(east);
    json_decref(wells);
}

Test(lines, an_edit_of_a_line_changes_only_the_cells_that_see_it) {
    put_both();
    put_world();
    answer near = ask_get(&server, "/v1/worlds/w/cells/0/1/0/posts");
    answer far = ask_get(&server, "/v1/worlds/w/cells/0/2/0/posts");
    answer edit =
        put("road", "lines", "{\"type\":\"LineString\",\"coordinates\":[[0,10],[50,10],[100,11]]}");
    cr_expect_eq(edit.status, 200, "%s", edit.body);
    put_world();
    answer near_now = ask_get(&server, "/v1/worlds/w/cells/0/1/0/posts");
    answer far_now = ask_get(&server, "/v1/worlds/w/cells/0/2/0/posts");
    cr_assert_eq(near_now.status, 200);
    cr_assert_eq(far_now.status, 200);
    cr_expect(near.size != near_now.size || memcmp(near.body, near_now.body, near.size) != 0);
    cr_expect(far.size == far_now.size && memcmp(far.body, far_now.body, far.size) == 0);
    answer_free(&near);
    answer_free(&far);
    answer_free(&edit);
    answer_free(&near_now);
    answer_free(&far_now);
}

Test(lines, what_is_refused_names_its_place) {
    expect_problem(put("road", "lines", "{\"type\":\"LineString\",\"coordinates\":[[1,1]]}"), 422,
                   "line-degenerate", "/coordinates");
    expect_problem(put("road", "lines", "{\"type\":\"Point\",\"coordinates\":[1,1]}"), 422,
                   "geometry-unsupported", "/type");
    expect_problem(put("wells", "points", "{\"type\":\"Point\",\"coordinates\":[1]}"), 400,
                   "malformed", "/coordinates");
}
