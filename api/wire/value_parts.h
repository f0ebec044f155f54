/* SPDX-License-Identifier: MIT
 *
 * value_parts.h: the parts that reading a value is made of: value_read.c reads what is one item,
 * value_list.c what has items below it. Internal to these two.
 */
#ifndef LOAM_API_WIRE_VALUE_PARTS_H
#define LOAM_API_WIRE_VALUE_PARTS_H

#include "api/wire/value.h"

/* A number in the scale and the range of the schema; of a list, one of its items. */
LOAM_MUST_USE loam_status value_read_number(const item *at, const loam_param_schema *schema,
                                            loam_value *value);
LOAM_MUST_USE loam_status value_read_text(const item *at, loam_value *value);
LOAM_MUST_USE loam_status value_read_choice(const item *at, const loam_param_schema *schema,
                                            loam_value *value);
LOAM_MUST_USE loam_status value_read_list(const item *at, const loam_param_schema *schema,
                                          loam_arena *arena, loam_value *value);
LOAM_MUST_USE loam_status value_read_curve(const item *at, const loam_param_schema *schema,
                                           loam_arena *arena, loam_value *value);

/* Cleared room for so many values; without it a fault at the item. */
LOAM_MUST_USE loam_status value_take(const item *at, uint32_t count, loam_arena *arena,
                                     loam_value **values);

#endif
