/* SPDX-License-Identifier: MIT
 *
 * cell_fetch.c: see cell_fetch.h.
 */
#include "api/cli/cell_fetch.h"

#include <inttypes.h>
#include <stdio.h>

#include "api/cli/cell_tell.h"
#include "api/cli/output.h"
#include "api/cli/remote.h"

#define TRACE_PATH_BYTES 1024

static loam_status response_write(const cli_arguments *arguments,
                                  const loam_client_response *response, cell_format format,
                                  loam_error *error) {
    const char *path = options_text(arguments, "o");
    if (path == NULL && options_flag(arguments, "json")) {
        return LOAM_OK;
    }
    return cell_format_is_text(format)
               ? output_write(path, response->body, response->body_size, error)
               : output_write_binary(path, response->body, response->body_size, error);
}

static const char *header_or_empty(const loam_client_response *response, const char *name) {
    const char *value = loam_client_header(response, name);
    return value != NULL ? value : "";
}

/* A cell that failed its checks in a world that only warns. */
static void warning_tell(const loam_client_response *response) {
    const char *warning = loam_client_header(response, "Warning");
    if (warning != NULL) {
        (void)fprintf(stderr, "warning: %s\n", warning);
    }
}

static int cell_get(const cli_arguments *arguments, const cell_address *address, cell_format format,
                    loam_client *client) {
    loam_client_cell cell = {.world = arguments->operands[0],
                             .revision = options_text(arguments, "revision"),
                             .output = options_text(arguments, "output"),
                             .x = address->x,
                             .z = address->z,
                             .level = (uint32_t)address->level,
                             .cached_only = options_flag(arguments, "cached-only"),
                             .accept = cell_format_media_type(format)};
    loam_client_response response = {0};
    loam_error error = {0};
    int exit_code = CLI_DONE;
    if (loam_client_cell_get(client, &cell, &response, &error) != LOAM_OK) {
        exit_code = output_refusal(arguments->command->name, &response, &error);
    } else if (options_flag(arguments, "key")) {
        (void)printf("%s\n", header_or_empty(&response, "Loam-Build-Key"));
    } else if (response_write(arguments, &response, format, &error) != LOAM_OK) {
        exit_code = output_failure(arguments->command->name, &error);
    } else {
        cell_facts facts = {.key = header_or_empty(&response, "Loam-Build-Key"),
                            .id = header_or_empty(&response, "Loam-Digest"),
                            .bytes = response.body_size,
                            .note = header_or_empty(&response, "Cache-Status")};
        cell_tell(arguments, address, &facts);
        warning_tell(&response);
    }
    loam_client_response_fini(&response);
    return exit_code;
}

static bool trace_path(const cli_arguments *arguments, const cell_address *address, char *path) {
    const int64_t numbers[] = {address->level, address->x, address->z};
    (void)snprintf(path, TRACE_PATH_BYTES, "/v1/worlds");
    bool fits = loam_client_path_append(path, TRACE_PATH_BYTES, arguments->operands[0]) &&
                loam_client_path_append(path, TRACE_PATH_BYTES, "cells");
    for (size_t i = 0; fits && i < 3; i++) {
        char number[24];
        (void)snprintf(number, sizeof number, "%" PRId64, numbers[i]);
        fits = loam_client_path_append(path, TRACE_PATH_BYTES, number);
    }
    return fits &&
           loam_client_path_append(path, TRACE_PATH_BYTES, options_text(arguments, "output")) &&
           loam_client_path_append(path, TRACE_PATH_BYTES, "trace");
}

/* A daemon's trace is a document of its own. */
int trace_fetch(const cli_arguments *arguments, const cell_address *address) {
    char path[TRACE_PATH_BYTES];
    loam_client_request request = {.path = path};
    loam_client_response response = {0};
    loam_error error = {0};
    int exit_code = CLI_DONE;
    if (!trace_path(arguments, address, path)) {
        (void)loam_fail(&error, LOAM_URI_TOO_LONG, NULL, "the address is too long");
        return output_failure(arguments->command->name, &error);
    }
    if (!remote_send(arguments, &request, &response, &exit_code)) {
        return exit_code;
    }
    exit_code = remote_print_body(arguments, &response);
    loam_client_response_fini(&response);
    return exit_code;
}

int cell_fetch(const cli_arguments *arguments, const cell_address *address, cell_format format) {
    int exit_code = CLI_FAILED;
    loam_client *client = remote_open_or_tell(arguments, &exit_code);
    if (client != NULL) {
        exit_code = cell_get(arguments, address, format, client);
    }
    loam_client_destroy(client);
    return exit_code;
}
