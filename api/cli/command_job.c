/* SPDX-License-Identifier: MIT
 *
 * command_job.c: `loam job submit|wait|get|cancel|results`. A job goes on when the one who waits
 * for it goes away.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/cli/output.h"
#include "api/cli/progress.h"
#include "api/cli/remote.h"
#include "api/wire/text_buffer.h"
#include "core/base/try.h"

/* A job document of one rectangle is far smaller. */
#define JOB_DOCUMENT_BYTES_MAX 65536
#define JOB_PATH_BYTES 512
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
    (void)fprintf(stderr, "loam %s: the job %s, %" PRIu64 " of %" PRIu64 " cells failed\n",
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

static int job_submit(const cli_arguments *arguments, loam_client *client, const char *document) {
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

int command_job_submit_run(const cli_arguments *arguments) {
    text_buffer document;
    loam_error error = {0};
    int exit_code = CLI_FAILED;
    buffer_init(&document, JOB_DOCUMENT_BYTES_MAX);
    if (document_write(&document, arguments, &error) != LOAM_OK) {
        exit_code = output_failure(arguments->command->name, &error);
    } else {
        loam_client *client = remote_open_or_tell(arguments, &exit_code);
        if (client != NULL) {
            exit_code = job_submit(arguments, client, document.bytes);
        }
        loam_client_destroy(client);
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

/* One request about a job; its body goes to stdout. */
static int job_request(const cli_arguments *arguments, const char *method, const char *leaf) {
    char path[JOB_PATH_BYTES] = "/v1/jobs";
    const char *after = options_text(arguments, "after");
    const loam_client_field query[] = {{"after", after}};
    loam_client_request request = {
        .method = method, .path = path, .query = query, .query_count = after != NULL ? 1 : 0};
    loam_client_response response = {0};
    loam_error error = {0};
    int exit_code = CLI_DONE;
    if (!loam_client_path_append(path, sizeof path, arguments->operands[0]) ||
        (leaf != NULL && !loam_client_path_append(path, sizeof path, leaf))) {
        (void)loam_fail(&error, LOAM_BAD_NAME, NULL, "that is no job's id");
        return output_failure(arguments->command->name, &error);
    }
    if (!remote_send(arguments, &request, &response, &exit_code)) {
        return exit_code;
    }
    exit_code = remote_print_body(arguments, &response);
    loam_client_response_fini(&response);
    return exit_code;
}

int command_job_get_run(const cli_arguments *arguments) {
    return job_request(arguments, "GET", NULL);
}

int command_job_cancel_run(const cli_arguments *arguments) {
    return job_request(arguments, "POST", "cancellation");
}

int command_job_results_run(const cli_arguments *arguments) {
    return job_request(arguments, "GET", "results");
}
