/* SPDX-License-Identifier: MIT
 *
 * test_client.c: what goes out, what comes back, and what is asked again.
 */
#include "api/client/loam_client.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/unit/api/client/script_server.h"

#define OK_JSON "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\n"

static loam_client *client_of(const char *url, uint32_t retries) {
    loam_client_options options = {.base_url = url, .retries_max = retries, .timeout_ms = 5000};
    loam_error error = {0};
    loam_client *client = loam_client_create(&options, &error);
    cr_assert_not_null(client, "%s", error.text);
    return client;
}

/* Sends one request to a server with these answers. */
typedef struct outcome {
    script_server server;
    loam_client_response response;
    loam_error error;
    loam_status status;
} outcome;

static void ask(outcome *result, const char *const *answers, const loam_client_request *request,
                uint32_t retries) {
    memset(result, 0, sizeof *result);
    script_start(&result->server, answers);
    loam_client *client = client_of(result->server.url, retries);
    result->status = loam_client_send(client, request, &result->response, &result->error);
    loam_client_destroy(client);
    script_join(&result->server);
}

Test(client, a_get_brings_status_headers_and_body) {
    const char *const answers[] = {OK_JSON "ETag: \"x\"\r\nContent-Length: 2\r\n\r\n{}", NULL};
    outcome result;
    ask(&result, answers, &(loam_client_request){.path = "/v1/version"}, 0);
    cr_assert_eq(result.status, LOAM_OK);
    cr_assert_eq(result.response.http_status, 200);
    cr_assert_eq(result.response.body_size, 2);
    cr_assert_str_eq((const char *)result.response.body, "{}");
    cr_assert_str_eq(loam_client_header(&result.response, "etag"), "\"x\"");
    cr_assert_null(loam_client_header(&result.response, "Location"));
    cr_assert(strncmp(result.server.requests[0], "GET /v1/version HTTP/1.1\r\n", 26) == 0);
    loam_client_response_fini(&result.response);
    cr_assert_eq(result.response.field_count, 0);
}

Test(client, query_values_are_encoded_and_the_body_is_sent_whole) {
    const char *const answers[] = {OK_JSON "Content-Length: 0\r\n\r\n", NULL};
    const loam_client_field query[] = {{"kind", "a b&c"}, {"x", "-1.5"}};
    loam_client_request request = {.method = "PUT",
                                   .path = "/v1/assets/a",
                                   .query = query,
                                   .query_count = 2,
                                   .content_type = "application/json",
                                   .body = "{\"a\":1}",
                                   .body_size = 7};
    outcome result;
    ask(&result, answers, &request, 0);
    const char *sent = result.server.requests[0];
    cr_assert_eq(result.status, LOAM_OK, "%s", result.error.text);
    cr_assert_not_null(strstr(sent, "PUT /v1/assets/a?kind=a%20b%26c&x=-1.5 HTTP/1.1\r\n"), "%s",
                       sent);
    cr_assert_not_null(strstr(sent, "Content-Type: application/json\r\n"));
    cr_assert_str_eq(strstr(sent, "\r\n\r\n") + 4, "{\"a\":1}");
    loam_client_response_fini(&result.response);
}

Test(client, a_problem_document_becomes_its_error) {
    const char *const answers[] = {
        "HTTP/1.1 422 Unprocessable Content\r\nConnection: close\r\n"
        "Content-Type: application/problem+json\r\n\r\n"
        "{\"status\":422,\"code\":\"unknown-operation\",\"detail\":\"no such thing\","
        "\"pointer\":\"/nodes/a/op\"}",
        NULL};
    outcome result;
    ask(&result, answers, &(loam_client_request){.path = "/"}, 0);
    cr_assert_eq(result.status, LOAM_UNKNOWN_OPERATION, "%d %s", result.status, result.error.text);
    cr_assert_eq(result.response.http_status, 422);
    cr_assert_str_eq(result.error.pointer, "/nodes/a/op");
    cr_assert_str_eq(result.error.text, "no such thing");
    loam_client_response_fini(&result.response);
}

Test(client, a_refusal_without_a_problem_document_is_an_error_as_well) {
    const char *const answers[] = {
        "HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 4\r\n\r\nnope", NULL};
    outcome result;
    ask(&result, answers, &(loam_client_request){.path = "/"}, 0);
    cr_assert_eq(result.status, LOAM_NOT_FOUND);
    cr_assert_eq(result.response.http_status, 404);
    loam_client_response_fini(&result.response);
}

Test(client, an_unknown_code_keeps_its_name_in_the_text) {
    const char *const answers[] = {"HTTP/1.1 403 Forbidden\r\nConnection: close\r\n"
                                   "\r\n{\"code\":\"from-later\",\"detail\":\"d\"}",
                                   NULL};
    outcome result;
    ask(&result, answers, &(loam_client_request){.path = "/"}, 0);
    cr_assert_eq(result.status, LOAM_FORBIDDEN);
    cr_assert_str_eq(result.error.text, "from-later: d");
    loam_client_response_fini(&result.response);
}

#define BUSY "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

Test(client, a_busy_daemon_is_asked_again) {
    const char *const answers[] = {BUSY, BUSY, OK_JSON "Content-Length: 2\r\n\r\n{}", NULL};
    outcome result;
    ask(&result, answers, &(loam_client_request){.path = "/"}, 3);
    cr_assert_eq(result.status, LOAM_OK);
    cr_assert_eq(result.server.answered, 3);
    loam_client_response_fini(&result.response);
}

Test(client, patience_ends_after_the_last_retry) {
    const char *const answers[] = {BUSY, BUSY, NULL};
    outcome result;
    ask(&result, answers, &(loam_client_request){.path = "/"}, 1);
    cr_assert_eq(result.status, LOAM_OVERLOADED);
    cr_assert_eq(result.response.http_status, 503);
    loam_client_response_fini(&result.response);
}

Test(client, an_answer_beyond_the_limit_is_refused) {
    const char *const answers[] = {OK_JSON "Content-Length: 5\r\n\r\n12345", NULL};
    script_server server;
    loam_client_response response;
    loam_error error = {0};
    script_start(&server, answers);
    loam_client_options options = {.base_url = server.url, .body_bytes_max = 4};
    loam_client *client = loam_client_create(&options, &error);
    loam_client_request request = {.path = "/"};
    cr_assert_eq(loam_client_send(client, &request, &response, &error), LOAM_TOO_LARGE);
    loam_client_response_fini(&response);
    loam_client_destroy(client);
    script_join(&server);
}

Test(client, no_answer_is_io_with_status_zero) {
    loam_client *client = client_of("http://127.0.0.1:1", 0);
    loam_client_request request = {.path = "/"};
    loam_client_response response;
    loam_error error = {0};
    cr_assert_eq(loam_client_send(client, &request, &response, &error), LOAM_IO);
    cr_assert_eq(response.http_status, 0);
    cr_assert_neq(error.text[0], '\0');
    loam_client_response_fini(&response);
    loam_client_destroy(client);
}

Test(client, only_http_addresses_are_taken) {
    static const char *const bad[] = {"ftp://127.0.0.1", "127.0.0.1:7373", "file:///etc/passwd",
                                      ""};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        loam_client_options options = {.base_url = bad[i]};
        loam_error error = {0};
        cr_assert_null(loam_client_create(&options, &error), "%s", bad[i]);
        cr_assert_eq(error.status, LOAM_MALFORMED);
    }
}

Test(client, a_missing_body_file_is_named) {
    loam_client *client = client_of("http://127.0.0.1:1", 0);
    loam_client_request request = {.method = "PUT", .path = "/", .body_file = "/nonexistent/x"};
    loam_client_response response;
    loam_error error = {0};
    cr_assert_eq(loam_client_send(client, &request, &response, &error), LOAM_IO);
    cr_assert_not_null(strstr(error.text, "/nonexistent/x"));
    loam_client_response_fini(&response);
    loam_client_destroy(client);
}
