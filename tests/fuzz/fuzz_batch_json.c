/* SPDX-License-Identifier: MIT
 *
 * fuzz_batch_json.c: a request for many cells is refused with a fault, or has as many as it may,
 * and written out again it asks for the same.
 */
#include "api/wire/batch_document.h"
#include "api/wire/document.h"
#include "tests/fuzz/property.h"

#include <string.h>

static void write_cell(text_buffer *to, const batch_cell *cell) {
    buffer_open_array(to);
    buffer_integer(to, cell->level);
    buffer_integer(to, cell->x);
    buffer_integer(to, cell->z);
    buffer_close_array(to);
}

static void write_batch(text_buffer *to, const batch_request *batch) {
    buffer_open_object(to);
    buffer_key(to, "output");
    buffer_string(to, batch->output);
    buffer_key(to, "cells");
    buffer_open_array(to);
    for (uint32_t i = 0; i < batch->count; i++) {
        write_cell(to, &batch->cells[i]);
    }
    buffer_close_array(to);
    buffer_close_object(to);
}

static void require_same(const batch_request *got, const batch_request *want) {
    require(got->count == want->count && strcmp(got->output, want->output) == 0,
            "a batch that is written out asks for as many of the same");
    for (uint32_t i = 0; i < want->count; i++) {
        require(got->cells[i].level == want->cells[i].level &&
                    got->cells[i].x == want->cells[i].x && got->cells[i].z == want->cells[i].z,
                "a cell is read as the same");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static fault_list faults;
    static batch_request batch, again;
    text_buffer text;
    fault_clear(&faults);
    loam_status status = batch_read(input_text(bytes, size), &batch, &faults);
    if (status != LOAM_OK) {
        require_faults(status, &faults);
        return 0;
    }
    require(batch.count >= 1 && batch.count <= BATCH_CELLS_MAX, "a batch has a few cells");
    buffer_init(&text, JSON_BYTES_MAX);
    write_batch(&text, &batch);
    require(batch_read(buffer_view(&text), &again, &faults) == LOAM_OK,
            "a batch that is written out is read");
    require_same(&again, &batch);
    buffer_fini(&text);
    return 0;
}
