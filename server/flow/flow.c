/* SPDX-License-Identifier: MIT
 *
 * flow.c: where requests come in: admitted by their headers, given to their route, told when their
 * client leaves, counted and logged when they end. And the life of the room: threads and tables.
 */
#include "server/flow/flow.h"

#include "api/key/stage_cache.h"
#include "api/wire/document.h"
#include "core/base/assert.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "server/cell/key_cache.h"
#include "server/cell/verdict.h"
#include "server/flight/flight.h"
#include "server/flow/catalogue.h"
#include "server/flow/routes.h"
#include "server/job/job_revive.h"
#include "server/job/job_table.h"
#include "server/slot/caller.h"
#include "server/slot/negotiate.h"
#include "server/slot/ram_cache.h"
#include "server/slot/reply.h"
#include "server/slot/shed.h"
#include "server/slot/slot.h"
#include "server/token/token_table.h"
#include "server/watch/log.h"
#include "server/watch/metrics.h"
#include "server/world/asset_put.h"
#include "server/world/asset_table.h"
#include "server/world/world_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Keys that are remembered: 104 bytes each; and verdicts: some 150, few of which failed. */
enum { KEYS_MAX = 1 << 18, VERDICTS_MAX = 1 << 16 };
/* Uploads that may wait for the I/O thread: each holds its payload in memory. */
enum { IO_QUEUE_MAX = 256 };

/* ---- Admission ------------------------------------------------------------------------------ */

static bool knows_query(const flow_route *route, loam_text name) {
    for (uint32_t i = 0; route->queries != NULL && route->queries[i] != NULL; i++) {
        if (route->queries[i][0] == '*' || loam_text_equal(name, loam_text_of(route->queries[i]))) {
            return true;
        }
    }
    return false;
}

/* A slip of the pen in a query must not become a silent default. */
static loam_status check_query(const http_request *request, const flow_route *route,
                               loam_error *error) {
    for (size_t i = 0; i < http_query_count(request); i++) {
        loam_text name = http_query_name(request, i);
        if (!knows_query(route, name)) {
            return loam_fail(error, LOAM_UNKNOWN_PARAMETER, NULL,
                             "the query parameter \"%.*s\" is not known here",
                             name.size > NAME_BYTES_MAX ? NAME_BYTES_MAX : (int)name.size,
                             name.bytes);
        }
    }
    return LOAM_OK;
}

static loam_status check_media(http_request *request, const flow_route *route, loam_error *error) {
    loam_text type = http_header(request, "Content-Type");
    if (route->body == BODY_JSON && !media_type_is(type, MEDIA_JSON)) {
        return loam_fail(error, LOAM_UNSUPPORTED_MEDIA, NULL, "the body is %s", MEDIA_JSON);
    }
    if (route->body == BODY_ASSET && type.bytes == NULL) {
        return loam_fail(error, LOAM_UNSUPPORTED_MEDIA, NULL, "the body needs a Content-Type");
    }
    return LOAM_OK;
}

/* A coding that is refused is refused for every answer, so it is judged before one is made. */
static loam_status check_codings(http_request *request, loam_error *error) {
    if (negotiate_has_coding(http_header(request, "Accept-Encoding"))) {
        return LOAM_OK;
    }
    return loam_fail(error, LOAM_NOT_ACCEPTABLE, NULL,
                     "the codings are zstd, gzip and identity, all of which are refused");
}

static void admit_body(const flow_route *route, http_admission *admission) {
    if (route->body == BODY_JSON) {
        admission->body_bytes_max = JSON_BYTES_MAX;
        admission->body_required = true;
    } else if (route->body == BODY_ASSET) {
        admission->body_bytes_max = ASSET_BODY_BYTES_MAX;
        admission->body_to_file = true;
        admission->body_required = true;
    }
}

/* What may be done here, asked without doing it; "*" asks about the whole daemon. */
static http_response *answer_options(const http_request *request, const char *allow) {
    char allowed[80];
    bool whole = loam_text_equal(http_path(request), loam_text_of("*"));
    snprintf(allowed, sizeof allowed, "%s, OPTIONS",
             whole ? "GET, HEAD, POST, PUT, DELETE" : allow);
    return whole || allow[0] != 0
               ? reply_create(&(reply_form){.status = 204, .allow = allowed}, (http_body){0})
               : NULL;
}

static loam_status check_draining(const flow_state *flow, const http_request *request,
                                  loam_error *error) {
    if (!flow->draining || http_request_method(request) == HTTP_GET) {
        return LOAM_OK;
    }
    return loam_fail(error, LOAM_SHUTTING_DOWN, NULL, "%s", loam_status_text(LOAM_SHUTTING_DOWN));
}

/* A single request may be one that needs no worker: the queue refuses it when it does. */
static loam_status check_load(flow_state *flow, const flow_route *route, loam_error *error) {
    return route->shed == SHED_SINGLE ? LOAM_OK : shed_check(flow, route->shed, error);
}

/* In the order in which one would ask: who is it, may he, what does he want. */
static loam_status check_request(flow_state *flow, http_request *request, const flow_route *route,
                                 loam_error *error) {
    LOAM_TRY(caller_identify(flow, request, error));
    LOAM_TRY(caller_check(flow, request, route, error));
    LOAM_TRY(check_query(request, route, error));
    LOAM_TRY(check_media(request, route, error));
    LOAM_TRY(check_codings(request, error));
    LOAM_TRY(check_draining(flow, request, error));
    return check_load(flow, route, error);
}

static http_response *refuse(http_request *request, const flow_route *route,
                             const loam_error *error, const char *allow) {
    bool again = error->status == LOAM_SHUTTING_DOWN || error->status == LOAM_TOO_MANY_REQUESTS;
    int32_t again_s = error->status == LOAM_OVERLOADED ? shed_retry_after_s(route->shed)
                      : again                          ? RETRY_AFTER_S
                                                       : 0;
    reply_form form = {.allow = error->status == LOAM_METHOD_NOT_ALLOWED ? allow : NULL,
                       .authenticate = caller_challenge(request, route, error),
                       .retry_after_s = again_s};
    return reply_problem(error, &form);
}

static void flow_admit(void *context, http_request *request, http_admission *admission) {
    flow_state *flow = context;
    loam_error error = {0};
    char allow[64];
    const flow_route *route = route_find(request, allow, &error);
    if (http_request_method(request) == HTTP_OPTIONS) {
        admission->refusal = answer_options(request, allow);
    }
    if (admission->refusal != NULL) {
        return;
    }
    if (route != NULL) {
        http_set_route(request, route->template);
        http_set_user(request, (void *)(uintptr_t)route);
        admit_body(route, admission);
    }
    if (route == NULL || check_request(flow, request, route, &error) != LOAM_OK) {
        admission->refusal = refuse(request, route, &error, allow);
    }
}

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

/* ---- What was done -------------------------------------------------------------------------- */

static bool is_routine(const http_finish *finish) {
    return finish->status < 400 && (finish->method == HTTP_GET || finish->method == HTTP_HEAD);
}

/* Who asked, as far as that says anything; the token's id, never the token. */
static void log_caller(log_line *line, const http_finish *finish) {
    const token_owner *owner = finish->caller;
    if (finish->client[0] != 0) {
        log_string(line, "client", finish->client);
    }
    if (owner != NULL) {
        log_string(line, "token", owner->id);
    }
    if (finish->trace[0] != 0) {
        log_text(line, "trace", (loam_text){finish->trace + 3, 32});
        log_text(line, "parent", (loam_text){finish->trace + 36, 16});
    }
}

static void flow_finished(void *context, const http_finish *finish) {
    (void)context;
    const char *route = finish->route == NULL ? "none" : finish->route;
    const char *method = http_method_name(finish->method);
    metric_count_request(route, method, finish->status, finish->microseconds);
    log_level level = is_routine(finish) ? LOG_DEBUG : LOG_INFO;
    if (!log_wants(level)) {
        return;
    }
    log_line line;
    log_begin(&line, level, "request");
    log_number(&line, "id", (int64_t)finish->id);
    log_caller(&line, finish);
    log_string(&line, "method", method);
    log_string(&line, "route", route);
    log_text(&line, "path", finish->path);
    log_number(&line, "status", finish->status);
    log_number(&line, "bytes", (int64_t)finish->body_bytes);
    log_number(&line, "request_bytes", (int64_t)finish->request_bytes);
    log_number(&line, "microseconds", (int64_t)finish->microseconds);
    log_end(&line);
}

static void flow_log(void *context, const char *text, uint64_t dropped) {
    log_line line;
    (void)context;
    log_begin(&line, LOG_WARNING, "http");
    log_string(&line, "detail", text);
    log_number(&line, "dropped", (int64_t)dropped);
    log_end(&line);
}

http_handler flow_handler(flow_state *flow) {
    return (http_handler){.context = flow,
                          .admit = flow_admit,
                          .handle = flow_handle,
                          .gone = flow_gone,
                          .forget = flow_forget,
                          .finished = flow_finished,
                          .log = flow_log};
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
    flow->flights = flight_table_create();
    flow->jobs = job_table_create(flow);
    flow->keys = key_cache_create(KEYS_MAX);
    flow->answers = ram_cache_create((uint64_t)flow->settings->ram_cache_bytes);
    flow->verdicts = verdict_cache_create(VERDICTS_MAX);
    flow->stages = stage_cache_create(STAGE_CACHE_BYTES_MAX);
    flow->worlds = world_table_create(flow);
    if (flow->assets == NULL || flow->catalogue == NULL || flow->flights == NULL ||
        flow->jobs == NULL || flow->keys == NULL || flow->answers == NULL ||
        flow->verdicts == NULL || flow->stages == NULL || flow->worlds == NULL) {
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
    token_table_destroy(flow->tokens);
    free(flow);
}
