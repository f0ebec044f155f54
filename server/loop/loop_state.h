/* SPDX-License-Identifier: MIT
 *
 * loop_state.h: what stands behind an event_loop; for this room's own files.
 */
#ifndef LOAM_SERVER_LOOP_LOOP_STATE_H
#define LOAM_SERVER_LOOP_LOOP_STATE_H

#include <stdatomic.h>
#include <uv.h>

#include "server/loop/loop.h"

struct event_loop {
    uv_loop_t uv;
    uv_poll_t wake;
    int wake_fd; /* an eventfd */
    uv_prepare_t before_poll;
    loop_hook *hooks;
    _Atomic(loop_task *) posted; /* newest first */
};

/* Frees the block that a closed timer, signal or watch stands in front of. */
void loop_handle_free(uv_handle_t *handle);

#endif
