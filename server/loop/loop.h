/* SPDX-License-Identifier: MIT
 *
 * loop.h: the one loop of the network thread: tasks posted from any thread, timers, signals, file
 * descriptors to watch, and a hook before it waits. libuv is known in this room only, so everything
 * is opaque. All calls but loop_post are for the thread that runs the loop (before loop_run: for
 * the one that will).
 */
#ifndef LOAM_SERVER_LOOP_LOOP_H
#define LOAM_SERVER_LOOP_LOOP_H

#include "core/loam.h"

typedef struct event_loop event_loop;

/* One thing to do on the loop's thread; lives in the poster's memory until run is called, which may
 * free it. */
typedef struct loop_task {
    void (*run)(struct loop_task *task);
    struct loop_task *next; /* the loop's own */
} loop_task;

/* Owned; NULL when memory or descriptors are short. */
LOAM_MUST_USE event_loop *loop_create(void);
/* Runs until loop_stop; can be run again. */
void loop_run(event_loop *loop);
void loop_stop(event_loop *loop);
/* Runs what was posted so far and returns; for the end, when threads have been joined. */
void loop_run_posted(event_loop *loop);
/* Timers, signals and watches that still exist are destroyed too; tasks not yet run are dropped. */
void loop_destroy(event_loop *loop);

/* From any thread: `task` runs on the loop, in the order of posting. */
void loop_post(event_loop *loop, loop_task *task);

/* Monotonic time, and the same in microseconds for measuring; read at the call. */
uint64_t loop_now_ms(void);
uint64_t loop_now_us(void);

/* Called after each round of events, before the loop waits: many causes, one effect. The hook is
 * the caller's memory and stays until removed. */
typedef struct loop_hook {
    void (*run)(struct loop_hook *hook);
    struct loop_hook *next; /* the loop's own */
} loop_hook;

void loop_before_poll_add(event_loop *loop, loop_hook *hook);
void loop_before_poll_remove(event_loop *loop, loop_hook *hook);

typedef void (*loop_callback)(void *context);

typedef struct loop_timer loop_timer;

/* Owned; stopped at first. NULL when memory is short. */
LOAM_MUST_USE loop_timer *loop_timer_create(event_loop *loop, loop_callback fire, void *context);
/* Starts anew; `repeat_ms` 0 fires once. */
void loop_timer_start(loop_timer *timer, uint64_t after_ms, uint64_t repeat_ms);
void loop_timer_stop(loop_timer *timer);
void loop_timer_destroy(loop_timer *timer);

typedef struct loop_signal loop_signal;

/* Calls `fire` on the loop whenever `number` arrives. Owned; NULL when it can not be had. */
LOAM_MUST_USE loop_signal *loop_on_signal(event_loop *loop, int number, loop_callback fire,
                                          void *context);
void loop_signal_destroy(loop_signal *signal);

typedef enum loop_watch_kind {
    LOOP_WATCH_READABLE,  /* there is something to read, or the end */
    LOOP_WATCH_DISCONNECT /* the other side has closed, wholly or its writing half */
} loop_watch_kind;

typedef struct loop_watch loop_watch;

/* Watches a descriptor, which stays the caller's and must outlive the watch. Owned; NULL when it
 * can not be watched. */
LOAM_MUST_USE loop_watch *loop_watch_create(event_loop *loop, int descriptor, loop_watch_kind kind,
                                            loop_callback fire, void *context);
void loop_watch_destroy(loop_watch *watch);

#endif
