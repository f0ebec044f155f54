/* SPDX-License-Identifier: MIT
 *
 * glb_parts.h: what the two chunks of a binary glTF must agree on: which columns an asset's
 * instances have, and in what order everything lies in the binary chunk. Internal to the view.
 */
#ifndef LOAM_VIEW_GLB_PARTS_H
#define LOAM_VIEW_GLB_PARTS_H

#include "api/view/view_cell_json.h"
#include "api/wire/text_buffer.h"

/* Component types, by the numbers of the format. */
enum { TYPE_UNSIGNED_SHORT = 5123, TYPE_FLOAT = 5126 };

/* The arrow's corners and faces: of each a view and an accessor, before those of the assets. */
enum {
    ARROW_CORNERS = 4,
    ARROW_INDICES = 12,
    ARROW_CORNER_BYTES = ARROW_CORNERS * 12,
    ARROW_INDEX_BYTES = ARROW_INDICES * 2,
};
_Static_assert(ARROW_CORNER_BYTES % 4 == 0 && ARROW_INDEX_BYTES % 4 == 0, "views are aligned");

typedef struct glb_column {
    const char *semantic;
    const char *type;
    uint32_t component;
    uint32_t bytes; /* of one instance */
} glb_column;

enum { COLUMN_TRANSLATION, COLUMN_ROTATION, COLUMN_SCALE, COLUMN_ID, GLB_COLUMNS };
extern const glb_column glb_columns[GLB_COLUMNS];

/* The points of one asset: `rows` in canonical order. */
typedef struct glb_batch {
    loam_text name;
    const uint32_t *rows;
    uint32_t count;
} glb_batch;

typedef struct glb_batches {
    glb_batch *items; /* only those that have points */
    uint32_t count;
    uint32_t *rows;
} glb_batches;

/* The size of the binary chunk; 0 when there is nothing to draw, and then there is none. */
size_t glb_binary_bytes(const glb_batches *all);
/* The document, padded to the alignment of a chunk. */
void glb_write_document(const cell_place *place, const loam_points *points, const glb_batches *all,
                        text_buffer *to);

#endif
