/* SPDX-License-Identifier: MIT
 *
 * test_loop.c: posted tasks, timers, hooks, watches and signals.
 */
#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/loop/loop.h"

typedef struct note {
    loop_task task;
    event_loop *loop;
    int *order;
    int *count;
    int number;
    bool last;
} note;

static void take_note(loop_task *task) {
    note *mine = (note *)task;
    mine->order[(*mine->count)++] = mine->number;
    if (mine->last) {
        loop_stop(mine->loop);
    }
}

static void *post_all(void *context) {
    note *notes = context;
    for (int i = 0; i < 100; i++) {
        loop_post(notes[i].loop, &notes[i].task);
    }
    return NULL;
}

Test(loop, tasks_run_in_the_order_of_posting) {
    event_loop *loop = loop_create();
    note notes[100];
    int order[100];
    int count = 0;
    for (int i = 0; i < 100; i++) {
        notes[i] = (note){{take_note, NULL}, loop, order, &count, i, i == 99};
    }
    pthread_t thread;
    pthread_create(&thread, NULL, post_all, notes);
    loop_run(loop);
    pthread_join(thread, NULL);
    cr_assert_eq(count, 100);
    for (int i = 0; i < 100; i++) {
        cr_expect_eq(order[i], i);
    }
    loop_destroy(loop);
}

Test(loop, run_posted_runs_what_is_there_without_the_loop) {
    event_loop *loop = loop_create();
    int order[1];
    int count = 0;
    note one = {{take_note, NULL}, loop, order, &count, 7, false};
    loop_run_posted(loop);
    cr_expect_eq(count, 0);
    loop_post(loop, &one.task);
    loop_run_posted(loop);
    cr_expect_eq(count, 1);
    loop_destroy(loop);
}

typedef struct ticks {
    event_loop *loop;
    loop_timer *timer;
    int count;
    int wanted;
} ticks;

static void tick(void *context) {
    ticks *at = context;
    if (++at->count == at->wanted) {
        loop_stop(at->loop);
    }
}

Test(loop, a_timer_repeats_until_it_is_stopped) {
    ticks once = {loop_create(), NULL, 0, 1};
    ticks often = {once.loop, NULL, 0, 5};
    ticks never = {once.loop, NULL, 0, 1};
    once.wanted = 0;
    once.timer = loop_timer_create(once.loop, tick, &once);
    often.timer = loop_timer_create(once.loop, tick, &often);
    never.timer = loop_timer_create(once.loop, tick, &never);
    loop_timer_start(once.timer, 1, 0);
    loop_timer_start(often.timer, 2, 2);
    loop_timer_start(never.timer, 1, 0);
    loop_timer_stop(never.timer);
    loop_run(once.loop);
    cr_expect_eq(once.count, 1);
    cr_expect_eq(often.count, 5);
    cr_expect_eq(never.count, 0);
    loop_timer_destroy(once.timer);
    /* The others are left to the loop. */
    loop_destroy(once.loop);
}

typedef struct counting_hook {
    loop_hook hook;
    event_loop *loop;
    int count;
} counting_hook;

static void count_hook(loop_hook *hook) {
    counting_hook *mine = (counting_hook *)hook;
    mine->count++;
    loop_stop(mine->loop);
}

Test(loop, a_hook_runs_before_the_loop_waits_until_removed) {
    event_loop *loop = loop_create();
    counting_hook one = {{count_hook, NULL}, loop, 0};
    counting_hook two = {{count_hook, NULL}, loop, 0};
    loop_before_poll_add(loop, &one.hook);
    loop_before_poll_add(loop, &two.hook);
    loop_run(loop);
    cr_expect_eq(one.count, 1);
    loop_before_poll_remove(loop, &one.hook);
    loop_before_poll_remove(loop, &one.hook);
    loop_run(loop);
    cr_expect_eq(one.count, 1);
    cr_expect_eq(two.count, 2);
    loop_destroy(loop);
}

static void stop(void *context) {
    loop_stop(context);
}

Test(loop, a_watch_tells_of_bytes_and_of_the_end) {
    event_loop *loop = loop_create();
    int pair[2];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    loop_watch *readable = loop_watch_create(loop, pair[0], LOOP_WATCH_READABLE, stop, loop);
    cr_assert_not_null(readable);
    cr_assert_eq(write(pair[1], "x", 1), 1);
    loop_run(loop);
    loop_watch_destroy(readable);
    loop_watch *ended = loop_watch_create(loop, pair[0], LOOP_WATCH_DISCONNECT, stop, loop);
    close(pair[1]);
    loop_run(loop);
    loop_watch_destroy(ended);
    loop_destroy(loop);
    close(pair[0]);
}

Test(loop, what_can_not_be_watched_is_refused) {
    event_loop *loop = loop_create();
    cr_expect_null(loop_watch_create(loop, 9999, LOOP_WATCH_READABLE, stop, loop));
    cr_expect_null(loop_on_signal(loop, 9999, stop, loop));
    loop_destroy(loop);
}

Test(loop, a_signal_arrives_on_the_loop) {
    event_loop *loop = loop_create();
    loop_signal *asked = loop_on_signal(loop, SIGUSR1, stop, loop);
    cr_assert_not_null(asked);
    kill(getpid(), SIGUSR1);
    loop_run(loop);
    loop_signal_destroy(asked);
    loop_destroy(loop);
}
