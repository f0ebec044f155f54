/* SPDX-License-Identifier: MIT
 *
 * command_job.c: `loam job submit|wait|get|cancel|retry|results`. A job goes on when the one who
 * waits for it goes away.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/cli/job_submit.h"
#include "api/cli/output.h"
#include "api/cli/progress.h"
#include "api/cli/remote.h"
#include "api/wire/text_buffer.h"
#include "core/base/try.h"

/* A job document of one rectangle is far smaller. */
#define JOB_DOCUMENT_BYTES_MAX 65536
#define JOB_PATH_BYTES 512
#define JOB_COUNT_BYTES 24
#define JOB_LEVEL_MAX 255
#define JOB_PRIORITY_MAX 9

static void document_put_cells(text_buffer *document, const int64_t area[4]) {
    buffer_open_object(document);
    for (int corner = 0; corner < 2; corner++) {
        buffer_key(document, corner == 0 ? "min" : "max");
        buffer_open_array(document);
        buffer_integer(document, area[corner * 2]);
        buffer_integer(document, area[corner * 2 + 1]);
        buffer_close_array(document);
    }
    buffer_close_object(document);
}

static loam_status document_put_place(text_buffer *document, const cli_arguments *arguments,
                                      loam_error *error) {
    int64_t area[4];
    buffer_key(document, "cells");
    if (options_text(arguments, "cells") == NULL) {
        buffer_string(document, "all");
        return LOAM_OK;
    }
    LOAM_TRY(options_area(arguments, "cells", area, error));
    document_put_cells(document, area);
    return LOAM_OK;
}

/* A world's own default level is taken when --level is not given. */
static loam_status document_put_options(text_buffer *document, const cli_arguments *arguments,
                                        loam_error *error) {
    int64_t level = -1;
    int64_t priority = -1;
    LOAM_TRY(options_integer(arguments, "level", 0, JOB_LEVEL_MAX, &level, error));
    LOAM_TRY(options_integer(arguments, "priority", 0, JOB_PRIORITY_MAX, &priority, error));
    if (level >= 0) {
        buffer_key(document, "level");
        buffer_integer(document, level);
    }
    if (priority >= 0) {
        buffer_key(document, "priority");
        buffer_integer(document, priority);
    }
    if (options_text(arguments, "revision") != NULL) {
        buffer_key(document, "revision");
        buffer_string(document, options_text(arguments, "revision"));
    }
    if (options_flag(arguments, "discard")) {
        buffer_key(document, "keep");
        buffer_bool(document, false);
    }
    return LOAM_OK;
}

static loam_status document_write(text_buffer *document, const cli_arguments *arguments,
                                  loam_error *error) {
    buffer_open_object(document);
    buffer_key(document, "world");
    buffer_string(document, arguments->operands[0]);
    buffer_key(document, "outputs");
    buffer_open_array(document);
    buffer_string(document, options_text(arguments, "output"));
    buffer_close_array(document);
    LOAM_TRY(document_put_options(document, arguments, error));
    LOAM_TRY(document_put_place(document, arguments, error));
    buffer_close_object(document);
    buffer_add(document, "", 1);
    return buffer_status(document);
}

/* What is shown beside the bar. */
static void job_note(const loam_client_job *job, char *note, size_t capacity) {
    int used = snprintf(note, capacity, "%s, %" PRIu64 " cached",
                        loam_client_job_state_name(job->state), job->cached);
    if (used > 0 && (size_t)used < capacity && job->rate_per_s > 0) {
        (void)snprintf(note + used, capacity - (size_t)used, ", %.0f/s, %.0f s left",
                       job->rate_per_s, job->eta_s);
    }
}

static bool job_show(void *context, const loam_client_job *job) {
    progress *bar = context;
    char note[128];
    bar->total = job->total;
    job_note(job, note, sizeof note);
    progress_update(bar, job->done, note);
    return true;
}

static int job_end(const cli_arguments *arguments, const loam_client_job *job) {
    if (job->state == LOAM_CLIENT_JOB_SUCCEEDED) {
        return CLI_DONE;
    }
    (void)fprintf(stderr, "loam %s: the job %s, %" PRIu64 " of %" PRIu64 " failed\n",
                  arguments->command->name,
                  job->state == LOAM_CLIENT_JOB_CANCELLED ? "was cancelled" : "failed", job->failed,
                  job->total);
    (void)fprintf(stderr, "  'loam job get %s' shows its problems\n", job->id);
    return CLI_FAILED;
}

static int job_wait(const cli_arguments *arguments, loam_client *client, const char *id) {
    loam_client_job job;
    loam_client_response response = {0};
    loam_error error = {0};
    progress bar;
    char note[128];
    progress_begin(&bar, "job", 0);
    loam_status status = loam_client_job_wait(client, id, job_show, &bar, &job, &response, &error);
    int exit_code;
    if (status != LOAM_OK) {
        exit_code = output_refusal(arguments->command->name, &response, &error);
    } else {
        job_note(&job, note, sizeof note);
        progress_end(&bar, job.done, note);
        exit_code = job_end(arguments, &job);
    }
    if (exit_code == CLI_DONE && options_flag(arguments, "json")) {
        exit_code = remote_print_body(arguments, &response);
    }
    loam_client_response_fini(&response);
    return exit_code;
}

static int submit(const cli_arguments *arguments, loam_client *client, const char *document) {
    loam_client_job job;
    loam_client_response response = {0};
    loam_error error = {0};
    if (loam_client_job_submit(client, document, &job, &response, &error) != LOAM_OK) {
        int exit_code = output_refusal(arguments->command->name, &response, &error);
        loam_client_response_fini(&response);
        return exit_code;
    }
    int exit_code = CLI_DONE;
    bool waits = options_flag(arguments, "wait");
    if (!options_flag(arguments, "json")) {
        (void)printf("%s\n", job.id);
        (void)fflush(stdout);
    } else if (!waits) {
        exit_code = remote_print_body(arguments, &response);
    }
    loam_client_response_fini(&response);
    return waits ? job_wait(arguments, client, job.id) : exit_code;
}

int job_submit(const cli_arguments *arguments, const char *document) {
    int exit_code = CLI_FAILED;
    loam_client *client = remote_open_or_tell(arguments, &exit_code);
    if (client != NULL) {
        exit_code = submit(arguments, client, document);
    }
    loam_client_destroy(client);
    return exit_code;
}

int command_job_submit_run(const cli_arguments *arguments) {
    text_buffer document;
    loam_error error = {0};
    int exit_code;
    buffer_init(&document, JOB_DOCUMENT_BYTES_MAX);
    if (document_write(&document, arguments, &error) != LOAM_OK) {
        exit_code = output_failure(arguments->command->name, &error);
    } else {
        exit_code = job_submit(arguments, document.bytes);
    }
    buffer_fini(&document);
    return exit_code;
}

int command_job_wait_run(const cli_arguments *arguments) {
    int exit_code = CLI_FAILED;
    loam_client *client = remote_open_or_tell(arguments, &exit_code);
    if (client != NULL) {
        exit_code = job_wait(arguments, client, arguments->operands[0]);
    }
    loam_client_destroy(client);
    return exit_code;
}

/* One request about a job, with or without a query; false with the exit code when it went wrong. */
static bool job_ask(const cli_arguments *arguments, loam_client_request *request, const char *leaf,
                    loam_client_response *response, int *exit_code) {
    char path[JOB_PATH_BYTES] = "/v1/jobs";
    loam_error error = {0};
    if (!loam_client_path_append(path, sizeof path, arguments->operands[0]) ||
        (leaf != NULL && !loam_client_path_append(path, sizeof path, leaf))) {
        (void)loam_fail(&error, LOAM_BAD_NAME, NULL, "that is no job's id");
        *exit_code = output_failure(arguments->command->name, &error);
        return false;
    }
    request->path = path;
    return remote_send(arguments, request, response, exit_code);
}

/* Its body goes to stdout. */
static int job_request(const cli_arguments *arguments, const char *method, const char *leaf) {
    loam_client_request request = {.method = method};
    loam_client_response response = {0};
    int exit_code = CLI_DONE;
    if (job_ask(arguments, &request, leaf, &response, &exit_code)) {
        exit_code = remote_print_body(arguments, &response);
        loam_client_response_fini(&response);
    }
    return exit_code;
}

int command_job_get_run(const cli_arguments *arguments) {
    return job_request(arguments, "GET", NULL);
}

int command_job_cancel_run(const cli_arguments *arguments) {
    return job_request(arguments, "POST", "cancellation");
}

int command_job_retry_run(const cli_arguments *arguments) {
    return job_request(arguments, "POST", "retries");
}

/* The n of a page's last line, which is where the next one begins; false for an empty page. */
static bool find_last(const loam_client_response *page, char after[JOB_COUNT_BYTES]) {
    static const char key[] = "{\"n\":";
    const char *body = (const char *)page->body;
    const char *last = NULL;
    for (const char *at = body; at != NULL && (at = strstr(at, key)) != NULL; at++) {
        last = at + sizeof key - 1;
    }
    size_t digits = last == NULL ? 0 : strspn(last, "0123456789");
    if (digits == 0 || digits >= JOB_COUNT_BYTES) {
        return false;
    }
    memcpy(after, last, digits);
    after[digits] = 0;
    return true;
}

/* All of them, page by page, so far as they are there. */
int command_job_results_run(const cli_arguments *arguments) {
    char last[JOB_COUNT_BYTES];
    const char *after = options_text(arguments, "after");
    int exit_code = CLI_DONE;
    for (bool more = true; more && exit_code == CLI_DONE; after = last) {
        const loam_client_field query[] = {{"after", after}};
        loam_client_request request = {.query = query, .query_count = after != NULL ? 1 : 0};
        loam_client_response page = {0};
        if (!job_ask(arguments, &request, "results", &page, &exit_code)) {
            break;
        }
        more = find_last(&page, last);
        exit_code = page.body_size > 0 ? remote_print_body(arguments, &page) : CLI_DONE;
        loam_client_response_fini(&page);
    }
    return exit_code;
}
