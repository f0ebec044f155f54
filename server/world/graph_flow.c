/* SPDX-License-Identifier: MIT
 *
 * graph_flow.c: see graph_flow.h. Documents are read on a worker.
 */
#include "server/world/graph_flow.h"

#include "api/wire/document.h"
#include "api/wire/graph_document.h"
#include "api/wire/problem.h"
#include "api/wire/validation_write.h"
#include "core/base/try.h"
#include "server/slot/reply.h"
#include "server/world/world_table.h"

#include <stdio.h>

/* 64 faults, 256 nodes with all their parameters. */
#define VALIDATION_BYTES_MAX ((size_t)4 << 20)

static step_result graph_validate(void *subject);
static step_result graph_validated(void *subject);
static step_result graph_canonical(void *subject);
static step_result graph_commit(void *subject);
static step_result graph_committed(void *subject);
static step_result graph_ask(void *subject);
static step_result graph_answer(void *subject);

const flow_step graph_validate_steps[] = {
    {"validate", graph_validate, false}, /* worker */
    {"answer", graph_validated, false},
    SLOT_END,
};

const flow_step graph_post_steps[] = {
    {"read", graph_canonical, false}, /* worker */
    {"commit", graph_commit, false},
    {"answer", graph_committed, false},
    SLOT_END,
};

const flow_step graph_get_steps[] = {
    {"ask", graph_ask, false},
    {"answer", graph_answer, false},
    SLOT_END,
};

void graph_fini(flow_slot *base) {
    buffer_fini(&((graph_slot *)base)->text);
}

static loam_status work_validate(flow_slot *base, pool_worker *worker) {
    graph_slot *slot = (graph_slot *)base;
    fault_list faults;
    fault_clear(&faults);
    buffer_init(&slot->text, VALIDATION_BYTES_MAX);
    store_resolver resolver;
    store_resolver_init(&resolver, base->flow->store);
    loam_status status = validation_write(slot->body, &resolver.graphs, VALIDATION_CELL_M,
                                          pool_worker_arena(worker), &slot->text, &faults);
    store_resolver_fini(&resolver);
    return status == LOAM_OK ? LOAM_OK : fault_first(&faults, &base->error);
}

static step_result graph_validate(void *subject) {
    graph_slot *slot = subject;
    slot->body = http_request_body(slot->base.request);
    return slot_work(&slot->base, work_validate);
}

static step_result graph_validated(void *subject) {
    graph_slot *slot = subject;
    return slot_answer_document(&slot->base, &slot->text, (reply_form){.cache = CACHE_NONE});
}

static loam_status work_canonical(flow_slot *base, pool_worker *worker) {
    graph_slot *slot = (graph_slot *)base;
    graph_document document;
    fault_list faults;
    fault_clear(&faults);
    buffer_init(&slot->text, JSON_BYTES_MAX);
    store_resolver resolver;
    store_resolver_init(&resolver, base->flow->store);
    loam_status status =
        graph_read(slot->body, &resolver.graphs, pool_worker_arena(worker), &document, &faults);
    store_resolver_fini(&resolver);
    if (status != LOAM_OK) {
        return fault_first(&faults, &base->error);
    }
    LOAM_TRY(graph_write(&document, &slot->text));
    slot->id = graph_digest(buffer_view(&slot->text));
    return LOAM_OK;
}

static step_result graph_canonical(void *subject) {
    graph_slot *slot = subject;
    slot->body = http_request_body(slot->base.request);
    return slot_work(&slot->base, work_canonical);
}

static step_result graph_commit(void *subject) {
    graph_slot *slot = subject;
    return slot_control(&slot->base, (control_request){.operation = CONTROL_DOCUMENT_PUT,
                                                       .document = {
                                                           .kind = DOCUMENT_GRAPH,
                                                           .digest = slot->id,
                                                           .document = buffer_view(&slot->text),
                                                           .created_ms = time_now_ms(),
                                                       }});
}

static step_result graph_committed(void *subject) {
    graph_slot *slot = subject;
    text_buffer buffer;
    char id[DIGEST_TEXT_BYTES];
    char location[DIGEST_TEXT_BYTES + 16];
    digest_text(&slot->id, id);
    snprintf(location, sizeof location, "/v1/graphs/%s", id);
    buffer_init(&buffer, PROBLEM_BYTES_MAX);
    buffer_open_object(&buffer);
    buffer_key(&buffer, "graph");
    buffer_string(&buffer, id);
    buffer_close_object(&buffer);
    step_result result =
        slot_answer_document(&slot->base, &buffer,
                             (reply_form){.status = slot->base.control.result.created ? 201 : 200,
                                          .location = location});
    buffer_fini(&buffer);
    return result;
}

static step_result graph_ask(void *subject) {
    graph_slot *slot = subject;
    if (slot_digest(&slot->base, "digest", &slot->id) != LOAM_OK) {
        return STEP_FAILED;
    }
    return slot_control(&slot->base, (control_request){.operation = CONTROL_DOCUMENT_GET,
                                                       .document = {.kind = DOCUMENT_GRAPH},
                                                       .key = slot->id});
}

static step_result graph_answer(void *subject) {
    graph_slot *slot = subject;
    loam_text document = slot->base.control.result.documents[0].document;
    buffer_init(&slot->text, document.size);
    buffer_add(&slot->text, document.bytes, document.size);
    return slot_answer_document(&slot->base, &slot->text,
                                (reply_form){.cache = CACHE_IMMUTABLE(slot->base.flow)});
}
