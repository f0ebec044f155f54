/* SPDX-License-Identifier: MIT
 *
 * test_tokens.c: a daemon with tokens: who may what, for which worlds, how much of it, and what
 * changes when the file is read again.
 */
#include "api/key/token.h"
#include "tests/support/pause.h"
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char file_path[] = "/tmp/loam-tokens-XXXXXX";

/* "Authorization: Bearer TOKEN" of the token of an id and a number. */
static const char *header_of(const char *id, unsigned char number) {
    static char headers[4][TOKEN_TEXT_BYTES + 32];
    static unsigned at;
    char token[TOKEN_TEXT_BYTES];
    loam_error error = {0};
    secret_key secret;
    memset(secret.bytes, number, sizeof secret.bytes);
    cr_assert_eq(token_write(loam_text_of(id), &secret, token, &error), LOAM_OK);
    at = (at + 1) % 4;
    snprintf(headers[at], sizeof headers[at], "Authorization: Bearer %s", token);
    return headers[at];
}

static void write_line(FILE *file, const char *id, unsigned char number, const char *rest) {
    const char *token = header_of(id, number) + strlen("Authorization: Bearer ");
    char text[DIGEST_TEXT_BYTES];
    digest of = digest_of(token, strlen(token));
    digest_text(&of, text);
    fprintf(file, "%s %s %s\n", id, text, rest);
}

static FILE *new_file(void) {
    FILE *file = fopen(file_path, "w");
    cr_assert_not_null(file);
    fchmod(fileno(file), 0600);
    return file;
}

static void start_with(const char *const *more) {
    const char *args[8] = {"--tokens", file_path};
    close(mkstemp(file_path));
    FILE *file = new_file();
    write_line(file, "all", 1, "read,generate,upload,server");
    write_line(file, "reader", 1, "read");
    write_line(file, "operator", 1, "read,generate,upload,server,admin");
    write_line(file, "coast", 1, "read,generate worlds=coast");
    write_line(file, "poor", 1, "read,generate,upload asset-bytes=10 world-count=1 requests=1");
    write_line(file, "slow", 1, "read core-seconds=1");
    write_line(file, "asker", 1, "read,generate,upload world-count=1 core-seconds=1");
    write_line(file, "farm", 1, "read,generate jobs=1");
    fclose(file);
    for (size_t i = 2; more != NULL && *more != NULL; i++) {
        args[i] = *more++;
    }
    server = daemon_start(NULL, args);
}

static void start(void) {
    start_with(NULL);
}

static void stop(void) {
    server_stop();
    unlink(file_path);
}

TestSuite(tokens, .fini = stop);

static answer ask_as(const char *method, const char *header, const char *json, const char *path) {
    const char *headers[] = {header, NULL};
    ask_options options = {
        .headers = headers, .body = json, .type = json == NULL ? NULL : "application/json"};
    return ask(&server, method, &options, "%s", path);
}

static int status_as(const char *method, const char *header, const char *json, const char *path) {
    answer of = ask_as(method, header, json, path);
    int status = of.status;
    answer_free(&of);
    return status;
}

static const char *const light_world =
    "{\"seed\": \"1\", \"graph\": {\"loam_graph\": 1, \"nodes\": {\"g\": {\"op\": \"grid.sample\", "
    "\"params\": {\"spacing_m\": 8}}}, \"outputs\": {\"g\": {\"node\": \"g\", \"level\": 0}}}, "
    "\"grid\": {\"levels\": [{\"cell_size_m\": 64}]}}";

Test(tokens, without_a_token_or_with_a_wrong_one_it_is_401_with_a_challenge, .init = start) {
    answer none = ask_get(&server, "/v1/worlds");
    cr_expect_str_eq(answer_header(&none, "WWW-Authenticate"), "Bearer realm=\"loam\"");
    expect_problem(none, 401, "unauthorized", NULL);
    answer wrong = ask_as("GET", header_of("all", 9), NULL, "/v1/worlds");
    cr_expect_str_eq(answer_header(&wrong, "WWW-Authenticate"),
                     "Bearer realm=\"loam\", error=\"invalid_token\"");
    expect_problem(wrong, 401, "unauthorized", NULL);
    cr_expect_eq(status_as("GET", "Authorization: Basic YTpi", NULL, "/v1/worlds"), 401);
    cr_expect_eq(status_as("GET", header_of("all", 1), NULL, "/v1/worlds"), 200);
    answer open = ask_get(&server, "/healthz/live");
    cr_expect_eq(open.status, 200, "that it lives is told to everybody");
    answer_free(&open);
}

Test(tokens, a_scope_that_is_missing_is_named, .init = start) {
    answer of = ask_as("PUT", header_of("reader", 1), light_world, "/v1/worlds/a");
    cr_expect_str_eq(answer_header(&of, "WWW-Authenticate"),
                     "Bearer realm=\"loam\", error=\"insufficient_scope\", scope=\"upload\"");
    cr_expect_not_null(strstr(of.body, "upload"));
    expect_problem(of, 403, "forbidden", NULL);
    cr_expect_eq(status_as("GET", header_of("reader", 1), NULL, "/v1/worlds"), 200);
}

/* Whatever a file of tokens says: what it does to the store is for who runs the daemon. */
Test(tokens, the_scope_admin_does_nothing_by_tcp, .init = start) {
    static const char *const asked[][2] = {{"GET", "/v1/admin/stats"},
                                           {"POST", "/v1/admin/gc?bytes=0"},
                                           {"POST", "/v1/admin/scrub"},
                                           {"POST", "/v1/admin/backup"}};
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        answer of = ask_as(asked[i][0], header_of("operator", 1), NULL, asked[i][1]);
        expect_problem(of, 403, "forbidden", NULL);
    }
    cr_expect_eq(status_as("GET", header_of("operator", 1), NULL, "/v1/worlds"), 200);
}

Test(tokens, a_token_of_one_world_sees_no_other, .init = start) {
    const char *coast = header_of("coast", 1);
    cr_expect_eq(status_as("PUT", header_of("all", 1), light_world, "/v1/worlds/coast"), 201);
    cr_expect_eq(status_as("PUT", header_of("all", 1), light_world, "/v1/worlds/other"), 201);
    cr_expect_eq(status_as("GET", coast, NULL, "/v1/worlds/coast/cells/0/0/0/g"), 200);
    cr_expect_eq(status_as("GET", coast, NULL, "/v1/worlds/other/cells/0/0/0/g"), 403);
    answer list = ask_as("GET", coast, NULL, "/v1/worlds");
    cr_expect_not_null(strstr(list.body, "\"coast\""));
    cr_expect_null(strstr(list.body, "\"other\""));
    answer_free(&list);
    static const char job[] = "{\"world\": \"other\", \"outputs\": [\"g\"], \"level\": 0, "
                              "\"cells\": [[0,0]]}";
    expect_problem(ask_as("POST", coast, job, "/v1/jobs"), 403, "forbidden", "/world");
    answer made = ask_as("POST", header_of("all", 1), job, "/v1/jobs");
    char path[128];
    snprintf(path, sizeof path, "%s", answer_header(&made, "Location"));
    cr_expect_eq(status_as("GET", coast, NULL, path), 403);
    cr_expect_eq(status_as("GET", header_of("all", 1), NULL, path), 200);
    answer_free(&made);
}

/* One that has ended is read from the store, and restarted from there. */
Test(tokens, a_token_of_one_world_does_nothing_with_jobs_of_another, .init = start) {
    static const char job[] = "{\"world\": \"other\", \"outputs\": [\"g\"], \"level\": 0, "
                              "\"cells\": [[0,0]]}";
    static const char *const asked[][2] = {
        {"GET", ""},        {"GET", "/results"},     {"GET", "/events"},  {"POST", "/cancellation"},
        {"POST", "/pause"}, {"POST", "/resumption"}, {"POST", "/retries"}};
    cr_expect_eq(status_as("PUT", header_of("all", 1), light_world, "/v1/worlds/other"), 201);
    answer made = ask_as("POST", header_of("all", 1), job, "/v1/jobs");
    const char *headers[] = {header_of("all", 1), "Prefer: wait=20", NULL};
    answer ended = ask(&server, "GET", &(ask_options){.headers = headers}, "%s",
                       answer_header(&made, "Location"));
    cr_expect_not_null(strstr(ended.body, "\"succeeded\""), "%s", ended.body);
    answer_free(&ended);
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        char path[160];
        snprintf(path, sizeof path, "%s%s", answer_header(&made, "Location"), asked[i][1]);
        expect_problem(ask_as(asked[i][0], header_of("coast", 1), NULL, path), 403, "forbidden",
                       NULL);
        cr_expect_neq(status_as(asked[i][0], header_of("all", 1), NULL, path), 403, "%s", path);
    }
    answer_free(&made);
}

/* Those of other worlds leave pages empty, and the way on is told all the same. */
Test(tokens, a_token_of_one_world_comes_to_its_jobs_behind_those_of_others, .init = start) {
    static const char *const worlds[] = {"other", "third", "coast"};
    char path[160];
    int pages = 0;
    int seen = 0;
    for (size_t i = 0; i < sizeof worlds / sizeof worlds[0]; i++) {
        char document[192];
        snprintf(path, sizeof path, "/v1/worlds/%s", worlds[i]);
        cr_expect_eq(status_as("PUT", header_of("all", 1), light_world, path), 201);
        snprintf(document, sizeof document,
                 "{\"world\": \"%s\", \"outputs\": [\"g\"], \"level\": 0, \"cells\": [[0,0]]}",
                 worlds[i]);
        cr_expect_eq(status_as("POST", header_of("all", 1), document, "/v1/jobs"), 202);
    }
    snprintf(path, sizeof path, "/v1/jobs?limit=1");
    for (bool more = true; more && pages < 9; pages++) {
        answer of = ask_as("GET", header_of("coast", 1), NULL, path);
        json_t *page = answer_json(&of);
        const char *next = json_string_value(json_object_get(page, "next"));
        seen += (int)json_array_size(json_object_get(page, "jobs"));
        more = next != NULL;
        snprintf(path, sizeof path, "/v1/jobs?limit=1&after=%s", more ? next : "");
        json_decref(page);
        answer_free(&of);
    }
    cr_expect_eq(seen, 1);
    cr_expect_geq(pages, 3);
}

Test(tokens, what_was_read_is_private, .init = start) {
    cr_expect_eq(status_as("PUT", header_of("all", 1), light_world, "/v1/worlds/coast"), 201);
    answer alias = ask_as("GET", header_of("coast", 1), NULL, "/v1/worlds/coast/cells/0/0/0/g");
    char path[256];
    snprintf(path, sizeof path, "%s", answer_header(&alias, "Content-Location"));
    answer cell = ask_as("GET", header_of("coast", 1), NULL, path);
    cr_expect_str_eq(answer_header(&cell, "Cache-Control"), "private, max-age=31536000, immutable");
    answer_free(&alias);
    answer_free(&cell);
}

Test(tokens, public_read_lets_everybody_read_and_nothing_else) {
    start_with((const char *const[]){"--public-read", NULL});
    answer list = ask_get(&server, "/v1/worlds");
    cr_expect_eq(list.status, 200);
    answer_free(&list);
    expect_problem(ask_json(&server, "PUT", light_world, "/v1/worlds/a"), 401, "unauthorized",
                   NULL);
    cr_expect_eq(status_as("PUT", header_of("all", 1), light_world, "/v1/worlds/a"), 201);
    answer alias = ask_get(&server, "/v1/worlds/a/cells/0/0/0/g");
    char path[256];
    snprintf(path, sizeof path, "%s", answer_header(&alias, "Content-Location"));
    answer cell = ask_get(&server, "%s", path);
    cr_expect_str_eq(answer_header(&cell, "Cache-Control"), "public, max-age=31536000, immutable");
    answer_free(&alias);
    answer_free(&cell);
}

Test(tokens, limits_are_429_and_say_when_to_come_back, .init = start) {
    const char *poor = header_of("poor", 1);
    cr_expect_eq(status_as("PUT", poor, light_world, "/v1/worlds/one"), 201);
    answer second = ask_as("PUT", poor, light_world, "/v1/worlds/two");
    cr_expect_not_null(answer_header(&second, "Retry-After"));
    cr_expect_not_null(strstr(second.body, "worlds a day"));
    expect_problem(second, 429, "too-many-requests", NULL);
    answer asset = ask_as("PUT", poor, "{\"recipe\": \"heightmap.fbm\", \"seed\": \"7\"}",
                          "/v1/assets/hills?kind=heightfield");
    cr_expect_not_null(strstr(asset.body, "asset bytes a day"));
    expect_problem(asset, 429, "too-many-requests", NULL);
    cr_expect_eq(status_as("PUT", header_of("all", 1), light_world, "/v1/worlds/two"), 201,
                 "the limit is the token's, not the daemon's");
}

enum { JOB_TEXT_BYTES = 192 };

/* A million cells, from another place each. */
static void write_job(char document[JOB_TEXT_BYTES], int x) {
    snprintf(document, JOB_TEXT_BYTES,
             "{\"world\": \"w\", \"outputs\": [\"g\"], \"level\": 0, \"cells\": {\"min\": [%d, 0], "
             "\"max\": [%d, 999]}}",
             x, x + 999);
}

static int post_job(const char *header, int x, char path[128]) {
    char document[JOB_TEXT_BYTES];
    write_job(document, x);
    answer of = ask_as("POST", header, document, "/v1/jobs");
    int status = of.status;
    if (status == 202) {
        snprintf(path, 96, "%s", answer_header(&of, "Location"));
    }
    answer_free(&of);
    return status;
}

/* A job that is cancelled ends with the cells that are being made. */
static void wait_for_end(const char *header, char cancellation[128]) {
    const char *headers[] = {header, "Prefer: wait=20", NULL};
    *strrchr(cancellation, '/') = 0;
    answer of = ask(&server, "GET", &(ask_options){.headers = headers}, "%s", cancellation);
    cr_expect_not_null(strstr(of.body, "\"cancelled\""), "%s", of.body);
    answer_free(&of);
}

Test(tokens, a_job_counts_among_those_of_its_token_behind_a_restart_too, .init = start) {
    char first[128];
    char second[128];
    const char *farm = header_of("farm", 1);
    cr_expect_eq(status_as("PUT", header_of("all", 1), light_world, "/v1/worlds/w"), 201);
    cr_assert_eq(post_job(farm, 0, first), 202);
    cr_expect_eq(post_job(farm, 1, second), 429);
    cr_expect_eq(post_job(header_of("all", 1), 2, second), 202, "the limit is the token's");
    cr_assert_eq(daemon_end(&server), 0);
    server = daemon_start(server.folder, (const char *const[]){"--tokens", file_path, NULL});
    cr_expect_eq(post_job(farm, 1, second), 429, "the restart forgot whose job it was");
    snprintf(first + strlen(first), 32, "/cancellation");
    cr_expect_eq(status_as("POST", farm, NULL, first), 202);
    wait_for_end(farm, first);
    cr_expect_eq(post_job(farm, 1, second), 202, "the job has ended and counts no more");
}

enum { AT_ONCE = 8 };

typedef struct job_asker {
    pthread_t thread;
    const char *header;
    int x;
    int status;
} job_asker;

static void *ask_for_job(void *context) {
    job_asker *asker = context;
    char document[JOB_TEXT_BYTES];
    write_job(document, asker->x);
    asker->status = status_as("POST", asker->header, document, "/v1/jobs");
    return NULL;
}

Test(tokens, jobs_that_are_asked_for_at_once_are_no_more_than_the_limit, .init = start) {
    job_asker askers[AT_ONCE];
    int taken = 0;
    const char *farm = header_of("farm", 1);
    cr_expect_eq(status_as("PUT", header_of("all", 1), light_world, "/v1/worlds/w"), 201);
    for (int i = 0; i < AT_ONCE; i++) {
        askers[i] = (job_asker){.header = farm, .x = i};
        cr_assert_eq(pthread_create(&askers[i].thread, NULL, ask_for_job, &askers[i]), 0);
    }
    for (int i = 0; i < AT_ONCE; i++) {
        pthread_join(askers[i].thread, NULL);
        taken += askers[i].status == 202;
        cr_expect(askers[i].status == 202 || askers[i].status == 429, "%d", askers[i].status);
    }
    cr_expect_eq(taken, 1);
}

static int documents_kept(void) {
    char path[256];
    sqlite3 *db;
    sqlite3_stmt *statement;
    snprintf(path, sizeof path, "%s/data/control.db", server.folder);
    cr_assert_eq(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(db, "SELECT count(*) FROM documents", -1, &statement, NULL),
                 SQLITE_OK);
    cr_assert_eq(sqlite3_step(statement), SQLITE_ROW);
    int count = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return count;
}

Test(tokens, of_a_job_that_is_refused_nothing_is_kept, .init = start) {
    char path[128];
    const char *farm = header_of("farm", 1);
    cr_expect_eq(status_as("PUT", header_of("all", 1), light_world, "/v1/worlds/w"), 201);
    cr_assert_eq(post_job(farm, 0, path), 202);
    int kept = documents_kept();
    cr_expect_eq(status_as("POST", farm,
                           "{\"dungeons\": [{\"recipe\": \"maze\", \"seed\": \"1\"}]}", "/v1/jobs"),
                 429);
    cr_expect_eq(documents_kept(), kept);
}

/* A cell takes a worker some hundredths of a second. */
static void put_dense_world(void) {
    char world[512];
    snprintf(world, sizeof world, "%s", light_world);
    char *size = strstr(world, "\"spacing_m\": 8");
    memcpy(size, "\"spacing_m\": 1", 14);
    memcpy(strstr(world, "64}]"), "2000}]}}", 9);
    cr_expect_eq(status_as("PUT", header_of("all", 1), world, "/v1/worlds/w"), 201);
}

Test(tokens, core_time_that_is_used_up_leaves_what_is_there, .init = start) {
    put_dense_world();
    char path[64];
    int refused = 0;
    int x = 0;
    for (; x < 60 && refused == 0; x++) {
        snprintf(path, sizeof path, "/v1/worlds/w/cells/0/%d/0/g", x);
        answer of = ask_as("GET", header_of("slow", 1), NULL, path);
        cr_expect(of.status == 200 || of.status == 429, "%d", of.status);
        if (of.status == 429) {
            refused++;
            cr_expect_not_null(answer_header(&of, "Retry-After"));
            cr_expect_not_null(strstr(of.body, "core-seconds"));
        }
        answer_free(&of);
    }
    cr_expect_eq(refused, 1, "%d cells cost less than a second", x);
    cr_expect_eq(status_as("GET", header_of("slow", 1), NULL, "/v1/worlds/w/cells/0/0/0/g"), 200,
                 "what is there is given all the same");
    cr_expect_eq(status_as("GET", header_of("all", 1), NULL, path), 200);
}

/* Each takes a good part of a millisecond at least. */
enum { SPENDINGS_MAX = 5000 };

/* Asks until the token's core time is used up; how long it is told to stay away. */
static int spend(const char *method, const char *json, const char *path) {
    for (int i = 0; i < SPENDINGS_MAX; i++) {
        answer of = ask_as(method, header_of("asker", 1), json, path);
        cr_assert(of.status == 200 || of.status == 429, "%d: %s", of.status, of.body);
        bool spent = of.status == 429;
        const char *after = spent ? answer_header(&of, "Retry-After") : "0";
        cr_assert_not_null(after);
        cr_expect(!spent || strstr(of.body, "core-seconds") != NULL, "%s", of.body);
        int wait_s = atoi(after);
        answer_free(&of);
        if (spent) {
            return wait_s;
        }
    }
    cr_assert_fail("%d times %s cost less than a second", SPENDINGS_MAX, path);
    return 0;
}

Test(tokens, core_time_is_that_of_points_around_a_place_too, .init = start) {
    put_dense_world();
    spend("GET", NULL, "/v1/worlds/w/points?output=g&x_m=0&z_m=0&radius_m=512");
}

Test(tokens, core_time_is_that_of_explanations_too, .init = start) {
    put_dense_world();
    spend("GET", NULL, "/v1/worlds/w/explain?output=g&x_m=0&z_m=0&radius_m=50");
}

Test(tokens, core_time_is_that_of_traces_too, .init = start) {
    put_dense_world();
    spend("GET", NULL, "/v1/worlds/w/cells/0/0/0/g/trace");
}

/* A chain of as many nodes as fit. */
static void write_chain(char *text, size_t size) {
    size_t used = (size_t)snprintf(text, size,
                                   "{\"loam_graph\": 1, \"nodes\": {\"n0\": {\"op\": "
                                   "\"grid.sample\", \"params\": {\"spacing_m\": 8}}");
    for (int i = 1; i < 250; i++) {
        used += (size_t)snprintf(text + used, size - used,
                                 ", \"n%d\": {\"op\": \"self.prune\", \"inputs\": {\"points\": "
                                 "[\"n%d\"]}, \"params\": {\"distance_m\": 1}}",
                                 i, i - 1);
    }
    snprintf(text + used, size - used,
             "}, \"outputs\": {\"g\": {\"node\": \"n249\", \"level\": 0}}}");
}

Test(tokens, core_time_is_that_of_validations_too, .init = start) {
    static char graph[32768];
    write_chain(graph, sizeof graph);
    spend("POST", graph, "/v1/graph-validations");
}

Test(tokens, core_time_that_is_used_up_leaves_views_of_what_is_there, .init = start) {
    static const char cell[] = "/v1/worlds/w/cells/0/0/0/g";
    put_dense_world();
    cr_expect_eq(status_as("GET", header_of("all", 1), NULL, cell), 200);
    spend("GET", NULL, "/v1/worlds/w/points?output=g&x_m=0&z_m=0&radius_m=512");
    const char *headers[] = {header_of("asker", 1), "Accept: application/json", NULL};
    answer view = ask(&server, "GET", &(ask_options){.headers = headers}, "%s", cell);
    cr_expect_eq(view.status, 200, "%s", view.body);
    answer_free(&view);
}

Test(tokens, what_core_time_refuses_is_not_counted, .init = start) {
    put_dense_world();
    int wait_s = spend("GET", NULL, "/v1/worlds/w/explain?output=g&x_m=0&z_m=0&radius_m=50");
    const char *asker = header_of("asker", 1);
    cr_expect_eq(status_as("PUT", asker, light_world, "/v1/worlds/own"), 429);
    pause_ms((unsigned)wait_s * 1000);
    cr_expect_eq(status_as("PUT", asker, light_world, "/v1/worlds/own"), 201);
    cr_expect_eq(status_as("PUT", asker, light_world, "/v1/worlds/more"), 429);
}

/* The answer that comes once the daemon has read the file again. */
static bool becomes(const char *header, int status) {
    for (int i = 0; i < 300; i++) {
        if (status_as("GET", header, NULL, "/v1/worlds") == status) {
            return true;
        }
        pause_ms(10);
    }
    return false;
}

Test(tokens, a_new_token_stands_beside_the_old_one_and_then_replaces_it, .init = start) {
    FILE *file = new_file();
    write_line(file, "all", 1, "read");
    write_line(file, "all", 2, "read");
    fclose(file);
    kill(server.pid, SIGHUP);
    cr_expect(becomes(header_of("all", 2), 200));
    cr_expect_eq(status_as("GET", header_of("all", 1), NULL, "/v1/worlds"), 200);
    cr_expect_eq(status_as("GET", header_of("reader", 1), NULL, "/v1/worlds"), 401);
    file = new_file();
    write_line(file, "all", 2, "read");
    fclose(file);
    kill(server.pid, SIGHUP);
    cr_expect(becomes(header_of("all", 1), 401));
    cr_expect_eq(status_as("GET", header_of("all", 2), NULL, "/v1/worlds"), 200);
}

Test(tokens, a_file_that_went_bad_locks_nobody_out, .init = start) {
    FILE *file = new_file();
    fputs("what is this\n", file);
    fclose(file);
    kill(server.pid, SIGHUP);
    pause_ms(300);
    cr_expect_eq(status_as("GET", header_of("all", 1), NULL, "/v1/worlds"), 200);
}

Test(tokens, a_file_that_everybody_can_read_does_not_start, .init = start) {
    char said[1024];
    chmod(file_path, 0644);
    const char *args[] = {"--listen", "127.0.0.1:0", "--tokens", file_path,
                          "--data",   server.folder, NULL};
    cr_expect_eq(daemon_end(&server), 0);
    cr_expect_eq(daemon_fail(args, said, sizeof said), 1);
    cr_expect_not_null(strstr(said, "chmod"), "%s", said);
    chmod(file_path, 0600);
    server = daemon_start(server.folder, (const char *const[]){"--tokens", file_path, NULL});
}

Test(tokens, beyond_loopback_tokens_and_tls_are_wanted_or_plaintext, .init = start) {
    char said[1024];
    const char *open[] = {"--listen", "0.0.0.0:0", "--data", "/tmp/loam-never", NULL};
    cr_expect_eq(daemon_fail(open, said, sizeof said), 1);
    cr_expect_not_null(strstr(said, "--tokens"), "%s", said);
    const char *readable[] = {"--listen", "0.0.0.0:0",       "--tokens", file_path,
                              "--data",   "/tmp/loam-never", NULL};
    cr_expect_eq(daemon_fail(readable, said, sizeof said), 1);
    cr_expect_not_null(strstr(said, "--plaintext"), "%s", said);
    cr_expect_eq(system("rm -rf /tmp/loam-never"), 0);
    cr_expect_eq(daemon_end(&server), 0);
    server = daemon_start(server.folder, (const char *const[]){"--listen", "0.0.0.0:0", "--tokens",
                                                               file_path, "--plaintext", NULL});
    cr_expect_eq(status_as("GET", header_of("all", 1), NULL, "/v1/worlds"), 200);
}

Test(tokens, the_log_has_the_id_and_never_the_token) {
    start_with((const char *const[]){"--log-level", "debug", NULL});
    char line[4096];
    char path[DAEMON_PATH_BYTES];
    const char *token = header_of("all", 1) + strlen("Authorization: Bearer ");
    bool named = false;
    cr_expect_eq(status_as("GET", header_of("all", 1), NULL, "/v1/worlds"), 200);
    cr_assert_eq(daemon_end(&server), 0);
    snprintf(path, sizeof path, "%s/log", server.folder);
    FILE *log = fopen(path, "r");
    while (fgets(line, sizeof line, log) != NULL) {
        cr_expect_null(strstr(line, token + 10));
        named = named || strstr(line, "\"token\":\"all\"") != NULL;
    }
    fclose(log);
    cr_expect(named);
    server = daemon_start(server.folder, (const char *const[]){"--tokens", file_path, NULL});
}
