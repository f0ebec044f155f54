/* SPDX-License-Identifier: MIT
 *
 * prune_general.c: self.prune on any compact set, over a grid of buckets at least R wide, so that
 * all that can be in conflict with a point stands in nine buckets. Points are ordered by bucket;
 * within a round every decision reads only what the round before left, so the order decides
 * nothing.
 */
#include "core/base/fixed_math.h"
#include "core/base/mix.h"
#include "core/base/try.h"
#include "core/ops/prune.h"

#include <string.h>

/* About two points a bucket: fewer would cost more empty buckets than tests saved. */
enum { POINTS_PER_BUCKET = 2 };

typedef enum point_state { POINT_UNDECIDED, POINT_CHOSEN, POINT_ACCEPTED, POINT_DEAD } point_state;

/* A point, as the rounds see it. */
typedef struct contender {
    int32_t x, z;
    uint64_t priority;
    int32_t a, b;
    uint64_t id;
    uint32_t row;
} contender;

typedef struct bucket_grid {
    int32_t x0, z0;
    int64_t side;
    int32_t columns, rows;
    uint32_t *start; /* columns * rows + 1 */
    contender *points;
    uint8_t *state;
    uint32_t count;
    int64_t conflict_squared;
} bucket_grid;

static uint32_t bucket_of(const bucket_grid *grid, int32_t x, int32_t z) {
    return (uint32_t)((z - grid->z0) / grid->side * grid->columns + (x - grid->x0) / grid->side);
}

static void grid_bounds(const point_set *set, int64_t conflict, bucket_grid *grid) {
    int32_t x1 = set->x[0], z1 = set->z[0];
    grid->x0 = x1;
    grid->z0 = z1;
    for (uint32_t i = 1; i < set->count; i++) {
        grid->x0 = set->x[i] < grid->x0 ? set->x[i] : grid->x0;
        grid->z0 = set->z[i] < grid->z0 ? set->z[i] : grid->z0;
        x1 = set->x[i] > x1 ? set->x[i] : x1;
        z1 = set->z[i] > z1 ? set->z[i] : z1;
    }
    uint64_t width = (uint64_t)(x1 - grid->x0) + 1, depth = (uint64_t)(z1 - grid->z0) + 1;
    uint64_t fair = integer_root(width * depth / set->count * POINTS_PER_BUCKET) + 1;
    grid->side = conflict > (int64_t)fair ? conflict : (int64_t)fair;
    grid->columns = (int32_t)((x1 - grid->x0) / grid->side) + 1;
    grid->rows = (int32_t)((z1 - grid->z0) / grid->side) + 1;
}

static contender contender_of(const point_set *set, const uint64_t *ids, const prune_rule *rule,
                              uint32_t i) {
    uint64_t row_key = draw_row_key(rule->priority_key, set->b[i]);
    uint64_t priority = priority_of(draw_bits(row_key, set->a[i]));
    if (rule->by_density) {
        uint64_t density = set->density == NULL ? set->density_all : set->density[i];
        priority |= density << 32;
    }
    return (contender){set->x[i],          set->z[i], priority, (int32_t)set->a[i],
                       (int32_t)set->b[i], ids[i],    i};
}

/* Counting sort of the points into the buckets. */
static loam_status grid_fill(node_call *call, const point_set *set, const prune_rule *rule,
                             bucket_grid *grid) {
    size_t buckets = (size_t)grid->columns * (size_t)grid->rows;
    const uint64_t *ids;
    if (point_set_ids(set, call->arena, &ids) != LOAM_OK) {
        ids = NULL;
    }
    LOAM_TRY_MEMORY(ids, call->error);
    grid->start = loam_arena_take_zero(call->arena, buckets + 2, sizeof *grid->start);
    grid->points = loam_arena_take(call->arena, set->count, sizeof *grid->points);
    grid->state = loam_arena_take_zero(call->arena, set->count, 1);
    LOAM_TRY_MEMORY(grid->start, call->error);
    LOAM_TRY_MEMORY(grid->points, call->error);
    LOAM_TRY_MEMORY(grid->state, call->error);
    uint32_t *next = grid->start + 1;
    for (uint32_t i = 0; i < set->count; i++) {
        next[bucket_of(grid, set->x[i], set->z[i]) + 1]++;
    }
    for (size_t bucket = 1; bucket <= buckets; bucket++) {
        next[bucket] += next[bucket - 1];
    }
    for (uint32_t i = 0; i < set->count; i++) {
        grid->points[next[bucket_of(grid, set->x[i], set->z[i])]++] =
            contender_of(set, ids, rule, i);
    }
    return LOAM_OK;
}

/* Larger priority, then larger (b, a), then larger id. */
static bool wins(const contender *one, const contender *other) {
    if (one->priority != other->priority) {
        return one->priority > other->priority;
    }
    if (one->b != other->b) {
        return one->b > other->b;
    }
    return one->a != other->a ? one->a > other->a : one->id > other->id;
}

/* Whether a point in one of two states is in conflict with point `i`; if `winning`, only one that
 * wins over it counts. */
static bool meets(const bucket_grid *grid, uint32_t i, point_state state, point_state also,
                  bool winning) {
    const contender *own = &grid->points[i];
    int32_t column = (int32_t)((own->x - grid->x0) / grid->side);
    int32_t row = (int32_t)((own->z - grid->z0) / grid->side);
    int32_t west = column > 0 ? column - 1 : 0;
    int32_t east = column + 1 < grid->columns ? column + 1 : column;
    for (int32_t r = row > 0 ? row - 1 : 0; r <= row + 1 && r < grid->rows; r++) {
        const uint32_t *start = grid->start + (size_t)r * (size_t)grid->columns;
        for (uint32_t k = start[west]; k < start[east + 1]; k++) {
            const contender *other = &grid->points[k];
            int64_t dx = other->x - own->x, dz = other->z - own->z;
            if (dx * dx + dz * dz < grid->conflict_squared && k != i &&
                (grid->state[k] == state || grid->state[k] == also) &&
                (!winning || wins(other, own))) {
                return true;
            }
        }
    }
    return false;
}

/* One round over the undecided points of `list`; returns how many are left in it. Within the round
 * a chosen point still counts as live, as it was when the round began. */
static uint32_t run_round(bucket_grid *grid, uint32_t *list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (!meets(grid, list[i], POINT_UNDECIDED, POINT_CHOSEN, true)) {
            grid->state[list[i]] = POINT_CHOSEN;
        }
    }
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (grid->state[list[i]] == POINT_UNDECIDED) {
            bool dies = meets(grid, list[i], POINT_CHOSEN, POINT_CHOSEN, false);
            grid->state[list[i]] = (uint8_t)(dies ? POINT_DEAD : POINT_UNDECIDED);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (grid->state[list[i]] == POINT_CHOSEN) {
            grid->state[list[i]] = POINT_ACCEPTED;
        } else if (grid->state[list[i]] == POINT_UNDECIDED) {
            list[left++] = list[i];
        }
    }
    return left;
}

loam_status prune_general(node_call *call, const point_set *compact, const prune_rule *rule,
                          uint8_t *accepted) {
    memset(accepted, 0, compact->count);
    if (compact->count == 0) {
        return LOAM_OK;
    }
    bucket_grid grid = {.count = compact->count,
                        .conflict_squared = rule->conflict * rule->conflict};
    grid_bounds(compact, rule->conflict, &grid);
    LOAM_TRY(grid_fill(call, compact, rule, &grid));
    uint32_t *list = COLUMN_TAKE(call->arena, compact->count, uint32_t);
    LOAM_TRY_MEMORY(list, call->error);
    for (uint32_t i = 0; i < compact->count; i++) {
        list[i] = i;
    }
    uint32_t left = compact->count;
    for (uint32_t round = 1; round <= rule->rounds && left > 0; round++) {
        LOAM_TRY(poll_cancel(call));
        left = run_round(&grid, list, left);
    }
    for (uint32_t i = 0; i < compact->count; i++) {
        accepted[grid.points[i].row] = grid.state[i] == POINT_ACCEPTED;
    }
    return LOAM_OK;
}
