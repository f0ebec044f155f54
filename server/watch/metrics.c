/* SPDX-License-Identifier: MIT
 *
 * metrics.c: the counters. Requests are kept in a small open-addressed table: its size is bounded
 * because route templates, methods and status codes are all few.
 */
#include "server/watch/metrics.h"

#include "server/watch/metrics_state.h"

static _Atomic int64_t values[METRIC_COUNT];
static request_series requests[REQUEST_SERIES_MAX];
static latency_series latencies[LATENCY_SERIES_MAX];
static atomic_histogram cell_seconds;

const uint64_t histogram_edges[HISTOGRAM_BUCKETS] = {100,    250,    500,     1000,    2500,
                                                     5000,   10000,  25000,   50000,   100000,
                                                     250000, 500000, 1000000, 5000000, 30000000};

void metric_add(metric which, int64_t amount) {
    atomic_fetch_add_explicit(&values[which], amount, memory_order_relaxed);
}

void metric_set(metric which, int64_t value) {
    atomic_store_explicit(&values[which], value, memory_order_relaxed);
}

int64_t metric_get(metric which) {
    return atomic_load_explicit(&values[which], memory_order_relaxed);
}

static uint32_t bucket_of(uint64_t microseconds) {
    uint32_t bucket = 0;
    while (bucket < HISTOGRAM_BUCKETS && microseconds > histogram_edges[bucket]) {
        bucket++;
    }
    return bucket;
}

void metric_observe_cell(uint64_t microseconds) {
    atomic_fetch_add_explicit(&cell_seconds.counts[bucket_of(microseconds)], 1,
                              memory_order_relaxed);
    atomic_fetch_add_explicit(&cell_seconds.microseconds, microseconds, memory_order_relaxed);
}

const atomic_histogram *metrics_cell_seconds(void) {
    return &cell_seconds;
}

static void count_series(const char *route, const char *method, int status) {
    for (uint32_t i = 0; i < REQUEST_SERIES_MAX; i++) {
        request_series *series = &requests[i];
        if (series->route == NULL) {
            *series = (request_series){.route = route, .method = method, .status = status};
        }
        if (series->route == route && series->method == method && series->status == status) {
            series->count++;
            return;
        }
    }
}

static void observe_latency(const char *route, uint64_t microseconds) {
    for (uint32_t i = 0; i < LATENCY_SERIES_MAX; i++) {
        latency_series *series = &latencies[i];
        if (series->route == NULL) {
            series->route = route;
        }
        if (series->route == route) {
            series->counts[bucket_of(microseconds)]++;
            series->microseconds += microseconds;
            return;
        }
    }
}

void metric_count_request(const char *route, const char *method, int status,
                          uint64_t microseconds) {
    count_series(route, method, status);
    observe_latency(route, microseconds);
}

const request_series *metrics_request(uint32_t index) {
    return index < REQUEST_SERIES_MAX && requests[index].route != NULL ? &requests[index] : NULL;
}

const latency_series *metrics_latency(uint32_t index) {
    return index < LATENCY_SERIES_MAX && latencies[index].route != NULL ? &latencies[index] : NULL;
}
