/* SPDX-License-Identifier: MIT
 *
 * lane_search.h: the cheapest way between two rooms (A*, Hart, Nilsson and Raphael 1968) through
 * rock and along corridors that are there: a corridor that is used again costs less, passing along
 * a wall more, a bend a little.
 */
#ifndef LOAM_LAYOUT_LANE_SEARCH_H
#define LOAM_LAYOUT_LANE_SEARCH_H

#include "core/layout/corridor.h"

/* Memory of all searches of a plan; steps of one. */
uint64_t lane_search_bytes(layout_size size);
uint64_t lane_search_steps(layout_size size);

/* A draft of the plan from the first room to the second; false when there is no way. */
LOAM_MUST_USE loam_status lane_search_draft(room_plan *plan, corridor_request request,
                                            bool *drafted);

#endif
