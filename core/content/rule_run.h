/* SPDX-License-Identifier: MIT
 *
 * rule_run.h: one rule of an attempt from its beginning to its end: which cells it is asked for, in
 * which order, and what is noted when it comes to nothing.
 */
#ifndef LOAM_CONTENT_RULE_RUN_H
#define LOAM_CONTENT_RULE_RUN_H

#include "core/content/rule_call.h"

/* `call` has its work and lists; all else is the rule's and begins anew. */
LOAM_MUST_USE loam_status rule_run(rule_call *call, uint32_t index);
/* The same of a rule for a key, which lies where everything stays solvable. */
LOAM_MUST_USE loam_status rule_run_key(rule_call *call, uint32_t index);

#endif
