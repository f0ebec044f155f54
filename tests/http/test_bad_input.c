/* SPDX-License-Identifier: MIT
 *
 * test_bad_input.c: what a client can get wrong, each with a problem document that names the place,
 * and nothing changed afterwards.
 */
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *worlds_before;

static void start(void) {
    server_start_forest();
    answer list = ask_get(&server, "/v1/worlds");
    worlds_before = list.body;
    free(list.head);
}

/* The worlds are what they were, and the daemon still serves. */
static void stop(void) {
    answer list = ask_get(&server, "/v1/worlds");
    cr_expect_str_eq(list.body, worlds_before);
    answer cell = ask_get(&server, "/v1/worlds/forest/cells/1/0/0/trees");
    cr_expect_eq(cell.status, 200);
    answer_free(&list);
    answer_free(&cell);
    server_stop();
}

TestSuite(bad_input, .init = start, .fini = stop);

/* The forest with one text replaced, sent as another world. */
static answer put_with(const char *find, const char *put) {
    const char *json = forest_world_json();
    const char *at = strstr(json, find);
    cr_assert_not_null(at, "%s", find);
    size_t size = strlen(json) + strlen(put) + 1;
    char *made = malloc(size);
    snprintf(made, size, "%.*s%s%s", (int)(at - json), json, put, at + strlen(find));
    answer of = ask_json(&server, "PUT", made, "/v1/worlds/bad");
    free(made);
    return of;
}

Test(bad_input, an_unknown_operation_parameter_or_field_is_named) {
    expect_problem(put_with("\"op\": \"self.prune\"", "\"op\": \"self.plum\""), 422,
                   "unknown-operation", "/graph/nodes/spaced/op");
    expect_problem(put_with("\"radius_m\": 2.4", "\"radius_cm\": 240"), 422, "unknown-parameter",
                   "/graph/nodes/spaced/params/radius_cm");
    expect_problem(put_with("{\"seed\": \"42\"", "{\"seed\": \"42\", \"sead\": \"1\""), 422,
                   "unknown-field", "/sead");
    expect_problem(
        put_with("{\"op\": \"surface.sample\"", "{\"opp\": 1, \"op\": \"surface.sample\""), 422,
        "unknown-field", "/graph/nodes/sites/opp");
    expect_problem(put_with("{\"surface\": \"$terrain\"}", "{\"ground\": \"$terrain\"}"), 422,
                   "unknown-port", "/graph/nodes/sites/in/ground");
}

Test(bad_input, a_wrong_type_or_value_is_named) {
    expect_problem(put_with("\"spacing_m\": 1.2", "\"spacing_m\": \"1.2\""), 422, "wrong-type",
                   "/graph/nodes/sites/params/spacing_m");
    expect_problem(put_with("\"max_deg\": 25", "\"max_deg\": 91"), 422, "out-of-range",
                   "/graph/nodes/gentle/params/max_deg");
    expect_problem(put_with("\"octaves\": 2", "\"octaves\": 9"), 422, "out-of-range",
                   "/graph/nodes/field/params/octaves");
    expect_problem(put_with("\"in\": {\"points\": \"sites\"}", "\"in\": [\"sites\"]"), 422,
                   "wrong-type", "/graph/nodes/gentle/in");
    expect_problem(put_with("\"cell_size_m\": 256", "\"cell_size_m\": 4097"), 422, "out-of-range",
                   "/grid/levels/0/cell_size_m");
    expect_problem(put_with("\"max\": [1024, 1024]", "\"max\": [1000, 1024]"), 422,
                   "bounds-not-aligned", "/grid/bounds_m/max/0");
}

Test(bad_input, cycles_and_missing_inputs_are_named) {
    answer cycle = put_with("\"in\": {\"points\": \"sites\"}", "\"in\": {\"points\": \"kept\"}");
    cr_expect(strstr(cycle.body, "/graph/nodes/") != NULL, "%s", cycle.body);
    cr_expect(strstr(cycle.body, "\"cycle\"") != NULL, "%s", cycle.body);
    cr_expect_eq(cycle.status, 422);
    answer_free(&cycle);
    expect_problem(put_with("\"in\": {\"points\": \"sites\"}, ", ""), 422, "missing-input",
                   "/graph/nodes/gentle/in/points");
    expect_problem(put_with("\"in\": {\"points\": \"sites\"}", "\"in\": {\"points\": \"sights\"}"),
                   422, "unknown-node", "/graph/nodes/gentle/in/points");
    expect_problem(put_with("\"zones\": \"$village\"", "\"zones\": \"$terrain\""), 422,
                   "port-mismatch", "/graph/nodes/kept/in/zones");
}

Test(bad_input, slots_without_or_with_a_wrong_asset_are_named) {
    expect_problem(put_with(", \"village\": \"huts\"", ""), 422, "slot-unbound", "/slots/village");
    expect_problem(put_with("\"village\": \"huts\"", "\"village\": \"hills\""), 422,
                   "slot-mismatch", "/slots/village");
    expect_problem(put_with("\"village\": \"huts\"", "\"village\": \"cabins\""), 422, "not-found",
                   "/slots/village");
    expect_problem(put_with("\"village\": \"huts\"", "\"village\": \"huts\", \"town\": \"huts\""),
                   422, "unknown-slot", "/slots/town");
}

Test(bad_input, a_seed_is_a_decimal_string_below_two_to_the_64) {
    static const char *const bad[] = {
        "\"18446744073709551616\"", "\"-1\"", "\"1e3\"", "42", "\"042\"", "\"\"", "null"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[64];
        snprintf(text, sizeof text, "{\"seed\": %s", bad[i]);
        expect_problem(put_with("{\"seed\": \"42\"", text), 422, "seed-out-of-range", "/seed");
    }
    answer good = put_with("{\"seed\": \"42\"", "{\"seed\": \"18446744073709551615\"");
    cr_expect_eq(good.status, 201, "%s", good.body);
    answer_free(&good);
    answer gone = ask(&server, "DELETE", NULL, "/v1/worlds/bad");
    cr_expect_eq(gone.status, 204);
    answer_free(&gone);
}

Test(bad_input, a_spacing_that_is_too_small_exceeds_the_budget_before_anything_is_allocated) {
    answer of = put_with("\"spacing_m\": 1.2", "\"spacing_m\": 0.0625");
    cr_expect(strstr(of.body, "8388608") != NULL, "the limit is told: %s", of.body);
    cr_expect_eq(of.status, 422);
    cr_expect(strstr(of.body, "budget-exceeded") != NULL, "%s", of.body);
    answer_free(&of);
    cr_expect_eq(daemon_metric(&server, "loam_cells_built_total"), 0);
}

Test(bad_input, a_level_that_is_too_large_exceeds_the_budget_only_when_it_is_asked_for) {
    static const char large[] =
        "{\"seed\": \"1\", \"graph\": {\"loam_graph\": 1, \"nodes\": {\"g\": {\"op\": "
        "\"grid.sample\", \"params\": {\"spacing_m\": 0.25}}}, \"outputs\": {\"g\": {\"node\": "
        "\"g\", \"level\": 1}}}, \"grid\": {\"levels\": [{\"cell_size_m\": 4096}, "
        "{\"cell_size_m\": 64}]}}";
    answer put = ask_json(&server, "PUT", large, "/v1/worlds/bad");
    cr_assert_eq(put.status, 201, "%s", put.body);
    answer fine = ask_get(&server, "/v1/worlds/bad/cells/1/0/0/g");
    cr_expect_eq(fine.status, 200);
    expect_problem(ask_get(&server, "/v1/worlds/bad/cells/0/0/0/g"), 422, "budget-exceeded", NULL);
    answer gone = ask(&server, "DELETE", NULL, "/v1/worlds/bad");
    cr_expect_eq(gone.status, 204);
    answer_free(&put);
    answer_free(&fine);
    answer_free(&gone);
}

Test(bad_input, documents_that_do_not_parse_are_400) {
    static const char *const bad[] = {"",
                                      "{",
                                      "{\"seed\": NaN}",
                                      "{\"seed\": Infinity}",
                                      "{\"seed\": \"42\"} x",
                                      "\xff\xfe",
                                      "{\"a\": 1, \"a\": 2}",
                                      "{\"seed\": \"\\ud800\"}",
                                      "{'seed': 1}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        expect_problem(ask_json(&server, "PUT", bad[i], "/v1/worlds/bad"), 400, "malformed", NULL);
    }
}

static char *repeat(const char *text, size_t count, const char *end) {
    size_t size = strlen(text);
    char *made = malloc(size * count + strlen(end) + 1);
    for (size_t i = 0; i < count; i++) {
        memcpy(made + i * size, text, size);
    }
    memcpy(made + size * count, end, strlen(end) + 1);
    return made;
}

Test(bad_input, two_megabytes_of_json_are_too_large) {
    char *large = repeat(" ", 2 << 20, "{}");
    expect_problem(ask_json(&server, "PUT", large, "/v1/worlds/bad"), 413, "too-large", NULL);
    free(large);
}

Test(bad_input, nesting_of_a_hundred_thousand_is_refused) {
    char *deep = repeat("[", 100000, "");
    answer of = ask_json(&server, "PUT", deep, "/v1/worlds/bad");
    cr_expect(of.status == 400 || of.status == 413 || of.status == 422, "%d %s", of.status,
              of.body);
    cr_expect(strstr(of.body, "\"code\":") != NULL);
    answer_free(&of);
    free(deep);
}

Test(bad_input, more_values_than_a_document_may_have_are_refused) {
    char *many = repeat("1,", 30000, "1]");
    many[0] = '[';
    answer of = ask_json(&server, "PUT", many, "/v1/worlds/bad");
    cr_expect(of.status >= 400 && of.status < 500, "%d", of.status);
    answer_free(&of);
    free(many);
}

/* ---- Graphs that blow up -------------------------------------------------------------------- */

/* A chain of `count` nodes; with `diamonds` each merges the one before with itself. */
static char *chain(int count, bool diamonds) {
    size_t size = (size_t)count * 160 + 512;
    char *text = malloc(size);
    int used = snprintf(text, size,
                        "{\"loam_graph\": 1, \"nodes\": {\"n0\": {\"op\": \"grid.sample\", "
                        "\"params\": {\"spacing_m\": 8}}");
    for (int i = 1; i < count; i++) {
        used += snprintf(text + used, size - (size_t)used,
                         diamonds ? ", \"n%d\": {\"op\": \"merge\", \"in\": {\"a\": \"n%d\", "
                                    "\"b\": \"n%d\"}}"
                                  : ", \"n%d\": {\"op\": \"density.cull\", \"in\": "
                                    "{\"points\": \"n%d\"}}",
                         i, i - 1, i - 1);
    }
    snprintf(text + used, size - (size_t)used,
             "}, \"outputs\": {\"g\": {\"node\": \"n%d\", \"level\": 0}}}", count - 1);
    return text;
}

static answer put_graph(const char *graph) {
    size_t size = strlen(graph) + 256;
    char *world = malloc(size);
    snprintf(world, size,
             "{\"seed\": \"1\", \"graph\": %s, \"grid\": {\"levels\": [{\"cell_size_m\": 256}]}}",
             graph);
    answer of = ask_json(&server, "PUT", world, "/v1/worlds/bad");
    free(world);
    return of;
}

Test(bad_input, three_hundred_nodes_are_too_many) {
    char *graph = chain(300, false);
    answer of = put_graph(graph);
    cr_expect_eq(of.status, 422, "%d %s", of.status, of.body);
    cr_expect(strstr(of.body, "too-many") != NULL, "%s", of.body);
    answer_free(&of);
    free(graph);
}

Test(bad_input, a_blow_up_by_diamonds_exceeds_the_budget) {
    char *graph = chain(64, true);
    answer of = put_graph(graph);
    cr_expect_eq(of.status, 422, "%d %s", of.status, of.body);
    cr_expect(strstr(of.body, "budget-exceeded") != NULL, "%s", of.body);
    answer_free(&of);
    free(graph);
}

/* ---- On the wire ---------------------------------------------------------------------------- */

static int raw_status(const char *bytes, unsigned wait_ms) {
    char reply[8192];
    int status = 0;
    daemon_raw(&server, bytes, strlen(bytes), wait_ms, reply, sizeof reply);
    return sscanf(reply, "HTTP/1.1 %d", &status) == 1 ? status : 0;
}

Test(bad_input, a_truncated_body_changes_nothing) {
    char reply[4096];
    static const char cut[] = "PUT /v1/worlds/bad HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                              "application/json\r\nContent-Length: 5000\r\n\r\n{\"seed\": \"1\"";
    daemon_raw(&server, cut, strlen(cut), 300, reply, sizeof reply);
    expect_problem(ask_get(&server, "/v1/worlds/bad"), 404, "not-found", NULL);
    static const char upload[] =
        "PUT /v1/assets/bad?kind=areas&crs=local HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
        "application/geo+json\r\nContent-Length: 5000\r\n\r\n{\"type\": \"FeatureCollection\"";
    daemon_raw(&server, upload, strlen(upload), 300, reply, sizeof reply);
    expect_problem(ask_get(&server, "/v1/assets/bad"), 404, "not-found", NULL);
}

Test(bad_input, a_path_with_a_zero_byte_or_a_hidden_slash_is_refused) {
    cr_expect_eq(raw_status("GET /v1/worlds/a%00b HTTP/1.1\r\nHost: localhost\r\n\r\n", 3000), 400);
    cr_expect_eq(raw_status("GET /v1/worlds/a%2fb HTTP/1.1\r\nHost: localhost\r\n\r\n", 3000), 400);
    cr_expect_eq(raw_status("GET /v1/worlds/%zz HTTP/1.1\r\nHost: localhost\r\n\r\n", 3000), 400);
}

Test(bad_input, hosts_and_origins_that_are_not_ours_are_refused) {
    const char *host[] = {"Host: evil.example", NULL};
    const char *origin[] = {"Origin: https://evil.example", NULL};
    const char *site[] = {"Sec-Fetch-Site: cross-site", NULL};
    expect_problem(ask(&server, "GET", &(ask_options){.headers = host}, "/v1/worlds"), 421,
                   "misdirected", NULL);
    expect_problem(ask(&server, "GET", &(ask_options){.headers = origin}, "/v1/worlds"), 403,
                   "forbidden", NULL);
    expect_problem(ask(&server, "GET", &(ask_options){.headers = site}, "/v1/worlds"), 403,
                   "forbidden", NULL);
}

Test(bad_input, a_body_without_or_of_another_media_type_is_415) {
    ask_options options = {.body = forest_world_json()};
    expect_problem(ask(&server, "PUT", &options, "/v1/worlds/bad"), 415, "unsupported-media", NULL);
    options.type = "text/plain";
    expect_problem(ask(&server, "PUT", &options, "/v1/worlds/bad"), 415, "unsupported-media", NULL);
    expect_problem(ask(&server, "POST", &options, "/v1/jobs"), 415, "unsupported-media", NULL);
}

Test(bad_input, what_is_not_there_or_not_allowed_is_told) {
    expect_problem(ask_get(&server, "/"), 404, "not-found", NULL);
    expect_problem(ask_get(&server, "/v1"), 404, "not-found", NULL);
    expect_problem(ask_get(&server, "/v1/worlds/"), 404, "not-found", NULL);
    expect_problem(ask_get(&server, "/v1/worlds/forest/cells"), 404, "not-found", NULL);
    answer of = ask(&server, "DELETE", NULL, "/v1/worlds");
    cr_expect_str_eq(answer_header(&of, "Allow"), "GET, HEAD");
    expect_problem(of, 405, "method-not-allowed", NULL);
    of = ask(&server, "POST", &(ask_options){.body = "{}", .type = "application/json"},
             "/v1/worlds/forest");
    cr_expect_str_eq(answer_header(&of, "Allow"), "GET, HEAD, PUT, DELETE");
    expect_problem(of, 405, "method-not-allowed", NULL);
    expect_problem(ask(&server, "PATCH", NULL, "/v1/nothing"), 404, "not-found", NULL);
    expect_problem(ask(&server, "BREW", NULL, "/v1/worlds"), 501, "not-implemented", NULL);
}

Test(bad_input, a_query_parameter_that_is_given_twice_is_refused) {
    static const char *const asked[] = {
        "/v1/worlds?limit=1&limit=2",
        "/v1/worlds?limit=1&limit=1",
        "/v1/assets?after=a&limit=2&after=b",
        "/v1/jobs?state=queued&state=failed",
        "/v1/worlds/none/cells/0/0/0/trees?cached=only&cached=only",
        "/v1/worlds?lim%69t=1&limit=2",
    };
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        expect_problem(ask_get(&server, "%s", asked[i]), 422, "duplicate", NULL);
    }
    answer any = ask_get(&server, "/healthz/live?a=1&a=2");
    cr_expect_eq(any.status, 200, "a probe may carry what it likes");
    answer_free(&any);
}
