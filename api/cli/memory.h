/* SPDX-License-Identifier: MIT
 *
 * memory.h: arenas for core. Address space is reserved whole and pages come as they are touched, so
 * a generous size costs nothing.
 */
#ifndef API_CLI_MEMORY_H
#define API_CLI_MEMORY_H

#include "core/loam.h"

/* Plans and faults of one graph beside the graph itself: 256 nodes of some KB. */
#define MEMORY_PLAN_BYTES ((size_t)64 << 20)

LOAM_MUST_USE loam_status memory_open(loam_arena *arena, size_t size, loam_error *error);
/* An arena that was never opened is left alone. */
void memory_close(loam_arena *arena);

#endif
