/* SPDX-License-Identifier: MIT
 *
 * touches.h: uses of results noted by any thread until the cache's writer writes them down.
 * Bounded: when there are too many the oldest notes are lost, which only makes the order of
 * eviction rougher.
 */
#ifndef LOAM_SERVER_STORE_TOUCHES_H
#define LOAM_SERVER_STORE_TOUCHES_H

#include "api/key/key.h"
#include "server/store/store_limits.h"

#include <pthread.h>

typedef struct touches {
    pthread_mutex_t mutex;
    digest keys[TOUCHES_MAX];
    size_t written; /* ever */
    size_t taken;   /* ever */
} touches;

void touches_init(touches *notes);
void touches_fini(touches *notes);
/* True when so many wait that the writer should be woken. */
bool touches_add(touches *notes, const digest *key);
/* Takes the oldest note; false when there is none. */
bool touches_take(touches *notes, digest *key);
bool touches_waiting(touches *notes);

#endif
