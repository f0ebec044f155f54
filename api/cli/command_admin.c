/* SPDX-License-Identifier: MIT
 *
 * command_admin.c: `loam admin stats|gc|scrub|backup`: what an operator asks of a daemon, over its
 * unix socket. A request waits for its end, and a scrub may take hours; to leave ends it.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "api/cli/admin_watch.h"
#include "api/cli/output.h"
#include "api/cli/remote.h"

/* A day: more bytes than any cache has are read by then. */
#define ADMIN_TIMEOUT_MS ((uint32_t)24 * 3600 * 1000)

/* A figure a line, names in full: group.name. */
static void figures_print(const json_t *of, const char *group) {
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)of, name, value) {
        if (json_is_object(value)) {
            figures_print(value, name);
            continue;
        }
        (void)printf("%s%s%s: ", group, group[0] != '\0' ? "." : "", name);
        if (json_is_string(value)) {
            (void)printf("%s\n", json_string_value(value));
        } else if (json_is_boolean(value)) {
            (void)printf("%s\n", json_is_true(value) ? "yes" : "no");
        } else {
            (void)printf("%lld\n", (long long)json_integer_value(value));
        }
    }
}

/* 1 when `verdict`, where there is one, is false: what was looked at is not as it should be. */
static int report_show(const cli_arguments *arguments, const loam_client_response *response,
                       const char *verdict) {
    json_t *report = json_loadb((const char *)response->body, response->body_size, 0, NULL);
    bool good = report != NULL && !json_is_false(json_object_get(report, verdict));
    int exit_code = CLI_DONE;
    if (options_flag(arguments, "json")) {
        exit_code = remote_print_body(arguments, response);
    } else {
        figures_print(report, "");
    }
    json_decref(report);
    return exit_code != CLI_DONE || good ? exit_code : CLI_FAILED;
}

/* `kind`, unless it is empty: the upkeep whose way is shown until it is done. */
static int admin_ask(const cli_arguments *arguments, const loam_client_request *request,
                     const char *verdict, const char *kind) {
    loam_client_response response = {0};
    loam_error error = {0};
    admin_watch watch;
    int exit_code = CLI_FAILED;
    loam_client *client = remote_open_for(arguments, ADMIN_TIMEOUT_MS, &exit_code);
    if (client == NULL) {
        return exit_code;
    }
    admin_watch_begin(
        &watch, kind[0] != '\0' ? remote_open_for(arguments, ADMIN_TIMEOUT_MS, &exit_code) : NULL,
        kind);
    loam_status status = loam_client_send(client, request, &response, &error);
    admin_watch_end(&watch, status == LOAM_OK);
    exit_code = status == LOAM_OK ? report_show(arguments, &response, verdict)
                                  : output_refusal(arguments->command->name, &response, &error);
    loam_client_response_fini(&response);
    loam_client_destroy(client);
    return exit_code;
}

static int admin_stats_run(const cli_arguments *arguments) {
    return admin_ask(arguments, &(loam_client_request){.path = "/v1/admin/stats"}, "", "");
}

/* Asks /v1/admin/`what` with the bytes of an option (its value is the option's name, its name that
 * of the query parameter), where that was given. */
static int admin_ask_bytes(const cli_arguments *arguments, const char *what,
                           const loam_client_field *option, const char *verdict) {
    char number[24];
    char path[64];
    uint64_t bytes = 0;
    loam_error error = {0};
    if (options_bytes(arguments, option->value, &bytes, &error) != LOAM_OK) {
        (void)output_failure(arguments->command->name, &error);
        return CLI_USAGE;
    }
    (void)snprintf(number, sizeof number, "%" PRIu64, bytes);
    (void)snprintf(path, sizeof path, "/v1/admin/%s", what);
    const loam_client_field query[] = {{option->name, number}};
    const loam_client_request request = {.method = "POST",
                                         .path = path,
                                         .query = query,
                                         .query_count = options_flag(arguments, option->value)};
    return admin_ask(arguments, &request, verdict, what);
}

static int admin_gc_run(const cli_arguments *arguments) {
    return admin_ask_bytes(arguments, "gc", &(loam_client_field){"bytes", "bytes"}, "");
}

static int admin_scrub_run(const cli_arguments *arguments) {
    return admin_ask_bytes(arguments, "scrub", &(loam_client_field){"bytes_per_s", "bytes-per-s"},
                           "well");
}

static int admin_backup_run(const cli_arguments *arguments) {
    return admin_ask(arguments,
                     &(loam_client_request){.method = "POST", .path = "/v1/admin/backup"}, "whole",
                     "backup");
}

/* ---- The table ------------------------------------------------------------------------------- */

const cli_command command_admin_stats = {
    .name = "admin stats",
    .operands = "",
    .summary = "show how a daemon does",
    .details = "Over its unix socket, as its own user or root; so do the other admin commands.",
    .examples = "  loam admin stats --unix /run/loam/socket",
    .remote = true,
    .run = admin_stats_run,
};

static const cli_option gc_options[] = {
    {"bytes", "N", "how many may stay in use; K, M, G, T are powers of 1,024", true},
    CLI_END_OF_OPTIONS,
};

const cli_command command_admin_gc = {
    .name = "admin gc",
    .operands = "",
    .summary = "evict results from a daemon's cache",
    .details =
        "The oldest first, until N bytes are in use; nothing that a job pins. The file keeps\n"
        "its size: what is free in it is used again.",
    .examples = "  loam admin gc --bytes 1G --unix /run/loam/socket",
    .options = gc_options,
    .remote = true,
    .run = admin_gc_run,
};

static const cli_option scrub_options[] = {
    {"bytes-per-s", "N", "how many are read in a second (64M)", false},
    CLI_END_OF_OPTIONS,
};

const cli_command command_admin_scrub = {
    .name = "admin scrub",
    .operands = "",
    .summary = "hold everything that a daemon stores against its digest",
    .details =
        "Damaged results go and are built again; a damaged asset's file is set aside\n"
        "(*.damaged): put the asset again. Exit code 1 when anything was damaged or missing.",
    .examples = "  loam admin scrub --unix /run/loam/socket --bytes-per-s 10M",
    .options = scrub_options,
    .remote = true,
    .run = admin_scrub_run,
};

const cli_command command_admin_backup = {
    .name = "admin backup",
    .operands = "",
    .summary = "copy what a daemon cannot make again",
    .details =
        "Worlds, jobs, assets and keys, into a new folder of the daemon's --backup-dir, while\n"
        "it runs. Restore: start loamd with --data on a copy of that folder. Exit code 1 when\n"
        "an asset was damaged or missing.",
    .examples = "  loam admin backup --unix /run/loam/socket",
    .remote = true,
    .run = admin_backup_run,
};
