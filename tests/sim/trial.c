/* SPDX-License-Identifier: MIT
 *
 * trial.c: see trial.h.
 */
#include "tests/sim/trial.h"

#include "api/wire/graph_document.h"
#include "core/base/bytes.h"
#include "tests/support/forest.h"
#include "tests/support/rules_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASSET_BYTES ((size_t)32 << 20)
#define CELL_BYTES ((size_t)4 << 30)
enum { DOCUMENT_BYTES = 1 << 20, SUBGRAPH_EVERY = 7 };

static sim_place place_at(dice *from) {
    static const int64_t corners_m[][2] = {{0, 0},       {-128, -96},        {-777, -3333},
                                           {333, -1000}, {1000000, -780000}, {-4000001, 2999987}};
    static const int64_t sides_m[] = {256, 256, 300, 512, 512, 700, 1024};
    const int64_t *corner = corners_m[dice_below(from, 6)];
    return (sim_place){corner[0], corner[1], sides_m[dice_below(from, 7)]};
}

loam_rect place_rect(sim_place place) {
    return rect_of_metres(place.x_m, place.z_m, place.side_m);
}

bool trial_uses(const trial *of, loam_port_kind kind) {
    for (uint32_t i = 0; i < of->world->graph.slot_count; i++) {
        if (of->world->graph.slots[i].kind == kind) {
            return true;
        }
    }
    return false;
}

bool trial_bind(trial *of, loam_port_kind kind) {
    for (uint32_t i = 0; i < of->world->graph.slot_count; i++) {
        if (of->world->graph.slots[i].kind == kind) {
            return inputs_asset(&of->inputs, kind, &of->assets, &of->world->slots[i]);
        }
    }
    return true;
}

static bool bind_all(trial *of) {
    const loam_graph *graph = &of->world->graph;
    loam_arena_reset(&of->assets, 0);
    for (uint32_t i = 0; i < graph->slot_count; i++) {
        if (graph->slots[i].kind == LOAM_PORT_RULES) {
            bool biome = loam_text_equal(graph->slots[i].name, loam_text_of("biomes"));
            const char *json = biome ? of->made.biome_rules : of->made.grammar_rules;
            of->world->slots[i] =
                (loam_asset){.kind = LOAM_PORT_RULES, .rules = rules_of_text(json, &of->assets)};
        } else if (!inputs_asset(&of->inputs, graph->slots[i].kind, &of->assets,
                                 &of->world->slots[i])) {
            return false;
        }
    }
    return true;
}

/* ---- The graph as a part of another --------------------------------------------------------- */

static void write_outer(const loam_graph *inner, loam_text canonical, char *json) {
    int size = snprintf(json, DOCUMENT_BYTES, "{\"loam_graph\":1,\"slots\":{");
    for (uint32_t i = 0; i < inner->slot_count; i++) {
        size += snprintf(json + size, DOCUMENT_BYTES - (size_t)size, "%s\"%.*s\":\"%s\"",
                         i > 0 ? "," : "", (int)inner->slots[i].name.size,
                         inner->slots[i].name.bytes, loam_port_kind_name(inner->slots[i].kind));
    }
    size += snprintf(json + size, DOCUMENT_BYTES - (size_t)size,
                     "},\"nodes\":{\"part\":{\"op\":\"subgraph\",\"params\":{\"output\":\"points\","
                     "\"graph\":%.*s},\"in\":{",
                     (int)canonical.size, canonical.bytes);
    for (uint32_t i = 0; i < inner->slot_count; i++) {
        size +=
            snprintf(json + size, DOCUMENT_BYTES - (size_t)size, "%s\"%.*s\":\"$%.*s\"",
                     i > 0 ? "," : "", (int)inner->slots[i].name.size, inner->slots[i].name.bytes,
                     (int)inner->slots[i].name.size, inner->slots[i].name.bytes);
    }
    snprintf(json + size, DOCUMENT_BYTES - (size_t)size,
             "}}},\"outputs\":{\"points\":{\"node\":\"part\"}}}");
}

static bool read_outer(trial *of, const char *json) {
    fault_list faults = {0};
    graph_document document;
    loam_arena *arena = &of->world->arena;
    if (graph_read(loam_text_of(json), NULL, arena, &document, &faults) != LOAM_OK) {
        of->error = faults.items[0];
        return false;
    }
    of->world->graph = document.graph;
    return loam_plan_build(&of->world->graph, of->made.seed, arena, &of->world->plan, &of->error) ==
           LOAM_OK;
}

static bool nest(trial *of) {
    graph_document document = {.graph = of->world->graph};
    text_buffer buffer;
    char *json = malloc(DOCUMENT_BYTES);
    buffer_init(&buffer, DOCUMENT_BYTES / 2);
    bool done =
        loam_graph_sort(&document.graph) == LOAM_OK && graph_write(&document, &buffer) == LOAM_OK;
    if (done) {
        write_outer(&document.graph, buffer_view(&buffer), json);
        done = read_outer(of, json);
    }
    free(json);
    buffer_fini(&buffer);
    return done;
}

/* ---- Trials --------------------------------------------------------------------------------- */

bool trial_begin(trial *of, uint64_t number) {
    dice from = {number * 0x2545f4914f6cdd1du + 77};
    if (of->assets.memory == NULL) {
        of->assets = arena_of(ASSET_BYTES);
    }
    of->number = number;
    of->error = (loam_error){0};
    of->why[0] = 0;
    sim_place place = place_at(&from);
    inputs_make(&from, place, &of->inputs);
    graph_make(&from, place, (uint32_t)(number % loam_operation_count()), &of->made);
    of->world = world_try(of->made.text, of->made.seed, &of->error);
    if (of->world == NULL) {
        return false;
    }
    if (number % SUBGRAPH_EVERY == 0 && !nest(of)) {
        world_free(of->world);
        return false;
    }
    if (!bind_all(of)) {
        world_free(of->world);
        return false;
    }
    return true;
}

void trial_end(trial *of) {
    world_free(of->world);
}

static loam_query query_of(const trial *of, loam_rect rect) {
    return (loam_query){.plan = of->world->plan, .rect = rect, .slots = of->world->slots};
}

loam_status trial_cell(trial *of, loam_rect rect, loam_points *points) {
    static loam_arena memory;
    if (memory.memory == NULL) {
        memory = arena_of(CELL_BYTES);
    }
    loam_query query = query_of(of, rect);
    loam_estimate estimate;
    loam_arena arena;
    of->error = (loam_error){0};
    loam_status status = loam_plan_estimate(query.plan, 0, rect, &estimate, &of->error);
    if (status != LOAM_OK) {
        return status;
    }
    if (estimate.arena_bytes > CELL_BYTES) {
        return loam_fail(&of->error, LOAM_BUDGET_EXCEEDED, NULL, "more memory than a trial has");
    }
    loam_arena_init(&arena, memory.memory, (size_t)estimate.arena_bytes);
    of->questions++;
    const loam_run run = {.arena = &arena,
                          .level = of->questions % 2 == 0 ? LOAM_SIMD_BASELINE : LOAM_SIMD_BEST,
                          .general_path = of->questions % 3 == 0};
    return loam_cell_build(&query, &run, points, &of->error);
}

static void hash_bytes(void *context, const void *bytes, size_t size) {
    uint64_t *hash = context;
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) {
        *hash = (*hash ^ at[i]) * 0x100000001b3u;
    }
}

loam_status trial_bytes(trial *of, loam_rect rect, uint64_t *hash) {
    loam_points points;
    size_t size = 0;
    loam_status status = trial_cell(of, rect, &points);
    if (status != LOAM_OK) {
        return status;
    }
    size_t bound = loam_cell_bound(&points);
    void *bytes = malloc(bound);
    status = loam_cell_encode(&points, bytes, bound, &size);
    *hash = 0xcbf29ce484222325u;
    hash_bytes(hash, bytes, size);
    free(bytes);
    return status;
}

loam_status trial_key(trial *of, loam_rect rect, uint64_t *hash) {
    static loam_arena memory;
    if (memory.memory == NULL) {
        memory = arena_of(ASSET_BYTES);
    }
    loam_query query = query_of(of, rect);
    loam_arena_reset(&memory, 0);
    of->error = (loam_error){0};
    *hash = 0xcbf29ce484222325u;
    return loam_cell_key(&query, (loam_sink){hash_bytes, hash}, &memory, &of->error);
}

void trial_print(const trial *of) {
    fprintf(stderr, "trial %llu, seed %llu, square of %lld m at %lld, %lld m:\n",
            (unsigned long long)of->number, (unsigned long long)of->made.seed,
            (long long)of->made.place.side_m, (long long)of->made.place.x_m,
            (long long)of->made.place.z_m);
    for (uint32_t i = 0; i < of->made.line_count; i++) {
        fprintf(stderr, "  %s\n", of->made.text[i]);
    }
}

uint32_t trial_count(uint32_t usual) {
    const char *given = getenv("SIM_GRAPHS");
    return given == NULL ? usual : (uint32_t)strtoul(given, NULL, 10);
}

uint64_t trial_first(void) {
    const char *given = getenv("SIM_FIRST");
    return given == NULL ? 0 : strtoull(given, NULL, 10);
}
