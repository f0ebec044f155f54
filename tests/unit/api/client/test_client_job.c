/* SPDX-License-Identifier: MIT
 *
 * test_client_job.c: a job is watched to its end, through answers that say "nothing new".
 */
#include "api/client/loam_client.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/api/client/script_server.h"

#define HEAD(tag) "HTTP/1.1 200 OK\r\nConnection: close\r\nETag: \"" tag "\"\r\n"

static const char running[] =
    HEAD("a") "\r\n"
              "{\"id\":\"j1\",\"state\":\"running\",\"total\":8,\"done\":3,\"cached\":1}";
static const char succeeded[] =
    HEAD("b") "\r\n"
              "{\"id\":\"j1\",\"state\":\"succeeded\",\"total\":8,\"done\":8,\"cached\":1}";
static const char unchanged[] =
    "HTTP/1.1 304 Not Modified\r\nConnection: close\r\nETag: \"a\"\r\n\r\n";

typedef struct seen {
    uint32_t count;
    uint64_t done[8];
    uint32_t stop_at;
} seen;

static bool note(void *context, const loam_client_job *job) {
    seen *all = context;
    all->done[all->count++] = job->done;
    return all->count != all->stop_at;
}

static uint32_t timeout_ms; /* 0: the default */

static loam_status wait_for(const char *const *answers, script_server *server, seen *all,
                            loam_client_job *job) {
    loam_error error = {0};
    loam_client_response response;
    script_start(server, answers);
    loam_client_options options = {.base_url = server->url, .timeout_ms = timeout_ms};
    loam_client *client = loam_client_create(&options, &error);
    loam_status status = loam_client_job_wait(client, "j1", note, all, job, &response, &error);
    loam_client_response_fini(&response);
    loam_client_destroy(client);
    script_join(server);
    return status;
}

Test(client_job, waiting_ends_when_the_job_has_ended) {
    const char *const answers[] = {running, unchanged, succeeded, NULL};
    script_server server;
    seen all = {0};
    loam_client_job job;
    cr_assert_eq(wait_for(answers, &server, &all, &job), LOAM_OK);
    cr_assert_eq(job.state, LOAM_CLIENT_JOB_SUCCEEDED);
    cr_assert_eq(job.total, 8);
    cr_assert_eq(all.count, 2, "an unchanged job is no progress");
    cr_assert_eq(all.done[0], 3);
    cr_assert_eq(all.done[1], 8);
    cr_assert_not_null(strstr(server.requests[1], "If-None-Match: \"a\"\r\n"));
    cr_assert_not_null(strstr(server.requests[1], "Prefer: wait="));
    cr_assert_null(strstr(server.requests[0], "Prefer:"), "the first look is at once");
}

Test(client_job, the_caller_can_end_the_wait) {
    const char *const answers[] = {running, NULL};
    script_server server;
    seen all = {.stop_at = 1};
    loam_client_job job;
    cr_assert_eq(wait_for(answers, &server, &all, &job), LOAM_CANCELLED);
}

Test(client_job, an_answer_that_is_no_job_is_an_error) {
    static const char *const bad[] = {"[]", "{}", "{\"id\":1,\"state\":\"running\"}",
                                      "{\"id\":\"a\",\"state\":\"dancing\"}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char answer[256];
        (void)snprintf(answer, sizeof answer, HEAD("a") "\r\n%s", bad[i]);
        const char *const answers[] = {answer, NULL};
        script_server server;
        seen all = {0};
        loam_client_job job;
        cr_assert_eq(wait_for(answers, &server, &all, &job), LOAM_MALFORMED, "%s", bad[i]);
    }
}

/* A daemon that waits longer than we do would look as if it were not there. */
Test(client_job, the_daemon_is_asked_to_wait_half_as_long_as_we_do) {
    const char *const answers[] = {running, succeeded, NULL};
    static const struct {
        uint32_t timeout_ms;
        const char *prefer;
    } rows[] = {
        {0, "Prefer: wait=20\r\n"}, {5000, "Prefer: wait=2\r\n"}, {900, "Prefer: wait=0\r\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        script_server server;
        seen all = {0};
        loam_client_job job;
        timeout_ms = rows[i].timeout_ms;
        cr_assert_eq(wait_for(answers, &server, &all, &job), LOAM_OK);
        cr_expect_not_null(strstr(server.requests[1], rows[i].prefer), "%s", server.requests[1]);
    }
}
