/* SPDX-License-Identifier: MIT
 *
 * test_pool.c: order, bounds, cancelling, arenas and the end of a pool.
 */
#include <criterion/criterion.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "server/loop/pool.h"

typedef struct job {
    pool_task task;
    event_loop *loop;
    int number;
    bool worked;
    bool done;
    bool last;
} job;

static int order[64];
static atomic_int order_count;
static atomic_bool gate_open;
static atomic_bool at_gate;

static void work(pool_task *task, pool_worker *worker) {
    (void)worker;
    job *mine = (job *)task;
    mine->worked = true;
    order[atomic_fetch_add(&order_count, 1)] = mine->number;
}

static void work_at_gate(pool_task *task, pool_worker *worker) {
    work(task, worker);
    at_gate = true;
    while (!gate_open) {
        usleep(100);
    }
}

static void done(pool_task *task) {
    job *mine = (job *)task;
    mine->done = true;
    if (mine->last) {
        loop_stop(mine->loop);
    }
}

static job make_job(event_loop *loop, int number, pool_priority priority) {
    return (job){
        .task = {.work = work, .done = done, .priority = priority}, .loop = loop, .number = number};
}

static worker_pool *make_pool(event_loop *loop, pool_options options) {
    loam_error error = {0};
    worker_pool *pool = pool_create(loop, &options, &error);
    cr_assert_not_null(pool, "%s", error.text);
    return pool;
}

/* A pool of one whose worker waits at the gate, so that what follows stays in the queue. */
static void hold(worker_pool *pool, job *holder, event_loop *loop) {
    *holder = make_job(loop, -1, POOL_INTERACTIVE);
    holder->task.work = work_at_gate;
    cr_assert_eq(pool_submit(pool, &holder->task), LOAM_OK);
    while (!at_gate) {
        usleep(100);
    }
}

Test(pool, interactive_goes_before_batch_and_each_in_order) {
    event_loop *loop = loop_create();
    worker_pool *pool = make_pool(loop, (pool_options){.threads = 1, .queue_max = {8, 8}});
    job holder;
    hold(pool, &holder, loop);
    job jobs[6];
    for (int i = 0; i < 6; i++) {
        jobs[i] = make_job(loop, i, i % 2 == 0 ? POOL_BATCH : POOL_INTERACTIVE);
        cr_assert_eq(pool_submit(pool, &jobs[i].task), LOAM_OK);
    }
    cr_expect_eq(pool_queue_length(pool, POOL_BATCH), 3);
    cr_expect_eq(pool_busy(pool), 1);
    gate_open = true;
    pool_drain(pool);
    static const int wanted[] = {-1, 1, 3, 5, 0, 2, 4};
    cr_expect_eq(memcmp(order, wanted, sizeof wanted), 0);
    cr_expect_not(jobs[0].done, "done is for the loop");
    loop_run_posted(loop);
    cr_expect(jobs[0].done && jobs[5].done);
    pool_destroy(pool);
    loop_destroy(loop);
}

Test(pool, a_full_queue_refuses_its_class_alone) {
    event_loop *loop = loop_create();
    worker_pool *pool = make_pool(loop, (pool_options){.threads = 1, .queue_max = {1, 2}});
    job holder;
    hold(pool, &holder, loop);
    job jobs[5];
    static const loam_status wanted[] = {LOAM_OK, LOAM_OK, LOAM_OVERLOADED, LOAM_OK,
                                         LOAM_OVERLOADED};
    static const pool_priority classes[] = {POOL_BATCH, POOL_BATCH, POOL_BATCH, POOL_INTERACTIVE,
                                            POOL_INTERACTIVE};
    for (int i = 0; i < 5; i++) {
        jobs[i] = make_job(loop, i, classes[i]);
        cr_expect_eq(pool_submit(pool, &jobs[i].task), wanted[i], "job %d", i);
    }
    gate_open = true;
    pool_drain(pool);
    cr_expect_eq(pool_submit(pool, &jobs[4].task), LOAM_SHUTTING_DOWN);
    loop_run_posted(loop);
    cr_expect_not(jobs[2].worked || jobs[4].worked);
    pool_destroy(pool);
    loop_destroy(loop);
}

Test(pool, a_waiting_task_can_be_taken_back_and_a_running_one_not) {
    event_loop *loop = loop_create();
    worker_pool *pool = make_pool(loop, (pool_options){.threads = 1, .queue_max = {8, 8}});
    job holder;
    hold(pool, &holder, loop);
    job jobs[3];
    for (int i = 0; i < 3; i++) {
        jobs[i] = make_job(loop, i, POOL_INTERACTIVE);
        cr_assert_eq(pool_submit(pool, &jobs[i].task), LOAM_OK);
    }
    cr_expect(pool_cancel(pool, &jobs[1].task));
    cr_expect_not(pool_cancel(pool, &jobs[1].task), "taken back already");
    cr_expect_not(pool_cancel(pool, &holder.task));
    gate_open = true;
    pool_drain(pool);
    loop_run_posted(loop);
    cr_expect(jobs[0].done && jobs[2].done);
    cr_expect_not(jobs[1].worked || jobs[1].done);
    pool_destroy(pool);
    loop_destroy(loop);
}

static void fill_arena(pool_task *task, pool_worker *worker) {
    job *mine = (job *)task;
    loam_arena *arena = pool_worker_arena(worker);
    cr_expect_eq(arena->used, 0);
    cr_expect_eq(pool_worker_index(worker), 0);
    size_t size = (size_t)mine->number << 20;
    unsigned char *memory = loam_arena_take(arena, size, 1);
    mine->worked = memory != NULL;
    if (memory != NULL) {
        memset(memory, 1, size);
    }
}

Test(pool, an_arena_is_empty_for_each_task_and_ends_at_its_size) {
    event_loop *loop = loop_create();
    worker_pool *pool = make_pool(loop, (pool_options){.threads = 1,
                                                       .queue_max = {8, 0},
                                                       .arena_bytes = (size_t)64 << 20,
                                                       .arena_kept_bytes = (size_t)4 << 20});
    job jobs[4];
    static const int megabytes[] = {1, 60, 65, 60};
    for (int i = 0; i < 4; i++) {
        jobs[i] = make_job(loop, megabytes[i], POOL_INTERACTIVE);
        jobs[i].task.work = fill_arena;
        cr_assert_eq(pool_submit(pool, &jobs[i].task), LOAM_OK);
    }
    pool_drain(pool);
    cr_expect(jobs[0].worked && jobs[1].worked && jobs[3].worked);
    cr_expect_not(jobs[2].worked);
    pool_destroy(pool);
    loop_run_posted(loop);
    loop_destroy(loop);
}

Test(pool, four_gigabytes_of_address_space_cost_nothing) {
    event_loop *loop = loop_create();
    worker_pool *pool = make_pool(
        loop,
        (pool_options){.threads = 4, .queue_max = {8, 0}, .arena_bytes = POOL_ARENA_BYTES_DEFAULT});
    cr_expect_eq(pool_threads(pool), 4);
    pool_destroy(pool);
    loop_destroy(loop);
}

Test(pool, what_can_not_be_made_is_an_error) {
    event_loop *loop = loop_create();
    loam_error error = {0};
    cr_expect_null(pool_create(loop, &(pool_options){.threads = 0}, &error));
    cr_expect_eq(error.status, LOAM_OUT_OF_RANGE);
    error = (loam_error){0};
    cr_expect_null(pool_create(loop, &(pool_options){.threads = POOL_THREADS_MAX + 1}, &error));
    error = (loam_error){0};
    pool_options huge = {.threads = 2, .arena_bytes = (size_t)1 << 60};
    cr_expect_null(pool_create(loop, &huge, &error));
    cr_expect_eq(error.status, LOAM_IO);
    loop_destroy(loop);
}
