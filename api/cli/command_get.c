/* SPDX-License-Identifier: MIT
 *
 * command_get.c: `loam get`: any path of the daemon as it is, for looking around and for scripts.
 */
#include <stdio.h>
#include <string.h>

#include "api/cli/output.h"
#include "api/cli/remote.h"

static const char *const text_types[] = {"application/json", "application/problem+json", "text/",
                                         "application/x-ndjson", "application/yaml"};

static bool response_is_text(const loam_client_response *response) {
    const char *type = loam_client_header(response, "Content-Type");
    for (size_t i = 0; type != NULL && i < sizeof text_types / sizeof text_types[0]; i++) {
        if (strncmp(type, text_types[i], strlen(text_types[i])) == 0) {
            return true;
        }
    }
    return response->body_size == 0;
}

static void headers_print(const loam_client_response *response) {
    (void)fprintf(stderr, "HTTP %d\n", response->http_status);
    for (size_t i = 0; i < response->field_count; i++) {
        (void)fprintf(stderr, "%s: %s\n", response->fields[i].name, response->fields[i].value);
    }
}

static int body_write(const cli_arguments *arguments, const loam_client_response *response) {
    loam_error error = {0};
    const char *path = options_text(arguments, "o");
    if (path == NULL && response_is_text(response)) {
        return remote_print_body(arguments, response);
    }
    return output_write_binary(path, response->body, response->body_size, &error) == LOAM_OK
               ? CLI_DONE
               : output_failure(arguments->command->name, &error);
}

static int get_run(const cli_arguments *arguments) {
    const char *accept = options_text(arguments, "accept");
    const loam_client_field headers[] = {{"Accept", accept}};
    loam_client_request request = {
        .path = arguments->operands[0], .headers = headers, .header_count = accept != NULL ? 1 : 0};
    loam_client_response response = {0};
    loam_error error = {0};
    int exit_code = CLI_DONE;
    if (request.path[0] != '/') {
        (void)loam_fail(&error, LOAM_MALFORMED, NULL, "a path begins with '/': /v1/version");
        return output_failure(arguments->command->name, &error);
    }
    if (!remote_send(arguments, &request, &response, &exit_code)) {
        return exit_code;
    }
    if (options_flag(arguments, "headers")) {
        headers_print(&response);
    }
    exit_code = body_write(arguments, &response);
    loam_client_response_fini(&response);
    return exit_code;
}

static const cli_option get_options[] = {
    {"accept", "TYPE", "the media type to ask for", false},
    {"headers", NULL, "show the answer's headers on stderr", false},
    {"o", "FILE", "where the body goes (stdout)", false},
    CLI_END_OF_OPTIONS,
};

const cli_command command_get = {
    .name = "get",
    .operands = "PATH",
    .summary = "fetch any path of a daemon",
    .details = "",
    .examples = "  loam get /v1/version\n"
                "  loam get /v1/worlds/forest --headers\n"
                "  loam get /v1/worlds/forest/cells/0/3/5/trees --accept image/png -o cell.png",
    .options = get_options,
    .operand_min = 1,
    .operand_max = 1,
    .remote = true,
    .run = get_run,
};
