/* SPDX-License-Identifier: MIT
 *
 * daemon.c: see daemon.h. Up: loop, store, flow, HTTP, jobs of an earlier run, port file. Down: no
 * new connections, no new cells of jobs; requests under way have drain-s to end; then what is left
 * is cancelled, and after that nothing is waited for: the store survives being cut off.
 */
#include "server/daemon.h"

#include "core/base/try.h"
#include "server/flow/flow.h"
#include "server/port_file.h"
#include "server/watch/log.h"

#include <signal.h>
#include <unistd.h>

/* How often the end of the last request is looked for. */
enum { DRAIN_POLL_MS = 20 };
/* What cancelled work needs at most to notice and to be stored. */
enum { CANCEL_MS = 5000 };

typedef struct daemon_state {
    const config *settings;
    event_loop *loop;
    store *store;
    flow_state *flow;
    http_server *server;
    const char *hosts[CONFIG_LIST_ITEMS]; /* lent to the server */
    const char *origins[CONFIG_LIST_ITEMS];
    loop_signal *terminate;
    loop_signal *interrupt;
    loop_timer *drain;
    bool draining;
    bool cancelled;
    uint64_t drain_until_ms;
    loam_error error; /* found once the loop runs */
} daemon_state;

/* ---- Down ----------------------------------------------------------------------------------- */

static bool is_quiet(const daemon_state *daemon) {
    return flow_is_idle(daemon->flow) && http_waiting(daemon->server) == 0;
}

static void log_event(const char *event) {
    log_line line;
    log_begin(&line, LOG_INFO, event);
    log_end(&line);
}

/* Looks whether all is done; first patience ends, then what was cancelled is given up. */
static void drain_step(void *context) {
    daemon_state *daemon = context;
    if (is_quiet(daemon)) {
        loop_stop(daemon->loop);
    } else if (loop_now_ms() >= daemon->drain_until_ms) {
        if (daemon->cancelled) {
            log_event("work-abandoned");
            _exit(1);
        }
        daemon->cancelled = true;
        daemon->drain_until_ms = loop_now_ms() + CANCEL_MS;
        flow_cancel(daemon->flow);
    }
}

/* The first signal drains, the second ends at once. */
static void end_asked(void *context) {
    daemon_state *daemon = context;
    if (daemon->draining) {
        log_event("ended-at-once");
        _exit(1);
    }
    log_event("draining");
    daemon->draining = true;
    daemon->drain_until_ms = loop_now_ms() + (uint64_t)daemon->settings->drain_s * 1000;
    http_stop_accepting(daemon->server);
    flow_drain(daemon->flow);
    loop_timer_start(daemon->drain, DRAIN_POLL_MS, DRAIN_POLL_MS);
}

static void take_apart(daemon_state *daemon) {
    if (daemon->server != NULL) {
        http_stop(daemon->server);
    }
    if (daemon->flow != NULL) {
        flow_destroy(daemon->flow);
    }
    if (daemon->store != NULL) {
        store_close(daemon->store);
    }
    if (daemon->loop != NULL) {
        loop_run_posted(daemon->loop);
        loop_destroy(daemon->loop);
    }
}

/* ---- Up ------------------------------------------------------------------------------------- */

static loam_status open_store(daemon_state *daemon, loam_error *error) {
    const config *settings = daemon->settings;
    store_options options = {.dir = settings->data,
                             .cache_bytes_max = (uint64_t)settings->cache_bytes,
                             .reader_threads = (uint32_t)settings->reader_threads};
    return store_open(&options, &daemon->store, error);
}

static loam_status start_http(daemon_state *daemon, loam_error *error) {
    const config *settings = daemon->settings;
    for (uint32_t i = 0; i < CONFIG_LIST_ITEMS; i++) {
        daemon->hosts[i] = settings->hosts.items[i];
        daemon->origins[i] = settings->origins.items[i];
    }
    http_options options = {.address = settings->address,
                            .port = settings->port,
                            .hosts = daemon->hosts,
                            .host_count = settings->hosts.count,
                            .origins = daemon->origins,
                            .origin_count = settings->origins.count,
                            .io = flow_io_pool(daemon->flow),
                            .upload_folder = store_uploads_dir(daemon->store),
                            .connection_limit = (uint32_t)settings->connection_limit,
                            .headers_ms = (uint32_t)settings->header_deadline_s * 1000,
                            .body_ms = (uint32_t)settings->body_deadline_s * 1000,
                            .idle_ms = (uint32_t)settings->idle_s * 1000,
                            .handler = flow_handler(daemon->flow)};
    daemon->server = http_start(daemon->loop, &options, error);
    if (daemon->server == NULL) {
        return error->status;
    }
    flow_set_server(daemon->flow, daemon->server);
    return LOAM_OK;
}

static loam_status listen_to_signals(daemon_state *daemon, loam_error *error) {
    daemon->drain = loop_timer_create(daemon->loop, drain_step, daemon);
    daemon->terminate = loop_on_signal(daemon->loop, SIGTERM, end_asked, daemon);
    daemon->interrupt = loop_on_signal(daemon->loop, SIGINT, end_asked, daemon);
    if (daemon->drain == NULL || daemon->terminate == NULL || daemon->interrupt == NULL) {
        return loam_fail(error, LOAM_IO, NULL, "signals cannot be had");
    }
    return LOAM_OK;
}

static void log_listening(const daemon_state *daemon) {
    log_line line;
    log_begin(&line, LOG_INFO, "listening");
    log_string(&line, "release", LOAM_VERSION_TEXT);
    log_string(&line, "address", daemon->settings->address);
    log_number(&line, "port", http_port(daemon->server));
    log_string(&line, "data", daemon->settings->data);
    log_end(&line);
}

/* Only now does the port file appear: who waits for it finds a daemon that answers. */
static void became_ready(void *context) {
    daemon_state *daemon = context;
    const char *path = daemon->settings->port_file;
    if (daemon->draining) {
        return;
    }
    if (path[0] != 0 &&
        port_file_write(path, http_port(daemon->server), &daemon->error) != LOAM_OK) {
        end_asked(daemon);
        return;
    }
    log_listening(daemon);
}

static loam_status put_together(daemon_state *daemon, loam_error *error) {
    daemon->loop = loop_create();
    if (daemon->loop == NULL) {
        return loam_fail(error, LOAM_IO, NULL, "an event loop cannot be had");
    }
    LOAM_TRY(open_store(daemon, error));
    daemon->flow = flow_create(daemon->settings, daemon->loop, daemon->store, error);
    if (daemon->flow == NULL) {
        return error->status;
    }
    LOAM_TRY(start_http(daemon, error));
    LOAM_TRY(listen_to_signals(daemon, error));
    return flow_begin(daemon->flow, became_ready, daemon);
}

loam_status daemon_run(const config *settings, loam_error *error) {
    daemon_state daemon = {.settings = settings};
    loam_status status = put_together(&daemon, error);
    if (status == LOAM_OK) {
        loop_run(daemon.loop);
        status = daemon.error.status;
        if (status != LOAM_OK) {
            loam_fail(error, status, NULL, "%s", daemon.error.text);
        } else {
            port_file_remove(settings->port_file);
        }
    }
    take_apart(&daemon);
    return status;
}
