/* SPDX-License-Identifier: MIT
 *
 * metrics_text.c: the counters as Prometheus text (exposition format 0.0.4).
 */
#include "server/watch/metrics.h"

#include "server/watch/metrics_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct metric_row {
    const char *kind;
    const char *family;
    const char *labels;
    const char *help;
} metric_row;

static const metric_row rows[METRIC_COUNT] = {
#define METRIC_ROW(name, kind, family, labels, help) {#kind, family, labels, help},
    METRIC_TABLE(METRIC_ROW)
#undef METRIC_ROW
};

/* The longest line: a family, three labels of route length, a number. */
enum { LINE_BYTES = 512 };

static void print(loam_sink sink, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void print(loam_sink sink, const char *format, ...) {
    char line[LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (size > 0) {
        sink.write(sink.context, line, (size_t)size < sizeof line ? (size_t)size : LINE_BYTES - 1);
    }
}

static void print_head(loam_sink sink, const char *family, const char *kind, const char *help) {
    print(sink, "# HELP %s %s\n# TYPE %s %s\n", family, help, family, kind);
}

static void print_table(loam_sink sink) {
    for (uint32_t i = 0; i < METRIC_COUNT; i++) {
        const metric_row *row = &rows[i];
        if (i == 0 || strcmp(rows[i - 1].family, row->family) != 0) {
            print_head(sink, row->family, row->kind, row->help);
        }
        bool plain = row->labels[0] == 0;
        print(sink, "%s%s%s%s %lld\n", row->family, plain ? "" : "{", row->labels, plain ? "" : "}",
              (long long)metric_get((metric)i));
    }
}

static void print_requests(loam_sink sink) {
    print_head(sink, "loam_http_requests_total", "counter", "Requests answered.");
    const request_series *series = NULL;
    for (uint32_t i = 0; (series = metrics_request(i)) != NULL; i++) {
        print(sink, "loam_http_requests_total{route=\"%s\",method=\"%s\",status=\"%d\"} %llu\n",
              series->route, series->method, series->status, (unsigned long long)series->count);
    }
}

/* Bucket counts add up, as the format wants; `labels` is "" or ends with a comma. */
static void print_buckets(loam_sink sink, const char *family, const char *labels,
                          const uint64_t *counts, uint64_t microseconds) {
    uint64_t sum = 0;
    char plain[LINE_BYTES / 2] = "";
    for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        sum += counts[i];
        print(sink, "%s_bucket{%sle=\"%llu.%06llu\"} %llu\n", family, labels,
              (unsigned long long)(histogram_edges[i] / 1000000),
              (unsigned long long)(histogram_edges[i] % 1000000), (unsigned long long)sum);
    }
    sum += counts[HISTOGRAM_BUCKETS];
    if (labels[0] != 0) {
        snprintf(plain, sizeof plain, "{%.*s}", (int)strlen(labels) - 1, labels);
    }
    print(sink, "%s_bucket{%sle=\"+Inf\"} %llu\n", family, labels, (unsigned long long)sum);
    print(sink, "%s_sum%s %llu.%06llu\n%s_count%s %llu\n", family, plain,
          (unsigned long long)(microseconds / 1000000),
          (unsigned long long)(microseconds % 1000000), family, plain, (unsigned long long)sum);
}

static void print_latencies(loam_sink sink) {
    print_head(sink, "loam_http_request_seconds", "histogram", "Time from request to answer.");
    const latency_series *series = NULL;
    for (uint32_t i = 0; (series = metrics_latency(i)) != NULL; i++) {
        char labels[LINE_BYTES / 2];
        snprintf(labels, sizeof labels, "route=\"%.200s\",", series->route);
        print_buckets(sink, "loam_http_request_seconds", labels, series->counts,
                      series->microseconds);
    }
}

static void print_cells(loam_sink sink) {
    const atomic_histogram *cells = metrics_cell_seconds();
    uint64_t counts[HISTOGRAM_BUCKETS + 1];
    for (uint32_t i = 0; i <= HISTOGRAM_BUCKETS; i++) {
        counts[i] = cells->counts[i];
    }
    print_head(sink, "loam_cell_build_seconds", "histogram", "Time of one cell's evaluation.");
    print_buckets(sink, "loam_cell_build_seconds", "", counts, cells->microseconds);
}

void metrics_write(loam_sink sink) {
    print_head(sink, "loam_build_info", "gauge", "The release; always 1.");
    print(sink, "loam_build_info{version=\"" LOAM_VERSION_TEXT "\"} 1\n");
    print_table(sink);
    print_cells(sink);
    print_requests(sink);
    print_latencies(sink);
}
