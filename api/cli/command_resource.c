/* SPDX-License-Identifier: MIT
 *
 * command_resource.c: `loam world`, `loam asset` and `loam job list`: what a daemon has. A list is
 * a line a thing, the document itself with --json; one thing is its document.
 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "api/cli/output.h"
#include "api/cli/remote.h"

enum { RESOURCE_PATH_BYTES = 1024, RESOURCE_DEPTH = 3, RESOURCE_FILTERS = 2 };

/* The options that are query parameters of lists, as far as they were given; how many. */
static size_t filters_fill(const cli_arguments *arguments,
                           loam_client_field query[RESOURCE_FILTERS]) {
    static const char *const names[RESOURCE_FILTERS] = {"after", "state"};
    size_t count = 0;
    for (size_t i = 0; i < RESOURCE_FILTERS; i++) {
        if (options_text(arguments, names[i]) != NULL) {
            query[count++] = (loam_client_field){names[i], options_text(arguments, names[i])};
        }
    }
    return count;
}

/* Sends `method` to /v1/`kind` and the segments, up to the first NULL. */
static bool resource_send(const cli_arguments *arguments, const char *method, const char *kind,
                          const char *const segments[RESOURCE_DEPTH],
                          loam_client_response *response, int *exit_code) {
    char path[RESOURCE_PATH_BYTES] = "/v1";
    bool fits = loam_client_path_append(path, sizeof path, kind);
    for (size_t i = 0; fits && i < RESOURCE_DEPTH && segments[i] != NULL; i++) {
        fits = loam_client_path_append(path, sizeof path, segments[i]);
    }
    loam_client_field query[RESOURCE_FILTERS];
    loam_client_request request = {.method = method,
                                   .path = path,
                                   .query = query,
                                   .query_count = filters_fill(arguments, query)};
    if (!fits) {
        loam_error error = {0};
        (void)loam_fail(&error, LOAM_URI_TOO_LONG, NULL, "the address is too long");
        *exit_code = output_failure(arguments->command->name, &error);
        return false;
    }
    return remote_send(arguments, &request, response, exit_code);
}

static int resource_show(const cli_arguments *arguments, const char *method, const char *kind,
                         const char *const segments[RESOURCE_DEPTH]) {
    loam_client_response response = {0};
    int exit_code = CLI_DONE;
    if (!resource_send(arguments, method, kind, segments, &response, &exit_code)) {
        return exit_code;
    }
    exit_code = response.body_size > 0 ? remote_print_body(arguments, &response) : CLI_DONE;
    loam_client_response_fini(&response);
    return exit_code;
}

/* The members of each thing of a list that are there, in columns. */
static int list_print(const loam_client_response *response, const char *list,
                      const char *const *members) {
    json_t *root = json_loadb((const char *)response->body, response->body_size, 0, NULL);
    json_t *thing;
    size_t i;
    json_array_foreach(json_object_get(root, list), i, thing) {
        for (size_t m = 0; members[m] != NULL; m++) {
            const json_t *member = json_object_get(thing, members[m]);
            const char *gap = m > 0 ? "  " : "";
            if (json_is_string(member)) {
                (void)printf("%s%s", gap, json_string_value(member));
            } else if (json_is_integer(member)) {
                (void)printf("%s%lld", gap, (long long)json_integer_value(member));
            }
        }
        (void)printf("\n");
    }
    const json_t *next = json_object_get(root, "next");
    if (json_is_string(next)) {
        (void)fprintf(stderr, "there may be more: --after %s\n", json_string_value(next));
    }
    bool is_list = json_is_array(json_object_get(root, list));
    json_decref(root);
    return is_list ? CLI_DONE : CLI_FAILED;
}

static int resource_list(const cli_arguments *arguments, const char *kind,
                         const char *const segments[RESOURCE_DEPTH], const char *list,
                         const char *const *members) {
    loam_client_response response = {0};
    int exit_code = CLI_DONE;
    if (!resource_send(arguments, "GET", kind, segments, &response, &exit_code)) {
        return exit_code;
    }
    exit_code = options_flag(arguments, "json") ? remote_print_body(arguments, &response)
                                                : list_print(&response, list, members);
    loam_client_response_fini(&response);
    return exit_code;
}

static int world_list_run(const cli_arguments *arguments) {
    static const char *const members[] = {"revision", "world", NULL};
    return resource_list(arguments, "worlds", (const char *const[RESOURCE_DEPTH]){0}, "worlds",
                         members);
}

static int world_revisions_run(const cli_arguments *arguments) {
    static const char *const members[] = {"revision", "created", NULL};
    return resource_list(arguments, "worlds",
                         (const char *const[RESOURCE_DEPTH]){arguments->operands[0], "revisions"},
                         "revisions", members);
}

static int job_list_run(const cli_arguments *arguments) {
    static const char *const members[] = {"id", "state", "done", "total", "world", NULL};
    return resource_list(arguments, "jobs", (const char *const[RESOURCE_DEPTH]){0}, "jobs",
                         members);
}

static int world_get_run(const cli_arguments *arguments) {
    const char *revision = options_text(arguments, "revision");
    return resource_show(arguments, "GET", "worlds",
                         (const char *const[RESOURCE_DEPTH]){arguments->operands[0],
                                                             revision != NULL ? "revisions" : NULL,
                                                             revision});
}

static int world_delete_run(const cli_arguments *arguments) {
    return resource_show(arguments, "DELETE", "worlds",
                         (const char *const[RESOURCE_DEPTH]){arguments->operands[0]});
}

static int asset_list_run(const cli_arguments *arguments) {
    static const char *const members[] = {"digest", "kind", "bytes", "name", NULL};
    return resource_list(arguments, "assets", (const char *const[RESOURCE_DEPTH]){0}, "assets",
                         members);
}

static int asset_get_run(const cli_arguments *arguments) {
    return resource_show(arguments, "GET", "assets",
                         (const char *const[RESOURCE_DEPTH]){arguments->operands[0]});
}

static int asset_delete_run(const cli_arguments *arguments) {
    return resource_show(arguments, "DELETE", "assets",
                         (const char *const[RESOURCE_DEPTH]){arguments->operands[0]});
}

static int asset_content_run(const cli_arguments *arguments) {
    loam_client_response response = {0};
    loam_error error = {0};
    int exit_code = CLI_DONE;
    if (!resource_send(arguments, "GET", "assets",
                       (const char *const[RESOURCE_DEPTH]){arguments->operands[0], "content"},
                       &response, &exit_code)) {
        return exit_code;
    }
    if (output_write_binary(options_text(arguments, "o"), response.body, response.body_size,
                            &error) != LOAM_OK) {
        exit_code = output_failure(arguments->command->name, &error);
    }
    loam_client_response_fini(&response);
    return exit_code;
}

/* ---- The table ------------------------------------------------------------------------------- */

static const cli_option list_options[] = {
    {"after", "NAME", "only what comes after that name", false},
    CLI_END_OF_OPTIONS,
};

const cli_command command_world_list = {
    .name = "world list",
    .operands = "",
    .summary = "list a daemon's worlds",
    .details = "A line a world: its newest revision and its name.",
    .examples = "  loam world list",
    .options = list_options,
    .remote = true,
    .run = world_list_run,
};

static const cli_option world_get_options[] = {
    {"revision", "DIGEST", "that one, not the newest", false},
    CLI_END_OF_OPTIONS,
};

const cli_command command_world_get = {
    .name = "world get",
    .operands = "NAME",
    .summary = "show a world's document",
    .details = "",
    .examples = "  loam world get forest",
    .options = world_get_options,
    .operand_min = 1,
    .operand_max = 1,
    .remote = true,
    .run = world_get_run,
};

const cli_command command_world_revisions = {
    .name = "world revisions",
    .operands = "NAME",
    .summary = "list a world's revisions, the newest first",
    .details = "",
    .examples = "  loam world revisions forest",
    .operand_min = 1,
    .operand_max = 1,
    .remote = true,
    .run = world_revisions_run,
};

const cli_command command_world_delete = {
    .name = "world delete",
    .operands = "NAME",
    .summary = "take a world from a daemon",
    .details = "",
    .examples = "  loam world delete forest",
    .operand_min = 1,
    .operand_max = 1,
    .remote = true,
    .run = world_delete_run,
};

const cli_command command_asset_list = {
    .name = "asset list",
    .operands = "",
    .summary = "list a daemon's assets",
    .details = "A line an asset: digest, kind, bytes and name.",
    .examples = "  loam asset list",
    .options = list_options,
    .remote = true,
    .run = asset_list_run,
};

const cli_command command_asset_get = {
    .name = "asset get",
    .operands = "NAME",
    .summary = "show what a daemon knows of an asset",
    .details = "NAME is a name or a digest.",
    .examples = "  loam asset get hills",
    .operand_min = 1,
    .operand_max = 1,
    .remote = true,
    .run = asset_get_run,
};

static const cli_option content_options[] = {
    {"o", "FILE", "where it goes (stdout)", false},
    CLI_END_OF_OPTIONS,
};

const cli_command command_asset_content = {
    .name = "asset content",
    .operands = "NAME",
    .summary = "fetch an asset's canonical bytes",
    .details = "NAME is a name or a digest.",
    .examples = "  loam asset content hills -o hills.asset",
    .options = content_options,
    .operand_min = 1,
    .operand_max = 1,
    .remote = true,
    .run = asset_content_run,
};

const cli_command command_asset_delete = {
    .name = "asset delete",
    .operands = "NAME",
    .summary = "take an asset from a daemon",
    .details = "Not while a world needs it.",
    .examples = "  loam asset delete hills",
    .operand_min = 1,
    .operand_max = 1,
    .remote = true,
    .run = asset_delete_run,
};

static const cli_option job_list_options[] = {
    {"after", "ID", "only jobs after that one", false},
    {"state", "STATE", "queued, running, paused, succeeded, failed or cancelled", false},
    CLI_END_OF_OPTIONS,
};

const cli_command command_job_list = {
    .name = "job list",
    .operands = "",
    .summary = "list a daemon's jobs",
    .details = "A line a job: its id, state, tasks done and in all, world; 256 jobs at most at a "
               "time.",
    .examples = "  loam job list --state running",
    .options = job_list_options,
    .remote = true,
    .run = job_list_run,
};
