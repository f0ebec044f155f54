/* SPDX-License-Identifier: MIT
 *
 * cell_reply.c: a cell's bytes become an answer with its headers, and are kept ready for whoever
 * asks next. The views that are not the canonical bytes are made here, on a worker.
 */
#include "server/cell/cell_flow.h"

#include "api/view/view_cell_csv.h"
#include "api/view/view_cell_glb.h"
#include "api/view/view_cell_json.h"
#include "api/view/view_picture.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "server/cell/verdict.h"
#include "server/slot/reply.h"

#include <stdio.h>

/* The longest path: two names, a digest, three numbers and the fixed parts. */
enum { CELL_PATH_BYTES = 512 };
/* A sentence of a verdict and what stands around it. */
enum { WARNING_BYTES = LOAM_ERROR_TEXT_BYTES + 64 };
/* Pixels of a picture each way: one for each half metre of a 256 m cell. */
enum { CELL_PICTURE_SIDE = 512 };
/* The text of a cell of 8 M points. */
#define CELL_VIEW_BYTES_MAX ((size_t)2 << 30)

/* ---- Views ---------------------------------------------------------------------------------- */

static loam_text output_name(const cell_slot *slot) {
    return slot->base.base.revision->world.graph.outputs[slot->address.output].name;
}

static cell_place place_of(const cell_slot *slot) {
    return (cell_place){
        .world = loam_text_of(slot->base.base.revision->name),
        .revision = slot->base.base.revision->world.revision,
        .output = output_name(slot),
        .level = slot->address.level,
        .x = slot->address.x,
        .z = slot->address.z,
        .build_key = slot->base.key,
        .digest = slot->base.blob->digest,
    };
}

static const loam_heightfield *find_ground(const cell_slot *slot) {
    for (uint32_t i = 0; i < slot->assets.set.count; i++) {
        if (slot->assets.set.slots[i].kind == LOAM_PORT_HEIGHTFIELD) {
            return slot->assets.set.slots[i].heightfield;
        }
    }
    return NULL;
}

static loam_status make_view(cell_slot *slot, pool_worker *worker) {
    loam_error *error = &slot->base.base.base.error;
    loam_points points;
    buffer_init(&slot->base.view, CELL_VIEW_BYTES_MAX);
    LOAM_TRY(loam_cell_decode(slot->base.blob->bytes, slot->base.blob->size,
                              pool_worker_arena(worker), &points, error));
    cell_place place = place_of(slot);
    switch (slot->question.view) {
    case VIEW_CANONICAL:
        break;
    case VIEW_JSON:
        return view_cell_json(&place, &points, &slot->base.view);
    case VIEW_CSV:
        return view_cell_csv(&points, &slot->base.view);
    case VIEW_GLB:
        return view_cell_glb(&place, &points, &slot->base.view);
    case VIEW_PNG:
        LOAM_TRY(view_cell_picture(&points, find_ground(slot), CELL_PICTURE_SIDE, &slot->base.view,
                                   error));
    }
    return buffer_status(&slot->base.view);
}

loam_status cell_view_make(flow_slot *base, pool_worker *worker) {
    cell_slot *slot = (cell_slot *)base;
    loam_text bytes = {(const char *)slot->base.blob->bytes, slot->base.blob->size};
    if (slot->question.view != VIEW_CANONICAL) {
        LOAM_TRY(make_view(slot, worker));
        bytes = buffer_view(&slot->base.view);
    }
    return result_code(&slot->base, bytes, slot->question.manner.coding);
}

/* ---- Answers -------------------------------------------------------------------------------- */

static void write_immutable_path(const cell_slot *slot, char path[CELL_PATH_BYTES]) {
    const revision_entry *revision = slot->base.base.revision;
    loam_text output = output_name(slot);
    snprintf(path, CELL_PATH_BYTES, "/v1/worlds/%s/revisions/%s/cells/%u/%lld/%lld/%.*s",
             revision->name, revision->revision, slot->address.level, (long long)slot->address.x,
             (long long)slot->address.z, TEXT_ARGS(output));
}

/* Texts of headers, which a form borrows. */
typedef struct cell_texts {
    char path[CELL_PATH_BYTES];
    char key[DIGEST_TEXT_BYTES];
    char cell_digest[DIGEST_TEXT_BYTES];
    char warning[WARNING_BYTES];
} cell_texts;

/* A cell that its world warns of. The sentence has no quotes. */
static const char *write_warning(const blob *verdict, char warning[WARNING_BYTES]) {
    loam_text detail = verdict_detail(verdict);
    if (detail.size == 0) {
        return NULL;
    }
    snprintf(warning, WARNING_BYTES, "199 loam \"check-failed: %.*s\"", TEXT_ARGS(detail));
    return warning;
}

static reply_form make_form(const cell_slot *slot, cell_texts *texts) {
    bool alias = slot->question.alias;
    write_immutable_path(slot, texts->path);
    digest_text(&slot->base.key, texts->key);
    digest_text(&slot->base.blob->digest, texts->cell_digest);
    return (reply_form){.status = 200,
                        .type = cell_view_type(slot->question.view),
                        .cache =
                            alias ? CACHE_REVALIDATE : CACHE_IMMUTABLE(slot->base.base.base.flow),
                        .content_location = alias ? texts->path : NULL,
                        .build_key = texts->key,
                        .cell_digest = texts->cell_digest,
                        .warning = write_warning(slot->base.base.base.verdict, texts->warning),
                        .coding = coding_name(slot->base.coding),
                        .vary = true};
}

step_result cell_answer(void *subject) {
    cell_slot *slot = subject;
    const result_manner *manner = &slot->question.manner;
    char path[CELL_PATH_BYTES];
    if (slot->base.base.base.answer != NULL) {
        return STEP_NEXT;
    }
    if (slot->base.late) {
        write_immutable_path(slot, path);
        return result_answer_late(&slot->base, manner, path, NULL);
    }
    cell_texts texts;
    const reply_form form = make_form(slot, &texts);
    answer_name name = question_answer_name(&slot->question, &slot->address);
    result_remember(&slot->base, &name, form);
    return result_answer(&slot->base, manner, form);
}
