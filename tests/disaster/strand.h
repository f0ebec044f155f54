/* SPDX-License-Identifier: MIT
 *
 * strand.h: threads and time of the simulated machine. Every thread of the daemon is a strand, and
 * one strand runs at a time. Whoever waits (for a mutex, a condition, a thread, a descriptor, a
 * moment) hands over to a strand that a seed picks among those that can go on; so it does now and
 * then at calls that other threads could see. When none can go on, time jumps to the next moment
 * that one waits for. So a run depends on its seed alone, and every order of the daemon's queues
 * can be had.
 *
 * The daemon and its libraries know nothing of this: strand_calls.c stands before the C library.
 */
#ifndef LOAM_TESTS_DISASTER_STRAND_H
#define LOAM_TESTS_DISASTER_STRAND_H

#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define STRAND_NEVER UINT64_MAX

typedef enum strand_state {
    STRAND_READY,
    STRAND_LOCK,      /* until a mutex is given back */
    STRAND_CONDITION, /* until one is told, or a moment */
    STRAND_JOIN,      /* until another strand has ended */
    STRAND_POLL,      /* until a descriptor is ready, or a moment */
    STRAND_SLEEP,     /* until a moment */
    STRAND_ENDED,
} strand_state;

/* The calling thread becomes the first strand, at `start_ns` or, when that is 0, some day. `trace`
 * is added to at every step and lives on when the process is gone. */
void strands_begin(uint64_t seed, uint64_t *trace, uint64_t start_ns);
/* Whether the calling thread is a strand. */
bool strands_on(void);
/* Another strand may go first. */
void strand_pause(void);
/* Waits in `state`, on what it names; false when `until_ns` has come first. */
bool strand_wait(strand_state state, const void *on, uint64_t until_ns);
/* Waits until one of `count` descriptors is ready. */
void strand_poll(struct pollfd *polled, nfds_t count, uint64_t until_ns);
/* Lets those that wait in `state` on `on` go on: all, or one that the seed picks. */
void strands_wake(strand_state state, const void *on, bool all);
int strand_start(pthread_t *thread, const pthread_attr_t *how, void *(*body)(void *),
                 void *context);
void strand_join(pthread_t thread);

/* Time of the machine: of its wall and since its start alike. */
uint64_t strands_now_ns(void);
uint64_t strands_steps(void);
/* `call` is called once `steps` more steps have been made, by whichever strand makes the last. */
void strands_interrupt(uint64_t steps, void (*call)(void));
/* A number of [0, count) that only the seed decides. */
uint64_t strands_draw(uint64_t count);
/* Notes that this happened: part of what two runs of one seed must have in common. */
void strands_trace(uint64_t what, uint64_t value);

#endif
