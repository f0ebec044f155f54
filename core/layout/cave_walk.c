/* SPDX-License-Identifier: MIT
 *
 * cave_walk.c: a cave dug by walkers. All start in the middle and dig where they step, so that what
 * they dig hangs together; one that found nothing to dig for long goes on from somewhere else. They
 * have a budget of steps; what is missing then is dug along the edge, ring by ring.
 */
#include "core/base/try.h"
#include "core/grid/draw.h"
#include "core/layout/open_layout.h"

enum { WALK_FLOOR_PERCENT = LAYOUT_PARAMS, WALK_MOMENTUM, WALK_WALKERS, WALK_PARAMS };

/* Together they could step so often on every cell. A walker without a find turns up elsewhere. */
enum { WALKERS_MAX = 16, STEPS_A_CELL = 8, STUCK_STEPS = 64 };
/* Near the edge a way towards it weighs less. */
enum { EDGE_NEAR = 4, WEIGHT_USUAL = 4, WEIGHT_EDGE = 1 };
/* Draws of one step: on or not, which way, where to go on from. */
enum { DRAW_ON, DRAW_WAY, DRAW_PLACE, DRAWS_A_STEP };
enum { POLL_STEPS = 65536 };

static const loam_param_schema walk_params[WALK_PARAMS] = {
    LAYOUT_PARAM_ROWS(LAYOUT_SIDE_MAX),
    PARAM("floor_percent", "Floor", "%", INT, 0, 0, 40, 1, 100, 1,
          "Cells that are dug out, of those inside the border."),
    PARAM("momentum_percent", "Momentum", "%", INT, 0, 0, 30, 0, 100, 1,
          "So often a walker goes straight on."),
    PARAM("walkers", "Walkers", "", INT, 0, 0, 1, 1, WALKERS_MAX, 1, "They take turns."),
};

const loam_recipe cave_walk_recipe = {
    .name = "cave.walk",
    .version = 1,
    .title = "Walked cave",
    .description = "A cave that random walkers dig from the middle: winding, and in one piece.",
    .params = walk_params,
    .param_count = WALK_PARAMS,
};

typedef struct walker {
    loam_spot at;
    uint32_t way;
    uint32_t idle; /* steps since it last dug */
    uint64_t key;
} walker;

typedef struct walk_work {
    layout_call *call;
    cell_grid cells;
    loam_box inside;
    uint32_t *dug; /* places, in the order in which they were dug */
    uint32_t dug_count, target;
    int64_t momentum;
} walk_work;

static uint64_t walk_steps(const loam_value *params, layout_size size) {
    (void)params;
    uint64_t cells = (uint64_t)size.width * (uint64_t)size.height;
    return cells * (STEPS_A_CELL + 2) + open_layout_steps(size);
}

enum { EDGE_BUCKETS = 4096, EDGE_SHIFT = 64 - 12 };

static uint64_t walk_bytes(const loam_value *params, layout_size size) {
    (void)params;
    enum { ALIGNMENTS = 256 };
    uint64_t cells = (uint64_t)size.width * (uint64_t)size.height;
    return cells * 2 * sizeof(uint32_t) + EDGE_BUCKETS * sizeof(uint32_t) + ALIGNMENTS +
           open_layout_bytes(size);
}

static void dig(walk_work *work, size_t place) {
    if (work->cells.cells[place] == LOAM_CELL_WALL) {
        work->cells.cells[place] = LOAM_CELL_FLOOR;
        work->dug[work->dug_count++] = (uint32_t)place;
    }
}

static bool is_near_edge(loam_box inside, loam_spot at) {
    return !box_has(box_grown(inside, -EDGE_NEAR), at.x, at.y);
}

/* A way by weights; ways out of the inside have none. */
static uint32_t weighted_way(const walk_work *work, loam_spot at, uint64_t bits) {
    uint32_t weights[WAY_COUNT], sum = 0;
    for (uint32_t way = 0; way < WAY_COUNT; way++) {
        loam_spot to = spot_step(at, way);
        weights[way] = !box_has(work->inside, to.x, to.y) ? 0
                       : is_near_edge(work->inside, to)   ? WEIGHT_EDGE
                                                          : WEIGHT_USUAL;
        sum += weights[way];
    }
    uint32_t left = draw_below(bits, sum), way = 0;
    while (left >= weights[way]) {
        left -= weights[way++];
    }
    return way;
}

static void step(walk_work *work, walker *one, uint32_t number) {
    uint64_t on = draw_at(one->key, number * DRAWS_A_STEP + DRAW_ON);
    uint64_t way = draw_at(one->key, number * DRAWS_A_STEP + DRAW_WAY);
    loam_spot ahead = spot_step(one->at, one->way);
    if (!draw_percent(on, work->momentum) || !box_has(work->inside, ahead.x, ahead.y)) {
        one->way = weighted_way(work, one->at, way);
    }
    one->at = spot_step(one->at, one->way);
    uint32_t before = work->dug_count;
    dig(work, grid_index(&work->cells, one->at.x, one->at.y));
    one->idle = work->dug_count == before ? one->idle + 1 : 0;
    if (one->idle >= STUCK_STEPS) {
        uint64_t bits = draw_at(one->key, number * DRAWS_A_STEP + DRAW_PLACE);
        uint32_t place = work->dug[draw_below(bits, work->dug_count)];
        one->at = (loam_spot){(int32_t)(place % (uint32_t)work->cells.width),
                              (int32_t)(place / (uint32_t)work->cells.width)};
        one->idle = 0;
    }
}

static loam_status walk(walk_work *work, uint32_t walker_count) {
    walker walkers[WALKERS_MAX];
    loam_spot middle = {work->inside.x + work->inside.width / 2,
                        work->inside.y + work->inside.height / 2};
    for (uint32_t i = 0; i < walker_count; i++) {
        walkers[i] = (walker){.at = middle, .key = draw_for(work->call->seed, STAGE_WALK, i, 0)};
        walkers[i].way = draw_below(mix64(walkers[i].key), WAY_COUNT);
    }
    dig(work, grid_index(&work->cells, middle.x, middle.y));
    uint64_t most = (uint64_t)grid_count(&work->cells) * STEPS_A_CELL, number = 0;
    for (; number < most && work->dug_count < work->target; number++) {
        uint32_t turn = (uint32_t)(number % walker_count);
        step(work, &walkers[turn], (uint32_t)(number / walker_count));
        if (number % POLL_STEPS == 0) {
            LOAM_TRY(layout_poll(work->call));
        }
    }
    (void)layout_count(work->call, number);
    return LOAM_OK;
}

/* The rock beside what was dug from `first` on, in that order, once each. */
static uint32_t list_edge(walk_work *work, uint32_t first, uint32_t *edge) {
    enum { LISTED = 255 };
    uint32_t count = 0, width = (uint32_t)work->cells.width;
    for (uint32_t i = first; i < work->dug_count; i++) {
        loam_spot at = {(int32_t)(work->dug[i] % width), (int32_t)(work->dug[i] / width)};
        for (uint32_t way = 0; way < WAY_COUNT; way++) {
            loam_spot to = spot_step(at, way);
            size_t place = grid_index(&work->cells, to.x, to.y);
            if (box_has(work->inside, to.x, to.y) && work->cells.cells[place] == LOAM_CELL_WALL) {
                work->cells.cells[place] = LISTED;
                edge[count++] = (uint32_t)place;
            }
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        work->cells.cells[edge[i]] = LOAM_CELL_WALL;
    }
    return count;
}

static uint32_t bucket_of(uint64_t key, uint32_t place) {
    return (uint32_t)(draw_at(key, place) >> EDGE_SHIFT);
}

/* Digs `wanted` of the edge's cells, in order of their hashes' leading bits. */
static void dig_some(walk_work *work, const uint32_t *edge, uint32_t count, uint32_t *buckets) {
    uint64_t key = draw_for(work->call->seed, STAGE_WALK, WALKERS_MAX, 0);
    uint32_t wanted = work->target - work->dug_count, limit = 0, below = 0;
    memset(buckets, 0, EDGE_BUCKETS * sizeof *buckets);
    for (uint32_t i = 0; i < count; i++) {
        buckets[bucket_of(key, edge[i])]++;
    }
    while (below + buckets[limit] < wanted) {
        below += buckets[limit++];
    }
    uint32_t from_limit = wanted - below;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bucket = bucket_of(key, edge[i]);
        if (bucket < limit || (bucket == limit && from_limit > 0)) {
            from_limit -= bucket == limit;
            dig(work, edge[i]);
        }
    }
}

/* Ring by ring around all that is dug, until there is as much as wanted. */
static loam_status dig_edge(walk_work *work) {
    loam_arena *arena = work->call->arena;
    uint32_t *edge = loam_arena_take(arena, grid_count(&work->cells), sizeof *edge);
    uint32_t *buckets = loam_arena_take(arena, EDGE_BUCKETS, sizeof *buckets);
    LOAM_TRY_MEMORY(edge, work->call->error);
    LOAM_TRY_MEMORY(buckets, work->call->error);
    uint32_t first = 0;
    while (work->dug_count < work->target) {
        uint32_t count = list_edge(work, first, edge);
        first = work->dug_count;
        if (count > work->target - work->dug_count) {
            dig_some(work, edge, count, buckets);
            break;
        }
        for (uint32_t i = 0; i < count; i++) {
            dig(work, edge[i]);
        }
        LOAM_TRY(layout_poll(work->call));
    }
    (void)layout_count(work->call, work->dug_count);
    return LOAM_OK;
}

static loam_status walk_make(layout_call *call) {
    walk_work work = {.call = call, .inside = layout_inside(call->size)};
    LOAM_TRY(open_layout_begin(call, (loam_box){0, 0, call->size.width, call->size.height},
                               &work.cells));
    work.dug = loam_arena_take(call->arena, grid_count(&work.cells), sizeof *work.dug);
    LOAM_TRY_MEMORY(work.dug, call->error);
    uint64_t area = (uint64_t)box_area(work.inside);
    uint64_t target = area * (uint64_t)layout_integer(call->params, WALK_FLOOR_PERCENT) / 100;
    work.target = target < 2 ? 2 : (uint32_t)target;
    work.momentum = layout_integer(call->params, WALK_MOMENTUM);
    LOAM_TRY(walk(&work, (uint32_t)layout_integer(call->params, WALK_WALKERS)));
    LOAM_TRY(dig_edge(&work));
    for (uint32_t i = 0; i < call->reserved_count; i++) {
        grid_set(&work.cells, call->reserved[i].x, call->reserved[i].y, LOAM_CELL_FLOOR);
    }
    return open_layout_end(call, &work.cells, 1);
}

const recipe_code cave_walk_code = {
    .check = NULL,
    .steps = walk_steps,
    .bytes = walk_bytes,
    .make = walk_make,
};
