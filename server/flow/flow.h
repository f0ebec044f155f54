/* SPDX-License-Identifier: MIT
 *
 * flow.h: the way of a request through the daemon, from the handler of server/http to the reply.
 * The rest of the server knows this header only.
 */
#ifndef LOAM_SERVER_FLOW_FLOW_H
#define LOAM_SERVER_FLOW_FLOW_H

#include "server/config/config.h"
#include "server/http/http.h"
#include "server/loop/loop.h"
#include "server/loop/pool.h"
#include "server/store/store.h"

typedef struct flow_state flow_state;

/* Makes the worker and I/O threads and the tables. Borrows all three until flow_destroy. Owned;
 * NULL with `error` set. */
LOAM_MUST_USE flow_state *flow_create(const config *settings, event_loop *loop, store *storage,
                                      loam_error *error);
/* What http_start needs: handlers, and the thread that writes uploads; and the server, once it is
 * there. */
http_handler flow_handler(flow_state *flow);
worker_pool *flow_io_pool(const flow_state *flow);
void flow_set_server(flow_state *flow, http_server *server);
/* Takes up jobs that an earlier run left; then says that it is ready. */
LOAM_MUST_USE loam_status flow_begin(flow_state *flow, void (*ready)(void *context), void *context);
/* Reads the file of tokens again; when that fails they stay as they are. */
LOAM_MUST_USE loam_status flow_reload(flow_state *flow, loam_error *error);
/* Takes no more work: jobs pause where they are, requests under way go on. */
void flow_drain(flow_state *flow);
/* Ends what is under way as soon as it can be ended: waits are over, evaluations stop. */
void flow_cancel(flow_state *flow);
/* Nothing is under way any more. */
bool flow_is_idle(const flow_state *flow);
/* When it is idle: joins the threads and frees everything. */
void flow_destroy(flow_state *flow);

#endif
