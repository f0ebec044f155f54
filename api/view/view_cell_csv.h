/* SPDX-License-Identifier: MIT
 *
 * view_cell_csv.h: a cell as a table (RFC 4180, text/csv): a header, then a line a point, in
 * canonical order, every number exact.
 */
#ifndef LOAM_VIEW_CELL_CSV_H
#define LOAM_VIEW_CELL_CSV_H

#include "api/wire/text_buffer.h"
#include "core/loam.h"

/* Twelve fixed columns, then one for each attribute, called by its name. A point that has no such
 * attribute has an empty field there; an empty text is "". Adds to the buffer: LOAM_TOO_LARGE at
 * its limit. */
LOAM_MUST_USE loam_status view_cell_csv(const loam_points *points, text_buffer *to);

#endif
