/* SPDX-License-Identifier: MIT
 *
 * prune_explain.c: why self.prune dropped a point: the nearest accepted point in conflict with it,
 * or that it was still undecided after the last round. The accepted ones are the node's result,
 * sorted once into buckets as wide as the largest conflict distance, so that whoever stands in the
 * way of a point stands in nine of them.
 */
#include "core/base/fixed_math.h"
#include "core/ops/attribute.h"
#include "core/ops/prune.h"

/* As self.prune's schema and choices have them. */
enum { EXPLAIN_RADIUS, EXPLAIN_MODE };
enum { EXPLAIN_MODE_CONSTANT, EXPLAIN_MODE_MAX, EXPLAIN_MODE_SUM };
/* Distances are told in 1/65,536 m: units, and eight bits more. */
enum { DISTANCE_BITS = 16, DISTANCE_SHIFT = DISTANCE_BITS - BITS_UNITS };

/* A winner, by the bucket that it stands in. */
typedef struct bucket_row {
    uint64_t bucket;
    uint32_t row;
} bucket_row;

typedef struct winners {
    const point_set *set;
    bucket_row *rows; /* by bucket */
    uint32_t count;
    int64_t side;
    param_column radius;       /* of the winners */
    param_column radius_input; /* of the points that are asked about */
} winners;

static bool is_sum(const loam_node *node) {
    return param_integer(node, EXPLAIN_MODE) == EXPLAIN_MODE_SUM;
}

static int64_t conflict_most(const loam_node *node) {
    return param_most(node, EXPLAIN_RADIUS) * (is_sum(node) ? 2 : 1);
}

int64_t prune_explain_reach(const loam_node *node) {
    return conflict_most(node) - 1;
}

/* Columns of buckets are numbered from 2^31, so that negative ones stay in order. */
static uint64_t bucket_at(int64_t column, int64_t row) {
    const int64_t middle = (int64_t)1 << 31;
    return (uint64_t)(row + middle) << 32 | (uint64_t)(column + middle);
}

static void sift_row(bucket_row *rows, uint32_t at, uint32_t count) {
    for (uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && rows[child + 1].bucket > rows[child].bucket;
        if (rows[child].bucket <= rows[at].bucket) {
            return;
        }
        bucket_row swap = rows[at];
        rows[at] = rows[child];
        rows[child] = swap;
        at = child;
    }
}

static void sort_rows(bucket_row *rows, uint32_t count) {
    for (uint32_t i = count / 2; i-- > 0;) {
        sift_row(rows, i, count);
    }
    for (uint32_t end = count; end-- > 1;) {
        bucket_row swap = rows[0];
        rows[0] = rows[end];
        rows[end] = swap;
        sift_row(rows, 0, end);
    }
}

/* Made for the first point of a call, kept for the others. NULL when the arena is full. */
static const winners *winners_of(node_call *call) {
    if (call->explained != NULL) {
        return call->explained;
    }
    const point_set *out = call->out;
    winners *made = loam_arena_take(call->arena, 1, sizeof *made);
    bucket_row *rows = COLUMN_TAKE(call->arena, out->count, bucket_row);
    if (made == NULL || rows == NULL) {
        return NULL;
    }
    *made = (winners){.set = out, .rows = rows, .side = conflict_most(call->node)};
    if (param_column_read(call, out, EXPLAIN_RADIUS, &made->radius) != LOAM_OK ||
        param_column_read(call, call->inputs[0], EXPLAIN_RADIUS, &made->radius_input) != LOAM_OK) {
        return NULL;
    }
    for (uint32_t i = 0; i < out->count; i++) {
        if (out->live == NULL || out->live[i] != 0) {
            int64_t column = floor_divide(out->base_x + out->x[i], made->side);
            int64_t row = floor_divide(out->base_z + out->z[i], made->side);
            rows[made->count++] = (bucket_row){bucket_at(column, row), i};
        }
    }
    sort_rows(rows, made->count);
    call->explained = made;
    return made;
}

/* The first row at or behind a bucket. */
static uint32_t find_bucket(const winners *all, uint64_t bucket) {
    uint32_t low = 0, high = all->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (all->rows[middle].bucket < bucket) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The nearest one in conflict so far: squared distance and conflict distance. */
typedef struct nearest {
    bool found;
    int64_t squared, conflict;
} nearest;

static int64_t conflict_of_pair(const loam_node *node, int64_t one, int64_t other) {
    int64_t larger = one > other ? one : other;
    return is_sum(node) ? one + other : larger;
}

static void try_winner(const node_call *call, const winners *all, uint32_t asked, uint32_t winner,
                       nearest *best) {
    const point_set *in = call->inputs[0];
    int64_t dx = in->base_x + in->x[asked] - all->set->base_x - all->set->x[winner];
    int64_t dz = in->base_z + in->z[asked] - all->set->base_z - all->set->z[winner];
    int64_t squared = dx * dx + dz * dz;
    int64_t conflict = conflict_of_pair(call->node, param_at(&all->radius_input, asked),
                                        param_at(&all->radius, winner));
    bool nearer = !best->found || squared < best->squared ||
                  (squared == best->squared && conflict > best->conflict);
    if (squared < conflict * conflict && nearer) {
        *best = (nearest){true, squared, conflict};
    }
}

static nearest find_nearest(const node_call *call, const winners *all, uint32_t asked) {
    const point_set *in = call->inputs[0];
    int64_t column = floor_divide(in->base_x + in->x[asked], all->side);
    int64_t row = floor_divide(in->base_z + in->z[asked], all->side);
    nearest best = {0};
    for (int64_t r = row - 1; r <= row + 1; r++) {
        uint64_t last = bucket_at(column + 1, r);
        for (uint32_t i = find_bucket(all, bucket_at(column - 1, r));
             i < all->count && all->rows[i].bucket <= last; i++) {
            try_winner(call, all, asked, all->rows[i].row, &best);
        }
    }
    return best;
}

void prune_explain(node_call *call, uint32_t port, uint32_t row, node_reason *reason) {
    (void)port;
    const winners *all = winners_of(call);
    if (all == NULL) {
        return;
    }
    nearest best = find_nearest(call, all, row);
    *reason = (node_reason){.word = best.found ? "distance" : "undecided"};
    if (best.found) {
        reason->measured = true;
        reason->scale_bits = DISTANCE_BITS;
        reason->value = (int64_t)integer_root((uint64_t)best.squared << (2 * DISTANCE_SHIFT));
        reason->limit = best.conflict << DISTANCE_SHIFT;
    }
}
