/* SPDX-License-Identifier: MIT
 *
 * arena_map.h: an arena over reserved address space. Only pages that were touched cost memory, and
 * those above what is worth keeping are given back after each use.
 */
#ifndef LOAM_SERVER_LOOP_ARENA_MAP_H
#define LOAM_SERVER_LOOP_ARENA_MAP_H

#include "core/loam.h"

/* False when the address space can not be had. */
LOAM_MUST_USE bool arena_map_open(loam_arena *arena, size_t size);
/* Everything taken is given back; memory beyond `kept_bytes` returns to the system. */
void arena_map_clear(loam_arena *arena, size_t kept_bytes);
void arena_map_close(loam_arena *arena);

#endif
