/* SPDX-License-Identifier: MIT
 *
 * test_metrics.c: counters, their text, and that its shape is what Prometheus reads.
 */
#include "server/watch/metrics.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[131072];
static size_t used;

static void gather(void *context, const void *bytes, size_t size) {
    (void)context;
    cr_assert(used + size < sizeof text);
    memcpy(text + used, bytes, size);
    used += size;
    text[used] = 0;
}

static void print(void) {
    used = 0;
    metrics_write((loam_sink){gather, NULL});
}

Test(metrics, counters_add_up_and_are_printed) {
    metric_add(METRIC_CELLS_BUILT, 2);
    metric_add(METRIC_CELLS_BUILT, 3);
    metric_set(METRIC_QUEUE_BATCH, 7);
    print();
    cr_expect(strstr(text, "\nloam_cells_built_total 5\n") != NULL);
    cr_expect(strstr(text, "\nloam_queue_length{class=\"batch\"} 7\n") != NULL);
    cr_expect(strstr(text, "loam_build_info{version=\"" LOAM_VERSION_TEXT "\"} 1\n") != NULL);
}

Test(metrics, requests_are_counted_by_route_method_and_status) {
    metric_count_request("/v1/worlds", "GET", 200, 120);
    metric_count_request("/v1/worlds", "GET", 200, 6000000);
    metric_count_request("/v1/worlds", "PUT", 201, 99);
    print();
    cr_expect(strstr(text, "loam_http_requests_total{route=\"/v1/worlds\",method=\"GET\","
                           "status=\"200\"} 2\n") != NULL);
    cr_expect(strstr(text, "loam_http_request_seconds_bucket{route=\"/v1/worlds\","
                           "le=\"0.000100\"} 1\n") != NULL);
    cr_expect(strstr(text, "loam_http_request_seconds_bucket{route=\"/v1/worlds\","
                           "le=\"+Inf\"} 3\n") != NULL);
    cr_expect(strstr(text, "loam_http_request_seconds_count{route=\"/v1/worlds\"} 3\n") != NULL);
}

Test(metrics, every_family_has_one_head_and_every_line_a_number) {
    metric_count_request("/v1/jobs", "GET", 200, 1);
    print();
    char *save = NULL;
    char seen[64][80];
    uint32_t families = 0;
    for (char *line = strtok_r(text, "\n", &save); line != NULL;
         line = strtok_r(NULL, "\n", &save)) {
        char family[80];
        if (sscanf(line, "# TYPE %79s", family) == 1) {
            for (uint32_t i = 0; i < families; i++) {
                cr_expect_str_neq(seen[i], family);
            }
            memcpy(seen[families++], family, sizeof family);
        } else if (line[0] != '#') {
            char *end = NULL;
            strtod(strrchr(line, ' ') + 1, &end);
            cr_expect_eq(*end, 0, "%s", line);
        }
    }
    cr_expect_gt(families, 20);
}
