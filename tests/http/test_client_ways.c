/* SPDX-License-Identifier: MIT
 *
 * test_client_ways.c: the C client and `loam` with a token and over a unix socket, against a daemon
 * that wants a token of whom it does not know. On the socket the daemon's own user needs none.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/client/loam_client.h"
#include "tests/support/program.h"
#include "tests/support/suite_daemon.h"

enum { URL_BYTES = 192 };

static char folder[] = "/tmp/loam-ways-XXXXXX";

static const program_result *expect(int exit_code, const char *line) {
    char whole[PROGRAM_LINE_BYTES];
    snprintf(whole, sizeof whole, "PORT=%u; %s", server.port, line);
    const program_result *result = program_run(folder, "%s", whole);
    cr_assert_eq(result->exit_code, exit_code, "'%s' ended with %d: %s", line, result->exit_code,
                 result->output);
    return result;
}

/* DIR/token has a token that may read. */
static void begin(void) {
    static char tokens[URL_BYTES];
    static char path[URL_BYTES];
    unsetenv("LOAM_TOKEN");
    unsetenv("LOAM_SERVER");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(tokens, sizeof tokens, "%s/tokens", folder);
    snprintf(path, sizeof path, "%s/socket", folder);
    expect(0, "$LOAM token new reader --scopes read --file $DIR/tokens > $DIR/token");
    server = daemon_start(NULL, (const char *const[]){"--tokens", tokens, "--unix", path, NULL});
}

static void end(void) {
    char command[URL_BYTES];
    server_stop();
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(client_ways, .init = begin, .fini = end, .timeout = 60);

static const char *url_of(const char *kind) {
    static char url[URL_BYTES];
    if (strcmp(kind, "port") == 0) {
        snprintf(url, sizeof url, "http://127.0.0.1:%u", server.port);
    } else {
        snprintf(url, sizeof url, "unix:%s/%s", folder, kind);
    }
    return url;
}

static loam_status worlds_get(const char *url, const char *token, loam_error *error) {
    loam_client_options options = {
        .base_url = url, .token = token, .retries_max = LOAM_CLIENT_NO_RETRY};
    loam_client *client = loam_client_create(&options, error);
    if (client == NULL) {
        return error->status;
    }
    loam_client_response response = {0};
    loam_client_request request = {.path = "/v1/worlds"};
    loam_status status = loam_client_send(client, &request, &response, error);
    loam_client_response_fini(&response);
    loam_client_destroy(client);
    return status;
}

static const char *token_read(void) {
    static char token[256];
    char path[URL_BYTES];
    snprintf(path, sizeof path, "%s/token", folder);
    FILE *file = fopen(path, "r");
    cr_assert(file != NULL && fgets(token, sizeof token, file) != NULL);
    fclose(file);
    token[strcspn(token, "\n")] = '\0';
    return token;
}

Test(client_ways, the_client_sends_its_token) {
    loam_error none = {0};
    loam_error wrong = {0};
    loam_error right = {0};
    cr_expect_eq(worlds_get(url_of("port"), NULL, &none), LOAM_UNAUTHORIZED);
    cr_expect_eq(worlds_get(url_of("port"), "loam_reader_x", &wrong), LOAM_UNAUTHORIZED);
    cr_expect_eq(worlds_get(url_of("port"), token_read(), &right), LOAM_OK, "%s", right.text);
}

Test(client_ways, the_client_speaks_over_a_unix_socket) {
    loam_error here = {0};
    loam_error gone = {0};
    loam_error none = {0};
    cr_expect_eq(worlds_get(url_of("socket"), NULL, &here), LOAM_OK, "%s", here.text);
    cr_expect_eq(worlds_get(url_of("nobody"), NULL, &gone), LOAM_IO);
    cr_expect_not_null(strstr(gone.text, "/nobody"), "it says where: %s", gone.text);
    cr_expect_eq(worlds_get("unix:", NULL, &none), LOAM_MALFORMED);
}

Test(client_ways, a_fetcher_takes_cells_over_a_unix_socket) {
    loam_error error = {0};
    loam_fetcher_options options = {.client = {.base_url = url_of("socket")}};
    loam_client_cell cell = {.world = "none", .output = "trees"};
    loam_fetch_result result = {0};
    loam_fetch_id id = 0;
    loam_fetcher *fetcher = loam_fetcher_create(&options, &error);
    cr_assert_not_null(fetcher, "%s", error.text);
    cr_assert_eq(loam_fetcher_ask(fetcher, &cell, 0, NULL, &id, &error), LOAM_OK);
    for (int i = 0; i < 500 && loam_fetcher_wait(fetcher, 20) == 0; i++) {
        continue;
    }
    cr_assert(loam_fetcher_take(fetcher, &result));
    cr_expect_eq(result.error.status, LOAM_NOT_FOUND, "the daemon itself says so: %s",
                 result.error.text);
    loam_fetch_result_fini(&result);
    loam_fetcher_destroy(fetcher);
}

Test(client_ways, the_program_takes_a_token_from_a_file_or_the_environment) {
    expect(3, "$LOAM world list --port-file /dev/null --server 127.0.0.1:$PORT");
    expect(0, "$LOAM world list --server 127.0.0.1:$PORT --token-file $DIR/token");
    expect(0, "LOAM_TOKEN=$(cat $DIR/token) $LOAM world list --server 127.0.0.1:$PORT");
    expect(3, "LOAM_TOKEN=wrong $LOAM world list --server 127.0.0.1:$PORT");
    expect(0, "LOAM_TOKEN=wrong $LOAM world list --server 127.0.0.1:$PORT --token-file $DIR/token");
}

Test(client_ways, a_file_that_holds_no_token_is_refused_before_anything_is_sent) {
    expect(1, "$LOAM world list --unix $DIR/socket --token-file $DIR/none");
    expect(1, ": > $DIR/f; $LOAM world list --unix $DIR/socket --token-file $DIR/f");
    expect(1, "printf 'a\\nX: y\\n' > $DIR/f; $LOAM world list --unix $DIR/socket "
              "--token-file $DIR/f");
    expect(1, "head -c 600 /dev/zero | tr '\\0' a > $DIR/f; "
              "$LOAM world list --unix $DIR/socket --token-file $DIR/f");
    expect(2, "$LOAM world list --unix $DIR/socket --token abc");
}

Test(client_ways, the_program_speaks_over_a_unix_socket) {
    expect(0, "$LOAM world list --unix $DIR/socket");
    expect(0, "LOAM_SERVER=unix:$DIR/socket $LOAM world list");
    cr_expect(program_said(expect(4, "$LOAM world list --unix $DIR/nobody"), "/nobody"));
}
