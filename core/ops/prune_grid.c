/* SPDX-License-Identifier: MIT
 *
 * prune_grid.c: see prune_grid.h. A counting sort into buckets.
 */
#include "core/ops/prune_grid.h"

#include "core/base/fixed_math.h"
#include "core/base/try.h"

/* About two points a bucket: fewer would cost more empty buckets than tests saved. */
enum { POINTS_PER_BUCKET = 2 };

static inline uint32_t class_of(int32_t radius) {
    return 31u - (uint32_t)__builtin_clz((uint32_t)radius | 1u);
}

static inline int32_t radius_at(const prune_terms *terms, uint32_t i) {
    return terms->radius == NULL ? terms->radius_all : terms->radius[i];
}

static void find_bounds(const point_set *set, prune_grid *grid) {
    grid->x0 = grid->x1 = set->x[0];
    grid->z0 = grid->z1 = set->z[0];
    for (uint32_t i = 1; i < set->count; i++) {
        grid->x0 = set->x[i] < grid->x0 ? set->x[i] : grid->x0;
        grid->z0 = set->z[i] < grid->z0 ? set->z[i] : grid->z0;
        grid->x1 = set->x[i] > grid->x1 ? set->x[i] : grid->x1;
        grid->z1 = set->z[i] > grid->z1 ? set->z[i] : grid->z1;
    }
}

/* A side half as wide again as two of the class conflict: what a search meets is two or three rows
 * of a few rivals. Larger where that would leave most buckets empty, and never so small that a thin
 * set has more columns than points. */
static void shape_class(const prune_grid *grid, const prune_terms *terms, uint32_t count,
                        prune_class *class) {
    uint64_t width = (uint64_t)(grid->x1 - grid->x0) + 1;
    uint64_t depth = (uint64_t)(grid->z1 - grid->z0) + 1;
    uint64_t longest = width > depth ? width : depth;
    int32_t asked = terms->radius == NULL ? terms->asked_max : class->radius;
    uint64_t side = (uint64_t)prune_conflict(grid->sum, class->radius, asked) * 3 / 2;
    uint64_t fair = integer_root(width * depth / count * POINTS_PER_BUCKET) + 1;
    uint64_t thin = longest / count + 1;
    side = side > fair ? side : fair;
    side = side > thin ? side : thin;
    class->inverse = ((uint64_t)1 << 32) / side + 1;
    class->columns = prune_bucket_along(class, grid->x1 - grid->x0) + 1;
    class->rows = prune_bucket_along(class, grid->z1 - grid->z0) + 1;
}

/* Rivals and the largest radius of each class. */
typedef struct class_census {
    uint32_t counts[PRUNE_CLASSES_MAX];
    int32_t largest[PRUNE_CLASSES_MAX];
    uint8_t place[PRUNE_CLASSES_MAX]; /* which class of the grid it becomes */
} class_census;

static void take_census(const point_set *set, const prune_terms *terms, class_census *census) {
    *census = (class_census){{0}, {0}, {0}};
    if (terms->radius == NULL) {
        census->counts[class_of(terms->radius_all)] = set->count;
        census->largest[class_of(terms->radius_all)] = terms->radius_all;
        return;
    }
    for (uint32_t i = 0; i < set->count; i++) {
        uint32_t at = class_of(terms->radius[i]);
        census->counts[at]++;
        if (terms->radius[i] > census->largest[at]) {
            census->largest[at] = terms->radius[i];
        }
    }
}

static loam_status make_classes(node_call *call, const prune_terms *terms, class_census *census,
                                prune_grid *grid) {
    uint32_t first = 0;
    for (uint32_t at = 0; at < PRUNE_CLASSES_MAX; at++) {
        if (census->counts[at] == 0) {
            continue;
        }
        census->place[at] = (uint8_t)grid->class_count;
        prune_class *class = &grid->classes[grid->class_count++];
        *class = (prune_class){
            .first = first, .last = first + census->counts[at], .radius = census->largest[at]};
        first = class->last;
        shape_class(grid, terms, census->counts[at], class);
        size_t buckets = (size_t) class->columns * (size_t) class->rows;
        class->start = loam_arena_take_zero(call->arena, buckets + 2, sizeof *class->start);
        LOAM_TRY_MEMORY(class->start, call->error);
        int64_t conflict = prune_conflict(grid->sum, class->radius, terms->asked_max);
        grid->wide = grid->wide || conflict > PRUNE_NARROW_MAX;
    }
    return LOAM_OK;
}

/* The columns of a grid while they are written. */
typedef struct rival_columns {
    int32_t *x, *z, *radius;
    uint32_t *row;
} rival_columns;

/* start[bucket + 2] counts, then start[bucket + 1] is where a bucket's next rival goes, and at last
 * its end. `buckets` becomes where each row's rival stands. */
static void fill_buckets(const point_set *set, const prune_terms *terms, const class_census *census,
                         uint32_t *buckets, prune_grid *grid, rival_columns rivals) {
    for (uint32_t i = 0; i < set->count; i++) {
        const prune_class *class = &grid->classes[census->place[class_of(radius_at(terms, i))]];
        buckets[i] = (uint32_t)(prune_bucket_along(class, set->z[i] - grid->z0) * class->columns +
                                prune_bucket_along(class, set->x[i] - grid->x0));
        class->start[buckets[i] + 2]++;
    }
    for (uint32_t c = 0; c < grid->class_count; c++) {
        prune_class *class = &grid->classes[c];
        uint32_t end = (uint32_t)(class->columns * class->rows);
        class->start[0] = class->start[1] = class->first;
        for (uint32_t bucket = 1; bucket <= end; bucket++) {
            class->start[bucket + 1] += class->start[bucket];
        }
    }
    for (uint32_t i = 0; i < set->count; i++) {
        const prune_class *class = &grid->classes[census->place[class_of(radius_at(terms, i))]];
        uint32_t at = class->start[buckets[i] + 1]++;
        rivals.x[at] = set->x[i];
        rivals.z[at] = set->z[i];
        rivals.radius[at] = radius_at(terms, i);
        rivals.row[at] = i;
        buckets[i] = at;
    }
}

loam_status prune_grid_build(node_call *call, const point_set *set, const prune_terms *terms,
                             prune_grid *grid) {
    *grid = (prune_grid){.count = set->count, .sum = terms->sum};
    if (set->count == 0) {
        return LOAM_OK;
    }
    rival_columns rivals = {COLUMN_TAKE(call->arena, set->count + PRUNE_LANES, int32_t),
                            COLUMN_TAKE(call->arena, set->count + PRUNE_LANES, int32_t),
                            COLUMN_TAKE(call->arena, set->count + PRUNE_LANES, int32_t),
                            COLUMN_TAKE(call->arena, set->count, uint32_t)};
    uint32_t *buckets = COLUMN_TAKE(call->arena, set->count, uint32_t);
    LOAM_TRY_MEMORY(rivals.x, call->error);
    LOAM_TRY_MEMORY(rivals.z, call->error);
    LOAM_TRY_MEMORY(rivals.radius, call->error);
    LOAM_TRY_MEMORY(rivals.row, call->error);
    LOAM_TRY_MEMORY(buckets, call->error);
    class_census census;
    find_bounds(set, grid);
    take_census(set, terms, &census);
    LOAM_TRY(make_classes(call, terms, &census, grid));
    fill_buckets(set, terms, &census, buckets, grid, rivals);
    for (uint32_t i = set->count; i < set->count + PRUNE_LANES; i++) {
        rivals.x[i] = rivals.z[i] = rivals.radius[i] = 0;
    }
    grid->x = rivals.x;
    grid->z = rivals.z;
    grid->radius = rivals.radius;
    grid->row = rivals.row;
    grid->place = buckets;
    return LOAM_OK;
}

loam_status prune_check_tests(const node_call *call, uint64_t tests, uint32_t points) {
    if (tests <= TESTS_PER_CELL_MAX) {
        return LOAM_OK;
    }
    return loam_fail(call->error, LOAM_BUDGET_EXCEEDED, call->pointer,
                     "%s takes more than %llu neighbour tests among %u points that crowd; use a "
                     "smaller distance, fewer points or smaller cells",
                     call->node->operation->name, (unsigned long long)TESTS_PER_CELL_MAX, points);
}
