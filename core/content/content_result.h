/* SPDX-License-Identifier: MIT
 *
 * content_result.h: a floor's content on its way, and what came of its attempts as a game reads it.
 */
#ifndef LOAM_CONTENT_CONTENT_RESULT_H
#define LOAM_CONTENT_CONTENT_RESULT_H

#include "core/content/content_place.h"

/* One floor on its way. */
typedef struct content_call {
    const loam_dungeon *dungeon;
    const content_rules *rules;
    uint64_t sub;
    const loam_run *run;
    loam_error *error;
    content_work *work;
    loam_content_floor *out;
} content_call;

/* Fills call->out from call->work: locks, objects and spawns in the order of their cells, the walk,
 * dropped rules, metrics. */
LOAM_MUST_USE loam_status content_result_take(const content_call *call);

#endif
