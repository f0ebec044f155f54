/* SPDX-License-Identifier: MIT
 *
 * cell_view.h: the forms in which `loam cell` gives a cell.
 */
#ifndef API_CLI_CELL_VIEW_H
#define API_CLI_CELL_VIEW_H

#include "api/cli/offline.h"
#include "api/wire/text_buffer.h"

/* JSON takes some 300 bytes a point; the largest cell is cut off long before core's limit. */
#define CELL_VIEW_BYTES_MAX ((size_t)2 << 30)

typedef enum cell_format {
    CELL_FORMAT_CELL,
    CELL_FORMAT_JSON,
    CELL_FORMAT_PNG,
    CELL_FORMAT_CSV,
    CELL_FORMAT_GLB,
} cell_format;

typedef struct cell_address {
    int64_t level, x, z;
} cell_address;

/* NULL is cell. */
LOAM_MUST_USE loam_status cell_format_find(const char *name, cell_format *format,
                                           loam_error *error);
const char *cell_format_media_type(cell_format format);
/* Whether a terminal can show it. */
bool cell_format_is_text(cell_format format);
/* A built cell in another form; the views are those that the daemon serves. */
LOAM_MUST_USE loam_status cell_view_write(const offline_world *offline, const offline_cell *cell,
                                          cell_address address, cell_format format,
                                          text_buffer *view, loam_error *error);

#endif
