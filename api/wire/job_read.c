/* SPDX-License-Identifier: MIT
 *
 * job_read.c: see job_document.h.
 */
#include "api/wire/job_document.h"

#include "api/wire/document.h"
#include "api/wire/grid_read.h"
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/base/try.h"

#include <stdlib.h>
#include <string.h>

typedef struct job_reader {
    const job_resolver *resolver;
    loam_arena *arena;
    const world *in;
    job *to;
} job_reader;

static loam_status refuse_memory(const item *at) {
    return item_fail(at, LOAM_ARENA_FULL, "the document needs more memory than it may have");
}

static loam_status find_world(job_reader *reader, const item *document) {
    item name_item = item_field(document, "world");
    item revision_item = item_field(document, "revision");
    loam_text name;
    digest revision;
    const digest *wanted = NULL;
    LOAM_TRY(item_name(&name_item, &name));
    if (item_present(&revision_item)) {
        LOAM_TRY(item_digest(&revision_item, &revision));
        wanted = &revision;
    }
    if (reader->resolver->find_world(reader->resolver->context, name, wanted, &reader->in) !=
        LOAM_OK) {
        return item_fail(wanted == NULL ? &name_item : &revision_item, LOAM_NOT_FOUND,
                         wanted == NULL ? "there is no world \"%s\""
                                        : "the world \"%s\" has no such revision",
                         name.bytes);
    }
    if (text_copy(name, reader->arena, &reader->to->world) != LOAM_OK) {
        return refuse_memory(document);
    }
    reader->to->revision = reader->in->revision;
    return LOAM_OK;
}

/* Marks an output by its name; numbers rise whatever the order asked for. */
static loam_status mark_output(const job_reader *reader, const item *at, bool marks[OUTPUTS_MAX]) {
    loam_text name;
    LOAM_TRY(item_text(at, &name));
    int32_t index = loam_graph_find_output(&reader->in->graph, name);
    if (index < 0) {
        return item_fail(at, LOAM_UNKNOWN_OUTPUT, "the world has no output \"%.64s\"", name.bytes);
    }
    if (marks[index]) {
        return item_fail(at, LOAM_DUPLICATE, "the output is listed twice");
    }
    marks[index] = true;
    return LOAM_OK;
}

static loam_status read_outputs(const job_reader *reader, const item *at) {
    bool marks[OUTPUTS_MAX] = {false};
    LOAM_TRY(item_array(at, 1, OUTPUTS_MAX));
    uint32_t count = (uint32_t)item_count(at);
    for (uint32_t i = 0; i < count; i++) {
        item name = item_at(at, i);
        LOAM_TRY(mark_output(reader, &name, marks));
    }
    job *to = reader->to;
    to->outputs = loam_arena_take_zero(reader->arena, count, sizeof *to->outputs);
    if (to->outputs == NULL) {
        return refuse_memory(at);
    }
    for (uint32_t i = 0; i < OUTPUTS_MAX; i++) {
        if (marks[i]) {
            to->outputs[to->output_count++] = i;
        }
    }
    return LOAM_OK;
}

/* The level asked for, else the one that all the outputs have by themselves. */
static loam_status read_level(const job_reader *reader, const item *at) {
    const world *in = reader->in;
    job *to = reader->to;
    int64_t level = in->graph.outputs[to->outputs[0]].level;
    for (uint32_t i = 1; i < to->output_count && !item_present(at); i++) {
        if (in->graph.outputs[to->outputs[i]].level != level) {
            return item_fail(at, LOAM_MISSING_FIELD, "the outputs have different levels");
        }
    }
    if (item_present(at)) {
        LOAM_TRY(item_integer(at, 0, (int64_t)in->level_count - 1, &level));
    }
    to->level = (uint32_t)level;
    return LOAM_OK;
}

/* ---- Cells ---------------------------------------------------------------------------------- */

static loam_status check_cell(const job_reader *reader, const item *at, job_cell cell) {
    loam_rect rect;
    loam_error error = {0};
    if (world_cell(reader->in, reader->to->level, cell.x, cell.z, &rect, &error) != LOAM_OK) {
        return item_fail(at, error.status, "%s", error.text);
    }
    return LOAM_OK;
}

static loam_status read_cell(const job_reader *reader, const item *at, job_cell *cell) {
    int64_t pair[2];
    LOAM_TRY(pair_read(at, POSITION_UNITS_MAX, pair));
    *cell = (job_cell){pair[0], pair[1]};
    return check_cell(reader, at, *cell);
}

static loam_status count_range(const job_reader *reader, const item *at) {
    job *to = reader->to;
    uint64_t width = (uint64_t)(to->max.x - to->min.x) + 1;
    uint64_t depth = (uint64_t)(to->max.z - to->min.z) + 1;
    uint64_t most = JOB_CELLS_MAX / to->output_count;
    if (width > most || depth > most / width) {
        return item_fail(at, LOAM_TOO_MANY,
                         "a job has at most %llu cells over all outputs; this one is %llu by %llu",
                         (unsigned long long)JOB_CELLS_MAX, (unsigned long long)width,
                         (unsigned long long)depth);
    }
    to->cell_count = width * depth;
    return LOAM_OK;
}

static loam_status read_range(const job_reader *reader, const item *at) {
    static const char *const fields[] = {"min", "max", NULL};
    job *to = reader->to;
    LOAM_TRY(item_fields(at, fields));
    item min = item_field(at, "min");
    item max = item_field(at, "max");
    LOAM_TRY(read_cell(reader, &min, &to->min));
    LOAM_TRY(read_cell(reader, &max, &to->max));
    if (to->max.x < to->min.x || to->max.z < to->min.z) {
        return item_fail(&max, LOAM_OUT_OF_RANGE, "max must not be less than min");
    }
    return count_range(reader, at);
}

static loam_status read_all(const job_reader *reader, const item *at) {
    const world *in = reader->in;
    job *to = reader->to;
    if (strcmp(json_string_value(at->value), "all") != 0) {
        return item_fail(at, LOAM_OUT_OF_RANGE, "cells are \"all\", a range or a list");
    }
    if (!in->bounded) {
        return item_fail(at, LOAM_NO_BOUNDS, "the world has no bounds, so that \"all\" has no end");
    }
    int64_t size_m = in->cell_size_m[to->level];
    to->min = (job_cell){in->min_m[0] / size_m, in->min_m[1] / size_m};
    to->max = (job_cell){in->max_m[0] / size_m - 1, in->max_m[1] / size_m - 1};
    return count_range(reader, at);
}

static int compare_cells(const void *left, const void *right) {
    const job_cell *a = left;
    const job_cell *b = right;
    if (a->z != b->z) {
        return a->z < b->z ? -1 : 1;
    }
    return (a->x > b->x) - (a->x < b->x);
}

/* Sorts and drops what is listed twice; returns how many are left. */
static size_t sort_cells(job_cell *cells, size_t count) {
    size_t kept = 0;
    qsort(cells, count, sizeof *cells, compare_cells);
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || compare_cells(&cells[kept - 1], &cells[i]) != 0) {
            cells[kept++] = cells[i];
        }
    }
    return kept;
}

static loam_status read_list(const job_reader *reader, const item *at) {
    LOAM_TRY(item_array(at, 1, JSON_VALUES_MAX));
    size_t count = item_count(at);
    job_cell *cells = loam_arena_take(reader->arena, count, sizeof *cells);
    if (cells == NULL) {
        return refuse_memory(at);
    }
    for (size_t i = 0; i < count; i++) {
        item cell = item_at(at, i);
        LOAM_TRY(read_cell(reader, &cell, &cells[i]));
    }
    reader->to->listed = true;
    reader->to->cells = cells;
    reader->to->cell_count = sort_cells(cells, count);
    return LOAM_OK;
}

static loam_status read_cells(const job_reader *reader, const item *at) {
    if (json_is_string(at->value)) {
        return read_all(reader, at);
    }
    return json_is_array(at->value) ? read_list(reader, at) : read_range(reader, at);
}

job_cell job_cell_at(const job *of, uint64_t index) {
    uint64_t cell = index % of->cell_count;
    if (of->listed) {
        return of->cells[cell];
    }
    uint64_t width = (uint64_t)(of->max.x - of->min.x) + 1;
    return (job_cell){of->min.x + (int64_t)(cell % width), of->min.z + (int64_t)(cell / width)};
}

/* ---- Canonical text ------------------------------------------------------------------------- */

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

static void write_job(text_buffer *buffer, const job *of, const world *in) {
    buffer_open_object(buffer);
    write_cells(buffer, of);
    buffer_key(buffer, "keep");
    buffer_bool(buffer, of->keep);
    buffer_key(buffer, "level");
    buffer_unsigned(buffer, of->level);
    buffer_key(buffer, "outputs");
    buffer_open_array(buffer);
    for (uint32_t i = 0; i < of->output_count; i++) {
        buffer_string_text(buffer, in->graph.outputs[of->outputs[i]].name);
    }
    buffer_close_array(buffer);
    buffer_key(buffer, "priority");
    buffer_unsigned(buffer, of->priority);
    buffer_key(buffer, "revision");
    buffer_digest(buffer, &of->revision);
    buffer_key(buffer, "world");
    buffer_string_text(buffer, of->world);
    buffer_close_object(buffer);
}

static loam_status make_canonical(const job_reader *reader, const item *document) {
    job *to = reader->to;
    text_buffer buffer;
    buffer_init(&buffer, JSON_BYTES_MAX);
    write_job(&buffer, to, reader->in);
    loam_status status = buffer_copy(&buffer, reader->arena, &to->canonical);
    buffer_fini(&buffer);
    if (status != LOAM_OK) {
        return refuse_memory(document);
    }
    char text[DIGEST_TEXT_BYTES];
    digest id = digest_of_domain(DIGEST_DOMAIN_JOB, to->canonical.bytes, to->canonical.size);
    digest_text(&id, text);
    memcpy(to->id, strchr(text, '-') + 1, JOB_ID_SIZE);
    return LOAM_OK;
}

/* ---- The whole ------------------------------------------------------------------------------ */

static loam_status refuse_dungeons(const item *document) {
    item dungeons = item_field(document, "dungeons");
    if (item_present(&dungeons)) {
        return item_fail(&dungeons, LOAM_NOT_IMPLEMENTED, "this daemon makes no dungeons yet");
    }
    return LOAM_OK;
}

static loam_status read_options(job *to, const item *document) {
    item priority_item = item_field(document, "priority");
    item keep_item = item_field(document, "keep");
    int64_t priority = JOB_PRIORITY_INITIAL;
    to->keep = true;
    if (item_present(&priority_item)) {
        LOAM_TRY(item_integer(&priority_item, 0, JOB_PRIORITY_MAX, &priority));
    }
    to->priority = (uint32_t)priority;
    return item_present(&keep_item) ? item_bool(&keep_item, &to->keep) : LOAM_OK;
}

static loam_status read_job(job_reader *reader, const item *document) {
    static const char *const fields[] = {"world", "revision", "outputs",  "level", "cells",
                                         "keep",  "priority", "dungeons", NULL};
    LOAM_TRY(item_fields(document, fields));
    LOAM_TRY(refuse_dungeons(document));
    item outputs = item_field(document, "outputs");
    item level = item_field(document, "level");
    item cells = item_field(document, "cells");
    LOAM_TRY(find_world(reader, document));
    LOAM_TRY(read_outputs(reader, &outputs));
    LOAM_TRY(read_level(reader, &level));
    LOAM_TRY(read_cells(reader, &cells));
    LOAM_TRY(read_options(reader->to, document));
    return make_canonical(reader, document);
}

loam_status job_read(loam_text json, const job_resolver *resolver, loam_arena *arena, job *to,
                     fault_list *faults) {
    json_t *root = NULL;
    *to = (job){0};
    LOAM_TRY(document_read(json, &root, faults));
    item document = document_item(root, faults);
    job_reader reader = {.resolver = resolver, .arena = arena, .to = to};
    loam_status status = read_job(&reader, &document);
    json_decref(root);
    return status;
}
