/* SPDX-License-Identifier: MIT
 *
 * command_put.c: `loam put asset|assets|world|graph`: sends a file to the daemon as what it
 * is, or all that an assets file describes. The options of an asset are the query parameters of its
 * PUT, under the same names.
 */
#include <stdio.h>
#include <string.h>

#include "api/cli/output.h"
#include "api/cli/remote.h"
#include "api/cli/shelf.h"
#include "core/base/try.h"

#define PUT_PATH_BYTES 512
/* The daemon takes no larger JSON; an asset's recipe or rules are JSON too. */
#define PUT_JSON_BYTES_MAX ((size_t)1 << 20)

/* Options that are query parameters of PUT /v1/assets. */
static const char *const asset_options[] = {"kind",      "crs",        "width",     "height",
                                            "spacing_m", "offset_m",   "scale_m",   "encoding",
                                            "row0",      "origin_x_m", "origin_z_m"};

#define ASSET_OPTION_COUNT (sizeof asset_options / sizeof asset_options[0])

/* Prints one line about what was stored, or the daemon's own document with --json. */
static int answer_print(const cli_arguments *arguments, const loam_client_response *response,
                        const char *member) {
    char value[256];
    if (options_flag(arguments, "json")) {
        return remote_print_body(arguments, response);
    }
    remote_member(response, member, value, sizeof value);
    (void)printf("%s\n", value);
    (void)fprintf(stderr, "%s %s: %s\n", arguments->command->name + 4, arguments->operands[0],
                  response->http_status == 201 ? "stored, new" : "stored");
    return CLI_DONE;
}

static int put_send(const cli_arguments *arguments, const loam_client_request *request,
                    const char *member) {
    loam_client_response response = {0};
    int exit_code = CLI_DONE;
    if (!remote_send(arguments, request, &response, &exit_code)) {
        return exit_code;
    }
    exit_code = answer_print(arguments, &response, member);
    loam_client_response_fini(&response);
    return exit_code;
}

static size_t query_fill(const cli_arguments *arguments, loam_client_field *query) {
    size_t count = 0;
    for (size_t i = 0; i < ASSET_OPTION_COUNT; i++) {
        const char *value = options_text(arguments, asset_options[i]);
        if (value != NULL) {
            query[count++] = (loam_client_field){asset_options[i], value};
        }
    }
    return count;
}

static int name_fail(const cli_arguments *arguments, const char *name) {
    loam_error error = {0};
    (void)loam_fail(&error, LOAM_BAD_NAME, NULL, "'%s' is no name", name);
    return output_failure(arguments->command->name, &error);
}

static int put_asset_run(const cli_arguments *arguments) {
    char path[PUT_PATH_BYTES] = "/v1/assets";
    loam_client_field query[ASSET_OPTION_COUNT];
    const char *file = arguments->operands[1];
    if (!loam_client_path_append(path, sizeof path, arguments->operands[0])) {
        return name_fail(arguments, arguments->operands[0]);
    }
    loam_client_request request = {.method = "PUT",
                                   .path = path,
                                   .query = query,
                                   .query_count = query_fill(arguments, query),
                                   .content_type = shelf_media_type(file),
                                   .body_file = file};
    return put_send(arguments, &request, "digest");
}

static int entry_send(const cli_arguments *arguments, const char *name,
                      const shelf_request *entry) {
    char path[PUT_PATH_BYTES] = "/v1/assets";
    loam_client_field query[SHELF_PARAMS_MAX];
    loam_client_response response = {0};
    char value[256];
    int exit_code = CLI_DONE;
    if (!loam_client_path_append(path, sizeof path, name)) {
        return name_fail(arguments, name);
    }
    for (uint32_t i = 0; i < entry->count; i++) {
        query[i] = (loam_client_field){entry->params[i].name.bytes, entry->params[i].value.bytes};
    }
    loam_client_request request = {.method = "PUT",
                                   .path = path,
                                   .query = query,
                                   .query_count = entry->count,
                                   .content_type = entry->request.media_type.bytes,
                                   .body = entry->request.body.bytes,
                                   .body_size = entry->request.body.size};
    if (!remote_send(arguments, &request, &response, &exit_code)) {
        return exit_code;
    }
    remote_member(&response, "digest", value, sizeof value);
    (void)printf("%s %s\n", value, name);
    loam_client_response_fini(&response);
    return exit_code;
}

/* One after the other, in the order of the file; the first that is refused ends it. */
static int put_assets_run(const cli_arguments *arguments) {
    asset_shelf shelf = {.count = 0};
    loam_error error = {0};
    const char *name;
    json_t *value;
    int exit_code = CLI_DONE;
    if (shelf_open(&shelf, arguments->operands[0], &error) != LOAM_OK) {
        exit_code = output_failure(arguments->command->name, &error);
    }
    json_object_foreach(shelf.document, name, value) {
        shelf_request entry;
        if (exit_code != CLI_DONE) {
            break;
        }
        exit_code = shelf_request_init(&entry, &shelf, name, &error) != LOAM_OK
                        ? output_failure(arguments->command->name, &error)
                        : entry_send(arguments, name, &entry);
        shelf_request_fini(&entry);
    }
    shelf_close(&shelf);
    return exit_code;
}

static int put_world_run(const cli_arguments *arguments) {
    char path[PUT_PATH_BYTES] = "/v1/worlds";
    if (!loam_client_path_append(path, sizeof path, arguments->operands[0])) {
        return name_fail(arguments, arguments->operands[0]);
    }
    loam_client_request request = {.method = "PUT",
                                   .path = path,
                                   .content_type = "application/json",
                                   .body_file = arguments->operands[1]};
    return put_send(arguments, &request, "revision");
}

static int put_graph_run(const cli_arguments *arguments) {
    loam_client_request request = {.method = "POST",
                                   .path = "/v1/graphs",
                                   .content_type = "application/json",
                                   .body_file = arguments->operands[0]};
    return put_send(arguments, &request, "graph");
}

/* ---- The table ------------------------------------------------------------------------------- */

static const cli_option put_asset_options[] = {
    {"kind", "KIND", "heightfield, areas, lines, points or rules", false},
    {"crs", "NAME", "local: GeoJSON in metres [x, z]", false},
    {"width", "N", "samples in a row (raw heights)", false},
    {"height", "N", "rows (raw heights)", false},
    {"spacing-m", "M", "between two samples", false},
    {"offset-m", "M", "height of sample value 0", false},
    {"scale-m", "M", "height of a step of the sample value", false},
    {"encoding", "NAME", "u16le, u16be or f32le (raw heights)", false},
    {"row0", "SIDE", "north or south: where the first row lies", false},
    {"origin-x-m", "M", "the south-west sample (0)", false},
    {"origin-z-m", "M", "the south-west sample (0)", false},
    CLI_END_OF_OPTIONS,
};

const cli_command command_put_asset = {
    .name = "put asset",
    .operands = "NAME FILE",
    .summary = "give a daemon an asset",
    .details = "FILE.png is a 16-bit gray picture, FILE.geojson has features in metres, FILE.json\n"
               "is a recipe (or rules, with --kind rules), anything else raw heights. The options\n"
               "are the query parameters of PUT /v1/assets. Prints the asset's digest.",
    .examples =
        "  loam put asset hills forest.terrain.json\n"
        "  loam put asset village village.geojson --kind areas --crs local\n"
        "  loam put asset coast coast.r16 --kind heightfield --width 513 --height 513 \\\n"
        "    --spacing-m 30 --offset-m -11 --scale-m 0.015625 --encoding u16le --row0 north",
    .options = put_asset_options,
    .operand_min = 2,
    .operand_max = 2,
    .remote = true,
    .run = put_asset_run,
};

const cli_command command_put_assets = {
    .name = "put assets",
    .operands = "FILE",
    .summary = "give a daemon all that an assets file describes",
    .details = "FILE is what --assets of the offline commands takes: NAME.assets.json. Prints\n"
               "digest and name of each; the first that is refused ends it.",
    .examples = "  loam put assets api/examples/shore.assets.json\n"
                "  loam put world shore api/examples/shore.world.json",
    .operand_min = 1,
    .operand_max = 1,
    .remote = true,
    .run = put_assets_run,
};

const cli_command command_put_world = {
    .name = "put world",
    .operands = "NAME FILE",
    .summary = "give a daemon a world",
    .details = "Prints the revision. Its assets must be there.",
    .examples = "  loam put world forest api/examples/forest.world.json",
    .operand_min = 2,
    .operand_max = 2,
    .remote = true,
    .run = put_world_run,
};

const cli_command command_put_graph = {
    .name = "put graph",
    .operands = "FILE",
    .summary = "give a daemon a graph",
    .details = "Prints its digest, which worlds may name.",
    .examples = "  loam put graph api/examples/forest.graph.json",
    .operand_min = 1,
    .operand_max = 1,
    .remote = true,
    .run = put_graph_run,
};
