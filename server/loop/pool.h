/* SPDX-License-Identifier: MIT
 *
 * pool.h: worker threads of their own, each with an arena, and a bounded queue in two classes.
 * A task's work runs on a worker, its done on the loop. A pool of one thread without arena is the
 * I/O thread. Interactive tasks always go before batch ones; within a class first come, first
 * served.
 */
#ifndef LOAM_SERVER_LOOP_POOL_H
#define LOAM_SERVER_LOOP_POOL_H

#include "core/loam.h"
#include "server/loop/loop.h"
#include "server/thread/thread.h"

/* Threads of one pool: more than any machine this runs on has cores for. */
#define POOL_THREADS_MAX 256

/* Address space of a worker's arena; only touched pages cost memory. The largest cell within the
 * candidate limit (core/base/limits.h) needs about 2 GiB. */
#define POOL_ARENA_BYTES_DEFAULT ((size_t)4 << 30)

/* What a worker keeps between tasks: a dense cell needs about 10 MB, and page faults of a fresh
 * arena cost as much as evaluating the cell. */
#define POOL_ARENA_KEPT_BYTES_DEFAULT ((size_t)64 << 20)

typedef enum pool_priority { POOL_INTERACTIVE, POOL_BATCH, POOL_PRIORITY_COUNT } pool_priority;

typedef struct worker_pool worker_pool;
typedef struct pool_worker pool_worker;

/* One piece of work, in the caller's memory until done is called (which may free it). */
typedef struct pool_task {
    void (*work)(struct pool_task *task, pool_worker *worker);
    void (*done)(struct pool_task *task);
    pool_priority priority;
    loop_task completion; /* the rest is the pool's own */
    struct pool_task *next;
    struct pool_task *previous;
    bool queued;
} pool_task;

typedef struct pool_options {
    uint32_t threads;                        /* 1 to POOL_THREADS_MAX */
    uint32_t queue_max[POOL_PRIORITY_COUNT]; /* tasks that may wait, by class; 0 takes none */
    size_t arena_bytes;                      /* 0: no arena */
    size_t arena_kept_bytes;
    const char *name; /* of its threads, a literal; NULL: "pool" */
    thread_rank rank;
} pool_options;

/* Owned; NULL with `error` set when threads or address space can not be had. */
LOAM_MUST_USE worker_pool *pool_create(event_loop *loop, const pool_options *options,
                                       loam_error *error);
/* From the loop's thread. LOAM_OVERLOADED when the class's queue is full (the task was not taken),
 * LOAM_SHUTTING_DOWN after pool_drain. */
LOAM_MUST_USE loam_status pool_submit(worker_pool *pool, pool_task *task);
/* Takes back a task that has not begun; then neither work nor done is called. False when it has. */
bool pool_cancel(worker_pool *pool, pool_task *task);

uint32_t pool_threads(const worker_pool *pool);
uint32_t pool_busy(worker_pool *pool);
uint32_t pool_queue_length(worker_pool *pool, pool_priority priority);

/* Takes no more tasks and waits until all that were taken have worked; their done calls are posted
 * and run with the loop (loop_run_posted). */
void pool_drain(worker_pool *pool);
/* Drains, joins the threads and frees everything. */
void pool_destroy(worker_pool *pool);

/* For work(): the worker's arena, empty at the start of each task (NULL without one), and which of
 * the pool's threads this is. */
loam_arena *pool_worker_arena(pool_worker *worker);
uint32_t pool_worker_index(const pool_worker *worker);

#endif
