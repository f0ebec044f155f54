/* SPDX-License-Identifier: MIT
 *
 * command_graph.c: `loam graph check|fmt|compile|dot|rename`. Check names every fault with its
 * place, and for a graph without faults says what each output reaches and what a cell of it can
 * cost; fmt prints the canonical document and, if asked, what was added for it; compile writes the
 * binary form for hosts that have no JSON; dot draws; rename gives a node another name and keeps
 * its points.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/memory.h"
#include "api/cli/options.h"
#include "api/cli/output.h"
#include "api/view/view_graph_dot.h"
#include "api/wire/document.h"
#include "api/wire/graph_added.h"
#include "api/wire/graph_document.h"
#include "api/wire/graph_rename.h"
#include "api/wire/graph_warnings.h"
#include "api/wire/validation_write.h"
#include "core/base/decimal.h"
#include "core/base/text.h"
#include "core/base/try.h"

/* Estimates are for a cell of this side unless --cell-size-m says otherwise. */
#define CHECK_CELL_M 256
#define CHECK_CELL_M_MAX 4096
/* Units are 1/2^8 m. */
#define METRE_BITS 8

/* A graph as it was read from its file. */
typedef struct graph_file {
    loam_arena arena;
    graph_document document;
    fault_list faults;
} graph_file;

static void added_print(void *context, const char *code, const char *pointer, const char *text) {
    (void)code;
    (void)fprintf(stderr, "%s:%s: %s is added\n", (const char *)context, pointer, text);
}

/* `notes`: says on stderr what the document leaves to defaults. */
static loam_status graph_open(const char *path, bool notes, graph_file *file, loam_error *error) {
    loam_text json;
    LOAM_TRY(input_read(path, JSON_BYTES_MAX, &json, error));
    loam_status status = memory_open(&file->arena, GRAPH_ARENA_BYTES + MEMORY_PLAN_BYTES, error);
    if (status == LOAM_OK) {
        status = graph_read(json, NULL, &file->arena, &file->document, &file->faults);
    }
    if (status == LOAM_OK && notes) {
        const warning_sink sink = {added_print, (void *)(uintptr_t)path};
        status = graph_added_in(json, &file->document.graph, &sink, &file->faults);
    }
    free((void *)(uintptr_t)json.bytes);
    return status;
}

/* Shows what is wrong with a graph that did not open. */
static int graph_refused(const cli_arguments *arguments, const graph_file *file,
                         const loam_error *error) {
    if (file->faults.count == 0) {
        return output_failure(arguments->command->name, error);
    }
    output_faults(stdout, arguments->operands[0], &file->faults);
    return CLI_FAILED;
}

static loam_status output_print(const loam_plan *plan, const loam_graph *graph, uint32_t output,
                                int64_t cell_m, loam_error *error) {
    loam_estimate estimate;
    char reach[DECIMAL_BYTES_MAX];
    int64_t side = cell_m * LOAM_UNITS_PER_METRE;
    loam_rect rect = {0, 0, side, side};
    (void)decimal_print(reach, sizeof reach, loam_plan_reach(plan, output), METRE_BITS);
    (void)printf("output %.*s: reach %s m\n", TEXT_ARGS(graph->outputs[output].name), reach);
    LOAM_TRY(loam_plan_estimate(plan, output, rect, &estimate, error));
    (void)printf("  a cell of %" PRId64 " m: at most %" PRIu64 " candidates (%" PRIu64
                 " in one node), %" PRIu64 " tests, %" PRIu64 " KB of memory\n",
                 cell_m, estimate.candidates, estimate.candidates_node, estimate.tests,
                 estimate.arena_bytes >> 10);
    return LOAM_OK;
}

static void warning_print(void *context, const char *code, const char *pointer, const char *text) {
    (void)printf("%s:%s: %s [%s]\n", (const char *)context, pointer, text, code);
}

static loam_status graph_describe(graph_file *file, int64_t cell_m, loam_error *error) {
    const loam_plan *plan;
    LOAM_TRY(loam_plan_build(&file->document.graph, 0, &file->arena, &plan, error));
    for (uint32_t i = 0; i < file->document.graph.output_count; i++) {
        LOAM_TRY(output_print(plan, &file->document.graph, i, cell_m, error));
    }
    (void)printf("%" PRIu32 " nodes, %" PRIu32 " slots: no faults\n",
                 file->document.graph.node_count, file->document.graph.slot_count);
    return LOAM_OK;
}

/* The document that a daemon answers a validation with. */
static int graph_check_json(const cli_arguments *arguments, uint32_t cell_m) {
    loam_arena arena = {0};
    text_buffer buffer;
    fault_list faults;
    loam_text json = {NULL, 0};
    loam_error error = {0};
    fault_clear(&faults);
    buffer_init(&buffer, JSON_BYTES_MAX);
    loam_status status = input_read(arguments->operands[0], JSON_BYTES_MAX, &json, &error);
    status = status == LOAM_OK ? memory_open(&arena, VALIDATION_ARENA_BYTES, &error) : status;
    if (status == LOAM_OK &&
        validation_write(json, NULL, cell_m, &arena, &buffer, &faults) != LOAM_OK) {
        status = fault_first(&faults, &error);
    }
    buffer_add_text(&buffer, "\n");
    if (status == LOAM_OK) {
        status = output_write(NULL, buffer.bytes, buffer.size, &error);
    }
    bool valid = status == LOAM_OK && strncmp(buffer.bytes, "{\"valid\":true", 13) == 0;
    buffer_fini(&buffer);
    memory_close(&arena);
    free((void *)(uintptr_t)json.bytes);
    if (status != LOAM_OK) {
        return output_failure(arguments->command->name, &error);
    }
    return valid ? CLI_DONE : CLI_FAILED;
}

static int graph_check_run(const cli_arguments *arguments) {
    graph_file file = {0};
    loam_error error = {0};
    int64_t cell_m = CHECK_CELL_M;
    int exit_code = CLI_DONE;
    if (options_integer(arguments, "cell-size-m", 1, CHECK_CELL_M_MAX, &cell_m, &error) !=
        LOAM_OK) {
        (void)output_failure(arguments->command->name, &error);
        return CLI_USAGE;
    }
    if (options_flag(arguments, "json")) {
        return graph_check_json(arguments, (uint32_t)cell_m);
    }
    if (graph_open(arguments->operands[0], false, &file, &error) != LOAM_OK) {
        exit_code = graph_refused(arguments, &file, &error);
    } else {
        warning_sink sink = {warning_print, (void *)(uintptr_t)arguments->operands[0]};
        graph_warn(&file.document.graph, &sink);
        if (graph_describe(&file, cell_m, &error) != LOAM_OK) {
            exit_code = output_failure(arguments->command->name, &error);
        }
    }
    memory_close(&file.arena);
    return exit_code;
}

/* Fills a buffer from a graph; what it may hold is bounded by JSON_BYTES_MAX. */
typedef loam_status graph_writer(const graph_document *document, text_buffer *buffer);

static int buffer_output(const cli_arguments *arguments, const text_buffer *buffer, bool binary) {
    const char *path = options_text(arguments, "o");
    loam_error error = {0};
    loam_status status = binary ? output_write_binary(path, buffer->bytes, buffer->size, &error)
                                : output_write(path, buffer->bytes, buffer->size, &error);
    return status == LOAM_OK ? CLI_DONE : output_failure(arguments->command->name, &error);
}

static int graph_convert(const cli_arguments *arguments, graph_writer *write, bool binary) {
    graph_file file = {0};
    loam_error error = {0};
    text_buffer buffer;
    int exit_code = CLI_DONE;
    buffer_init(&buffer, JSON_BYTES_MAX);
    const bool notes = options_flag(arguments, "notes");
    if (graph_open(arguments->operands[0], notes, &file, &error) != LOAM_OK) {
        exit_code = graph_refused(arguments, &file, &error);
    } else {
        loam_status status = write(&file.document, &buffer);
        status = status == LOAM_OK ? buffer_status(&buffer) : status;
        if (status != LOAM_OK) {
            (void)loam_fail(&error, status, NULL, "the graph cannot be written");
            exit_code = output_failure(arguments->command->name, &error);
        } else {
            exit_code = buffer_output(arguments, &buffer, binary);
        }
    }
    buffer_fini(&buffer);
    memory_close(&file.arena);
    return exit_code;
}

static loam_status write_canonical(const graph_document *document, text_buffer *buffer) {
    LOAM_TRY(graph_write(document, buffer));
    buffer_add_text(buffer, "\n");
    return LOAM_OK;
}

static loam_status write_binary(const graph_document *document, text_buffer *buffer) {
    return loam_graph_encode(&document->graph, buffer_sink(buffer));
}

static loam_status write_dot(const graph_document *document, text_buffer *buffer) {
    view_graph_dot(&document->graph, buffer);
    return LOAM_OK;
}

static int graph_fmt_run(const cli_arguments *arguments) {
    return graph_convert(arguments, write_canonical, false);
}

static int graph_compile_run(const cli_arguments *arguments) {
    return graph_convert(arguments, write_binary, true);
}

static int graph_dot_run(const cli_arguments *arguments) {
    return graph_convert(arguments, write_dot, false);
}

static loam_status rename_in(const cli_arguments *arguments, graph_file *file, text_buffer *buffer,
                             loam_error *error) {
    loam_text json;
    LOAM_TRY(input_read(arguments->operands[0], JSON_BYTES_MAX, &json, error));
    loam_status status = memory_open(&file->arena, GRAPH_ARENA_BYTES, error);
    if (status == LOAM_OK) {
        status =
            graph_rename(json, NULL, loam_text_of(arguments->operands[1]),
                         loam_text_of(arguments->operands[2]), &file->arena, buffer, &file->faults);
        buffer_add_text(buffer, "\n");
    }
    free((void *)(uintptr_t)json.bytes);
    if (status != LOAM_OK && file->faults.count == 0) {
        return loam_fail(error, status, NULL, "%s", loam_status_text(status));
    }
    return status;
}

static int graph_rename_run(const cli_arguments *arguments) {
    graph_file file = {0};
    loam_error error = {0};
    text_buffer buffer;
    buffer_init(&buffer, JSON_BYTES_MAX);
    int exit_code = rename_in(arguments, &file, &buffer, &error) == LOAM_OK
                        ? buffer_output(arguments, &buffer, false)
                        : graph_refused(arguments, &file, &error);
    buffer_fini(&buffer);
    memory_close(&file.arena);
    return exit_code;
}

/* ---- The table ------------------------------------------------------------------------------- */

static const cli_option graph_check_options[] = {
    {"cell-size-m", "N", "estimate a cell of this side (256)", false},
    {"json", NULL, "print the document that a daemon answers a validation with", false},
    CLI_END_OF_OPTIONS,
};

const cli_command command_graph_check = {
    .name = "graph check",
    .operands = "FILE",
    .summary = "name every fault of a graph, its reach and its cost",
    .details = "Each fault comes with its JSON pointer. Exit code 1 when there are any.",
    .examples = "  loam graph check api/examples/forest.graph.json",
    .options = graph_check_options,
    .operand_min = 1,
    .operand_max = 1,
    .run = graph_check_run,
};

static const cli_option graph_fmt_options[] = {
    {"o", "FILE", "where it goes (stdout)", false},
    {"notes", NULL, "say on stderr what was added: versions and defaults", false},
    CLI_END_OF_OPTIONS,
};

const cli_command command_graph_fmt = {
    .name = "graph fmt",
    .operands = "FILE",
    .summary = "print a graph's canonical document",
    .details = "Defaults and versions written out, names sorted, numbers exact. It can be sent\n"
               "again and is its own canonical form. So an older document is brought up to date;\n"
               "--notes lists what it did not say.",
    .examples = "  loam graph fmt --notes api/examples/forest.graph.json",
    .options = graph_fmt_options,
    .operand_min = 1,
    .operand_max = 1,
    .run = graph_fmt_run,
};

static const cli_option graph_write_options[] = {
    {"o", "FILE", "where it goes (stdout)", false},
    CLI_END_OF_OPTIONS,
};

const cli_command command_graph_compile = {
    .name = "graph compile",
    .operands = "FILE",
    .summary = "write a graph in binary form, for hosts without JSON",
    .details = "loam_graph_decode of libloam.a reads it.",
    .examples = "  loam graph compile api/examples/forest.graph.json -o forest.graph",
    .options = graph_write_options,
    .operand_min = 1,
    .operand_max = 1,
    .run = graph_compile_run,
};

const cli_command command_graph_dot = {
    .name = "graph dot",
    .operands = "FILE",
    .summary = "draw a graph as Graphviz text",
    .details = "Slots, nodes with their operations, an arrow for each input. A graph in the\n"
               "graph has a frame around its nodes.",
    .examples = "  loam graph dot api/examples/forest.graph.json | dot -Tsvg -o forest.svg",
    .options = graph_write_options,
    .operand_min = 1,
    .operand_max = 1,
    .run = graph_dot_run,
};

const cli_command command_graph_rename = {
    .name = "graph rename",
    .operands = "FILE OLD NEW",
    .summary = "give a node another name and keep its points",
    .details = "Prints the canonical document. A node draws by its name, so the seed that the\n"
               "old name gave is written down: every cell stays as it was.",
    .examples = "  loam graph rename forest.graph.json drawn thinned -o forest.graph.json",
    .options = graph_write_options,
    .operand_min = 3,
    .operand_max = 3,
    .run = graph_rename_run,
};
