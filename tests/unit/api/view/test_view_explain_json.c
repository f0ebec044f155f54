/* SPDX-License-Identifier: MIT */
#include "api/view/view_explain_json.h"

#include <criterion/criterion.h>
#include <string.h>

static loam_node nodes[] = {{.name = {"spaced", 6}}};
static const loam_graph graph = {.nodes = nodes, .node_count = 1};

static void expect_text(const loam_fate *fates, uint32_t count, bool truncated,
                        const char *expected) {
    text_buffer to;
    buffer_init(&to, 1 << 16);
    cr_assert_eq(view_explain_json(fates, count, truncated, &graph, &to), LOAM_OK);
    cr_expect(to.size == strlen(expected) && strncmp(to.bytes, expected, to.size) == 0,
              "got  %.*s\nwant %s", (int)to.size, to.bytes, expected);
    buffer_fini(&to);
}

Test(view_explain_json, a_fate_tells_node_reason_and_exact_numbers) {
    const loam_fate fates[] = {
        {.id = UINT64_MAX, .x = -1, .y = 256, .z = 640, .dropped_by = LOAM_KEPT},
        {.id = 7,
         .dropped_by = 0,
         .reason = "distance",
         .measured = true,
         .scale_bits = 16,
         .value = 98304,
         .limit = 157286},
        {.id = 8, .dropped_by = 0, .reason = "undecided"}};
    expect_text(fates, 3, false,
                "{\"candidates\":[{\"id\":\"18446744073709551615\",\"position_m\":[-0.00390625,1,"
                "2.5],\"dropped_by\":null,\"reason\":null,\"value\":null,\"limit\":null},"
                "{\"id\":\"7\",\"position_m\":[0,0,0],\"dropped_by\":\"spaced\",\"reason\":"
                "\"distance\",\"value\":1.5,\"limit\":2.399993896484375},"
                "{\"id\":\"8\",\"position_m\":[0,0,0],\"dropped_by\":\"spaced\",\"reason\":"
                "\"undecided\",\"value\":null,\"limit\":null}],\"truncated\":false}");
}

Test(view_explain_json, nothing_is_an_empty_list) {
    expect_text(NULL, 0, true, "{\"candidates\":[],\"truncated\":true}");
}

Test(view_explain_json, a_full_buffer_is_too_large) {
    const loam_fate fate = {.dropped_by = LOAM_KEPT};
    text_buffer to;
    buffer_init(&to, 16);
    cr_expect_eq(view_explain_json(&fate, 1, false, &graph, &to), LOAM_TOO_LARGE);
    buffer_fini(&to);
}
