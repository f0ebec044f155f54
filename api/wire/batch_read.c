/* SPDX-License-Identifier: MIT
 *
 * batch_read.c: see batch_document.h.
 */
#include "api/wire/batch_document.h"

#include "api/wire/document.h"
#include "api/wire/graph_document.h"
#include "core/base/try.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Three numbers of 20 digits and two slashes. */
enum { CELL_NAME_BYTES = 64 };

static loam_status read_output(const item *document, batch_request *to) {
    item output = item_field(document, "output");
    loam_text name;
    LOAM_TRY(item_name(&output, &name));
    memcpy(to->output, name.bytes, name.size);
    to->output[name.size] = 0;
    return LOAM_OK;
}

static loam_status read_cell(const item *at, batch_cell *cell) {
    LOAM_TRY(item_array(at, 3, 3));
    item level = item_at(at, 0), x = item_at(at, 1), z = item_at(at, 2);
    LOAM_TRY(item_integer(&level, 0, LEVELS_MAX - 1, &cell->level));
    LOAM_TRY(item_integer(&x, -POSITION_UNITS_MAX, POSITION_UNITS_MAX, &cell->x));
    return item_integer(&z, -POSITION_UNITS_MAX, POSITION_UNITS_MAX, &cell->z);
}

static loam_status read_cells(const item *document, batch_request *to) {
    item cells = item_field(document, "cells");
    LOAM_TRY(item_array(&cells, 1, BATCH_CELLS_MAX));
    to->count = (uint32_t)item_count(&cells);
    for (uint32_t i = 0; i < to->count; i++) {
        item cell = item_at(&cells, i);
        LOAM_TRY(read_cell(&cell, &to->cells[i]));
    }
    return LOAM_OK;
}

/* Notes a digest with every cell of the name; false when there is none. */
static bool note_digest(batch_request *to, const char *name, const digest *of) {
    bool found = false;
    for (uint32_t i = 0; i < to->count; i++) {
        batch_cell *cell = &to->cells[i];
        char own[CELL_NAME_BYTES];
        (void)snprintf(own, sizeof own, "%" PRId64 "/%" PRId64 "/%" PRId64, cell->level, cell->x,
                       cell->z);
        if (strcmp(own, name) == 0) {
            cell->has = true;
            cell->digest = *of;
            found = true;
        }
    }
    return found;
}

static loam_status read_have(const item *document, batch_request *to) {
    item have = item_field(document, "have");
    item entry;
    if (!item_present(&have)) {
        return LOAM_OK;
    }
    LOAM_TRY(item_object(&have));
    for (void *at = item_next(&have, NULL, &entry); at != NULL; at = item_next(&have, at, &entry)) {
        digest of;
        LOAM_TRY(item_digest(&entry, &of));
        if (!note_digest(to, entry.key, &of)) {
            return item_fail(&entry, LOAM_UNKNOWN_FIELD,
                             "\"level/x/z\" of one of the cells is expected");
        }
    }
    return LOAM_OK;
}

static loam_status read_document(const item *document, batch_request *to) {
    static const char *const fields[] = {"output", "cells", "have", NULL};
    LOAM_TRY(item_fields(document, fields));
    LOAM_TRY(read_output(document, to));
    LOAM_TRY(read_cells(document, to));
    return read_have(document, to);
}

loam_status batch_read(loam_text json, batch_request *to, fault_list *faults) {
    json_t *root = NULL;
    memset(to, 0, sizeof *to);
    LOAM_TRY(document_read(json, &root, faults));
    item document = document_item(root, faults);
    loam_status status = read_document(&document, to);
    json_decref(root);
    return status == LOAM_OK ? fault_status(faults) : status;
}
