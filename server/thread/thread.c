/* SPDX-License-Identifier: MIT
 *
 * thread.c: see thread.h. A rank is niceness, which Linux keeps for each thread.
 */
#include "server/thread/thread.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Added to what the process has. Workers as many as processors made an answer from memory wait for
 * a scheduler's tick, 4 ms, one time in a hundred; at 10 they give way at once, and still get a
 * tenth of a processor that a process of ordinary niceness wants whole. */
enum { NICENESS_BEHIND = 10 };

loam_status thread_start(pthread_t *started, void *(*run)(void *), void *context,
                         loam_error *error) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int failure = pthread_create(started, NULL, run, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failure == 0 ? LOAM_OK
                        : loam_fail(error, LOAM_INTERNAL, NULL, "cannot start a thread: %s",
                                    strerror(failure));
}

void thread_introduce(const char *name, thread_rank rank) {
    pthread_setname_np(pthread_self(), name);
    if (rank == THREAD_BEHIND) {
        id_t self = (id_t)gettid();
        /* Refused, the thread only competes as an equal. */
        (void)setpriority(PRIO_PROCESS, self, getpriority(PRIO_PROCESS, self) + NICENESS_BEHIND);
    }
}
