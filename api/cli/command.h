/* SPDX-License-Identifier: MIT
 *
 * command.h: the one table of what `loam` can do. A row names a command, its options and its help;
 * parsing (options.c) and every help text (help.c) are made from it. Each command lives in a file
 * command_*.c of its own.
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

/* All commands, in the order of help; the last has no name. */
extern const cli_command cli_commands[];

/* A word and what it means: exit codes, variables of the environment. The last has no name. */
typedef struct cli_fact {
    const char *name;
    const char *meaning;
} cli_fact;

extern const cli_fact cli_exit_codes[];
extern const cli_fact cli_environment[];

/* Options of every command that may talk to a daemon. */
extern const cli_option cli_remote_options[];

int command_admin_backup_run(const cli_arguments *arguments);
int command_admin_gc_run(const cli_arguments *arguments);
int command_admin_scrub_run(const cli_arguments *arguments);
int command_admin_stats_run(const cli_arguments *arguments);
int command_asset_content_run(const cli_arguments *arguments);
int command_asset_delete_run(const cli_arguments *arguments);
int command_asset_get_run(const cli_arguments *arguments);
int command_asset_list_run(const cli_arguments *arguments);
int command_bake_run(const cli_arguments *arguments);
int command_bench_run(const cli_arguments *arguments);
int command_cell_run(const cli_arguments *arguments);
int command_cells_run(const cli_arguments *arguments);
int command_completion_run(const cli_arguments *arguments);
int command_digest_run(const cli_arguments *arguments);
int command_dungeon_run(const cli_arguments *arguments);
int command_explain_run(const cli_arguments *arguments);
int command_get_run(const cli_arguments *arguments);
int command_graph_check_run(const cli_arguments *arguments);
int command_graph_compile_run(const cli_arguments *arguments);
int command_graph_dot_run(const cli_arguments *arguments);
int command_graph_fmt_run(const cli_arguments *arguments);
int command_graph_rename_run(const cli_arguments *arguments);
int command_heightmap_run(const cli_arguments *arguments);
int command_job_cancel_run(const cli_arguments *arguments);
int command_job_dungeons_run(const cli_arguments *arguments);
int command_job_get_run(const cli_arguments *arguments);
int command_job_results_run(const cli_arguments *arguments);
int command_job_retry_run(const cli_arguments *arguments);
int command_job_submit_run(const cli_arguments *arguments);
int command_job_wait_run(const cli_arguments *arguments);
int command_manual_run(const cli_arguments *arguments);
int command_operations_run(const cli_arguments *arguments);
int command_picture_run(const cli_arguments *arguments);
int command_points_run(const cli_arguments *arguments);
int command_put_asset_run(const cli_arguments *arguments);
int command_put_assets_run(const cli_arguments *arguments);
int command_put_graph_run(const cli_arguments *arguments);
int command_put_world_run(const cli_arguments *arguments);
int command_token_new_run(const cli_arguments *arguments);
int command_verify_run(const cli_arguments *arguments);
int command_wait_ready_run(const cli_arguments *arguments);
int command_world_delete_run(const cli_arguments *arguments);
int command_world_get_run(const cli_arguments *arguments);
int command_world_list_run(const cli_arguments *arguments);
int command_world_revisions_run(const cli_arguments *arguments);

#endif
