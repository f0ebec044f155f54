/* SPDX-License-Identifier: MIT
 *
 * metrics_state.h: the series behind metrics.h, shared by the file that counts and the file that
 * prints; no one else includes it.
 */
#ifndef LOAM_SERVER_WATCH_METRICS_STATE_H
#define LOAM_SERVER_WATCH_METRICS_STATE_H

#include "server/watch/metrics.h"

#include <stdatomic.h>
#include <stdint.h>

/* Upper edges in microseconds, from a hit in memory to the longest wait. */
enum { HISTOGRAM_BUCKETS = 15 };
extern const uint64_t histogram_edges[HISTOGRAM_BUCKETS];

/* A route has one method or two, of which HEAD is rare, and answers with some ten statuses. */
enum { LATENCY_SERIES_MAX = METRIC_ROUTES_MAX, REQUEST_SERIES_MAX = METRIC_ROUTES_MAX * 11 };

typedef struct request_series {
    const char *route;
    const char *method;
    int status;
    uint64_t count;
} request_series;

typedef struct latency_series {
    const char *route;
    uint64_t counts[HISTOGRAM_BUCKETS + 1];
    uint64_t microseconds;
} latency_series;

typedef struct atomic_histogram {
    _Atomic uint64_t counts[HISTOGRAM_BUCKETS + 1];
    _Atomic uint64_t microseconds;
} atomic_histogram;

/* NULL past the last one. */
const request_series *metrics_request(uint32_t index);
const latency_series *metrics_latency(uint32_t index);
const atomic_histogram *metrics_cell_seconds(void);

#endif
