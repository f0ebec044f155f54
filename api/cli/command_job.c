/* SPDX-License-Identifier: MIT
 *
 * command_job.c: what is done with a job that there is. It goes on when the one who waits
 * for it goes away.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/cli/job_submit.h"
#include "api/cli/output.h"
#include "api/cli/progress.h"
#include "api/cli/remote.h"

#define JOB_PATH_BYTES 512
#define JOB_COUNT_BYTES 24

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

/* `submitted`: the answer that began the job, NULL when it was there before. The last document that
 * the daemon gave is printed, whatever became of the job. */
static int job_wait(const cli_arguments *arguments, loam_client *client, const char *id,
                    const loam_client_response *submitted) {
    loam_client_job job;
    loam_client_response response = {0};
    loam_error error = {0};
    progress bar;
    char note[128];
    progress_begin(&bar, "job", 0);
    loam_status status = loam_client_job_wait(client, id, job_show, &bar, &job, &response, &error);
    int exit_code;
    if (status != LOAM_OK) {
        progress_leave(&bar);
        exit_code = output_refusal(arguments->command->name, &response, &error);
    } else {
        job_note(&job, note, sizeof note);
        progress_end(&bar, job.done, note);
        exit_code = job_end(arguments, &job);
    }
    const loam_client_response *last = status == LOAM_OK ? &response : submitted;
    if (last != NULL && options_flag(arguments, "json")) {
        int printed = remote_print_body(arguments, last);
        exit_code = exit_code == CLI_DONE ? printed : exit_code;
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
    if (waits) {
        exit_code = job_wait(arguments, client, job.id, &response);
    }
    loam_client_response_fini(&response);
    return exit_code;
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

static int job_wait_run(const cli_arguments *arguments) {
    int exit_code = CLI_FAILED;
    loam_client *client = remote_open_or_tell(arguments, &exit_code);
    if (client != NULL) {
        exit_code = job_wait(arguments, client, arguments->operands[0], NULL);
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

static int job_get_run(const cli_arguments *arguments) {
    return job_request(arguments, "GET", NULL);
}

static int job_cancel_run(const cli_arguments *arguments) {
    return job_request(arguments, "POST", "cancellation");
}

static int job_pause_run(const cli_arguments *arguments) {
    return job_request(arguments, "POST", "pause");
}

static int job_resume_run(const cli_arguments *arguments) {
    return job_request(arguments, "POST", "resumption");
}

static int job_retry_run(const cli_arguments *arguments) {
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
static int job_results_run(const cli_arguments *arguments) {
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

/* ---- The table ------------------------------------------------------------------------------- */

const cli_command command_job_wait = {
    .name = "job wait",
    .operands = "ID",
    .summary = "wait for a job, with a progress bar",
    .details = "Exit code 1 when it failed or was cancelled. The job goes on when the wait ends.",
    .examples = "  loam job wait 0123456789abcdef",
    .operand_min = 1,
    .operand_max = 1,
    .remote = true,
    .run = job_wait_run,
};

const cli_command command_job_get = {
    .name = "job get",
    .operands = "ID",
    .summary = "show a job",
    .details = "",
    .examples = "  loam job get 0123456789abcdef",
    .operand_min = 1,
    .operand_max = 1,
    .remote = true,
    .run = job_get_run,
};

const cli_command command_job_cancel = {
    .name = "job cancel",
    .operands = "ID",
    .summary = "cancel a job",
    .details = "Cells that are built stay.",
    .examples = "  loam job cancel 0123456789abcdef",
    .operand_min = 1,
    .operand_max = 1,
    .remote = true,
    .run = job_cancel_run,
};

const cli_command command_job_pause = {
    .name = "job pause",
    .operands = "ID",
    .summary = "let a job rest",
    .details = "What is being built is built; the rest waits until the job is resumed.",
    .examples = "  loam job pause 0123456789abcdef",
    .operand_min = 1,
    .operand_max = 1,
    .remote = true,
    .run = job_pause_run,
};

const cli_command command_job_resume = {
    .name = "job resume",
    .operands = "ID",
    .summary = "let a job that rests go on",
    .details = "",
    .examples = "  loam job resume 0123456789abcdef",
    .operand_min = 1,
    .operand_max = 1,
    .remote = true,
    .run = job_resume_run,
};

const cli_command command_job_retry = {
    .name = "job retry",
    .operands = "ID",
    .summary = "build again what failed in a job",
    .details = "",
    .examples = "  loam job retry 0123456789abcdef",
    .operand_min = 1,
    .operand_max = 1,
    .remote = true,
    .run = job_retry_run,
};

static const cli_option job_results_options[] = {
    {"after", "N", "only results with a larger n", false},
    CLI_END_OF_OPTIONS,
};

const cli_command command_job_results = {
    .name = "job results",
    .operands = "ID",
    .summary = "list a job's results, one JSON object a line",
    .details = "In the order of completion, cached ones included.",
    .examples = "  loam job results 0123456789abcdef --after 100",
    .options = job_results_options,
    .operand_min = 1,
    .operand_max = 1,
    .remote = true,
    .run = job_results_run,
};
