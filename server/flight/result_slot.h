/* SPDX-License-Identifier: MIT
 *
 * result_slot.h: a request that waits for a flight: what cells, dungeons and their content have in
 * common on the way from a question to an answer: answers in memory, patience, codings, headers.
 */
#ifndef LOAM_SERVER_FLIGHT_RESULT_SLOT_H
#define LOAM_SERVER_FLIGHT_RESULT_SLOT_H

#include "server/flight/flight.h"
#include "server/slot/negotiate.h"
#include "server/slot/ram_cache.h"
#include "server/slot/reply.h"
#include "server/world/revision_slot.h"

/* How it is asked, whatever is asked for. */
typedef struct result_manner {
    content_coding coding; /* that the client takes */
    bool part;             /* asks for a range of the bytes */
    bool cached_only;      /* of what is there */
    preference prefer;
    uint32_t wait_s;
} result_manner;

/* Begins with the slot of a revision, which what is of no world lacks; slots that wait begin with
 * this. */
typedef struct result_slot {
    revision_slot base;
    bool posted; /* the client has sent the document that errors point into */
    /* The flight. */
    flight_waiter waiter;
    loop_timer *timer;
    bool late;  /* the client waits no longer: 202 */
    bool spent; /* its token has no core time left: only what is there */
    bool created;
    blob *blob;
    digest key;
    const char *cache_status;
    /* The view. */
    text_buffer view;
    content_coding coding; /* what the bytes became */
    blob *bytes;           /* of the view, coded; NULL: the canonical ones */
} result_slot;

result_manner manner_read(http_request *request);

/* The answer in memory, retained: full, or a 304 when the client's tags allow it. NULL: there is
 * none, or a part is asked for. */
http_response *result_find(flow_state *flow, http_request *request, const answer_name *name,
                           const result_manner *manner);
/* Answers with it, if it is there. */
bool result_quick(flow_state *flow, http_request *request, const answer_name *name,
                  const result_manner *manner);

/* Readies slot->waiter and its patience; then the caller joins a flight, and parks.
 * Afterwards there is slot->blob, or slot->late. */
LOAM_MUST_USE loam_status result_wait(result_slot *slot, const result_manner *manner);
/* On a worker: slot->bytes of the view's. */
LOAM_MUST_USE loam_status result_code(result_slot *slot, loam_text view, content_coding coding);

/* 202: come back later, to `path`. */
step_result result_answer_late(result_slot *slot, const result_manner *manner, const char *path,
                               const char *content_key);
/* Keeps the answer for whoever asks next. */
void result_remember(const result_slot *slot, const answer_name *name, reply_form form);
/* slot->answer from slot->bytes, or else the canonical ones: whole, 304 or a part. */
step_result result_answer(result_slot *slot, const result_manner *manner, reply_form form);
blob *result_bytes(const result_slot *slot);

void result_slot_fini(flow_slot *slot);

#endif
