/* SPDX-License-Identifier: MIT
 *
 * rules_document.h: documents of rules between JSON and core's tree: fields in order of their
 * names, numbers by value. What the fields mean is not looked at here: who reads the tree by a
 * schema knows.
 */
#ifndef LOAM_API_WIRE_RULES_DOCUMENT_H
#define LOAM_API_WIRE_RULES_DOCUMENT_H

#include "api/wire/document.h"
#include "api/wire/text_buffer.h"
#include "core/loam.h"

/* Memory for a document of so many JSON values and bytes. */
size_t rules_document_bytes(size_t values, size_t json_bytes);

/* Any value; owned by `arena`. Faults are noted at their places. */
LOAM_MUST_USE loam_status rules_document_read(const item *at, loam_arena *arena, loam_rules *to);

/* Writes it as JSON: numbers exactly where they have at most 24 binary places and fit 63 bits, else
 * with the 17 digits that tell doubles apart. */
void rules_document_write(text_buffer *buffer, const loam_rules *rules);

#endif
