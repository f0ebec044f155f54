/* SPDX-License-Identifier: MIT
 *
 * store_queue.c: mutex and condition; a taker that lingers is woken when its group is full, not for
 * every request, so that a flood costs no context switch each.
 */
#include "server/store/store_queue.h"

#include <errno.h>
#include <time.h>

enum { NS_PER_S = 1000000000, NS_PER_MS = 1000000, NS_PER_US = 1000 };

void store_queue_init(store_queue *queue, const store_queue_options *options) {
    pthread_condattr_t clock;
    *queue = (store_queue){.options = *options};
    queue->last = &queue->first;
    pthread_mutex_init(&queue->mutex, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&queue->ready, &clock);
    pthread_condattr_destroy(&clock);
}

void store_queue_fini(store_queue *queue) {
    pthread_cond_destroy(&queue->ready);
    pthread_mutex_destroy(&queue->mutex);
}

static bool group_is_full(const store_queue *queue) {
    return queue->length >= queue->options.group_requests ||
           queue->bytes >= queue->options.group_bytes;
}

static loam_status push_locked(store_queue *queue, store_request *request) {
    if (queue->closed) {
        return LOAM_SHUTTING_DOWN;
    }
    /* One request is always let in: a blob larger than the bound must pass, alone. */
    bool over =
        queue->length >= queue->options.requests_max ||
        (queue->length > 0 && queue->bytes + request->weight_bytes > queue->options.bytes_max);
    if (over) {
        return LOAM_OVERLOADED;
    }
    *queue->last = request;
    queue->last = &request->next;
    queue->length++;
    queue->bytes += request->weight_bytes;
    if (queue->length == 1 || group_is_full(queue)) {
        pthread_cond_signal(&queue->ready);
    }
    return LOAM_OK;
}

loam_status store_queue_push(store_queue *queue, store_request *request, size_t weight_bytes) {
    request->next = NULL;
    request->weight_bytes = weight_bytes;
    request->error = (loam_error){0};
    pthread_mutex_lock(&queue->mutex);
    loam_status status = push_locked(queue, request);
    pthread_mutex_unlock(&queue->mutex);
    return status;
}

static struct timespec time_after(uint64_t ns) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t sum = (uint64_t)now.tv_nsec + ns;
    now.tv_sec += (time_t)(sum / NS_PER_S);
    now.tv_nsec = (long)(sum % NS_PER_S);
    return now;
}

/* Waits for the first of a group. False: nothing came. */
static bool await_first(store_queue *queue, uint32_t idle_ms) {
    struct timespec deadline = time_after((uint64_t)idle_ms * NS_PER_MS);
    while (queue->length == 0 && !queue->closed && !queue->woken) {
        if (idle_ms == 0) {
            pthread_cond_wait(&queue->ready, &queue->mutex);
        } else if (pthread_cond_timedwait(&queue->ready, &queue->mutex, &deadline) == ETIMEDOUT) {
            break;
        }
    }
    queue->woken = false;
    return queue->length > 0;
}

static void await_group(store_queue *queue) {
    if (queue->options.linger_us == 0) {
        return;
    }
    struct timespec deadline = time_after((uint64_t)queue->options.linger_us * NS_PER_US);
    while (!group_is_full(queue) && !queue->closed) {
        if (pthread_cond_timedwait(&queue->ready, &queue->mutex, &deadline) == ETIMEDOUT) {
            break;
        }
    }
}

static bool goes_along(const store_request *first, const store_request *next) {
    return next != NULL && !first->alone && !next->alone;
}

static store_request *cut_group(store_queue *queue) {
    store_request *first = queue->first;
    store_request *last = first;
    size_t count = 1;
    size_t bytes = first->weight_bytes;
    while (goes_along(first, last->next) && count < queue->options.group_requests &&
           bytes + last->next->weight_bytes <= queue->options.group_bytes) {
        last = last->next;
        count++;
        bytes += last->weight_bytes;
    }
    queue->first = last->next;
    if (queue->first == NULL) {
        queue->last = &queue->first;
    }
    queue->length -= count;
    queue->bytes -= bytes;
    last->next = NULL;
    return first;
}

store_request *store_queue_take(store_queue *queue, uint32_t idle_ms) {
    store_request *group = NULL;
    pthread_mutex_lock(&queue->mutex);
    if (await_first(queue, idle_ms)) {
        await_group(queue);
        /* Another taker may have been quicker while this one lingered. */
        group = queue->length > 0 ? cut_group(queue) : NULL;
    }
    pthread_mutex_unlock(&queue->mutex);
    return group;
}

void store_queue_wake(store_queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    queue->woken = true;
    pthread_cond_signal(&queue->ready);
    pthread_mutex_unlock(&queue->mutex);
}

void store_queue_close(store_queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    queue->closed = true;
    pthread_cond_broadcast(&queue->ready);
    pthread_mutex_unlock(&queue->mutex);
}

bool store_queue_ended(store_queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    bool ended = queue->closed && queue->length == 0;
    pthread_mutex_unlock(&queue->mutex);
    return ended;
}

size_t store_queue_length(store_queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    size_t length = queue->length;
    pthread_mutex_unlock(&queue->mutex);
    return length;
}

void store_request_finish(store_request *request) {
    if (request->done != NULL) {
        request->done(request->context);
    }
}
