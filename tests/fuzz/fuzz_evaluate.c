/* SPDX-License-Identifier: MIT
 *
 * fuzz_evaluate.c: a question (below) and the bytes of any graph. What is accepted is evaluated on
 * a small rectangle, in an arena of the size that the estimate says: it suffices, unless lines or
 * given points are in it, of which a plan knows no number; every code path and level of the
 * processor gives the same bytes, and so do two halves of the rectangle. With less memory the
 * answer is the same or the arena is full.
 */
#include "core/base/bytes.h"
#include "core/base/limits.h"
#include "tests/fuzz/ground.h"
#include "tests/fuzz/property.h"
#include "tests/support/union.h"

#include <stdlib.h>

enum { ARENA_GRAPH, ARENA_PLAN };

/* What an input may cost, so that there are many of them in a second. */
#define PLAN_BYTES ((size_t)4 << 20)
#define ARENA_BYTES_MAX ((uint64_t)64 << 20)
enum { CANDIDATES_MAX = 10000, TESTS_MAX = 1000000, OUTPUTS_ASKED_MAX = 3 };

/* The first bytes of an input: u64 seed, i16 x and z of the corner in units, u8 sides in 16 units,
 * u8 flags, u8 how much of the memory a poor evaluation gets (in 256). */
enum { QUESTION_BYTES = 16, FLAG_UNBOUND = 1, SIDE_STEP = 16 };

typedef struct question {
    uint64_t seed;
    loam_rect rect;
    uint8_t flags;
    uint8_t share;
} question;

/* An evaluation: how, in how much memory, and what came of it. */
typedef struct evaluation {
    loam_run run;
    loam_arena arena;
    loam_points points;
    loam_error error;
} evaluation;

static question read_question(byte_reader *reader) {
    question asked = {.seed = read_u64(reader)};
    asked.rect.x0 = (int16_t)read_u16(reader);
    asked.rect.z0 = (int16_t)read_u16(reader);
    asked.rect.x1 = asked.rect.x0 + SIDE_STEP * (1 + read_u8(reader));
    asked.rect.z1 = asked.rect.z0 + SIDE_STEP * (1 + read_u8(reader));
    asked.flags = read_u8(reader);
    asked.share = read_u8(reader);
    return asked;
}

/* Ends with evaluation_fini. */
static loam_status evaluate(const loam_query *query, uint64_t arena_bytes, loam_run run,
                            evaluation *made) {
    size_t size = ((size_t)arena_bytes + 63) / 64 * 64;
    *made = (evaluation){.run = run};
    void *memory = aligned_alloc(64, size == 0 ? 64 : size);
    loam_arena_init(&made->arena, memory, size);
    made->run.arena = &made->arena;
    loam_status status = loam_cell_build(query, &made->run, &made->points, &made->error);
    if (status != LOAM_OK) {
        require_fault(status, &made->error);
    }
    return status;
}

static void evaluation_fini(evaluation *made) {
    free(made->arena.memory);
}

/* Owned (free). */
static loam_text encode(const loam_points *points) {
    size_t bound = loam_cell_bound(points);
    size_t size = 0;
    char *bytes = malloc(bound);
    require(loam_cell_encode(points, bytes, bound, &size) == LOAM_OK, "a cell can be encoded");
    return (loam_text){bytes, size};
}

static void require_same(const loam_query *query, uint64_t arena_bytes, loam_run run,
                         loam_text want) {
    evaluation other;
    loam_status status = evaluate(query, arena_bytes, run, &other);
    require(status == LOAM_OK || status == LOAM_ARENA_FULL, "what was computed can be again");
    if (status == LOAM_OK) {
        loam_text got = encode(&other.points);
        require(loam_text_equal(got, want), "a cell has the same bytes on every way");
        free((void *)(uintptr_t)got.bytes);
    }
    evaluation_fini(&other);
}

static void add_part(const loam_query *query, loam_rect rect, uint64_t arena_bytes,
                     point_union *all) {
    evaluation part;
    loam_query asked = *query;
    asked.rect = rect;
    require(evaluate(&asked, arena_bytes, (loam_run){0}, &part) == LOAM_OK,
            "a part of what was computed can be computed");
    union_add(all, &part.points);
    evaluation_fini(&part);
}

static void require_halves(const loam_query *query, const loam_points *points,
                           uint64_t arena_bytes) {
    loam_rect low = query->rect, high = query->rect;
    point_union whole = {0}, halves = {0};
    low.x1 = high.x0 = query->rect.x0 + (query->rect.x1 - query->rect.x0) * 3 / 8;
    union_add(&whole, points);
    add_part(query, low, arena_bytes, &halves);
    add_part(query, high, arena_bytes, &halves);
    union_sort(&whole);
    union_sort(&halves);
    require(whole.count == halves.count && union_difference(&whole, &halves) < 0,
            "two halves are the whole");
    union_fini(&whole);
    union_fini(&halves);
}

/* How many points lines and given points are, a plan assumes and does not know. */
static bool rows_are_known(const loam_graph *graph) {
    for (uint32_t i = 0; i < graph->slot_count; i++) {
        loam_port_kind kind = graph->slots[i].kind;
        if (kind == LOAM_PORT_LINES || kind == LOAM_PORT_POINTS) {
            return false;
        }
    }
    return true;
}

static void require_trace(const loam_trace *trace, const loam_estimate *estimate, bool known) {
    for (uint32_t i = 0; i < trace->node_count; i++) {
        require(!known || trace->nodes[i].window_out <= estimate->candidates_node,
                "no node gives more points than were estimated");
        require(trace->nodes[i].points_out <= trace->nodes[i].window_out,
                "a cell is a part of its window");
    }
}

static void require_answers(const loam_query *query, const loam_estimate *estimate,
                            const question *asked, const loam_points *points) {
    uint64_t size = estimate->arena_bytes;
    loam_text bytes = encode(points);
    require_same(query, size, (loam_run){.level = LOAM_SIMD_BASELINE}, bytes);
    require_same(query, size, (loam_run){.general_path = true}, bytes);
    require_same(query, size * asked->share / 256, (loam_run){0}, bytes);
    require_halves(query, points, size);
    free((void *)(uintptr_t)bytes.bytes);
}

static void write_nothing(void *context, const void *bytes, size_t size) {
    (void)bytes;
    *(size_t *)context += size;
}

static void ask(const loam_query *query, const question *asked, bool known) {
    static loam_trace_node nodes[NODES_MAX];
    loam_trace trace = {.nodes = nodes};
    loam_estimate estimate;
    loam_error error = {0};
    evaluation made;
    size_t key_bytes = 0;
    loam_status status =
        loam_plan_estimate(query->plan, query->output, query->rect, &estimate, &error);
    if (status != LOAM_OK) {
        require_fault(status, &error);
        return;
    }
    if (estimate.candidates > CANDIDATES_MAX || estimate.tests > TESTS_MAX ||
        estimate.arena_bytes > ARENA_BYTES_MAX) {
        return;
    }
    status = evaluate(query, estimate.arena_bytes, (loam_run){.trace = &trace}, &made);
    require(!known || status != LOAM_ARENA_FULL, "the estimate of memory suffices");
    if (status == LOAM_OK) {
        require_trace(&trace, &estimate, known);
        require_answers(query, &estimate, asked, &made.points);
        require(loam_cell_key(query, (loam_sink){write_nothing, &key_bytes},
                              empty_arena(ARENA_PLAN + 1, PLAN_BYTES), &error) == LOAM_OK &&
                    key_bytes > 0,
                "what can be computed has a key");
    }
    evaluation_fini(&made);
}

static void ask_outputs(const loam_graph *graph, const question *asked) {
    loam_asset slots[SLOTS_MAX];
    const loam_plan *plan = NULL;
    loam_error error = {0};
    loam_status status =
        loam_plan_build(graph, asked->seed, empty_arena(ARENA_PLAN, PLAN_BYTES), &plan, &error);
    if (status != LOAM_OK) {
        require_fault(status, &error);
        return;
    }
    for (uint32_t i = 0; i < graph->slot_count; i++) {
        slots[i] = ground_of(asked->flags & FLAG_UNBOUND ? LOAM_PORT_NONE : graph->slots[i].kind);
    }
    for (uint32_t i = 0; i < graph->output_count && i < OUTPUTS_ASKED_MAX; i++) {
        loam_query query = {.plan = plan, .output = i, .rect = asked->rect, .slots = slots};
        require(loam_plan_reach(plan, i) >= 0, "no output looks less far than its rectangle");
        ask(&query, asked, rows_are_known(graph));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    byte_reader reader;
    loam_graph graph;
    loam_error error = {0};
    if (size < QUESTION_BYTES) {
        return 0;
    }
    reader_init(&reader, bytes, size);
    question asked = read_question(&reader);
    loam_status status = loam_graph_decode(reader.at, reader.left,
                                           empty_arena(ARENA_GRAPH, PLAN_BYTES), &graph, &error);
    if (status == LOAM_OK) {
        ask_outputs(&graph, &asked);
    } else {
        require_fault(status, &error);
    }
    return 0;
}
