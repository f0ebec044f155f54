/* SPDX-License-Identifier: MIT
 *
 * test_batches.c: many cells in one request, in both forms, held against the cells one by one.
 */
#include "api/key/key.h"
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH "/v1/worlds/forest/cell-batches"
enum { ENTRY_BYTES = 96, HEAD_BYTES = 16 };

TestSuite(batches, .init = server_start_forest, .fini = server_stop);

static answer post(const char *accept, const char *body) {
    char header[80];
    const char *headers[] = {header, NULL};
    snprintf(header, sizeof header, "Accept: %s", accept);
    return ask(&server, "POST",
               &(ask_options){.headers = headers, .body = body, .type = "application/json"}, BATCH);
}

static uint64_t number(const char *at, size_t size) {
    uint64_t value = 0;
    for (size_t i = size; i-- > 0;) {
        value = value << 8 | (unsigned char)at[i];
    }
    return value;
}

/* The entry at `*at`, which moves behind it. */
static const char *next_entry(const answer *of, size_t *at) {
    const char *entry = of->body + *at;
    cr_assert_leq(*at + ENTRY_BYTES, of->size);
    *at += ENTRY_BYTES + (size_t)(number(entry + 88, 8) + 7) / 8 * 8;
    cr_assert_leq(*at, of->size);
    return entry;
}

static void expect_cell(const char *entry, int level, int x, int z) {
    answer cell = ask_get(&server, "/v1/worlds/forest/cells/%d/%d/%d/trees", level, x, z);
    char text[DIGEST_TEXT_BYTES];
    digest of;
    cr_expect_eq(number(entry, 8), (uint64_t)x);
    cr_expect_eq(number(entry + 8, 8), (uint64_t)z);
    cr_expect_eq(number(entry + 16, 4), (uint64_t)level);
    cr_expect_eq(number(entry + 20, 4), 200);
    cr_assert_eq(number(entry + 88, 8), cell.size);
    cr_expect_eq(memcmp(entry + ENTRY_BYTES, cell.body, cell.size), 0);
    memcpy(of.bytes, entry + 24, DIGEST_BYTES);
    digest_text(&of, text);
    cr_expect_str_eq(text, answer_header(&cell, "Loam-Build-Key"));
    memcpy(of.bytes, entry + 56, DIGEST_BYTES);
    digest_text(&of, text);
    cr_expect_str_eq(text, answer_header(&cell, "Loam-Digest"));
    answer_free(&cell);
}

Test(batches, the_bytes_are_those_of_the_cells_one_by_one) {
    answer of =
        post("*/*", "{\"output\": \"trees\", \"cells\": [[0,1,2],[1,3,3],[0,1,2],[0,9,0]]}");
    size_t at = HEAD_BYTES;
    cr_assert_eq(of.status, 200, "%s", of.body);
    cr_expect_str_eq(answer_header(&of, "Content-Type"), "application/vnd.loam.batch");
    cr_expect_str_eq(answer_header(&of, "Cache-Control"), "no-store");
    cr_assert_eq(memcmp(of.body, "LOAMBTCH\1\0\0\0\4\0\0\0", HEAD_BYTES), 0);
    expect_cell(next_entry(&of, &at), 0, 1, 2);
    expect_cell(next_entry(&of, &at), 1, 3, 3);
    expect_cell(next_entry(&of, &at), 0, 1, 2);
    const char *outside = next_entry(&of, &at);
    cr_expect_eq(number(outside + 20, 4), 404);
    cr_expect(strstr(outside + ENTRY_BYTES, "outside-world") != NULL);
    cr_expect_eq(at, of.size);
    cr_expect_eq(daemon_metric(&server, "loam_cells_built_total"), 2, "each cell is built once");
    answer_free(&of);
}

static json_t *cells_of(answer of) {
    cr_assert_eq(of.status, 200, "%s", of.body);
    json_t *root = answer_json(&of);
    json_t *cells = json_incref(json_object_get(root, "cells"));
    json_decref(root);
    answer_free(&of);
    return cells;
}

static const char *text_of(const json_t *cell, const char *key) {
    return json_string_value(json_object_get(cell, key));
}

Test(batches, what_the_client_has_is_not_sent_again) {
    char body[400];
    json_t *cells =
        cells_of(post("application/json", "{\"output\": \"trees\", \"cells\": [[0,1,2],[0,2,2]]}"));
    cr_assert_eq(json_array_size(cells), 2);
    json_t *first = json_array_get(cells, 0);
    cr_expect_eq(json_integer_value(json_object_get(first, "status")), 200);
    cr_expect_eq(strncmp(text_of(first, "bytes"), "TE9BTUNFTEw", 11), 0, "LOAMCELL in base64");
    snprintf(body, sizeof body,
             "{\"output\": \"trees\", \"cells\": [[0,1,2],[0,2,2]], \"have\": {\"0/1/2\": \"%s\", "
             "\"0/2/2\": \"%s\"}}",
             text_of(first, "digest"), text_of(first, "digest"));
    json_t *again = cells_of(post("application/json", body));
    json_t *had = json_array_get(again, 0);
    cr_expect_eq(json_integer_value(json_object_get(had, "status")), 304);
    cr_expect_null(json_object_get(had, "bytes"));
    cr_expect_str_eq(text_of(had, "digest"), text_of(first, "digest"));
    cr_expect_eq(json_integer_value(json_object_get(json_array_get(again, 1), "status")), 200,
                 "another digest is not the same cell");
    json_decref(cells);
    json_decref(again);
}

Test(batches, a_hundred_cells_come_in_the_order_of_the_request) {
    char body[2000] = "{\"output\": \"trees\", \"cells\": [";
    for (int i = 0; i < 100; i++) {
        size_t used = strlen(body);
        snprintf(body + used, sizeof body - used, "%s[1,%d,%d]", i == 0 ? "" : ",", i % 10, i / 10);
    }
    strcat(body, "]}");
    json_t *cells = cells_of(post("application/json", body));
    cr_assert_eq(json_array_size(cells), 100);
    for (size_t i = 0; i < 100; i++) {
        json_t *cell = json_array_get(cells, i);
        cr_expect_eq((size_t)json_integer_value(json_object_get(cell, "x")), i % 10);
        cr_expect_eq((size_t)json_integer_value(json_object_get(cell, "z")), i / 10);
        cr_expect_eq(json_integer_value(json_object_get(cell, "status")), 200);
    }
    json_decref(cells);
}

Test(batches, without_patience_what_is_not_there_is_202) {
    const char *headers[] = {"Accept: application/json", "Prefer: respond-async", NULL};
    answer of = ask(&server, "POST",
                    &(ask_options){.headers = headers,
                                   .body = "{\"output\": \"trees\", \"cells\": [[0,1,2],[0,2,2]]}",
                                   .type = "application/json"},
                    BATCH);
    json_t *cells = cells_of(of);
    cr_expect_eq(json_integer_value(json_object_get(json_array_get(cells, 0), "status")), 202);
    cr_expect_null(text_of(json_array_get(cells, 0), "digest"));
    json_decref(cells);
}

Test(batches, bad_requests_name_their_place) {
    static const struct {
        const char *body;
        int status;
        const char *code;
        const char *pointer;
    } bad[] = {
        {"{", 400, "malformed", NULL},
        {"{\"cells\": [[0,0,0]]}", 422, "missing-field", "/output"},
        {"{\"output\": \"trees\"}", 422, "missing-field", "/cells"},
        {"{\"output\": \"trees\", \"cells\": []}", 422, "out-of-range", "/cells"},
        {"{\"output\": \"trees\", \"cells\": [[0,0]]}", 422, "out-of-range", "/cells/0"},
        {"{\"output\": \"trees\", \"cells\": [[0,0,0],[0,0.5,0]]}", 422, "wrong-type",
         "/cells/1/1"},
        {"{\"output\": \"trees\", \"cells\": [[-1,0,0]]}", 422, "out-of-range", "/cells/0/0"},
        {"{\"output\": \"rocks\", \"cells\": [[0,0,0]]}", 422, "unknown-output", "/output"},
        {"{\"output\": \"trees\", \"cells\": [[0,0,0]], \"have\": {\"0/1/0\": "
         "\"sha256-0066444a09403921c3bab18705ded4fc855678218f1ff19260642fd80082c298\"}}",
         422, "unknown-field", "/have/0~11~10"},
        {"{\"output\": \"trees\", \"cells\": [[0,0,0]], \"world\": 1}", 422, "unknown-field",
         "/world"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        expect_problem(post("*/*", bad[i].body), bad[i].status, bad[i].code, bad[i].pointer);
    }
    expect_problem(post("text/html", "{\"output\": \"trees\", \"cells\": [[0,0,0]]}"), 406,
                   "not-acceptable", NULL);
}
