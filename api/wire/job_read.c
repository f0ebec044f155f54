/* SPDX-License-Identifier: MIT
 *
 * job_read.c: see job_document.h.
 */
#include "api/wire/job_parts.h"

#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/base/try.h"

#include <string.h>

typedef struct job_reader {
    const job_resolver *resolver;
    loam_arena *arena;
    const world *in; /* NULL: a job of dungeons */
    bool kept;       /* it is a canonical text */
    job *to;
} job_reader;

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
    loam_status status =
        reader->resolver->find_world(reader->resolver->context, name, wanted, &reader->in);
    if (status != LOAM_OK) {
        return item_fail(wanted == NULL ? &name_item : &revision_item, status,
                         status != LOAM_NOT_FOUND ? "the world \"%s\" cannot be looked up"
                         : wanted == NULL         ? "there is no world \"%s\""
                                                  : "the world \"%s\" has no such revision",
                         name.bytes);
    }
    if (text_copy(name, reader->arena, &reader->to->world) != LOAM_OK) {
        return item_fail_memory(document);
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
        return item_fail_memory(at);
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

static loam_status make_canonical(const job_reader *reader, const item *document) {
    job *to = reader->to;
    text_buffer buffer;
    buffer_init(&buffer, JSON_BYTES_MAX);
    job_write(to, reader->in, &buffer);
    loam_status status = buffer_copy(&buffer, reader->arena, &to->canonical);
    buffer_fini(&buffer);
    if (status != LOAM_OK) {
        return item_fail_memory(document);
    }
    char text[DIGEST_TEXT_BYTES];
    to->key = digest_of_domain(DIGEST_DOMAIN_JOB, to->canonical.bytes, to->canonical.size);
    digest_text(&to->key, text);
    memcpy(to->id, strchr(text, '-') + 1, JOB_ID_SIZE);
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

static loam_status read_cells_job(job_reader *reader, const item *document) {
    static const char *const fields[] = {"world", "revision", "outputs",  "level",
                                         "cells", "keep",     "priority", NULL};
    LOAM_TRY(item_fields(document, fields));
    item outputs = item_field(document, "outputs");
    item level = item_field(document, "level");
    item cells = item_field(document, "cells");
    LOAM_TRY(find_world(reader, document));
    LOAM_TRY(read_outputs(reader, &outputs));
    LOAM_TRY(read_level(reader, &level));
    LOAM_TRY(job_cells_read(&cells, reader->in, reader->arena, reader->to));
    return read_options(reader->to, document);
}

static loam_status read_dungeons_job(job_reader *reader, const item *document,
                                     const item *dungeons) {
    static const char *const fields[] = {"dungeons", "keep", "priority", NULL};
    LOAM_TRY(item_fields(document, fields));
    LOAM_TRY(read_options(reader->to, document));
    return job_dungeons_read(dungeons, reader->resolver, reader->kept, reader->arena, reader->to);
}

/* Only a list of dungeons may have more values than other documents. */
static loam_status read_job(job_reader *reader, loam_text json, const item *document) {
    item dungeons = item_field(document, "dungeons");
    if (item_present(&dungeons)) {
        LOAM_TRY(read_dungeons_job(reader, document, &dungeons));
    } else if (!document_fits(json)) {
        return item_fail(document, LOAM_TOO_MANY, "more than %d values", JSON_VALUES_MAX);
    } else {
        LOAM_TRY(read_cells_job(reader, document));
    }
    return make_canonical(reader, document);
}

static loam_status read_text(loam_text json, job_reader *reader, fault_list *faults) {
    json_t *root = NULL;
    *reader->to = (job){0};
    LOAM_TRY(document_read_many(json, JOB_DUNGEON_VALUES_MAX, &root, faults));
    item document = document_item(root, faults);
    loam_status status = read_job(reader, json, &document);
    json_decref(root);
    return status == LOAM_OK ? LOAM_OK : fault_status(faults);
}

loam_status job_read(loam_text json, const job_resolver *resolver, loam_arena *arena, job *to,
                     fault_list *faults) {
    job_reader reader = {.resolver = resolver, .arena = arena, .to = to};
    return read_text(json, &reader, faults);
}

loam_status job_read_kept(loam_text canonical, const job_resolver *resolver, loam_arena *arena,
                          job *to, fault_list *faults) {
    job_reader reader = {.resolver = resolver, .arena = arena, .kept = true, .to = to};
    return read_text(canonical, &reader, faults);
}

uint64_t job_task_count(const job *of) {
    return of->dungeons != NULL ? of->dungeon_count : of->cell_count * of->output_count;
}
