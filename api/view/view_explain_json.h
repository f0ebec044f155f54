/* SPDX-License-Identifier: MIT
 *
 * view_explain_json.h: what became of the candidates near a place, as the explain document of
 * API.md.
 */
#ifndef LOAM_VIEW_EXPLAIN_JSON_H
#define LOAM_VIEW_EXPLAIN_JSON_H

#include "api/wire/text_buffer.h"
#include "core/loam.h"

/* `count` fates in their order; `truncated` says that there were more. `dropped_by` and `reason`
 * are null for a candidate that was kept; `value` and `limit` where nothing was measured. */
LOAM_MUST_USE loam_status view_explain_json(const loam_fate *fates, uint32_t count, bool truncated,
                                            const loam_graph *graph, text_buffer *to);

#endif
