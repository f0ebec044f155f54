/* SPDX-License-Identifier: MIT
 *
 * command_wait_ready.c: `loam wait-ready`: for scripts that have just started a loamd. Its port
 * file appears when it is ready; then it is asked once, since the file may be an old one.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "api/cli/output.h"
#include "api/cli/remote.h"
#include "core/base/try.h"

#define READY_PAUSE_MS 50
#define READY_TIMEOUT_S 30
#define READY_TIMEOUT_S_MAX 3600
#define PID_MAX ((int64_t)1 << 30)

static void pause_between_looks(void) {
    struct timespec pause = {.tv_nsec = READY_PAUSE_MS * 1000000};
    (void)nanosleep(&pause, NULL);
}

static loam_status daemon_ask(const cli_arguments *arguments, loam_error *error) {
    loam_client_response response = {0};
    loam_client_request request = {.path = "/healthz/ready"};
    loam_client *client = remote_open(arguments, error);
    if (client == NULL) {
        return error->status;
    }
    loam_status status = loam_client_send(client, &request, &response, error);
    loam_client_response_fini(&response);
    loam_client_destroy(client);
    return status;
}

/* A process that is gone will not get ready. */
static loam_status process_check(int64_t pid, loam_error *error) {
    if (pid > 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH) {
        return loam_fail(error, LOAM_SHUTTING_DOWN, NULL,
                         "process %lld has ended before it was ready", (long long)pid);
    }
    return LOAM_OK;
}

static loam_status ready_wait(const cli_arguments *arguments, loam_error *error) {
    int64_t timeout_s = READY_TIMEOUT_S;
    int64_t pid = 0;
    LOAM_TRY(options_integer(arguments, "timeout-s", 0, READY_TIMEOUT_S_MAX, &timeout_s, error));
    LOAM_TRY(options_integer(arguments, "pid", 1, PID_MAX, &pid, error));
    time_t deadline = time(NULL) + (time_t)timeout_s;
    for (;;) {
        loam_error fault = {0};
        if (daemon_ask(arguments, &fault) == LOAM_OK) {
            return LOAM_OK;
        }
        LOAM_TRY(process_check(pid, error));
        if (time(NULL) >= deadline) {
            return loam_fail(error, LOAM_IO, NULL, "not ready after %lld s: %s",
                             (long long)timeout_s, fault.text);
        }
        pause_between_looks();
    }
}

static int wait_ready_run(const cli_arguments *arguments) {
    loam_error error = {0};
    if (ready_wait(arguments, &error) != LOAM_OK) {
        (void)output_failure(arguments->command->name, &error);
        return CLI_UNREACHABLE;
    }
    return CLI_DONE;
}

static const cli_option wait_ready_options[] = {
    {"timeout-s", "N", "how long to wait (30)", false},
    {"pid", "N", "give up when this process has ended", false},
    CLI_END_OF_OPTIONS,
};

const cli_command command_wait_ready = {
    .name = "wait-ready",
    .operands = "",
    .summary = "wait until a daemon answers",
    .details = "",
    .examples = "  loamd --listen 127.0.0.1:0 --data d --port-file port & \n"
                "  loam wait-ready --port-file port --pid $!",
    .options = wait_ready_options,
    .remote = true,
    .run = wait_ready_run,
};
