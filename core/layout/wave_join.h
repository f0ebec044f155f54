/* SPDX-License-Identifier: MIT
 *
 * wave_join.h: joins what lies apart where no paths can be pre-set, for tile sets whose ways turn
 * as they like: windows at regions apart are solved anew, and stay so where less lies apart then.
 * No cell is changed but by solving, so all still fit.
 */
#ifndef LOAM_LAYOUT_WAVE_JOIN_H
#define LOAM_LAYOUT_WAVE_JOIN_H

#include "core/layout/wave_blocks.h"

/* From a grid that is solved, with wishes as wave_path_lay leaves them for WAVE_PATH_NONE.
 * WAVE_NONE when so many tries brought nothing: then there are still that many regions. The memory
 * is that of wave_path_bytes. */
LOAM_MUST_USE loam_status wave_join(wave_work *work, uint64_t key, wave_verdict *verdict,
                                    uint32_t *regions);

#endif
