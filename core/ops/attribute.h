/* SPDX-License-Identifier: MIT
 *
 * attribute.h: numbers of points by name. User attributes are columns of the set; the reserved ones
 * ($density $height $slope_deg $yaw_deg $scale $station $offset) are views of its fixed columns,
 * and can be written where that makes sense. All numbers are int32 in 1/65,536; int attributes are
 * whole numbers and become 1/65,536 here. ATTRIBUTE_MISSING stands for "has none".
 */
#ifndef LOAM_OPS_ATTRIBUTE_H
#define LOAM_OPS_ATTRIBUTE_H

#include "core/ops/operation.h"

/* 1.0 of an attribute's number. */
#define ATTRIBUTE_ONE 65536

/* Index of a user attribute, or -1. */
int32_t attribute_find(const point_set *set, loam_text name);

/* The numbers of an attribute, one a row; every row ATTRIBUTE_MISSING where the set has none of
 * that name or it is a string. A slope is the angle of the gradient. Int values beyond 32,767
 * fail. */
LOAM_MUST_USE loam_status attribute_numbers(node_call *call, const point_set *set, loam_text name,
                                            const int32_t **values);

/* `out` (a copy of a set, being changed) gets a column of numbers under a name: the reserved
 * $density, $height, $yaw_deg and $scale go to the fixed columns (clamped to their range; missing
 * keeps what is there), any other reserved name fails, another name adds or replaces. */
LOAM_MUST_USE loam_status attribute_put(node_call *call, point_set *out, loam_text name,
                                        loam_attribute_kind kind, const int32_t *values);

/* A parameter that may go by attribute: in the parameter's own scale. */
typedef struct param_column {
    int64_t constant;      /* where `values` is NULL */
    const int64_t *values; /* one a row */
} param_column;

static inline int64_t param_at(const param_column *column, uint32_t row) {
    return column->values == NULL ? column->constant : column->values[row];
}

/* Reads parameter `index` over a set's rows. A missing value is the default; a live point's value
 * beyond the given max, or below the schema's min, fails the node. */
LOAM_MUST_USE loam_status param_column_read(node_call *call, const point_set *set, uint32_t index,
                                            param_column *column);
/* The largest value that it can have: the constant, or the given max. What reach goes by. */
int64_t param_most(const loam_node *node, uint32_t index);

/* The same of any value with its schema, such as the field of a record. */
LOAM_MUST_USE loam_status value_column_read(node_call *call, const point_set *set,
                                            const loam_value *value,
                                            const loam_param_schema *schema, param_column *column);

/* Whether a name is one of the reserved, and of those that can be written. */
bool attribute_is_reserved(loam_text name, bool writable);
/* [A-Za-z_][A-Za-z0-9_]{0,63}: what an operation may call an attribute that it writes. */
bool attribute_is_name(loam_text name);

/* `asset`: not an attribute but a point's field; operations on texts read and write it as one. */
bool attribute_is_asset(loam_text name);

/* What an operation does with an attribute that a parameter names. */
typedef enum attribute_use {
    ATTRIBUTE_READ,
    ATTRIBUTE_WRITTEN, /* a number: reserved ones too */
    ATTRIBUTE_WRITTEN_INT,
    ATTRIBUTE_WRITTEN_TEXT, /* `asset` too */
} attribute_use;

/* Faults of a parameter that is a name, and of one that may go by attribute; `pointer` is that of
 * the node's parameters. */
LOAM_MUST_USE loam_status attribute_name_check(const loam_node *node, uint32_t index,
                                               attribute_use use, const char *pointer,
                                               loam_error *error);
LOAM_MUST_USE loam_status attribute_source_check(const loam_node *node, uint32_t index,
                                                 const char *pointer, loam_error *error);

#endif
