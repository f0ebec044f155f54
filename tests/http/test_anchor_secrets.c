/* SPDX-License-Identifier: MIT
 *
 * test_anchor_secrets.c: the parts of a world's dungeons, what a world may bind to be hidden in
 * them, and that nothing public tells of it. What is hidden is drawn once.
 */
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define GATES                                                                                      \
    "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Feature\", \"id\": 7, "         \
    "\"properties\": {}, \"geometry\": {\"type\": \"Point\", \"coordinates\": [5, 6]}}]}"
#define CRYPTS(rest)                                                                               \
    "{\"crypts\": {\"anchors\": \"gates\", \"recipe\": \"dungeon.rooms\", \"params\": "            \
    "{\"width\": 64, \"height\": 48}" rest "}}"
#define LOOT(kind, permille)                                                                       \
    "{\"rules\": [{\"name\": \"loot\", \"object\": \"" kind "\", \"where\": \"any\", "             \
    "\"chance_permille\": " permille "}]}"
#define ENCOUNTER                                                                                  \
    "{\"spawn\": \"%s\", \"player\": {\"level\": 3}, \"table\": {\"base\": 10, "                   \
    "\"coefficient_permille\": 400, \"threat\": {\"level_weight\": 10}, \"pools\": "               \
    "[{\"archetype\": \"slime\", \"min\": 1, \"max\": 1000, \"weight\": 1}]}}"
#define NEWEST "/v1/worlds/dark/dungeons/crypts:7"

static void start(void) {
    server_start_forest();
    gates_put(&server, GATES);
}

TestSuite(anchor_secrets, .init = start, .fini = server_stop, .timeout = 60);

/* The world's document, and the address of its dungeon in this revision. */
static answer put_well(const char *dungeons, char path[256]) {
    answer of = dark_put(&server, dungeons);
    cr_assert(of.status == 200 || of.status == 201, "%d %s", of.status, of.body);
    snprintf(path, 256, "%s/dungeons/crypts:7", answer_header(&of, "Content-Location"));
    return of;
}

static void put_quietly(const char *dungeons, char path[256]) {
    answer of = put_well(dungeons, path);
    answer_free(&of);
}

static answer get_well(const char *base, const char *part) {
    answer of = ask_get(&server, "%s%s", base, part);
    cr_assert_eq(of.status, 200, "%s%s: %s", base, part, of.body);
    return of;
}

static void expect_same(answer a, answer b, bool same, const char *what) {
    bool equal = a.size == b.size && memcmp(a.body, b.body, a.size) == 0;
    cr_expect_eq(equal, same, "%s: %s", what, same ? "differs" : "is the same");
    answer_free(&a);
    answer_free(&b);
}

static void field_of(const answer *of, const char *field, char text[128]) {
    json_t *root = answer_json(of);
    const char *value = json_string_value(json_object_get(root, field));
    cr_assert_not_null(value, "%s", field);
    snprintf(text, 128, "%s", value);
    json_decref(root);
}

/* ---- Parts ---------------------------------------------------------------------------------- */

Test(anchor_secrets, the_parts_under_an_anchor_are_those_of_its_build_key) {
    static const char *const parts[] = {"/layout", "/assembly", "/content", "/spawns"};
    char path[256];
    char own[256];
    char key[128];
    put_quietly(CRYPTS(""), path);
    answer whole = get_well(path, "");
    field_of(&whole, "build_key", key);
    answer_free(&whole);
    snprintf(own, sizeof own, "/v1/dungeons/%s", key);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        expect_same(get_well(path, parts[i]), get_well(own, parts[i]), true, parts[i]);
        answer of = get_well(NEWEST, parts[i]);
        char location[300];
        snprintf(location, sizeof location, "%s%s", path, parts[i]);
        cr_expect_str_eq(answer_header(&of, "Content-Location"), location);
        answer_free(&of);
    }
}

Test(anchor_secrets, parts_are_answered_from_memory_and_by_their_tag) {
    static const char *const parts[] = {"", "/layout", "/assembly", "/content", "/spawns"};
    char path[256];
    put_quietly(CRYPTS(""), path);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        answer first = get_well(path, parts[i]);
        double hits = daemon_metric(&server, "loam_cache_hits_total{layer=\"ram\"}");
        answer second = get_well(path, parts[i]);
        cr_expect_str_eq(answer_header(&second, "Cache-Status"), "loam; hit", "%s", parts[i]);
        cr_expect_eq(daemon_metric(&server, "loam_cache_hits_total{layer=\"ram\"}"), hits + 1);
        char match[128];
        const char *headers[] = {match, NULL};
        snprintf(match, sizeof match, "If-None-Match: %s", answer_header(&first, "ETag"));
        answer third =
            ask(&server, "GET", &(ask_options){.headers = headers}, "%s%s", path, parts[i]);
        cr_expect_eq(third.status, 304);
        expect_hashes(&first);
        expect_same(first, second, true, parts[i]);
        answer_free(&third);
    }
}

/* ---- What is hidden ------------------------------------------------------------------------- */

Test(anchor_secrets, the_public_is_the_same_for_every_secret_and_all_rules) {
    static const char *const bound[] = {
        CRYPTS(""),
        CRYPTS(", \"secret_seed\": \"90210\""),
        CRYPTS(", \"secret_seed\": \"90211\", \"content\": " LOOT("chest", "77")),
        CRYPTS(", \"secret_seed\": \"90211\", \"content\": " LOOT("pillar", "78")),
    };
    static const char *const parts[] = {"", "/layout", "/assembly"};
    static const char *const words[] = {"90210", "90211", "secret", "loot", "chest", "content"};
    char first[256];
    char path[256];
    answer was[4];
    was[3] = put_well(bound[0], first);
    for (size_t j = 0; j < 3; j++) {
        was[j] = get_well(first, parts[j]);
    }
    for (size_t i = 1; i < sizeof bound / sizeof *bound; i++) {
        answer world = put_well(bound[i], path);
        cr_expect_str_eq(path, first, "no revision tells of it");
        cr_expect_str_eq(world.body, was[3].body);
        for (size_t j = 0; j < sizeof words / sizeof *words; j++) {
            cr_expect(strstr(world.body, words[j]) == NULL, "%s", words[j]);
        }
        answer_free(&world);
        for (size_t j = 0; j < 3; j++) {
            answer now = get_well(path, parts[j]);
            cr_expect_str_eq(now.body, was[j].body, "%s", parts[j]);
            cr_expect_str_eq(answer_header(&now, "ETag"), answer_header(&was[j], "ETag"));
            cr_expect_null(answer_header(&now, "Loam-Content-Key"));
            answer_free(&now);
        }
    }
    for (size_t j = 0; j < 4; j++) {
        answer_free(&was[j]);
    }
}

Test(anchor_secrets, a_world_says_what_is_hidden_in_its_dungeons_and_keeps_it) {
    char path[256];
    put_quietly(CRYPTS(""), path);
    answer plain = get_well(path, "/content");
    put_quietly(CRYPTS(", \"secret_seed\": \"5\""), path);
    answer secret = get_well(path, "/content");
    put_quietly(CRYPTS(", \"secret_seed\": \"5\", \"content\": " LOOT("chest", "77")), path);
    answer rules = get_well(path, "/content");
    cr_expect_str_neq(plain.body, secret.body);
    cr_expect_str_neq(secret.body, rules.body);
    cr_expect_str_eq(answer_header(&rules, "Cache-Control"), "private, no-cache");
    char key[128];
    char named[160];
    field_of(&rules, "content_key", key);
    snprintf(named, sizeof named, "/content?content=%s", key);
    cr_assert_eq(daemon_end(&server), 0);
    server = daemon_start(server.folder, NULL);
    answer by_key = get_well(path, named);
    cr_expect_str_eq(answer_header(&by_key, "Cache-Control"),
                     "private, max-age=31536000, immutable");
    cr_expect_str_eq(by_key.body, rules.body);
    expect_same(get_well(path, "/content"), rules, true, "after a restart");
    expect_problem(ask_get(&server, "/v1/worlds/dark/dungeons/crypts:8%s", named), 404, "not-found",
                   NULL);
    put_quietly(CRYPTS(""), path);
    expect_same(get_well(path, "/content"), plain, true, "a PUT says it anew");
    answer_free(&by_key);
    answer_free(&secret);
}

Test(anchor_secrets, rules_may_be_those_of_an_asset) {
    char path[256];
    answer asset = ask_json(&server, "PUT", LOOT("chest", "77"), "/v1/assets/loot?kind=rules");
    cr_assert_eq(asset.status, 201, "%s", asset.body);
    put_quietly(CRYPTS(", \"content\": \"loot\""), path);
    answer named = get_well(path, "/content");
    put_quietly(CRYPTS(", \"content\": " LOOT("chest", "77")), path);
    expect_same(get_well(path, "/content"), named, true, "the same rules");
    answer_free(&asset);
}

Test(anchor_secrets, an_encounter_under_an_anchor_is_that_of_its_world) {
    char path[256];
    char json[1024];
    put_quietly(CRYPTS(""), path);
    answer spawns = get_well(path, "/spawns");
    json_t *list = answer_json(&spawns);
    const char *id = json_string_value(json_object_get(json_array_get(list, 0), "id"));
    cr_assert_not_null(id);
    snprintf(json, sizeof json, ENCOUNTER, id);
    answer first = ask_json(&server, "POST", json, "%s/encounters", path);
    cr_assert_eq(first.status, 200, "%s", first.body);
    cr_expect_str_eq(answer_header(&first, "Cache-Control"), "no-store");
    expect_same(first, ask_json(&server, "POST", json, NEWEST "/encounters"), true, "the newest");
    json_decref(list);
    answer_free(&spawns);
}

/* ---- Drawn once ----------------------------------------------------------------------------- */

Test(anchor_secrets, content_is_drawn_once_whatever_asks_for_it) {
    char path[256];
    char key[128];
    put_quietly(CRYPTS(""), path);
    answer content = get_well(path, "/content");
    field_of(&content, "build_key", key);
    expect_same(get_well(NEWEST, "/content"), content, true, "the newest");
    char own[256];
    snprintf(own, sizeof own, "/v1/dungeons/%s", key);
    answer spawns = get_well(own, "/spawns");
    answer again = get_well(path, "/spawns");
    cr_expect_eq((int)daemon_metric(&server, "loam_contents_built_total"), 1);
    expect_same(spawns, again, true, "spawns");
    cr_assert_eq(daemon_end(&server), 0);
    server = daemon_start(server.folder, NULL);
    answer later = get_well(own, "/spawns");
    cr_expect_eq((int)daemon_metric(&server, "loam_contents_built_total"), 0, "it was stored");
    cr_expect_eq((int)daemon_metric(&server, "loam_dungeons_built_total"), 0);
    answer_free(&later);
}

/* ---- Refused -------------------------------------------------------------------------------- */

Test(anchor_secrets, without_the_server_scope_nothing_hidden_is_answered_or_bound) {
    static const char *const args[] = {"--anonymous-scopes", "read,generate,upload", NULL};
    static const char *const parts[] = {"/content", "/spawns"};
    char path[256];
    put_quietly(CRYPTS(", \"secret_seed\": \"5\""), path);
    answer before = get_well(path, "");
    cr_assert_eq(daemon_end(&server), 0);
    server = daemon_start(server.folder, args);
    for (size_t i = 0; i < 2; i++) {
        expect_problem(ask_get(&server, "%s%s", path, parts[i]), 403, "forbidden", NULL);
        expect_problem(ask_get(&server, NEWEST "%s", parts[i]), 403, "forbidden", NULL);
    }
    expect_problem(ask_json(&server, "POST", "{}", "%s/encounters", path), 403, "forbidden", NULL);
    expect_problem(dark_put(&server, CRYPTS(", \"secret_seed\": \"5\"")), 403, "forbidden",
                   "/dungeons/crypts/secret_seed");
    expect_same(get_well(path, ""), before, true, "the public");
}

Test(anchor_secrets, what_is_hidden_is_checked_when_the_world_is_put) {
    static const struct {
        const char *dungeons, *code, *pointer;
    } cases[] = {
        {CRYPTS(", \"secret_seed\": 5"), "seed-out-of-range", "/dungeons/crypts/secret_seed"},
        {CRYPTS(", \"content\": \"none\""), "not-found", "/dungeons/crypts/content"},
        {CRYPTS(", \"content\": {\"rulez\": []}"), "unknown-field",
         "/dungeons/crypts/content/rulez"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_problem(dark_put(&server, cases[i].dungeons), 422, cases[i].code, cases[i].pointer);
    }
}
