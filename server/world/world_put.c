/* SPDX-License-Identifier: MIT
 *
 * world_put.c: a world's document is read, planned and its costs are judged on a worker; then it is
 * committed; then the name means the new revision. Until the commit nothing has changed; and what
 * the request's conditions were judged on must be so still.
 */
#include "server/world/world_put.h"

#include "core/base/text.h"
#include "server/slot/caller.h"
#include "server/slot/reply.h"

#include <stdio.h>

static step_result world_put_parse(void *subject);
static step_result world_put_current(void *subject);
static step_result world_put_document(void *subject);
static step_result world_put_condition(void *subject);
static step_result world_put_build(void *subject);
static step_result world_put_commit(void *subject);
static step_result world_put_publish(void *subject);
static step_result world_put_answer(void *subject);
static step_result world_delete(void *subject);
static step_result world_deleted(void *subject);

const flow_step world_put_steps[] = {
    {"parse", world_put_parse, false},
    {"current", world_put_current, false}, /* only for If-Match and If-None-Match */
    {"current document", world_put_document, false},
    {"condition", world_put_condition, false},
    {"build", world_put_build, false}, /* worker: read, check, plan */
    {"commit", world_put_commit, false},
    {"publish", world_put_publish, false},
    {"answer", world_put_answer, false},
    SLOT_END,
};

const flow_step world_delete_steps[] = {
    {"parse", world_put_parse, false},
    {"current", world_put_current, false},
    {"current document", world_put_document, false},
    {"condition", world_put_condition, false},
    {"delete", world_delete, false},
    {"forget", world_deleted, false},
    SLOT_END,
};

static step_result world_put_parse(void *subject) {
    world_put_slot *slot = subject;
    slot->name = slot_capture(&slot->base, "world");
    slot->body = http_request_body(slot->base.request);
    if (!text_is_name(slot->name)) {
        return slot_fail(&slot->base, LOAM_BAD_NAME, NULL,
                         "a world's name is [a-z0-9][a-z0-9._-]{0,63}");
    }
    return STEP_NEXT;
}

/* ---- Conditions ----------------------------------------------------------------------------- */

static step_result world_put_current(void *subject) {
    world_put_slot *slot = subject;
    if (!slot_has_condition(&slot->base)) {
        return STEP_NEXT;
    }
    slot->base.fine = LOAM_NOT_FOUND;
    return slot_control(&slot->base,
                        (control_request){.operation = CONTROL_WORLD_GET, .name = slot->name});
}

/* What a GET would answer now, of which the entity tag is made. */
static loam_status work_document(flow_slot *base, pool_worker *worker) {
    world_put_slot *slot = (world_put_slot *)base;
    (void)worker;
    fault_list faults;
    control_request request;
    loam_status status = revision_row_get(base->flow->store, slot->name,
                                          &base->control.result.worlds[0].revision, &request);
    if (status == LOAM_NOT_FOUND) {
        return loam_fail(&base->error, LOAM_PRECONDITION_FAILED, NULL,
                         "the world is being deleted");
    }
    if (status != LOAM_OK) {
        return loam_fail(&base->error, status, NULL, "%s", request.base.error.text);
    }
    fault_clear(&faults);
    revision_entry *current = revision_build(
        base->flow, slot->name, request.result.revisions[0].document, false, NULL, &faults);
    control_result_fini(&request.result);
    if (current == NULL) {
        return fault_first(&faults, &base->error);
    }
    buffer_init(&slot->current, WORLD_DOCUMENT_BYTES_MAX);
    world_write_document(&current->world, slot->name, &slot->current);
    revision_free(current);
    return buffer_status(&slot->current);
}

static step_result world_put_document(void *subject) {
    world_put_slot *slot = subject;
    slot->base.fine = LOAM_OK;
    slot->exists = slot_has_condition(&slot->base) && slot->base.control.result.count > 0;
    return slot->exists ? slot_work_anyway(&slot->base, work_document) : STEP_NEXT;
}

static step_result world_put_condition(void *subject) {
    world_put_slot *slot = subject;
    flow_slot *base = &slot->base;
    return slot_result(base, !slot->exists
                                 ? slot_check_write(base, NULL, NULL)
                                 : slot_check_write(base, &slot->current,
                                                    &base->control.result.worlds[0].revision));
}

/* ---- Put ------------------------------------------------------------------------------------ */

static loam_status check_secrets(world_put_slot *slot) {
    const world *of = &slot->built->world;
    for (uint32_t i = 0; i < of->dungeon_count; i++) {
        if (of->dungeons[i].secret_given && !caller_grants(slot->base.request, SCOPE_SERVER)) {
            char pointer[NAME_BYTES_MAX + 32];
            snprintf(pointer, sizeof pointer, "/dungeons/%s/secret_seed",
                     of->dungeons[i].name.bytes);
            return loam_fail(&slot->base.error, LOAM_FORBIDDEN, pointer, "this needs the scope %s",
                             scope_name(SCOPE_SERVER));
        }
    }
    return LOAM_OK;
}

static loam_status work_build(flow_slot *base, pool_worker *worker) {
    world_put_slot *slot = (world_put_slot *)base;
    fault_list faults;
    fault_clear(&faults);
    slot->built = revision_build(base->flow, slot->name, slot->body, true,
                                 pool_worker_arena(worker), &faults);
    return slot->built != NULL ? check_secrets(slot) : fault_first(&faults, &base->error);
}

static step_result world_put_build(void *subject) {
    return caller_add_world(subject) == LOAM_OK ? slot_work(subject, work_build) : STEP_FAILED;
}

static step_result world_put_commit(void *subject) {
    world_put_slot *slot = subject;
    const world *of = &slot->built->world;
    return slot_control(
        &slot->base, (control_request){.operation = CONTROL_WORLD_PUT,
                                       .revision =
                                           {
                                               .world = slot->name,
                                               .revision = of->revision,
                                               .document = of->kept,
                                               .created_ms = time_now_ms(),
                                           },
                                       .premise = slot->base.premise,
                                       .bindings = of->slots,
                                       .binding_count = of->graph.slot_count + of->dungeon_count});
}

/* Commits end in order, and so do these. */
static step_result world_put_publish(void *subject) {
    world_put_slot *slot = subject;
    world_table *worlds = slot->base.flow->worlds;
    world_table_outdate(worlds, slot->built);
    slot->revision = world_table_add(worlds, slot->built, world_table_epoch(worlds));
    slot->built = NULL;
    world_table_set_newest(worlds, slot->name, &slot->revision->world.revision);
    return STEP_NEXT;
}

static step_result world_put_answer(void *subject) {
    world_put_slot *slot = subject;
    bool created = slot->base.control.result.created;
    text_buffer buffer;
    char location[NAME_BYTES_MAX + 32];
    char content_location[NAME_BYTES_MAX + DIGEST_TEXT_BYTES + 32];
    snprintf(location, sizeof location, "/v1/worlds/%s", slot->revision->name);
    snprintf(content_location, sizeof content_location, "/v1/worlds/%s/revisions/%s",
             slot->revision->name, slot->revision->revision);
    buffer_init(&buffer, WORLD_DOCUMENT_BYTES_MAX);
    world_write_document(&slot->revision->world, slot->name, &buffer);
    step_result result = slot_answer_document(&slot->base, &buffer,
                                              (reply_form){.status = created ? 201 : 200,
                                                           .location = created ? location : NULL,
                                                           .content_location = content_location});
    buffer_fini(&buffer);
    return result;
}

void world_put_fini(flow_slot *base) {
    world_put_slot *slot = (world_put_slot *)base;
    buffer_fini(&slot->current);
    revision_free(slot->built);
    revision_release(base->flow->worlds, slot->revision);
}

/* ---- Delete --------------------------------------------------------------------------------- */

static step_result world_delete(void *subject) {
    world_put_slot *slot = subject;
    return slot_control(&slot->base, (control_request){.operation = CONTROL_WORLD_DELETE,
                                                       .name = slot->name,
                                                       .premise = slot->base.premise});
}

static step_result world_deleted(void *subject) {
    world_put_slot *slot = subject;
    world_table_forget(slot->base.flow->worlds, slot->name);
    return slot_answer_nothing(&slot->base);
}
