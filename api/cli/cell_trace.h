/* SPDX-License-Identifier: MIT
 *
 * cell_trace.h: what every node of a graph did in one evaluation, as a table for people.
 */
#ifndef API_CLI_CELL_TRACE_H
#define API_CLI_CELL_TRACE_H

#include "core/base/limits.h"
#include "core/loam.h"

typedef struct trace_record {
    loam_trace trace;
    loam_trace_node nodes[NODES_MAX];
} trace_record;

/* Makes the run fill the record, with a clock in nanoseconds; the run borrows it. */
void trace_attach(trace_record *record, loam_run *run);
/* Prints the table on stderr, nodes in key order. */
void trace_print(const trace_record *record, const loam_graph *graph);

#endif
