/* SPDX-License-Identifier: MIT
 *
 * tile_rules.h: the rules of a tile map, from a document or built in.
 */
#ifndef LOAM_ASSEMBLY_TILE_RULES_H
#define LOAM_ASSEMBLY_TILE_RULES_H

#include "core/assembly/tile_map.h"

#define TILE_MAP_DEFAULT "tile_map.default/1"

/* By kind, and as they are given within one; codes are not set. From the arena. */
LOAM_MUST_USE loam_status tile_rules_read(const loam_rules *document, const char *pointer,
                                          loam_arena *arena, tile_rule **rules, uint32_t *count,
                                          loam_error *error);

#endif
