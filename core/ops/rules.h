/* SPDX-License-Identifier: MIT
 *
 * rules.h: a document of rules, read by the schema of the operation that it is bound to.
 */
#ifndef LOAM_OPS_RULES_H
#define LOAM_OPS_RULES_H

#include "core/ops/operation.h"

/* What a node makes of a document: by the schema of its operation, and checked by its code. An
 * error's pointer is into the document. */
LOAM_MUST_USE loam_status rules_of_node(const loam_node *node, const loam_rules *document,
                                        loam_arena *arena, const loam_value **values,
                                        loam_error *error);

/* The document at a port of a node that is evaluated. */
LOAM_MUST_USE loam_status rules_take(node_call *call, uint32_t port, const loam_value **values);

#endif
