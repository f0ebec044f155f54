/* SPDX-License-Identifier: MIT
 *
 * latch.c: see latch.h.
 */
#include "server/store/latch.h"

void latch_init(latch *of) {
    pthread_mutex_init(&of->mutex, NULL);
    pthread_cond_init(&of->opened, NULL);
    of->open = false;
}

void latch_open(void *of) {
    latch *at = of;
    pthread_mutex_lock(&at->mutex);
    at->open = true;
    pthread_cond_signal(&at->opened);
    pthread_mutex_unlock(&at->mutex);
}

void latch_wait(latch *of) {
    pthread_mutex_lock(&of->mutex);
    while (!of->open) {
        pthread_cond_wait(&of->opened, &of->mutex);
    }
    pthread_mutex_unlock(&of->mutex);
    pthread_cond_destroy(&of->opened);
    pthread_mutex_destroy(&of->mutex);
}
