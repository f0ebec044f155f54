/* SPDX-License-Identifier: MIT
 *
 * view_trace_json.h: how a cell came about, node by node, as the trace document of API.md.
 */
#ifndef LOAM_VIEW_TRACE_JSON_H
#define LOAM_VIEW_TRACE_JSON_H

#include "api/wire/text_buffer.h"
#include "core/loam.h"

enum { TRACE_SUSPICIOUS_SHARE = 20 };

/* Nodes in the trace's order. `bounds_m` and `mean_density` are null where no point came out;
 * `first_empty` is the first node without points out whose inputs all have some, so the place
 * where a funnel ran dry, or null; `suspicious` the one that lets the least through, where that is
 * less than one in TRACE_SUSPICIOUS_SHARE. */
LOAM_MUST_USE loam_status view_trace_json(const loam_trace *trace, const loam_graph *graph,
                                          uint64_t ticks_per_microsecond, text_buffer *to);

/* Whether row `row` of the trace has no points out although all that feeds it does. */
bool trace_ran_dry(const loam_trace *trace, const loam_graph *graph, uint32_t row);

#endif
