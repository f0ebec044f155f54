/* SPDX-License-Identifier: MIT
 *
 * strand_calls.c: what the daemon and its libraries call for threads, time and randomness finds
 * these first. Threads that are no strands, before a life begins, get the C library's.
 */
#include "tests/disaster/real.h"
#include "tests/disaster/strand.h"
#include "tests/support/interpose.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/time.h>
#include <unistd.h>

enum { NS_PER_US = 1000, NS_PER_MS = 1000000, NS_PER_S = 1000000000 };

#define REAL_DEFINE(type, name, parameters) type(*real_##name) parameters;
REAL_CALLS(REAL_DEFINE)

#define REAL_FIND(type, name, parameters) INTERPOSE_FIND(real_##name, #name);

/* Start-up code of libraries calls some of them before main, and before our constructor. */
__attribute__((constructor)) static void find_real(void) {
    if (real_rmdir == NULL) {
        REAL_CALLS(REAL_FIND)
    }
}

/* The libraries are to find these. */
#pragma GCC visibility push(default)

/* ---- Threads -------------------------------------------------------------------------------- */

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*body)(void *),
                   void *context) {
    find_real();
    return strands_on() ? strand_start(thread, how, body, context)
                        : real_pthread_create(thread, how, body, context);
}

int pthread_join(pthread_t thread, void **result) {
    find_real();
    if (strands_on()) {
        strand_join(thread);
    }
    return real_pthread_join(thread, result);
}

/* Whoever has it is not running, as the caller is: it cannot change between the two steps. */
static int lock(pthread_mutex_t *mutex) {
    int failed = 0;
    while ((failed = real_pthread_mutex_trylock(mutex)) == EBUSY) {
        (void)strand_wait(STRAND_LOCK, mutex, STRAND_NEVER);
    }
    return failed;
}

static int unlock(pthread_mutex_t *mutex) {
    int failed = real_pthread_mutex_unlock(mutex);
    strands_wake(STRAND_LOCK, mutex, true);
    return failed;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    find_real();
    if (!strands_on()) {
        return real_pthread_mutex_lock(mutex);
    }
    strand_pause();
    return lock(mutex);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    find_real();
    return strands_on() ? unlock(mutex) : real_pthread_mutex_unlock(mutex);
}

static int wait_for(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t until_ns) {
    unlock(mutex);
    bool told = strand_wait(STRAND_CONDITION, condition, until_ns);
    lock(mutex);
    return told ? 0 : ETIMEDOUT;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    return wait_for(condition, mutex, STRAND_NEVER);
}

/* Both clocks show the same. */
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                           const struct timespec *until) {
    return wait_for(condition, mutex,
                    (uint64_t)until->tv_sec * NS_PER_S + (uint64_t)until->tv_nsec);
}

int pthread_cond_signal(pthread_cond_t *condition) {
    if (strands_on()) {
        strands_wake(STRAND_CONDITION, condition, false);
    }
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
    if (strands_on()) {
        strands_wake(STRAND_CONDITION, condition, true);
    }
    return 0;
}

/* ---- Descriptors ---------------------------------------------------------------------------- */

static uint64_t moment_after_ms(int timeout_ms) {
    return timeout_ms < 0 ? STRAND_NEVER : strands_now_ns() + (uint64_t)timeout_ms * NS_PER_MS;
}

int poll(struct pollfd *polled, nfds_t count, int timeout_ms) {
    find_real();
    if (!strands_on()) {
        return real_poll(polled, count, timeout_ms);
    }
    int ready = real_poll(polled, count, 0);
    if (ready == 0 && timeout_ms != 0) {
        strand_poll(polled, count, moment_after_ms(timeout_ms));
        ready = real_poll(polled, count, 0);
    }
    return ready;
}

int epoll_wait(int set, struct epoll_event *events, int max, int timeout_ms) {
    find_real();
    if (!strands_on()) {
        return real_epoll_wait(set, events, max, timeout_ms);
    }
    if (timeout_ms != 0) {
        struct pollfd whole = {.fd = set, .events = POLLIN};
        strand_poll(&whole, 1, moment_after_ms(timeout_ms));
    }
    return real_epoll_wait(set, events, max, 0);
}

int epoll_pwait(int set, struct epoll_event *events, int max, int timeout_ms,
                const sigset_t *blocked) {
    (void)blocked;
    return epoll_wait(set, events, max, timeout_ms);
}

/* ---- Time ----------------------------------------------------------------------------------- */

int clock_gettime(clockid_t clock, struct timespec *now) {
    find_real();
    if (!strands_on()) {
        return real_clock_gettime(clock, now);
    }
    now->tv_sec = (time_t)(strands_now_ns() / NS_PER_S);
    now->tv_nsec = (long)(strands_now_ns() % NS_PER_S);
    return 0;
}

int gettimeofday(struct timeval *now, void *zone) {
    struct timespec exact;
    (void)zone;
    int failed = clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / NS_PER_US;
    return failed;
}

time_t time(time_t *to) {
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (to != NULL) {
        *to = exact.tv_sec;
    }
    return exact.tv_sec;
}

int nanosleep(const struct timespec *span, struct timespec *left) {
    find_real();
    if (!strands_on()) {
        return real_nanosleep(span, left);
    }
    uint64_t span_ns = (uint64_t)span->tv_sec * NS_PER_S + (uint64_t)span->tv_nsec;
    (void)strand_wait(STRAND_SLEEP, NULL, strands_now_ns() + span_ns);
    return 0;
}

int usleep(useconds_t span_us) {
    return nanosleep(&(struct timespec){.tv_sec = span_us / 1000000,
                                        .tv_nsec = (long)(span_us % 1000000) * NS_PER_US},
                     NULL);
}

unsigned sleep(unsigned span_s) {
    nanosleep(&(struct timespec){.tv_sec = (time_t)span_s}, NULL);
    return 0;
}

/* ---- Randomness ----------------------------------------------------------------------------- */

ssize_t getrandom(void *to, size_t size, unsigned flags) {
    find_real();
    if (!strands_on()) {
        return real_getrandom(to, size, flags);
    }
    for (size_t i = 0; i < size; i++) {
        ((unsigned char *)to)[i] = (unsigned char)strands_draw(256);
    }
    return (ssize_t)size;
}

#pragma GCC visibility pop
