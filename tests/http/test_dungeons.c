/* SPDX-License-Identifier: MIT
 *
 * test_dungeons.c: dungeons over HTTP: the same bytes under every address and view, kept over
 * restarts and losses, views that parse back to the grid, and what is refused.
 */
#include "api/key/key.h"
#include "tests/support/pause.h"
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOMS "\"recipe\": \"dungeon.rooms\", \"seed\": \"42\""
#define SMALL "{" ROOMS ", \"params\": {\"width\": 48, \"height\": 32}}"
#define IMMUTABLE "public, max-age=31536000, immutable"

TestSuite(dungeons, .init = server_start, .fini = server_stop, .timeout = 60);

static answer post(const char *json) {
    return ask_json(&server, "POST", json, "/v1/dungeons");
}

/* The address of a dungeon that is there or comes to be. */
static void post_path(const char *json, char *path) {
    answer of = post(json);
    const char *location = answer_header(&of, "Location");
    cr_assert(location != NULL, "%d %s", of.status, of.body);
    snprintf(path, 128, "%s", location);
    answer_free(&of);
}

static answer get_as(const char *accept, const char *path) {
    char header[96];
    const char *headers[] = {header, NULL};
    snprintf(header, sizeof header, "Accept: %s", accept);
    return ask(&server, "GET", &(ask_options){.headers = headers}, "%s", path);
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text == NULL ? "" : text;
}

static void expect_same(const answer *a, const answer *b) {
    cr_assert_eq(a->size, b->size);
    cr_expect_eq(memcmp(a->body, b->body, a->size), 0);
}

static void lose_cache(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -f %s/data/cache.db*", server.folder);
    cr_assert_eq(daemon_end(&server), 0);
    cr_assert_eq(system(command), 0);
    server = daemon_start(server.folder, NULL);
}

/* ---- The way -------------------------------------------------------------------------------- */

Test(dungeons, the_first_request_makes_it_and_the_same_one_finds_it) {
    answer first = post(SMALL);
    cr_assert_eq(first.status, 201, "%s", first.body);
    cr_expect_str_eq(answer_header(&first, "Cache-Status"), "loam; fwd=miss; stored");
    answer second = post("{\"params\": {\"height\": 32, \"width\": 48, \"gap\": 2}, " ROOMS "}");
    cr_expect_eq(second.status, 200, "spelt otherwise: %s", second.body);
    cr_expect_str_eq(answer_header(&second, "Cache-Status"), "loam; hit");
    expect_same(&first, &second);
    answer_free(&first);
    answer_free(&second);
}

Test(dungeons, the_document_says_what_was_asked_and_its_key) {
    answer of = post(SMALL);
    json_t *root = answer_json(&of);
    char path[128];
    snprintf(path, sizeof path, "/v1/dungeons/%s", text_of(root, "build_key"));
    cr_expect_str_eq(answer_header(&of, "Location"), path);
    cr_expect_str_eq(text_of(root, "seed"), "42");
    cr_expect_str_eq(text_of(root, "status"), "ok");
    json_t *rows = json_object_get(root, "rows");
    cr_expect_eq(json_array_size(rows), 32);
    cr_expect_eq(strlen(json_string_value(json_array_get(rows, 0))), 48);
    json_decref(root);
    answer_free(&of);
}

Test(dungeons, canonical_bytes_hash_to_their_entity_tag) {
    char path[128];
    post_path(SMALL, path);
    answer canonical = get_as("application/vnd.loam.dungeon", path);
    cr_assert_eq(canonical.status, 200);
    cr_expect_str_eq(answer_header(&canonical, "Content-Type"), "application/vnd.loam.dungeon");
    cr_expect_str_eq(answer_header(&canonical, "Cache-Control"), IMMUTABLE);
    expect_hashes(&canonical);
    answer json = get_as("application/json", path);
    char quoted[96];
    snprintf(quoted, sizeof quoted, "\"%s\"", answer_header(&json, "Loam-Digest"));
    cr_expect_str_eq(answer_header(&canonical, "ETag"), quoted);
    expect_hashes(&json);
    answer_free(&canonical);
    answer_free(&json);
}

Test(dungeons, every_view_is_a_hit_the_second_time_and_304_by_its_tag) {
    static const char *const types[] = {"application/json",
                                        "application/vnd.loam.dungeon",
                                        "text/plain",
                                        "application/vnd.tiled+json",
                                        "application/vnd.ldtk+json",
                                        "image/png",
                                        "image/svg+xml"};
    char path[128];
    post_path(SMALL, path);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char accept[96];
        char match[128];
        const char *headers[] = {accept, match, NULL};
        answer first = get_as(types[i], path);
        answer second = get_as(types[i], path);
        cr_assert_eq(first.status, 200, "%s: %s", types[i], first.body);
        cr_expect_eq(strncmp(answer_header(&first, "Content-Type"), types[i], strlen(types[i])), 0);
        cr_expect_str_eq(answer_header(&second, "Cache-Status"), "loam; hit");
        expect_same(&first, &second);
        expect_hashes(&second);
        snprintf(accept, sizeof accept, "Accept: %s", types[i]);
        snprintf(match, sizeof match, "If-None-Match: %s", answer_header(&first, "ETag"));
        answer third = ask(&server, "GET", &(ask_options){.headers = headers}, "%s", path);
        cr_expect_eq(third.status, 304, "%s", types[i]);
        answer_free(&first);
        answer_free(&second);
        answer_free(&third);
    }
}

Test(dungeons, parts_are_fields_of_the_whole_under_the_stages_digest) {
    static const char *const parts[] = {"layout", "assembly"};
    char path[128];
    post_path(SMALL, path);
    answer of = ask_get(&server, "%s", path);
    json_t *whole = answer_json(&of);
    for (size_t i = 0; i < 2; i++) {
        answer got = ask_get(&server, "%s/%s", path, parts[i]);
        cr_assert_eq(got.status, 200, "%s", got.body);
        cr_expect_str_eq(answer_header(&got, "Cache-Control"), IMMUTABLE);
        json_t *part = answer_json(&got);
        cr_expect_str_eq(text_of(part, "digest"),
                         text_of(json_object_get(whole, "stages"), parts[i]));
        const char *field = i == 0 ? "rows" : "grid";
        cr_expect(json_equal(json_object_get(part, field), json_object_get(whole, field)));
        json_decref(part);
        answer_free(&got);
    }
    json_decref(whole);
    answer_free(&of);
}

Test(dungeons, a_part_of_the_bytes_is_206) {
    char path[128];
    post_path(SMALL, path);
    const char *headers[] = {"Accept: application/vnd.loam.dungeon", "Range: bytes=4-7", NULL};
    answer whole = get_as("application/vnd.loam.dungeon", path);
    answer part = ask(&server, "GET", &(ask_options){.headers = headers}, "%s", path);
    cr_assert_eq(part.status, 206);
    cr_assert_eq(part.size, 4);
    cr_expect_eq(memcmp(part.body, whole.body + 4, 4), 0);
    answer_free(&whole);
    answer_free(&part);
}

Test(dungeons, one_floor_alone_is_that_floor_of_all) {
    static const char *const format =
        "{" ROOMS ", \"params\": {\"width\": 48, \"height\": 32, \"floors\": 3%s}}";
    char json[256];
    snprintf(json, sizeof json, format, "");
    answer all_answer = post(json);
    snprintf(json, sizeof json, format, ", \"floor\": 2");
    answer one_answer = post(json);
    json_t *all = answer_json(&all_answer);
    json_t *one = answer_json(&one_answer);
    cr_expect_eq(json_array_size(json_object_get(all, "floors")), 3);
    json_t *third = json_array_get(json_object_get(all, "floors"), 2);
    cr_expect(json_equal(json_object_get(third, "rows"), json_object_get(one, "rows")));
    json_decref(all);
    json_decref(one);
    answer_free(&all_answer);
    answer_free(&one_answer);
}

enum { TOGETHER = 8 };

static void *post_large(void *status) {
    answer of = post("{" ROOMS ", \"params\": {\"width\": 512, \"height\": 512, \"rooms\": 300}}");
    *(int *)status = of.status;
    answer_free(&of);
    return NULL;
}

Test(dungeons, it_is_built_once_however_many_ask_at_once) {
    pthread_t threads[TOGETHER];
    int statuses[TOGETHER] = {0};
    int created = 0;
    for (int i = 0; i < TOGETHER; i++) {
        cr_assert_eq(pthread_create(&threads[i], NULL, post_large, &statuses[i]), 0);
    }
    for (int i = 0; i < TOGETHER; i++) {
        pthread_join(threads[i], NULL);
        cr_expect(statuses[i] == 200 || statuses[i] == 201, "%d", statuses[i]);
        created += statuses[i] == 201;
    }
    cr_expect_eq(created, 1);
    cr_expect_eq((int)daemon_metric(&server, "loam_dungeons_built_total"), 1);
}

/* ---- Kept ----------------------------------------------------------------------------------- */

Test(dungeons, a_restart_keeps_it_and_a_lost_cache_is_built_again) {
    char path[128];
    post_path(SMALL, path);
    answer before = get_as("application/vnd.loam.dungeon", path);
    cr_assert_eq(daemon_end(&server), 0);
    server = daemon_start(server.folder, NULL);
    answer after = get_as("application/vnd.loam.dungeon", path);
    cr_expect_str_eq(answer_header(&after, "Cache-Status"), "loam; hit");
    expect_same(&before, &after);
    lose_cache();
    answer again = get_as("application/vnd.loam.dungeon", path);
    cr_expect_str_eq(answer_header(&again, "Cache-Status"), "loam; fwd=miss; stored");
    expect_same(&before, &again);
    answer_free(&before);
    answer_free(&after);
    answer_free(&again);
}

Test(dungeons, without_patience_it_is_made_behind_a_202) {
    const char *headers[] = {"Prefer: respond-async", NULL};
    const char *json = "{" ROOMS ", \"params\": {\"width\": 128, \"height\": 128}}";
    answer late = ask(&server, "POST",
                      &(ask_options){.headers = headers, .body = json, .type = "application/json"},
                      "/v1/dungeons");
    cr_assert_eq(late.status, 202, "%s", late.body);
    cr_expect_str_eq(answer_header(&late, "Cache-Control"), "no-store");
    cr_expect_not_null(answer_header(&late, "Retry-After"));
    char path[128];
    snprintf(path, sizeof path, "%s", answer_header(&late, "Location"));
    answer done = ask_get(&server, "%s", path);
    for (int i = 0; i < 100 && done.status == 404; i++) { /* kept once it is built */
        pause_ms(50);
        answer_free(&done);
        done = ask_get(&server, "%s", path);
    }
    cr_expect_eq(done.status, 200);
    answer_free(&late);
    answer_free(&done);
}

Test(dungeons, documents_of_rules_are_assets_by_name_or_digest) {
    answer put = ask_json(&server, "PUT", "{\"rules\": []}", "/v1/assets/none?kind=rules");
    cr_assert_eq(put.status, 201, "%s", put.body);
    answer by_name = post("{" ROOMS ", \"content\": \"none\"}");
    cr_expect_eq(by_name.status, 201, "%s", by_name.body);
    answer by_value = post("{" ROOMS ", \"content\": {\"rules\": []}}");
    cr_expect_eq(by_value.status, 200, "%s", by_value.body);
    cr_expect_str_eq(answer_header(&by_name, "Loam-Content-Key"),
                     answer_header(&by_value, "Loam-Content-Key"));
    answer_free(&put);
    answer_free(&by_name);
    answer_free(&by_value);
}

/* ---- Views ---------------------------------------------------------------------------------- */

/* 1 where the rows have a wall, 0 elsewhere. */
static int is_wall(json_t *rows, size_t x, size_t y) {
    return json_string_value(json_array_get(rows, y))[x] == '#';
}

static json_t *find_layer(json_t *layers, const char *key, const char *value) {
    size_t i;
    json_t *layer;
    json_array_foreach(layers, i, layer) {
        if (strcmp(text_of(layer, key), value) == 0) {
            return layer;
        }
    }
    cr_assert(0, "no layer whose %s is %s", key, value);
    return NULL;
}

/* The JSON document and another view of one dungeon. */
static json_t *document_of(const char *path, const char *type) {
    answer of = get_as(type, path);
    cr_assert_eq(of.status, 200, "%s", of.body);
    json_t *root = answer_json(&of);
    answer_free(&of);
    return root;
}

enum { GID_FLAGS = 0x70000000 };

Test(dungeons, a_tiled_map_has_the_grid_of_the_document) {
    char path[128];
    post_path(SMALL, path);
    json_t *root = document_of(path, "application/json");
    json_t *map = document_of(path, "application/vnd.tiled+json");
    json_t *grid = json_object_get(root, "grid");
    json_t *data =
        json_object_get(find_layer(json_object_get(map, "layers"), "type", "tilelayer"), "data");
    cr_assert_eq(json_array_size(data), 48 * 32);
    /* Cells with the same palette index have the same gid, and the other way round. */
    json_int_t gids[256] = {0};
    for (size_t i = 0; i < 48 * 32; i++) {
        json_int_t index = json_integer_value(json_array_get(json_array_get(grid, i / 48), i % 48));
        json_int_t gid = json_integer_value(json_array_get(data, i));
        cr_assert(index < 256 && gid >= 0 && gid <= UINT32_MAX);
        if (index < 0) {
            cr_expect_eq(gid, 0);
            continue;
        }
        cr_expect_neq(gid, 0);
        cr_expect(gids[index] == 0 || gids[index] == gid);
        gids[index] = gid;
    }
    for (size_t i = 0; i < 256; i++) {
        for (size_t j = 0; j < i && gids[i] != 0; j++) {
            cr_expect_neq(gids[i], gids[j]);
        }
    }
    json_decref(root);
    json_decref(map);
}

Test(dungeons, an_ldtk_project_has_the_walls_of_the_document) {
    char path[128];
    post_path(SMALL, path);
    json_t *root = document_of(path, "application/json");
    json_t *project = document_of(path, "application/vnd.ldtk+json");
    json_t *rows = json_object_get(root, "rows");
    json_t *level = json_array_get(json_object_get(project, "levels"), 0);
    json_t *cells = json_object_get(
        find_layer(json_object_get(level, "layerInstances"), "__type", "IntGrid"), "intGridCsv");
    cr_assert_eq(json_array_size(cells), 48 * 32);
    for (size_t i = 0; i < 48 * 32; i++) {
        int wall = json_integer_value(json_array_get(cells, i)) == 1;
        cr_assert_eq(wall, is_wall(rows, i % 48, i / 48), "cell %zu", i);
    }
    json_decref(root);
    json_decref(project);
}

/* Every field of `real` that the view has too has the same JSON type there. */
static void expect_types(json_t *real, json_t *view, const char *what) {
    const char *key;
    json_t *value;
    json_object_foreach(view, key, value) {
        json_t *model = json_object_get(real, key);
        cr_expect(model != NULL, "%s has no field \"%s\"", what, key);
        bool number = json_is_number(model) && json_is_number(value);
        bool flag = json_is_boolean(model) && json_is_boolean(value);
        bool same = model != NULL && json_typeof(model) == json_typeof(value);
        cr_expect(number || flag || same || json_is_null(model) || json_is_null(value),
                  "%s: \"%s\" has another type", what, key);
    }
}

Test(dungeons, an_ldtk_project_has_the_fields_of_a_real_one) {
    const char *folder = getenv("LOAM_TEST_DATA");
    char file[512];
    if (folder == NULL || folder[0] == 0) {
        fprintf(stderr, "LOAM_TEST_DATA is not set: fields are not compared with a real project\n");
        return;
    }
    snprintf(file, sizeof file,
             "%s/tiles/ldtk/"
             "Typical_TopDown_example.ldtk",
             folder);
    json_t *real = json_load_file(file, 0, NULL);
    cr_assert(real != NULL, "%s", file);
    char path[128];
    post_path(SMALL, path);
    json_t *view = document_of(path, "application/vnd.ldtk+json");
    expect_types(real, view, "the project");
    json_t *real_level = json_array_get(json_object_get(real, "levels"), 0);
    json_t *level = json_array_get(json_object_get(view, "levels"), 0);
    expect_types(real_level, level, "a level");
    json_t *real_layer =
        find_layer(json_object_get(real_level, "layerInstances"), "__type", "IntGrid");
    json_t *layer = find_layer(json_object_get(level, "layerInstances"), "__type", "IntGrid");
    expect_types(real_layer, layer, "a layer");
    json_decref(real);
    json_decref(view);
}

/* Each attribute of an element of the XML form is a field of the JSON form. */
static void expect_attributes(const char *xml, const char *element, json_t *view) {
    const char *at = strstr(xml, element);
    cr_assert_not_null(at, "%s", element);
    const char *end = strchr(at, '>');
    at += strlen(element);
    uint32_t count = 0;
    for (char name[32]; at < end && sscanf(at, " %31[a-z]=\"", name) == 1; count++) {
        cr_expect(json_object_get(view, name) != NULL, "%s has no field \"%s\"", element, name);
        at = strchr(strchr(at, '"') + 1, '"') + 1;
    }
    cr_expect_gt(count, 3);
}

Test(dungeons, a_tiled_map_has_the_fields_of_a_real_one) {
    const char *folder = getenv("LOAM_TEST_DATA");
    static char xml[65536];
    char path[512];
    if (folder == NULL || folder[0] == 0) {
        fprintf(stderr, "LOAM_TEST_DATA is not set: fields are not compared with a real map\n");
        return;
    }
    snprintf(path, sizeof path, "%s/tiles/tiled/orthogonal-outside.tmx", folder);
    FILE *file = fopen(path, "re");
    cr_assert(file != NULL, "%s", path);
    xml[fread(xml, 1, sizeof xml - 1, file)] = 0;
    fclose(file);
    post_path(SMALL, path);
    json_t *map = document_of(path, "application/vnd.tiled+json");
    expect_attributes(xml, "<map", map);
    expect_attributes(xml, "<layer",
                      find_layer(json_object_get(map, "layers"), "type", "tilelayer"));
    json_decref(map);
}

/* ---- What is refused ------------------------------------------------------------------------ */

Test(dungeons, a_request_that_is_wrong_is_told_where) {
    static const struct {
        const char *json;
        int status;
        const char *code;
        const char *pointer;
    } wrong[] = {
        {"{", 400, "malformed", NULL},
        {"{\"recipe\": \"dungeon.rooms\"}", 422, "missing-field", "/seed"},
        {"{\"recipe\": \"dungeon.rooms\", \"seed\": 42}", 422, "seed-out-of-range", "/seed"},
        {"{\"recipe\": \"dungeon.none\", \"seed\": \"1\"}", 422, "unknown-recipe", "/recipe"},
        {"{\"recipe\": \"heightmap.fbm\", \"seed\": \"1\"}", 422, "out-of-range", "/recipe"},
        {"{" ROOMS ", \"version\": 9}", 409, "version-unavailable", "/version"},
        {"{" ROOMS ", \"policy\": \"lenient\"}", 422, "out-of-range", "/policy"},
        {"{" ROOMS ", \"sead\": \"1\"}", 422, "unknown-field", "/sead"},
        {"{" ROOMS ", \"params\": {\"wdith\": 9}}", 422, "unknown-field", "/params/wdith"},
        {"{" ROOMS ", \"params\": {\"width\": 99999}}", 422, "out-of-range", "/params/width"},
        {"{" ROOMS ", \"params\": {\"floors\": 2, \"floor\": 2}}", 422, "out-of-range",
         "/params/floor"},
        {"{" ROOMS ", \"secret_seed\": 9}", 422, "seed-out-of-range", "/secret_seed"},
        {"{" ROOMS ", \"content\": \"nobody\"}", 422, "not-found", "/content"},
        {"{" ROOMS ", \"content\": {\"rulez\": []}}", 422, "unknown-field", "/content/rulez"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fprintf(stderr, "%s\n", wrong[i].json);
        expect_problem(post(wrong[i].json), wrong[i].status, wrong[i].code, wrong[i].pointer);
    }
}

Test(dungeons, what_cannot_be_is_refused_before_it_runs_with_its_bound) {
    answer of =
        post("{" ROOMS ", \"policy\": \"strict\", \"params\": {\"width\": 64, \"height\": 64,"
             " \"rooms\": 100, \"room_min\": 8, \"room_max\": 8, \"gap\": 2}}");
    cr_assert_eq(of.status, 422, "%s", of.body);
    cr_expect_not_null(strstr(of.body, "\"code\":\"infeasible\""), "%s", of.body);
    cr_expect_not_null(strstr(of.body, "36"), "%s", of.body);
    cr_expect_eq((int)daemon_metric(&server, "loam_dungeon_misses_total"), 0);
    answer_free(&of);
}

Test(dungeons, a_strict_one_that_no_attempt_reaches_says_why_and_is_not_kept) {
    const char *json = "{" ROOMS ", \"policy\": \"strict\", \"params\": {\"width\": 48, "
                       "\"height\": 32, \"checks\": {\"min_loops\": 99}}}";
    for (int i = 0; i < 2; i++) {
        answer of = post(json);
        cr_expect_eq(of.status, 422, "%s", of.body);
        cr_expect_not_null(strstr(of.body, "\"code\":\"not-achieved\""), "%s", of.body);
        cr_expect_not_null(strstr(of.body, "loops"), "%s", of.body);
        answer_free(&of);
    }
}

Test(dungeons, an_unknown_key_is_404_and_a_cell_is_no_dungeon) {
    static const char none[] =
        "/v1/dungeons/sha256-0000000000000000000000000000000000000000000000000000000000000000";
    forest_put(&server);
    answer cell = ask_get(&server, "/v1/worlds/forest/cells/0/1/2/trees");
    cr_assert_eq(cell.status, 200);
    expect_problem(ask_get(&server, "/v1/dungeons/%s", answer_header(&cell, "Loam-Build-Key")), 404,
                   "not-found", NULL);
    expect_problem(ask_get(&server, "%s", none), 404, "not-found", NULL);
    expect_problem(ask_get(&server, "/v1/dungeons/x"), 404, "not-found", NULL);
    char path[128];
    post_path(SMALL, path);
    expect_problem(get_as("text/html", path), 406, "not-acceptable", NULL);
    answer_free(&cell);
}
