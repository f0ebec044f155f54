/* SPDX-License-Identifier: MIT
 *
 * options.h: the command line, parsed by the table of commands. `--name value`, `--name=value`,
 * `-o value`; `--` ends the options; a value may begin with a minus sign. Names may be written with
 * '-' or '_', so that a parameter of the contract (spacing_m) is an option as it stands.
 */
#ifndef API_CLI_OPTIONS_H
#define API_CLI_OPTIONS_H

#include "api/cli/command.h"

/* No command takes more; a longer line is a mistake. */
enum { CLI_GIVEN_MAX = 64, CLI_OPERANDS_MAX = 8 };

typedef struct cli_given {
    const char *name;  /* as the table writes it */
    const char *value; /* "" for a flag */
} cli_given;

/* Borrows the command line. */
struct cli_arguments {
    const cli_command *command;
    const char *operands[CLI_OPERANDS_MAX];
    uint32_t operand_count;
    cli_given given[CLI_GIVEN_MAX];
    uint32_t given_count;
    bool help; /* --help was among them: nothing else was checked */
};

/* The command whose words begin the line, and how many words that are; NULL when there is none. */
const cli_command *options_find_command(int count, char *const *words, int *used);

/* Parses what follows the command's words. */
LOAM_MUST_USE loam_status options_parse(const cli_command *command, int count, char *const *words,
                                        cli_arguments *arguments, loam_error *error);

/* The value of an option, NULL when it was not given. The last one wins. */
const char *options_text(const cli_arguments *arguments, const char *name);
bool options_flag(const cli_arguments *arguments, const char *name);
/* A whole number in min..max; `value` keeps its content when the option was not given. */
LOAM_MUST_USE loam_status options_integer(const cli_arguments *arguments, const char *name,
                                          int64_t min, int64_t max, int64_t *value,
                                          loam_error *error);
/* Bytes: a whole number from 0, with K, M, G or T behind it for powers of 1,024. */
LOAM_MUST_USE loam_status options_bytes(const cli_arguments *arguments, const char *name,
                                        uint64_t *value, loam_error *error);
/* Four whole numbers X0,Z0,X1,Z1 with X0 <= X1 and Z0 <= Z1. Required. */
LOAM_MUST_USE loam_status options_area(const cli_arguments *arguments, const char *name,
                                       int64_t area[4], loam_error *error);

/* The same for cells of a grid: at most `cells_max` of them. */
LOAM_MUST_USE loam_status options_cells(const cli_arguments *arguments, const char *name,
                                        int64_t cells_max, int64_t area[4], loam_error *error);

/* Whether two option names are the same, '-' and '_' alike. */
bool options_name_equal(const char *a, const char *b);
/* The option of a command, of its remote options included; NULL when it has none. A parameter of
 * the command's recipe is found by options_find_param. */
const cli_option *options_find(const cli_command *command, const char *name);
const loam_param_schema *options_find_param(const cli_command *command, const char *name);

#endif
