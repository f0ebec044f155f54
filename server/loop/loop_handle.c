/* SPDX-License-Identifier: MIT
 *
 * loop_handle.c: timers, signals and watched descriptors. Each is one block whose libuv handle
 * stands first, so that closing the handle frees the block; libuv asks for the memory until then.
 */
#include <stdlib.h>

#include "server/loop/loop_state.h"

struct loop_timer {
    uv_timer_t handle;
    loop_callback fire;
    void *context;
};

struct loop_signal {
    uv_signal_t handle;
    loop_callback fire;
    void *context;
};

struct loop_watch {
    uv_poll_t handle;
    loop_callback fire;
    void *context;
};

void loop_handle_free(uv_handle_t *handle) {
    free(handle);
}

static void on_timer(uv_timer_t *handle) {
    loop_timer *timer = (loop_timer *)handle;
    timer->fire(timer->context);
}

loop_timer *loop_timer_create(event_loop *loop, loop_callback fire, void *context) {
    loop_timer *timer = calloc(1, sizeof *timer);
    if (timer == NULL) {
        return NULL;
    }
    uv_timer_init(&loop->uv, &timer->handle);
    timer->fire = fire;
    timer->context = context;
    return timer;
}

void loop_timer_start(loop_timer *timer, uint64_t after_ms, uint64_t repeat_ms) {
    uv_timer_start(&timer->handle, on_timer, after_ms, repeat_ms);
}

void loop_timer_stop(loop_timer *timer) {
    uv_timer_stop(&timer->handle);
}

void loop_timer_destroy(loop_timer *timer) {
    if (timer != NULL) {
        uv_close((uv_handle_t *)&timer->handle, loop_handle_free);
    }
}

static void on_signal(uv_signal_t *handle, int number) {
    (void)number;
    loop_signal *signal = (loop_signal *)handle;
    signal->fire(signal->context);
}

loop_signal *loop_on_signal(event_loop *loop, int number, loop_callback fire, void *context) {
    loop_signal *signal = calloc(1, sizeof *signal);
    if (signal == NULL) {
        return NULL;
    }
    if (uv_signal_init(&loop->uv, &signal->handle) != 0) {
        free(signal);
        return NULL;
    }
    signal->fire = fire;
    signal->context = context;
    if (uv_signal_start(&signal->handle, on_signal, number) != 0) {
        loop_signal_destroy(signal);
        return NULL;
    }
    return signal;
}

void loop_signal_destroy(loop_signal *signal) {
    if (signal != NULL) {
        uv_close((uv_handle_t *)&signal->handle, loop_handle_free);
    }
}

static void on_ready(uv_poll_t *handle, int status, int events) {
    /* An error is for the owner to meet when it reads. */
    (void)status;
    (void)events;
    loop_watch *watch = (loop_watch *)handle;
    watch->fire(watch->context);
}

loop_watch *loop_watch_create(event_loop *loop, int descriptor, loop_watch_kind kind,
                              loop_callback fire, void *context) {
    loop_watch *watch = calloc(1, sizeof *watch);
    if (watch == NULL) {
        return NULL;
    }
    if (uv_poll_init(&loop->uv, &watch->handle, descriptor) != 0) {
        free(watch);
        return NULL;
    }
    watch->fire = fire;
    watch->context = context;
    int events = kind == LOOP_WATCH_READABLE ? UV_READABLE : UV_DISCONNECT;
    if (uv_poll_start(&watch->handle, events, on_ready) != 0) {
        loop_watch_destroy(watch);
        return NULL;
    }
    return watch;
}

void loop_watch_destroy(loop_watch *watch) {
    if (watch != NULL) {
        uv_close((uv_handle_t *)&watch->handle, loop_handle_free);
    }
}
