/* SPDX-License-Identifier: MIT
 *
 * cell_trace.c: see cell_trace.h.
 */
#include "api/cli/cell_trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/base/text.h"

static uint64_t clock_read(void *context) {
    struct timespec now;
    (void)context;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void trace_attach(trace_record *record, loam_run *run) {
    memset(record, 0, sizeof *record);
    record->trace.nodes = record->nodes;
    run->trace = &record->trace;
    run->tick = clock_read;
}

static void row_print(const loam_trace_node *row, const loam_graph *graph) {
    const loam_node *node = &graph->nodes[row->node];
    double density = row->points_out > 0 ? (double)row->density_sum / (double)row->points_out /
                                               (double)LOAM_DENSITY_ONE
                                         : 0;
    (void)fprintf(stderr,
                  "%-14.*s %-20s %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64
                  " %8.4f %8.3f  %s\n",
                  TEXT_ARGS(node->name), node->operation->name, row->points_in, row->points_out,
                  row->window_in, row->window_out, density, (double)row->ticks / 1e6,
                  row->path != NULL ? row->path : "");
}

void trace_print(const trace_record *record, const loam_graph *graph) {
    (void)fprintf(stderr, "%-14s %-20s %9s %9s %9s %9s %8s %8s  %s\n", "node", "operation", "in",
                  "out", "window in", "out", "density", "ms", "path");
    for (uint32_t i = 0; i < record->trace.node_count; i++) {
        row_print(&record->nodes[i], graph);
    }
}
