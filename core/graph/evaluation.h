/* SPDX-License-Identifier: MIT
 *
 * evaluation.h: one evaluation of an output, for those who want its last point set or a look at
 * every node on the way.
 */
#ifndef LOAM_GRAPH_EVALUATION_H
#define LOAM_GRAPH_EVALUATION_H

#include "core/ops/operation.h"
#include "core/points/point_order.h"

/* Called after every node, with its inputs and result. */
typedef struct node_observer {
    loam_status (*note)(void *context, node_call *call, uint32_t node);
    void *context;
} node_observer;

/* The set that an output takes, before it is cut to the rectangle; it lives in the run's arena. */
LOAM_MUST_USE loam_status evaluate_output(const loam_query *query, const loam_run *run,
                                          const node_observer *observer, const point_set **last,
                                          point_names *names, loam_error *error);

#endif
