/* SPDX-License-Identifier: MIT
 *
 * cell_fetch.h: a cell, or what every node did to it, from a daemon; for `loam cell` and `loam
 * trace` of a world that is no file.
 */
#ifndef API_CLI_CELL_FETCH_H
#define API_CLI_CELL_FETCH_H

#include "api/cli/cell_view.h"
#include "api/cli/options.h"

/* Both return an exit code. */
int cell_fetch(const cli_arguments *arguments, const cell_address *address, cell_format format);
int trace_fetch(const cli_arguments *arguments, const cell_address *address);

#endif
