/* SPDX-License-Identifier: MIT
 *
 * grammar_keep.h: the layout of a whole line as a stage that a caller keeps: a cell that meets a
 * long line need not lay all of it out.
 */
#ifndef LOAM_OPS_GRAMMAR_KEEP_H
#define LOAM_OPS_GRAMMAR_KEEP_H

#include "core/ops/grammar.h"
#include "core/ops/operation.h"

/* A line with room for fewer modules is laid out sooner than its layout is looked up. */
enum { LAYOUT_KEPT_MIN = 1024 };

/* grammar_lay_out, or what was kept of it: then `found` is set. The text of the grammar is the
 * node's first parameter. */
LOAM_MUST_USE loam_status grammar_layout_take(const grammar_layout *layout, const node_call *call,
                                              uint32_t *count, bool *found);

#endif
