/* SPDX-License-Identifier: MIT
 *
 * command.h: what `loam` can do. A command is a value that names itself, its options and its help,
 * at the end of the file command_*.c that runs it; commands.c lists them. Parsing (options.c),
 * every help text (help.c), the manual and the completion (command_manual.c) are made from these.
 */
#ifndef API_CLI_COMMAND_H
#define API_CLI_COMMAND_H

#include "core/loam.h"

/* Exit codes, as `loam --help` explains them. */
enum {
    CLI_DONE = 0,
    CLI_FAILED = 1,
    CLI_USAGE = 2,
    CLI_REFUSED = 3,     /* the daemon said no */
    CLI_UNREACHABLE = 4, /* the daemon did not answer */
};

typedef struct cli_option {
    const char *name;     /* without dashes; NULL ends a list */
    const char *argument; /* what stands for its value in help; NULL for a flag */
    const char *help;
    bool required;
} cli_option;

typedef struct cli_arguments cli_arguments;

typedef struct cli_command {
    const char *name;     /* one or two words */
    const char *operands; /* as help shows them */
    const char *summary;  /* one line */
    const char *details;  /* paragraphs */
    const char *examples; /* lines, each a command with what it does above it */
    const cli_option *options;
    uint32_t operand_min;
    uint32_t operand_max;
    const char *recipe; /* its parameters are options too; NULL for none */
    bool remote;        /* takes the options that find a daemon */
    int (*run)(const cli_arguments *arguments);
} cli_command;

/* Each in the file that runs it. */
extern const cli_command command_heightmap, command_dungeon, command_cell, command_cells,
    command_trace, command_verify, command_bench, command_explain, command_points, command_bake,
    command_picture, command_graph_check, command_graph_fmt, command_graph_compile,
    command_graph_dot, command_graph_rename, command_operations, command_put_asset,
    command_put_assets, command_put_world, command_put_graph, command_world_list, command_world_get,
    command_world_revisions, command_world_delete, command_asset_list, command_asset_get,
    command_asset_content, command_asset_delete, command_get, command_job_submit,
    command_job_dungeons, command_job_list, command_job_wait, command_job_get, command_job_cancel,
    command_job_pause, command_job_resume, command_job_retry, command_job_results, command_digest,
    command_token_new, command_admin_stats, command_admin_gc, command_admin_scrub,
    command_admin_backup, command_wait_ready, command_completion, command_manual;

/* All of them, in the order of help; NULL ends the list. */
extern const cli_command *const cli_commands[];

/* A word and what it means: exit codes, variables of the environment. The last has no name. */
typedef struct cli_fact {
    const char *name;
    const char *meaning;
} cli_fact;

extern const cli_fact cli_exit_codes[];
extern const cli_fact cli_environment[];

/* Options of every command that may talk to a daemon. */
extern const cli_option cli_remote_options[];

/* Rows of every command that reads a world from a file. */
#define CLI_WORLD_OPTIONS                                                                          \
    {"output", "NAME", "which output of the graph", true},                                         \
        {"assets", "FILE",                                                                         \
         "describes the world's assets (default: NAME.assets.json "                                \
         "beside NAME.world.json)",                                                                \
         false},                                                                                   \
        {"simd", "LEVEL", "force best, baseline, avx2 or avx512; results are equal", false}, {     \
        "general", NULL, "take no fast path; results are equal", false                             \
    }

#define CLI_END_OF_OPTIONS                                                                         \
    { NULL, NULL, NULL, false }

#endif
