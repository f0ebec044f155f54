/* SPDX-License-Identifier: MIT
 *
 * asset_get.c: see asset_get.h.
 */
#include "server/world/asset_get.h"

#include "core/base/text.h"
#include "server/slot/reply.h"
#include "server/slot/shed.h"
#include "server/world/asset_document.h"
#include "server/world/content_table.h"

/* A list: pages of rows with summaries. */
#define LIST_BYTES_MAX ((size_t)64 << 20)

#define MEDIA_ASSET "application/octet-stream"

static step_result asset_list_ask(void *subject);
static step_result asset_list_answer(void *subject);
static step_result asset_ask(void *subject);
static step_result asset_answer(void *subject);
static step_result asset_current(void *subject);
static step_result asset_condition(void *subject);
static step_result asset_drop(void *subject);
static step_result asset_dropped(void *subject);
static step_result content_known(void *subject);
static step_result content_read(void *subject);
static step_result content_answer(void *subject);

const flow_step asset_list_steps[] = {
    {"ask", asset_list_ask, false},
    {"answer", asset_list_answer, false},
    SLOT_END,
};

const flow_step asset_get_steps[] = {
    {"ask", asset_ask, false},
    {"answer", asset_answer, false},
    SLOT_END,
};

const flow_step asset_delete_steps[] = {
    {"current", asset_current, false}, /* only for If-Match and If-None-Match */
    {"condition", asset_condition, false}, {"drop", asset_drop, false},
    {"answer", asset_dropped, false},      SLOT_END,
};

const flow_step asset_content_steps[] = {
    {"ask", asset_ask, false},
    {"known", content_known, false}, /* what its row is enough for */
    {"read", content_read, false},   /* I/O thread */
    {"answer", content_answer, false},
    SLOT_END,
};

void asset_row_write(const asset_row *row, text_buffer *buffer) {
    buffer_open_object(buffer);
    buffer_key(buffer, "name");
    buffer_string_text(buffer, row->name);
    buffer_key(buffer, "kind");
    buffer_string_text(buffer, row->kind);
    buffer_key(buffer, "digest");
    buffer_digest(buffer, &row->digest);
    buffer_key(buffer, "content_digest");
    buffer_digest(buffer, &row->content_digest);
    buffer_key(buffer, "bytes");
    buffer_unsigned(buffer, row->bytes);
    buffer_key(buffer, "summary");
    buffer_json(buffer, row->summary);
    buffer_close_object(buffer);
}

static step_result asset_list_ask(void *subject) {
    flow_slot *slot = subject;
    uint64_t limit = CONTROL_ROWS_MAX;
    if (slot_query_count(slot, "limit", CONTROL_ROWS_MAX, &limit) != LOAM_OK) {
        return STEP_FAILED;
    }
    return slot_control(slot, (control_request){.operation = CONTROL_ASSET_LIST,
                                                .after = http_query(slot->request, "after"),
                                                .limit = (uint32_t)limit});
}

static step_result asset_list_answer(void *subject) {
    flow_slot *slot = subject;
    text_buffer buffer;
    buffer_init(&buffer, LIST_BYTES_MAX);
    buffer_open_object(&buffer);
    buffer_key(&buffer, "assets");
    buffer_open_array(&buffer);
    for (size_t i = 0; i < slot->control.result.count; i++) {
        asset_row_write(&slot->control.result.assets[i], &buffer);
    }
    buffer_close_array(&buffer);
    buffer_close_object(&buffer);
    step_result result = slot_answer_document(slot, &buffer, (reply_form){0});
    buffer_fini(&buffer);
    return result;
}

/* By name, or by digest where the path has one. */
static step_result asset_ask(void *subject) {
    flow_slot *slot = subject;
    control_request request = {.operation = CONTROL_ASSET_GET};
    if (!digest_parse(slot_capture(slot, "name"), &request.key) &&
        slot_name(slot, "name", &request.name) != LOAM_OK) {
        return STEP_FAILED;
    }
    return slot_control(slot, request);
}

static step_result asset_answer(void *subject) {
    flow_slot *slot = subject;
    text_buffer buffer;
    buffer_init(&buffer, ASSET_DOCUMENT_BYTES_MAX);
    asset_row_write(&slot->control.result.assets[0], &buffer);
    step_result result = slot_answer_document(slot, &buffer, (reply_form){0});
    buffer_fini(&buffer);
    return result;
}

/* ---- Delete --------------------------------------------------------------------------------- */

static step_result asset_current(void *subject) {
    flow_slot *slot = subject;
    if (!slot_has_condition(slot)) {
        return STEP_NEXT;
    }
    return asset_ask(subject);
}

static step_result asset_condition(void *subject) {
    flow_slot *slot = subject;
    text_buffer current;
    if (!slot_has_condition(slot)) {
        return STEP_NEXT;
    }
    buffer_init(&current, ASSET_DOCUMENT_BYTES_MAX);
    const asset_row *there = &slot->control.result.assets[0];
    asset_row_write(there, &current);
    loam_status status = slot_check_write(slot, &current, &there->digest);
    buffer_fini(&current);
    return slot_result(slot, status);
}

static step_result asset_drop(void *subject) {
    flow_slot *slot = subject;
    loam_text name;
    if (slot_name(slot, "name", &name) != LOAM_OK) {
        return STEP_FAILED;
    }
    return slot_control(slot, (control_request){.operation = CONTROL_ASSET_DELETE,
                                                .name = name,
                                                .premise = slot->premise});
}

static step_result asset_dropped(void *subject) {
    return slot_answer_nothing(subject);
}

/* ---- Content -------------------------------------------------------------------------------- */

static reply_form content_form(const asset_content_slot *slot) {
    return (reply_form){.type = MEDIA_ASSET,
                        .cache =
                            slot->by_digest ? CACHE_IMMUTABLE(slot->base.flow) : CACHE_REVALIDATE,
                        .vary = true};
}

/* An asset is large: who asks for its headers, or has it, does not cause it to be read. */
static step_result content_known(void *subject) {
    asset_content_slot *slot = subject;
    const asset_row *row = &slot->base.control.result.assets[0];
    digest unused;
    slot->by_digest = digest_parse(slot_capture(&slot->base, "name"), &unused);
    slot->base.answer =
        reply_unread(slot->base.request, content_form(slot), &row->digest, row->bytes);
    return STEP_NEXT;
}

static loam_status io_read(flow_slot *base, pool_worker *worker) {
    asset_content_slot *slot = (asset_content_slot *)base;
    const asset_row *row = &base->control.result.assets[0];
    (void)worker;
    loam_status status =
        content_table_take(base->flow->contents, base->flow->store,
                           (content_wish){&row->digest, row->bytes}, &slot->content, &base->error);
    if (status == LOAM_OVERLOADED) {
        shed_count(base->route->shed);
        base->retry_after_s = shed_retry_after_s(base->route->shed);
    }
    return status;
}

static step_result content_read(void *subject) {
    flow_slot *slot = subject;
    return slot->answer != NULL ? STEP_NEXT : slot_io(slot, io_read);
}

static step_result content_answer(void *subject) {
    asset_content_slot *slot = subject;
    if (slot->base.answer == NULL) {
        content_table_watch(slot->base.flow->contents);
        slot->base.answer = reply_bytes(slot->base.request, content_form(slot), slot->content);
    }
    return STEP_NEXT;
}

void asset_content_fini(flow_slot *base) {
    blob_release(((asset_content_slot *)base)->content);
}
