/* SPDX-License-Identifier: MIT
 *
 * batch_document.h: the request of a batch of cells: an output, cells by level and place, and the
 * digests of those that the client has. Whether the world has them is for the caller to see.
 */
#ifndef LOAM_API_WIRE_BATCH_DOCUMENT_H
#define LOAM_API_WIRE_BATCH_DOCUMENT_H

#include "api/key/key.h"
#include "api/wire/fault.h"
#include "core/base/limits.h"
#include "core/loam.h"

/* Cells of a batch: a square of 16, the surroundings of a player. */
enum { BATCH_CELLS_MAX = 256 };

typedef struct batch_cell {
    int64_t level, x, z;
    bool has; /* the client has these bytes */
    digest digest;
} batch_cell;

typedef struct batch_request {
    char output[NAME_BYTES_MAX + 1];
    uint32_t count; /* 1 to BATCH_CELLS_MAX, in the client's order, repeated ones included */
    batch_cell cells[BATCH_CELLS_MAX];
} batch_request;

/* LOAM_OK, or the status of the first fault in `faults`. */
LOAM_MUST_USE loam_status batch_read(loam_text json, batch_request *to, fault_list *faults);

#endif
