/* SPDX-License-Identifier: MIT
 *
 * corridor_trim.h: cuts corridors back where they end nowhere. A last way out may leave a gate and
 * turn round at once to run along the wall; what it leaves in front of the gate leads nowhere.
 */
#ifndef LOAM_LAYOUT_CORRIDOR_TRIM_H
#define LOAM_LAYOUT_CORRIDOR_TRIM_H

#include "core/layout/room_plan.h"

/* Of the dead ends of all middle lines together, which are ends outside rooms with one way on, the
 * floored share of `keep_percent` stays, those first in hash order; the others go, back to where
 * lines meet or to a room. Lines, ways and cells agree afterwards, and each corridor still joins
 * its two rooms. Before gaps are closed and doors are hung; does nothing at 100. */
LOAM_MUST_USE loam_status corridor_trim(room_plan *plan, int64_t keep_percent);

#endif
