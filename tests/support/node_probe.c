/* SPDX-License-Identifier: MIT
 *
 * node_probe.c: see node_probe.h.
 */
#include "tests/support/node_probe.h"

#include <stdio.h>
#include <stdlib.h>

point_set probe_points(graph_world *world, const int64_t *xz, uint32_t count) {
    loam_arena *arena = &world->arena;
    int64_t base_x = INT64_MAX, base_z = INT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        base_x = xz[2 * i] < base_x ? xz[2 * i] : base_x;
        base_z = xz[2 * i + 1] < base_z ? xz[2 * i + 1] : base_z;
    }
    int32_t *x = COLUMN_TAKE(arena, count, int32_t), *z = COLUMN_TAKE(arena, count, int32_t);
    int32_t *y = loam_arena_take_zero(arena, column_size(count), sizeof *y);
    uint32_t *a = COLUMN_TAKE(arena, count, uint32_t);
    for (uint32_t i = 0; i < count; i++) {
        x[i] = (int32_t)(xz[2 * i] - base_x);
        z[i] = (int32_t)(xz[2 * i + 1] - base_z);
        a[i] = i;
    }
    return (point_set){.count = count,
                       .base_x = base_x,
                       .base_z = base_z,
                       .x = x,
                       .z = z,
                       .y = y,
                       .a = a,
                       .b = (const uint32_t *)y,
                       .density_all = LOAM_DENSITY_ONE};
}

static loam_rect asked_of(const loam_node *node, uint32_t port, loam_rect rect) {
    const operation_code *code = operation_code_of(node->operation);
    if (code->ask != NULL) {
        return code->ask(node, port, rect);
    }
    int64_t reach = code->reach == NULL ? 0 : code->reach(node);
    return (loam_rect){rect.x0 - reach, rect.z0 - reach, rect.x1 + reach, rect.z1 + reach};
}

static point_set seen_through(const point_set *set, loam_rect rect, loam_arena *arena) {
    point_set seen = *set;
    uint32_t *live = COLUMN_TAKE(arena, set->count, uint32_t);
    for (uint32_t i = 0; i < set->count; i++) {
        int64_t x = set->base_x + set->x[i], z = set->base_z + set->z[i];
        bool inside = x >= rect.x0 && x < rect.x1 && z >= rect.z0 && z < rect.z1;
        live[i] = inside ? UINT32_MAX : 0;
    }
    seen.live = live;
    return seen;
}

point_set probe_run(graph_world *world, const char *node, loam_rect rect,
                    const point_set *const *inputs, int64_t less) {
    const loam_node *found =
        &world->graph.nodes[loam_graph_find_node(&world->graph, loam_text_of(node))];
    static const loam_text empty = {"", 0};
    uint32_t texts[PARAMS_MAX] = {0};
    point_set seen[PORTS_MAX], out = {0}, out_false = {0};
    loam_error error = {0};
    loam_run run = {.arena = &world->arena};
    name_table names;
    if (name_table_init(&names, &empty, 1, &world->arena, &error) != LOAM_OK) {
        abort();
    }
    node_call call = {.node = found,
                      .pointer = "/nodes/probe",
                      .seed = 99,
                      .rect = rect,
                      .text_params = texts,
                      .names = &names,
                      .run = &run,
                      .arena = &world->arena,
                      .error = &error,
                      .out = &out,
                      .out_false = &out_false};
    for (uint32_t port = 0; port < found->operation->port_count; port++) {
        if (inputs[port] != NULL) {
            loam_rect asked = asked_of(found, port, rect);
            loam_rect cut = {asked.x0 + less, asked.z0 + less, asked.x1 - less, asked.z1 - less};
            seen[port] = seen_through(inputs[port], cut, &world->arena);
            call.inputs[port] = &seen[port];
        }
    }
    if (operation_code_of(found->operation)->evaluate(&call) != LOAM_OK) {
        fprintf(stderr, "probe: %s\n", error.text);
        abort();
    }
    return out;
}
