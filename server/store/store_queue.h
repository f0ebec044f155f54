/* SPDX-License-Identifier: MIT
 *
 * store_queue.h: a bounded first-in first-out queue of requests between any threads and one or more
 * threads of the store, which take groups. Linked through the requests: nothing is allocated.
 */
#ifndef LOAM_SERVER_STORE_QUEUE_H
#define LOAM_SERVER_STORE_QUEUE_H

#include "server/store/store_rows.h"

#include <pthread.h>

typedef struct store_queue_options {
    size_t requests_max;
    size_t bytes_max;
    /* A group is full with so many requests or bytes; a taker waits `linger_us` for it to fill. */
    size_t group_requests;
    size_t group_bytes;
    uint32_t linger_us;
} store_queue_options;

typedef struct store_queue {
    pthread_mutex_t mutex;
    pthread_cond_t ready;
    store_queue_options options;
    store_request *first;
    store_request **last;
    size_t length;
    size_t bytes;
    bool closed;
    bool woken;
} store_queue;

void store_queue_init(store_queue *queue, const store_queue_options *options);
void store_queue_fini(store_queue *queue);
/* LOAM_OVERLOADED when it is full, LOAM_SHUTTING_DOWN when it is closed. */
LOAM_MUST_USE loam_status store_queue_push(store_queue *queue, store_request *request,
                                           size_t weight_bytes);
/* Takes the next group, linked by `next`, waiting at most idle_ms (0: for ever) for its first; one
 * that is to be `alone` is a group. NULL when that passed, when it was woken, or when the queue is
 * closed and empty. */
store_request *store_queue_take(store_queue *queue, uint32_t idle_ms);
/* Makes one waiting taker return. */
void store_queue_wake(store_queue *queue);
/* Refuses new requests; takers get what is left. */
void store_queue_close(store_queue *queue);
/* Closed and empty: the taker's work is done. */
bool store_queue_ended(store_queue *queue);
size_t store_queue_length(store_queue *queue);

/* Ends one request with `status` as it stands in its error. */
void store_request_finish(store_request *request);

#endif
