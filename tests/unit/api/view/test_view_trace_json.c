/* SPDX-License-Identifier: MIT */
#include "api/view/view_trace_json.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* sites -> gentle -> kept, and rocks beside them; kept also takes a slot. */
static const loam_operation sampler = {.name = "grid.sample"};
static const loam_operation filter = {.name = "filter.slope", .port_count = 1};
static const loam_operation veto = {.name = "zone.exclude", .port_count = 2};

static loam_node nodes[] = {
    {.name = {"gentle", 6},
     .operation = &filter,
     .inputs = (loam_source[]){{.kind = LOAM_SOURCE_NODE, .index = 3}}},
    {.name = {"kept", 4},
     .operation = &veto,
     .inputs = (loam_source[]){{.kind = LOAM_SOURCE_NODE, .index = 0}, {.kind = LOAM_SOURCE_SLOT}}},
    {.name = {"rocks", 5}, .operation = &sampler},
    {.name = {"sites", 5}, .operation = &sampler},
};
static const loam_graph graph = {.nodes = nodes, .node_count = 4};

static void expect_trace(loam_trace_node *traced, uint32_t count, const char *expected) {
    loam_trace trace = {.nodes = traced, .node_count = count};
    text_buffer to;
    buffer_init(&to, 1 << 16);
    cr_assert_eq(view_trace_json(&trace, &graph, 1000, &to), LOAM_OK);
    cr_expect(to.size == strlen(expected) && strncmp(to.bytes, expected, to.size) == 0,
              "got  %.*s\nwant %s", (int)to.size, to.bytes, expected);
    buffer_fini(&to);
}

Test(view_trace_json, a_node_tells_its_funnel_exactly) {
    loam_trace_node traced[] = {{.node = 3,
                                 .points_in = 0,
                                 .points_out = 3,
                                 .window_in = 0,
                                 .window_out = 9,
                                 .bounds = {-1, 0, 256, 128, 64, 512},
                                 .density_sum = 8 << 20,
                                 .ticks = 1999,
                                 .path = "vector"}};
    expect_trace(traced, 1,
                 "{\"nodes\":[{\"node\":\"sites\",\"op\":\"grid.sample\",\"points_in\":0,"
                 "\"points_out\":3,\"window_in\":0,\"window_out\":9,\"bounds_m\":{\"min\":"
                 "[-0.00390625,0,1],\"max\":[0.5,0.25,2]},\"mean_density\":0.16666668653488159"
                 "1796875,\"microseconds\":1,\"path\":\"vector\"}],\"first_empty\":null,"
                 "\"suspicious\":null}");
}

Test(view_trace_json, a_node_without_points_has_no_bounds_and_no_density) {
    loam_trace_node traced[] = {{.node = 3}};
    expect_trace(traced, 1,
                 "{\"nodes\":[{\"node\":\"sites\",\"op\":\"grid.sample\",\"points_in\":0,"
                 "\"points_out\":0,\"window_in\":0,\"window_out\":0,\"bounds_m\":null,"
                 "\"mean_density\":null,\"microseconds\":0,\"path\":\"\"}],\"first_empty\":"
                 "\"sites\",\"suspicious\":null}");
}

static void expect_first_empty(const uint64_t points_out[4], const char *tail) {
    static const uint32_t order[] = {1, 0, 3, 2};
    loam_trace_node traced[4] = {0};
    for (uint32_t i = 0; i < 4; i++) {
        traced[i].node = order[i];
        traced[i].points_out = points_out[order[i]];
    }
    loam_trace trace = {.nodes = traced, .node_count = 4};
    text_buffer to;
    buffer_init(&to, 1 << 16);
    cr_assert_eq(view_trace_json(&trace, &graph, 1, &to), LOAM_OK);
    size_t size = strlen(tail);
    cr_expect(to.size > size && memcmp(to.bytes + to.size - size, tail, size) == 0, "got %.*s",
              (int)to.size, to.bytes);
    buffer_fini(&to);
}

Test(view_trace_json, the_first_empty_node_is_where_the_funnel_ran_dry) {
    expect_first_empty((const uint64_t[]){5, 2, 1, 9}, "\"first_empty\":null,\"suspicious\":null}");
    expect_first_empty((const uint64_t[]){5, 0, 1, 9},
                       "\"first_empty\":\"kept\",\"suspicious\":null}");
    expect_first_empty((const uint64_t[]){0, 0, 1, 9},
                       "\"first_empty\":\"gentle\",\"suspicious\":null}");
    expect_first_empty((const uint64_t[]){0, 0, 1, 0},
                       "\"first_empty\":\"sites\",\"suspicious\":null}");
}

Test(view_trace_json, the_steepest_step_below_a_twentieth_is_suspicious) {
    loam_trace_node traced[] = {
        {.node = 3, .points_out = 100000},
        {.node = 2, .points_in = 100000, .points_out = 30000},
        {.node = 1, .points_in = 30000, .points_out = 8000},
        {.node = 0, .points_in = 8000, .points_out = 200},
    };
    loam_trace trace = {.nodes = traced, .node_count = 4};
    text_buffer to;
    char tail[64];
    buffer_init(&to, 1 << 16);
    cr_assert_eq(view_trace_json(&trace, &graph, 1, &to), LOAM_OK);
    snprintf(tail, sizeof tail, "\"suspicious\":\"%s\"}", graph.nodes[0].name.bytes);
    cr_expect_not_null(memmem(to.bytes, to.size, tail, strlen(tail)), "%.*s", (int)to.size,
                       to.bytes);
    buffer_clear(&to);
    traced[3].points_out = 400; /* a twentieth */
    cr_assert_eq(view_trace_json(&trace, &graph, 1, &to), LOAM_OK);
    cr_expect_not_null(memmem(to.bytes, to.size, "\"suspicious\":null", 17));
    buffer_fini(&to);
}

Test(view_trace_json, it_stops_at_the_limit_of_its_buffer) {
    loam_trace_node traced[] = {{.node = 3}};
    loam_trace trace = {.nodes = traced, .node_count = 1};
    text_buffer to;
    buffer_init(&to, 100);
    cr_assert_eq(view_trace_json(&trace, &graph, 1, &to), LOAM_TOO_LARGE);
    buffer_fini(&to);
}
