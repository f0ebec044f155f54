/* SPDX-License-Identifier: MIT
 *
 * command_job_submit.c: `loam job submit`: a job document of one rectangle of cells, or of all.
 */
#include "api/cli/job_submit.h"
#include "api/cli/output.h"
#include "api/wire/text_buffer.h"
#include "core/base/try.h"

/* A job document of one rectangle is far smaller. */
#define JOB_DOCUMENT_BYTES_MAX 65536
#define JOB_LEVEL_MAX 255
#define JOB_PRIORITY_MAX 9

static void document_put_cells(text_buffer *document, const int64_t area[4]) {
    buffer_open_object(document);
    for (int corner = 0; corner < 2; corner++) {
        buffer_key(document, corner == 0 ? "min" : "max");
        buffer_open_array(document);
        buffer_integer(document, area[corner * 2]);
        buffer_integer(document, area[corner * 2 + 1]);
        buffer_close_array(document);
    }
    buffer_close_object(document);
}

static loam_status document_put_place(text_buffer *document, const cli_arguments *arguments,
                                      loam_error *error) {
    int64_t area[4];
    buffer_key(document, "cells");
    if (options_text(arguments, "cells") == NULL) {
        buffer_string(document, "all");
        return LOAM_OK;
    }
    LOAM_TRY(options_area(arguments, "cells", area, error));
    document_put_cells(document, area);
    return LOAM_OK;
}

/* A world's own default level is taken when --level is not given. */
static loam_status document_put_options(text_buffer *document, const cli_arguments *arguments,
                                        loam_error *error) {
    int64_t level = -1;
    int64_t priority = -1;
    LOAM_TRY(options_integer(arguments, "level", 0, JOB_LEVEL_MAX, &level, error));
    LOAM_TRY(options_integer(arguments, "priority", 0, JOB_PRIORITY_MAX, &priority, error));
    if (level >= 0) {
        buffer_key(document, "level");
        buffer_integer(document, level);
    }
    if (priority >= 0) {
        buffer_key(document, "priority");
        buffer_integer(document, priority);
    }
    if (options_text(arguments, "revision") != NULL) {
        buffer_key(document, "revision");
        buffer_string(document, options_text(arguments, "revision"));
    }
    if (options_flag(arguments, "discard")) {
        buffer_key(document, "keep");
        buffer_bool(document, false);
    }
    return LOAM_OK;
}

static loam_status document_write(text_buffer *document, const cli_arguments *arguments,
                                  loam_error *error) {
    buffer_open_object(document);
    buffer_key(document, "world");
    buffer_string(document, arguments->operands[0]);
    buffer_key(document, "outputs");
    buffer_open_array(document);
    buffer_string(document, options_text(arguments, "output"));
    buffer_close_array(document);
    LOAM_TRY(document_put_options(document, arguments, error));
    LOAM_TRY(document_put_place(document, arguments, error));
    buffer_close_object(document);
    buffer_add(document, "", 1);
    return buffer_status(document);
}

static int job_submit_run(const cli_arguments *arguments) {
    text_buffer document;
    loam_error error = {0};
    int exit_code;
    buffer_init(&document, JOB_DOCUMENT_BYTES_MAX);
    if (document_write(&document, arguments, &error) != LOAM_OK) {
        exit_code = output_failure(arguments->command->name, &error);
    } else {
        exit_code = job_submit(arguments, document.bytes);
    }
    buffer_fini(&document);
    return exit_code;
}

static const cli_option job_submit_options[] = {
    {"output", "NAME", "which output of the graph", true},
    {"level", "N", "level of the grid (the output's own)", false},
    {"cells", "X0,Z0,X1,Z1", "first and last cell, inclusive (all of the world)", false},
    {"revision", "DIGEST", "of the world (the newest)", false},
    {"priority", "N", "0 to 9", false},
    {"discard", NULL, "results may leave the cache (\"keep\": false)", false},
    {"wait", NULL, "wait for the end, with a progress bar", false},
    CLI_END_OF_OPTIONS,
};

const cli_command command_job_submit = {
    .name = "job submit",
    .operands = "WORLD",
    .summary = "have a daemon bake cells",
    .details = "Prints the job's id. The same request again is the same job.",
    .examples = "  loam job submit forest --output trees --cells 0,0,15,15 --wait",
    .options = job_submit_options,
    .operand_min = 1,
    .operand_max = 1,
    .remote = true,
    .run = job_submit_run,
};
