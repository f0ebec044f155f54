/* SPDX-License-Identifier: MIT
 *
 * test_service.c: what the daemon says about itself, codings of bodies, and its log.
 */
#include "api/key/key.h"
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

static void start(void) {
    server = daemon_start(NULL, (const char *const[]){"--log-level", "debug", NULL});
}

TestSuite(service, .init = start, .fini = server_stop);

static answer get_coded(const char *coding, const char *path) {
    char header[64];
    const char *headers[] = {header, NULL};
    snprintf(header, sizeof header, "Accept-Encoding: %s", coding);
    return ask(&server, "GET", &(ask_options){.headers = headers}, "%s", path);
}

Test(service, it_lives_and_is_ready) {
    answer live = ask_get(&server, "/healthz/live");
    answer ready = ask_get(&server, "/healthz/ready");
    cr_expect_eq(live.status, 200);
    cr_expect_eq(ready.status, 200);
    cr_expect_str_eq(answer_header(&ready, "Cache-Control"), "no-store");
    answer_free(&live);
    answer_free(&ready);
}

Test(service, a_small_body_is_coded_for_who_refuses_it_as_it_is) {
    static const char *const paths[] = {"/healthz/live", "/v1/worlds"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        answer plain = get_coded("gzip", paths[i]);
        answer coded = get_coded("identity;q=0, gzip", paths[i]);
        cr_expect_lt(plain.size, 1024);
        cr_expect_null(answer_header(&plain, "Content-Encoding"));
        cr_assert_eq(coded.status, 200, "%s: %d", paths[i], coded.status);
        const char *coding = answer_header(&coded, "Content-Encoding");
        cr_expect(coding != NULL && strcmp(coding, "gzip") == 0, "%s: %s", paths[i], coding);
        cr_expect(coded.size > 2 && memcmp(coded.body, "\x1f\x8b", 2) == 0, "%s", paths[i]);
        answer_free(&plain);
        answer_free(&coded);
        answer refused = get_coded("identity;q=0", paths[i]);
        expect_problem(refused, 406, "not-acceptable", NULL);
    }
}

/* What Accept says and what that is answered. */
Test(service, a_document_is_sent_to_who_takes_its_type_and_a_probe_to_everybody) {
    static const struct {
        const char *path;
        const char *accept;
        int status;
    } asked[] = {
        {"/v1/worlds", "Accept: image/png", 406},
        {"/v1/worlds", "Accept: application/json;q=0", 406},
        {"/v1/worlds", "Accept: image/png, application/json;q=0.1", 200},
        {"/v1/worlds", "Accept: application/*", 200},
        {"/v1/worlds", "Accept: */*", 200},
        {"/v1/worlds", "Accept:", 200},
        {"/v1/worlds/none", "Accept: image/png", 404},
        {"/v1/version", "Accept: image/png", 406},
        {"/openapi.yaml", "Accept: application/yaml", 200},
        {"/openapi.yaml", "Accept: image/png", 406},
        {"/metrics", "Accept: image/png", 200},
        {"/metrics", "Accept: application/openmetrics-text;version=1.0.0", 200},
        {"/healthz/live", "Accept: image/png", 200},
        {"/healthz/ready", "Accept: image/png", 200},
    };
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        const char *headers[] = {asked[i].accept, NULL};
        answer of = ask(&server, "GET", &(ask_options){.headers = headers}, "%s", asked[i].path);
        cr_expect_eq(of.status, asked[i].status, "%s %s: %d", asked[i].path, asked[i].accept,
                     of.status);
        bool is_problem =
            strcmp(answer_header(&of, "Content-Type"), "application/problem+json") == 0;
        cr_expect_eq(is_problem, of.status >= 400);
        answer_free(&of);
    }
    const char *picture[] = {"Accept: image/png", NULL};
    ask_options put = {.headers = picture, .body = "[]", .type = "application/json"};
    answer taken = ask(&server, "POST", &put, "/v1/graphs");
    cr_expect_neq(taken.status, 406, "what is written is told: it has been done");
    answer_free(&taken);
}

Test(service, version_names_release_versions_and_self_test) {
    answer of = ask_get(&server, "/v1/version");
    json_t *root = answer_json(&of);
    cr_expect_str_eq(json_string_value(json_object_get(root, "release")), LOAM_VERSION_TEXT);
    json_t *operations = json_object_get(root, "operations");
    cr_expect_eq(json_object_size(operations), loam_operation_count() + 1, "and subgraph");
    uint64_t digests[3];
    char hex[17];
    loam_self_test_digests(digests);
    snprintf(hex, sizeof hex, "%016llx", (unsigned long long)digests[0]);
    cr_expect_str_eq(
        json_string_value(json_object_get(json_object_get(root, "self_test"), "noise")), hex);
    json_decref(root);
    answer_free(&of);
}

Test(service, operations_and_recipes_come_from_the_tables) {
    answer of = ask_get(&server, "/v1/operations");
    json_t *root = answer_json(&of);
    cr_expect_eq(json_array_size(json_object_get(root, "operations")), loam_operation_count() + 1,
                 "and subgraph");
    json_decref(root);
    answer_free(&of);
    of = ask_get(&server, "/v1/operations/self.prune");
    root = answer_json(&of);
    cr_expect_str_eq(json_string_value(json_object_get(root, "name")), "self.prune");
    cr_expect_gt(json_array_size(json_object_get(root, "params")), 0);
    json_decref(root);
    answer_free(&of);
    of = ask_get(&server, "/v1/recipes/heightmap.fbm");
    cr_expect_eq(of.status, 200);
    answer_free(&of);
    expect_problem(ask_get(&server, "/v1/operations/self.plum"), 404, "not-found", NULL);
}

Test(service, capabilities_tell_the_limits_and_no_paths) {
    answer of = ask_get(&server, "/v1/capabilities");
    json_t *root = answer_json(&of);
    cr_expect_eq(json_integer_value(json_object_get(json_object_get(root, "limits"), "json_bytes")),
                 1 << 20);
    cr_expect(strstr(of.body, server.folder) == NULL);
    json_decref(root);
    answer_free(&of);
}

Test(service, metrics_count_by_template_and_never_by_name) {
    forest_put(&server);
    answer cell = ask_get(&server, "/v1/worlds/forest/cells/0/1/1/trees");
    answer hit = ask_get(&server, "/v1/worlds/forest/cells/0/1/1/trees");
    answer of = ask_get(&server, "/metrics");
    cr_expect(strstr(of.body, "route=\"/v1/worlds/{world}/cells/{level}/{x}/{z}/{output}\","
                              "method=\"GET\",status=\"200\"} 2") != NULL);
    cr_expect(strstr(of.body, "forest") == NULL);
    cr_expect_eq(daemon_metric(&server, "loam_cells_built_total"), 1);
    cr_expect_eq(daemon_metric(&server, "loam_cache_hits_total{layer=\"ram\"}"), 1);
    cr_expect_eq(daemon_metric(&server, "loam_determinism_alarms_total"), 0);
    cr_expect_gt(daemon_metric(&server, "loam_points_built_total"), 0);
    answer_free(&cell);
    answer_free(&hit);
    answer_free(&of);
}

Test(service, a_body_of_a_kilobyte_is_coded_when_the_client_takes_it) {
    static const char *const codings[] = {"zstd", "gzip"};
    answer plain = ask_get(&server, "/v1/operations");
    expect_hashes(&plain);
    cr_expect_null(answer_header(&plain, "Content-Encoding"));
    for (size_t i = 0; i < 2; i++) {
        answer coded = get_coded(codings[i], "/v1/operations");
        cr_expect_str_eq(answer_header(&coded, "Content-Encoding"), codings[i]);
        cr_expect_lt(coded.size, plain.size);
        expect_hashes(&coded);
        answer_free(&coded);
    }
    answer both = get_coded("gzip, zstd", "/v1/operations");
    cr_expect_str_eq(answer_header(&both, "Content-Encoding"), "zstd");
    char *text = calloc(1, plain.size + 1);
    cr_expect_eq(ZSTD_decompress(text, plain.size, both.body, both.size), plain.size);
    cr_expect_str_eq(text, plain.body);
    answer small = get_coded("zstd", "/v1/worlds");
    cr_expect_null(answer_header(&small, "Content-Encoding"));
    free(text);
    answer_free(&plain);
    answer_free(&both);
    answer_free(&small);
}

Test(service, a_coded_cell_has_its_own_tag_and_decodes_to_the_canonical_bytes) {
    forest_put(&server);
    answer plain = ask_get(&server, "/v1/worlds/forest/cells/0/1/1/trees");
    for (int i = 0; i < 2; i++) {
        answer coded = get_coded("zstd", "/v1/worlds/forest/cells/0/1/1/trees");
        cr_assert_eq(coded.status, 200);
        cr_expect_str_eq(answer_header(&coded, "Content-Encoding"), "zstd");
        expect_hashes(&coded);
        char *bytes = malloc(plain.size);
        cr_assert_eq(ZSTD_decompress(bytes, plain.size, coded.body, coded.size), plain.size);
        cr_expect_eq(memcmp(bytes, plain.body, plain.size), 0);
        char tag[96];
        snprintf(tag, sizeof tag, "%s", answer_header(&plain, "ETag"));
        cr_expect_str_neq(answer_header(&coded, "ETag"), tag);
        snprintf(tag, sizeof tag, "%s", answer_header(&plain, "Loam-Digest"));
        cr_expect_str_eq(answer_header(&coded, "Loam-Digest"), tag);
        free(bytes);
        answer_free(&coded);
    }
    answer_free(&plain);
}

Test(service, log_lines_are_json_without_query_strings) {
    char path[DAEMON_PATH_BYTES];
    char line[4096];
    answer of = ask_get(&server, "/v1/assets?after=secret-word");
    answer_free(&of);
    snprintf(path, sizeof path, "%s/log", server.folder);
    cr_assert_eq(daemon_end(&server), 0);
    FILE *log = fopen(path, "r");
    int requests = 0;
    while (fgets(line, sizeof line, log) != NULL) {
        json_t *root = json_loads(line, 0, NULL);
        cr_assert(json_is_object(root), "%s", line);
        const char *event = json_string_value(json_object_get(root, "event"));
        requests += event != NULL && strcmp(event, "request") == 0;
        cr_expect(strstr(line, "secret-word") == NULL, "%s", line);
        json_decref(root);
    }
    fclose(log);
    cr_expect_eq(requests, 1);
    server = daemon_start(server.folder, NULL);
}
