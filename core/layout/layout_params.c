/* SPDX-License-Identifier: MIT
 *
 * layout_params.c: the parts of the common parameters that all recipes share as one table.
 */
#include "core/layout/layout.h"

const char *const layout_outsides[] = {"wall", "open", NULL};

/* Loops and rooms of one layout; more nobody could ask for. */
enum { COUNT_MAX = 1000000 };

const loam_param_schema layout_checks[CHECK_COUNT] = {
    PARAM("min_loops", "Loops", "", INT, 0, 0, LOAM_UNSET, 0, COUNT_MAX, 1,
          "At least so many ways round."),
    PARAM("largest_open_max", "Largest open square", "", INT, 0, 0, LOAM_UNSET, 1,
          LAYOUT_SIDE_MAX *LAYOUT_SIDE_MAX, 1, "Cells of the largest square without a wall."),
    PARAM("linearity", "Linearity", "", INT, 0, 0, LOAM_UNSET, 0, 1000, 1,
          "At most so long and thin, in permille; 1000 is a line."),
    PARAM("min_rooms", "Rooms", "", INT, 0, 0, LOAM_UNSET, 0, COUNT_MAX, 1,
          "At least so many rooms."),
    PARAM("reachable_percent", "Reachable", "%", INT, 0, 0, LOAM_UNSET, 0, 100, 1,
          "At least so much of the floor can be walked to from the entrance."),
};
