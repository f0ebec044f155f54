/* SPDX-License-Identifier: MIT
 *
 * cell_reply.c: a cell's bytes become an answer with its headers, and are kept ready for whoever
 * asks next. The views that are not the canonical bytes are made here, on a worker.
 */
#include "server/flow/cell_flow.h"

#include "api/view/view_cell_json.h"
#include "api/view/view_picture.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "server/flow/condition.h"
#include "server/flow/reply.h"

#include <stdio.h>

/* The longest path: two names, a digest, three numbers and the fixed parts. */
enum { CELL_PATH_BYTES = 512 };
/* Pixels of a picture each way: one for each half metre of a 256 m cell. */
enum { CELL_PICTURE_SIDE = 512 };
/* The text of a cell of 8 M points. */
#define CELL_VIEW_BYTES_MAX ((size_t)2 << 30)

/* ---- Views ---------------------------------------------------------------------------------- */

static loam_text output_name(const cell_slot *slot) {
    return slot->base.revision->world.graph.outputs[slot->address.output].name;
}

static loam_status make_json(cell_slot *slot, const loam_points *points) {
    cell_place place = {
        .world = loam_text_of(slot->base.revision->name),
        .revision = slot->base.revision->world.revision,
        .output = output_name(slot),
        .level = slot->address.level,
        .x = slot->address.x,
        .z = slot->address.z,
        .build_key = slot->key,
        .digest = slot->blob->digest,
    };
    return view_cell_json(&place, points, &slot->view);
}

static const loam_heightfield *find_ground(const cell_slot *slot) {
    for (uint32_t i = 0; i < slot->assets.count; i++) {
        if (slot->assets.slots[i].kind == LOAM_PORT_HEIGHTFIELD) {
            return slot->assets.slots[i].heightfield;
        }
    }
    return NULL;
}

loam_status cell_view_make(flow_slot *base, pool_worker *worker) {
    cell_slot *slot = (cell_slot *)base;
    loam_points points;
    buffer_init(&slot->view, CELL_VIEW_BYTES_MAX);
    LOAM_TRY(loam_cell_decode(slot->blob->bytes, slot->blob->size, pool_worker_arena(worker),
                              &points, &base->error));
    if (slot->question.view == VIEW_JSON) {
        LOAM_TRY(make_json(slot, &points));
    } else {
        LOAM_TRY(view_cell_picture(&points, find_ground(slot), CELL_PICTURE_SIDE, &slot->view,
                                   &base->error));
    }
    return buffer_status(&slot->view);
}

/* ---- Answers -------------------------------------------------------------------------------- */

static void write_immutable_path(const cell_slot *slot, char path[CELL_PATH_BYTES]) {
    const revision_entry *revision = slot->base.revision;
    loam_text output = output_name(slot);
    snprintf(path, CELL_PATH_BYTES, "/v1/worlds/%s/revisions/%s/cells/%u/%lld/%lld/%.*s",
             revision->name, revision->revision, slot->address.level, (long long)slot->address.x,
             (long long)slot->address.z, TEXT_ARGS(output));
}

static const char *applied_preference(const cell_slot *slot, char text[32]) {
    if (slot->question.prefer.wait_given) {
        snprintf(text, 32, "wait=%u", slot->question.wait_s);
        return text;
    }
    return slot->question.prefer.respond_async ? "respond-async" : NULL;
}

step_result cell_answer_late(cell_slot *slot) {
    char path[CELL_PATH_BYTES];
    char applied[32];
    text_buffer buffer;
    write_immutable_path(slot, path);
    buffer_init(&buffer, CELL_PATH_BYTES * 2);
    buffer_open_object(&buffer);
    buffer_key(&buffer, "state");
    buffer_string(&buffer, "building");
    buffer_key(&buffer, "location");
    buffer_string(&buffer, path);
    buffer_close_object(&buffer);
    step_result result =
        slot_answer_document(&slot->base.base, &buffer,
                             (reply_form){.status = 202,
                                          .cache = CACHE_NONE,
                                          .location = path,
                                          .preference_applied = applied_preference(slot, applied),
                                          .retry_after_s = RETRY_AFTER_S});
    buffer_fini(&buffer);
    return result;
}

/* The bytes of the view, owned by nobody else from here on, as a blob: what the kept answer and the
 * one under way share. */
static blob *take_representation(cell_slot *slot) {
    if (slot->question.view == VIEW_CANONICAL) {
        return blob_retain(slot->blob);
    }
    loam_text view = buffer_view(&slot->view);
    return blob_create(view.bytes, view.size);
}

static http_response *create_answer(const cell_slot *slot, reply_form form, blob *bytes) {
    char path[CELL_PATH_BYTES];
    char key[DIGEST_TEXT_BYTES];
    char cell_digest[DIGEST_TEXT_BYTES];
    write_immutable_path(slot, path);
    digest_text(&slot->key, key);
    digest_text(&slot->blob->digest, cell_digest);
    form.type = cell_view_type(slot->question.view);
    form.cache = slot->question.alias ? CACHE_REVALIDATE : CACHE_IMMUTABLE;
    form.content_location = slot->question.alias ? path : NULL;
    form.build_key = key;
    form.cell_digest = cell_digest;
    form.etag = &bytes->digest;
    form.vary = true;
    return reply_create(&form, form.status == 304 ? (http_body){0} : reply_blob(bytes));
}

static void remember_answer(const cell_slot *slot, blob *bytes, const char etag[ETAG_BYTES]) {
    flow_state *flow = slot->base.base.flow;
    ram_answer answer = {
        .full =
            create_answer(slot, (reply_form){.status = 200, .cache_status = "loam; hit"}, bytes),
        .not_modified =
            create_answer(slot, (reply_form){.status = 304, .cache_status = "loam; hit"}, bytes)};
    memcpy(answer.etag, etag, ETAG_BYTES);
    if (answer.full != NULL && answer.not_modified != NULL) {
        answer_name name = question_answer_name(&slot->question, &slot->address);
        ram_cache_add(flow->answers, &name, &answer);
    }
    http_response_release(answer.full);
    http_response_release(answer.not_modified);
}

static step_result answer_bytes(cell_slot *slot, blob *bytes) {
    flow_slot *base = &slot->base.base;
    char etag[ETAG_BYTES];
    char applied[32];
    reply_etag(&bytes->digest, etag);
    bool has = condition_names(http_header(base->request, "If-None-Match"), etag, true);
    remember_answer(slot, bytes, etag);
    base->answer =
        create_answer(slot,
                      (reply_form){.status = has ? 304 : 200,
                                   .cache_status = slot->cache_status,
                                   .preference_applied = applied_preference(slot, applied)},
                      bytes);
    return STEP_NEXT;
}

step_result cell_answer(void *subject) {
    cell_slot *slot = subject;
    flow_slot *base = &slot->base.base;
    if (base->answer != NULL) {
        return STEP_NEXT;
    }
    if (slot->late) {
        return cell_answer_late(slot);
    }
    blob *bytes = take_representation(slot);
    if (bytes == NULL) {
        return slot_fail(base, LOAM_ARENA_FULL, NULL, "no memory for the answer");
    }
    step_result result = answer_bytes(slot, bytes);
    blob_release(bytes);
    return result;
}
