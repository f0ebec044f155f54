/* SPDX-License-Identifier: MIT
 *
 * room_apart.c: see room_apart.h.
 */
#include "core/layout/room_apart.h"

#include "core/base/try.h"
#include "core/grid/draw.h"
#include "core/layout/open_layout.h"

/* So often all pairs are looked at for each cell of the sides; then it ends. Pairs are all pairs,
 * so no more rooms than these take part. */
enum { ROUNDS_A_SIDE = 4, ROOMS_MAX = 256, ROUNDS_MAX = 1024 };
enum { DRAW_SIDES = 3, DRAW_PLACES = 3, DRAWS_A_ROOM = 2 * (DRAW_SIDES + DRAW_PLACES) };

typedef struct pushing {
    room_plan *plan;
    loam_box *boxes;
    uint32_t count, fixed; /* the first ones do not move */
    int32_t gap;
} pushing;

static uint32_t round_count(layout_size size) {
    uint32_t rounds = ROUNDS_A_SIDE * (uint32_t)(size.width + size.height);
    return rounds < ROUNDS_MAX ? rounds : ROUNDS_MAX;
}

uint64_t room_apart_bytes(uint32_t rooms) {
    return (uint64_t)rooms * sizeof(loam_box) + 64;
}

uint64_t room_apart_steps(layout_size size, uint32_t rooms) {
    uint64_t count = rooms < ROOMS_MAX ? rooms : ROOMS_MAX;
    return round_count(size) * count * count;
}

/* The sum of three even draws: the middle is usual, the ends are rare. */
static int32_t draw_usual(uint64_t key, uint32_t first, int32_t least, int32_t most) {
    int64_t sum = 0;
    for (uint32_t i = 0; i < DRAW_SIDES; i++) {
        sum += draw_between(draw_at(key, first + i), least, most);
    }
    return (int32_t)(sum / DRAW_SIDES);
}

static loam_box draw_box(const room_plan *plan, const place_options *options, uint32_t number) {
    uint64_t key = draw_for(plan->call->seed, STAGE_SEPARATE, number, 0);
    loam_box inside = plan->inside, box;
    int32_t most_x = options->side_max < inside.width ? options->side_max : inside.width;
    int32_t most_y = options->side_max < inside.height ? options->side_max : inside.height;
    box.width = draw_usual(key, 0, options->side_min, most_x);
    box.height = draw_usual(key, DRAW_SIDES, options->side_min, most_y);
    box.x = draw_usual(key, 2 * DRAW_SIDES, inside.x, inside.x + inside.width - box.width);
    box.y = draw_usual(key, 3 * DRAW_SIDES, inside.y, inside.y + inside.height - box.height);
    return box;
}

static int32_t clamp(int32_t value, int32_t least, int32_t most) {
    if (value < least) {
        return least;
    }
    return value > most ? most : value;
}

static void push(pushing *run, uint32_t room, int32_t dx, int32_t dy) {
    loam_box *box = &run->boxes[room], inside = run->plan->inside;
    if (room >= run->fixed) {
        box->x = clamp(box->x + dx, inside.x, inside.x + inside.width - box->width);
        box->y = clamp(box->y + dy, inside.y, inside.y + inside.height - box->height);
    }
}

/* Centres decide who goes where; the later room goes east or south when they are one. */
static bool push_pair(pushing *run, uint32_t a, uint32_t b) {
    loam_box one = run->boxes[a], two = run->boxes[b];
    loam_box common = box_common(box_grown(one, run->gap), two);
    if (common.width == 0 || common.height == 0) {
        return false;
    }
    loam_spot from = box_center2(one), to = box_center2(two);
    int32_t dx = 0, dy = 0;
    if (common.width <= common.height) {
        dx = to.x >= from.x ? 1 : -1;
    } else {
        dy = to.y >= from.y ? 1 : -1;
    }
    push(run, a, -dx, -dy);
    push(run, b, dx, dy);
    return true;
}

static bool push_all(pushing *run) {
    bool any = false;
    for (uint32_t a = 0; a < run->count; a++) {
        for (uint32_t b = a + 1; b < run->count; b++) {
            any |= push_pair(run, a, b);
        }
    }
    run->plan->call->steps += (uint64_t)run->count * run->count;
    return any;
}

static bool is_kept(const pushing *run, loam_box box) {
    const layout_call *call = run->plan->call;
    loam_box grown = box_grown(box, run->gap);
    for (uint32_t i = 0; i < call->reserved_count; i++) {
        loam_spot at = call->reserved[i];
        if (box_has(grown, at.x, at.y) && !box_has(box, at.x, at.y)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < run->plan->room_count; i++) {
        if (box_meets(grown, run->plan->rooms[i].box)) {
            return false;
        }
    }
    return true;
}

/* Rooms beyond what can have room would only push the others about, for seconds where hundreds are
 * wanted of a small map, and be left out in the end. */
static uint32_t room_count(const room_plan *plan, const place_options *options) {
    place_sides sides = {.least = options->side_min, .gap = options->gap};
    uint64_t bound = place_bound(sides, plan->inside);
    uint32_t count = options->rooms < ROOMS_MAX ? options->rooms : ROOMS_MAX;
    count = bound < count ? (uint32_t)bound : count;
    return count > plan->room_count ? count : plan->room_count;
}

loam_status room_apart(room_plan *plan, const place_options *options) {
    uint32_t count = room_count(plan, options);
    pushing run = {.plan = plan, .gap = options->gap, .fixed = plan->room_count};
    run.boxes = loam_arena_take(plan->call->arena, plan->room_capacity, sizeof(loam_box));
    LOAM_TRY_MEMORY(run.boxes, plan->call->error);
    for (; run.count < run.fixed; run.count++) {
        run.boxes[run.count] = plan->rooms[run.count].box;
    }
    for (; run.count < count; run.count++) {
        run.boxes[run.count] = draw_box(plan, options, run.count);
    }
    bool any = true;
    for (uint32_t round = 0; round < round_count(plan->call->size) && any; round++) {
        LOAM_TRY(layout_poll(plan->call));
        any = push_all(&run);
    }
    for (uint32_t i = run.fixed; i < run.count; i++) {
        if (is_kept(&run, run.boxes[i])) {
            (void)room_plan_add(plan, run.boxes[i], NULL);
        }
    }
    return LOAM_OK;
}
