/* SPDX-License-Identifier: MIT
 *
 * test_worlds.c: worlds, their revisions and graphs over HTTP.
 */
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(worlds, .init = server_start_forest, .fini = server_stop);

/* The forest with one text replaced. Owned. */
static char *forest_with(const char *find, const char *put) {
    const char *json = forest_world_json();
    const char *at = strstr(json, find);
    cr_assert_not_null(at, "%s", find);
    size_t size = strlen(json) + strlen(put) + 1;
    char *made = malloc(size);
    snprintf(made, size, "%.*s%s%s", (int)(at - json), json, put, at + strlen(find));
    return made;
}

static answer put_with(const char *name, const char *find, const char *put) {
    char *json = forest_with(find, put);
    answer of = ask_json(&server, "PUT", json, "/v1/worlds/%s", name);
    free(json);
    return of;
}

/* The revision in a world's document. */
static void revision_of(const answer *of, char revision[96]) {
    json_t *root = answer_json(of);
    snprintf(revision, 96, "%s", json_string_value(json_object_get(root, "revision")));
    json_decref(root);
}

Test(worlds, an_equal_put_is_the_same_revision_whatever_its_name_or_order) {
    char before[96];
    char after[96];
    answer was = ask_get(&server, "/v1/worlds/forest");
    cr_assert_eq(was.status, 200);
    expect_hashes(&was);
    revision_of(&was, before);
    answer same = put_with("forest", "{\"spacing_m\": 1.2}", "{\"spacing_m\": 12e-1}");
    cr_expect_eq(same.status, 200, "%s", same.body);
    revision_of(&same, after);
    cr_expect_str_eq(before, after);
    answer other = ask_json(&server, "PUT", forest_world_json(), "/v1/worlds/other");
    cr_expect_eq(other.status, 201);
    cr_expect_str_eq(answer_header(&other, "Location"), "/v1/worlds/other");
    revision_of(&other, after);
    cr_expect_str_eq(before, after);
    answer_free(&was);
    answer_free(&same);
    answer_free(&other);
}

Test(worlds, a_change_makes_a_revision_and_the_old_one_stays) {
    char old[96];
    char new[96];
    answer was = ask_get(&server, "/v1/worlds/forest");
    revision_of(&was, old);
    answer changed = put_with("forest", "\"seed\": \"42\"", "\"seed\": \"43\"");
    cr_expect_eq(changed.status, 200);
    revision_of(&changed, new);
    cr_expect_str_neq(old, new);
    answer kept = ask_get(&server, "/v1/worlds/forest/revisions/%s", old);
    cr_expect_eq(kept.status, 200);
    cr_expect_str_eq(kept.body, was.body);
    cr_expect_str_eq(answer_header(&kept, "Cache-Control"), "public, max-age=31536000, immutable");
    answer list = ask_get(&server, "/v1/worlds/forest/revisions");
    json_t *root = answer_json(&list);
    json_t *revisions = json_object_get(root, "revisions");
    cr_assert_eq(json_array_size(revisions), 2);
    cr_expect_str_eq(json_string_value(json_object_get(json_array_get(revisions, 0), "revision")),
                     new);
    answer cell = ask_get(&server, "/v1/worlds/forest/revisions/%s/cells/0/0/0/trees", old);
    answer newer = ask_get(&server, "/v1/worlds/forest/cells/0/0/0/trees");
    cr_expect_eq(cell.status, 200);
    cr_expect(cell.size != newer.size || memcmp(cell.body, newer.body, cell.size) != 0);
    json_decref(root);
    answer_free(&was);
    answer_free(&changed);
    answer_free(&kept);
    answer_free(&list);
    answer_free(&cell);
    answer_free(&newer);
}

Test(worlds, the_canonical_form_can_be_sent_again) {
    answer was = ask_get(&server, "/v1/worlds/forest");
    json_t *root = answer_json(&was);
    static const char *const added[] = {"world", "revision", "graph_digest"};
    for (size_t i = 0; i < sizeof added / sizeof *added; i++) {
        json_object_del(root, added[i]);
    }
    char *text = json_dumps(root, 0);
    answer again = ask_json(&server, "PUT", text, "/v1/worlds/forest");
    cr_expect_eq(again.status, 200, "%s", again.body);
    cr_expect_str_eq(again.body, was.body);
    free(text);
    json_decref(root);
    answer_free(&was);
    answer_free(&again);
}

/* The forest's world with its graph inside of another one, inline or by what `graph` says. */
static char *nested_world(json_t *graph) {
    json_t *world = json_loads(forest_world_json(), 0, NULL);
    json_t *inner = json_object_get(world, "graph");
    json_t *slots = json_deep_copy(json_object_get(inner, "slots"));
    json_t *inputs = json_object();
    const char *slot;
    json_t *kind;
    json_object_foreach(slots, slot, kind) {
        json_object_set_new(inputs, slot, json_sprintf("$%s", slot));
    }
    json_t *outer = json_pack("{s:i,s:o,s:{s:{s:s,s:o,s:{s:O,s:s}}},s:{s:{s:s}}}", "loam_graph", 1,
                              "slots", slots, "nodes", "forest", "op", "subgraph", "in", inputs,
                              "params", "graph", graph == NULL ? inner : graph, "output", "trees",
                              "outputs", "trees", "node", "forest");
    cr_assert_not_null(outer);
    json_object_del(world, "parameters");
    json_object_set_new(world, "graph", outer);
    char *text = json_dumps(world, 0);
    json_decref(world);
    return text;
}

Test(worlds, a_graph_may_hold_another_inline_or_by_its_digest) {
    json_t *forest = json_loads(forest_world_json(), 0, NULL);
    char *graph = json_dumps(json_object_get(forest, "graph"), 0);
    answer stored = ask_json(&server, "POST", graph, "/v1/graphs");
    json_t *told = answer_json(&stored);
    char *inline_world = nested_world(NULL);
    char *digest_world = nested_world(json_object_get(told, "graph"));
    answer one = ask_json(&server, "PUT", inline_world, "/v1/worlds/one");
    answer two = ask_json(&server, "PUT", digest_world, "/v1/worlds/two");
    cr_assert_eq(one.status, 201, "%s", one.body);
    cr_assert_eq(two.status, 201, "%s", two.body);
    answer first = ask_get(&server, "/v1/worlds/one/cells/1/3/3/trees");
    answer second = ask_get(&server, "/v1/worlds/two/cells/1/3/3/trees");
    cr_assert_eq(first.status, 200, "%s", first.body);
    cr_expect_str_eq(answer_header(&first, "ETag"), answer_header(&second, "ETag"));
    cr_expect_str_eq(answer_header(&first, "Loam-Build-Key"),
                     answer_header(&second, "Loam-Build-Key"));
    json_t *none = json_sprintf("sha256-%064d", 0);
    char *missing = nested_world(none);
    expect_problem(ask_json(&server, "PUT", missing, "/v1/worlds/two"), 422, "not-found",
                   "/graph/nodes/forest/params/graph");
    json_decref(none);
    json_decref(told);
    json_decref(forest);
    free(graph);
    free(inline_world);
    free(digest_world);
    free(missing);
    answer_free(&stored);
    answer_free(&one);
    answer_free(&two);
    answer_free(&first);
    answer_free(&second);
}

Test(worlds, a_graph_can_be_put_once_and_named_by_its_digest) {
    json_t *body = json_loads(forest_world_json(), 0, NULL);
    char *graph = json_dumps(json_object_get(body, "graph"), 0);
    answer made = ask_json(&server, "POST", graph, "/v1/graphs");
    cr_assert_eq(made.status, 201, "%s", made.body);
    answer again = ask_json(&server, "POST", graph, "/v1/graphs");
    cr_expect_eq(again.status, 200);
    char location[128];
    snprintf(location, sizeof location, "%s", answer_header(&made, "Location"));
    answer canonical = ask_get(&server, "%s", location);
    cr_assert_eq(canonical.status, 200);
    expect_hashes(&canonical);
    answer back = ask_json(&server, "POST", canonical.body, "/v1/graphs");
    cr_expect_eq(back.status, 200, "the canonical form is its own canonical form");
    json_object_set_new(body, "graph", json_string(strrchr(location, '/') + 1));
    char *world = json_dumps(body, 0);
    answer was = ask_get(&server, "/v1/worlds/forest");
    answer same = ask_json(&server, "PUT", world, "/v1/worlds/forest");
    cr_expect_eq(same.status, 200, "%s", same.body);
    cr_expect_str_eq(same.body, was.body);
    json_object_set_new(body, "graph", json_sprintf("sha256-%064d", 0));
    char *missing = json_dumps(body, 0);
    expect_problem(ask_json(&server, "PUT", missing, "/v1/worlds/forest"), 422, "not-found",
                   "/graph");
    free(graph);
    free(world);
    free(missing);
    json_decref(body);
    answer_free(&made);
    answer_free(&again);
    answer_free(&canonical);
    answer_free(&back);
    answer_free(&was);
    answer_free(&same);
}

Test(worlds, a_parameter_can_be_overridden_by_its_exposed_name) {
    char one[96];
    char other[96];
    answer was = ask_get(&server, "/v1/worlds/forest");
    answer changed = put_with("forest", "\"slots\": {\"terrain\": \"hills\"",
                              "\"parameters\": {\"radius_m\": 3}, "
                              "\"slots\": {\"terrain\": \"hills\"");
    cr_expect_eq(changed.status, 200, "%s", changed.body);
    revision_of(&was, one);
    revision_of(&changed, other);
    cr_expect_str_neq(one, other);
    answer_free(&was);
    answer_free(&changed);
    expect_problem(put_with("forest", "\"slots\": {\"terrain\": \"hills\"",
                            "\"parameters\": {\"bogus\": 3}, "
                            "\"slots\": {\"terrain\": \"hills\""),
                   422, "unknown-parameter", "/parameters/bogus");
}

Test(worlds, a_world_that_is_deleted_is_gone_with_its_cells_address) {
    answer cell = ask_get(&server, "/v1/worlds/forest/cells/0/0/0/trees");
    cr_assert_eq(cell.status, 200);
    answer_free(&cell);
    answer gone = ask(&server, "DELETE", NULL, "/v1/worlds/forest");
    cr_expect_eq(gone.status, 204);
    answer_free(&gone);
    expect_problem(ask_get(&server, "/v1/worlds/forest"), 404, "not-found", NULL);
    expect_problem(ask_get(&server, "/v1/worlds/forest/revisions"), 404, "not-found", NULL);
    expect_problem(ask_get(&server, "/v1/worlds/forest/cells/0/0/0/trees"), 404, "not-found", NULL);
    expect_problem(ask(&server, "DELETE", NULL, "/v1/worlds/forest"), 404, "not-found", NULL);
}

Test(worlds, conditions_of_a_put_are_kept) {
    char match[128];
    char *changed = forest_with("\"seed\": \"42\"", "\"seed\": \"43\"");
    answer was = ask_get(&server, "/v1/worlds/forest");
    snprintf(match, sizeof match, "If-Match: %s", answer_header(&was, "ETag"));
    const char *absent[] = {"If-None-Match: *", NULL};
    const char *same[] = {match, NULL};
    ask_options options = {.headers = absent, .body = changed, .type = "application/json"};
    expect_problem(ask(&server, "PUT", &options, "/v1/worlds/forest"), 412, "precondition-failed",
                   NULL);
    options.headers = same;
    answer taken = ask(&server, "PUT", &options, "/v1/worlds/forest");
    cr_expect_eq(taken.status, 200, "%s", taken.body);
    expect_problem(ask(&server, "PUT", &options, "/v1/worlds/forest"), 412, "precondition-failed",
                   NULL);
    options.headers = absent;
    answer made = ask(&server, "PUT", &options, "/v1/worlds/new");
    cr_expect_eq(made.status, 201);
    answer gone = ask(&server, "DELETE", NULL, "/v1/worlds/new");
    cr_expect_eq(gone.status, 204);
    free(changed);
    answer_free(&was);
    answer_free(&taken);
    answer_free(&made);
    answer_free(&gone);
}

Test(worlds, a_tag_of_a_coded_answer_is_a_condition_too) {
    const char *coded[] = {"Accept-Encoding: zstd", NULL};
    char match[128];
    answer was = ask(&server, "GET", &(ask_options){.headers = coded}, "/v1/worlds/forest");
    cr_assert_str_eq(answer_header(&was, "Content-Encoding"), "zstd");
    snprintf(match, sizeof match, "If-Match: %s", answer_header(&was, "ETag"));
    const char *same[] = {match, NULL};
    answer taken = ask(
        &server, "PUT",
        &(ask_options){.headers = same, .body = forest_world_json(), .type = "application/json"},
        "/v1/worlds/forest");
    cr_expect_eq(taken.status, 200, "%s", taken.body);
    answer_free(&was);
    answer_free(&taken);
}

Test(worlds, worlds_are_listed_by_name) {
    answer made = ask_json(&server, "PUT", forest_world_json(), "/v1/worlds/alder");
    cr_expect_eq(made.status, 201);
    answer list = ask_get(&server, "/v1/worlds");
    json_t *root = answer_json(&list);
    json_t *worlds = json_object_get(root, "worlds");
    cr_assert_eq(json_array_size(worlds), 2);
    cr_expect_str_eq(json_string_value(json_object_get(json_array_get(worlds, 0), "world")),
                     "alder");
    answer page = ask_get(&server, "/v1/worlds?after=alder&limit=1");
    cr_expect(strstr(page.body, "forest") != NULL && strstr(page.body, "alder") == NULL);
    json_decref(root);
    answer_free(&made);
    answer_free(&list);
    answer_free(&page);
}

Test(worlds, a_graph_is_judged_with_reach_and_cost) {
    json_t *body = json_loads(forest_world_json(), 0, NULL);
    char *graph = json_dumps(json_object_get(body, "graph"), 0);
    answer good = ask_json(&server, "POST", graph, "/v1/graph-validations");
    cr_assert_eq(good.status, 200, "%s", good.body);
    json_t *root = answer_json(&good);
    cr_expect(json_is_true(json_object_get(root, "valid")));
    cr_expect_eq(json_array_size(json_object_get(root, "faults")), 0);
    cr_expect_gt(json_number_value(json_object_get(json_object_get(root, "reach_m"), "trees")), 10);
    cr_expect(json_is_object(json_object_get(root, "estimate")));
    json_decref(root);
    answer_free(&good);

    json_object_set_new(
        json_object_get(json_object_get(json_object_get(body, "graph"), "nodes"), "lost"), "x",
        json_null());
    json_object_set_new(json_object_get(json_object_get(body, "graph"), "nodes"), "lost",
                        json_pack("{s:s}", "op", "self.prune"));
    char *wrong = json_dumps(json_object_get(body, "graph"), 0);
    answer bad = ask_json(&server, "POST", wrong, "/v1/graph-validations");
    cr_assert_eq(bad.status, 200);
    root = answer_json(&bad);
    cr_expect(json_is_false(json_object_get(root, "valid")));
    cr_expect_gt(json_array_size(json_object_get(root, "faults")), 0);
    json_decref(root);
    answer_free(&bad);
    expect_problem(ask_json(&server, "POST", "{", "/v1/graph-validations"), 400, "malformed", NULL);
    free(graph);
    free(wrong);
    json_decref(body);
}
