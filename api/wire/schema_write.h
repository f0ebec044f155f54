/* SPDX-License-Identifier: MIT
 *
 * schema_write.h: the tables of operations and recipes as documents, for tools. The same tables
 * check graphs, so that what is shown is what is taken.
 */
#ifndef LOAM_API_WIRE_SCHEMA_WRITE_H
#define LOAM_API_WIRE_SCHEMA_WRITE_H

#include "api/wire/text_buffer.h"
#include "core/loam.h"

/* All of them, each name once, as its newest version. */
void operations_write(text_buffer *buffer);
void recipes_write(text_buffer *buffer);
/* One by its name. LOAM_UNKNOWN_OPERATION or LOAM_UNKNOWN_RECIPE. */
LOAM_MUST_USE loam_status operation_write(loam_text name, text_buffer *buffer);
LOAM_MUST_USE loam_status recipe_write(loam_text name, text_buffer *buffer);
/* The operations as they are listed: the newest version of each, and those that are inlined while a
 * graph is read. NULL behind the last one, or for an unknown name. */
const loam_operation *schema_operation_at(uint32_t index);
const loam_operation *schema_operation_find(loam_text name);
/* {"name": [versions]} of each table, for /v1/version. */
void operation_versions_write(text_buffer *buffer);
void recipe_versions_write(text_buffer *buffer);

#endif
