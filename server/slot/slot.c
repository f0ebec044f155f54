/* SPDX-License-Identifier: MIT
 *
 * slot.c: see slot.h.
 */
#include "server/slot/slot.h"

#include "core/base/assert.h"
#include "core/base/text.h"
#include "server/slot/caller.h"
#include "server/slot/reply.h"
#include "server/slot/shed.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void slot_link(flow_slot *slot) {
    flow_state *flow = slot->flow;
    slot->next = flow->slots;
    if (slot->next != NULL) {
        slot->next->previous = slot;
    }
    flow->slots = slot;
    flow->slot_count++;
}

static void slot_unlink(flow_slot *slot) {
    flow_state *flow = slot->flow;
    *(slot->previous == NULL ? &flow->slots : &slot->previous->next) = slot->next;
    if (slot->next != NULL) {
        slot->next->previous = slot->previous;
    }
    flow->slot_count--;
}

void slot_begin(flow_state *flow, http_request *request, const flow_route *route) {
    flow_slot *slot = calloc(1, route->slot_bytes);
    if (slot == NULL) {
        http_reply(request, NULL);
        return;
    }
    slot->magic = SLOT_MAGIC;
    slot->flow = flow;
    slot->request = request;
    slot->route = route;
    slot_link(slot);
    http_set_user(request, slot);
    walk_begin(&slot->walk, route->steps, slot);
}

/* What changes the store goes on without its client; what only answers stops. */
void slot_gone(flow_slot *slot) {
    LOAM_ASSERT(slot->magic == SLOT_MAGIC);
    void (*leave)(flow_slot *) = slot->leave;
    slot->gone = true;
    slot->leave = NULL;
    if (leave != NULL) {
        leave(slot);
    }
}

step_result slot_reply(void *subject) {
    flow_slot *slot = subject;
    if (slot->walk.failed) {
        http_response_release(slot->answer);
        bool unfit = slot->error.status == LOAM_CHECK_FAILED;
        slot->answer = reply_problem(
            &slot->error, &(reply_form){.retry_after_s = slot->retry_after_s,
                                        .reasons = unfit ? slot->reasons : (loam_text){0}});
    }
    http_set_user(slot->request, NULL);
    http_reply(slot->request, slot->answer);
    slot->request = NULL;
    slot->answer = NULL;
    return STEP_NEXT;
}

step_result slot_settle(void *subject) {
    flow_slot *slot = subject;
    LOAM_ASSERT(slot->magic == SLOT_MAGIC && slot->request == NULL);
    if (slot->route->fini != NULL) {
        slot->route->fini(slot);
    }
    if (slot->control_filled) {
        control_result_fini(&slot->control.result);
    }
    blob_release(slot->verdict);
    slot_unlink(slot);
    slot->magic = 0;
    free(slot);
    return STEP_ENDED;
}

/* ---- Elsewhere ------------------------------------------------------------------------------ */

static flow_slot *slot_of_task(pool_task *task) {
    flow_slot *slot = (flow_slot *)((char *)task - offsetof(flow_slot, task));
    LOAM_ASSERT(slot->magic == SLOT_MAGIC);
    return slot;
}

static void slot_task_work(pool_task *task, pool_worker *worker) {
    flow_slot *slot = slot_of_task(task);
    uint64_t start_us = loop_now_us();
    loam_status status = slot->work(slot, worker);
    slot->work_us = loop_now_us() - start_us;
    if (status != LOAM_OK) {
        loam_fail(&slot->error, status, NULL, "%s", loam_status_text(status));
    }
}

static void slot_task_done(pool_task *task) {
    flow_slot *slot = slot_of_task(task);
    walk_resume(&slot->walk, slot->error.status != LOAM_OK);
}

/* The request, which the slot has until it is answered, holds the owner. */
static void slot_worker_done(pool_task *task) {
    const flow_slot *slot = slot_of_task(task);
    owner_charge_core(caller_owner(slot->request), loop_now_us(), slot->work_us);
    slot_task_done(task);
}

/* A full queue, or one that is closed. */
static step_result slot_refuse(flow_slot *slot, loam_status status) {
    if (status == LOAM_OVERLOADED) {
        shed_count(slot->route->shed);
    }
    slot->retry_after_s = shed_retry_after_s(slot->route->shed);
    return slot_fail(slot, status, NULL, "%s", loam_status_text(status));
}

static step_result slot_submit(flow_slot *slot, worker_pool *pool, void (*done)(pool_task *task)) {
    slot->task = (pool_task){.work = slot_task_work, .done = done, .priority = POOL_INTERACTIVE};
    loam_status status = pool_submit(pool, &slot->task);
    if (status == LOAM_OK) {
        return STEP_PARKED;
    }
    return slot_refuse(slot, status);
}

step_result slot_work(flow_slot *slot, loam_status (*work)(flow_slot *slot, pool_worker *worker)) {
    return caller_check_core(slot) == LOAM_OK ? slot_work_anyway(slot, work) : STEP_FAILED;
}

step_result slot_work_anyway(flow_slot *slot,
                             loam_status (*work)(flow_slot *slot, pool_worker *worker)) {
    slot->work = work;
    return slot_submit(slot, slot->flow->workers, slot_worker_done);
}

step_result slot_io(flow_slot *slot, loam_status (*work)(flow_slot *slot, pool_worker *worker)) {
    slot->work = work;
    return slot_submit(slot, slot->flow->io, slot_task_done);
}

/* What was looked for and is not there, by its name where it has one. */
static void note_missing(flow_slot *slot) {
    const control_request *control = &slot->control;
    loam_text name = control->name;
    switch (control->operation) {
    case CONTROL_WORLD_GET:
    case CONTROL_WORLD_DELETE:
        loam_fail(&slot->error, LOAM_NOT_FOUND, NULL, "there is no world \"%.*s\"", (int)name.size,
                  name.bytes);
        break;
    case CONTROL_REVISION_GET:
        loam_fail(&slot->error, LOAM_NOT_FOUND, NULL, "the world \"%.*s\" has no such revision",
                  (int)name.size, name.bytes);
        break;
    case CONTROL_ASSET_GET:
    case CONTROL_ASSET_DELETE:
        loam_fail(&slot->error, LOAM_NOT_FOUND, NULL, "there is no asset %s%.*s%s",
                  name.size > 0 ? "\"" : "of this digest", (int)name.size, name.bytes,
                  name.size > 0 ? "\"" : "");
        break;
    default:
        break; /* the store's own words */
    }
}

static void control_landed(loop_task *task) {
    flow_slot *slot = (flow_slot *)((char *)task - offsetof(flow_slot, posted));
    LOAM_ASSERT(slot->magic == SLOT_MAGIC);
    const loam_error *error = &slot->control.base.error;
    if (error->status != LOAM_OK && error->status != slot->fine) {
        if (error->status == LOAM_NOT_FOUND && error->pointer[0] == 0) {
            note_missing(slot);
        }
        loam_fail(&slot->error, error->status, error->pointer, "%s", error->text);
    }
    walk_resume(&slot->walk, slot->error.status != LOAM_OK);
}

/* On the store's thread. */
static void control_done(void *context) {
    flow_slot *slot = context;
    slot->posted.run = control_landed;
    loop_post(slot->flow->loop, &slot->posted);
}

step_result slot_control(flow_slot *slot, control_request request) {
    if (slot->control_filled) {
        control_result_fini(&slot->control.result);
    }
    slot->control = request;
    slot->control.base = (store_request){.done = control_done, .context = slot};
    slot->control_filled = true;
    loam_status status = store_control(slot->flow->store, &slot->control);
    if (status == LOAM_OK) {
        return STEP_PARKED;
    }
    return slot_refuse(slot, status);
}

step_result slot_fail(flow_slot *slot, loam_status status, const char *pointer, const char *format,
                      ...) {
    char text[LOAM_ERROR_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    loam_fail(&slot->error, status, pointer, "%s", text);
    return STEP_FAILED;
}

step_result slot_result(flow_slot *slot, loam_status status) {
    return status == LOAM_OK ? STEP_NEXT
                             : slot_fail(slot, status, NULL, "%s", loam_status_text(status));
}

/* ---- What was asked ------------------------------------------------------------------------- */

loam_text slot_capture(const flow_slot *slot, const char *name) {
    int32_t place = route_capture(slot->route, name);
    LOAM_ASSERT(place >= 0);
    return http_segment(slot->request, (size_t)place);
}

loam_status slot_name(flow_slot *slot, const char *capture, loam_text *name) {
    *name = slot_capture(slot, capture);
    if (!text_is_name(*name)) {
        return loam_fail(&slot->error, LOAM_NOT_FOUND, NULL, "there is no %s \"%.*s\"", capture,
                         name->size > NAME_BYTES_MAX ? NAME_BYTES_MAX : (int)name->size,
                         name->bytes);
    }
    return LOAM_OK;
}

loam_status slot_digest(flow_slot *slot, const char *capture, digest *value) {
    if (!digest_parse(slot_capture(slot, capture), value)) {
        return loam_fail(&slot->error, LOAM_NOT_FOUND, NULL,
                         "a %s is named by sha256- and 64 hex digits", capture);
    }
    return LOAM_OK;
}

loam_status slot_query_count(flow_slot *slot, const char *name, uint64_t max, uint64_t *value) {
    loam_text text = http_query(slot->request, name);
    uint64_t count = 0;
    if (text.bytes == NULL) {
        return LOAM_OK;
    }
    for (size_t i = 0; i < text.size; i++) {
        bool digit = text.bytes[i] >= '0' && text.bytes[i] <= '9';
        if (!digit || count > (UINT64_MAX - 9) / 10) {
            return loam_fail(&slot->error, LOAM_OUT_OF_RANGE, NULL, "?%s= takes a count", name);
        }
        count = count * 10 + (uint64_t)(text.bytes[i] - '0');
    }
    if (text.size == 0 || count > max) {
        return loam_fail(&slot->error, LOAM_OUT_OF_RANGE, NULL, "?%s= takes 0 to %llu", name,
                         (unsigned long long)max);
    }
    *value = count;
    return LOAM_OK;
}
