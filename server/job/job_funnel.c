/* SPDX-License-Identifier: MIT
 *
 * job_funnel.c: where a job loses its points. The first cells that a job builds here (those of the
 * cache are not built) are traced, and the counts of each node added up over them. At the job's end
 * its problems name the nodes that let nothing out although all that feeds them did, so the places
 * where a funnel ran dry, and those that dropped more than 99 % of what came in. The job's state
 * does not change by it.
 */
#include "api/view/view_trace_json.h"
#include "server/job/job_entry.h"

#include <stdlib.h>
#include <string.h>

/* Of what comes in, one in so many comes out: more is dropped than anybody means to. */
enum { FUNNEL_DROP = 100 };
/* Fewer points than that say nothing about a share. */
enum { FUNNEL_POINTS_MIN = 1000 };

static loam_trace_node *node_of(loam_trace *sums, uint32_t node) {
    for (uint32_t i = 0; i < sums->node_count; i++) {
        if (sums->nodes[i].node == node) {
            return &sums->nodes[i];
        }
    }
    sums->nodes[sums->node_count] = (loam_trace_node){.node = node};
    return &sums->nodes[sums->node_count++];
}

void job_funnel_add(job_entry *entry, const loam_trace *trace) {
    if (entry->funnel.nodes == NULL) {
        entry->funnel.nodes =
            calloc(entry->revision->world.graph.node_count, sizeof *entry->funnel.nodes);
        if (entry->funnel.nodes == NULL) {
            return;
        }
    }
    for (uint32_t i = 0; i < trace->node_count; i++) {
        loam_trace_node *sum = node_of(&entry->funnel, trace->nodes[i].node);
        sum->points_in += trace->nodes[i].points_in;
        sum->points_out += trace->nodes[i].points_out;
    }
    entry->funnel_cells++;
}

static void add_problem(job_entry *entry, const loam_trace_node *node, const char *code) {
    const loam_node *made = &entry->revision->world.graph.nodes[node->node];
    text_buffer *to = &entry->problems;
    if (entry->problem_count++ >= JOB_PROBLEMS_MAX) {
        return;
    }
    job_problem_begin(entry);
    buffer_key(to, "node");
    buffer_string_text(to, made->name);
    buffer_key(to, "code");
    buffer_string(to, code);
    buffer_key(to, "points_in");
    buffer_unsigned(to, node->points_in);
    buffer_key(to, "points_out");
    buffer_unsigned(to, node->points_out);
    buffer_key(to, "cells");
    buffer_unsigned(to, entry->funnel_cells);
    buffer_key(to, "detail");
    buffer_string(to, node->points_out == 0 ? "the node let no point out in the cells looked at"
                                            : "the node dropped more than 99 % of its points in "
                                              "the cells looked at");
    job_problem_end(entry);
}

void job_funnel_tell(job_entry *entry) {
    for (uint32_t i = 0; i < entry->funnel.node_count; i++) {
        const loam_trace_node *node = &entry->funnel.nodes[i];
        if (trace_ran_dry(&entry->funnel, &entry->revision->world.graph, i)) {
            add_problem(entry, node, "node-empty");
        } else if (node->points_in >= FUNNEL_POINTS_MIN && node->points_out > 0 &&
                   node->points_out < node->points_in / FUNNEL_DROP) {
            add_problem(entry, node, "node-drops");
        }
    }
    job_funnel_fini(entry);
}

void job_funnel_fini(job_entry *entry) {
    free(entry->funnel.nodes);
    entry->funnel = (loam_trace){0};
    entry->funnel_cells = 0;
}
