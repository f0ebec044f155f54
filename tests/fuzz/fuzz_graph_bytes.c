/* SPDX-License-Identifier: MIT
 *
 * fuzz_graph_bytes.c: bytes of a graph are refused with an error, or decode to a graph whose own
 * bytes decode to the same; sorted, it has one form.
 */
#include "api/wire/graph_document.h"
#include "tests/fuzz/property.h"

enum { ARENA_FIRST, ARENA_AGAIN };

static void encode(const loam_graph *graph, text_buffer *bytes) {
    buffer_init(bytes, GRAPH_ARENA_BYTES);
    require(loam_graph_encode(graph, buffer_sink(bytes)) == LOAM_OK && !bytes->failed,
            "an accepted graph can be encoded");
}

static void require_round_trip(loam_graph *graph) {
    text_buffer first, again;
    loam_graph decoded;
    loam_error error = {0};
    encode(graph, &first);
    loam_arena *arena = empty_arena(ARENA_AGAIN, GRAPH_ARENA_BYTES);
    require(loam_graph_decode(first.bytes, first.size, arena, &decoded, &error) == LOAM_OK,
            "the bytes of a graph are accepted");
    encode(&decoded, &again);
    require_equal(buffer_view(&again), buffer_view(&first), "the bytes keep the whole graph");
    buffer_fini(&first);
    buffer_fini(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    loam_graph graph;
    loam_error error = {0};
    loam_error faults[2] = {{0}};
    loam_arena *arena = empty_arena(ARENA_FIRST, GRAPH_ARENA_BYTES);
    loam_status status = loam_graph_decode(bytes, size, arena, &graph, &error);
    if (status != LOAM_OK) {
        require_fault(status, &error);
        return 0;
    }
    require_round_trip(&graph);
    uint32_t count = loam_graph_faults(&graph, faults, 2);
    for (uint32_t i = 0; i < count && i < 2; i++) {
        require_fault(faults[i].status, &faults[i]);
    }
    require(loam_graph_sort(&graph) == LOAM_OK, "an accepted graph can be sorted");
    require(loam_graph_faults(&graph, faults, 2) == count, "order is no fault");
    require_round_trip(&graph);
    return 0;
}
