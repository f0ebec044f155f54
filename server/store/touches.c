/* SPDX-License-Identifier: MIT
 *
 * touches.c: a ring under a mutex.
 */
#include "server/store/touches.h"

void touches_init(touches *notes) {
    notes->written = 0;
    notes->taken = 0;
    pthread_mutex_init(&notes->mutex, NULL);
}

void touches_fini(touches *notes) {
    pthread_mutex_destroy(&notes->mutex);
}

bool touches_add(touches *notes, const digest *key) {
    pthread_mutex_lock(&notes->mutex);
    notes->keys[notes->written % TOUCHES_MAX] = *key;
    notes->written++;
    if (notes->written - notes->taken > TOUCHES_MAX) {
        notes->taken = notes->written - TOUCHES_MAX;
    }
    bool many = notes->written - notes->taken == TOUCHES_MAX / 2;
    pthread_mutex_unlock(&notes->mutex);
    return many;
}

bool touches_take(touches *notes, digest *key) {
    pthread_mutex_lock(&notes->mutex);
    bool found = notes->taken != notes->written;
    if (found) {
        *key = notes->keys[notes->taken % TOUCHES_MAX];
        notes->taken++;
    }
    pthread_mutex_unlock(&notes->mutex);
    return found;
}

bool touches_waiting(touches *notes) {
    pthread_mutex_lock(&notes->mutex);
    bool waiting = notes->taken != notes->written;
    pthread_mutex_unlock(&notes->mutex);
    return waiting;
}
