/* SPDX-License-Identifier: MIT
 *
 * validation_write.h: the answer to a graph that a tool wants judged: all faults, warnings, reach,
 * what the numbers became, and what a cell would cost.
 */
#ifndef LOAM_API_WIRE_VALIDATION_WRITE_H
#define LOAM_API_WIRE_VALIDATION_WRITE_H

#include "api/wire/fault.h"
#include "api/wire/graph_document.h"
#include "api/wire/text_buffer.h"
#include "core/loam.h"

/* The cell that an estimate is for when nobody says: that of the contract's examples. */
#define VALIDATION_CELL_M 256

/* An arena for a graph, its plan and warnings. */
#define VALIDATION_ARENA_BYTES (GRAPH_ARENA_BYTES + ((size_t)8 << 20))

/* Writes {valid, faults, warnings, added, reach_m, effective, estimate}. Fails, with the fault in
 * `faults` and nothing written, only when `json` is no document at all (malformed, too large).
 * `resolver` may be NULL; `arena` is given back. */
LOAM_MUST_USE loam_status validation_write(loam_text json, const graph_resolver *resolver,
                                           uint32_t cell_size_m, loam_arena *arena,
                                           text_buffer *buffer, fault_list *faults);

#endif
