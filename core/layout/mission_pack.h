/* SPDX-License-Identifier: MIT
 *
 * mission_pack.h: makes a drawing of a mission smaller: one round over columns, gates and rows.
 */
#ifndef LOAM_LAYOUT_MISSION_PACK_H
#define LOAM_LAYOUT_MISSION_PACK_H

#include "core/layout/mission_draw.h"

/* From any drawing in which what shares rows has an order in x, and what shares columns one in y,
 * to one in cells in which both orders are the same. What is less than `spread` rows apart counts
 * as sharing them; false when that is too much. */
bool mission_pack(mission_draw *draw, int32_t spread);
uint64_t mission_pack_steps(void);

#endif
