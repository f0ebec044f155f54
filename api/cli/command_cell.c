/* SPDX-License-Identifier: MIT
 *
 * command_cell.c: `loam cell`: one cell, generated here when WORLD is a file, asked of a daemon
 * when it is a name. The data goes to -o or to stdout, one line about it to stderr.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/cli/cell_checks.h"
#include "api/cli/cell_fetch.h"
#include "api/cli/cell_tell.h"
#include "api/cli/cell_trace.h"
#include "api/cli/cell_view.h"
#include "api/cli/offline.h"
#include "api/cli/output.h"
#include "api/cli/remote.h"
#include "core/base/text.h"
#include "core/base/try.h"

/* What --level, --x and --z say; cells of 1 m reach 2^32 either way. */
#define CELL_INDEX_MAX ((int64_t)1 << 32)

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

/* No world is called so. */
static bool name_is_of_file(const char *name) {
    return strchr(name, '/') != NULL || path_has_extension(name, ".json");
}

static int cell_run(const cli_arguments *arguments) {
    cell_address address;
    cell_format format;
    loam_error error = {0};
    if (address_read(arguments, &address, &error) != LOAM_OK ||
        cell_format_find(options_text(arguments, "format"), &format, &error) != LOAM_OK) {
        (void)output_failure(arguments->command->name, &error);
        return CLI_USAGE;
    }
    bool named = remote_is_named(arguments);
    bool here = !named && access(arguments->operands[0], F_OK) == 0;
    if (!named && !here && name_is_of_file(arguments->operands[0])) {
        (void)loam_fail(&error, LOAM_IO, NULL, "cannot read %s: %s", arguments->operands[0],
                        strerror(errno));
        return output_failure(arguments->command->name, &error);
    }
    if (here) {
        return cell_offline(arguments, &address, format);
    }
    return trace_is_wanted(arguments) ? trace_fetch(arguments, &address)
                                      : cell_fetch(arguments, &address, format);
}

/* ---- The table ------------------------------------------------------------------------------- */

static const cli_option cell_options[] = {
    CLI_WORLD_OPTIONS,
    {"level", "N", "level of the grid (0)", false},
    {"x", "N", "column of the cell (0); negative ones are legal", false},
    {"z", "N", "row of the cell (0)", false},
    {"o", "FILE", "where the data goes (stdout)", false},
    {"format", "NAME", "cell (canonical bytes), json, png, csv or glb (cell)", false},
    {"key", NULL, "print the build key and nothing else", false},
    {"trace", NULL, "show what every node did", false},
    {"no-checks", NULL, "here: do not hold the cell against the world's checks", false},
    {"revision", "DIGEST", "of the world, from a daemon (the newest)", false},
    {"cached-only", NULL, "from a daemon: only when it is built already", false},
    {"cache", "DIR", "from a daemon: keep cells there by digest, and take them from there", false},
    CLI_END_OF_OPTIONS,
};

const cli_command command_cell = {
    .name = "cell",
    .operands = "WORLD",
    .summary = "generate one cell, or fetch it from a daemon",
    .details =
        "WORLD is a file (generated here) or the name of a world in a daemon. Either way\n"
        "the bytes are the same. What is fetched is checked against its digest. A cell that\n"
        "fails the checks of its world is written and told here, with exit code 1 unless\n"
        "they only warn; a daemon refuses it.",
    .examples = "  # here, without a daemon\n"
                "  loam cell api/examples/forest.world.json --output trees --x 3 --z 5 -o a.cell\n"
                "  # the same cell of a daemon, and its JSON\n"
                "  loam cell forest --output trees --x 3 --z 5 --server 127.0.0.1:7373 -o b.cell\n"
                "  loam cell forest --output trees --x 3 --z 5 --format json\n"
                "  # why is it empty?\n"
                "  loam cell forest.world.json --output trees --x 3 --z 5 --trace -o a.cell",
    .options = cell_options,
    .operand_min = 1,
    .operand_max = 1,
    .remote = true,
    .run = cell_run,
};

static const cli_option trace_options[] = {
    CLI_WORLD_OPTIONS,
    {"level", "N", "level of the grid (0)", false},
    {"x", "N", "column of the cell (0); negative ones are legal", false},
    {"z", "N", "row of the cell (0)", false},
    CLI_END_OF_OPTIONS,
};

const cli_command command_trace = {
    .name = "trace",
    .operands = "WORLD",
    .summary = "show what every node did to a cell",
    .details = "WORLD is a file or the name of a world in a daemon, as for 'loam cell'.",
    .examples = "  loam trace api/examples/forest.world.json --output trees --x 3 --z 5\n"
                "  loam trace forest --output trees --x 3 --z 5 --server 127.0.0.1:7373",
    .options = trace_options,
    .operand_min = 1,
    .operand_max = 1,
    .remote = true,
    .run = cell_run,
};
