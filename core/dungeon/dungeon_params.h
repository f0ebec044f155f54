/* SPDX-License-Identifier: MIT
 *
 * dungeon_params.h: values of a schema as the document that gives them.
 */
#ifndef LOAM_DUNGEON_DUNGEON_PARAMS_H
#define LOAM_DUNGEON_DUNGEON_PARAMS_H

#include "core/loam.h"

/* An object of every row that has a value, from the arena; texts and documents are borrowed. Read
 * again by the schema, it gives the same values. */
LOAM_MUST_USE loam_status params_document(const loam_param_schema *schema, uint32_t count,
                                          const loam_value *values, loam_arena *arena,
                                          loam_rules *document, loam_error *error);

#endif
