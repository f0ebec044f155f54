/* SPDX-License-Identifier: MIT
 *
 * test_client_library.c: the C client against a real daemon: batches, the disk, columns, and a
 * fetcher with more asked than in flight.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/client/loam_client.h"
#include "tests/support/daemon.h"

static test_daemon daemon_here;
static char url[64];
static char cache[DAEMON_PATH_BYTES];

static void daemon_begin(void) {
    daemon_here = daemon_start(NULL, NULL);
    forest_put(&daemon_here);
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%u", daemon_here.port);
    (void)snprintf(cache, sizeof cache, "%s/cache", daemon_here.folder);
}

static void daemon_done(void) {
    cr_expect_eq(daemon_end(&daemon_here), 0);
    daemon_remove_folder(&daemon_here);
}

TestSuite(client_library, .init = daemon_begin, .fini = daemon_done, .timeout = 60);

static loam_client *client_open(void) {
    loam_error error = {0};
    loam_client_options options = {.base_url = url, .cache_folder = cache};
    loam_client *client = loam_client_create(&options, &error);
    cr_assert_not_null(client, "%s", error.text);
    return client;
}

static const loam_client_place places[] = {{0, 0, 0}, {1, 0, 0}, {99, 99, 0}, {2, 3, 1}};
enum { PLACES = sizeof places / sizeof *places, OUTSIDE = 2 };

static void batch_expect(bool cached) {
    loam_client *client = client_open();
    loam_client_batch batch = {"forest", "trees", places, PLACES};
    loam_client_batch_result result;
    loam_error error = {0};
    cr_assert_eq(loam_client_batch_get(client, &batch, &result, &error), LOAM_OK, "%s", error.text);
    cr_assert_eq(result.cell_count, PLACES);
    for (size_t i = 0; i < PLACES; i++) {
        const loam_client_batch_cell *cell = &result.cells[i];
        cr_expect_eq(cell->http_status, i == OUTSIDE ? 404 : 200, "%zu", i);
        cr_expect_eq(cell->error.status, i == OUTSIDE ? LOAM_OUTSIDE_WORLD : LOAM_OK);
        cr_expect_eq(cell->bytes == NULL, i == OUTSIDE);
        cr_expect_eq(cell->cached, cached && i != OUTSIDE, "%zu", i);
    }
    loam_client_batch_result_fini(&result);
    loam_client_destroy(client);
}

Test(client_library, a_batch_comes_once_and_then_from_the_disk) {
    batch_expect(false);
    batch_expect(true);
}

Test(client_library, an_unchanged_cell_that_the_disk_lost_comes_by_itself) {
    char command[2 * DAEMON_PATH_BYTES];
    batch_expect(false);
    (void)snprintf(command, sizeof command, "find '%s' -name '*.cell' -delete", cache);
    cr_assert_eq(system(command), 0);
    batch_expect(false);
}

Test(client_library, a_batch_of_none_or_too_many_is_an_error) {
    static loam_client_place many[LOAM_CLIENT_BATCH_MAX + 1];
    loam_client *client = client_open();
    loam_client_batch_result result;
    const size_t counts[] = {0, LOAM_CLIENT_BATCH_MAX + 1};
    for (size_t i = 0; i < 2; i++) {
        loam_error error = {0};
        loam_client_batch batch = {"forest", "trees", many, counts[i]};
        cr_expect_eq(loam_client_batch_get(client, &batch, &result, &error), LOAM_OUT_OF_RANGE);
        loam_client_batch_result_fini(&result);
    }
    loam_client_destroy(client);
}

Test(client_library, the_newest_cell_is_asked_for_by_its_digest_and_then_never_sent) {
    static const char *const told[] = {"loam; ", "loam-client; hit", "loam-client; hit"};
    loam_client *client = client_open();
    loam_client_cell cell = {.world = "forest", .output = "trees", .x = 1, .z = 1};
    for (size_t i = 0; i < 3; i++) {
        loam_client_response response;
        loam_error error = {0};
        cr_assert_eq(loam_client_cell_get(client, &cell, &response, &error), LOAM_OK, "%s",
                     error.text);
        const char *status = loam_client_header(&response, "Cache-Status");
        cr_expect_eq(strncmp(status, told[i], strlen(told[i])), 0, "%zu: %s", i, status);
        cr_expect_gt(response.body_size, 1024, "large enough that the daemon would code it");
        loam_client_response_fini(&response);
    }
    loam_client_destroy(client);
}

/* Columns tell what the daemon's header tells. */
static void columns_expect(const loam_fetch_result *result, int64_t x, int64_t z) {
    loam_client_columns columns;
    loam_error error = {0};
    cr_assert_eq(loam_client_columns_read(result->bytes, result->size, &columns, &error), LOAM_OK,
                 "%s", error.text);
    cr_expect_eq(columns.points.count, loam_cell_count(result->bytes, result->size));
    cr_expect_gt(columns.points.count, 0);
    cr_expect_eq(columns.points.rect.x0, x * 256 * LOAM_UNITS_PER_METRE);
    cr_expect_eq(columns.points.rect.z0, z * 256 * LOAM_UNITS_PER_METRE);
    loam_client_columns_fini(&columns);
    cr_expect_null(columns.points.x);
}

static void world_fetch(loam_fetcher *fetcher, bool cached) {
    loam_fetch_result result;
    loam_error error = {0};
    loam_fetch_id id;
    for (intptr_t i = 0; i < 16; i++) {
        loam_client_cell cell = {.world = "forest", .output = "trees", .x = i % 4, .z = i / 4};
        cr_assert_eq(loam_fetcher_ask(fetcher, &cell, (int32_t)i, (void *)i, &id, &error), LOAM_OK);
    }
    for (int taken = 0; taken < 16;) {
        (void)loam_fetcher_wait(fetcher, 1000);
        while (loam_fetcher_take(fetcher, &result)) {
            intptr_t i = (intptr_t)result.user;
            cr_assert_eq(result.error.status, LOAM_OK, "%s", result.error.text);
            cr_expect_eq(result.cached, cached);
            columns_expect(&result, i % 4, i / 4);
            loam_fetch_result_fini(&result);
            taken++;
        }
    }
    cr_expect_eq(loam_fetcher_count(fetcher), 0);
}

Test(client_library, a_fetcher_brings_a_world_and_then_has_it) {
    loam_error error = {0};
    loam_fetcher_options options = {.client = {.base_url = url, .cache_folder = cache},
                                    .in_flight_max = 3,
                                    .poll_us = 1}; /* pieces, whatever the machine */
    loam_fetcher *fetcher = loam_fetcher_create(&options, &error);
    cr_assert_not_null(fetcher, "%s", error.text);
    world_fetch(fetcher, false);
    world_fetch(fetcher, true);
    loam_fetcher_destroy(fetcher);
}

Test(client_library, columns_of_what_is_no_cell_are_an_error) {
    loam_client_columns columns;
    loam_error error = {0};
    cr_expect_eq(loam_client_columns_read("LOAMCELL", 8, &columns, &error), LOAM_DAMAGED);
    cr_expect_null(columns.memory);
}
