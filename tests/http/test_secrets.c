/* SPDX-License-Identifier: MIT
 *
 * test_secrets.c: what dungeons hide: it depends on rules and secret, the public does not, and only
 * who has the server scope gets to see it. Encounters are a pure function.
 */
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ROOMS                                                                                      \
    "\"recipe\": \"dungeon.rooms\", \"seed\": \"42\", \"params\": {\"width\": 64, \"height\": 48}"
#define CHESTS                                                                                     \
    ", \"content\": {\"rules\": [{\"name\": \"loot\", \"object\": \"chest\", \"where\": \"any\", " \
    "\"chance_permille\": 20}, {\"name\": \"nests\", \"object\": \"spawn_nest\", \"where\": "      \
    "\"any\", \"chance_permille\": 20}]}"
#define TABLE                                                                                      \
    "{\"base\": 10, \"coefficient_permille\": 400, \"threat\": {\"level_weight\": 100000}, "       \
    "\"pools\": [{\"archetype\": \"slime\", \"min\": 1, \"max\": 11, \"weight\": 1}, "             \
    "{\"archetype\": \"goblin\", \"min\": 12, \"max\": 99, \"weight\": 1}]}"

TestSuite(secrets, .init = server_start, .fini = server_stop, .timeout = 60);

/* A posted dungeon: its address, the content key, and the public document. */
typedef struct posted {
    char path[128];
    char content_key[96];
    answer document;
} posted;

static posted post(const char *json) {
    posted got = {.document = ask_json(&server, "POST", json, "/v1/dungeons")};
    cr_assert(got.document.status == 201 || got.document.status == 200, "%s", got.document.body);
    snprintf(got.path, sizeof got.path, "%s", answer_header(&got.document, "Location"));
    const char *key = answer_header(&got.document, "Loam-Content-Key");
    snprintf(got.content_key, sizeof got.content_key, "%s", key == NULL ? "" : key);
    return got;
}

static void expect_same_body(const answer *a, const answer *b, const char *what) {
    cr_assert(a->status < 300 && b->status < 300, "%s", what);
    cr_assert_eq(a->size, b->size, "%s", what);
    cr_expect_eq(memcmp(a->body, b->body, a->size), 0, "%s", what);
}

/* ---- The public never knows ----------------------------------------------------------------- */

Test(secrets, the_public_is_the_same_for_every_secret_and_every_content) {
    static const char *const bodies[] = {
        "{" ROOMS ", \"secret_seed\": \"1\"}",
        "{" ROOMS ", \"secret_seed\": \"2\"}",
        "{" ROOMS CHESTS ", \"secret_seed\": \"1\"}",
        "{" ROOMS CHESTS "}",
    };
    static const char *const rest[] = {"", "/layout", "/assembly"};
    posted first = post("{" ROOMS "}");
    answer public[3];
    for (size_t j = 0; j < 3; j++) {
        public[j] = ask_get(&server, "%s%s", first.path, rest[j]);
        cr_assert_eq(public[j].status, 200);
    }
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        posted other = post(bodies[i]);
        cr_expect_str_eq(other.path, first.path);
        cr_expect_str_neq(other.content_key, first.content_key);
        expect_same_body(&first.document, &other.document, bodies[i]);
        for (size_t j = 0; j < 3; j++) {
            answer again = ask_get(&server, "%s%s", other.path, rest[j]);
            expect_same_body(&public[j], &again, rest[j]);
            cr_expect_str_eq(answer_header(&again, "ETag"), answer_header(&public[j], "ETag"));
            cr_expect_null(answer_header(&again, "Loam-Content-Key"));
            answer_free(&again);
        }
        answer_free(&other.document);
    }
    for (size_t j = 0; j < 3; j++) {
        answer_free(&public[j]);
    }
    answer_free(&first.document);
}

Test(secrets, no_public_view_names_what_is_hidden) {
    static const char *const types[] = {"application/json", "application/vnd.tiled+json",
                                        "application/vnd.ldtk+json", "image/svg+xml", "text/plain"};
    static const char *const words[] = {"patrol", "ambush", "nest",   "chest",
                                        "trap",   "route",  "guards", "secret"};
    posted got = post("{" ROOMS CHESTS ", \"secret_seed\": \"3\"}");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char header[96];
        const char *headers[] = {header, NULL};
        snprintf(header, sizeof header, "Accept: %s", types[i]);
        answer of = ask(&server, "GET", &(ask_options){.headers = headers}, "%s", got.path);
        cr_assert_eq(of.status, 200);
        for (size_t j = 0; j < sizeof words / sizeof *words; j++) {
            cr_expect(strstr(of.body, words[j]) == NULL, "%s in %s", words[j], types[i]);
        }
        cr_expect(strstr(of.body, got.content_key) == NULL, "the content key in %s", types[i]);
        answer_free(&of);
    }
    answer_free(&got.document);
}

/* ---- What is hidden ------------------------------------------------------------------------- */

Test(secrets, content_is_named_by_its_key_and_private) {
    posted one = post("{" ROOMS CHESTS ", \"secret_seed\": \"1\"}");
    posted two = post("{" ROOMS CHESTS ", \"secret_seed\": \"2\"}");
    answer first = ask_get(&server, "%s/content?content=%s", one.path, one.content_key);
    answer again = ask_get(&server, "%s/content?content=%s", one.path, one.content_key);
    answer other = ask_get(&server, "%s/content?content=%s", two.path, two.content_key);
    cr_assert_eq(first.status, 200, "%s", first.body);
    cr_expect_str_eq(answer_header(&first, "Cache-Control"),
                     "private, max-age=31536000, immutable");
    expect_hashes(&first);
    expect_same_body(&first, &again, "the same question");
    json_t *a = answer_json(&first);
    json_t *b = answer_json(&other);
    cr_expect_gt(json_array_size(json_object_get(a, "objects")), 0);
    cr_expect(!json_equal(json_object_get(a, "objects"), json_object_get(b, "objects")));
    cr_expect_str_eq(json_string_value(json_object_get(a, "content_key")), one.content_key);
    json_decref(a);
    json_decref(b);
    answer_free(&first);
    answer_free(&again);
    answer_free(&other);
    answer_free(&one.document);
    answer_free(&two.document);
}

Test(secrets, without_a_key_it_is_the_default_content_of_the_daemons_own_secret) {
    posted got = post("{" ROOMS "}");
    answer plain = ask_get(&server, "%s/spawns", got.path);
    answer named = ask_get(&server, "%s/spawns?content=%s", got.path, got.content_key);
    cr_assert_eq(plain.status, 200, "%s", plain.body);
    cr_expect_str_eq(answer_header(&plain, "Cache-Control"), "private, no-cache");
    expect_same_body(&plain, &named, "the default's own key");
    json_t *spawns = answer_json(&plain);
    cr_expect_gt(json_array_size(spawns), 0);
    cr_expect(json_is_string(json_object_get(json_array_get(spawns, 0), "id")));
    json_decref(spawns);
    answer_free(&plain);
    answer_free(&named);
    answer_free(&got.document);
}

Test(secrets, content_and_the_daemons_secret_survive_a_restart) {
    posted got = post("{" ROOMS CHESTS "}");
    answer before = ask_get(&server, "%s/content?content=%s", got.path, got.content_key);
    answer plain = ask_get(&server, "%s/content", got.path);
    cr_assert_eq(daemon_end(&server), 0);
    char file[160];
    struct stat info;
    snprintf(file, sizeof file, "%s/data/keys/dungeons", server.folder);
    cr_assert_eq(stat(file, &info), 0);
    cr_expect_eq(info.st_mode & 0777, 0600);
    cr_expect_eq(info.st_size, 32);
    server = daemon_start(server.folder, NULL);
    answer after = ask_get(&server, "%s/content?content=%s", got.path, got.content_key);
    answer plain_after = ask_get(&server, "%s/content", got.path);
    expect_same_body(&before, &after, "by its key");
    expect_same_body(&plain, &plain_after, "the default");
    answer_free(&before);
    answer_free(&after);
    answer_free(&plain);
    answer_free(&plain_after);
    answer_free(&got.document);
}

Test(secrets, two_daemons_hide_different_things_in_the_same_dungeon) {
    posted got = post("{" ROOMS "}");
    answer here = ask_get(&server, "%s/content", got.path);
    test_daemon second = daemon_start(NULL, NULL);
    answer made = ask_json(&second, "POST", "{" ROOMS "}", "/v1/dungeons");
    cr_expect_str_eq(answer_header(&made, "Location"), got.path);
    expect_same_body(&got.document, &made, "the public document");
    answer there = ask_get(&second, "%s/content", got.path);
    cr_expect_str_neq(here.body, there.body);
    answer_free(&made);
    answer_free(&here);
    answer_free(&there);
    answer_free(&got.document);
    cr_expect_eq(daemon_end(&second), 0);
    daemon_remove_folder(&second);
}

Test(secrets, a_key_of_another_dungeon_opens_nothing) {
    posted one = post("{" ROOMS CHESTS "}");
    posted other = post("{\"recipe\": \"dungeon.rooms\", \"seed\": \"43\"}");
    expect_problem(ask_get(&server, "%s/content?content=%s", other.path, one.content_key), 404,
                   "not-found", NULL);
    expect_problem(ask_get(&server, "%s/spawns?content=x", one.path), 422, "out-of-range", NULL);
    expect_problem(ask_get(&server, "/v1/dungeons/%s", one.content_key), 404, "not-found", NULL);
    answer_free(&one.document);
    answer_free(&other.document);
}

/* ---- Scopes --------------------------------------------------------------------------------- */

Test(secrets, without_the_server_scope_nothing_hidden_is_answered) {
    static const char *const args[] = {"--anonymous-scopes", "read,generate", NULL};
    posted got = post("{" ROOMS "}");
    cr_assert_eq(daemon_end(&server), 0);
    server = daemon_start(server.folder, args);
    expect_problem(ask_get(&server, "%s/content", got.path), 403, "forbidden", NULL);
    expect_problem(ask_get(&server, "%s/spawns", got.path), 403, "forbidden", NULL);
    expect_problem(ask_get(&server, "%s/content?content=%s", got.path, got.content_key), 403,
                   "forbidden", NULL);
    expect_problem(ask_json(&server, "POST", "{}", "%s/encounters", got.path), 403, "forbidden",
                   NULL);
    expect_problem(ask_json(&server, "POST", "{" ROOMS ", \"secret_seed\": \"1\"}", "/v1/dungeons"),
                   403, "forbidden", "/secret_seed");
    expect_problem(ask_json(&server, "PUT", "{\"rules\": []}", "/v1/assets/x?kind=rules"), 403,
                   "forbidden", NULL);
    answer again = ask_json(&server, "POST", "{" ROOMS "}", "/v1/dungeons");
    cr_expect_eq(again.status, 200, "%s", again.body);
    cr_expect_null(answer_header(&again, "Loam-Content-Key"));
    expect_same_body(&got.document, &again, "with fewer rights");
    answer public = ask_get(&server, "%s", got.path);
    cr_expect_eq(public.status, 200);
    answer_free(&public);
    answer_free(&again);
    answer_free(&got.document);
}

/* ---- Encounters ----------------------------------------------------------------------------- */

static answer encounter(const posted *of, const char *spawn, const char *rest) {
    char json[2048];
    snprintf(json, sizeof json, "{\"spawn\": \"%s\", \"table\": " TABLE ", %s}", spawn, rest);
    return ask_json(&server, "POST", json, "%s/encounters", of->path);
}

/* The first spawn of a dungeon. */
static void first_spawn(const posted *of, char id[32]) {
    answer got = ask_get(&server, "%s/spawns", of->path);
    json_t *spawns = answer_json(&got);
    const char *text = json_string_value(json_object_get(json_array_get(spawns, 0), "id"));
    cr_assert_not_null(text);
    snprintf(id, 32, "%s", text);
    json_decref(spawns);
    answer_free(&got);
}

Test(secrets, an_encounter_is_a_pure_function_that_fits_the_player) {
    char id[32];
    posted got = post("{" ROOMS "}");
    first_spawn(&got, id);
    answer weak = encounter(&got, id, "\"player\": {\"level\": 0}");
    answer again = encounter(&got, id, "\"player\": {\"level\": 0}");
    answer strong = encounter(&got, id, "\"player\": {\"level\": 5}, \"wave\": 0");
    cr_assert_eq(weak.status, 200, "%s", weak.body);
    cr_expect_str_eq(answer_header(&weak, "Cache-Control"), "no-store");
    expect_same_body(&weak, &again, "the same question");
    json_t *a = answer_json(&weak);
    json_t *b = answer_json(&strong);
    cr_expect_str_eq(json_string_value(json_object_get(a, "archetype")), "slime");
    cr_expect_str_eq(json_string_value(json_object_get(b, "archetype")), "goblin");
    cr_expect_eq(json_integer_value(json_object_get(b, "threat")), 500);
    cr_expect_eq(json_integer_value(json_object_get(b, "strength")), 12);
    cr_expect_gt(json_array_size(json_object_get(b, "reasons")), 0);
    cr_assert_eq(daemon_end(&server), 0);
    server = daemon_start(server.folder, NULL);
    answer later = encounter(&got, id, "\"player\": {\"level\": 5}, \"wave\": 0");
    expect_same_body(&strong, &later, "after a restart");
    json_decref(a);
    json_decref(b);
    answer_free(&weak);
    answer_free(&again);
    answer_free(&strong);
    answer_free(&later);
    answer_free(&got.document);
}

Test(secrets, an_encounter_that_is_asked_wrongly_is_told_where) {
    posted got = post("{" ROOMS "}");
    expect_problem(encounter(&got, "999999", "\"player\": {\"level\": 1}"), 422, "not-found",
                   "/spawn");
    expect_problem(encounter(&got, "x", "\"player\": {\"level\": 1}"), 422, "not-found", "/spawn");
    expect_problem(encounter(&got, "0", "\"wave\": 0"), 422, "missing-field", "/player");
    expect_problem(encounter(&got, "0", "\"player\": {\"level\": -1}"), 422, "out-of-range",
                   "/player/level");
    expect_problem(encounter(&got, "0", "\"player\": {\"level\": 1}, \"wave\": \"x\""), 422,
                   "wrong-type", "/wave");
    expect_problem(encounter(&got, "0", "\"player\": {\"level\": 1, \"luck\": 1}"), 422,
                   "unknown-field", "/player/luck");
    expect_problem(ask_json(&server, "POST",
                            "{\"spawn\": \"0\", \"player\": {\"level\": 1}, \"table\": \"none\"}",
                            "%s/encounters", got.path),
                   422, "not-found", "/table");
    answer_free(&got.document);
}
