/* SPDX-License-Identifier: MIT
 *
 * dungeon_reply.c: a dungeon's bytes, or those of what it hides, become an answer with its headers,
 * and are kept ready for whoever asks next. The views that are not the canonical bytes are made
 * here, on a worker.
 */
#include "core/base/text.h"
#include "core/base/try.h"
#include "server/dungeon/content_work.h"
#include "server/dungeon/dungeon_flow.h"

#include <stdio.h>

/* "/v1/dungeons/" and a key. */
enum { DUNGEON_PATH_BYTES = DIGEST_TEXT_BYTES + 16 };

/* `{"a": ...}` with other fields before the first. */
static loam_status add_preface(dungeon_slot *slot) {
    text_buffer *view = &slot->base.view;
    text_buffer whole;
    buffer_init(&whole, view->bytes_max);
    buffer_open_object(&whole);
    buffer_add(&whole, slot->preface.bytes, slot->preface.size);
    buffer_add_text(&whole, ",");
    buffer_add(&whole, view->bytes + 1, view->size - 1);
    buffer_fini(view);
    *view = whole;
    return buffer_status(&whole);
}

static loam_status write_view(dungeon_slot *slot, loam_arena *arena) {
    loam_error *error = &slot->base.base.base.error;
    const dungeon_view view = slot->question.view;
    if (view >= DUNGEON_CONTENT) {
        return content_view_write(view, slot->base.blob, &slot->keys, arena, &slot->base.view,
                                  error);
    }
    LOAM_TRY(dungeon_view_write(view, slot->base.blob, &slot->key, arena, &slot->base.view, error));
    return view == DUNGEON_JSON && slot->preface.size > 0 ? add_preface(slot) : LOAM_OK;
}

static loam_status work_render(flow_slot *base, pool_worker *worker) {
    dungeon_slot *slot = (dungeon_slot *)base;
    loam_text bytes = {(const char *)slot->base.blob->bytes, slot->base.blob->size};
    if (slot->question.view != DUNGEON_CANONICAL) {
        LOAM_TRY(write_view(slot, pool_worker_arena(worker)));
        bytes = buffer_view(&slot->base.view);
    }
    return result_code(&slot->base, bytes, slot->question.manner.coding);
}

step_result dungeon_render(void *subject) {
    dungeon_slot *slot = subject;
    const dungeon_question *question = &slot->question;
    bool as_it_is =
        question->view == DUNGEON_CANONICAL && question->manner.coding == CODING_IDENTITY;
    return dungeon_is_over(slot) || as_it_is ? STEP_NEXT
                                             : slot_work_anyway(&slot->base.base.base, work_render);
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

/* Told to who may know it, and has asked for it to be kept. */
static const char *write_content_key(const dungeon_slot *slot, dungeon_texts *texts) {
    if (!slot->told || !slot->base.posted) {
        return NULL;
    }
    digest_text(&slot->keys.content_key, texts->content_key);
    return texts->content_key;
}

step_result dungeon_answer_late(dungeon_slot *slot) {
    dungeon_texts texts;
    write_path(&slot->key, texts.path);
    return result_answer_late(&slot->base, &slot->question.manner, texts.path,
                              write_content_key(slot, &texts));
}

/* What is hidden never changes under its content's key; else the daemon's secret, or the world,
 * says what it is. No cache that others share may keep it. */
static const char *cache_of(const dungeon_slot *slot) {
    bool newest = slot->base.base.newest;
    if (slot->question.view >= DUNGEON_CONTENT) {
        return slot->question.named && !newest ? CACHE_PRIVATE : CACHE_PRIVATE_REVALIDATE;
    }
    return newest ? CACHE_REVALIDATE : CACHE_IMMUTABLE(slot->base.base.base.flow);
}

static reply_form make_form(const dungeon_slot *slot, dungeon_texts *texts) {
    reply_form form = {.status = 200,
                       .type = dungeon_view_type(slot->question.view),
                       .cache = cache_of(slot),
                       .content_location = slot->path.bytes,
                       .coding = coding_name(slot->base.coding),
                       .vary = true};
    if (slot->question.view < DUNGEON_CONTENT) {
        digest_text(&slot->key, texts->key);
        digest_text(&slot->base.blob->digest, texts->digest);
        form.build_key = texts->key;
        form.cell_digest = texts->digest;
    }
    return form;
}

/* What was asked by a body is no representation of the address that was asked. */
static step_result answer_post(dungeon_slot *slot, reply_form form, dungeon_texts *texts) {
    blob *bytes = result_bytes(&slot->base);
    const preference *prefer = &slot->question.manner.prefer;
    write_path(&slot->key, texts->path);
    form.status = slot->base.created ? 201 : 200;
    form.cache = CACHE_NONE;
    form.cache_status = slot->base.cache_status;
    form.location = texts->path;
    form.content_location = texts->path;
    form.content_key = write_content_key(slot, texts);
    form.preference_applied = preference_applied(prefer, texts->applied);
    form.body_digest = &bytes->digest;
    slot->base.base.base.answer = reply_create(&form, reply_blob(bytes));
    return STEP_NEXT;
}

step_result dungeon_answer(void *subject) {
    dungeon_slot *slot = subject;
    if (slot->base.base.base.answer != NULL) {
        return STEP_NEXT;
    }
    if (slot->base.late) {
        return dungeon_answer_late(slot);
    }
    dungeon_texts texts;
    const reply_form form = make_form(slot, &texts);
    const answer_name name =
        dungeon_answer_name(&slot->question, &slot->name, slot->base.base.newest);
    result_remember(&slot->base, &name, form);
    return slot->base.posted ? answer_post(slot, form, &texts)
                             : result_answer(&slot->base, &slot->question.manner, form);
}
