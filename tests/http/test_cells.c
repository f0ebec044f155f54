/* SPDX-License-Identifier: MIT
 *
 * test_cells.c: cells over HTTP: the same bytes under every address and view, conditional and
 * patient requests, and what a world does not have.
 */
#include "api/key/key.h"
#include "tests/support/pause.h"
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define CELL "/v1/worlds/forest/cells/0/1/2/trees"

TestSuite(cells, .init = server_start_forest, .fini = server_stop);

static answer get_with(const char *header, const char *path) {
    const char *headers[] = {header, NULL};
    return ask(&server, "GET", &(ask_options){.headers = headers}, "%s", path);
}

/* The immutable address of a cell, from the alias's answer. */
static void immutable_path(char path[512], const char *alias) {
    answer of = ask_get(&server, "%s", alias);
    const char *location = answer_header(&of, "Content-Location");
    cr_assert_not_null(location);
    snprintf(path, 512, "%s", location);
    answer_free(&of);
}

Test(cells, the_first_answer_is_built_and_the_second_is_a_hit_of_equal_bytes) {
    answer first = ask_get(&server, CELL);
    cr_assert_eq(first.status, 200, "%s", first.body);
    cr_expect_str_eq(answer_header(&first, "Cache-Status"), "loam; fwd=miss; stored");
    cr_expect_str_eq(answer_header(&first, "Content-Type"), "application/vnd.loam.cell");
    expect_hashes(&first);
    answer second = ask_get(&server, CELL);
    cr_expect_str_eq(answer_header(&second, "Cache-Status"), "loam; hit");
    expect_hashes(&second);
    cr_assert_eq(first.size, second.size);
    cr_expect_eq(memcmp(first.body, second.body, first.size), 0);
    answer_free(&first);
    answer_free(&second);
}

Test(cells, the_alias_names_the_immutable_address_which_has_the_same_bytes) {
    char path[512];
    answer alias = ask_get(&server, CELL);
    cr_expect_str_eq(answer_header(&alias, "Cache-Control"), "no-cache");
    cr_expect_str_eq(answer_header(&alias, "Vary"), "Accept, Accept-Encoding");
    immutable_path(path, CELL);
    answer immutable = ask_get(&server, "%s", path);
    cr_assert_eq(immutable.status, 200);
    cr_expect_str_eq(answer_header(&immutable, "Cache-Control"),
                     "public, max-age=31536000, immutable");
    cr_expect_null(answer_header(&immutable, "Content-Location"));
    cr_expect_eq(alias.size, immutable.size);
    cr_expect_eq(memcmp(alias.body, immutable.body, alias.size), 0);
    answer_free(&alias);
    answer_free(&immutable);
}

Test(cells, repr_digest_is_the_base64_of_the_bodys_hash) {
    answer cell = ask_get(&server, CELL);
    digest hash = digest_of(cell.body, cell.size);
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char want[64] = "sha-256=:";
    size_t used = strlen(want);
    for (size_t bit = 0; bit < 256; bit += 6) {
        unsigned value = 0;
        for (size_t i = bit; i < bit + 6; i++) {
            value = value << 1 | (i < 256 ? (uint32_t)hash.bytes[i / 8] >> (7 - i % 8) & 1u : 0u);
        }
        want[used++] = letters[value];
    }
    memcpy(want + used, "=:", 3);
    cr_expect_str_eq(answer_header(&cell, "Repr-Digest"), want);
    answer_free(&cell);
}

Test(cells, an_entity_tag_that_matches_is_answered_with_304) {
    char header[128];
    answer cell = ask_get(&server, CELL);
    snprintf(header, sizeof header, "If-None-Match: \"x\", %s", answer_header(&cell, "ETag"));
    for (int i = 0; i < 2; i++) {
        answer again = get_with(header, CELL);
        cr_expect_eq(again.status, 304);
        cr_expect_eq(again.size, 0);
        cr_expect_not_null(answer_header(&again, "ETag"));
        answer_free(&again);
    }
    answer other = get_with("If-None-Match: \"x\"", CELL);
    cr_expect_eq(other.status, 200);
    answer_free(&other);
    answer_free(&cell);
}

Test(cells, a_tag_that_is_meant_and_not_there_is_412) {
    char header[160];
    answer whole = get_with("If-Match: *", CELL);
    cr_assert_eq(whole.status, 200, "it is built first");
    snprintf(header, sizeof header, "If-Match: \"none\", %s", answer_header(&whole, "ETag"));
    answer same = get_with(header, CELL);
    cr_expect_eq(same.status, 200);
    answer part = get_with("If-Match: \"none\"\r\nRange: bytes=0-7", CELL);
    expect_problem(part, 412, "precondition-failed", NULL);
    expect_problem(get_with("If-Match: \"none\"", CELL), 412, "precondition-failed", NULL);
    expect_problem(get_with("If-Match: \"none\"", "/v1/worlds/forest/cells/0/2/2/trees"), 412,
                   "precondition-failed", NULL);
    answer_free(&whole);
    answer_free(&same);
}

Test(cells, a_304_comes_from_the_store_too) {
    char header[128];
    answer cell = ask_get(&server, CELL);
    snprintf(header, sizeof header, "If-None-Match: %s", answer_header(&cell, "ETag"));
    answer_free(&cell);
    cr_assert_eq(daemon_end(&server), 0);
    server = daemon_start(server.folder, NULL);
    answer again = get_with(header, CELL);
    cr_expect_eq(again.status, 304, "%d", again.status);
    answer_free(&again);
}

Test(cells, head_has_the_headers_of_get_and_no_body) {
    answer get = ask_get(&server, CELL);
    answer head = ask(&server, "HEAD", NULL, CELL);
    char length[32];
    snprintf(length, sizeof length, "%zu", get.size);
    cr_expect_eq(head.status, 200);
    cr_expect_eq(head.size, 0);
    cr_expect_str_eq(answer_header(&head, "Content-Length"), length);
    answer_free(&get);
    answer_free(&head);
}

Test(cells, json_says_what_the_canonical_bytes_say) {
    answer canonical = ask_get(&server, CELL);
    answer view = get_with("Accept: application/json", CELL);
    cr_assert_eq(view.status, 200);
    expect_hashes(&view);
    json_t *root = answer_json(&view);
    uint32_t count = loam_cell_count(canonical.body, canonical.size);
    cr_expect_gt(count, 100);
    cr_expect_eq(json_array_size(json_object_get(root, "points")), count);
    cr_expect_eq(json_integer_value(json_object_get(root, "count")), count);
    cr_expect_str_eq(json_string_value(json_object_get(root, "digest")),
                     answer_header(&canonical, "Loam-Digest"));
    cr_expect_str_eq(json_string_value(json_object_get(root, "build_key")),
                     answer_header(&view, "Loam-Build-Key"));
    cr_expect_str_eq(json_string_value(json_object_get(root, "world")), "forest");
    json_decref(root);
    answer_free(&canonical);
    answer_free(&view);
}

Test(cells, a_picture_is_a_png) {
    answer view = get_with("Accept: image/png", CELL);
    cr_assert_eq(view.status, 200);
    cr_expect_str_eq(answer_header(&view, "Content-Type"), "image/png");
    cr_assert_gt(view.size, 1000);
    cr_expect_eq(memcmp(view.body, "\x89PNG\r\n\x1a\n", 8), 0);
    expect_hashes(&view);
    answer_free(&view);
}

/* How many lines a table has. */
static uint32_t count_lines(const answer *of) {
    uint32_t count = 0;
    for (size_t i = 0; i < of->size; i++) {
        count += ((const char *)of->body)[i] == '\n';
    }
    return count;
}

Test(cells, a_table_has_a_line_a_point) {
    answer canonical = ask_get(&server, CELL);
    answer view = get_with("Accept: text/csv", CELL);
    cr_assert_eq(view.status, 200);
    cr_expect_str_eq(answer_header(&view, "Content-Type"), "text/csv");
    cr_expect_eq(count_lines(&view), 1 + loam_cell_count(canonical.body, canonical.size));
    cr_expect_eq(memcmp(view.body, "id,x_m,y_m,z_m,", 15), 0);
    expect_hashes(&view);
    answer_free(&canonical);
    answer_free(&view);
}

Test(cells, instances_are_a_binary_gltf) {
    answer view = get_with("Accept: model/gltf-binary", CELL);
    cr_assert_eq(view.status, 200);
    cr_expect_str_eq(answer_header(&view, "Content-Type"), "model/gltf-binary");
    cr_assert_gt(view.size, 1000);
    cr_expect_eq(memcmp(view.body, "glTF\2\0\0", 8), 0);
    expect_hashes(&view);
    answer_free(&view);
}

Test(cells, what_cannot_be_shown_is_406) {
    expect_problem(get_with("Accept: text/html", CELL), 406, "not-acceptable", NULL);
    answer any = get_with("Accept: text/html, */*;q=0.1", CELL);
    cr_expect_eq(any.status, 200);
    cr_expect_str_eq(answer_header(&any, "Content-Type"), "application/vnd.loam.cell");
    answer_free(&any);
}

Test(cells, a_range_of_the_bytes_is_206) {
    answer whole = ask_get(&server, CELL);
    answer part = get_with("Range: bytes=8-15", CELL);
    cr_assert_eq(part.status, 206);
    cr_assert_eq(part.size, 8);
    cr_expect_eq(memcmp(part.body, whole.body + 8, 8), 0);
    answer_free(&whole);
    answer_free(&part);
}

Test(cells, a_range_behind_the_end_is_a_problem_that_says_the_size) {
    char range[64];
    answer whole = ask_get(&server, CELL);
    answer part = get_with("Range: bytes=99999999-", CELL);
    snprintf(range, sizeof range, "bytes */%zu", whole.size);
    cr_expect_str_eq(answer_header(&part, "Content-Range"), range);
    cr_expect_str_eq(answer_header(&part, "Content-Type"), "application/problem+json");
    expect_problem(part, 416, "range-unsatisfiable", NULL);
    answer_free(&whole);
}

Test(cells, cached_only_builds_nothing) {
    expect_problem(ask_get(&server, CELL "?cached=only"), 404, "not-generated", NULL);
    cr_expect_eq(daemon_metric(&server, "loam_cells_built_total"), 0);
    answer built = ask_get(&server, CELL);
    answer cached = ask_get(&server, CELL "?cached=only");
    cr_expect_eq(cached.status, 200);
    expect_hashes(&cached);
    answer_free(&built);
    answer_free(&cached);
    expect_problem(ask_get(&server, CELL "?cached=yes"), 422, "out-of-range", NULL);
    expect_problem(ask_get(&server, CELL "?chached=only"), 422, "unknown-parameter", NULL);
}

Test(cells, without_patience_202_says_where_and_the_work_goes_on) {
    answer later = get_with("Prefer: wait=0", CELL);
    cr_assert_eq(later.status, 202, "%d", later.status);
    cr_expect_str_eq(answer_header(&later, "Cache-Control"), "no-store");
    cr_expect_str_eq(answer_header(&later, "Preference-Applied"), "wait=0");
    cr_expect_not_null(answer_header(&later, "Retry-After"));
    char path[512];
    snprintf(path, sizeof path, "%s", answer_header(&later, "Location"));
    answer_free(&later);
    for (int i = 0; i < 600 && daemon_metric(&server, "loam_cells_built_total") < 1; i++) {
        pause_ms(20);
    }
    answer cell = get_with("Prefer: respond-async", path);
    cr_expect_eq(cell.status, 200, "%d", cell.status);
    expect_hashes(&cell);
    answer_free(&cell);
    answer also = get_with("Prefer: respond-async", "/v1/worlds/forest/cells/0/2/2/trees");
    cr_expect_eq(also.status, 202);
    cr_expect_str_eq(answer_header(&also, "Preference-Applied"), "respond-async");
    answer_free(&also);
}

Test(cells, what_a_world_lacks_is_not_found) {
    expect_problem(ask_get(&server, "/v1/worlds/forest/cells/0/4/0/trees"), 404, "outside-world",
                   NULL);
    expect_problem(ask_get(&server, "/v1/worlds/forest/cells/0/-1/0/trees"), 404, "outside-world",
                   NULL);
    expect_problem(ask_get(&server, "/v1/worlds/forest/cells/0/99999999999/0/trees"), 404,
                   "outside-world", NULL);
    expect_problem(ask_get(&server, "/v1/worlds/forest/cells/2/0/0/trees"), 404, "not-found", NULL);
    expect_problem(ask_get(&server, "/v1/worlds/forest/cells/0/0/0/rocks"), 404, "not-found", NULL);
    expect_problem(ask_get(&server, "/v1/worlds/desert/cells/0/0/0/trees"), 404, "not-found", NULL);
    expect_problem(ask_get(&server, "/v1/worlds/forest/revisions/sha256-12/cells/0/0/0/trees"), 404,
                   "not-found", NULL);
}

Test(cells, a_coordinate_that_is_no_integer_does_not_parse) {
    static const char *const bad[] = {"x", "1e1", "+1", "01", "-0", "1.5", "9999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        expect_problem(ask_get(&server, "/v1/worlds/forest/cells/0/%s/0/trees", bad[i]), 400,
                       "malformed", NULL);
    }
}

Test(cells, a_level_of_small_cells_holds_the_same_trees) {
    uint32_t sum = 0;
    answer large = ask_get(&server, CELL);
    for (int z = 8; z < 12; z++) {
        for (int x = 4; x < 8; x++) {
            answer small = ask_get(&server, "/v1/worlds/forest/cells/1/%d/%d/trees", x, z);
            cr_assert_eq(small.status, 200);
            sum += loam_cell_count(small.body, small.size);
            answer_free(&small);
        }
    }
    cr_expect_eq(sum, loam_cell_count(large.body, large.size));
    answer_free(&large);
}

Test(cells, a_trace_tells_every_node) {
    answer trace = ask_get(&server, CELL "/trace");
    cr_assert_eq(trace.status, 200, "%s", trace.body);
    cr_expect_str_eq(answer_header(&trace, "Cache-Control"), "no-store");
    json_t *root = answer_json(&trace);
    cr_expect_eq(json_array_size(json_object_get(root, "nodes")), 7);
    cr_expect(json_is_null(json_object_get(root, "first_empty")));
    json_decref(root);
    answer_free(&trace);
    expect_problem(ask_get(&server, "/v1/worlds/forest/cells/0/9/0/trees/trace"), 404,
                   "outside-world", NULL);
}

/* ---- Many at once --------------------------------------------------------------------------- */

enum { CROWD = 32 };

static void *ask_one(void *context) {
    answer *of = context;
    *of = ask_get(&server, "/v1/worlds/forest/cells/0/3/3/trees");
    return NULL;
}

Test(cells, a_crowd_that_asks_at_once_is_built_for_once) {
    pthread_t threads[CROWD];
    answer answers[CROWD];
    for (int i = 0; i < CROWD; i++) {
        cr_assert_eq(pthread_create(&threads[i], NULL, ask_one, &answers[i]), 0);
    }
    for (int i = 0; i < CROWD; i++) {
        pthread_join(threads[i], NULL);
        cr_expect_eq(answers[i].status, 200);
        expect_hashes(&answers[i]);
        cr_expect_eq(memcmp(answers[i].body, answers[0].body, answers[0].size), 0);
    }
    for (int i = 0; i < CROWD; i++) {
        answer_free(&answers[i]);
    }
    cr_expect_eq(daemon_metric(&server, "loam_cells_built_total"), 1);
}

Test(cells, worlds_that_mean_the_same_share_their_cells) {
    answer put = ask_json(&server, "PUT", forest_world_json(), "/v1/worlds/twin");
    cr_assert_eq(put.status, 201);
    answer_free(&put);
    answer one = ask_get(&server, CELL);
    answer other = ask_get(&server, "/v1/worlds/twin/cells/0/1/2/trees");
    cr_expect_str_eq(answer_header(&other, "Cache-Status"), "loam; hit");
    cr_expect_eq(one.size, other.size);
    cr_expect_eq(daemon_metric(&server, "loam_cells_built_total"), 1);
    answer_free(&one);
    answer_free(&other);
}
