/* SPDX-License-Identifier: MIT
 *
 * filter_begin.h: what every filter begins with: a set that shares all columns of its input but
 * `live`, so that dense sets stay dense and nothing is copied.
 */
#ifndef LOAM_OPS_FILTER_BEGIN_H
#define LOAM_OPS_FILTER_BEGIN_H

#include "core/ops/operation.h"

/* A live column. */
enum { FILTER_BYTES_EACH = 8 };

/* `call->out` is the input with the live column `kept`, which is to be written; `live` is the
 * input's. */
LOAM_MUST_USE loam_status filter_begin(node_call *call, const uint32_t **live, uint32_t **kept);
void filter_cost(const loam_node *node, loam_rect rect, const node_cost *inputs, node_cost *cost);

extern const loam_port_schema filter_ports[];
enum { FILTER_PORTS = 1 };

/* The operation of a filter and its code. */
#define FILTER_OPERATION(symbol, name_, title_, text_, params_, check_, cost_, evaluate_,          \
                         explain_)                                                                 \
    const loam_operation symbol##_operation = {                                                    \
        .name = name_,                                                                             \
        .version = 1,                                                                              \
        .category = "filters",                                                                     \
        .title = title_,                                                                           \
        .description = text_,                                                                      \
        .reach = "0",                                                                              \
        .ports = filter_ports,                                                                     \
        .port_count = FILTER_PORTS,                                                                \
        .params = params_,                                                                         \
        .param_count = COUNT_OF(params_),                                                          \
    };                                                                                             \
    const operation_code symbol##_code = {                                                         \
        .check = check_, .cost = cost_, .evaluate = evaluate_, .explain = explain_}

#endif
