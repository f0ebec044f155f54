/* SPDX-License-Identifier: MIT
 *
 * test_fetcher_ways.c: the fetcher of the C client against real daemons: by TLS, over a unix
 * socket, with a token, in batches, and against one that turns most of it away.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/client/loam_client.h"
#include "tests/support/certificate.h"
#include "tests/support/program.h"
#include "tests/support/suite_daemon.h"

enum {
    URL_BYTES = 192,
    SIDE = 4,
    CELLS = SIDE * SIDE,
    PATIENCE_MS = 60000,
    STEP_MS = 200,
    SLOW_CELL_M = 512,
};

static char folder[64];

static void begin(void) {
    unsetenv("LOAM_TOKEN");
    unsetenv("LOAM_SERVER");
    program_folder_make(folder);
}

static void end(void) {
    server_stop();
    program_folder_remove(folder);
}

TestSuite(fetcher_ways, .init = begin, .fini = end, .timeout = 120);

static const char *path_of(const char *name) {
    static char paths[4][URL_BYTES];
    static unsigned at;
    at = (at + 1) % 4;
    snprintf(paths[at], URL_BYTES, "%s/%s", folder, name);
    return paths[at];
}

static const char *url_of(const char *scheme) {
    static char url[URL_BYTES];
    snprintf(url, sizeof url, "%s://127.0.0.1:%u", scheme, server.port);
    return url;
}

/* ---- A world, and its cells ------------------------------------------------------------------ */

/* Puts the world "forest" as the daemon's own user, by its socket in the folder. */
static void world_put(void) {
    const program_result *result =
        program_run(folder, "$LOAM put assets api/examples/forest.assets.json --unix $DIR/socket "
                            "&& $LOAM put world forest api/examples/forest.world.json "
                            "--unix $DIR/socket");
    cr_assert_eq(result->exit_code, 0, "%s", result->output);
}

static uint64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static loam_fetcher *fetcher_open(const loam_client_options *client, uint32_t batch_max) {
    loam_error error = {0};
    loam_fetcher_options options = {.client = *client, .batch_max = batch_max};
    loam_fetcher *fetcher = loam_fetcher_create(&options, &error);
    cr_assert_not_null(fetcher, "%s", error.text);
    return fetcher;
}

static void ask_cells(loam_fetcher *fetcher, const char *world, uint32_t level) {
    loam_error error = {0};
    loam_fetch_id id;
    for (intptr_t i = 0; i < CELLS; i++) {
        loam_client_cell cell = {
            .world = world, .output = "trees", .level = level, .x = i % SIDE, .z = i / SIDE};
        cr_assert_eq(loam_fetcher_ask(fetcher, &cell, (int32_t)i, (void *)i, &id, &error), LOAM_OK);
    }
}

/* What came of the CELLS cells: how many of them are cells, and the last error. */
typedef struct harvest {
    int cells;
    int cached;
    loam_error error;
    char digests[CELLS][LOAM_CLIENT_DIGEST_BYTES];
} harvest;

static harvest take_cells(loam_fetcher *fetcher) {
    harvest of = {0};
    loam_fetch_result result;
    uint64_t until_ms = now_ms() + PATIENCE_MS;
    while (loam_fetcher_count(fetcher) > 0) {
        cr_assert_lt(now_ms(), until_ms, "%d cells came", of.cells);
        (void)loam_fetcher_wait(fetcher, STEP_MS);
        while (loam_fetcher_take(fetcher, &result)) {
            of.cells += result.bytes != NULL;
            of.cached += result.cached;
            of.error = result.error.status != LOAM_OK ? result.error : of.error;
            memcpy(of.digests[(intptr_t)result.user], result.digest, sizeof result.digest);
            loam_fetch_result_fini(&result);
        }
    }
    return of;
}

/* One fetcher's life, for level 1 of the forest. */
static harvest fetch_forest(const loam_client_options *client, uint32_t batch_max) {
    loam_fetcher *fetcher = fetcher_open(client, batch_max);
    ask_cells(fetcher, "forest", 1);
    harvest of = take_cells(fetcher);
    loam_fetcher_destroy(fetcher);
    return of;
}

/* Requests of a route that were answered with a status. */
static double answered(const char *route, const char *method, int status) {
    char name[256];
    snprintf(name, sizeof name,
             "loam_http_requests_total{route=\"%s\",method=\"%s\",status=\"%d\"}", route, method,
             status);
    return daemon_metric(&server, name);
}

#define CELL_ROUTE "/v1/worlds/{world}/cells/{level}/{x}/{z}/{output}"
#define BATCH_ROUTE "/v1/worlds/{world}/cell-batches"

/* ---- By TLS ---------------------------------------------------------------------------------- */

static void start_by_tls(void) {
    certificate_make(folder, "own");
    certificate_make(folder, "other");
    server = daemon_start(NULL, (const char *const[]){"--unix", path_of("socket"), "--tls-cert",
                                                      path_of("own.crt"), "--tls-key",
                                                      path_of("own.key"), NULL});
    world_put();
}

Test(fetcher_ways, by_tls_cells_come_alone_and_in_batches) {
    start_by_tls();
    loam_client_options client = {.base_url = url_of("https"), .ca_file = path_of("own.crt")};
    harvest alone = fetch_forest(&client, 1);
    harvest together = fetch_forest(&client, CELLS);
    cr_expect_eq(alone.cells, CELLS, "%s", alone.error.text);
    cr_expect_eq(together.cells, CELLS, "%s", together.error.text);
    cr_expect_eq(memcmp(alone.digests, together.digests, sizeof alone.digests), 0);
}

/* The daemon of one certificate is none for who believes another one: it is said, and not asked
 * again and again. */
Test(fetcher_ways, a_daemon_that_nobody_vouches_for_is_refused_at_once) {
    start_by_tls();
    loam_client_options client = {.base_url = url_of("https"), .ca_file = path_of("other.crt")};
    uint64_t begin_ms = now_ms();
    harvest of = fetch_forest(&client, 1);
    cr_expect_eq(of.cells, 0);
    cr_expect_eq(of.error.status, LOAM_IO);
    cr_expect_not_null(strstr(of.error.text, "is not believed by the certificates of"), "%s",
                       of.error.text);
    cr_expect_not_null(strstr(of.error.text, "other.crt"), "%s", of.error.text);
    cr_expect_lt(now_ms() - begin_ms, 5000, "repeating would take half a minute");
    client.ca_file = NULL;
    of = fetch_forest(&client, 1);
    cr_expect_not_null(strstr(of.error.text, "the system"), "%s", of.error.text);
    client.ca_file = path_of("nothing.crt");
    of = fetch_forest(&client, 1);
    cr_expect_not_null(strstr(of.error.text, "nothing.crt"), "%s", of.error.text);
}

/* ---- Over a socket, with a token ------------------------------------------------------------- */

static const char *token_new(const char *id, const char *limits) {
    static char token[256];
    const program_result *result = program_run(
        folder, "$LOAM token new %s --scopes read,generate %s --file $DIR/tokens", id, limits);
    cr_assert_eq(result->exit_code, 0, "%s", result->output);
    snprintf(token, sizeof token, "%.*s", (int)strcspn(result->output, "\n"), result->output);
    return token;
}

static void start_with_tokens(void) {
    server = daemon_start(NULL, (const char *const[]){"--tokens", path_of("tokens"), "--unix",
                                                      path_of("socket"), NULL});
    world_put();
}

Test(fetcher_ways, over_a_unix_socket_and_with_a_token_batches_are_kept_on_the_disk) {
    char socket_url[URL_BYTES];
    const char *token = token_new("reader", "");
    start_with_tokens();
    snprintf(socket_url, sizeof socket_url, "unix:%s", path_of("socket"));
    const loam_client_options ways[] = {
        {.base_url = socket_url, .cache_folder = path_of("one")},
        {.base_url = url_of("http"), .token = token, .cache_folder = path_of("two")}};
    for (int i = 0; i < 2; i++) {
        harvest first = fetch_forest(&ways[i], 8);
        harvest again = fetch_forest(&ways[i], 8);
        harvest alone = fetch_forest(&ways[i], 1);
        cr_expect_eq(first.cells, CELLS, "%s", first.error.text);
        cr_expect_eq(first.cached, 0);
        cr_expect_eq(again.cached, CELLS, "%d from the disk", again.cached);
        cr_expect_eq(alone.cached, CELLS, "alone they find what the batch kept");
        cr_expect_eq(memcmp(first.digests, again.digests, sizeof first.digests), 0);
    }
    cr_expect_eq(answered(BATCH_ROUTE, "POST", 200), 8, "two of eight cells, four times");
    cr_expect_eq(answered(CELL_ROUTE, "GET", 304), 2 * CELLS);
}

Test(fetcher_ways, a_token_that_is_none_is_told_of_every_cell) {
    (void)token_new("reader", "");
    start_with_tokens();
    loam_client_options client = {.base_url = url_of("http"), .token = "loam_reader_x"};
    for (uint32_t batch_max = 1; batch_max <= CELLS; batch_max += CELLS - 1) {
        harvest of = fetch_forest(&client, batch_max);
        cr_expect_eq(of.cells, 0);
        cr_expect_eq(of.error.status, LOAM_UNAUTHORIZED, "%s", of.error.text);
    }
}

/* ---- Under limits ---------------------------------------------------------------------------- */

static harvest fetch_slow(const loam_client_options *client, uint32_t batch_max,
                          uint64_t *took_ms) {
    loam_fetcher *fetcher = fetcher_open(client, batch_max);
    uint64_t begin_ms = now_ms();
    ask_cells(fetcher, "slow", 0);
    harvest of = take_cells(fetcher);
    *took_ms = now_ms() - begin_ms;
    loam_fetcher_destroy(fetcher);
    return of;
}

/* Eight are asked at a time and one waits at most, so that most are told 503 and when to come back:
 * after a second. Who honours that asks a few times in all; who did not, hundreds of times. */
Test(fetcher_ways, a_daemon_that_is_full_is_asked_again_when_it_says) {
    uint64_t took_ms = 0;
    server = daemon_start(NULL, (const char *const[]){"--workers", "1", "--queue-interactive", "1",
                                                      "--unix", path_of("socket"), NULL});
    slow_put(&server, NULL, SLOW_CELL_M);
    loam_client_options client = {.base_url = url_of("http"), .retries_max = 40};
    harvest of = fetch_slow(&client, 1, &took_ms);
    double refused = answered(CELL_ROUTE, "GET", 503);
    cr_expect_eq(of.cells, CELLS, "%s", of.error.text);
    cr_expect_gt(refused, 0, "nothing was turned away: this tests nothing");
    cr_expect_geq(took_ms, 1000, "Retry-After is a second");
    cr_expect_leq(refused, 8.0 * (1 + (double)took_ms / 1000), "%.0f refusals in %llu ms", refused,
                  (unsigned long long)took_ms);
    fprintf(stderr, "%d cells through a queue of 1: %.0f refusals, %llu ms\n", of.cells, refused,
            (unsigned long long)took_ms);
}

/* One request at a time is all that the token may: the others are told 429. */
Test(fetcher_ways, a_token_with_one_request_at_a_time_brings_all_in_the_end) {
    uint64_t took_ms = 0;
    const char *token = token_new("narrow", "--requests 1");
    start_with_tokens();
    slow_put(&server, path_of("socket"), SLOW_CELL_M);
    loam_client_options client = {.base_url = url_of("http"), .token = token, .retries_max = 40};
    harvest of = fetch_slow(&client, 4, &took_ms);
    cr_expect_eq(of.cells, CELLS, "%s", of.error.text);
    cr_expect_gt(answered(BATCH_ROUTE, "POST", 429), 0, "nothing was turned away");
    cr_expect_geq(took_ms, 1000, "Retry-After is a second");
}
