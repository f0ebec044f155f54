/* SPDX-License-Identifier: MIT
 *
 * batch_format.c: see batch_format.h.
 */
#include "api/client/batch_format.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/bytes.h"

#define BATCH_MAGIC "LOAMBTCH"
#define BATCH_VERSION 1

const char batch_media_type[] = "application/vnd.loam.batch";

/* ---- The request ----------------------------------------------------------------------------- */

bool batch_path(const char *world, char *path, size_t capacity) {
    (void)snprintf(path, capacity, "/v1/worlds");
    return loam_client_path_append(path, capacity, world) &&
           loam_client_path_append(path, capacity, "cell-batches");
}

static void cells_put(text_buffer *json, const batch_question *questions, size_t count) {
    buffer_key(json, "cells");
    buffer_open_array(json);
    for (size_t i = 0; i < count; i++) {
        buffer_open_array(json);
        buffer_unsigned(json, questions[i].place.level);
        buffer_integer(json, questions[i].place.x);
        buffer_integer(json, questions[i].place.z);
        buffer_close_array(json);
    }
    buffer_close_array(json);
}

static bool place_is(const loam_client_place *a, const loam_client_place *b) {
    return a->x == b->x && a->z == b->z && a->level == b->level;
}

/* A name comes once in an object, however often its place is asked for. */
static bool is_named(const batch_question *questions, size_t count, size_t of) {
    for (size_t i = 0; i < count; i++) {
        if (questions[i].has != NULL && place_is(&questions[i].place, &questions[of].place)) {
            return true;
        }
    }
    return false;
}

static void have_put(text_buffer *json, const batch_question *questions, size_t count) {
    char name[64];
    buffer_key(json, "have");
    buffer_open_object(json);
    for (size_t i = 0; i < count; i++) {
        const loam_client_place *place = &questions[i].place;
        if (questions[i].has != NULL && !is_named(questions, i, i)) {
            (void)snprintf(name, sizeof name, "%" PRIu32 "/%" PRId64 "/%" PRId64, place->level,
                           place->x, place->z);
            buffer_key(json, name);
            buffer_digest(json, questions[i].has);
        }
    }
    buffer_close_object(json);
}

void batch_question_put(text_buffer *json, const char *output, const batch_question *questions,
                        size_t count) {
    buffer_open_object(json);
    buffer_field_string(json, "output", output);
    cells_put(json, questions, count);
    have_put(json, questions, count);
    buffer_close_object(json);
}

/* ---- The answer ------------------------------------------------------------------------------ */

bool batch_head_is_right(const unsigned char head[BATCH_HEAD_BYTES], size_t count) {
    byte_reader reader;
    reader_init(&reader, head, BATCH_HEAD_BYTES);
    const unsigned char *magic = read_bytes(&reader, sizeof BATCH_MAGIC - 1);
    return memcmp(magic, BATCH_MAGIC, sizeof BATCH_MAGIC - 1) == 0 &&
           read_u16(&reader) == BATCH_VERSION && read_u16(&reader) == 0 &&
           read_u32(&reader) == count;
}

void batch_entry_read(const unsigned char bytes[BATCH_ENTRY_BYTES], batch_entry_head *head) {
    byte_reader reader;
    reader_init(&reader, bytes, BATCH_ENTRY_BYTES);
    head->place.x = read_i64(&reader);
    head->place.z = read_i64(&reader);
    head->place.level = read_u32(&reader);
    head->http_status = (int)read_u32(&reader);
    memcpy(head->build_key.bytes, read_bytes(&reader, DIGEST_BYTES), DIGEST_BYTES);
    memcpy(head->id.bytes, read_bytes(&reader, DIGEST_BYTES), DIGEST_BYTES);
    head->size = read_u64(&reader);
}

bool batch_entry_is_of(const batch_entry_head *head, const loam_client_place *place) {
    return place_is(&head->place, place);
}

size_t batch_padding(uint64_t size) {
    size_t odd = (size_t)(size % BATCH_ALIGNMENT_BYTES);
    return odd != 0 ? BATCH_ALIGNMENT_BYTES - odd : 0;
}
