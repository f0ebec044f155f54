/* SPDX-License-Identifier: MIT
 *
 * flow.c: where requests come in: given to their route, told when their client leaves. And the life
 * of the room: threads and tables are made, work is drained, all is taken apart.
 */
#include "server/flow/flow.h"

#include "api/key/stage_cache.h"
#include "core/base/assert.h"
#include "server/cell/key_cache.h"
#include "server/cell/verdict.h"
#include "server/flight/flight.h"
#include "server/flow/admission.h"
#include "server/flow/catalogue.h"
#include "server/flow/request_log.h"
#include "server/flow/routes.h"
#include "server/job/job_revive.h"
#include "server/job/job_table.h"
#include "server/slot/caller.h"
#include "server/slot/ram_cache.h"
#include "server/slot/slot.h"
#include "server/token/token_table.h"
#include "server/world/asset_table.h"
#include "server/world/content_table.h"
#include "server/world/world_table.h"

#include <stdlib.h>
#include <unistd.h>

/* Keys that are remembered: 104 bytes each; and verdicts: some 150, few of which failed. */
enum { KEYS_MAX = 1 << 18, VERDICTS_MAX = 1 << 16 };
/* Uploads that may wait for the I/O thread: each holds its payload in memory. */
enum { IO_QUEUE_MAX = 256 };

static void flow_forget(void *context, void *caller) {
    (void)context;
    caller_forget(caller);
}

static void flow_handle(void *context, http_request *request) {
    flow_state *flow = context;
    const flow_route *route = http_user(request);
    if (route->quick == NULL || !route->quick(flow, request)) {
        LOAM_ASSERT(route->steps != NULL);
        slot_begin(flow, request, route);
    }
}

static void flow_gone(void *context, http_request *request) {
    (void)context;
    slot_gone(http_user(request));
}

http_handler flow_handler(flow_state *flow) {
    return (http_handler){.context = flow,
                          .admit = admission_judge,
                          .handle = flow_handle,
                          .gone = flow_gone,
                          .forget = flow_forget,
                          .finished = request_log_finish,
                          .log = request_log_note};
}

worker_pool *flow_io_pool(const flow_state *flow) {
    return flow->io;
}

void flow_set_server(flow_state *flow, http_server *server) {
    flow->server = server;
}

/* ---- Life ----------------------------------------------------------------------------------- */

static uint32_t worker_count(const config *settings) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (settings->workers > 0) {
        return (uint32_t)settings->workers;
    }
    return processors < 1                  ? 1
           : processors > POOL_THREADS_MAX ? POOL_THREADS_MAX
                                           : (uint32_t)processors;
}

static bool make_threads(flow_state *flow, loam_error *error) {
    const config *settings = flow->settings;
    pool_options workers = {
        .threads = worker_count(settings),
        .queue_max = {(uint32_t)settings->queue_interactive, (uint32_t)settings->queue_batch},
        .arena_bytes = (size_t)settings->worker_arena_bytes,
        .arena_kept_bytes = (size_t)settings->worker_keep_bytes,
        .name = "worker",
        .rank = THREAD_BEHIND};
    pool_options io = {.threads = 1, .queue_max = {IO_QUEUE_MAX, 0}, .name = "uploads"};
    flow->workers = pool_create(flow->loop, &workers, error);
    if (flow->workers != NULL) {
        flow->io = pool_create(flow->loop, &io, error);
    }
    return flow->io != NULL;
}

static bool make_tables(flow_state *flow, loam_error *error) {
    flow->assets = asset_table_create(flow, (uint64_t)flow->settings->asset_ram_bytes);
    flow->catalogue = catalogue_create(flow->settings);
    flow->contents = content_table_create(flow->loop, CONTENT_BYTES_MAX);
    flow->flights = flight_table_create();
    flow->jobs = job_table_create(flow);
    flow->keys = key_cache_create(KEYS_MAX);
    flow->answers = ram_cache_create((uint64_t)flow->settings->ram_cache_bytes);
    flow->verdicts = verdict_cache_create(VERDICTS_MAX);
    flow->stages = stage_cache_create(STAGE_CACHE_BYTES_MAX);
    flow->worlds = world_table_create(flow);
    if (flow->assets == NULL || flow->catalogue == NULL || flow->contents == NULL ||
        flow->flights == NULL || flow->jobs == NULL || flow->keys == NULL ||
        flow->answers == NULL || flow->verdicts == NULL || flow->stages == NULL ||
        flow->worlds == NULL) {
        loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for the tables");
        return false;
    }
    return true;
}

static bool make_tokens(flow_state *flow, loam_error *error) {
    if (flow->settings->tokens[0] == 0) {
        return true;
    }
    flow->tokens = token_table_create(flow->settings->tokens, error);
    return flow->tokens != NULL;
}

loam_status flow_reload(flow_state *flow, loam_error *error) {
    return flow->tokens == NULL ? LOAM_OK : token_table_reload(flow->tokens, error);
}

flow_state *flow_create(const config *settings, event_loop *loop, store *storage,
                        loam_error *error) {
    flow_state *flow = calloc(1, sizeof *flow);
    if (flow == NULL) {
        loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory");
        return NULL;
    }
    routes_init();
    flow->settings = settings;
    flow->loop = loop;
    flow->store = storage;
    if (store_secret_read(storage, flow->secret.bytes, sizeof flow->secret.bytes, error) !=
        LOAM_OK) {
        flow_destroy(flow);
        return NULL;
    }
    if (!make_tokens(flow, error) || !make_threads(flow, error) || !make_tables(flow, error)) {
        flow_destroy(flow);
        return NULL;
    }
    return flow;
}

static void flow_jobs_known(void *context) {
    flow_state *flow = context;
    flow->ready = true;
    flow->begun(flow->begun_context);
}

loam_status flow_begin(flow_state *flow, void (*ready)(void *context), void *context) {
    flow->begun = ready;
    flow->begun_context = context;
    return job_revive_all(flow, flow_jobs_known, flow);
}

void flow_drain(flow_state *flow) {
    flow->draining = true;
    job_table_drain(flow->jobs);
}

/* A request that waits is left as if its client had gone: its answer is 503. */
void flow_cancel(flow_state *flow) {
    for (flow_slot *slot = flow->slots, *next = NULL; slot != NULL; slot = next) {
        next = slot->next;
        slot_gone(slot);
    }
    flight_cancel_all(flow->flights);
}

bool flow_is_idle(const flow_state *flow) {
    return flow->slot_count == 0 && flight_count(flow->flights) == 0 &&
           job_table_is_idle(flow->jobs);
}

void flow_destroy(flow_state *flow) {
    if (flow->workers != NULL) {
        pool_destroy(flow->workers);
    }
    if (flow->io != NULL) {
        pool_destroy(flow->io);
    }
    job_table_destroy(flow->jobs);
    flight_table_destroy(flow->flights);
    ram_cache_destroy(flow->answers);
    stage_cache_destroy(flow->stages);
    key_cache_destroy(flow->keys);
    verdict_cache_destroy(flow->verdicts);
    world_table_destroy(flow->worlds);
    asset_table_destroy(flow->assets);
    catalogue_destroy(flow->catalogue);
    content_table_destroy(flow->contents);
    token_table_destroy(flow->tokens);
    free(flow);
}
