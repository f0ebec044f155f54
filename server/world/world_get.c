/* SPDX-License-Identifier: MIT
 *
 * world_get.c: see world_get.h.
 */
#include "server/world/world_get.h"

#include "server/slot/caller.h"
#include "server/slot/reply.h"
#include "server/world/revision_slot.h"
#include "server/world/world_put.h"

#include <stdio.h>

/* A page of rows of some 200 bytes each. */
#define LIST_BYTES_MAX ((size_t)4 << 20)

static step_result world_list_ask(void *subject);
static step_result world_list_answer(void *subject);
static step_result world_answer(void *subject);
static step_result revision_list_ask(void *subject);
static step_result revision_list_answer(void *subject);

const flow_step world_list_steps[] = {
    {"ask", world_list_ask, false},
    {"answer", world_list_answer, false},
    SLOT_END,
};

const flow_step world_get_steps[] = {
    REVISION_STEPS,
    {"answer", world_answer, false},
    SLOT_END,
};

const flow_step revision_list_steps[] = {
    {"ask", revision_list_ask, false},
    {"answer", revision_list_answer, false},
    SLOT_END,
};

static step_result world_list_ask(void *subject) {
    flow_slot *slot = subject;
    uint64_t limit = CONTROL_ROWS_MAX;
    if (slot_query_count(slot, "limit", CONTROL_ROWS_MAX, &limit) != LOAM_OK) {
        return STEP_FAILED;
    }
    return slot_control(slot, (control_request){.operation = CONTROL_WORLD_LIST,
                                                .after = http_query(slot->request, "after"),
                                                .limit = (uint32_t)limit});
}

static void write_world_row(text_buffer *buffer, const world_row *row) {
    buffer_open_object(buffer);
    buffer_key(buffer, "world");
    buffer_string_text(buffer, row->name);
    buffer_key(buffer, "revision");
    buffer_digest(buffer, &row->revision);
    buffer_key(buffer, "created");
    time_write(buffer, row->created_ms);
    buffer_key(buffer, "updated");
    time_write(buffer, row->updated_ms);
    buffer_close_object(buffer);
}

static step_result world_list_answer(void *subject) {
    flow_slot *slot = subject;
    text_buffer buffer;
    buffer_init(&buffer, LIST_BYTES_MAX);
    buffer_open_object(&buffer);
    buffer_key(&buffer, "worlds");
    buffer_open_array(&buffer);
    for (size_t i = 0; i < slot->control.result.count; i++) {
        const world_row *row = &slot->control.result.worlds[i];
        if (caller_allows_world(slot->request, row->name)) {
            write_world_row(&buffer, row);
        }
    }
    buffer_close_array(&buffer);
    buffer_close_object(&buffer);
    step_result result = slot_answer_document(slot, &buffer, (reply_form){0});
    buffer_fini(&buffer);
    return result;
}

/* The newest revision under the world's own address, any under its immutable one. */
static step_result world_answer(void *subject) {
    revision_slot *slot = subject;
    const revision_entry *revision = slot->revision;
    text_buffer buffer;
    char path[NAME_BYTES_MAX + DIGEST_TEXT_BYTES + 32];
    snprintf(path, sizeof path, "/v1/worlds/%s/revisions/%s", revision->name, revision->revision);
    buffer_init(&buffer, WORLD_DOCUMENT_BYTES_MAX);
    world_write_document(&revision->world, slot->name, &buffer);
    step_result result = slot_answer_document(
        &slot->base, &buffer,
        (reply_form){.cache = slot->newest ? CACHE_REVALIDATE : CACHE_IMMUTABLE(slot->base.flow),
                     .content_location = slot->newest ? path : NULL});
    buffer_fini(&buffer);
    return result;
}

static step_result revision_list_ask(void *subject) {
    flow_slot *slot = subject;
    loam_text name;
    uint64_t limit = CONTROL_ROWS_MAX;
    if (slot_name(slot, "world", &name) != LOAM_OK ||
        slot_query_count(slot, "limit", CONTROL_ROWS_MAX, &limit) != LOAM_OK) {
        return STEP_FAILED;
    }
    return slot_control(slot, (control_request){.operation = CONTROL_REVISION_LIST,
                                                .name = name,
                                                .limit = (uint32_t)limit});
}

static step_result revision_list_answer(void *subject) {
    flow_slot *slot = subject;
    const control_result *result = &slot->control.result;
    text_buffer buffer;
    if (result->count == 0) {
        return slot_fail(slot, LOAM_NOT_FOUND, NULL, "there is no such world");
    }
    buffer_init(&buffer, LIST_BYTES_MAX);
    buffer_open_object(&buffer);
    buffer_key(&buffer, "revisions");
    buffer_open_array(&buffer);
    for (size_t i = 0; i < result->count; i++) {
        buffer_open_object(&buffer);
        buffer_key(&buffer, "revision");
        buffer_digest(&buffer, &result->revisions[i].revision);
        buffer_key(&buffer, "created");
        time_write(&buffer, result->revisions[i].created_ms);
        buffer_close_object(&buffer);
    }
    buffer_close_array(&buffer);
    buffer_close_object(&buffer);
    step_result answered = slot_answer_document(slot, &buffer, (reply_form){0});
    buffer_fini(&buffer);
    return answered;
}
