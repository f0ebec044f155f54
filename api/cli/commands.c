/* SPDX-License-Identifier: MIT
 *
 * commands.c: what all commands have in common: which there are, the options of those that talk to
 * a daemon, exit codes, the environment. A command's own table stands with it, in command_*.c.
 */
#include "api/cli/command.h"

#include <stddef.h>

const cli_option cli_remote_options[] = {
    {"server", "URL", "the daemon's address, http://HOST:PORT or unix:/PATH", false},
    {"unix", "PATH", "the daemon's unix socket", false},
    {"port-file", "FILE", "take the port that loamd wrote to FILE, on this machine", false},
    {"token-file", "FILE", "send the token that is FILE's one line", false},
    {"json", NULL, "print documents instead of lines for people", false},
    {NULL, NULL, NULL, false},
};

const cli_fact cli_exit_codes[] = {
    {"0", "done"},
    {"1", "it failed, or what was looked at is not as it should be"},
    {"2", "the command line is wrong"},
    {"3", "the daemon said no"},
    {"4", "the daemon did not answer"},
    {NULL, NULL},
};

const cli_fact cli_environment[] = {
    {"LOAM_SERVER", "the daemon's address (http://HOST:PORT or unix:/PATH), where no option names "
                    "one; without it http://127.0.0.1:7373"},
    {"LOAM_TOKEN", "sent as a bearer token, where --token-file names none"},
    {"LOAM_CA_FILE", "certificates to believe an https daemon by, instead of the system's"},
    {NULL, NULL},
};

const cli_command *const cli_commands[] = {
    &command_heightmap,    &command_dungeon,
    &command_cell,         &command_cells,
    &command_trace,        &command_verify,
    &command_bench,        &command_explain,
    &command_points,       &command_bake,
    &command_picture,      &command_graph_check,
    &command_graph_fmt,    &command_graph_compile,
    &command_graph_dot,    &command_graph_rename,
    &command_operations,   &command_put_asset,
    &command_put_assets,   &command_put_world,
    &command_put_graph,    &command_world_list,
    &command_world_get,    &command_world_revisions,
    &command_world_delete, &command_asset_list,
    &command_asset_get,    &command_asset_content,
    &command_asset_delete, &command_get,
    &command_job_submit,   &command_job_dungeons,
    &command_job_list,     &command_job_wait,
    &command_job_get,      &command_job_cancel,
    &command_job_pause,    &command_job_resume,
    &command_job_retry,    &command_job_results,
    &command_digest,       &command_token_new,
    &command_admin_stats,  &command_admin_gc,
    &command_admin_scrub,  &command_admin_backup,
    &command_wait_ready,   &command_completion,
    &command_manual,       NULL,
};
