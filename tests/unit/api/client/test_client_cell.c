/* SPDX-License-Identifier: MIT
 *
 * test_client_cell.c: a cell is believed when its bytes hash to what was announced, and only then.
 */
#include "api/client/loam_client.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/unit/api/client/script_server.h"

/* SHA-256 of "abc" (FIPS 180-4, appendix B.1). */
#define ABC "sha256-ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

#define CELL_HEAD                                                                                  \
    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/vnd.loam.cell\r\n"          \
    "Loam-Digest: " ABC "\r\n"

static loam_status cell_ask(const char *const *answers, script_server *server,
                            loam_client_response *response, loam_error *error) {
    script_start(server, answers);
    loam_client_options options = {.base_url = server->url, .retries_max = LOAM_CLIENT_NO_RETRY};
    loam_client *client = loam_client_create(&options, error);
    const loam_client_cell cell = {
        .world = "forest", .output = "trees", .level = 1, .x = -3, .z = 5};
    loam_status status = loam_client_cell_get(client, &cell, response, error);
    loam_client_destroy(client);
    script_join(server);
    return status;
}

Test(client_cell, bytes_that_hash_to_their_digest_are_taken) {
    const char *const answers[] = {CELL_HEAD "Content-Length: 3\r\n\r\nabc", NULL};
    script_server server;
    loam_client_response response;
    loam_error error = {0};
    cr_assert_eq(cell_ask(answers, &server, &response, &error), LOAM_OK, "%s", error.text);
    cr_assert_not_null(
        strstr(server.requests[0], "GET /v1/worlds/forest/cells/1/-3/5/trees HTTP/1.1"));
    cr_assert_not_null(strstr(server.requests[0], "Accept: application/vnd.loam.cell\r\n"));
    loam_client_response_fini(&response);
}

Test(client_cell, one_wrong_byte_is_damage) {
    const char *const answers[] = {CELL_HEAD "Content-Length: 3\r\n\r\nabd", NULL};
    script_server server;
    loam_client_response response;
    loam_error error = {0};
    cr_assert_eq(cell_ask(answers, &server, &response, &error), LOAM_DAMAGED);
    loam_client_response_fini(&response);
}

Test(client_cell, a_cell_without_a_digest_is_not_believed) {
    const char *const answers[] = {"HTTP/1.1 200 OK\r\nConnection: close\r\n"
                                   "Content-Type: application/vnd.loam.cell\r\n"
                                   "Content-Length: 3\r\n\r\nabc",
                                   NULL};
    script_server server;
    loam_client_response response;
    loam_error error = {0};
    cr_assert_eq(cell_ask(answers, &server, &response, &error), LOAM_DAMAGED);
    loam_client_response_fini(&response);
}

Test(client_cell, a_cell_that_is_being_built_is_asked_for_again) {
    const char *const answers[] = {"HTTP/1.1 202 Accepted\r\nConnection: close\r\n"
                                   "Retry-After: 1\r\nContent-Length: 0\r\n\r\n",
                                   CELL_HEAD "Content-Length: 3\r\n\r\nabc", NULL};
    script_server server;
    loam_client_response response;
    loam_error error = {0};
    cr_assert_eq(cell_ask(answers, &server, &response, &error), LOAM_OK, "%s", error.text);
    cr_assert_eq(server.answered, 2);
    loam_client_response_fini(&response);
}
