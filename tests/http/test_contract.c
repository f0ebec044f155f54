/* SPDX-License-Identifier: MIT
 *
 * test_contract.c: api/openapi.yaml and the running daemon say the same: every method and path of
 * one is in the other, and every status that the contract names is really answered.
 */
#include "server/flow/routes.h"
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[] = "/tmp/loam-contract-XXXXXX"; /* of the socket, and of backups */
static char socket_path[sizeof folder + 8];
static json_t *contract;
static json_t *missing; /* "get /path 200" of what has not been answered yet */

static void start(void) {
    routes_init();
    cr_assert_not_null(mkdtemp(folder));
    snprintf(socket_path, sizeof socket_path, "%s/socket", folder);
    server = daemon_start(
        NULL, (const char *const[]){"--unix", socket_path, "--backup-dir", folder, NULL});
    answer of = ask_get(&server, "/openapi.yaml");
    cr_assert_eq(of.status, 200);
    contract = answer_json(&of);
    answer_free(&of);
}

static void stop(void) {
    json_decref(contract);
    server_stop();
    char command[64];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    cr_expect_eq(system(command), 0);
}

TestSuite(contract, .init = start, .fini = stop);

static void lower(const char *method, char name[16]) {
    size_t i = 0;
    for (; method[i] != 0 && i < 15; i++) {
        name[i] = (char)tolower((unsigned char)method[i]);
    }
    name[i] = 0;
}

Test(contract, every_route_of_the_daemon_is_in_the_contract) {
    json_t *paths = json_object_get(contract, "paths");
    size_t operations = 0;
    for (uint32_t i = 0; i < route_count(); i++) {
        const flow_route *route = route_at(i);
        char method[16];
        lower(http_method_name(route->method), method);
        json_t *path = json_object_get(paths, route->template);
        cr_expect(json_object_get(path, method) != NULL, "%s %s", method, route->template);
    }
    const char *name;
    json_t *path;
    json_object_foreach(paths, name, path) {
        operations += json_object_size(path);
    }
    cr_expect_eq(operations, route_count(), "the contract has routes that the daemon lacks");
}

Test(contract, every_reference_leads_somewhere) {
    char *text = json_dumps(contract, 0);
    json_t *components = json_object_get(contract, "components");
    for (const char *at = text; (at = strstr(at, "\"#/components/")) != NULL;) {
        char kind[32];
        char name[64];
        at += strlen("\"#/components/");
        cr_assert_eq(sscanf(at, "%31[a-z]/%63[A-Za-z]", kind, name), 2);
        cr_expect(json_object_get(json_object_get(components, kind), name) != NULL, "%s/%s", kind,
                  name);
    }
    free(text);
}

/* ---- Every status --------------------------------------------------------------------------- */

static void list_statuses(void) {
    const char *path_name;
    const char *method;
    const char *status;
    json_t *path;
    json_t *operation;
    json_t *response;
    missing = json_object();
    json_object_foreach(json_object_get(contract, "paths"), path_name, path) {
        json_object_foreach(path, method, operation) {
            json_object_foreach(json_object_get(operation, "responses"), status, response) {
                char key[256];
                snprintf(key, sizeof key, "%s %s %s", method, path_name, status);
                if (strcmp(status, "default") != 0) {
                    json_object_set_new(missing, key, json_true());
                }
            }
        }
    }
}

/* Whether a path fits a template: {x} is any one part. */
static bool fits(const char *template, const char *path) {
    while (*template != 0 && *path != 0 && *path != '?') {
        if (*template == '{') {
            template = strchr(template, '}') + 1;
            path += strcspn(path, "/?");
        } else if (*template ++ != *path++) {
            return false;
        }
    }
    return *template == 0 && (*path == 0 || *path == '?');
}

/* Strikes a status off the list; one that the contract lacks fails the test. */
static void note(const char *method, const char *path, const answer *of) {
    char name[16];
    const char *template;
    json_t *unused;
    lower(method, name);
    json_object_foreach(json_object_get(contract, "paths"), template, unused) {
        json_t *operation = json_object_get(unused, name);
        char key[256];
        char status[8];
        if (operation == NULL || !fits(template, path)) {
            continue;
        }
        snprintf(status, sizeof status, "%d", of->status);
        snprintf(key, sizeof key, "%s %s %s", name, template, status);
        cr_expect(json_object_get(json_object_get(operation, "responses"), status) != NULL,
                  "%s is not in the contract: %.200s", key, of->body);
        json_object_del(missing, key);
        /* "/{name}/content" must not also count for "/{name}". */
        return;
    }
    cr_expect(false, "%s %s is not in the contract", method, path);
}

typedef struct line {
    const char *method;
    const char *path;
    const char *header;
    const char *type;
    const char *body;
} line;

static answer say(line of) {
    const char *headers[] = {of.header, NULL};
    answer got =
        ask(&server, of.method,
            &(ask_options){.headers = headers, .type = of.type, .body = of.body}, "%s", of.path);
    note(of.method, of.path, &got);
    return got;
}

static void say_all(const line *lines, size_t count) {
    for (size_t i = 0; i < count; i++) {
        answer of = say(lines[i]);
        answer_free(&of);
    }
}

#define SAY(...)                                                                                   \
    say_all((const line[]){__VA_ARGS__}, sizeof((const line[]){__VA_ARGS__}) / sizeof(line))

/* A 200, the 304 to its tag, the 412 to another, and the 406 to who takes no such thing. */
static void say_twice(const char *path) {
    char header[200];
    answer of = say((line){"GET", path, NULL, NULL, NULL});
    const char *tag = answer_header(&of, "ETag");
    cr_assert(tag != NULL, "%s has no ETag: %d %.200s", path, of.status, of.body);
    snprintf(header, sizeof header, "If-None-Match: %s", tag);
    answer again = say((line){"GET", path, header, NULL, NULL});
    cr_expect_eq(again.status, 304, "%s: %d", path, again.status);
    snprintf(header, sizeof header, "If-Match: \"none\"\r\nIf-None-Match: %s",
             answer_header(&of, "ETag"));
    answer other = say((line){"GET", path, header, NULL, NULL});
    cr_expect_eq(other.status, 412, "If-Match goes first: %s: %d", path, other.status);
    answer unfit = say((line){"GET", path, "Accept: image/none", NULL, NULL});
    cr_expect_eq(unfit.status, 406, "%s: %d", path, unfit.status);
    answer_free(&of);
    answer_free(&again);
    answer_free(&other);
    answer_free(&unfit);
}

#define JSON "application/json"
#define RAW "application/octet-stream"
#define RAW_PATH                                                                                   \
    "/v1/assets/raw?kind=heightfield&width=2&height=2&spacing_m=8&offset_m=0&scale_m=1"            \
    "&encoding=u16le&row0=north"
#define FRESH "If-None-Match: *"
#define STALE "If-Match: \"x\""

/* What only the daemon's own user may, over the socket; and what everybody else is told. */
static void say_admin(void) {
    static const char *const paths[] = {
        "/v1/admin/stats", "/v1/admin/gc?bytes=1000000000", "/v1/admin/gc",
        "/v1/admin/scrub", "/v1/admin/scrub?bytes_per_s=0", "/v1/admin/backup"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const char *method = i == 0 ? "GET" : "POST";
        answer far = ask(&server, method, &(ask_options){0}, "%s", paths[i]);
        answer near =
            ask(&server, method, &(ask_options){.unix_path = socket_path}, "%s", paths[i]);
        note(method, paths[i], &far);
        note(method, paths[i], &near);
        cr_expect_eq(far.status, 403);
        answer_free(&far);
        answer_free(&near);
    }
}

static void say_assets(void) {
    SAY({"PUT", RAW_PATH, NULL, RAW, "12345678"}, {"PUT", RAW_PATH, NULL, RAW, "12345678"},
        {"PUT", RAW_PATH, NULL, RAW, "123"}, {"PUT", RAW_PATH, FRESH, RAW, "12345678"},
        {"PUT", RAW_PATH, NULL, "text/plain", "12345678"}, {"PUT", "/v1/assets/x", NULL, JSON, "{"},
        {"GET", "/v1/assets?limit=x", NULL, NULL, NULL},
        {"GET", "/v1/assets/none", NULL, NULL, NULL},
        {"GET", "/v1/assets/none/content", NULL, NULL, NULL},
        {"GET", "/v1/assets/raw/content", "Range: bytes=0-3", NULL, NULL},
        {"GET", "/v1/assets/raw/content", "Range: bytes=999-", NULL, NULL},
        {"DELETE", "/v1/assets/hills", NULL, NULL, NULL},
        {"DELETE", "/v1/assets/raw", STALE, NULL, NULL});
    say_twice("/v1/assets");
    say_twice("/v1/assets/raw");
    say_twice("/v1/assets/raw/content");
    SAY({"DELETE", "/v1/assets/raw", NULL, NULL, NULL},
        {"DELETE", "/v1/assets/raw", NULL, NULL, NULL});
}

static void say_graphs(void) {
    json_t *world = json_loads(forest_world_json(), 0, NULL);
    char *graph = json_dumps(json_object_get(world, "graph"), 0);
    char path[160];
    SAY({"POST", "/v1/graph-validations", NULL, JSON, graph},
        {"POST", "/v1/graph-validations", NULL, JSON, "{"},
        {"POST", "/v1/graph-validations", NULL, NULL, "{}"},
        {"POST", "/v1/graphs", NULL, JSON, graph}, {"POST", "/v1/graphs", NULL, JSON, "{"},
        {"POST", "/v1/graphs", NULL, NULL, "{}"}, {"POST", "/v1/graphs", NULL, JSON, "{}"},
        {"GET", "/v1/graphs/none", NULL, NULL, NULL});
    answer again = say((line){"POST", "/v1/graphs", NULL, JSON, graph});
    snprintf(path, sizeof path, "%s", answer_header(&again, "Location"));
    say_twice(path);
    answer_free(&again);
    free(graph);
    json_decref(world);
}

static void say_worlds(char revision_path[200]) {
    answer was = say((line){"PUT", "/v1/worlds/other", NULL, JSON, forest_world_json()});
    snprintf(revision_path, 200, "%s", answer_header(&was, "Content-Location"));
    answer_free(&was);
    SAY({"PUT", "/v1/worlds/other", NULL, JSON, forest_world_json()},
        {"PUT", "/v1/worlds/other", FRESH, JSON, forest_world_json()},
        {"PUT", "/v1/worlds/other", NULL, JSON, "{"}, {"PUT", "/v1/worlds/other", NULL, JSON, "{}"},
        {"PUT", "/v1/worlds/other", NULL, NULL, "{}"}, {"GET", "/v1/worlds/none", NULL, NULL, NULL},
        {"GET", "/v1/worlds?limit=x", NULL, NULL, NULL},
        {"GET", "/v1/worlds/none/revisions", NULL, NULL, NULL},
        {"GET", "/v1/worlds/other/revisions?limit=x", NULL, NULL, NULL},
        {"GET", "/v1/worlds/other/revisions/x", NULL, NULL, NULL},
        {"DELETE", "/v1/worlds/none", NULL, NULL, NULL},
        {"DELETE", "/v1/worlds/other", STALE, NULL, NULL});
    say_twice("/v1/worlds");
    say_twice("/v1/worlds/other");
    say_twice("/v1/worlds/other/revisions");
    say_twice(revision_path);
}

/* `base` is a world's address, or a revision's. The first of these finds nothing built. */
static void say_cells(const char *base, int row) {
    char path[320];
    static const struct {
        const char *rest;
        const char *header;
    } asked[] = {{"0/0/%d/trees", "Prefer: wait=0"},
                 {"0/1/%d/trees", "Range: bytes=0-7"},
                 {"0/1/%d/trees", "Range: bytes=99999999-"},
                 {"0/1/%d/trees", "Accept: text/html"},
                 {"0/x/%d/trees", NULL},
                 {"0/9/%d/trees", NULL},
                 {"0/1/%d/trees?cached=x", NULL},
                 {"0/1/%d/trees/trace", NULL},
                 {"0/x/%d/trees/trace", NULL},
                 {"0/9/%d/trees/trace", NULL},
                 {"0/1/%d/trees/trace", "Accept: text/html"}};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        char rest[64];
        snprintf(rest, sizeof rest, "%.*s%d%s", (int)strcspn(asked[i].rest, "%"), asked[i].rest,
                 row, strchr(asked[i].rest, '%') + 2);
        snprintf(path, sizeof path, "%s/cells/%s", base, rest);
        answer of = say((line){"GET", path, asked[i].header, NULL, NULL});
        answer_free(&of);
    }
    snprintf(path, sizeof path, "%s/cells/0/1/%d/trees", base, row);
    say_twice(path);
}

/* A world whose cells are fuller than it wants, by both addresses. */
static void say_checks(void) {
    char json[8192];
    char path[320];
    const char *forest = forest_world_json();
    snprintf(json, sizeof json,
             "{\"checks\": {\"outputs\": {\"trees\": {\"count\": {\"max\": 1}}}}, %s", forest + 1);
    answer made = say((line){"PUT", "/v1/worlds/strict", NULL, JSON, json});
    snprintf(path, sizeof path, "%s/cells/0/1/1/trees", answer_header(&made, "Content-Location"));
    SAY({"GET", "/v1/worlds/strict/cells/0/1/1/trees", NULL, NULL, NULL},
        {"GET", path, NULL, NULL, NULL});
    answer_free(&made);
}

static void say_places(void) {
    static const char *const what[] = {"explain", "points"};
    for (size_t i = 0; i < sizeof what / sizeof *what; i++) {
        char path[200];
        snprintf(path, sizeof path, "/v1/worlds/other/%s?output=trees&x_m=9&z_m=9&radius_m=x",
                 what[i]);
        answer wrong = say((line){"GET", path, NULL, NULL, NULL});
        path[strlen(path) - 1] = '2';
        answer text = say((line){"GET", path, "Accept: text/html", NULL, NULL});
        say_twice(path);
        snprintf(path, sizeof path, "/v1/worlds/none/%s?output=trees&x_m=9&z_m=9&radius_m=2",
                 what[i]);
        answer none = say((line){"GET", path, NULL, NULL, NULL});
        answer_free(&wrong);
        answer_free(&text);
        answer_free(&none);
    }
}

#define BATCH "/v1/worlds/other/cell-batches"
static void say_batches(void) {
    static const char body[] = "{\"output\": \"trees\", \"cells\": [[0, 1, 0]]}";
    SAY({"POST", BATCH, NULL, JSON, body}, {"POST", BATCH, NULL, JSON, "{"},
        {"POST", BATCH, NULL, JSON, "{}"}, {"POST", BATCH, NULL, NULL, body},
        {"POST", BATCH, "Accept: text/html", JSON, body},
        {"POST", "/v1/worlds/none/cell-batches", NULL, JSON, body});
}

#define JOB_JSON                                                                                   \
    "{\"world\": \"other\", \"outputs\": [\"trees\"], \"level\": 1, \"cells\": \"all\"}"

#define DUNGEONS_JSON "{\"dungeons\": [{\"recipe\": \"maze\", \"seed\": \"1\"}]}"

static void say_dungeon_job(void) {
    char path[128];
    answer made = say((line){"POST", "/v1/jobs", NULL, JSON, DUNGEONS_JSON});
    snprintf(path, sizeof path, "%s", answer_header(&made, "Location"));
    SAY({"POST", "/v1/jobs", "Prefer: wait=20", JSON, DUNGEONS_JSON},
        {"POST", "/v1/jobs", NULL, JSON, "{\"dungeons\": [{}]}"});
    say_twice(path);
    strncat(path, "/results", sizeof path - strlen(path) - 1);
    say_twice(path);
    answer_free(&made);
}

/* A job on a terrain whose file is taken away fails, and is retried when it is there again. */
static void say_retries(void) {
    char command[512];
    char path[96];
    snprintf(command, sizeof command, "mv %s/data/assets %s/data/gone && mkdir %s/data/assets",
             server.folder, server.folder, server.folder);
    cr_assert_eq(daemon_end(&server), 0);
    cr_assert_eq(system(command), 0);
    server = daemon_start(server.folder, NULL);
    answer made = ask_json(&server, "POST",
                           "{\"world\": \"forest\", \"outputs\": [\"trees\"], \"level\": 0, "
                           "\"cells\": [[3, 3]]}",
                           "/v1/jobs");
    const char *location = answer_header(&made, "Location");
    cr_assert(location != NULL, "%s", made.body);
    snprintf(path, sizeof path, "%s", location);
    const char *patient[] = {"Prefer: wait=20", NULL};
    answer ended = ask(&server, "GET", &(ask_options){.headers = patient}, "%s", path);
    cr_expect(strstr(ended.body, "\"state\":\"failed\"") != NULL, "%s", ended.body);
    cr_expect(strstr(ended.body, "\"problems\":[{\"output\":\"trees\"") != NULL, "%s", ended.body);
    snprintf(command, sizeof command, "rmdir %s/data/assets && mv %s/data/gone %s/data/assets",
             server.folder, server.folder, server.folder);
    cr_assert_eq(system(command), 0);
    snprintf(path + strlen(path), sizeof path - strlen(path), "/retries");
    answer again = say((line){"POST", path, NULL, NULL, NULL});
    cr_expect_eq(again.status, 202, "%s", again.body);
    path[strlen(path) - strlen("/retries")] = 0;
    answer done = ask(&server, "GET", &(ask_options){.headers = patient}, "%s", path);
    cr_expect(strstr(done.body, "\"state\":\"succeeded\"") != NULL, "%s", done.body);
    answer_free(&made);
    answer_free(&ended);
    answer_free(&again);
    answer_free(&done);
}

static void say_each(const char *path, const char *const *parts) {
    char part[128];
    for (size_t i = 0; parts[i] != NULL; i++) {
        snprintf(part, sizeof part, "%s/%s", path, parts[i]);
        answer of = say((line){"POST", part, NULL, NULL, NULL});
        answer_free(&of);
    }
}

/* At once behind each other: a job that sets out must still be at work when it is stopped. */
static void say_changes(const char *path) {
    static const char *const over[] = {"cancellation", "cancellation", "pause",
                                       "resumption",   "retries",      NULL};
    static const char *const anew[] = {"pause", "resumption", "cancellation", NULL};
    say_each(path, over);
    SAY({"POST", "/v1/jobs", NULL, JSON, JOB_JSON});
    say_each(path, anew);
    say_each("/v1/jobs/none", over);
}

static void say_jobs(void) {
    say_dungeon_job();
    char path[96];
    char part[128];
    answer made = say((line){"POST", "/v1/jobs", NULL, JSON, JOB_JSON});
    snprintf(path, sizeof path, "%s", answer_header(&made, "Location"));
    say_changes(path);
    SAY({"POST", "/v1/jobs", NULL, JSON, JOB_JSON}, {"POST", "/v1/jobs", NULL, JSON, JOB_JSON},
        {"POST", "/v1/jobs", NULL, JSON, "{"}, {"POST", "/v1/jobs", NULL, NULL, "{}"},
        {"POST", "/v1/jobs", NULL, JSON, "{}"}, {"GET", "/v1/jobs?state=x", NULL, NULL, NULL},
        {"GET", "/v1/jobs/none", NULL, NULL, NULL},
        {"GET", "/v1/jobs/none/results", NULL, NULL, NULL},
        {"GET", "/v1/jobs/none/events", NULL, NULL, NULL});
    const char *patient[] = {"Prefer: wait=20", NULL};
    answer ended = ask(&server, "GET", &(ask_options){.headers = patient}, "%s", path);
    answer_free(&ended); /* one that goes on is another document the second time */
    say_twice("/v1/jobs");
    say_twice(path);
    snprintf(part, sizeof part, "%s/results", path);
    say_twice(part);
    strncat(part, "?limit=x", sizeof part - strlen(part) - 1);
    answer wrong = say((line){"GET", part, NULL, NULL, NULL});
    answer_free(&wrong);
    snprintf(part, sizeof part, "%s/events", path);
    wrong = say((line){"GET", part, NULL, NULL, NULL});
    answer_free(&wrong);
    answer_free(&made);
}

#define DUNGEON_JSON "{\"recipe\": \"dungeon.rooms\", \"seed\": \"7\", \"params\": {\"width\": 40}}"
#define FOREIGN "Origin: http://elsewhere.example"
#define ENCOUNTER                                                                                  \
    "{\"spawn\": \"0\", \"player\": {\"level\": 3}, \"table\": {\"base\": 10, "                    \
    "\"coefficient_permille\": 400, \"threat\": {\"level_weight\": 10}, \"pools\": "               \
    "[{\"archetype\": \"slime\", \"min\": 1, \"max\": 1000, \"weight\": 1}]}}"
#define NO_KEY "sha256-0000000000000000000000000000000000000000000000000000000000000000"

/* What the daemon keeps of a dungeon whose bytes are gone builds it again. */
static void lose_cache(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -f %s/data/cache.db*", server.folder);
    cr_assert_eq(daemon_end(&server), 0);
    cr_assert_eq(system(command), 0);
    server = daemon_start(server.folder, NULL);
}

/* `none` is the address of a dungeon that is not there. */
static void say_part(const char *dungeon, const char *none, const char *part) {
    char path[320];
    snprintf(path, sizeof path, "%s/%s", dungeon, part);
    say_twice(path);
    SAY({"GET", path, "Accept: text/html", NULL, NULL}, {"GET", path, FOREIGN, NULL, NULL});
    snprintf(path, sizeof path, "%s/%s", none, part);
    SAY({"GET", path, NULL, NULL, NULL});
    snprintf(path, sizeof path, "%s/%s?content=x", dungeon, part);
    answer of = say((line){"GET", path, NULL, NULL, NULL});
    answer_free(&of);
}

static void say_encounters(const char *dungeon, const char *none) {
    char path[320];
    char missed[320];
    snprintf(missed, sizeof missed, "%s/encounters", none);
    snprintf(path, sizeof path, "%s/encounters", dungeon);
    SAY({"POST", path, NULL, JSON, ENCOUNTER}, {"POST", path, NULL, JSON, "{"},
        {"POST", path, NULL, JSON, "{}"}, {"POST", path, NULL, NULL, ENCOUNTER},
        {"POST", path, "Accept: text/html", JSON, ENCOUNTER},
        {"POST", path, FOREIGN, JSON, ENCOUNTER}, {"POST", missed, NULL, JSON, ENCOUNTER});
}

static void say_parts(const char *dungeon, const char *none) {
    static const char *const parts[] = {"layout", "assembly", "content", "spawns"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        say_part(dungeon, none, parts[i]);
    }
    say_encounters(dungeon, none);
}

static void say_dungeons(void) {
    char path[160];
    SAY({"POST", "/v1/dungeons", "Prefer: wait=0", JSON,
         "{\"recipe\": \"dungeon.rooms\", \"seed\": \"8\"}"},
        {"POST", "/v1/dungeons", NULL, JSON, "{"}, {"POST", "/v1/dungeons", NULL, JSON, "{}"},
        {"POST", "/v1/dungeons", NULL, NULL, "{}"},
        {"POST", "/v1/dungeons", FOREIGN, JSON, DUNGEON_JSON},
        {"POST", "/v1/dungeons", "Accept: text/html", JSON, DUNGEON_JSON},
        {"POST", "/v1/dungeons", NULL, JSON,
         "{\"recipe\": \"dungeon.rooms\", \"version\": 99, \"seed\": \"8\"}"},
        {"POST", "/v1/dungeons", NULL, JSON, DUNGEON_JSON});
    answer again = say((line){"POST", "/v1/dungeons", NULL, JSON, DUNGEON_JSON});
    snprintf(path, sizeof path, "%s", answer_header(&again, "Location"));
    answer_free(&again);
    lose_cache();
    SAY({"GET", path, "Prefer: wait=0", NULL, NULL}, {"GET", path, "Range: bytes=0-7", NULL, NULL},
        {"GET", path, "Range: bytes=99999999-", NULL, NULL},
        {"GET", path, "Accept: text/html", NULL, NULL},
        {"GET", "/v1/dungeons/" NO_KEY, NULL, NULL, NULL});
    say_twice(path);
    say_parts(path, "/v1/dungeons/" NO_KEY);
}

#define GATES                                                                                      \
    "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Feature\", \"id\": 1, "         \
    "\"properties\": {}, \"geometry\": {\"type\": \"Point\", \"coordinates\": [5, 5]}}, "          \
    "{\"type\": "                                                                                  \
    "\"Feature\", \"id\": 2, \"properties\": {}, \"geometry\": {\"type\": \"Point\", "             \
    "\"coordinates\": [6, 6]}}]}"

/* The first of these finds nothing built. */
static void say_anchor(const char *base, const char *id) {
    char path[320];
    char none[320];
    snprintf(path, sizeof path, "%s/dungeons/crypts:%s", base, id);
    snprintf(none, sizeof none, "%s/dungeons/crypts", base);
    SAY({"GET", path, "Prefer: wait=0", NULL, NULL}, {"GET", path, "Range: bytes=0-7", NULL, NULL},
        {"GET", path, "Range: bytes=99999999-", NULL, NULL},
        {"GET", path, "Accept: text/html", NULL, NULL}, {"GET", none, NULL, NULL, NULL});
    say_twice(path);
    say_parts(path, none);
}

static void say_anchors(void) {
    char json[16384];
    char revision[200];
    const char *forest = forest_world_json();
    const char *at = strstr(forest, "\"grid\"");
    answer put = say((line){"PUT", "/v1/assets/gates?kind=points&crs=local", NULL,
                            "application/geo+json", GATES});
    answer_free(&put);
    snprintf(json, sizeof json,
             "%.*s\"dungeons\": {\"crypts\": {\"anchors\": \"gates\", \"recipe\": "
             "\"dungeon.rooms\"}}, %s",
             (int)(at - forest), forest, at);
    answer was = say((line){"PUT", "/v1/worlds/dark", NULL, JSON, json});
    cr_assert_eq(was.status, 201, "%s", was.body);
    snprintf(revision, sizeof revision, "%s", answer_header(&was, "Content-Location"));
    answer_free(&was);
    say_anchor("/v1/worlds/dark", "1");
    say_anchor(revision, "2");
}

static void say_service(void) {
    static const char *const kept[] = {"/openapi.yaml",
                                       "/v1/version",
                                       "/v1/capabilities",
                                       "/v1/operations",
                                       "/v1/recipes",
                                       "/v1/operations/self.prune",
                                       "/v1/recipes/heightmap.fbm"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        say_twice(kept[i]);
    }
    SAY({"GET", "/healthz/live", NULL, NULL, NULL}, {"GET", "/healthz/ready", NULL, NULL, NULL},
        {"GET", "/metrics", NULL, NULL, NULL}, {"GET", "/v1/operations/none", NULL, NULL, NULL},
        {"GET", "/v1/recipes/none", NULL, NULL, NULL});
}

Test(contract, every_status_of_the_contract_is_really_answered, .timeout = 120) {
    char revision[200];
    list_statuses();
    forest_put(&server);
    say_service();
    say_admin();
    say_assets();
    say_graphs();
    say_worlds(revision);
    say_cells("/v1/worlds/other", 0);
    say_cells(revision, 1);
    say_checks();
    say_places();
    say_batches();
    say_dungeons();
    say_anchors();
    say_jobs();
    say_retries();
    answer gone = say((line){"DELETE", "/v1/worlds/other", NULL, NULL, NULL});
    answer_free(&gone);
    const char *key;
    json_t *unused;
    json_object_foreach(missing, key, unused) {
        cr_expect(false, "never answered: %s", key);
    }
    json_decref(missing);
}
