/* SPDX-License-Identifier: MIT
 *
 * value.h: one parameter, from JSON by its schema and back. Here a JSON number becomes an integer,
 * once: the binary64 times 2^scale_bits, to nearest (halves up), or up for lengths that must never
 * come out closer than asked. What is written is exact and reads back as the same integer.
 */
#ifndef LOAM_API_WIRE_VALUE_H
#define LOAM_API_WIRE_VALUE_H

#include "api/wire/document.h"
#include "api/wire/text_buffer.h"
#include "core/loam.h"

/* Reads by kind and range; faults are noted at the item. Texts are borrowed from the document,
 * lists come from `arena`. */
LOAM_MUST_USE loam_status value_read(const item *at, const loam_param_schema *schema,
                                     loam_arena *arena, loam_value *value);
/* Writes the JSON value; an unset one is null. */
void value_write(text_buffer *buffer, const loam_param_schema *schema, const loam_value *value);
/* An integer of the schema's kind: a decimal, a boolean or a choice. */
void value_write_integer(text_buffer *buffer, const loam_param_schema *schema, int64_t integer);
/* NULL when the table has no such key. */
const loam_param_schema *value_schema(const loam_param_schema *params, uint32_t count,
                                      const char *key);

#endif
