/* SPDX-License-Identifier: MIT
 *
 * test_checks.c: the checks of a world on what is served: refused or with a warning, in batches and
 * in jobs; judged once, and again only when the checks change; never built again for that.
 */
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(checks, .init = server_start_forest, .fini = server_stop);

#define FIT                                                                                        \
    "{\"count\": {\"min\": 1, \"max\": 1000000}, \"spacing_m\": 2.4, \"ring\": {\"zones\": "       \
    "\"village\", \"width_m\": 4}, \"floating_m\": 0, \"samples\": 50}"
#define CROWDED "{\"count\": {\"max\": 10}}"

/* Puts the forest with these checks of its trees. */
static answer put(const char *world, const char *mode, const char *trees) {
    static char json[8192];
    const char *forest = forest_world_json();
    const char *at = strstr(forest, "\"grid\"");
    snprintf(json, sizeof json,
             "%.*s\"checks\": {\"mode\": \"%s\", \"outputs\": {\"trees\": %s}}, %s",
             (int)(at - forest), forest, mode, trees, at);
    return ask_json(&server, "PUT", json, "/v1/worlds/%s", world);
}

static void put_well(const char *world, const char *mode, const char *trees) {
    answer of = put(world, mode, trees);
    cr_assert(of.status == 200 || of.status == 201, "%d %s", of.status, of.body);
    answer_free(&of);
}

static answer get_cell(const char *world, const char *cell) {
    return ask_get(&server, "/v1/worlds/%s/cells/%s/trees", world, cell);
}

static double built(void) {
    return daemon_metric(&server, "loam_cells_built_total");
}

static double judged(void) {
    return daemon_metric(&server, "loam_cells_judged_total");
}

/* The reason of a 424 that is the first of its kind. Owned by `root`. */
static json_t *reason_of(const answer *of, const char *check, json_t **root) {
    size_t i;
    json_t *reason;
    cr_assert_eq(of->status, 424, "%d %s", of->status, of->body);
    cr_expect_str_eq(answer_header(of, "Content-Type"), "application/problem+json");
    cr_expect_str_eq(answer_header(of, "Cache-Control"), "no-store");
    *root = answer_json(of);
    cr_expect_str_eq(json_string_value(json_object_get(*root, "code")), "check-failed");
    json_array_foreach(json_object_get(*root, "reasons"), i, reason) {
        if (strcmp(json_string_value(json_object_get(reason, "check")), check) == 0) {
            return reason;
        }
    }
    cr_assert_fail("no reason %s in %s", check, of->body);
    return NULL;
}

Test(checks, what_fits_is_served_as_ever) {
    put_well("fit", "fail", FIT);
    for (int x = 0; x < 2; x++) {
        char cell[16];
        snprintf(cell, sizeof cell, "0/%d/0", x);
        answer plain = get_cell("forest", cell), checked = get_cell("fit", cell);
        cr_assert_eq(checked.status, 200, "%s", checked.body);
        cr_expect_null(answer_header(&checked, "Warning"));
        cr_expect_str_eq(answer_header(&checked, "Loam-Digest"),
                         answer_header(&plain, "Loam-Digest"));
        answer_free(&plain);
        answer_free(&checked);
    }
    cr_expect_eq(judged(), 2);
    cr_expect_eq(built(), 2, "checks are not in the key");
}

Test(checks, a_cell_that_fails_is_refused_with_every_reason) {
    put_well("strict", "fail",
             "{\"count\": {\"max\": 10}, \"spacing_m\": 2.6, \"ring\": {\"zones\": \"village\", "
             "\"width_m\": 8}}");
    answer of = get_cell("strict", "0/0/0");
    json_t *root = NULL;
    json_t *count = reason_of(&of, "count", &root);
    cr_expect_gt(json_number_value(json_object_get(count, "value")), 10);
    cr_expect_eq(json_number_value(json_object_get(count, "limit")), 10);
    json_decref(root);
    json_t *spacing = reason_of(&of, "spacing", &root);
    cr_expect_eq(json_array_size(json_object_get(spacing, "ids")), 2);
    cr_expect_geq(json_number_value(json_object_get(spacing, "value")), 2.4);
    cr_expect_lt(json_number_value(json_object_get(spacing, "value")), 2.6);
    json_decref(root);
    json_t *ring = reason_of(&of, "ring", &root);
    cr_expect_geq(json_number_value(json_object_get(ring, "value")), 4);
    cr_expect_lt(json_number_value(json_object_get(ring, "value")), 8);
    cr_expect_eq(json_array_size(json_object_get(ring, "position_m")), 3);
    const char *detail = json_string_value(json_object_get(root, "detail"));
    cr_expect(strstr(detail, "count: ") != NULL && strstr(detail, "; ring: ") != NULL, "%s",
              detail);
    json_decref(root);
    answer_free(&of);
    answer far = get_cell("strict", "0/3/3");
    reason_of(&far, "count", &root);
    cr_expect_null(strstr(far.body, "\"ring\""), "the village is elsewhere");
    json_decref(root);
    answer_free(&far);
}

Test(checks, a_cell_that_fails_is_refused_in_every_view_and_again) {
    const char *pictures[] = {"Accept: image/png", NULL};
    put_well("strict", "fail", CROWDED);
    expect_problem(get_cell("strict", "0/1/1"), 424, "check-failed", NULL);
    expect_problem(get_cell("strict", "0/1/1"), 424, "check-failed", NULL);
    expect_problem(ask(&server, "GET", &(ask_options){.headers = pictures},
                       "/v1/worlds/strict/cells/0/1/1/trees"),
                   424, "check-failed", NULL);
    expect_problem(ask_get(&server, "/v1/worlds/strict/cells/0/1/1/trees?cached=only"), 424,
                   "check-failed", NULL);
    cr_expect_eq(judged(), 1);
    cr_expect_eq(built(), 1);
    answer trace = ask_get(&server, "/v1/worlds/strict/cells/0/1/1/trees/trace");
    cr_expect_eq(trace.status, 200, "how it came about is no secret");
    answer_free(&trace);
}

Test(checks, a_world_may_warn_instead) {
    put_well("lenient", "warn", CROWDED);
    answer of = get_cell("lenient", "0/1/1");
    cr_assert_eq(of.status, 200, "%s", of.body);
    const char *warning = answer_header(&of, "Warning");
    cr_assert_not_null(warning);
    cr_expect_eq(strncmp(warning, "199 loam \"check-failed: count: ", 31), 0, "%s", warning);
    expect_hashes(&of);
    answer_free(&of);
    of = get_cell("lenient", "0/1/1");
    cr_expect_not_null(answer_header(&of, "Warning"), "from memory too");
    cr_expect_str_eq(answer_header(&of, "Cache-Status"), "loam; hit");
    answer_free(&of);
    of = get_cell("lenient", "0/2/1");
    cr_expect_not_null(answer_header(&of, "Warning"));
    answer_free(&of);
}

Test(checks, other_checks_judge_anew_and_build_nothing) {
    put_well("moving", "fail", FIT);
    answer first = get_cell("moving", "0/1/1");
    cr_assert_eq(first.status, 200, "%s", first.body);
    put_well("moving", "fail", CROWDED);
    expect_problem(get_cell("moving", "0/1/1"), 424, "check-failed", NULL);
    put_well("moving", "warn", CROWDED);
    answer warned = get_cell("moving", "0/1/1");
    cr_assert_eq(warned.status, 200);
    cr_expect_str_eq(answer_header(&first, "Loam-Build-Key"),
                     answer_header(&warned, "Loam-Build-Key"));
    cr_expect_str_eq(answer_header(&first, "Loam-Digest"), answer_header(&warned, "Loam-Digest"));
    cr_expect_eq(built(), 1);
    cr_expect_eq(judged(), 2, "the mode is no part of a verdict");
    put_well("moving", "fail", FIT);
    answer again = get_cell("moving", "0/1/1");
    cr_expect_eq(again.status, 200);
    cr_expect_eq(judged(), 2);
    answer_free(&first);
    answer_free(&warned);
    answer_free(&again);
}

Test(checks, verdicts_outlive_the_process) {
    put_well("strict", "fail", CROWDED);
    put_well("fit", "fail", FIT);
    expect_problem(get_cell("strict", "0/1/1"), 424, "check-failed", NULL);
    answer fit = get_cell("fit", "0/1/1");
    cr_assert_eq(fit.status, 200);
    answer_free(&fit);
    cr_expect_eq(daemon_end(&server), 0);
    server = daemon_start(server.folder, NULL);
    answer of = get_cell("strict", "0/1/1");
    json_t *root = NULL;
    reason_of(&of, "count", &root);
    json_decref(root);
    answer_free(&of);
    fit = get_cell("fit", "0/1/1");
    cr_expect_eq(fit.status, 200);
    answer_free(&fit);
    cr_expect_eq(judged(), 0);
    cr_expect_eq(built(), 0);
}

Test(checks, a_batch_has_them_by_cell) {
    const char *json[] = {"Accept: application/json", NULL};
    put_well("mixed", "fail", "{\"ring\": {\"zones\": \"village\", \"width_m\": 8}}");
    answer of = ask(&server, "POST",
                    &(ask_options){.headers = json,
                                   .body = "{\"output\": \"trees\", \"cells\": [[0,0,0],[0,3,3]]}",
                                   .type = "application/json"},
                    "/v1/worlds/mixed/cell-batches");
    cr_assert_eq(of.status, 200, "%s", of.body);
    json_t *root = answer_json(&of);
    json_t *cells = json_object_get(root, "cells");
    json_t *failed = json_array_get(cells, 0);
    cr_expect_eq(json_integer_value(json_object_get(failed, "status")), 424);
    cr_expect_null(json_object_get(failed, "bytes"));
    cr_expect_eq(json_array_size(json_object_get(json_object_get(failed, "problem"), "reasons")),
                 1);
    cr_expect_eq(json_integer_value(json_object_get(json_array_get(cells, 1), "status")), 200);
    json_decref(root);
    answer_free(&of);
    put_well("mixed", "warn", "{\"ring\": {\"zones\": \"village\", \"width_m\": 8}}");
    of = ask(&server, "POST",
             &(ask_options){.headers = json,
                            .body = "{\"output\": \"trees\", \"cells\": [[0,0,0],[0,3,3]]}",
                            .type = "application/json"},
             "/v1/worlds/mixed/cell-batches");
    root = answer_json(&of);
    cells = json_object_get(root, "cells");
    cr_expect_eq(json_integer_value(json_object_get(json_array_get(cells, 0), "status")), 200);
    cr_expect_not_null(json_object_get(json_array_get(cells, 0), "warning"));
    cr_expect_null(json_object_get(json_array_get(cells, 1), "warning"));
    json_decref(root);
    answer_free(&of);
}

/* The document of a job over all large cells at its end. */
static json_t *job_of(const char *world) {
    const char *patient[] = {"Prefer: wait=30", NULL};
    char body[200];
    snprintf(body, sizeof body,
             "{\"world\": \"%s\", \"outputs\": [\"trees\"], \"level\": 0, \"cells\": \"all\"}",
             world);
    answer made = ask_json(&server, "POST", body, "/v1/jobs");
    cr_assert_eq(made.status, 202, "%s", made.body);
    json_t *root = answer_json(&made);
    answer ended = ask(&server, "GET", &(ask_options){.headers = patient}, "/v1/jobs/%s",
                       json_string_value(json_object_get(root, "id")));
    json_decref(root);
    root = answer_json(&ended);
    answer_free(&made);
    answer_free(&ended);
    return root;
}

static json_t *problem_of_checks(const json_t *job) {
    size_t i;
    json_t *problem;
    json_array_foreach(json_object_get(job, "problems"), i, problem) {
        if (strcmp(json_string_value(json_object_get(problem, "code")), "check-failed") == 0) {
            return problem;
        }
    }
    return NULL;
}

Test(checks, a_job_fails_where_a_cell_does_and_says_why) {
    put_well("mixed", "fail", "{\"ring\": {\"zones\": \"village\", \"width_m\": 8}}");
    json_t *job = job_of("mixed");
    cr_expect_str_eq(json_string_value(json_object_get(job, "state")), "failed");
    cr_expect_eq(json_integer_value(json_object_get(job, "failed")), 1);
    cr_expect_eq(json_integer_value(json_object_get(job, "done")), 15);
    json_t *problem = problem_of_checks(job);
    cr_assert_not_null(problem);
    cr_expect_str_eq(json_string_value(json_object_get(problem, "mode")), "fail");
    cr_expect_eq(json_array_size(json_object_get(problem, "reasons")), 1);
    json_t *cell = json_object_get(problem, "cell");
    cr_expect_eq(json_integer_value(json_array_get(cell, 0)), 0);
    cr_expect_eq(json_integer_value(json_array_get(cell, 1)), 0);
    json_decref(job);
}

Test(checks, a_job_of_a_world_that_warns_succeeds_and_lists_it) {
    put_well("mixed", "warn", "{\"ring\": {\"zones\": \"village\", \"width_m\": 8}}");
    json_t *job = job_of("mixed");
    cr_expect_str_eq(json_string_value(json_object_get(job, "state")), "succeeded");
    cr_expect_eq(json_integer_value(json_object_get(job, "done")), 16);
    json_t *problem = problem_of_checks(job);
    cr_assert_not_null(problem);
    cr_expect_str_eq(json_string_value(json_object_get(problem, "mode")), "warn");
    json_decref(job);
}

/* Two jobs over the same cells under other checks: each cell is built once, each world hears its
 * own verdict. */
Test(checks, worlds_that_share_cells_do_not_share_verdicts) {
    put_well("one", "fail", FIT);
    put_well("two", "fail", CROWDED);
    put_well("three", "warn", CROWDED);
    static const char *const worlds[] = {"one", "two", "three", "forest"};
    char ids[4][64];
    for (int i = 0; i < 4; i++) {
        char body[200];
        snprintf(body, sizeof body,
                 "{\"world\": \"%s\", \"outputs\": [\"trees\"], \"level\": 1, \"cells\": "
                 "{\"min\": [4, 4], \"max\": [11, 11]}}",
                 worlds[i]);
        answer made = ask_json(&server, "POST", body, "/v1/jobs");
        cr_assert_eq(made.status, 202, "%s", made.body);
        json_t *root = answer_json(&made);
        snprintf(ids[i], sizeof ids[i], "%s", json_string_value(json_object_get(root, "id")));
        json_decref(root);
        answer_free(&made);
    }
    const char *patient[] = {"Prefer: wait=30", NULL};
    static const int failed[] = {0, 64, 0, 0};
    for (int i = 0; i < 4; i++) {
        answer ended =
            ask(&server, "GET", &(ask_options){.headers = patient}, "/v1/jobs/%s", ids[i]);
        json_t *root = answer_json(&ended);
        cr_expect_eq(json_integer_value(json_object_get(root, "failed")), failed[i], "%s: %s",
                     worlds[i], ended.body);
        cr_expect_eq(json_integer_value(json_object_get(root, "done")), 64 - failed[i]);
        json_decref(root);
        answer_free(&ended);
    }
    cr_expect_eq(built(), 64, "%.0f", built());
    for (int i = 4; i < 12; i += 3) {
        char cell[16];
        snprintf(cell, sizeof cell, "1/%d/%d", i, i);
        answer fit = get_cell("one", cell), warned = get_cell("three", cell);
        cr_expect_eq(fit.status, 200);
        cr_expect_null(answer_header(&fit, "Warning"));
        cr_expect_eq(warned.status, 200);
        cr_expect_not_null(answer_header(&warned, "Warning"));
        expect_problem(get_cell("two", cell), 424, "check-failed", NULL);
        answer_free(&fit);
        answer_free(&warned);
    }
}

Test(checks, wrong_checks_are_refused_and_nothing_is_kept) {
    static const struct {
        const char *trees;
        const char *code;
        const char *pointer;
    } wrong[] = {
        {"{\"count\": {\"min\": 2, \"max\": 1}}", "out-of-range",
         "/checks/outputs/trees/count/max"},
        {"{\"spacing_m\": -1}", "out-of-range", "/checks/outputs/trees/spacing_m"},
        {"{\"ring\": {\"zones\": \"terrain\", \"width_m\": 1}}", "slot-mismatch",
         "/checks/outputs/trees/ring/zones"},
        {"{\"floating_m\": 1, \"samples\": 0}", "out-of-range", "/checks/outputs/trees/samples"},
        {"{\"colour\": 1}", "unknown-field", "/checks/outputs/trees/colour"},
        {"{}, \"rocks\": {}", "unknown-output", "/checks/outputs/rocks"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        expect_problem(put("wrong", "fail", wrong[i].trees), 422, wrong[i].code, wrong[i].pointer);
    }
    expect_problem(put("wrong", "perhaps", "{}"), 422, "out-of-range", "/checks/mode");
    expect_problem(ask_get(&server, "/v1/worlds/wrong"), 404, "not-found", NULL);
}
