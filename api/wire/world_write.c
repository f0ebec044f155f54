/* SPDX-License-Identifier: MIT
 *
 * world_write.c: the canonical text of a world and what clients get; see world_document.h.
 */
#include "api/wire/world_document.h"

#include "api/wire/anchor_document.h"
#include "api/wire/check_document.h"
#include "api/wire/document.h"
#include "core/base/try.h"

#include <string.h>

static void write_pair(text_buffer *buffer, const char *key, const int64_t pair[2]) {
    buffer_key(buffer, key);
    buffer_open_array(buffer);
    buffer_integer(buffer, pair[0]);
    buffer_integer(buffer, pair[1]);
    buffer_close_array(buffer);
}

static void write_grid(text_buffer *buffer, const world *of) {
    buffer_key(buffer, "grid");
    buffer_open_object(buffer);
    if (of->bounded) {
        buffer_key(buffer, "bounds_m");
        buffer_open_object(buffer);
        write_pair(buffer, "max", of->max_m);
        write_pair(buffer, "min", of->min_m);
        buffer_close_object(buffer);
    }
    buffer_key(buffer, "levels");
    buffer_open_array(buffer);
    for (uint32_t i = 0; i < of->level_count; i++) {
        buffer_open_object(buffer);
        buffer_key(buffer, "cell_size_m");
        buffer_unsigned(buffer, of->cell_size_m[i]);
        buffer_close_object(buffer);
    }
    buffer_close_array(buffer);
    buffer_close_object(buffer);
}

static void write_slots(text_buffer *buffer, const world *of) {
    buffer_key(buffer, "slots");
    buffer_open_object(buffer);
    for (uint32_t i = 0; i < of->graph.slot_count; i++) {
        buffer_key_text(buffer, of->graph.slots[i].name);
        buffer_digest(buffer, &of->slots[i]);
    }
    buffer_close_object(buffer);
}

loam_status world_write(const world *of, loam_text graph, bool hidden, text_buffer *buffer) {
    size_t start = buffer->size;
    buffer_open_object(buffer);
    checks_write(buffer, of);
    anchors_write(buffer, of, hidden);
    buffer_key(buffer, "graph");
    buffer_json(buffer, graph);
    write_grid(buffer, of);
    graph_write_parameters(buffer, &of->graph);
    buffer_key(buffer, "seed");
    buffer_unsigned_string(buffer, of->seed);
    write_slots(buffer, of);
    buffer_close_object(buffer);
    LOAM_TRY(buffer_status(buffer));
    return document_fits((loam_text){buffer->bytes + start, buffer->size - start}) ? LOAM_OK
                                                                                   : LOAM_TOO_LARGE;
}

digest world_revision(loam_text canonical) {
    return digest_of_domain(DIGEST_DOMAIN_REVISION, canonical.bytes, canonical.size);
}

void world_write_document(const world *of, loam_text name, text_buffer *buffer) {
    buffer_open_object(buffer);
    buffer_key(buffer, "world");
    buffer_string_text(buffer, name);
    buffer_key(buffer, "revision");
    buffer_digest(buffer, &of->revision);
    buffer_key(buffer, "graph_digest");
    buffer_digest(buffer, &of->graph_id);
    buffer_add_text(buffer, ",");
    /* The canonical fields without the opening brace. */
    buffer_add(buffer, of->canonical.bytes + 1, of->canonical.size - 1);
}
