/* SPDX-License-Identifier: MIT
 *
 * command_cells.c: `loam cells`: a rectangle of cells from a daemon into a folder, several at a
 * time. The files are those of `loam bake`, so that `loam verify` takes either.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cell_file.h"
#include "api/cli/output.h"
#include "api/cli/progress.h"
#include "api/cli/remote.h"
#include "api/wire/text_buffer.h"
#include "api/wire/world_document.h"
#include "core/base/try.h"

/* As many cells as a job of the daemon takes. */
#define CELLS_MAX ((int64_t)16 << 20)
/* Asked for at one time: enough that the connections never want. */
#define CELLS_ASKED 256
#define CELLS_WAIT_MS 1000
/* A poll may take its time here: nothing else is to be done. */
#define CELLS_POLL_US 100000
/* A line about one cell: digests, numbers. */
#define CELLS_LINE_BYTES 1024

typedef struct cells_work {
    const cli_arguments *arguments;
    loam_fetcher *fetcher;
    loam_client_cell cell; /* of all of them */
    int64_t area[4];
    uint64_t count, asked, done, cached, refused, bytes;
    progress bar;
} cells_work;

static int64_t column_of(const cells_work *work, uint64_t index) {
    return work->area[0] + (int64_t)(index % (uint64_t)(work->area[2] - work->area[0] + 1));
}

static int64_t row_of(const cells_work *work, uint64_t index) {
    return work->area[1] + (int64_t)(index / (uint64_t)(work->area[2] - work->area[0] + 1));
}

static loam_status options_read(cells_work *work, loam_error *error) {
    const cli_arguments *arguments = work->arguments;
    int64_t level = 0;
    LOAM_TRY(options_cells(arguments, "cells", CELLS_MAX, work->area, error));
    LOAM_TRY(options_integer(arguments, "level", 0, LEVELS_MAX - 1, &level, error));
    int64_t columns = work->area[2] - work->area[0] + 1;
    int64_t rows = work->area[3] - work->area[1] + 1;
    work->count = (uint64_t)columns * (uint64_t)rows;
    work->cell = (loam_client_cell){.world = arguments->operands[0],
                                    .revision = options_text(arguments, "revision"),
                                    .output = options_text(arguments, "output"),
                                    .level = (uint32_t)level,
                                    .cached_only = options_flag(arguments, "cached-only")};
    return LOAM_OK;
}

static loam_status cells_ask(cells_work *work, loam_error *error) {
    loam_fetch_id id;
    while (work->asked < work->count && loam_fetcher_count(work->fetcher) < CELLS_ASKED) {
        work->cell.x = column_of(work, work->asked);
        work->cell.z = row_of(work, work->asked);
        LOAM_TRY(loam_fetcher_ask(work->fetcher, &work->cell, 0, (void *)(uintptr_t)work->asked,
                                  &id, error));
        work->asked++;
    }
    return LOAM_OK;
}

static void result_tell(const cells_work *work, int64_t x, int64_t z,
                        const loam_fetch_result *result) {
    text_buffer line;
    if (!options_flag(work->arguments, "json")) {
        return;
    }
    buffer_init(&line, CELLS_LINE_BYTES);
    buffer_open_object(&line);
    buffer_key(&line, "cell");
    buffer_open_array(&line);
    buffer_integer(&line, x);
    buffer_integer(&line, z);
    buffer_close_array(&line);
    buffer_field_string(&line, "build_key", result->build_key);
    buffer_field_string(&line, "digest", result->digest);
    buffer_field_integer(&line, "bytes", (int64_t)result->size);
    buffer_key(&line, "cached");
    buffer_bool(&line, result->cached);
    buffer_close_object(&line);
    (void)printf("%.*s\n", (int)line.size, line.bytes);
    buffer_fini(&line);
}

/* A cell that is refused (outside the world, checks that failed) is told and left out; a daemon
 * that is not there ends it all. */
static loam_status result_settle(cells_work *work, const loam_fetch_result *result,
                                 loam_error *error) {
    uint64_t index = (uint64_t)(uintptr_t)result->user;
    int64_t x = column_of(work, index);
    int64_t z = row_of(work, index);
    work->done++;
    if (result->error.status != LOAM_OK && result->http_status >= 400) {
        work->refused++;
        (void)fprintf(stderr, "%" PRId64 "/%" PRId64 ": %s [%s]\n", x, z, result->error.text,
                      loam_status_code(result->error.status));
        return LOAM_OK;
    }
    if (result->error.status != LOAM_OK) {
        return loam_fail(error, result->error.status, NULL, "%s", result->error.text);
    }
    work->cached += result->cached;
    work->bytes += result->size;
    result_tell(work, x, z, result);
    return cell_file_write(options_text(work->arguments, "o"), x, z,
                           &(cell_file){.bytes = {(const char *)result->bytes, result->size},
                                        .key = result->build_key,
                                        .id = result->digest},
                           error);
}

static loam_status cells_take(cells_work *work, loam_error *error) {
    loam_fetch_result result;
    (void)loam_fetcher_wait(work->fetcher, CELLS_WAIT_MS);
    while (loam_fetcher_take(work->fetcher, &result)) {
        loam_status status = result_settle(work, &result, error);
        loam_fetch_result_fini(&result);
        LOAM_TRY(status);
    }
    progress_update(&work->bar, work->done, "");
    return LOAM_OK;
}

static loam_status cells_fetch(cells_work *work, loam_error *error) {
    LOAM_TRY(output_make_folder(options_text(work->arguments, "o"), error));
    progress_begin(&work->bar, "cells", work->count);
    while (work->done < work->count) {
        LOAM_TRY(cells_ask(work, error));
        LOAM_TRY(cells_take(work, error));
    }
    progress_end(&work->bar, work->done, "");
    (void)fprintf(stderr, "%s: %" PRIu64 " cells, %" PRIu64 " bytes, %" PRIu64 " from this disk\n",
                  options_text(work->arguments, "o"), work->done - work->refused, work->bytes,
                  work->cached);
    return LOAM_OK;
}

/* A fetcher is patient with a daemon that is away; whether one is there at all is seen at once. */
static bool daemon_greet(const cli_arguments *arguments, int *exit_code) {
    loam_client_request request = {.path = "/healthz/live"};
    loam_client_response response = {0};
    bool there = remote_send(arguments, &request, &response, exit_code);
    loam_client_response_fini(&response);
    return there;
}

static int cells_run(const cli_arguments *arguments) {
    cells_work work = {.arguments = arguments};
    remote_place place;
    loam_fetcher_options options = {.poll_us = CELLS_POLL_US};
    loam_error error = {0};
    int exit_code = CLI_DONE;
    if (options_read(&work, &error) != LOAM_OK) {
        (void)output_failure(arguments->command->name, &error);
        return CLI_USAGE;
    }
    if (!daemon_greet(arguments, &exit_code)) {
        return exit_code;
    }
    loam_status status = remote_options(arguments, &place, &options.client, &error);
    if (status == LOAM_OK) {
        work.fetcher = loam_fetcher_create(&options, &error);
        status = work.fetcher != NULL ? cells_fetch(&work, &error) : error.status;
    }
    loam_fetcher_destroy(work.fetcher);
    if (status != LOAM_OK) {
        return output_failure(arguments->command->name, &error);
    }
    return work.refused > 0 ? CLI_REFUSED : CLI_DONE;
}

static const cli_option cells_options[] = {
    {"output", "NAME", "which output of the graph", true},
    {"cells", "X0,Z0,X1,Z1", "first and last cell, inclusive", true},
    {"level", "N", "level of the grid (0)", false},
    {"o", "DIR", "the folder, made when missing", true},
    {"revision", "DIGEST", "of the world (the newest)", false},
    {"cached-only", NULL, "only cells that are built already", false},
    {"cache", "DIR", "keep cells there by digest, and take them from there", false},
    CLI_END_OF_OPTIONS,
};

const cli_command command_cells = {
    .name = "cells",
    .operands = "WORLD",
    .summary = "fetch a rectangle of cells from a daemon into a folder",
    .details = "Writes X_Z.cell and X_Z.key for every cell, several at a time, each checked\n"
               "against its digest. Cells that the daemon refuses are told and left out; the exit\n"
               "code is then 3. With --json a line for each cell.",
    .examples = "  loam cells forest --output trees --cells 0,0,15,15 -o out\n"
                "  loam cells forest --output trees --cells 0,0,15,15 -o out --cache ~/.cache/loam",
    .options = cells_options,
    .operand_min = 1,
    .operand_max = 1,
    .remote = true,
    .run = cells_run,
};
