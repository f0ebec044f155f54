/* SPDX-License-Identifier: MIT
 *
 * fuzz_graph_json.c: a graph document is refused with a fault, or its canonical text is accepted
 * and its own, and so is the graph that went through the binary form.
 */
#include "api/wire/document.h"
#include "api/wire/graph_document.h"
#include "tests/fuzz/property.h"

#include <string.h>

enum { ARENA_READ, ARENA_DECODE };

/* False when the document is refused. */
static bool read_graph(loam_text json, graph_document *document) {
    static fault_list faults;
    fault_clear(&faults);
    loam_status status =
        graph_read(json, NULL, empty_arena(ARENA_READ, GRAPH_ARENA_BYTES), document, &faults);
    if (status != LOAM_OK) {
        require_faults(status, &faults);
        return false;
    }
    require(faults.count == 0, "an accepted document has no fault");
    require(memchr(json.bytes, 0, json.size) == NULL, "a byte of zero is no JSON");
    return true;
}

/* The binary form is flat; what of the graph came from graphs in it is known beside. */
static void require_binary_round_trip(const graph_document *read, loam_text canonical) {
    text_buffer bytes, text;
    graph_document decoded = *read;
    loam_error error = {0};
    buffer_init(&bytes, GRAPH_ARENA_BYTES);
    buffer_init(&text, JSON_BYTES_MAX);
    require(loam_graph_encode(&read->graph, buffer_sink(&bytes)) == LOAM_OK && !bytes.failed,
            "an accepted graph has a binary form");
    loam_arena *arena = empty_arena(ARENA_DECODE, GRAPH_ARENA_BYTES);
    require(loam_graph_decode(bytes.bytes, bytes.size, arena, &decoded.graph, &error) == LOAM_OK,
            "the binary form is accepted");
    require(graph_write(&decoded, &text) == LOAM_OK, "and has a canonical text");
    require_equal(buffer_view(&text), canonical, "the binary form keeps the whole graph");
    buffer_fini(&bytes);
    buffer_fini(&text);
}

static void require_canonical(const text_buffer *first) {
    text_buffer again;
    graph_document graph;
    buffer_init(&again, JSON_BYTES_MAX);
    require(read_graph(buffer_view(first), &graph), "a canonical text is accepted");
    require(graph_write(&graph, &again) == LOAM_OK, "and can be written");
    require_equal(buffer_view(&again), buffer_view(first), "a canonical text is its own");
    buffer_fini(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    text_buffer first;
    graph_document graph;
    buffer_init(&first, JSON_BYTES_MAX);
    if (read_graph(input_text(bytes, size), &graph) && graph_write(&graph, &first) == LOAM_OK) {
        require_binary_round_trip(&graph, buffer_view(&first));
        require_canonical(&first);
    }
    buffer_fini(&first);
    return 0;
}
