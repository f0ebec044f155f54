/* SPDX-License-Identifier: MIT
 *
 * command_place.c: `loam explain` and `loam points`: what a daemon says of a place of a world. For
 * people a row a candidate or a point; the document itself with --json.
 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "api/cli/output.h"
#include "api/cli/remote.h"

enum { PLACE_PATH_BYTES = 256, PLACE_FIELDS = 4 };

/* Sends the question; what goes wrong is shown. */
static bool place_ask(const cli_arguments *arguments, const char *what,
                      loam_client_response *response, int *exit_code) {
    char path[PLACE_PATH_BYTES] = "/v1/worlds";
    const loam_client_field query[PLACE_FIELDS] = {
        {"output", options_text(arguments, "output")},
        {"x_m", options_text(arguments, "x-m")},
        {"z_m", options_text(arguments, "z-m")},
        {"radius_m", options_text(arguments, "radius-m")},
    };
    loam_client_request request = {.path = path, .query = query, .query_count = PLACE_FIELDS};
    if (!loam_client_path_append(path, sizeof path, arguments->operands[0]) ||
        !loam_client_path_append(path, sizeof path, what)) {
        loam_error error = {0};
        (void)loam_fail(&error, LOAM_URI_TOO_LONG, NULL, "the address is too long");
        *exit_code = output_failure(arguments->command->name, &error);
        return false;
    }
    return remote_send(arguments, &request, response, exit_code);
}

static const char *text_or(const json_t *object, const char *key, const char *other) {
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : other;
}

static double part_of(const json_t *candidate, size_t axis) {
    return json_number_value(json_array_get(json_object_get(candidate, "position_m"), axis));
}

static void candidate_print(const json_t *candidate) {
    const json_t *value = json_object_get(candidate, "value");
    (void)printf("%-20s %12.3f %12.3f %12.3f  %-20s %s", text_or(candidate, "id", ""),
                 part_of(candidate, 0), part_of(candidate, 1), part_of(candidate, 2),
                 text_or(candidate, "dropped_by", "kept"), text_or(candidate, "reason", ""));
    if (json_is_number(value)) {
        (void)printf(" %.6g (limit %.6g)", json_number_value(value),
                     json_number_value(json_object_get(candidate, "limit")));
    }
    (void)printf("\n");
}

static void truncation_tell(const json_t *root) {
    if (json_is_true(json_object_get(root, "truncated"))) {
        (void)fprintf(stderr, "there are more: ask for a smaller radius\n");
    }
}

static int candidates_print(const loam_client_response *response) {
    json_t *root = json_loadb((const char *)response->body, response->body_size, 0, NULL);
    json_t *candidates = json_object_get(root, "candidates");
    json_t *candidate;
    size_t i;
    if (candidates == NULL) {
        json_decref(root);
        return CLI_FAILED;
    }
    (void)printf("%-20s %12s %12s %12s  %-20s %s\n", "id", "x_m", "y_m", "z_m", "dropped by",
                 "reason");
    json_array_foreach(candidates, i, candidate) {
        candidate_print(candidate);
    }
    truncation_tell(root);
    json_decref(root);
    return CLI_DONE;
}

static void point_print(const json_t *point) {
    (void)printf("%-20s %12.3f %12.3f %12.3f  %s\n", text_or(point, "id", ""), part_of(point, 0),
                 part_of(point, 1), part_of(point, 2), text_or(point, "asset", ""));
}

static int points_print(const loam_client_response *response) {
    json_t *root = json_loadb((const char *)response->body, response->body_size, 0, NULL);
    json_t *points = json_object_get(root, "points");
    json_t *point;
    size_t i;
    if (points == NULL) {
        json_decref(root);
        return CLI_FAILED;
    }
    (void)printf("%-20s %12s %12s %12s  %s\n", "id", "x_m", "y_m", "z_m", "asset");
    json_array_foreach(points, i, point) {
        point_print(point);
    }
    truncation_tell(root);
    json_decref(root);
    return CLI_DONE;
}

static int explain_run(const cli_arguments *arguments) {
    loam_client_response response = {0};
    int exit_code = CLI_DONE;
    if (!place_ask(arguments, "explain", &response, &exit_code)) {
        return exit_code;
    }
    exit_code = options_flag(arguments, "json") ? remote_print_body(arguments, &response)
                                                : candidates_print(&response);
    loam_client_response_fini(&response);
    return exit_code;
}

static int points_run(const cli_arguments *arguments) {
    loam_client_response response = {0};
    int exit_code = CLI_DONE;
    if (!place_ask(arguments, "points", &response, &exit_code)) {
        return exit_code;
    }
    exit_code = options_flag(arguments, "json") ? remote_print_body(arguments, &response)
                                                : points_print(&response);
    loam_client_response_fini(&response);
    return exit_code;
}

/* ---- The table ------------------------------------------------------------------------------- */

static const cli_option place_options[] = {
    {"output", "NAME", "which output of the graph", true},
    {"x-m", "M", "east", true},
    {"z-m", "M", "north", true},
    {"radius-m", "M", "around it: at most 64 for explain, 512 for points", true},
    CLI_END_OF_OPTIONS,
};

const cli_command command_explain = {
    .name = "explain",
    .operands = "WORLD",
    .summary = "why is there no tree here?",
    .details = "Asks a daemon for every candidate near a place: kept, or which node dropped it,\n"
               "what was measured there and the limit.",
    .examples = "  loam explain forest --output trees --x-m 1541 --z-m 1922 --radius-m 3",
    .options = place_options,
    .operand_min = 1,
    .operand_max = 1,
    .remote = true,
    .run = explain_run,
};

const cli_command command_points = {
    .name = "points",
    .operands = "WORLD",
    .summary = "list the points around a place, nearest first",
    .details =
        "A row a point: its id, position and asset. All that it has is in the document that\n"
        "--json prints.",
    .examples = "  loam points forest --output trees --x-m 1541 --z-m 1922 --radius-m 10",
    .options = place_options,
    .operand_min = 1,
    .operand_max = 1,
    .remote = true,
    .run = points_run,
};
