/* SPDX-License-Identifier: MIT
 *
 * request_log.c: see request_log.h.
 */
#include "server/flow/request_log.h"

#include "server/slot/route.h"
#include "server/token/token_owner.h"
#include "server/watch/log.h"
#include "server/watch/metrics.h"

_Static_assert((int)METRIC_ROUTES_MAX > (int)ROUTES_MAX,
               "every route has its latencies, and so has none");

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

void request_log_finish(void *context, const http_finish *finish) {
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

void request_log_note(void *context, const char *text, uint64_t dropped) {
    log_line line;
    (void)context;
    log_begin(&line, LOG_WARNING, "http");
    log_string(&line, "detail", text);
    log_number(&line, "dropped", (int64_t)dropped);
    log_end(&line);
}
