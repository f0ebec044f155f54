/* SPDX-License-Identifier: MIT
 *
 * rooms_check.h: what every layout with rooms keeps to, whatever recipe made it.
 */
#ifndef LOAM_TESTS_SUPPORT_ROOMS_CHECK_H
#define LOAM_TESTS_SUPPORT_ROOMS_CHECK_H

#include "tests/support/layout_run.h"

/* NULL when all is well, else what is not, in memory that the next call writes over: corridors go
 * step by step from room to room over floor; rooms are apart by the gap and inside; doors have
 * floor across, walls aside, no other door beside them, and are counted once; junctions are on
 * corridors and their kind is that of their ways; the border is rock. */
const char *rooms_check(const layout_run *run, int32_t gap);

#endif
