/* SPDX-License-Identifier: MIT
 *
 * explain.c: the fate of every candidate near a place. A small evaluation around it is watched node
 * by node: what goes into a node and does not come out was dropped there, and the operation is
 * asked why. Candidates are known by their ids; where an operation gives new ids (merge), the new
 * one carries on.
 */
#include "core/base/limits.h"
#include "core/base/mix.h"
#include "core/base/try.h"
#include "core/graph/evaluation.h"
#include "core/graph/plan.h"

/* A place is as large as a question that a person asks on a map. */
#define EXPLAIN_RADIUS_UNITS_MAX ((int64_t)64 * LOAM_UNITS_PER_METRE)

/* The fates known so far, open addressing by id. */
typedef struct fate_table {
    const loam_place *place;
    const loam_plan *plan;
    loam_arena *arena;
    loam_fate *fates;
    uint32_t count, capacity;
    uint32_t *slots; /* index + 1 */
    uint32_t slot_count;
} fate_table;

static loam_status table_grow(fate_table *table, uint32_t capacity) {
    loam_fate *fates = loam_arena_take(table->arena, capacity, sizeof *fates);
    LOAM_TRY_MEMORY(fates, NULL);
    for (uint32_t i = 0; i < table->count; i++) {
        fates[i] = table->fates[i];
    }
    table->slot_count = capacity * 2;
    table->slots = loam_arena_take_zero(table->arena, table->slot_count, sizeof *table->slots);
    LOAM_TRY_MEMORY(table->slots, NULL);
    table->fates = fates;
    table->capacity = capacity;
    return LOAM_OK;
}

static uint32_t *table_slot(const fate_table *table, uint64_t id) {
    uint32_t mask = table->slot_count - 1;
    uint32_t at = (uint32_t)mix64(id) & mask;
    while (table->slots[at] != 0 && table->fates[table->slots[at] - 1].id != id) {
        at = (at + 1) & mask;
    }
    return &table->slots[at];
}

/* The fate of an id, which is made when it is new. */
static loam_status table_fate(fate_table *table, uint64_t id, loam_fate **fate, bool *made) {
    uint32_t *slot = table_slot(table, id);
    *made = *slot == 0;
    if (*made && table->count == table->capacity) {
        LOAM_TRY(table_grow(table, table->capacity * 2));
        for (uint32_t i = 0; i < table->count; i++) {
            *table_slot(table, table->fates[i].id) = i + 1;
        }
        slot = table_slot(table, id);
    }
    if (*made) {
        table->fates[table->count] = (loam_fate){.id = id};
        *slot = ++table->count;
    }
    *fate = &table->fates[*slot - 1];
    return LOAM_OK;
}

static uint64_t id_of_row(const point_set *set, uint32_t row) {
    if (set->id != NULL) {
        return set->id[row];
    }
    if (set->a != NULL) {
        return mix_id(set->id_key, set->a[row], set->b[row]);
    }
    const site_lattice *lattice = set->lattice;
    return mix_id(set->id_key, (uint32_t)(lattice->site_x + row % lattice->stride),
                  (uint32_t)(lattice->site_z + row / lattice->stride));
}

static bool is_near(const loam_place *place, const point_set *set, uint32_t row) {
    if (set->live != NULL && set->live[row] == 0) {
        return false;
    }
    int64_t dx = set->base_x + set->x[row] - place->x, dz = set->base_z + set->z[row] - place->z;
    return dx * dx + dz * dz <= place->radius * place->radius;
}

static void place_fate(loam_fate *fate, const point_set *set, uint32_t row) {
    fate->x = set->base_x + set->x[row];
    fate->y = set->y[row];
    fate->z = set->base_z + set->z[row];
}

/* Ids of a result, sorted. */
typedef struct id_list {
    uint64_t *ids;
    uint32_t count;
} id_list;

static void sift_id(uint64_t *ids, uint32_t at, uint32_t count) {
    for (uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && ids[child + 1] > ids[child];
        if (ids[child] <= ids[at]) {
            return;
        }
        uint64_t swap = ids[at];
        ids[at] = ids[child];
        ids[child] = swap;
        at = child;
    }
}

static void sort_ids(id_list *list) {
    for (uint32_t i = list->count / 2; i-- > 0;) {
        sift_id(list->ids, i, list->count);
    }
    for (uint32_t end = list->count; end-- > 1;) {
        uint64_t swap = list->ids[0];
        list->ids[0] = list->ids[end];
        list->ids[end] = swap;
        sift_id(list->ids, 0, end);
    }
}

static bool has_id(const id_list *list, uint64_t id) {
    uint32_t low = 0, high = list->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list->ids[middle] < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < list->count && list->ids[low] == id;
}

static void list_set(const point_set *set, id_list *list) {
    for (uint32_t i = 0; set != NULL && i < set->count; i++) {
        if (set->live == NULL || set->live[i] != 0) {
            list->ids[list->count++] = id_of_row(set, i);
        }
    }
}

/* All that a node lets out, on both sides of a branch. */
static loam_status list_result(const node_call *call, loam_arena *arena, id_list *list) {
    const point_set *other = call->node->operation->sided ? call->out_false : NULL;
    size_t room = (size_t)call->out->count + (other == NULL ? 0 : other->count);
    *list = (id_list){.ids = loam_arena_take(arena, room + 1, sizeof *list->ids)};
    LOAM_TRY_MEMORY(list->ids, NULL);
    list_set(call->out, list);
    list_set(other, list);
    sort_ids(list);
    return LOAM_OK;
}

static void tell_reason(node_call *call, uint32_t port, uint32_t row, loam_fate *fate) {
    const operation_code *code = operation_code_of(call->node->operation);
    node_reason reason = {.word = "dropped"};
    if (code->explain != NULL) {
        code->explain(call, port, row, &reason);
    }
    fate->reason = reason.word;
    fate->measured = reason.measured;
    fate->scale_bits = reason.scale_bits;
    fate->value = reason.value;
    fate->limit = reason.limit;
}

static loam_status note_port(fate_table *table, node_call *call, uint32_t node, uint32_t port,
                             const id_list *out) {
    const operation_code *code = operation_code_of(call->node->operation);
    const point_set *in = call->inputs[port];
    for (uint32_t row = 0; row < in->count; row++) {
        if (!is_near(table->place, in, row)) {
            continue;
        }
        uint64_t id = id_of_row(in, row);
        uint64_t after = code->rename == NULL ? id : code->rename(call, port, id);
        loam_fate *fate;
        bool made;
        if (has_id(out, after)) {
            continue;
        }
        LOAM_TRY(table_fate(table, id, &fate, &made));
        if (made) {
            fate->dropped_by = node;
            place_fate(fate, in, row);
            tell_reason(call, port, row, fate);
        }
    }
    return LOAM_OK;
}

static loam_status note_node(void *context, node_call *call, uint32_t node) {
    fate_table *table = context;
    id_list out;
    if (call->node->operation->gives == LOAM_PORT_SPATIAL) {
        return LOAM_OK;
    }
    LOAM_TRY(list_result(call, table->arena, &out));
    for (uint32_t port = 0; port < call->node->operation->port_count; port++) {
        if (call->inputs[port] != NULL && !port_is_other(call->node, port)) {
            LOAM_TRY(note_port(table, call, node, port, &out));
        }
    }
    return LOAM_OK;
}

static loam_status note_kept(fate_table *table, const point_set *last) {
    for (uint32_t row = 0; row < last->count; row++) {
        loam_fate *fate;
        bool made;
        if (is_near(table->place, last, row)) {
            LOAM_TRY(table_fate(table, id_of_row(last, row), &fate, &made));
            *fate = (loam_fate){.id = fate->id, .dropped_by = LOAM_KEPT};
            place_fate(fate, last, row);
        }
    }
    return LOAM_OK;
}

/* By id, so that an answer is one answer. Insertion into a heap keeps hostile places cheap. */
static bool fate_after(const loam_fate *a, const loam_fate *b) {
    return a->id > b->id;
}

static void sift_fate(loam_fate *fates, uint32_t at, uint32_t count) {
    for (uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && fate_after(&fates[child + 1], &fates[child]);
        if (!fate_after(&fates[child], &fates[at])) {
            return;
        }
        loam_fate swap = fates[at];
        fates[at] = fates[child];
        fates[child] = swap;
        at = child;
    }
}

static void sort_fates(loam_fate *fates, uint32_t count) {
    for (uint32_t i = count / 2; i-- > 0;) {
        sift_fate(fates, i, count);
    }
    for (uint32_t end = count; end-- > 1;) {
        loam_fate swap = fates[0];
        fates[0] = fates[end];
        fates[end] = swap;
        sift_fate(fates, 0, end);
    }
}

static loam_status watch(const loam_query *query, const loam_run *run, fate_table *table,
                         loam_error *error) {
    const node_observer observer = {note_node, table};
    const point_set *last = NULL;
    point_names names;
    LOAM_TRY(evaluate_output(query, run, &observer, &last, &names, error));
    return note_kept(table, last);
}

/* How far beyond a place the reasons of its points lie: those who are in the way of a point must be
 * in what its node is asked for. */
static int64_t reason_reach(const loam_plan *plan, uint32_t output) {
    uint32_t nodes[NODES_MAX];
    int64_t most = 0;
    for (uint32_t i = key_order(plan, plan->graph->outputs[output].node, nodes); i-- > 0;) {
        const loam_node *node = &plan->graph->nodes[nodes[i]];
        const operation_code *code = operation_code_of(node->operation);
        int64_t reach = code->explain_reach == NULL ? 0 : code->explain_reach(node);
        most = reach > most ? reach : most;
    }
    return most;
}

loam_status loam_explain(const loam_query *query, loam_place place, const loam_run *run,
                         loam_fate *fates, uint32_t capacity, uint32_t *count, loam_error *error) {
    enum { FATES_FIRST = 256 };
    if (place.radius < 0 || place.radius > EXPLAIN_RADIUS_UNITS_MAX) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "a place has a radius of 0 to 64 m");
    }
    if (query->output >= query->plan->graph->output_count) {
        return loam_fail(error, LOAM_UNKNOWN_OUTPUT, NULL, "%s",
                         loam_status_text(LOAM_UNKNOWN_OUTPUT));
    }
    int64_t half = place.radius + reason_reach(query->plan, query->output);
    loam_query around = *query;
    around.rect =
        (loam_rect){place.x - half, place.z - half, place.x + half + 1, place.z + half + 1};
    fate_table table = {.place = &place, .plan = query->plan, .arena = run->arena};
    loam_status status = table_grow(&table, FATES_FIRST);
    if (status == LOAM_OK) {
        status = watch(&around, run, &table, error);
    }
    if (status != LOAM_OK) {
        return loam_fail(error, status, NULL, "%s", loam_status_text(status));
    }
    sort_fates(table.fates, table.count);
    for (uint32_t i = 0; i < table.count && i < capacity; i++) {
        fates[i] = table.fates[i];
    }
    *count = table.count;
    return LOAM_OK;
}
