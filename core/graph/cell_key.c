/* SPDX-License-Identifier: MIT
 *
 * cell_key.c: the bytes whose SHA-256 is a cell's build key: all that decides the cell's content
 * and, to the grain of a block or an edge, nothing else. What is written here is a promise: a
 * change of it makes every stored result a miss.
 *
 *   "loam-key/1", cell format version, ancestors of the output in key order: operation, version,
 *   parameters, seed if it is used, sources; the side the output takes; the rectangle; per port
 *   that takes a slot, in the same order, what the cell can see of the asset, then what the stage
 * can that the node is evaluated for.
 *
 * The key of a stage is written by the same hand: of its node as if that were an output.
 */
#include "core/base/try.h"
#include "core/codec/format.h"
#include "core/graph/plan.h"
#include "core/ops/kept.h"

#define KEY_DOMAIN "loam-key/1"
/* Version of a stage's bytes, which is in its key. */
enum { STAGE_FORMAT_VERSION = 1 };

/* Numbers of nodes and slots by first visit. */
typedef struct numbering {
    uint32_t nodes[NODES_MAX]; /* in key order */
    uint32_t count;
    uint32_t node_number[NODES_MAX];
    uint32_t slot_number[SLOTS_MAX];
    uint32_t slot_count;
} numbering;

static uint32_t number_of_slot(numbering *numbers, uint32_t slot) {
    if (numbers->slot_number[slot] == UINT32_MAX) {
        numbers->slot_number[slot] = numbers->slot_count++;
    }
    return numbers->slot_number[slot];
}

static void write_sources(byte_writer *writer, const loam_node *node, numbering *numbers) {
    write_u32(writer, loam_node_input_count(node));
    for (uint32_t p = 0; p < loam_node_input_count(node); p++) {
        const loam_source *source = &node->inputs[p];
        if (p >= node->operation->port_count) {
            write_text(writer, loam_node_input_name(node, p));
        }
        write_u8(writer, (uint8_t)source->kind);
        if (source->kind == LOAM_SOURCE_NODE) {
            write_u32(writer, numbers->node_number[source->index]);
            write_u8(writer, (uint8_t)source->side);
        } else if (source->kind == LOAM_SOURCE_SLOT) {
            write_u32(writer, number_of_slot(numbers, source->index));
        }
    }
}

static void write_node(byte_writer *writer, const loam_plan *plan, uint32_t n, numbering *numbers) {
    const loam_node *node = &plan->graph->nodes[n];
    write_text(writer, loam_text_of(node->operation->name));
    write_u16(writer, node->operation->version);
    write_u32(writer, node->operation->param_count);
    for (uint32_t p = 0; p < node->operation->param_count; p++) {
        value_bytes_write(writer, &node->params[p]);
    }
    write_u8(writer, node->operation->seeded);
    if (node->operation->seeded) {
        write_u64(writer, plan->seeds[n]);
    }
    write_sources(writer, node, numbers);
}

static void write_rect(byte_writer *writer, loam_rect rect) {
    write_i64(writer, rect.x0);
    write_i64(writer, rect.z0);
    write_i64(writer, rect.x1);
    write_i64(writer, rect.z1);
}

/* What the cell can see of the assets at one node's ports, and what a stage can. */
static loam_status write_sights(byte_writer *writer, const loam_query *query,
                                const plan_demand *demand, uint32_t n, loam_arena *scratch) {
    const loam_node *node = &query->plan->graph->nodes[n];
    const operation_code *code = operation_code_of(node->operation);
    for (uint32_t p = 0; p < loam_node_input_count(node); p++) {
        if (node->inputs[p].kind != LOAM_SOURCE_SLOT) {
            continue;
        }
        const loam_asset *asset = &query->slots[node->inputs[p].index];
        if (demand->needed[n]) {
            LOAM_TRY(code->see(node, p, demand->rect[n], asset, writer, scratch));
        }
        if (demand->staged[n]) {
            LOAM_TRY(code->see(node, p, demand->stage[n], asset, writer, scratch));
        }
    }
    return LOAM_OK;
}

static void number_nodes(const loam_plan *plan, uint32_t root, numbering *numbers) {
    numbers->count = key_order(plan, root, numbers->nodes);
    for (uint32_t i = 0; i < numbers->count; i++) {
        numbers->node_number[numbers->nodes[i]] = i;
    }
    numbers->slot_count = 0;
    for (uint32_t slot = 0; slot < SLOTS_MAX; slot++) {
        numbers->slot_number[slot] = UINT32_MAX;
    }
}

/* From the nodes on: what decides the points of `root` in a rectangle. */
static loam_status write_rest(byte_writer *writer, const loam_query *query,
                              const plan_demand *demand, uint32_t root, loam_side side,
                              loam_arena *scratch) {
    numbering numbers;
    number_nodes(query->plan, root, &numbers);
    write_u32(writer, numbers.count);
    for (uint32_t i = 0; i < numbers.count; i++) {
        write_node(writer, query->plan, numbers.nodes[i], &numbers);
    }
    write_u8(writer, (uint8_t)side);
    write_rect(writer, demand->rect[root]);
    for (uint32_t i = 0; i < numbers.count; i++) {
        LOAM_TRY(write_sights(writer, query, demand, numbers.nodes[i], scratch));
    }
    writer_flush(writer);
    return LOAM_OK;
}

loam_status loam_cell_key(const loam_query *query, loam_sink sink, loam_arena *scratch,
                          loam_error *error) {
    plan_demand demand;
    LOAM_TRY(demand_of(query->plan, query->output, query->rect, query->slots, &demand, error));
    LOAM_TRY(query_check(query, &demand, error));
    const loam_output *output = &query->plan->graph->outputs[query->output];
    byte_writer writer;
    writer_init(&writer, sink);
    write_bytes(&writer, KEY_DOMAIN, sizeof KEY_DOMAIN - 1);
    write_u16(&writer, CELL_FORMAT_VERSION);
    loam_status status = write_rest(&writer, query, &demand, output->node, output->side, scratch);
    return status == LOAM_OK ? LOAM_OK
                             : loam_fail(error, status, NULL, "%s", loam_status_text(status));
}

loam_status stage_key_write(const loam_query *query, const plan_demand *demand, uint32_t node,
                            loam_sink sink, loam_arena *scratch) {
    byte_writer writer;
    writer_init(&writer, sink);
    write_bytes(&writer, STAGE_KEY_DOMAIN, sizeof STAGE_KEY_DOMAIN - 1);
    write_text(&writer, loam_text_of("points"));
    write_u16(&writer, STAGE_FORMAT_VERSION);
    return write_rest(&writer, query, demand, node, LOAM_SIDE_ALL, scratch);
}
