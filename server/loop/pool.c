/* SPDX-License-Identifier: MIT
 *
 * pool.c: the queue, the threads that work it off, and the way back to the loop. One mutex guards
 * queue and counts: tasks are cells, a hundred microseconds and more, so it is never contended for
 * long.
 */
#include "server/loop/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/assert.h"
#include "server/loop/arena_map.h"

typedef struct task_queue {
    pool_task *first;
    pool_task *last;
    uint32_t length;
    uint32_t length_max;
} task_queue;

struct pool_worker {
    worker_pool *pool;
    pthread_t thread;
    uint32_t index;
    bool has_arena;
    loam_arena arena;
};

struct worker_pool {
    event_loop *loop;
    pthread_mutex_t mutex;
    pthread_cond_t work_ready;
    pthread_cond_t idle;
    task_queue queues[POOL_PRIORITY_COUNT];
    uint32_t busy;
    bool draining;
    bool ending;
    size_t arena_kept_bytes;
    const char *name;
    thread_rank rank;
    uint32_t threads;
    pool_worker workers[];
};

static void queue_push(task_queue *queue, pool_task *task) {
    task->queued = true;
    task->next = NULL;
    task->previous = queue->last;
    if (queue->last == NULL) {
        queue->first = task;
    } else {
        queue->last->next = task;
    }
    queue->last = task;
    queue->length++;
}

static void queue_remove(task_queue *queue, pool_task *task) {
    if (task->previous == NULL) {
        queue->first = task->next;
    } else {
        task->previous->next = task->next;
    }
    if (task->next == NULL) {
        queue->last = task->previous;
    } else {
        task->next->previous = task->previous;
    }
    task->queued = false;
    queue->length--;
}

static pool_task *take_next(worker_pool *pool) {
    for (int priority = 0; priority < POOL_PRIORITY_COUNT; priority++) {
        pool_task *task = pool->queues[priority].first;
        if (task != NULL) {
            queue_remove(&pool->queues[priority], task);
            return task;
        }
    }
    return NULL;
}

static void complete(loop_task *completion) {
    pool_task *task = (pool_task *)(void *)((char *)completion - offsetof(pool_task, completion));
    task->done(task);
}

static void work_on(pool_worker *worker, pool_task *task) {
    task->work(task, worker);
    if (worker->has_arena) {
        arena_map_clear(&worker->arena, worker->pool->arena_kept_bytes);
    }
    task->completion.run = complete;
    loop_post(worker->pool->loop, &task->completion);
}

/* Waits for a task; NULL when the pool ends. The mutex is held before and after. */
static pool_task *wait_next(worker_pool *pool) {
    for (;;) {
        pool_task *task = take_next(pool);
        if (task != NULL || pool->ending) {
            return task;
        }
        pthread_cond_wait(&pool->work_ready, &pool->mutex);
    }
}

static void *run_worker(void *context) {
    pool_worker *worker = context;
    worker_pool *pool = worker->pool;
    thread_introduce(pool->name, pool->rank);
    pthread_mutex_lock(&pool->mutex);
    pool_task *task = NULL;
    while ((task = wait_next(pool)) != NULL) {
        pool->busy++;
        pthread_mutex_unlock(&pool->mutex);
        work_on(worker, task);
        pthread_mutex_lock(&pool->mutex);
        pool->busy--;
        pthread_cond_signal(&pool->idle);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static loam_status start_worker(worker_pool *pool, const pool_options *options, loam_error *error) {
    pool_worker *worker = &pool->workers[pool->threads];
    worker->pool = pool;
    worker->index = pool->threads;
    if (options->arena_bytes > 0) {
        if (!arena_map_open(&worker->arena, options->arena_bytes)) {
            return loam_fail(error, LOAM_IO, NULL,
                             "no address space for worker %u: an arena of %zu bytes", worker->index,
                             options->arena_bytes);
        }
        worker->has_arena = true;
    }
    loam_status status = thread_start(&worker->thread, run_worker, worker, error);
    if (status != LOAM_OK) {
        if (worker->has_arena) {
            arena_map_close(&worker->arena);
        }
        return status;
    }
    pool->threads++;
    return LOAM_OK;
}

worker_pool *pool_create(event_loop *loop, const pool_options *options, loam_error *error) {
    if (options->threads < 1 || options->threads > POOL_THREADS_MAX) {
        loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "a pool has 1 to %d threads, not %u",
                  POOL_THREADS_MAX, options->threads);
        return NULL;
    }
    worker_pool *pool = calloc(1, sizeof *pool + options->threads * sizeof pool->workers[0]);
    if (pool == NULL) {
        loam_fail(error, LOAM_IO, NULL, "no memory for a pool");
        return NULL;
    }
    pool->loop = loop;
    pool->arena_kept_bytes = options->arena_kept_bytes;
    pool->name = options->name == NULL ? "pool" : options->name;
    pool->rank = options->rank;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->work_ready, NULL);
    pthread_cond_init(&pool->idle, NULL);
    for (int priority = 0; priority < POOL_PRIORITY_COUNT; priority++) {
        pool->queues[priority].length_max = options->queue_max[priority];
    }
    while (pool->threads < options->threads) {
        if (start_worker(pool, options, error) != LOAM_OK) {
            pool_destroy(pool);
            return NULL;
        }
    }
    return pool;
}

loam_status pool_submit(worker_pool *pool, pool_task *task) {
    LOAM_ASSERT(task->priority < POOL_PRIORITY_COUNT);
    loam_status status = LOAM_OK;
    pthread_mutex_lock(&pool->mutex);
    task_queue *queue = &pool->queues[task->priority];
    if (pool->draining) {
        status = LOAM_SHUTTING_DOWN;
    } else if (queue->length >= queue->length_max) {
        status = LOAM_OVERLOADED;
    } else {
        queue_push(queue, task);
        pthread_cond_signal(&pool->work_ready);
    }
    pthread_mutex_unlock(&pool->mutex);
    return status;
}

bool pool_cancel(worker_pool *pool, pool_task *task) {
    pthread_mutex_lock(&pool->mutex);
    bool waiting = task->queued;
    if (waiting) {
        queue_remove(&pool->queues[task->priority], task);
        pthread_cond_signal(&pool->idle);
    }
    pthread_mutex_unlock(&pool->mutex);
    return waiting;
}

uint32_t pool_threads(const worker_pool *pool) {
    return pool->threads;
}

uint32_t pool_busy(worker_pool *pool) {
    pthread_mutex_lock(&pool->mutex);
    uint32_t busy = pool->busy;
    pthread_mutex_unlock(&pool->mutex);
    return busy;
}

uint32_t pool_queue_length(worker_pool *pool, pool_priority priority) {
    pthread_mutex_lock(&pool->mutex);
    uint32_t length = pool->queues[priority].length;
    pthread_mutex_unlock(&pool->mutex);
    return length;
}

static bool is_idle(const worker_pool *pool) {
    return pool->busy == 0 && pool->queues[POOL_INTERACTIVE].length == 0 &&
           pool->queues[POOL_BATCH].length == 0;
}

void pool_drain(worker_pool *pool) {
    pthread_mutex_lock(&pool->mutex);
    pool->draining = true;
    while (!is_idle(pool)) {
        pthread_cond_wait(&pool->idle, &pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
}

static void join_workers(worker_pool *pool) {
    pthread_mutex_lock(&pool->mutex);
    pool->ending = true;
    pthread_cond_broadcast(&pool->work_ready);
    pthread_mutex_unlock(&pool->mutex);
    for (uint32_t i = 0; i < pool->threads; i++) {
        pthread_join(pool->workers[i].thread, NULL);
        if (pool->workers[i].has_arena) {
            arena_map_close(&pool->workers[i].arena);
        }
    }
}

void pool_destroy(worker_pool *pool) {
    if (pool == NULL) {
        return;
    }
    pool_drain(pool);
    join_workers(pool);
    pthread_cond_destroy(&pool->idle);
    pthread_cond_destroy(&pool->work_ready);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

loam_arena *pool_worker_arena(pool_worker *worker) {
    return worker->has_arena ? &worker->arena : NULL;
}

uint32_t pool_worker_index(const pool_worker *worker) {
    return worker->index;
}
