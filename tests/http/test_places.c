/* SPDX-License-Identifier: MIT
 *
 * test_places.c: questions about a place over HTTP: why a tree is missing, and which trees stand
 * around. Both are held against the cells that hold the same points.
 */
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORLD "/v1/worlds/forest"

TestSuite(places, .init = server_start_forest, .fini = server_stop);

static json_t *get_json(const char *path) {
    const char *headers[] = {"Accept: application/json", NULL};
    answer of = ask(&server, "GET", &(ask_options){.headers = headers}, "%s", path);
    cr_assert_eq(of.status, 200, "%d %s", of.status, of.body);
    json_t *root = answer_json(&of);
    answer_free(&of);
    return root;
}

static const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static double part(const json_t *point, size_t axis) {
    return json_number_value(json_array_get(json_object_get(point, "position_m"), axis));
}

static double squared_from(const json_t *point, double x, double z) {
    double dx = part(point, 0) - x, dz = part(point, 2) - z;
    return dx * dx + dz * dz;
}

/* Ids of the cell's points within a radius. */
static json_t *cell_ids(double x, double z, double radius) {
    json_t *cell = get_json(WORLD "/cells/0/0/0/trees");
    json_t *ids = json_object();
    json_t *point;
    size_t i;
    json_array_foreach(json_object_get(cell, "points"), i, point) {
        if (squared_from(point, x, z) <= radius * radius) {
            json_object_set(ids, text_of(point, "id"), point);
        }
    }
    json_decref(cell);
    return ids;
}

Test(places, the_kept_candidates_are_the_points_of_the_cell) {
    json_t *ids = cell_ids(130, 130, 30);
    json_t *told = get_json(WORLD "/explain?output=trees&x_m=130&z_m=130&radius_m=30");
    json_t *candidate;
    size_t i, kept = 0;
    json_array_foreach(json_object_get(told, "candidates"), i, candidate) {
        if (json_is_null(json_object_get(candidate, "dropped_by"))) {
            kept++;
            json_t *point = json_object_get(ids, text_of(candidate, "id"));
            cr_assert_not_null(point, "%s", text_of(candidate, "id"));
            cr_expect(json_equal(json_object_get(point, "position_m"),
                                 json_object_get(candidate, "position_m")));
        }
    }
    cr_expect_eq(kept, json_object_size(ids));
    cr_expect_gt(kept, 20);
    json_decref(ids);
    json_decref(told);
}

/* Counts candidates by the node that dropped them and checks what is measured. */
static void expect_reason(const json_t *candidate, json_t *counts) {
    const char *node = text_of(candidate, "dropped_by");
    if (node == NULL) {
        return;
    }
    const char *reason = text_of(candidate, "reason");
    double value = json_number_value(json_object_get(candidate, "value"));
    double limit = json_number_value(json_object_get(candidate, "limit"));
    json_t *count = json_object_get(counts, node);
    json_object_set_new(counts, node, json_integer(json_integer_value(count) + 1));
    if (strcmp(node, "spaced") == 0 && strcmp(reason, "distance") == 0) {
        cr_expect(value > 0 && value < limit && limit >= 2.4 && limit < 2.41, "%g %g", value,
                  limit);
    } else if (strcmp(node, "drawn") == 0) {
        cr_expect_str_eq(reason, "draw");
        cr_expect(value >= limit);
    } else if (strcmp(node, "gentle") == 0) {
        cr_expect_str_eq(reason, "slope");
        cr_expect(value > 25 && limit == 25, "%g %g", value, limit);
    } else if (strcmp(node, "kept") == 0) {
        cr_expect_str_eq(reason, "zone");
    }
}

Test(places, every_drop_names_its_node_and_what_was_measured) {
    json_t *counts = json_object();
    static const char *const places[] = {"x_m=44.5&z_m=80", "x_m=500&z_m=500", "x_m=900&z_m=200"};
    for (size_t p = 0; p < 3; p++) {
        char path[160];
        snprintf(path, sizeof path, WORLD "/explain?output=trees&%s&radius_m=25", places[p]);
        json_t *told = get_json(path);
        json_t *candidate;
        size_t i;
        cr_expect(json_is_false(json_object_get(told, "truncated")));
        json_array_foreach(json_object_get(told, "candidates"), i, candidate) {
            expect_reason(candidate, counts);
        }
        json_decref(told);
    }
    cr_expect_gt(json_integer_value(json_object_get(counts, "drawn")), 50);
    cr_expect_gt(json_integer_value(json_object_get(counts, "spaced")), 50);
    cr_expect_gt(json_integer_value(json_object_get(counts, "kept")), 2);
    json_decref(counts);
}

Test(places, points_are_those_of_the_cell_nearest_first) {
    json_t *ids = cell_ids(130.5, 100, 40);
    json_t *told = get_json(WORLD "/points?output=trees&x_m=130.5&z_m=100&radius_m=40");
    json_t *points = json_object_get(told, "points");
    json_t *point;
    size_t i;
    double last = 0;
    cr_expect_eq(json_array_size(points), json_object_size(ids));
    cr_expect_eq((size_t)json_integer_value(json_object_get(told, "count")),
                 json_array_size(points));
    cr_expect_gt(json_array_size(points), 50);
    json_array_foreach(points, i, point) {
        double squared = squared_from(point, 130.5, 100);
        cr_expect(squared >= last);
        cr_expect(json_equal(point, json_object_get(ids, text_of(point, "id"))),
                  "as the cell has it");
        last = squared;
    }
    json_decref(ids);
    json_decref(told);
}

Test(places, what_lies_beyond_the_bounds_is_in_neither_answer) {
    static const char *const what[] = {"points", "explain"};
    for (size_t w = 0; w < 2; w++) {
        char path[160];
        snprintf(path, sizeof path, WORLD "/%s?output=trees&x_m=0&z_m=1023&radius_m=30", what[w]);
        json_t *told = get_json(path);
        json_t *list = json_object_get(told, w == 0 ? "points" : "candidates");
        json_t *point;
        size_t i;
        cr_expect_gt(json_array_size(list), 0);
        json_array_foreach(list, i, point) {
            cr_expect(part(point, 0) >= 0 && part(point, 2) < 1024);
        }
        json_decref(told);
    }
}

Test(places, an_entity_tag_that_matches_is_304) {
    char header[128];
    answer first = ask_get(&server, WORLD "/points?output=trees&x_m=99&z_m=99&radius_m=9");
    cr_expect_str_eq(answer_header(&first, "Cache-Control"), "no-cache");
    snprintf(header, sizeof header, "If-None-Match: %s", answer_header(&first, "ETag"));
    const char *headers[] = {header, NULL};
    answer again = ask(&server, "GET", &(ask_options){.headers = headers},
                       WORLD "/points?output=trees&x_m=99&z_m=99&radius_m=9");
    cr_expect_eq(again.status, 304);
    answer_free(&first);
    answer_free(&again);
}

Test(places, more_than_the_limit_is_cut_and_says_so) {
    answer of = ask_get(&server, WORLD "/points?output=trees&x_m=512&z_m=512&radius_m=512");
    cr_assert_eq(of.status, 200, "%.200s", of.body);
    json_t *told = answer_json(&of);
    cr_expect_eq(json_array_size(json_object_get(told, "points")), 10000);
    cr_expect(json_is_true(json_object_get(told, "truncated")));
    json_decref(told);
    answer_free(&of);
}

Test(places, bad_questions_are_refused) {
    static const struct {
        const char *query;
        int status;
        const char *code;
    } bad[] = {{"x_m=1&z_m=1&radius_m=1", 422, "missing-field"},
               {"output=trees&z_m=1&radius_m=1", 422, "missing-field"},
               {"output=trees&x_m=1&z_m=1", 422, "missing-field"},
               {"output=trees&x_m=a&z_m=1&radius_m=1", 422, "wrong-type"},
               {"output=trees&x_m=&z_m=1&radius_m=1", 422, "wrong-type"},
               {"output=trees&x_m=nan&z_m=1&radius_m=1", 422, "wrong-type"},
               {"output=trees&x_m=1&z_m=1&radius_m=-1", 422, "out-of-range"},
               {"output=trees&x_m=1&z_m=1&radius_m=513", 422, "out-of-range"},
               {"output=trees&x_m=1e300&z_m=1&radius_m=1", 422, "out-of-range"},
               {"output=trees&x_m=1&x_m=1&z_m=1&radius_m=1", 422, "duplicate"},
               {"output=rocks&x_m=1&z_m=1&radius_m=1", 404, "not-found"},
               {"output=trees&x_m=-1&z_m=1&radius_m=1", 404, "outside-world"},
               {"output=trees&x_m=1&z_m=4294967296&radius_m=1", 404, "outside-world"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        expect_problem(ask_get(&server, WORLD "/points?%s", bad[i].query), bad[i].status,
                       bad[i].code, NULL);
        expect_problem(ask_get(&server, WORLD "/explain?%s", bad[i].query), bad[i].status,
                       bad[i].code, NULL);
    }
    expect_problem(ask_get(&server, WORLD "/explain?output=trees&x_m=1&z_m=1&radius_m=65"), 422,
                   "out-of-range", NULL);
}
