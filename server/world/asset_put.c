/* SPDX-License-Identifier: MIT
 *
 * asset_put.c: the way of an upload: the body is in a file, is read into an asset on a worker,
 * becomes canonical bytes under their digest, goes to the disk on the I/O thread, and only then
 * gets its row. What fails on the way leaves no name behind.
 */
#include "server/world/asset_put.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "server/slot/caller.h"
#include "server/slot/reply.h"
#include "server/world/asset_document.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static step_result asset_put_parse(void *subject);
static step_result asset_put_current(void *subject);
static step_result asset_put_condition(void *subject);
static step_result asset_put_read(void *subject);
static step_result asset_put_write(void *subject);
static step_result asset_put_commit(void *subject);
static step_result asset_put_answer(void *subject);

const flow_step asset_put_steps[] = {
    {"parse", asset_put_parse, false},
    {"current", asset_put_current, false}, /* only for If-Match and If-None-Match */
    {"condition", asset_put_condition, false},
    {"read", asset_put_read, false},     /* worker: body to canonical bytes */
    {"write", asset_put_write, false},   /* I/O thread: assets/<digest> */
    {"commit", asset_put_commit, false}, /* its row */
    {"answer", asset_put_answer, false},
    SLOT_END,
};

static loam_status read_params(asset_put_slot *slot) {
    const http_request *request = slot->base.request;
    size_t count = http_query_count(request);
    if (count > ASSET_PARAMS_MAX) {
        return loam_fail(&slot->base.error, LOAM_TOO_MANY, NULL, "more than %d query parameters",
                         ASSET_PARAMS_MAX);
    }
    for (size_t i = 0; i < count; i++) {
        slot->params[i] = (asset_param){http_query_name(request, i), http_query_value(request, i)};
    }
    slot->sent.query = (asset_query){.params = slot->params, .count = (uint32_t)count};
    return LOAM_OK;
}

/* Everything that the worker needs of the request, which is the network thread's alone. */
static step_result asset_put_parse(void *subject) {
    asset_put_slot *slot = subject;
    slot->name = slot_capture(&slot->base, "name");
    if (!text_is_name(slot->name)) {
        return slot_fail(&slot->base, LOAM_BAD_NAME, NULL,
                         "an asset's name is [a-z0-9][a-z0-9._-]{0,63}");
    }
    slot->sent.media_type = http_header(slot->base.request, "Content-Type");
    slot->sent.body = http_request_body(slot->base.request);
    slot->file = http_request_file(slot->base.request);
    slot->body_bytes = http_request_body_bytes(slot->base.request);
    return slot_result(&slot->base, read_params(slot));
}

/* ---- Conditions ----------------------------------------------------------------------------- */

static step_result asset_put_current(void *subject) {
    asset_put_slot *slot = subject;
    if (!slot_has_condition(&slot->base)) {
        return STEP_NEXT;
    }
    slot->base.fine = LOAM_NOT_FOUND;
    return slot_control(&slot->base,
                        (control_request){.operation = CONTROL_ASSET_GET, .name = slot->name});
}

static step_result asset_put_condition(void *subject) {
    asset_put_slot *slot = subject;
    text_buffer current;
    if (!slot_has_condition(&slot->base)) {
        return STEP_NEXT;
    }
    slot->base.fine = LOAM_OK;
    const control_result *found = &slot->base.control.result;
    const asset_row *there = found->count > 0 ? &found->assets[0] : NULL;
    buffer_init(&current, ASSET_DOCUMENT_BYTES_MAX);
    if (there != NULL) {
        asset_row_write(there, &current);
    }
    loam_status status = there == NULL ? slot_check_write(&slot->base, NULL, NULL)
                                       : slot_check_write(&slot->base, &current, &there->digest);
    buffer_fini(&current);
    return slot_result(&slot->base, status);
}

/* ---- Body to canonical bytes, on a worker --------------------------------------------------- */

static void count_bytes(void *context, const void *bytes, size_t size) {
    (void)bytes;
    *(size_t *)context += size;
}

typedef struct blob_writer {
    blob *to;
    size_t used;
} blob_writer;

static void write_bytes_to_blob(void *context, const void *bytes, size_t size) {
    blob_writer *writer = context;
    memcpy(writer->to->bytes + writer->used, bytes, size);
    writer->used += size;
}

/* Counted first, so that a terrain of hundreds of MB is in memory once. */
static loam_status make_payload(asset_put_slot *slot, const loam_asset *asset) {
    size_t size = 0;
    LOAM_TRY(loam_asset_encode(asset, (loam_sink){count_bytes, &size}));
    blob_writer writer = {.to = blob_allocate(size)};
    if (writer.to == NULL) {
        return loam_fail(&slot->base.error, LOAM_ARENA_FULL, NULL, "no memory for the asset");
    }
    loam_status status = loam_asset_encode(asset, (loam_sink){write_bytes_to_blob, &writer});
    if (status != LOAM_OK) {
        blob_release(writer.to);
        return status;
    }
    blob_seal(writer.to, size);
    slot->payload = writer.to;
    return LOAM_OK;
}

/* The query as it was given, for whoever asks later how an asset came about. */
static void write_params(asset_put_slot *slot) {
    buffer_init(&slot->params_text, ASSET_DOCUMENT_BYTES_MAX);
    buffer_open_object(&slot->params_text);
    for (uint32_t i = 0; i < slot->sent.query.count; i++) {
        buffer_key_text(&slot->params_text, slot->params[i].name);
        buffer_string_text(&slot->params_text, slot->params[i].value);
    }
    buffer_close_object(&slot->params_text);
}

static loam_status read_body(asset_put_slot *slot, loam_text body) {
    asset_request request = slot->sent;
    asset_data *data = NULL;
    request.body = body;
    LOAM_TRY(asset_read(&request, &data, &slot->base.error));
    slot->kind = data->asset.kind;
    buffer_init(&slot->summary, ASSET_DOCUMENT_BYTES_MAX);
    asset_summary(&data->asset, &slot->summary);
    loam_status status = make_payload(slot, &data->asset);
    asset_destroy(data);
    write_params(slot);
    LOAM_TRY(status);
    LOAM_TRY(buffer_status(&slot->params_text));
    return buffer_status(&slot->summary);
}

static loam_status read_file_body(asset_put_slot *slot) {
    size_t size = (size_t)slot->body_bytes;
    int descriptor = open(slot->file, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return loam_fail(&slot->base.error, LOAM_IO, NULL, "the upload: %s", strerror(errno));
    }
    void *bytes = size == 0 ? NULL : mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    close(descriptor);
    if (bytes == MAP_FAILED) {
        return loam_fail(&slot->base.error, LOAM_IO, NULL, "the upload: %s", strerror(errno));
    }
    loam_status status = read_body(slot, (loam_text){bytes == NULL ? "" : bytes, size});
    if (bytes != NULL) {
        munmap(bytes, size);
    }
    return status;
}

static loam_status work_read(flow_slot *base, pool_worker *worker) {
    asset_put_slot *slot = (asset_put_slot *)base;
    (void)worker;
    return slot->file == NULL ? read_body(slot, slot->sent.body) : read_file_body(slot);
}

static step_result asset_put_read(void *subject) {
    asset_put_slot *slot = subject;
    return caller_add_asset(&slot->base, slot->body_bytes) == LOAM_OK
               ? slot_work(&slot->base, work_read)
               : STEP_FAILED;
}

/* ---- To the disk ---------------------------------------------------------------------------- */

static loam_status io_write(flow_slot *base, pool_worker *worker) {
    asset_put_slot *slot = (asset_put_slot *)base;
    (void)worker;
    return store_asset_write(base->flow->store, slot->payload, &base->error);
}

static step_result asset_put_write(void *subject) {
    asset_put_slot *slot = subject;
    return slot_io(&slot->base, io_write);
}

static step_result asset_put_commit(void *subject) {
    asset_put_slot *slot = subject;
    slot->row = (asset_row){.name = slot->name,
                            .kind = loam_text_of(loam_port_kind_name(slot->kind)),
                            .digest = slot->payload->digest,
                            .content_digest = slot->payload->digest,
                            .bytes = slot->payload->size,
                            .summary = buffer_view(&slot->summary),
                            .params = buffer_view(&slot->params_text),
                            .created_ms = time_now_ms()};
    return slot_control(&slot->base, (control_request){.operation = CONTROL_ASSET_PUT,
                                                       .asset = slot->row,
                                                       .premise = slot->base.premise});
}

static step_result asset_put_answer(void *subject) {
    asset_put_slot *slot = subject;
    text_buffer buffer;
    bool created = slot->base.control.result.created;
    loam_text path = http_path(slot->base.request);
    buffer_init(&buffer, ASSET_DOCUMENT_BYTES_MAX);
    asset_row_write(&slot->row, &buffer);
    char location[NAME_BYTES_MAX + 32];
    snprintf(location, sizeof location, "%.*s", TEXT_ARGS(path));
    step_result result = slot_answer_document(
        &slot->base, &buffer,
        (reply_form){.status = created ? 201 : 200, .location = created ? location : NULL});
    buffer_fini(&buffer);
    return result;
}

void asset_put_fini(flow_slot *base) {
    asset_put_slot *slot = (asset_put_slot *)base;
    blob_release(slot->payload);
    buffer_fini(&slot->summary);
    buffer_fini(&slot->params_text);
}
