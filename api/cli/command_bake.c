/* SPDX-License-Identifier: MIT
 *
 * command_bake.c: `loam bake`: a rectangle of cells into a folder.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "api/cli/bake.h"
#include "api/cli/cell_checks.h"
#include "api/cli/crew.h"
#include "api/cli/output.h"
#include "core/base/try.h"

/* As many cells as a job of the daemon takes. */
#define BAKE_CELLS_MAX ((int64_t)16 << 20)

/* Set by an interrupt: a cell that is being made is finished or left out, never half-written. */
static int bake_stop;

static loam_status bake_read_options(const cli_arguments *arguments, bake *work,
                                     loam_error *error) {
    int64_t area[4];
    int64_t level = 0;
    int64_t workers = crew_workers_default();
    LOAM_TRY(options_cells(arguments, "cells", BAKE_CELLS_MAX, area, error));
    LOAM_TRY(options_integer(arguments, "level", 0, LEVELS_MAX - 1, &level, error));
    LOAM_TRY(options_integer(arguments, "workers", 1, CREW_WORKERS_MAX, &workers, error));
    LOAM_TRY(offline_run_options(arguments, &work->run, error));
    int64_t columns = area[2] - area[0] + 1;
    int64_t rows = area[3] - area[1] + 1;
    work->folder = options_text(arguments, "o");
    work->unchecked = options_flag(arguments, "no-checks");
    work->level = (uint32_t)level;
    work->workers = (uint32_t)workers;
    work->x0 = area[0];
    work->z0 = area[1];
    work->columns = (uint32_t)columns;
    work->rows = (uint32_t)rows;
    return LOAM_OK;
}

static loam_status cell_make(void *context, uint64_t index, offline_cell *scratch,
                             loam_error *error) {
    bake *work = context;
    bake_cell *cell = &work->cells[index];
    LOAM_TRY(bake_one(work, index, scratch, cell, error));
    atomic_fetch_add(&work->kept, cell->kept ? 1 : 0);
    atomic_fetch_add(&work->done, 1);
    return LOAM_OK;
}

/* One at a time, in the order of cells. */
static void cell_settle(void *context, uint64_t index, const offline_cell *scratch) {
    bake *work = context;
    cell_address address = {.level = work->level,
                            .x = work->x0 + (int64_t)(index % work->columns),
                            .z = work->z0 + (int64_t)(index / work->columns)};
    work->refused += cell_checks_tell(work->offline, address, scratch);
}

static void rate_note(void *context, char *text, size_t capacity) {
    bake *work = context;
    uint64_t spent_s = (uint64_t)time(NULL) - work->begun_s;
    uint64_t done = atomic_load(&work->done);
    uint64_t kept = atomic_load(&work->kept);
    if (spent_s > 0) {
        (void)snprintf(text, capacity, "%" PRIu64 " up to date, %" PRIu64 "/s", kept,
                       done / spent_s);
    } else {
        (void)snprintf(text, capacity, "%" PRIu64 " up to date", kept);
    }
}

static loam_status bake_all(bake *work, loam_error *error) {
    crew_task task = {.label = "bake",
                      .count = (uint64_t)work->rows * work->columns,
                      .workers = work->workers,
                      .stop = &bake_stop,
                      .context = work,
                      .make = cell_make,
                      .settle = cell_settle,
                      .note = rate_note};
    LOAM_TRY(output_make_folder(work->folder, error));
    work->cells = calloc((size_t)task.count, sizeof *work->cells);
    if (work->cells == NULL) {
        return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for so many cells");
    }
    work->run.cancel = &bake_stop;
    work->begun_s = (uint64_t)time(NULL);
    crew_catch_interrupts(&bake_stop);
    LOAM_TRY(crew_run(&task, error));
    return bake_write_manifest(work, error);
}

static void bake_tell(const bake *work) {
    uint64_t kept = 0;
    uint64_t bytes = 0;
    uint64_t count = (uint64_t)work->rows * work->columns;
    for (uint64_t i = 0; i < count; i++) {
        kept += work->cells[i].kept ? 1 : 0;
        bytes += work->cells[i].bytes;
    }
    (void)fprintf(stderr,
                  "%s: %" PRIu64 " cells, %" PRIu64 " made, %" PRIu64 " up to date, %" PRIu64
                  " bytes\n",
                  work->folder, count, count - kept, kept, bytes);
    if (work->refused > 0) {
        (void)fprintf(stderr, "%" PRIu64 " cells failed the world's checks\n", work->refused);
    }
}

static int bake_run(const cli_arguments *arguments) {
    offline_world offline;
    bake work = {.offline = &offline};
    loam_error error = {0};
    int exit_code = CLI_DONE;
    if (bake_read_options(arguments, &work, &error) != LOAM_OK) {
        (void)output_failure(arguments->command->name, &error);
        return CLI_USAGE;
    }
    if (offline_open(arguments, &offline, &error) != LOAM_OK) {
        exit_code = offline_refused(arguments, &offline, &error);
    } else if (bake_all(&work, &error) != LOAM_OK) {
        exit_code = output_failure(arguments->command->name, &error);
    } else {
        bake_tell(&work);
        exit_code = work.refused > 0 ? CLI_FAILED : CLI_DONE;
    }
    free(work.cells);
    offline_close(&offline);
    return exit_code;
}

static const cli_option bake_options[] = {
    CLI_WORLD_OPTIONS,
    {"cells", "X0,Z0,X1,Z1", "first and last cell, inclusive", true},
    {"level", "N", "level of the grid (0)", false},
    {"o", "DIR", "the folder, made when missing", true},
    {"workers", "N", "threads (one a processor); the bytes are equal", false},
    {"no-checks", NULL, "do not hold cells against the world's checks", false},
    CLI_END_OF_OPTIONS,
};

const cli_command command_bake = {
    .name = "bake",
    .operands = "WORLD.json",
    .summary = "generate a rectangle of cells into a folder",
    .details = "Writes X_Z.cell and X_Z.key for every cell, and manifest.json with keys and\n"
               "digests. A cell whose key is unchanged is kept, so the command can be repeated\n"
               "after an edit or an interrupt and makes only what is missing. Cells that fail the\n"
               "world's checks are written, listed and marked in the manifest; the exit code is\n"
               "then 1, unless the checks only warn.",
    .examples =
        "  loam bake api/examples/forest.world.json --output trees --cells 0,0,15,15 -o out",
    .options = bake_options,
    .operand_min = 1,
    .operand_max = 1,
    .run = bake_run,
};
