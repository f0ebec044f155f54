/* SPDX-License-Identifier: MIT
 *
 * command_cell.c: `loam cell`: one cell, generated here when WORLD is a file, asked of a daemon
 * when it is a name. The data goes to -o or to stdout, one line about it to stderr.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/cli/cell_checks.h"
#include "api/cli/cell_trace.h"
#include "api/cli/cell_view.h"
#include "api/cli/offline.h"
#include "api/cli/output.h"
#include "api/cli/remote.h"
#include "core/base/text.h"
#include "core/base/try.h"

/* What --level, --x and --z say; cells of 1 m reach 2^32 either way. */
#define CELL_INDEX_MAX ((int64_t)1 << 32)
/* A line of facts: two digests, a name, some numbers. */
#define FACTS_BYTES_MAX 4096
#define TRACE_PATH_BYTES 1024

/* `loam trace` is `loam cell --trace` without the cell. */
static bool trace_is_all(const cli_arguments *arguments) {
    return strcmp(arguments->command->name, "trace") == 0;
}

static bool trace_is_wanted(const cli_arguments *arguments) {
    return trace_is_all(arguments) || options_flag(arguments, "trace");
}

static loam_status address_read(const cli_arguments *arguments, cell_address *address,
                                loam_error *error) {
    *address = (cell_address){0};
    LOAM_TRY(options_integer(arguments, "level", 0, LEVELS_MAX - 1, &address->level, error));
    LOAM_TRY(options_integer(arguments, "x", -CELL_INDEX_MAX, CELL_INDEX_MAX, &address->x, error));
    return options_integer(arguments, "z", -CELL_INDEX_MAX, CELL_INDEX_MAX, &address->z, error);
}

/* What is said about a cell, the same for both ways. */
typedef struct cell_facts {
    const char *key;
    const char *id;
    size_t bytes;
    const char *note;
} cell_facts;

static void facts_print_json(const char *output, const cell_address *address,
                             const cell_facts *facts) {
    text_buffer line;
    buffer_init(&line, FACTS_BYTES_MAX);
    buffer_open_object(&line);
    buffer_key(&line, "output");
    buffer_string(&line, output);
    buffer_key(&line, "level");
    buffer_integer(&line, address->level);
    buffer_key(&line, "x");
    buffer_integer(&line, address->x);
    buffer_key(&line, "z");
    buffer_integer(&line, address->z);
    buffer_key(&line, "build_key");
    buffer_string(&line, facts->key);
    buffer_key(&line, "digest");
    buffer_string(&line, facts->id);
    buffer_key(&line, "bytes");
    buffer_unsigned(&line, facts->bytes);
    buffer_key(&line, "note");
    buffer_string(&line, facts->note);
    buffer_close_object(&line);
    (void)printf("%.*s\n", (int)line.size, line.bytes);
    buffer_fini(&line);
}

static void cell_tell(const cli_arguments *arguments, const cell_address *address,
                      const cell_facts *facts) {
    const char *output = options_text(arguments, "output");
    if (options_flag(arguments, "json")) {
        facts_print_json(output, address, facts);
        return;
    }
    (void)fprintf(stderr,
                  "%s %" PRId64 "/%" PRId64 "/%" PRId64 ": %zu bytes, %s\n  digest %s\n"
                  "  key    %s\n",
                  output, address->level, address->x, address->z, facts->bytes, facts->note,
                  facts->id, facts->key);
}

/* ---- From a daemon ------------------------------------------------------------------------- */

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

static int cell_fetch(const cli_arguments *arguments, const cell_address *address,
                      cell_format format, loam_client *client) {
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
static int trace_fetch(const cli_arguments *arguments, const cell_address *address) {
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

static int cell_remote(const cli_arguments *arguments, const cell_address *address,
                       cell_format format) {
    if (trace_is_wanted(arguments)) {
        return trace_fetch(arguments, address);
    }
    int exit_code = CLI_FAILED;
    loam_client *client = remote_open_or_tell(arguments, &exit_code);
    if (client != NULL) {
        exit_code = cell_fetch(arguments, address, format, client);
    }
    loam_client_destroy(client);
    return exit_code;
}

/* ---- From a file --------------------------------------------------------------------------- */

static void cell_tell_built(const cli_arguments *arguments, const cell_address *address,
                            const offline_cell *cell) {
    char key[DIGEST_TEXT_BYTES];
    char id[DIGEST_TEXT_BYTES];
    char note[64];
    digest_text(&cell->key, key);
    digest_text(&cell->id, id);
    (void)snprintf(note, sizeof note, "%" PRIu32 " points", cell->points.count);
    cell_facts facts = {.key = key, .id = id, .bytes = cell->size, .note = note};
    cell_tell(arguments, address, &facts);
}

static loam_status cell_put(const cli_arguments *arguments, const offline_world *offline,
                            const cell_address *address, const offline_cell *cell,
                            cell_format format, loam_error *error) {
    const char *path = options_text(arguments, "o");
    if (path == NULL && options_flag(arguments, "json")) {
        return LOAM_OK;
    }
    if (format == CELL_FORMAT_CELL) {
        return output_write_binary(path, cell->bytes, cell->size, error);
    }
    text_buffer view;
    buffer_init(&view, CELL_VIEW_BYTES_MAX);
    loam_status status = cell_view_write(offline, cell, *address, format, &view, error);
    if (status == LOAM_OK) {
        status = cell_format_is_text(format)
                     ? output_write(path, view.bytes, view.size, error)
                     : output_write_binary(path, view.bytes, view.size, error);
    }
    buffer_fini(&view);
    return status;
}

static loam_status cell_print_key(const offline_world *offline, loam_rect rect, offline_cell *cell,
                                  loam_error *error) {
    char text[DIGEST_TEXT_BYTES];
    LOAM_TRY(offline_key(offline, rect, cell, error));
    digest_text(&cell->key, text);
    (void)printf("%s\n", text);
    return LOAM_OK;
}

static loam_status cell_make(const cli_arguments *arguments, const offline_world *offline,
                             const cell_address *address, cell_format format, offline_cell *cell,
                             loam_error *error) {
    loam_run run;
    loam_rect rect;
    trace_record record;
    LOAM_TRY(offline_run_options(arguments, &run, error));
    LOAM_TRY(world_cell(&offline->world, (uint32_t)address->level, address->x, address->z, &rect,
                        error));
    if (options_flag(arguments, "key")) {
        return cell_print_key(offline, rect, cell, error);
    }
    if (trace_is_wanted(arguments)) {
        trace_attach(&record, &run);
    }
    LOAM_TRY(offline_build(offline, rect, &run, cell, error));
    if (trace_is_wanted(arguments)) {
        trace_print(&record, &offline->world.graph);
    }
    if (trace_is_all(arguments)) {
        return LOAM_OK;
    }
    LOAM_TRY(cell_put(arguments, offline, address, cell, format, error));
    cell_tell_built(arguments, address, cell);
    return options_flag(arguments, "no-checks") ? LOAM_OK
                                                : cell_checks_run(offline, &run, cell, error);
}

static int cell_offline(const cli_arguments *arguments, const cell_address *address,
                        cell_format format) {
    offline_world offline;
    offline_cell cell = {0};
    loam_error error = {0};
    int exit_code = CLI_DONE;
    if (offline_open(arguments, &offline, &error) != LOAM_OK) {
        exit_code = offline_refused(arguments, &offline, &error);
    } else if (cell_make(arguments, &offline, address, format, &cell, &error) != LOAM_OK) {
        exit_code = output_failure(arguments->command->name, &error);
    } else if (cell_checks_tell(&offline, *address, &cell)) {
        exit_code = CLI_FAILED;
    }
    offline_cell_fini(&cell);
    offline_close(&offline);
    return exit_code;
}

int command_cell_run(const cli_arguments *arguments) {
    cell_address address;
    cell_format format;
    loam_error error = {0};
    if (address_read(arguments, &address, &error) != LOAM_OK ||
        cell_format_find(options_text(arguments, "format"), &format, &error) != LOAM_OK) {
        (void)output_failure(arguments->command->name, &error);
        return CLI_USAGE;
    }
    bool here = !remote_is_named(arguments) && access(arguments->operands[0], F_OK) == 0;
    return here ? cell_offline(arguments, &address, format)
                : cell_remote(arguments, &address, format);
}
