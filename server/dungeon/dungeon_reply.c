/* SPDX-License-Identifier: MIT
 *
 * dungeon_reply.c: a dungeon's bytes become an answer with its headers, and are kept ready for
 * whoever asks next. The views that are not the canonical bytes are made here, on a worker.
 */
#include "server/dungeon/dungeon_flow.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "server/dungeon/dungeon_work.h"
#include "server/slot/reply.h"

#include <stdio.h>

/* `{"a": ...}` with other fields before the first. */
static loam_status add_preface(dungeon_slot *slot) {
    text_buffer whole;
    buffer_init(&whole, slot->view.bytes_max);
    buffer_open_object(&whole);
    buffer_add(&whole, slot->preface.bytes, slot->preface.size);
    buffer_add_text(&whole, ",");
    buffer_add(&whole, slot->view.bytes + 1, slot->view.size - 1);
    buffer_fini(&slot->view);
    slot->view = whole;
    return buffer_status(&whole);
}

static loam_status work_render(flow_slot *base, pool_worker *worker) {
    dungeon_slot *slot = (dungeon_slot *)base;
    loam_text bytes = {(const char *)slot->blob->bytes, slot->blob->size};
    if (slot->question.view != DUNGEON_CANONICAL) {
        LOAM_TRY(dungeon_view_write(slot->question.view, slot->blob, &slot->key,
                                    pool_worker_arena(worker), &slot->view, &base->error));
        if (slot->question.view == DUNGEON_JSON && slot->preface.size > 0) {
            LOAM_TRY(add_preface(slot));
        }
        bytes = buffer_view(&slot->view);
    }
    slot->coding = slot->question.coding;
    slot->bytes = reply_code(bytes, &slot->coding);
    buffer_fini(&slot->view);
    return slot->bytes != NULL
               ? LOAM_OK
               : loam_fail(&base->error, LOAM_ARENA_FULL, NULL, "no memory for the answer");
}

step_result dungeon_render(void *subject) {
    dungeon_slot *slot = subject;
    const dungeon_question *question = &slot->question;
    bool as_it_is = question->view == DUNGEON_CANONICAL && question->coding == CODING_IDENTITY;
    return slot->blob == NULL || as_it_is ? STEP_NEXT : slot_work(&slot->base.base, work_render);
}

/* ---- Answers -------------------------------------------------------------------------------- */

/* Texts of headers, which a form borrows. */
typedef struct dungeon_texts {
    char path[DUNGEON_PATH_BYTES];
    char key[DIGEST_TEXT_BYTES];
    char digest[DIGEST_TEXT_BYTES];
    char content_key[DIGEST_TEXT_BYTES];
    char applied[PREFERENCE_BYTES];
} dungeon_texts;

static void write_path(const digest *key, char path[DUNGEON_PATH_BYTES]) {
    char text[DIGEST_TEXT_BYTES];
    digest_text(key, text);
    snprintf(path, DUNGEON_PATH_BYTES, "/v1/dungeons/%s", text);
}

/* Told to who may know it. */
static const char *write_content_key(const dungeon_slot *slot, dungeon_texts *texts) {
    if (!slot->secret) {
        return NULL;
    }
    digest_text(&slot->content_key, texts->content_key);
    return texts->content_key;
}

step_result dungeon_answer_late(dungeon_slot *slot) {
    dungeon_texts texts;
    text_buffer buffer;
    write_path(&slot->key, texts.path);
    buffer_init(&buffer, DUNGEON_PATH_BYTES * 2);
    buffer_open_object(&buffer);
    buffer_key(&buffer, "state");
    buffer_string(&buffer, "building");
    buffer_key(&buffer, "location");
    buffer_string(&buffer, texts.path);
    buffer_close_object(&buffer);
    step_result result =
        slot_answer_document(&slot->base.base, &buffer,
                             (reply_form){.status = 202,
                                          .cache = CACHE_NONE,
                                          .location = texts.path,
                                          .content_key = write_content_key(slot, &texts),
                                          .preference_applied = preference_applied(
                                              &slot->question.prefer, texts.applied),
                                          .retry_after_s = RETRY_AFTER_S});
    buffer_fini(&buffer);
    return result;
}

static reply_form make_form(const dungeon_slot *slot, const blob *bytes, dungeon_texts *texts) {
    digest_text(&slot->key, texts->key);
    digest_text(&slot->blob->digest, texts->digest);
    write_path(&slot->key, texts->path);
    return (reply_form){.status = 200,
                        .type = dungeon_view_type(slot->question.view),
                        .cache = CACHE_IMMUTABLE,
                        .build_key = texts->key,
                        .cell_digest = texts->digest,
                        .coding = coding_name(slot->coding),
                        .etag = &bytes->digest,
                        .ranges = true,
                        .vary = true};
}

static void remember_answer(const dungeon_slot *slot, reply_form form, blob *bytes) {
    ram_answer answer = {.key = slot->key};
    form.cache_status = "loam; hit";
    reply_etag(&bytes->digest, answer.etag);
    answer.full = reply_create(&form, reply_blob(bytes));
    form.status = 304;
    answer.not_modified = reply_create(&form, (http_body){0});
    if (answer.full != NULL && answer.not_modified != NULL) {
        answer_name name = dungeon_answer_name(&slot->question, &slot->key);
        ram_cache_add(slot->base.base.flow->answers, &name, &answer);
    }
    http_response_release(answer.full);
    http_response_release(answer.not_modified);
}

/* What was asked by a body is no representation of the address that was asked. */
static http_response *answer_post(dungeon_slot *slot, reply_form form, dungeon_texts *texts,
                                  blob *bytes) {
    form.status = slot->created ? 201 : 200;
    form.cache = CACHE_NONE;
    form.location = texts->path;
    form.content_location = texts->path;
    form.content_key = write_content_key(slot, texts);
    form.body_digest = form.etag;
    form.etag = NULL;
    form.ranges = false;
    return reply_create(&form, reply_blob(bytes));
}

step_result dungeon_answer(void *subject) {
    dungeon_slot *slot = subject;
    flow_slot *base = &slot->base.base;
    if (base->answer != NULL) {
        return STEP_NEXT;
    }
    if (slot->late) {
        return dungeon_answer_late(slot);
    }
    dungeon_texts texts;
    blob *bytes = slot->bytes == NULL ? slot->blob : slot->bytes;
    reply_form form = make_form(slot, bytes, &texts);
    if (slot->base.revision == NULL) {
        remember_answer(slot, form, bytes);
    } else {
        form.content_location = slot->own_path;
        form.cache = slot->base.newest ? CACHE_REVALIDATE : CACHE_IMMUTABLE;
    }
    form.cache_status = slot->cache_status;
    form.preference_applied = preference_applied(&slot->question.prefer, texts.applied);
    base->answer = slot->posted ? answer_post(slot, form, &texts, bytes)
                                : reply_bytes(base->request, form, bytes);
    return STEP_NEXT;
}
