/* SPDX-License-Identifier: MIT
 *
 * thread.h: how every thread of the daemon begins. Signals are the loop's: a started thread gets
 * none. Its rank says who goes first when there are more threads than processors.
 */
#ifndef LOAM_SERVER_THREAD_THREAD_H
#define LOAM_SERVER_THREAD_THREAD_H

#include <pthread.h>

#include "core/loam.h"

typedef enum thread_rank {
    THREAD_PROMPT, /* works for microseconds at a time, and somebody waits for it */
    THREAD_BEHIND, /* computes for as long as there is work: behind all that are prompt */
} thread_rank;

/* `run` begins with thread_introduce. LOAM_INTERNAL when the system gives no thread. */
LOAM_MUST_USE loam_status thread_start(pthread_t *started, void *(*run)(void *), void *context,
                                       loam_error *error);

/* Of the calling thread: the name that ps, top and gdb show (15 bytes at most), and its rank. */
void thread_introduce(const char *name, thread_rank rank);

#endif
