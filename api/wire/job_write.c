/* SPDX-License-Identifier: MIT
 *
 * job_write.c: the canonical text of a job; see job_document.h.
 */
#include "api/wire/job_parts.h"

static void write_cell(text_buffer *buffer, job_cell cell) {
    buffer_open_array(buffer);
    buffer_integer(buffer, cell.x);
    buffer_integer(buffer, cell.z);
    buffer_close_array(buffer);
}

static void write_cells(text_buffer *buffer, const job *of) {
    buffer_key(buffer, "cells");
    if (of->listed) {
        buffer_open_array(buffer);
        for (uint64_t i = 0; i < of->cell_count; i++) {
            write_cell(buffer, of->cells[i]);
        }
        buffer_close_array(buffer);
        return;
    }
    buffer_open_object(buffer);
    buffer_key(buffer, "max");
    write_cell(buffer, of->max);
    buffer_key(buffer, "min");
    write_cell(buffer, of->min);
    buffer_close_object(buffer);
}

static void write_outputs(text_buffer *buffer, const job *of, const world *in) {
    buffer_key(buffer, "outputs");
    buffer_open_array(buffer);
    for (uint32_t i = 0; i < of->output_count; i++) {
        buffer_string_text(buffer, in->graph.outputs[of->outputs[i]].name);
    }
    buffer_close_array(buffer);
}

static void write_dungeons(text_buffer *buffer, const job *of) {
    buffer_key(buffer, "dungeons");
    buffer_open_array(buffer);
    for (uint32_t i = 0; i < of->dungeon_count; i++) {
        buffer_digest(buffer, &of->dungeons[i]);
    }
    buffer_close_array(buffer);
}

static void write_options(text_buffer *buffer, const job *of, const world *in) {
    buffer_key(buffer, "keep");
    buffer_bool(buffer, of->keep);
    if (in != NULL) {
        buffer_key(buffer, "level");
        buffer_unsigned(buffer, of->level);
        write_outputs(buffer, of, in);
    }
    buffer_key(buffer, "priority");
    buffer_unsigned(buffer, of->priority);
}

void job_write(const job *of, const world *in, text_buffer *buffer) {
    buffer_open_object(buffer);
    if (in == NULL) {
        write_dungeons(buffer, of);
        write_options(buffer, of, NULL);
    } else {
        write_cells(buffer, of);
        write_options(buffer, of, in);
        buffer_key(buffer, "revision");
        buffer_digest(buffer, &of->revision);
        buffer_key(buffer, "world");
        buffer_string_text(buffer, of->world);
    }
    buffer_close_object(buffer);
}
