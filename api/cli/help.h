/* SPDX-License-Identifier: MIT
 *
 * help.h: help texts, all made from the table of commands.
 */
#ifndef API_CLI_HELP_H
#define API_CLI_HELP_H

#include <stdio.h>

#include "api/cli/command.h"

/* What loam is, in a sentence. */
extern const char help_purpose[];

/* What loam is, its commands, its exit codes. */
void help_print_all(FILE *to);
/* The commands whose first word is this, such as "graph"; false when there are none. */
bool help_print_group(FILE *to, const char *word);
/* One command: usage, what it does, options, examples. */
void help_print_command(FILE *to, const cli_command *command);
/* One parameter of a schema as an option or as an entry of `loam operations`. */
void help_print_param(FILE *to, const loam_param_schema *param, const char *prefix);
/* A text, indented and broken into lines. */
void help_print_paragraph(FILE *to, const char *text);

#endif
