/* SPDX-License-Identifier: MIT
 *
 * cell_tell.h: what `loam cell` says about a cell, wherever that came from.
 */
#ifndef API_CLI_CELL_TELL_H
#define API_CLI_CELL_TELL_H

#include "api/cli/cell_view.h"
#include "api/cli/options.h"

typedef struct cell_facts {
    const char *key;
    const char *id;
    size_t bytes;
    const char *note;
} cell_facts;

/* A line on stderr, or with --json a document on stdout. */
void cell_tell(const cli_arguments *arguments, const cell_address *address,
               const cell_facts *facts);

#endif
