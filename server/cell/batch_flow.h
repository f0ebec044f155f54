/* SPDX-License-Identifier: MIT
 *
 * batch_flow.h: many cells in one request. Each goes the way of a GET, with the same single flight
 * and cache; some are in the air at a time, so that a batch does not fill the queue of the workers.
 */
#ifndef LOAM_SERVER_CELL_BATCH_FLOW_H
#define LOAM_SERVER_CELL_BATCH_FLOW_H

#include "api/view/view_batch.h"
#include "api/wire/batch_document.h"
#include "server/cell/cell_flight.h"
#include "server/slot/negotiate.h"
#include "server/world/revision_slot.h"

struct batch_slot;

/* One cell on its way. */
typedef struct batch_flight {
    flight_waiter waiter;
    struct batch_slot *slot;
    blob *blob;
    blob *verdict; /* of its checks, when it did not pass */
    digest key;
    loam_error error;
    bool late; /* not there in time */
} batch_flight;

typedef struct batch_slot {
    revision_slot base;
    batch_request request;
    int32_t media;
    content_coding coding;
    uint32_t output;
    uint32_t wait_s;
    loop_timer *timer;
    batch_flight flights[BATCH_CELLS_MAX];
    uint32_t begun, in_air;
    bool late;    /* time is up: no more are begun */
    bool pumping; /* cells are being begun: what lands is only counted */
    text_buffer text;
    blob *bytes; /* of the answer */
} batch_slot;

extern const flow_step batch_steps[];
void batch_fini(flow_slot *slot);

#endif
