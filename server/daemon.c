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
#include "server/service_manager.h"
#include "server/watch/log.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
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
    peer_range proxies[CONFIG_LIST_ITEMS];
    char local_address[CONFIG_TEXT_BYTES + 8];
    inherited_sockets inherited;
    loop_signal *terminate;
    loop_signal *interrupt;
    loop_signal *hang_up;
    loop_timer *drain;
    bool ready; /* and the service manager knows */
    bool draining;
    bool cancelled;
    uint64_t drain_until_ms;
    loam_error error; /* found once the loop runs */
} daemon_state;

/* ---- Down ----------------------------------------------------------------------------------- */

/* Nothing is under way, and while there is patience nobody is in the middle of a body or an answer.
 */
static bool is_quiet(const daemon_state *daemon) {
    return flow_is_idle(daemon->flow) && http_waiting(daemon->server) == 0 &&
           (daemon->cancelled || http_busy(daemon->server) == 0);
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
    service_notify("STOPPING=1");
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

/* On a thread of the store. */
static void log_health(void *context, const store_health *now) {
    log_line line;
    (void)context;
    log_begin(&line, now->trouble == LOAM_OK ? LOG_INFO : LOG_ERROR, "store-health");
    log_string(&line, "state", now->trouble == LOAM_OK ? "well" : loam_status_code(now->trouble));
    log_number(&line, "disk_bytes_free", (int64_t)now->disk_bytes_free);
    log_number(&line, "disk_bytes_needed", (int64_t)now->disk_bytes_needed);
    log_end(&line);
}

static loam_status open_store(daemon_state *daemon, loam_error *error) {
    const config *settings = daemon->settings;
    store_options options = {.dir = settings->data,
                             .cache_bytes_max = (uint64_t)settings->cache_bytes,
                             .reader_threads = (uint32_t)settings->reader_threads,
                             .health_changed = log_health};
    return store_open(&options, &daemon->store, error);
}

/* Tokens cross the net only where nobody reads them on the way, or the operator says so. */
static http_exposure find_exposure(const config *settings) {
    if (settings->tokens[0] == 0) {
        return EXPOSURE_LOOPBACK;
    }
    bool covered = settings->tls_cert[0] != 0 || settings->plaintext != 0;
    return covered ? EXPOSURE_ANY : EXPOSURE_NEEDS_TLS;
}

static loam_status read_proxies(daemon_state *daemon, proxy_rules *to, loam_error *error) {
    const config_list *list = &daemon->settings->trusted_proxies;
    *to = (proxy_rules){.ranges = daemon->proxies,
                        .kind = (forwarded_kind)daemon->settings->forwarded_header};
    for (uint32_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i], "unix") == 0) {
            to->local = true;
        } else if (!peer_range_read(loam_text_of(list->items[i]),
                                    &daemon->proxies[to->range_count++])) {
            return loam_fail(error, LOAM_OUT_OF_RANGE, NULL,
                             "--trusted-proxy: %s is no address and no range of them",
                             list->items[i]);
        }
    }
    return LOAM_OK;
}

/* Sockets that were handed over, or else those that the options name. */
static loam_status choose_sockets(daemon_state *daemon, http_options *options, loam_error *error) {
    static const uint32_t modes[] = {
        [UNIX_OWNER] = 0600, [UNIX_GROUP] = 0660, [UNIX_EVERYONE] = 0666};
    const config *settings = daemon->settings;
    LOAM_TRY(service_sockets(&daemon->inherited, error));
    options->local_mode = modes[settings->unix_mode];
    options->inherited = daemon->inherited.descriptors;
    options->inherited_count = daemon->inherited.count;
    if (daemon->inherited.count > 0) {
        return LOAM_OK;
    }
    options->address = settings->address[0] == 0 ? NULL : settings->address;
    options->port = settings->port;
    if (settings->unix_path[0] != 0) {
        snprintf(daemon->local_address, sizeof daemon->local_address, "unix:%s",
                 settings->unix_path);
        options->local_address = daemon->local_address;
    }
    return options->address != NULL || options->local_address != NULL
               ? LOAM_OK
               : loam_fail(error, LOAM_MISSING_FIELD, NULL,
                           "--listen none: without --unix there is nothing to listen on");
}

static const char *text_or_null(const char *text) {
    return text[0] == 0 ? NULL : text;
}

static void lend_lists(daemon_state *daemon) {
    for (uint32_t i = 0; i < CONFIG_LIST_ITEMS; i++) {
        daemon->hosts[i] = daemon->settings->hosts.items[i];
        daemon->origins[i] = daemon->settings->origins.items[i];
    }
}

static loam_status start_http(daemon_state *daemon, loam_error *error) {
    const config *settings = daemon->settings;
    http_options options = {.exposure = find_exposure(settings),
                            .certificate_file = text_or_null(settings->tls_cert),
                            .certificate_key_file = text_or_null(settings->tls_key),
                            .hosts = daemon->hosts,
                            .host_count = settings->hosts.count,
                            .any_host = settings->tokens[0] != 0,
                            .origins = daemon->origins,
                            .origin_count = settings->origins.count,
                            .io = flow_io_pool(daemon->flow),
                            .upload_folder = store_uploads_dir(daemon->store),
                            .connection_limit = (uint32_t)settings->connection_limit,
                            .per_address_limit = (uint32_t)settings->address_connection_limit,
                            .headers_ms = (uint32_t)settings->header_deadline_s * 1000,
                            .body_ms = (uint32_t)settings->body_window_s * 1000,
                            .response_stall_ms = (uint32_t)settings->stall_s * 1000,
                            .idle_ms = (uint32_t)settings->idle_s * 1000,
                            .handler = flow_handler(daemon->flow)};
    lend_lists(daemon);
    LOAM_TRY(read_proxies(daemon, &options.proxies, error));
    LOAM_TRY(choose_sockets(daemon, &options, error));
    daemon->server = http_start(daemon->loop, &options, error);
    if (daemon->server == NULL) {
        return error->status;
    }
    flow_set_server(daemon->flow, daemon->server);
    return LOAM_OK;
}

/* ---- Anew ----------------------------------------------------------------------------------- */

static void log_reload(const char *what, const loam_error *error) {
    log_line line;
    log_begin(&line, error->status == LOAM_OK ? LOG_INFO : LOG_ERROR, "reloaded");
    log_string(&line, "what", what);
    if (error->status != LOAM_OK) {
        log_error(&line, error);
    }
    log_end(&line);
}

/* A manager takes "ready" at its word, whenever it comes: not before it is true, nor after
 * "stopping". */
static void tell_reload(const daemon_state *daemon, const char *state) {
    if (daemon->ready && !daemon->draining) {
        service_notify(state);
    }
}

/* What fails stays as it was: a slip of the pen must not lock everybody out. */
static void reload_asked(void *context) {
    daemon_state *daemon = context;
    const config *settings = daemon->settings;
    loam_error tokens = {0};
    loam_error certificate = {0};
    tell_reload(daemon, "RELOADING=1");
    if (settings->tokens[0] != 0) {
        tokens.status = flow_reload(daemon->flow, &tokens);
        log_reload("tokens", &tokens);
    }
    if (settings->tls_cert[0] != 0) {
        certificate.status =
            http_reload_certificate(settings->tls_cert, settings->tls_key, &certificate);
        log_reload("certificate", &certificate);
    }
    tell_reload(daemon, "READY=1");
}

static loam_status listen_to_signals(daemon_state *daemon, loam_error *error) {
    daemon->drain = loop_timer_create(daemon->loop, drain_step, daemon);
    daemon->terminate = loop_on_signal(daemon->loop, SIGTERM, end_asked, daemon);
    daemon->interrupt = loop_on_signal(daemon->loop, SIGINT, end_asked, daemon);
    daemon->hang_up = loop_on_signal(daemon->loop, SIGHUP, reload_asked, daemon);
    if (daemon->hang_up == NULL || daemon->drain == NULL || daemon->terminate == NULL ||
        daemon->interrupt == NULL) {
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
    log_string(&line, "unix", daemon->settings->unix_path);
    log_number(&line, "inherited", (int64_t)daemon->inherited.count);
    log_string(&line, "tls", daemon->settings->tls_cert[0] == 0 ? "no" : "yes");
    log_string(&line, "tokens", daemon->settings->tokens[0] == 0 ? "no" : "yes");
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
    daemon->ready = true;
    service_notify("READY=1");
    service_watchdog(daemon->loop);
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
