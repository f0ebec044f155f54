/* SPDX-License-Identifier: MIT
 *
 * test_fetcher.c: what is asked comes back once, verified, in the order of priority; what fails
 * says why; what is cancelled is not heard of again.
 */
#include "api/client/loam_client.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/pause.h"
#include "tests/support/program.h"
#include "tests/unit/api/client/script_server.h"

/* SHA-256 of "abc" (FIPS 180-4, appendix B.1). */
#define ABC "sha256-ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define KEY "sha256-0000000000000000000000000000000000000000000000000000000000000001"
#define CELL                                                                                       \
    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/vnd.loam.cell\r\n"          \
    "Loam-Digest: " ABC "\r\nLoam-Build-Key: " KEY "\r\nContent-Length: 3\r\n\r\n"
#define ANSWER(line) "HTTP/1.1 " line "\r\nConnection: close\r\n"
#define REVISION "sha256-1111111111111111111111111111111111111111111111111111111111111111"

enum { LONG_MS = 10000, STEP_MS = 50 };

static loam_fetcher *fetcher_of(const char *url, const char *cache) {
    loam_fetcher_options options = {
        .client = {.base_url = url, .timeout_ms = 5000, .retries_max = 3, .cache_folder = cache},
        .in_flight_max = 1,
        .asked_max = 4};
    loam_error error = {0};
    loam_fetcher *fetcher = loam_fetcher_create(&options, &error);
    cr_assert_not_null(fetcher, "%s", error.text);
    return fetcher;
}

static loam_fetch_id cell_ask(loam_fetcher *fetcher, int64_t x, int32_t priority) {
    static char user;
    loam_error error = {0};
    loam_fetch_id id = 0;
    loam_client_cell cell = {.world = "forest", .output = "trees", .level = 1, .x = x, .z = 5};
    cr_assert_eq(loam_fetcher_ask(fetcher, &cell, priority, &user + x, &id, &error), LOAM_OK, "%s",
                 error.text);
    cr_assert_neq(id, 0);
    return id;
}

static void take_within(loam_fetcher *fetcher, loam_fetch_result *result) {
    for (int waited = 0; loam_fetcher_wait(fetcher, STEP_MS) == 0; waited += STEP_MS) {
        cr_assert_lt(waited, LONG_MS, "nothing came");
    }
    cr_assert(loam_fetcher_take(fetcher, result));
}

/* One fetch, to its end. */
static loam_fetch_result fetch_one(const char *const *answers, script_server *server) {
    loam_fetch_result result;
    script_start(server, answers);
    loam_fetcher *fetcher = fetcher_of(server->url, NULL);
    loam_fetch_id id = cell_ask(fetcher, 3, 0);
    take_within(fetcher, &result);
    cr_expect_eq(result.id, id);
    cr_expect_eq(loam_fetcher_count(fetcher), 0);
    cr_expect_not(loam_fetcher_cancel(fetcher, id), "it was taken");
    loam_fetcher_destroy(fetcher);
    script_join(server);
    return result;
}

TestSuite(fetcher, .timeout = 60);

Test(fetcher, a_cell_comes_with_its_bytes_and_who_asked) {
    const char *const answers[] = {CELL "abc", NULL};
    script_server server;
    loam_fetch_result result = fetch_one(answers, &server);
    cr_expect_eq(result.error.status, LOAM_OK, "%s", result.error.text);
    cr_expect_eq(result.http_status, 200);
    cr_assert_eq(result.size, 3);
    cr_expect_eq(memcmp(result.bytes, "abc", 3), 0);
    cr_expect_not(result.cached);
    cr_expect_not_null(
        strstr(server.requests[0], "GET /v1/worlds/forest/cells/1/3/5/trees HTTP/1.1"));
    cr_expect_not_null(strstr(server.requests[0], "Accept: application/vnd.loam.cell\r\n"));
    cr_expect_null(strstr(server.requests[0], "Accept-Encoding"));
    loam_fetch_result_fini(&result);
}

Test(fetcher, one_wrong_byte_is_damage_and_gives_no_bytes) {
    const char *const answers[] = {CELL "abd", NULL};
    script_server server;
    loam_fetch_result result = fetch_one(answers, &server);
    cr_expect_eq(result.error.status, LOAM_DAMAGED);
    cr_expect_null(result.bytes);
}

Test(fetcher, busy_building_and_lost_are_asked_again) {
    const char *const answers[] = {ANSWER("503 Service Unavailable") "Content-Length: 0\r\n\r\n",
                                   ANSWER("202 Accepted") "Content-Length: 2\r\n\r\n{}", "",
                                   CELL "abc", NULL};
    script_server server;
    loam_fetch_result result = fetch_one(answers, &server);
    cr_expect_eq(result.error.status, LOAM_OK, "%s", result.error.text);
    cr_expect_eq(result.size, 3);
    cr_expect_eq(server.answered, 4);
    loam_fetch_result_fini(&result);
}

Test(fetcher, a_refusal_is_told_and_not_repeated) {
    const char *const answers[] = {
        ANSWER("404 Not Found") "Content-Type: application/problem+json\r\n\r\n"
                                "{\"code\": \"outside-world\", \"detail\": \"too far\"}",
        NULL};
    script_server server;
    loam_fetch_result result = fetch_one(answers, &server);
    cr_expect_eq(result.error.status, LOAM_OUTSIDE_WORLD);
    cr_expect_eq(result.http_status, 404);
    cr_expect_str_eq(result.error.text, "too far");
    cr_expect_null(result.bytes);
}

Test(fetcher, a_daemon_that_stays_away_is_an_error_in_the_end) {
    const char *const answers[] = {"", "", "", "", NULL};
    script_server server;
    loam_fetch_result result = fetch_one(answers, &server);
    cr_expect_eq(result.error.status, LOAM_IO);
    cr_expect_eq(result.http_status, 0);
}

Test(fetcher, the_most_urgent_goes_first_and_urgency_can_change) {
    const char *const answers[] = {CELL "abc", CELL "abc", CELL "abc", NULL};
    script_server server;
    loam_fetch_result result;
    script_start(&server, answers);
    loam_fetcher *fetcher = fetcher_of(server.url, NULL);
    loam_fetch_id far = cell_ask(fetcher, 1, 20);
    loam_fetch_id near = cell_ask(fetcher, 2, 10);
    loam_fetch_id moved = cell_ask(fetcher, 3, 30);
    cr_expect(loam_fetcher_prioritise(fetcher, moved, 5));
    cr_expect_not(loam_fetcher_prioritise(fetcher, 12345, 5));
    const loam_fetch_id order[] = {moved, near, far};
    for (int i = 0; i < 3; i++) {
        take_within(fetcher, &result);
        cr_expect_eq(result.id, order[i], "%d", i);
        loam_fetch_result_fini(&result);
    }
    loam_fetcher_destroy(fetcher);
    script_join(&server);
}

Test(fetcher, what_is_cancelled_is_not_heard_of_again) {
    const char *const answers[] = {CELL "abc", CELL "abc", NULL};
    script_server server;
    loam_fetch_result result;
    script_start(&server, answers);
    loam_fetcher *fetcher = fetcher_of(server.url, NULL);
    loam_fetch_id sent = cell_ask(fetcher, 1, 0);
    loam_fetch_id waiting = cell_ask(fetcher, 2, 1);
    loam_fetch_id kept = cell_ask(fetcher, 3, 2);
    (void)loam_fetcher_poll(fetcher); /* the first is on its way */
    for (int i = 0; i < 20 && server.answered == 0; i++) {
        pause_ms(5);
        (void)loam_fetcher_poll(fetcher);
    }
    cr_expect(loam_fetcher_cancel(fetcher, waiting));
    cr_expect(loam_fetcher_cancel(fetcher, sent));
    cr_expect_not(loam_fetcher_cancel(fetcher, sent));
    take_within(fetcher, &result);
    cr_expect_eq(result.id, kept);
    cr_expect_eq(loam_fetcher_count(fetcher), 0);
    loam_fetch_result_fini(&result);
    loam_fetcher_destroy(fetcher);
    script_join(&server);
}

Test(fetcher, asking_is_bounded_and_a_slot_is_free_again) {
    loam_error error = {0};
    loam_fetch_id id;
    loam_client_cell cell = {.world = "forest", .output = "trees"};
    loam_fetcher *fetcher = fetcher_of("http://127.0.0.1:9", NULL);
    loam_fetch_id first = cell_ask(fetcher, 0, 0);
    for (int i = 1; i < 4; i++) {
        (void)cell_ask(fetcher, i, 0);
    }
    cr_expect_eq(loam_fetcher_ask(fetcher, &cell, 0, NULL, &id, &error), LOAM_OVERLOADED);
    cr_expect(loam_fetcher_cancel(fetcher, first));
    cr_expect_neq(cell_ask(fetcher, 4, 0), first, "an id never comes twice");
    cr_expect_eq(loam_fetcher_count(fetcher), 4);
    loam_fetcher_destroy(fetcher);
}

Test(fetcher, limits_and_addresses_are_checked) {
    loam_error error = {0};
    loam_fetcher_options options = {.in_flight_max = 65};
    cr_expect_null(loam_fetcher_create(&options, &error));
    cr_expect_eq(error.status, LOAM_OUT_OF_RANGE);
    error = (loam_error){0};
    options = (loam_fetcher_options){.client.base_url = "http://no-such-host.invalid:1"};
    cr_expect_null(loam_fetcher_create(&options, &error));
    cr_expect_eq(error.status, LOAM_IO, "%s", error.text);
}

/* ---- With a disk ----------------------------------------------------------------------------- */

TestSuite(fetcher_disk, .init = program_folder_begin, .fini = program_folder_end, .timeout = 60);

static loam_fetch_result disk_fetch(loam_fetcher *fetcher, const char *revision) {
    loam_error error = {0};
    loam_fetch_id id = 0;
    loam_fetch_result result;
    loam_client_cell cell = {
        .world = "forest", .revision = revision, .output = "trees", .x = 1, .z = 2};
    cr_assert_eq(loam_fetcher_ask(fetcher, &cell, 0, NULL, &id, &error), LOAM_OK);
    take_within(fetcher, &result);
    cr_assert_eq(result.error.status, LOAM_OK, "%s", result.error.text);
    cr_assert_eq(result.size, 3);
    cr_expect_eq(memcmp(result.bytes, "abc", 3), 0);
    loam_fetch_result_fini(&result);
    return result;
}

Test(fetcher_disk, a_cell_of_a_revision_is_fetched_once) {
    const char *const answers[] = {CELL "abc", NULL};
    script_server server;
    script_start(&server, answers);
    loam_fetcher *fetcher = fetcher_of(server.url, program_folder);
    (void)disk_fetch(fetcher, REVISION);
    script_join(&server);
    (void)disk_fetch(fetcher, REVISION);
    loam_fetcher_destroy(fetcher);
    fetcher = fetcher_of("http://127.0.0.1:9", program_folder);
    (void)disk_fetch(fetcher, REVISION); /* nobody listens there */
    loam_fetcher_destroy(fetcher);
}

Test(fetcher_disk, the_newest_is_asked_for_by_its_digest) {
    const char *const answers[] = {CELL "abc", ANSWER("304 Not Modified") "\r\n", NULL};
    script_server server;
    script_start(&server, answers);
    loam_fetcher *fetcher = fetcher_of(server.url, program_folder);
    (void)disk_fetch(fetcher, NULL);
    (void)disk_fetch(fetcher, NULL);
    script_join(&server);
    cr_expect_null(strstr(server.requests[0], "If-None-Match"));
    cr_expect_not_null(strstr(server.requests[1], "If-None-Match: \"" ABC "\"\r\n"));
    loam_fetcher_destroy(fetcher);
}

Test(fetcher_disk, what_the_disk_has_damaged_is_fetched_again) {
    const char *const answers[] = {CELL "abc", CELL "abc", NULL};
    char command[192];
    script_server server;
    script_start(&server, answers);
    loam_fetcher *fetcher = fetcher_of(server.url, program_folder);
    (void)disk_fetch(fetcher, REVISION);
    (void)snprintf(command, sizeof command,
                   "find '%s' -name '*.cell' | while read f; do printf xyz > $f; done",
                   program_folder);
    cr_assert_eq(system(command), 0);
    (void)disk_fetch(fetcher, REVISION);
    script_join(&server);
    (void)disk_fetch(fetcher, REVISION);
    loam_fetcher_destroy(fetcher);
}

Test(fetcher_disk, the_one_who_may_wait_has_the_same_disk) {
    const char *const answers[] = {
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/vnd.loam.cell\r\n"
        "Content-Location: /v1/worlds/forest/revisions/" REVISION "/cells/0/1/2/trees\r\n"
        "Loam-Digest: " ABC "\r\nLoam-Build-Key: " KEY "\r\nContent-Length: 3\r\n\r\nabc",
        ANSWER("304 Not Modified") "Warning: 199 - \"bare\"\r\n\r\n", NULL};
    script_server server;
    loam_client_response response;
    loam_error error = {0};
    script_start(&server, answers);
    loam_client_options options = {.base_url = server.url, .cache_folder = program_folder};
    loam_client *client = loam_client_create(&options, &error);
    loam_client_cell cell = {.world = "forest", .output = "trees", .x = 1, .z = 2};
    cr_assert_not_null(client, "%s", error.text);
    cr_assert_eq(loam_client_cell_get(client, &cell, &response, &error), LOAM_OK);
    loam_client_response_fini(&response);
    cr_assert_eq(loam_client_cell_get(client, &cell, &response, &error), LOAM_OK);
    cr_expect_eq(response.http_status, 200);
    cr_expect_str_eq((const char *)response.body, "abc");
    cr_expect_str_eq(loam_client_header(&response, "Cache-Status"), "loam-client; hit");
    cr_expect_str_eq(loam_client_header(&response, "Loam-Build-Key"), KEY);
    cr_expect_str_eq(loam_client_header(&response, "Warning"), "199 - \"bare\"");
    loam_client_response_fini(&response);
    script_join(&server);
    cell.revision = REVISION; /* Content-Location said which it is */
    cr_assert_eq(loam_client_cell_get(client, &cell, &response, &error), LOAM_OK, "%s", error.text);
    cr_expect_str_eq(loam_client_header(&response, "Loam-Digest"), ABC);
    loam_client_response_fini(&response);
    loam_client_destroy(client);
}
