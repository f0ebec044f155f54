/* SPDX-License-Identifier: MIT
 *
 * latch.h: for who waits on its own thread until a request to the store has ended.
 */
#ifndef LOAM_SERVER_STORE_LATCH_H
#define LOAM_SERVER_STORE_LATCH_H

#include <pthread.h>
#include <stdbool.h>

typedef struct latch {
    pthread_mutex_t mutex;
    pthread_cond_t opened;
    bool open;
} latch;

void latch_init(latch *of);
/* As a request's done, with the latch as its context. */
void latch_open(void *of);
/* Waits, and ends the latch. */
void latch_wait(latch *of);

#endif
