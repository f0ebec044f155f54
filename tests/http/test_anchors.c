/* SPDX-License-Identifier: MIT
 *
 * test_anchors.c: dungeons of a world: one at each point that it binds, the same whatever else
 * changes, the same as under its build key; and what a world may not say.
 */
#include "api/key/key.h"
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINT(id, x, z)                                                                            \
    "{\"type\": \"Feature\", \"id\": " id ", \"properties\": {}, \"geometry\": {\"type\": "        \
    "\"Point\", \"coordinates\": [" x ", " z "]}}"
#define POINTS(list) "{\"type\": \"FeatureCollection\", \"features\": [" list "]}"
#define SMALL "\"recipe\": \"dungeon.rooms\", \"params\": {\"width\": 48, \"height\": 32}"
#define CRYPTS "{\"crypts\": {\"anchors\": \"gates\", " SMALL "}}"
#define IMMUTABLE "public, max-age=31536000, immutable"

static void start(void) {
    server_start_forest();
    gates_put(&server, POINTS(POINT("\"north\"", "100", "200.5") "," POINT(
                           "7", "-3", "4") "," POINT("\"a b\"", "1", "2")));
}

TestSuite(anchors, .init = start, .fini = server_stop, .timeout = 60);

/* The address of the revision. */
static void put_well(const char *dungeons, char path[200]) {
    answer of = dark_put(&server, dungeons);
    cr_assert(of.status == 200 || of.status == 201, "%d %s", of.status, of.body);
    snprintf(path, 200, "%s", answer_header(&of, "Content-Location"));
    answer_free(&of);
}

static json_t *get_json(const char *base, const char *anchor) {
    answer of = ask_get(&server, "%s/dungeons/%s", base, anchor);
    cr_assert_eq(of.status, 200, "%s", of.body);
    expect_hashes(&of);
    json_t *root = answer_json(&of);
    answer_free(&of);
    return root;
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text == NULL ? "" : text;
}

static void key_of(const char *base, const char *anchor, char key[DIGEST_TEXT_BYTES]) {
    json_t *root = get_json(base, anchor);
    snprintf(key, DIGEST_TEXT_BYTES, "%s", text_of(root, "build_key"));
    json_decref(root);
}

/* ---- The way -------------------------------------------------------------------------------- */

Test(anchors, a_document_says_where_its_dungeon_is_and_is_the_one_of_its_build_key) {
    char path[200];
    put_well(CRYPTS, path);
    json_t *root = get_json(path, "crypts:north");
    json_t *anchor = json_object_get(root, "anchor");
    cr_expect_str_eq(text_of(anchor, "world"), "dark");
    cr_expect_str_eq(text_of(anchor, "revision"), strstr(path, "sha256-"));
    cr_expect_str_eq(text_of(anchor, "dungeons"), "crypts");
    cr_expect_str_eq(text_of(anchor, "id"), "north");
    json_t *place = json_object_get(anchor, "position_m");
    cr_expect_eq(json_number_value(json_array_get(place, 0)), 100);
    cr_expect_eq(json_number_value(json_array_get(place, 2)), 200.5);
    uint64_t key = strtoull(text_of(anchor, "key"), NULL, 10);
    char seed[32];
    snprintf(seed, sizeof seed, "%llu",
             (unsigned long long)seed_of_anchor(42, loam_text_of("crypts"), key));
    cr_expect_str_eq(text_of(root, "seed"), seed);
    answer own = ask_get(&server, "/v1/dungeons/%s", text_of(root, "build_key"));
    json_t *whole = answer_json(&own);
    json_object_del(root, "anchor");
    cr_expect(json_equal(root, whole));
    json_decref(root);
    json_decref(whole);
    answer_free(&own);
}

Test(anchors, each_point_and_each_name_has_a_dungeon_of_its_own) {
    char path[200];
    char keys[4][DIGEST_TEXT_BYTES];
    static const char *const asked[] = {"crypts:north", "crypts:7", "crypts:a%20b", "mines:7"};
    put_well("{\"mines\": {\"anchors\": \"gates\", " SMALL "}, \"crypts\": {\"anchors\": "
             "\"gates\", " SMALL "}}",
             path);
    for (size_t i = 0; i < 4; i++) {
        key_of(path, asked[i], keys[i]);
        for (size_t j = 0; j < i; j++) {
            cr_expect_str_neq(keys[i], keys[j], "%s, %s", asked[i], asked[j]);
        }
    }
}

Test(anchors, others_that_come_and_a_point_that_moves_change_no_dungeon) {
    char before[200];
    char after[200];
    char key[DIGEST_TEXT_BYTES];
    char again[DIGEST_TEXT_BYTES];
    put_well(CRYPTS, before);
    key_of(before, "crypts:7", key);
    gates_put(&server, POINTS(POINT("7", "9", "9") "," POINT("\"new\"", "8", "8")));
    put_well("{\"crypts\": {\"anchors\": \"gates\", " SMALL "}, \"a\": {\"anchors\": \"gates\", "
             "\"recipe\": \"dungeon.bsp\"}}",
             after);
    cr_expect_str_neq(before, after);
    key_of(after, "crypts:7", again);
    cr_expect_str_eq(key, again);
    key_of(before, "crypts:north", again);
    answer gone = ask_get(&server, "%s/dungeons/crypts:north", after);
    expect_problem(gone, 404, "not-found", NULL);
}

Test(anchors, the_immutable_address_may_be_kept_and_the_other_says_which_it_is) {
    char path[200];
    char own[256];
    put_well(CRYPTS, path);
    answer first = ask_get(&server, "%s/dungeons/crypts:a%%20b", path);
    answer second = ask_get(&server, "/v1/worlds/dark/dungeons/crypts:a%%20b");
    cr_assert_eq(first.status, 200, "%s", first.body);
    cr_assert_eq(second.status, 200, "%s", second.body);
    cr_expect_str_eq(answer_header(&first, "Cache-Control"), IMMUTABLE);
    cr_expect_null(answer_header(&first, "Content-Location"));
    cr_expect_str_eq(answer_header(&second, "Cache-Control"), "no-cache");
    snprintf(own, sizeof own, "%s/dungeons/crypts:a%%20b", path);
    cr_expect_str_eq(answer_header(&second, "Content-Location"), own);
    cr_expect_str_eq(answer_header(&second, "Cache-Status"), "loam; hit");
    cr_expect_str_eq(first.body, second.body);
    char match[128];
    const char *headers[] = {match, NULL};
    snprintf(match, sizeof match, "If-None-Match: %s", answer_header(&first, "ETag"));
    answer third = ask(&server, "GET", &(ask_options){.headers = headers}, "%s", own);
    cr_expect_eq(third.status, 304);
    cr_expect_eq((int)daemon_metric(&server, "loam_dungeons_built_total"), 1);
    answer_free(&first);
    answer_free(&second);
    answer_free(&third);
}

Test(anchors, every_other_view_is_that_of_the_build_key) {
    static const char *const types[] = {"Accept: application/vnd.loam.dungeon",
                                        "Accept: text/plain",
                                        "Accept: application/vnd.tiled+json",
                                        "Accept: application/vnd.ldtk+json",
                                        "Accept: image/png",
                                        "Accept: image/svg+xml"};
    char path[200];
    char key[DIGEST_TEXT_BYTES];
    put_well(CRYPTS, path);
    key_of(path, "crypts:7", key);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const char *headers[] = {types[i], NULL};
        const ask_options options = {.headers = headers};
        answer anchor = ask(&server, "GET", &options, "%s/dungeons/crypts:7", path);
        answer own = ask(&server, "GET", &options, "/v1/dungeons/%s", key);
        cr_assert_eq(anchor.status, 200, "%s", anchor.body);
        cr_assert_eq(anchor.size, own.size, "%s", types[i]);
        cr_expect_eq(memcmp(anchor.body, own.body, own.size), 0, "%s", types[i]);
        answer_free(&anchor);
        answer_free(&own);
    }
}

Test(anchors, a_restart_gives_the_same_document_and_holds_the_points) {
    char path[200];
    put_well(CRYPTS, path);
    answer before = ask_get(&server, "%s/dungeons/crypts:north", path);
    gates_put(&server, POINTS(POINT("1", "1", "1")));
    cr_assert_eq(daemon_end(&server), 0);
    server = daemon_start(server.folder, NULL);
    answer after = ask_get(&server, "%s/dungeons/crypts:north", path);
    cr_assert_eq(after.status, 200, "%s", after.body);
    cr_expect_str_eq(before.body, after.body);
    answer_free(&before);
    answer_free(&after);
}

Test(anchors, a_document_of_rules_stands_in_the_world_itself) {
    char path[200];
    answer was = ask_json(&server, "PUT",
                          "{\"rules\": [{\"kind\": \"floor\", \"asset\": \"moss\"}, {\"kind\": "
                          "\"wall\", \"asset\": \"stone\"}]}",
                          "/v1/assets/look?kind=rules");
    cr_assert_eq(was.status, 201, "%s", was.body);
    answer_free(&was);
    put_well("{\"q\": {\"anchors\": \"gates\", \"recipe\": \"dungeon.rooms\", \"params\": "
             "{\"tile_map\": \"look\"}}}",
             path);
    json_t *root = get_json(path, "q:7");
    json_t *map = json_object_get(json_object_get(root, "params"), "tile_map");
    cr_expect_eq(json_array_size(json_object_get(map, "rules")), 2);
    answer gone = ask(&server, "DELETE", NULL, "/v1/assets/look");
    cr_expect_eq(gone.status, 204, "the world has a copy: %s", gone.body);
    json_decref(root);
    answer_free(&gone);
}

/* ---- What is refused ------------------------------------------------------------------------ */

Test(anchors, every_mistake_of_a_world_is_told_at_its_place) {
    static const struct {
        const char *dungeons, *code, *pointer;
    } cases[] = {
        {"[]", "wrong-type", "/dungeons"},
        {"{\"A\": {}}", "bad-name", "/dungeons/A"},
        {"{\"a\": {" SMALL "}}", "missing-field", "/dungeons/a/anchors"},
        {"{\"a\": {\"anchors\": \"none\", " SMALL "}}", "not-found", "/dungeons/a/anchors"},
        {"{\"a\": {\"anchors\": \"hills\", " SMALL "}}", "slot-mismatch", "/dungeons/a/anchors"},
        {"{\"a\": {\"anchors\": \"gates\"}}", "missing-field", "/dungeons/a/recipe"},
        {"{\"a\": {\"anchors\": \"gates\", \"recipe\": \"dungeon.none\"}}", "unknown-recipe",
         "/dungeons/a/recipe"},
        {"{\"a\": {\"anchors\": \"gates\", \"seed\": \"1\", " SMALL "}}", "unknown-field",
         "/dungeons/a/seed"},
        {"{\"a\": {\"anchors\": \"gates\", \"policy\": \"no\", " SMALL "}}", "out-of-range",
         "/dungeons/a/policy"},
        {"{\"a\": {\"anchors\": \"gates\", \"recipe\": \"dungeon.rooms\", \"params\": {\"width\": "
         "1}}}",
         "out-of-range", "/dungeons/a/params/width"},
        {"{\"a\": {\"anchors\": \"gates\", \"recipe\": \"dungeon.rooms\", \"params\": {\"wide\": "
         "1}}}",
         "unknown-field", "/dungeons/a/params/wide"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        answer of = dark_put(&server, cases[i].dungeons);
        cr_expect_eq(of.status, 422, "%s: %s", cases[i].dungeons, of.body);
        expect_problem(of, 422, cases[i].code, cases[i].pointer);
    }
}

Test(anchors, an_address_that_names_nothing_is_404) {
    static const char *const paths[] = {"crypts",  "crypts:", "crypts:south",
                                        "caves:7", ":7",      "crypts:7:1"};
    char path[200];
    put_well(CRYPTS, path);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        answer of = ask_get(&server, "%s/dungeons/%s", path, paths[i]);
        cr_expect_eq(of.status, 404, "%s: %s", paths[i], of.body);
        answer_free(&of);
    }
    expect_problem(ask_get(&server, "/v1/worlds/forest/dungeons/crypts:7"), 404, "not-found", NULL);
    expect_problem(ask_get(&server, "/v1/worlds/none/dungeons/crypts:7"), 404, "not-found", NULL);
}

Test(anchors, an_id_that_several_points_have_names_none) {
    char path[200];
    gates_put(&server,
              POINTS(POINT("7", "9", "9") "," POINT("7", "8", "8") "," POINT("8", "1", "1")));
    put_well(CRYPTS, path);
    expect_problem(ask_get(&server, "%s/dungeons/crypts:7", path), 404, "not-found", NULL);
    char key[DIGEST_TEXT_BYTES];
    key_of(path, "crypts:8", key);
}
