/* SPDX-License-Identifier: MIT
 *
 * loop.c: the loop itself, and the way in for other threads. Posted tasks are pushed on a list that
 * the loop takes whole and turns round, so posting is one compare-and-swap and only the first post
 * after a take pays for a wake-up.
 *
 * That is an eventfd of our own: libuv's uv_async_t has the loop give its processor away until
 * whoever wakes it has come to the end of the call, milliseconds where workers fill all processors.
 */
#include "server/loop/loop.h"

#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "core/base/assert.h"
#include "server/loop/loop_state.h"

static void run_hooks(uv_prepare_t *handle) {
    event_loop *loop = handle->data;
    loop_hook *next = NULL;
    for (loop_hook *hook = loop->hooks; hook != NULL; hook = next) {
        next = hook->next;
        hook->run(hook);
    }
}

static loop_task *take_posted(event_loop *loop) {
    loop_task *newest = atomic_exchange_explicit(&loop->posted, NULL, memory_order_acquire);
    loop_task *oldest = NULL;
    while (newest != NULL) {
        loop_task *next = newest->next;
        newest->next = oldest;
        oldest = newest;
        newest = next;
    }
    return oldest;
}

static void run_taken(loop_task *task) {
    while (task != NULL) {
        loop_task *next = task->next;
        task->run(task);
        task = next;
    }
}

static void on_wake(uv_poll_t *handle, int status, int events) {
    const event_loop *loop = handle->data;
    eventfd_t posts;
    (void)status;
    (void)events;
    eventfd_read(loop->wake_fd, &posts);
    run_taken(take_posted(handle->data));
}

/* libuv ends the process when its table of descriptors cannot grow, the one thing that it asks for
 * by realloc: it does so without a word, and we with one. */
static void *grow_or_end(void *memory, size_t size) {
    static const char line[] = "loamd: no memory for the event loop\n";
    void *grown = realloc(memory, size);
    if (grown == NULL && size > 0) {
        ssize_t written = write(STDERR_FILENO, line, sizeof line - 1);
        (void)written;
        _exit(1);
    }
    return grown;
}

static bool watch_posts(event_loop *loop) {
    loop->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (loop->wake_fd < 0) {
        return false;
    }
    if (uv_poll_init(&loop->uv, &loop->wake, loop->wake_fd) != 0) {
        close(loop->wake_fd);
        return false;
    }
    loop->wake.data = loop;
    uv_poll_start(&loop->wake, UV_READABLE, on_wake);
    return true;
}

event_loop *loop_create(void) {
    uv_replace_allocator(malloc, grow_or_end, calloc, free);
    event_loop *loop = calloc(1, sizeof *loop);
    if (loop == NULL) {
        return NULL;
    }
    if (uv_loop_init(&loop->uv) != 0) {
        free(loop);
        return NULL;
    }
    if (!watch_posts(loop)) {
        uv_loop_close(&loop->uv);
        free(loop);
        return NULL;
    }
    uv_prepare_init(&loop->uv, &loop->before_poll);
    loop->before_poll.data = loop;
    uv_prepare_start(&loop->before_poll, run_hooks);
    return loop;
}

void loop_run(event_loop *loop) {
    uv_run(&loop->uv, UV_RUN_DEFAULT);
}

void loop_stop(event_loop *loop) {
    uv_stop(&loop->uv);
}

void loop_run_posted(event_loop *loop) {
    run_taken(take_posted(loop));
}

/* The loop's own two handles stand inside it; all others are blocks of their own. */
static void close_handle(uv_handle_t *handle, void *context) {
    event_loop *loop = context;
    if (uv_is_closing(handle)) {
        return;
    }
    bool own = handle == (uv_handle_t *)&loop->wake || handle == (uv_handle_t *)&loop->before_poll;
    uv_close(handle, own ? NULL : loop_handle_free);
}

void loop_destroy(event_loop *loop) {
    if (loop == NULL) {
        return;
    }
    uv_walk(&loop->uv, close_handle, loop);
    uv_run(&loop->uv, UV_RUN_DEFAULT);
    int left = uv_loop_close(&loop->uv);
    LOAM_ASSERT(left == 0);
    close(loop->wake_fd);
    free(loop);
}

void loop_post(event_loop *loop, loop_task *task) {
    loop_task *newest = atomic_load_explicit(&loop->posted, memory_order_relaxed);
    do {
        task->next = newest;
    } while (!atomic_compare_exchange_weak_explicit(&loop->posted, &newest, task,
                                                    memory_order_release, memory_order_relaxed));
    if (newest == NULL) {
        eventfd_write(loop->wake_fd, 1);
    }
}

uint64_t loop_now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

uint64_t loop_now_ms(void) {
    return loop_now_us() / 1000;
}

void loop_before_poll_add(event_loop *loop, loop_hook *hook) {
    hook->next = loop->hooks;
    loop->hooks = hook;
}

void loop_before_poll_remove(event_loop *loop, loop_hook *hook) {
    for (loop_hook **link = &loop->hooks; *link != NULL; link = &(*link)->next) {
        if (*link == hook) {
            *link = hook->next;
            return;
        }
    }
}
