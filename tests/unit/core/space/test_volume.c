/* SPDX-License-Identifier: MIT
 *
 * test_volume.c: what volumes hold, against a literal reading of each shape in 128 bits.
 */
#include "core/base/mix.h"
#include "core/space/heightfield.h"
#include "core/space/volume.h"
#include "tests/support/forest.h"
#include "tests/unit/core/space/areas_naive.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { POINTS = 4000, PARTS = 24 };

__extension__ typedef __int128 wide;

static int32_t px[POINTS], py[POINTS], pz[POINTS];

/* Points of a cube of `span` units near a place in the world. */
static volume_points points_near(int64_t x, int64_t z, int32_t span, uint64_t seed) {
    for (uint32_t i = 0; i < POINTS; i++) {
        uint64_t bits = mix64(seed * POINTS + i);
        px[i] = (int32_t)(bits % (uint64_t)span);
        py[i] = (int32_t)((bits >> 20) % (uint64_t)span) - span / 2;
        pz[i] = (int32_t)((bits >> 40) % (uint64_t)span);
    }
    return (volume_points){x, z, px, py, pz, POINTS};
}

static bool in_ball(const int64_t *at, const int64_t *center, int64_t radius) {
    wide sum = 0;
    for (int axis = 0; axis < SPACE_AXES; axis++) {
        sum += (wide)(at[axis] - center[axis]) * (at[axis] - center[axis]);
    }
    return sum <= (wide)radius * radius;
}

static bool in_box(const int64_t *at, const volume_extent *box) {
    bool inside = true;
    for (int axis = 0; axis < SPACE_AXES; axis++) {
        inside = inside && at[axis] >= box->low[axis] && at[axis] <= box->high[axis];
    }
    return inside;
}

/* One part, read literally; operands come before it. */
static bool part_holds(const volume_part *part, const int64_t *at, const bool *earlier) {
    switch (part->kind) {
    case VOLUME_BOX:
        return in_box(at, &part->extent);
    case VOLUME_BALL:
        return in_ball(at, part->center, part->radius);
    case VOLUME_UNION:
        return earlier[part->a] || earlier[part->b];
    case VOLUME_INTERSECTION:
        return earlier[part->a] && earlier[part->b];
    case VOLUME_DIFFERENCE:
        return earlier[part->a] && !earlier[part->b];
    default:
        abort();
    }
}

static bool literal(const volume *whole, const volume_points *points, uint32_t i) {
    const int64_t at[] = {[SPACE_X] = points->base_x + points->x[i],
                          [SPACE_Y] = points->y[i],
                          [SPACE_Z] = points->base_z + points->z[i]};
    bool holds[VOLUME_PARTS_MAX];
    for (uint32_t p = 0; p < whole->part_count; p++) {
        holds[p] = part_holds(&whole->parts[p], at, holds);
    }
    return holds[whole->part_count - 1];
}

/* How many points the volume holds; every one checked. */
static uint32_t check_literally(const volume *whole, const volume_points *points,
                                loam_arena *arena) {
    static uint8_t inside[POINTS];
    uint32_t count = 0;
    size_t mark = loam_arena_mark(arena);
    cr_assert_eq(volume_hold(whole, points, LOAM_SIMD_BEST, inside, arena), LOAM_OK);
    cr_expect_eq(loam_arena_mark(arena), mark, "scratch is given back");
    for (uint32_t i = 0; i < points->count; i++) {
        cr_assert_eq(inside[i] != 0, literal(whole, points, i), "point %u", i);
        count += inside[i];
    }
    return count;
}

static volume_part random_leaf(int64_t x, int64_t z, int32_t span, uint64_t seed) {
    uint64_t bits = mix64(seed);
    volume_part part = {.kind = (bits & 1) != 0 ? VOLUME_BOX : VOLUME_BALL,
                        .radius = (int64_t)(bits >> 8) % span};
    const int64_t base[] = {[SPACE_X] = x, [SPACE_Y] = -span / 2, [SPACE_Z] = z};
    for (int axis = 0; axis < SPACE_AXES; axis++) {
        part.center[axis] =
            base[axis] + (int64_t)(mix64(seed + 7 * (uint64_t)axis) % (uint64_t)span);
        part.extent.low[axis] = part.center[axis] - (int64_t)(bits >> 16) % span;
        part.extent.high[axis] = part.center[axis] + (int64_t)(bits >> 24) % span;
    }
    return part;
}

Test(volume, random_trees_of_boxes_and_balls_hold_what_a_literal_reading_holds) {
    loam_arena arena = arena_of(64 << 20);
    const volume *made[PARTS];
    uint32_t held = 0, missed = 0;
    for (uint64_t round = 0; round < 60; round++) {
        loam_arena_reset(&arena, 0);
        int64_t x = round % 3 == 0 ? 0 : -(int64_t)(round << 33), z = (int64_t)(round << 32);
        volume_points points = points_near(x, z, 4096, round);
        for (uint32_t p = 0; p < PARTS; p++) {
            uint64_t bits = mix64(round * PARTS + p);
            volume_part leaf = random_leaf(x, z, 4096, bits);
            leaf.owner = (const char *)&made + p;
            if (p < 6) {
                cr_assert_eq(volume_of_part(&leaf, &arena, &made[p]), LOAM_OK);
                continue;
            }
            volume_kind kind = VOLUME_UNION + (volume_kind)(bits % 3);
            cr_assert_eq(volume_join(kind, leaf.owner, made[(bits >> 8) % p],
                                     made[(bits >> 16) % p], &arena, &made[p]),
                         LOAM_OK);
            cr_assert_leq(made[p]->part_count, p + 1, "shared parts are there once");
        }
        uint32_t count = check_literally(made[PARTS - 1], &points, &arena);
        held += count;
        missed += POINTS - count;
    }
    cr_expect_gt(held, 1000);
    cr_expect_gt(missed, 1000);
}

Test(volume, borders_are_inside_to_the_unit) {
    loam_arena arena = arena_of(1 << 20);
    int32_t x[] = {99, 100, 200, 201, 100}, y[] = {0, -5, 5, 0, 6}, z[] = {0, 0, 7, 7, 0};
    const volume_points points = {1000, -1000, x, y, z, 5};
    volume_part box = {
        .kind = VOLUME_BOX, .extent = {{1100, -5, -1000}, {1200, 5, -993}}, .owner = &arena};
    const volume *whole;
    uint8_t inside[5];
    cr_assert_eq(volume_of_part(&box, &arena, &whole), LOAM_OK);
    cr_assert_eq(volume_hold(whole, &points, LOAM_SIMD_BEST, inside, &arena), LOAM_OK);
    const uint8_t want[5] = {0, 1, 1, 0, 0};
    cr_expect_arr_eq(inside, want, 5);
    volume_part ball = {.kind = VOLUME_BALL,
                        .center = {1100, -5, -1000},
                        .radius = 1,
                        .extent = extent_free(),
                        .owner = &x};
    cr_assert_eq(volume_of_part(&ball, &arena, &whole), LOAM_OK);
    cr_assert_eq(volume_hold(whole, &points, LOAM_SIMD_BEST, inside, &arena), LOAM_OK);
    const uint8_t want_ball[5] = {0, 1, 0, 0, 0};
    cr_expect_arr_eq(inside, want_ball, 5);
}

Test(volume, a_ball_as_large_as_it_may_be_does_not_overflow) {
    loam_arena arena = arena_of(4 << 20);
    const volume *whole;
    volume_part ball = {.kind = VOLUME_BALL,
                        .center = {POSITION_UNITS_MAX, INT32_MAX, -POSITION_UNITS_MAX},
                        .radius = (int64_t)1 << 28,
                        .extent = extent_free(),
                        .owner = &arena};
    cr_assert_eq(volume_of_part(&ball, &arena, &whole), LOAM_OK);
    volume_points far = points_near(-POSITION_UNITS_MAX, POSITION_UNITS_MAX, 4096, 1);
    cr_expect_eq(check_literally(whole, &far, &arena), 0);
}

Test(volume, balls_around_many_centers_hold_what_one_of_them_holds) {
    loam_arena arena = arena_of(64 << 20);
    static int32_t cx[500], cy[500], cz[500];
    static uint8_t inside[POINTS];
    for (uint64_t round = 0; round < 12; round++) {
        loam_arena_reset(&arena, 0);
        const int64_t radius = round == 0 ? 0 : (int64_t)(1u << round) + (int64_t)round;
        const int32_t span = 12 + 12 * (int32_t)radius;
        for (uint32_t i = 0; i < 500; i++) {
            uint64_t bits = mix64(900 + round * 500 + i);
            cx[i] = (int32_t)(bits % (uint64_t)span);
            cy[i] = (int32_t)((bits >> 20) % (uint64_t)span) - span / 2;
            cz[i] = (int32_t)((bits >> 40) % (uint64_t)span);
        }
        volume_points points =
            points_near(5000 - radius, -7000 - radius, span + 2 * (int32_t)radius, round);
        const volume_points centers = {5000, -7000, cx, cy, cz, 500};
        const volume_balls *balls;
        cr_assert_eq(volume_balls_build(&centers, radius, &arena, &balls), LOAM_OK);
        uint64_t tests = 0;
        cr_assert_eq(volume_balls_hold(balls, &points, inside, &tests), LOAM_OK);
        uint32_t held = 0;
        for (uint32_t i = 0; i < POINTS; i++) {
            const int64_t at[] = {points.base_x + px[i], py[i], points.base_z + pz[i]};
            bool want = false;
            for (uint32_t c = 0; c < 500 && !want; c++) {
                const int64_t center[] = {centers.base_x + cx[c], cy[c], centers.base_z + cz[c]};
                want = in_ball(at, center, radius);
            }
            cr_assert_eq(inside[i] != 0, want, "radius %lld, point %u", (long long)radius, i);
            held += want;
        }
        cr_expect_gt(held, 20, "radius %lld", (long long)radius);
    }
}

Test(volume, no_centers_hold_nothing_and_end_nowhere) {
    loam_arena arena = arena_of(1 << 20);
    const volume_balls *balls;
    const volume_points none = {0, 0, px, py, pz, 0};
    uint8_t inside[POINTS];
    volume_points points = points_near(0, 0, 100, 3);
    cr_assert_eq(volume_balls_build(&none, 50, &arena, &balls), LOAM_OK);
    uint64_t tests = 0;
    cr_assert_eq(volume_balls_hold(balls, &points, inside, &tests), LOAM_OK);
    for (uint32_t i = 0; i < POINTS; i++) {
        cr_assert_eq(inside[i], 0);
    }
    volume_extent extent = volume_balls_extent(balls);
    cr_expect_gt(extent.low[SPACE_X], extent.high[SPACE_X]);
}

/* Below a slope: y of the surface is what a sampler would give. */
Test(volume, ground_holds_what_is_on_it_or_below_and_nothing_beside_it) {
    loam_arena arena = arena_of(16 << 20);
    loam_heightfield *field = terrain_hills(33, (int64_t)1024 << 16, 500, -300);
    volume_part part = {
        .kind = VOLUME_GROUND, .extent = extent_free(), .of.ground = field, .owner = field};
    const volume *whole;
    cr_assert_eq(volume_of_part(&part, &arena, &whole), LOAM_OK);
    int32_t x[] = {0, 100, 100, 100, 40000}, z[] = {500, 500, 500, 500, 500};
    int32_t gx[5], gz[5], surface[5];
    uint32_t live[5] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    const surface_columns columns = {surface, gx, gz, live};
    (void)heightfield_sample(field, LOAM_SIMD_BEST, true, 450, -300, x, z, 5, columns);
    int32_t y[] = {-100000, surface[1], surface[2] + 1, surface[3] - 90, -100000};
    const volume_points points = {450, -300, x, y, z, 5};
    uint8_t inside[5];
    cr_assert_eq(volume_hold(whole, &points, LOAM_SIMD_BEST, inside, &arena), LOAM_OK);
    const uint8_t want[5] = {0, 1, 0, 1, 0};
    cr_expect_arr_eq(inside, want, 5);
}

Test(volume, more_points_than_a_block_are_asked_in_blocks) {
    loam_arena arena = arena_of(64 << 20);
    uint32_t count = 2 * VOLUME_BLOCK + 77;
    int32_t *x = calloc(count, sizeof *x), *zero = calloc(count, sizeof *zero);
    uint8_t *inside = malloc(count);
    for (uint32_t i = 0; i < count; i++) {
        x[i] = (int32_t)i;
    }
    volume_part box = {
        .kind = VOLUME_BOX, .extent = {{0, 0, 0}, {VOLUME_BLOCK + 9, 0, 0}}, .owner = &arena};
    const volume *whole;
    cr_assert_eq(volume_of_part(&box, &arena, &whole), LOAM_OK);
    const volume_points points = {0, 0, x, zero, zero, count};
    cr_assert_eq(volume_hold(whole, &points, LOAM_SIMD_BEST, inside, &arena), LOAM_OK);
    for (uint32_t i = 0; i < count; i++) {
        cr_assert_eq(inside[i], i <= VOLUME_BLOCK + 9, "%u", i);
    }
}

Test(volume, a_full_arena_is_a_status) {
    for (size_t size = 0;; size += 64) {
        static unsigned char memory[1 << 16];
        loam_arena arena;
        const volume *whole;
        volume_part box = {.kind = VOLUME_BOX, .extent = extent_free(), .owner = &arena};
        volume_points points = points_near(0, 0, 100, 2);
        points.count = 100;
        uint8_t inside[100];
        loam_arena_init(&arena, memory, size);
        loam_status status = volume_of_part(&box, &arena, &whole);
        status = status != LOAM_OK ? status
                                   : volume_hold(whole, &points, LOAM_SIMD_BEST, inside, &arena);
        if (status == LOAM_OK) {
            break;
        }
        cr_assert_eq(status, LOAM_ARENA_FULL);
    }
}
