/* SPDX-License-Identifier: MIT
 *
 * metrics.h: what the daemon counts, and its Prometheus text. Single series stand in one table and
 * may be counted from any thread; requests are counted per route template, method and status on the
 * network thread alone. No label ever holds a name, a coordinate or a path.
 */
#ifndef LOAM_SERVER_WATCH_METRICS_H
#define LOAM_SERVER_WATCH_METRICS_H

#include "core/loam.h"

/* Routes whose latencies are told apart: each template, and "none" for what finds no route.
 * server/flow/request_log.c holds it against the table of routes. */
enum { METRIC_ROUTES_MAX = 97 };

/* Name, kind, family, labels, help. Families stand together. */
#define METRIC_TABLE(X)                                                                            \
    X(CELLS_BUILT, counter, "loam_cells_built_total", "", "Cells evaluated.")                      \
    X(CELLS_FAILED, counter, "loam_cells_failed_total", "", "Evaluations that ended in an error.") \
    X(CELLS_JUDGED, counter, "loam_cells_judged_total", "", "Cells held against checks.")          \
    X(CHECKS_FAILED, counter, "loam_checks_failed_total", "", "Cells that then failed them.")      \
    X(POINTS_BUILT, counter, "loam_points_built_total", "", "Points in evaluated cells.")          \
    X(DUNGEONS_BUILT, counter, "loam_dungeons_built_total", "", "Dungeons built.")                 \
    X(DUNGEONS_FAILED, counter, "loam_dungeons_failed_total", "",                                  \
      "Builds that ended in an error.")                                                            \
    X(HITS_RAM, counter, "loam_cache_hits_total", "layer=\"ram\"", "Answers found, by layer.")     \
    X(HITS_STORE, counter, "loam_cache_hits_total", "layer=\"store\"", "")                         \
    X(CONTENTS_BUILT, counter, "loam_contents_built_total", "", "Contents of dungeons drawn.")     \
    X(CONTENTS_FAILED, counter, "loam_contents_failed_total", "", "Drawings that failed.")         \
    X(CONTENTS_MISSED, counter, "loam_content_misses_total", "", "Contents that were not stored.") \
    X(MISSES, counter, "loam_cache_misses_total", "", "Cells that had to be evaluated.")           \
    X(DUNGEONS_MISSED, counter, "loam_dungeon_misses_total", "", "Dungeons that were not stored.") \
    X(COLLAPSED, counter, "loam_requests_collapsed_total", "",                                     \
      "Requests that joined work already under way.")                                              \
    X(DAMAGED, counter, "loam_store_damaged_total", "",                                            \
      "Stored results and assets found damaged.")                                                  \
    X(ALARMS, counter, "loam_determinism_alarms_total", "",                                        \
      "Keys that were given a second, different digest.")                                          \
    X(SHED_JOB, counter, "loam_overloaded_total", "class=\"job\"",                                 \
      "Requests refused because too much is asked for, by class.")                                 \
    X(SHED_BULK, counter, "loam_overloaded_total", "class=\"bulk\"", "")                           \
    X(SHED_SINGLE, counter, "loam_overloaded_total", "class=\"single\"", "")                       \
    X(SHED_CONNECTION, counter, "loam_overloaded_total", "class=\"connection\"", "")               \
    X(JOB_CELLS, counter, "loam_job_cells_total", "", "Cells of jobs that ended.")                 \
    X(JOB_DUNGEONS, counter, "loam_job_dungeons_total", "", "Dungeons of jobs that ended.")        \
    X(QUEUE_INTERACTIVE, gauge, "loam_queue_length", "class=\"interactive\"",                      \
      "Work that waits, by class.")                                                                \
    X(QUEUE_BATCH, gauge, "loam_queue_length", "class=\"batch\"", "")                              \
    X(QUEUE_READER, gauge, "loam_queue_length", "class=\"reader\"", "")                            \
    X(QUEUE_WRITER, gauge, "loam_queue_length", "class=\"writer\"", "")                            \
    X(WORKERS, gauge, "loam_workers", "", "Worker threads.")                                       \
    X(WORKERS_BUSY, gauge, "loam_workers_busy", "", "Worker threads at work.")                     \
    X(FLIGHTS, gauge, "loam_flights", "", "Cells under way, each once.")                           \
    X(CONNECTIONS, gauge, "loam_http_connections", "", "Open connections.")                        \
    X(CONNECTIONS_REFUSED, counter, "loam_http_connections_refused_total", "",                     \
      "Connections closed at once: too many of their address.")                                    \
    X(CONNECTIONS_YIELDED, counter, "loam_http_connections_yielded_total", "",                     \
      "Silent connections closed for new ones, when nearly as many as may be are open.")           \
    X(RAM_CACHE_BYTES, gauge, "loam_ram_cache_bytes", "", "Bytes of answers in memory.")           \
    X(RAM_CACHE_ENTRIES, gauge, "loam_ram_cache_entries", "", "Answers in memory.")                \
    X(STAGE_HITS, counter, "loam_stage_hits_total", "", "Stages of evaluations found in memory.")  \
    X(STAGE_MISSES, counter, "loam_stage_misses_total", "", "Stages that had to be computed.")     \
    X(STAGE_BYTES, gauge, "loam_stage_bytes", "", "Bytes of stages in memory.")                    \
    X(ASSET_BYTES, gauge, "loam_asset_ram_bytes", "", "Bytes of decoded assets in memory.")        \
    X(CONTENT_BYTES, gauge, "loam_asset_content_bytes", "",                                        \
      "Bytes of assets that are being sent.")                                                      \
    X(STORE_BLOBS, gauge, "loam_store_blobs", "", "Results in the store.")                         \
    X(STORE_BYTES, gauge, "loam_store_bytes", "", "Bytes of results in the store.")                \
    X(STORE_WAL_BYTES, gauge, "loam_store_wal_bytes", "", "Bytes of the write-ahead logs.")        \
    X(STORE_COMMITS, counter, "loam_store_commits_total", "", "Transactions committed.")           \
    X(STORE_FAILURES, counter, "loam_store_write_failures_total", "",                              \
      "Transactions that did not commit.")                                                         \
    X(DISK_FREE, gauge, "loam_disk_free_bytes", "", "Free on the disk of the data folder.")        \
    X(DISK_NEEDED, gauge, "loam_disk_needed_bytes", "", "With less free the daemon is not ready.") \
    X(READY, gauge, "loam_ready", "", "1 when /healthz/ready answers 200.")                        \
    X(JOBS_ACTIVE, gauge, "loam_jobs_active", "", "Jobs queued, running or paused.")

typedef enum metric {
#define METRIC_ENUM(name, kind, family, labels, help) METRIC_##name,
    METRIC_TABLE(METRIC_ENUM)
#undef METRIC_ENUM
        METRIC_COUNT
} metric;

void metric_add(metric metric, int64_t amount);
void metric_set(metric metric, int64_t value);
int64_t metric_get(metric metric);

/* Time of one evaluation; any thread. */
void metric_observe_cell(uint64_t microseconds);
/* One answered request; network thread only. `route` and `method` are static texts. */
void metric_count_request(const char *route, const char *method, int status, uint64_t microseconds);

/* The whole text, as a sink takes it; network thread only. */
void metrics_write(loam_sink sink);

#endif
