/* SPDX-License-Identifier: MIT
 *
 * health.c: see health.h. That the loop turns is proven by the answer itself.
 */
#include "server/flow/health.h"

#include "api/key/stage_cache.h"
#include "api/wire/problem.h"
#include "server/flight/flight.h"
#include "server/slot/ram_cache.h"
#include "server/slot/reply.h"
#include "server/watch/metrics.h"
#include "server/world/asset_table.h"
#include "server/world/content_table.h"

/* A histogram and a few counts for each of METRIC_ROUTES_MAX routes: some 5 KB each. */
#define METRICS_BYTES_MAX ((size_t)8 << 20)

static bool answer_state(http_request *request, const char *state) {
    text_buffer buffer;
    buffer_init(&buffer, PROBLEM_BYTES_MAX);
    buffer_open_object(&buffer);
    buffer_key(&buffer, "status");
    buffer_string(&buffer, state);
    buffer_close_object(&buffer);
    http_reply(request, reply_document(request, &buffer,
                                       (reply_form){.cache = CACHE_NONE, .any_accept = true}));
    buffer_fini(&buffer);
    return true;
}

bool health_live(flow_state *flow, http_request *request) {
    (void)flow;
    return answer_state(request, "live");
}

/* Whether what is asked for can be done and what is accepted kept. */
static loam_status check_ready(const flow_state *flow, loam_error *error) {
    if (flow->draining || !flow->ready) {
        return loam_fail(error, LOAM_SHUTTING_DOWN, NULL, "%s",
                         flow->draining ? "the daemon is shutting down" : "the daemon is starting");
    }
    store_health of = store_health_read(flow->store);
    if (of.disk_is_low) {
        return loam_fail(error, LOAM_STORAGE_FULL, NULL,
                         "the disk is nearly full: %llu bytes are free, %llu are needed",
                         (unsigned long long)of.disk_bytes_free,
                         (unsigned long long)of.disk_bytes_needed);
    }
    return of.trouble == LOAM_OK
               ? LOAM_OK
               : loam_fail(error, of.trouble, NULL, "the store does not take writes: %s",
                           loam_status_text(of.trouble));
}

bool health_ready(flow_state *flow, http_request *request) {
    loam_error error = {0};
    if (check_ready(flow, &error) == LOAM_OK) {
        return answer_state(request, "ready");
    }
    http_reply(request, reply_problem(&error, &(reply_form){.retry_after_s = RETRY_AFTER_S}));
    return true;
}

static void read_gauges(flow_state *flow) {
    store_statistics of = store_statistics_read(flow->store);
    store_health health = store_health_read(flow->store);
    stage_counts stages = stage_cache_counts(flow->stages);
    metric_set(METRIC_READY, check_ready(flow, NULL) == LOAM_OK);
    metric_set(METRIC_DISK_FREE, (int64_t)health.disk_bytes_free);
    metric_set(METRIC_DISK_NEEDED, (int64_t)health.disk_bytes_needed);
    metric_set(METRIC_DAMAGED, (int64_t)of.damaged);
    metric_set(METRIC_STORE_FAILURES, (int64_t)of.write_failures);
    metric_set(METRIC_QUEUE_INTERACTIVE, pool_queue_length(flow->workers, POOL_INTERACTIVE));
    metric_set(METRIC_QUEUE_BATCH, pool_queue_length(flow->workers, POOL_BATCH));
    metric_set(METRIC_QUEUE_READER, (int64_t)of.reader_queue);
    metric_set(METRIC_QUEUE_WRITER, (int64_t)(of.cache_queue + of.control_queue));
    metric_set(METRIC_WORKERS, pool_threads(flow->workers));
    metric_set(METRIC_WORKERS_BUSY, pool_busy(flow->workers));
    metric_set(METRIC_CONNECTIONS, http_connections(flow->server));
    metric_set(METRIC_CONNECTIONS_REFUSED, (int64_t)http_connections_refused(flow->server));
    metric_set(METRIC_SHED_CONNECTION, (int64_t)http_requests_crowded(flow->server));
    metric_set(METRIC_CONNECTIONS_YIELDED, (int64_t)http_connections_yielded(flow->server));
    metric_set(METRIC_RAM_CACHE_BYTES, (int64_t)ram_cache_bytes(flow->answers));
    metric_set(METRIC_RAM_CACHE_ENTRIES, ram_cache_count(flow->answers));
    metric_set(METRIC_STAGE_HITS, (int64_t)stages.hits);
    metric_set(METRIC_STAGE_MISSES, (int64_t)stages.misses);
    metric_set(METRIC_STAGE_BYTES, (int64_t)stages.bytes);
    metric_set(METRIC_CONTENT_BYTES, (int64_t)content_table_bytes(flow->contents));
    metric_set(METRIC_STORE_BLOBS, (int64_t)of.blobs);
    metric_set(METRIC_STORE_BYTES, (int64_t)of.cache_bytes);
    metric_set(METRIC_STORE_WAL_BYTES, (int64_t)(of.cache_wal_bytes + of.control_wal_bytes));
    metric_set(METRIC_STORE_COMMITS, (int64_t)(of.cache_commits + of.control_commits));
}

bool health_metrics(flow_state *flow, http_request *request) {
    text_buffer buffer;
    read_gauges(flow);
    buffer_init(&buffer, METRICS_BYTES_MAX);
    metrics_write(buffer_sink(&buffer));
    http_reply(request,
               reply_document(request, &buffer,
                              (reply_form){.type = "text/plain; version=0.0.4; charset=utf-8",
                                           .any_accept = true,
                                           .cache = CACHE_NONE}));
    buffer_fini(&buffer);
    return true;
}
