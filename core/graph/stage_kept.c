/* SPDX-License-Identifier: MIT
 *
 * stage_kept.c: see stage_kept.h.
 */
#include "core/graph/stage_kept.h"

#include "core/base/try.h"
#include "core/ops/kept.h"
#include "core/points/set_codec.h"

/* ---- Keys ----------------------------------------------------------------------------------- */

static bool is_same_rect(loam_rect a, loam_rect b) {
    return a.x0 == b.x0 && a.z0 == b.z0 && a.x1 == b.x1 && a.z1 == b.z1;
}

static bool stands_alone(const loam_graph *graph, const plan_demand *own,
                         const plan_demand *whole) {
    for (uint32_t n = 0; n < graph->node_count; n++) {
        if ((own->needed[n] && !is_same_rect(own->rect[n], whole->stage[n])) ||
            (own->staged[n] && !is_same_rect(own->stage[n], whole->stage[n]))) {
            return false;
        }
    }
    return true;
}

typedef struct key_of_node {
    const kept_node *of;
    const plan_demand *demand;
} key_of_node;

static loam_status write_key(const void *context, loam_sink sink, loam_arena *scratch) {
    const key_of_node *key = context;
    return stage_key_write(key->of->query, key->demand, key->of->node, sink, scratch);
}

loam_text stage_key(const kept_node *of, const plan_demand *whole) {
    const loam_plan *plan = of->query->plan;
    const loam_text none = {"", 0};
    plan_demand own;
    if (demand_of_node(plan, of->node, of->rect, of->query->slots, &own, NULL) != LOAM_OK ||
        (whole != NULL && !stands_alone(plan->graph, &own, whole))) {
        return none;
    }
    const key_of_node key = {of, &own};
    const kept_source source = {write_key, &key};
    loam_text bytes;
    return kept_collect_key(&source, of->run->arena, &bytes) ? bytes : none;
}

/* ---- Bytes ---------------------------------------------------------------------------------- */

static bool has_sides(const kept_node *of) {
    return of->query->plan->graph->nodes[of->node].operation->sided;
}

static void write_note(byte_writer *writer, const loam_trace_node *note) {
    write_u64(writer, note->points_in);
    write_u64(writer, note->points_out);
    write_u64(writer, note->window_in);
    write_u64(writer, note->window_out);
    for (int axis = 0; axis < 6; axis++) {
        write_i64(writer, note->bounds[axis]);
    }
    write_i64(writer, note->density_sum);
}

static void read_note(byte_reader *reader, loam_trace_node *note) {
    note->points_in = read_u64(reader);
    note->points_out = read_u64(reader);
    note->window_in = read_u64(reader);
    note->window_out = read_u64(reader);
    for (int axis = 0; axis < 6; axis++) {
        note->bounds[axis] = read_i64(reader);
    }
    note->density_sum = read_i64(reader);
    note->path = PATH_KEPT;
}

/* The nodes whose notes are kept, in the order of keys. */
static uint32_t noted_nodes(const kept_node *of, uint32_t *nodes) {
    return of->notes == NULL ? 0 : key_order(of->query->plan, of->node, nodes);
}

static loam_status write_points(const kept_node *of, const point_set *set, byte_writer *writer,
                                loam_arena *scratch) {
    point_set compact;
    LOAM_TRY(point_set_compact(set, scratch, &compact));
    return set_encode(&compact, (point_names){of->names->names, of->names->count}, writer, scratch);
}

static loam_status write_stage(const void *context, loam_sink sink, loam_arena *scratch) {
    const kept_node *of = context;
    uint32_t nodes[NODES_MAX];
    const uint32_t count = noted_nodes(of, nodes);
    byte_writer writer;
    writer_init(&writer, sink);
    write_u32(&writer, count);
    for (uint32_t i = 0; i < count; i++) {
        write_note(&writer, &of->notes[nodes[i]]);
    }
    LOAM_TRY(write_points(of, of->out, &writer, scratch));
    if (has_sides(of)) {
        LOAM_TRY(write_points(of, of->out_false, &writer, scratch));
    }
    writer_flush(&writer);
    return LOAM_OK;
}

/* Nothing of the evaluation is touched before all is read. */
static loam_status read_stage(const kept_node *of, byte_reader *reader) {
    loam_trace_node notes[NODES_MAX] = {{0}};
    uint32_t nodes[NODES_MAX];
    const uint32_t count = noted_nodes(of, nodes);
    point_set out, out_false = {0};
    if (read_u32(reader) != count) {
        return LOAM_DAMAGED;
    }
    for (uint32_t i = 0; i < count; i++) {
        read_note(reader, &notes[i]);
        notes[i].node = nodes[i];
    }
    LOAM_TRY(set_decode(reader, of->rect, of->names, of->run->arena, &out));
    if (has_sides(of)) {
        LOAM_TRY(set_decode(reader, of->rect, of->names, of->run->arena, &out_false));
        *of->out_false = out_false;
    }
    if (reader->left > 0) {
        return LOAM_DAMAGED;
    }
    *of->out = out;
    for (uint32_t i = 0; i < count; i++) {
        of->notes[nodes[i]] = notes[i];
    }
    return LOAM_OK;
}

bool stage_find(const kept_node *of, loam_text key) {
    loam_stage stage;
    byte_reader reader;
    if (key.size == 0 || !kept_find(of->run, key, &stage, &reader)) {
        return false;
    }
    const loam_status status = read_stage(of, &reader);
    kept_release(of->run, &stage);
    return status == LOAM_OK;
}

void stage_keep(const kept_node *of, loam_text key) {
    const kept_source source = {write_stage, of};
    if (key.size > 0) {
        kept_keep(of->run, key, &source);
    }
}
