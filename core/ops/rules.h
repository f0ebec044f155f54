/* SPDX-License-Identifier: MIT
 *
 * rules.h: a document of rules, read by the schema of the operation that it is bound to. Numbers
 * become integers here as api/wire makes those of parameters: the exact value times 2^scale_bits,
 * to nearest (halves up), or up. Fields that the schema does not know are errors; pointers go down
 * to the field.
 */
#ifndef LOAM_OPS_RULES_H
#define LOAM_OPS_RULES_H

#include "core/ops/operation.h"

/* One value for each field of the schema, in its order. */
LOAM_MUST_USE loam_status rules_read(const loam_rules *document, const loam_param_schema *fields,
                                     uint32_t field_count, const char *pointer, loam_arena *arena,
                                     const loam_value **values, loam_error *error);

/* What a node makes of a document: by the schema of its operation, and checked by its code. An
 * error's pointer is into the document. */
LOAM_MUST_USE loam_status rules_of_node(const loam_node *node, const loam_rules *document,
                                        loam_arena *arena, const loam_value **values,
                                        loam_error *error);

/* The document at a port of a node that is evaluated. */
LOAM_MUST_USE loam_status rules_take(node_call *call, uint32_t port, const loam_value **values);

#endif
