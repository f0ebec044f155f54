/* SPDX-License-Identifier: MIT
 *
 * loop_threads.c: many threads post to one loop while a pool works for it; for TSan. Counts must
 * agree, and each thread's posts must arrive in its order.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/loop/pool.h"

enum { POSTERS = 4, POSTS = 5000, JOBS = 5000, QUEUE_MAX = 64 };

typedef struct post {
    loop_task task;
    struct poster *poster;
    int number;
} post;

typedef struct poster {
    pthread_t thread;
    struct run *run;
    int next;
    post posts[POSTS];
} poster;

typedef struct job {
    pool_task task;
    struct run *run;
    uint64_t sum;
} job;

typedef struct run {
    event_loop *loop;
    worker_pool *pool;
    loop_timer *feeder;
    poster *posters;
    job *jobs;
    int jobs_submitted;
    int jobs_done;
    int refused;
    int cancelled;
    int posts_taken;
    int faults;
} run;

static void stop_when_all_is_done(run *at) {
    if (at->posts_taken == POSTERS * POSTS && at->jobs_done + at->cancelled == JOBS) {
        loop_stop(at->loop);
    }
}

static void take_post(loop_task *task) {
    post *mine = (post *)task;
    poster *from = mine->poster;
    from->run->faults += mine->number != from->next;
    from->next++;
    from->run->posts_taken++;
    stop_when_all_is_done(from->run);
}

static void *post_all(void *context) {
    poster *mine = context;
    for (int i = 0; i < POSTS; i++) {
        mine->posts[i] = (post){{take_post, NULL}, mine, i};
        loop_post(mine->run->loop, &mine->posts[i].task);
    }
    return NULL;
}

static void work(pool_task *task, pool_worker *worker) {
    job *mine = (job *)task;
    unsigned char *memory = loam_arena_take(pool_worker_arena(worker), 10000, 1);
    memset(memory, 1, 10000);
    mine->sum = 0;
    for (int i = 0; i < 10000; i++) {
        mine->sum += memory[i];
    }
}

static void done(pool_task *task) {
    job *mine = (job *)task;
    mine->run->faults += mine->sum != 10000;
    mine->run->jobs_done++;
    stop_when_all_is_done(mine->run);
}

/* Fills the queue up on each turn; takes back one of the last, now and then. */
static void feed(void *context) {
    run *at = context;
    while (at->jobs_submitted < JOBS) {
        job *next = &at->jobs[at->jobs_submitted];
        next->run = at;
        next->task =
            (pool_task){.work = work,
                        .done = done,
                        .priority = at->jobs_submitted % 3 == 0 ? POOL_BATCH : POOL_INTERACTIVE};
        if (pool_submit(at->pool, &next->task) != LOAM_OK) {
            at->refused++;
            break;
        }
        at->jobs_submitted++;
        if (at->jobs_submitted % 50 == 0 && pool_cancel(at->pool, &next->task)) {
            at->cancelled++;
        }
    }
    if (at->jobs_submitted < JOBS) {
        loop_timer_start(at->feeder, 0, 0);
    }
    stop_when_all_is_done(at);
}

int main(void) {
    loam_error error = {0};
    run at = {.loop = loop_create()};
    at.pool = pool_create(
        at.loop,
        &(pool_options){.threads = 3, .queue_max = {QUEUE_MAX, QUEUE_MAX}, .arena_bytes = 1 << 20},
        &error);
    at.posters = calloc(POSTERS, sizeof *at.posters);
    at.jobs = calloc(JOBS, sizeof *at.jobs);
    at.feeder = loop_timer_create(at.loop, feed, &at);
    if (at.pool == NULL || at.posters == NULL || at.jobs == NULL || at.feeder == NULL) {
        fprintf(stderr, "cannot start: %s\n", error.text);
        return 1;
    }
    loop_timer_start(at.feeder, 0, 0);
    for (int i = 0; i < POSTERS; i++) {
        at.posters[i].run = &at;
        pthread_create(&at.posters[i].thread, NULL, post_all, &at.posters[i]);
    }
    loop_run(at.loop);
    for (int i = 0; i < POSTERS; i++) {
        pthread_join(at.posters[i].thread, NULL);
    }
    pool_destroy(at.pool);
    loop_destroy(at.loop);
    printf("%d posts, %d jobs, %d refused, %d taken back, %d faults\n", at.posts_taken,
           at.jobs_done, at.refused, at.cancelled, at.faults);
    free(at.posters);
    free(at.jobs);
    return at.faults == 0 ? 0 : 1;
}
