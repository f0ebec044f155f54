/* SPDX-License-Identifier: MIT
 *
 * test_point_order.c: canonical order (z, x, y, id), ties and all, against a plain sort; the
 * palette.
 */
#include "core/points/point_order.h"
#include "tests/unit/core/base/byte_buffer.h"

#include <criterion/criterion.h>
#include <stdio.h>

enum { COUNT = 5000, ARENA_BYTES = 4 << 20 };

static int32_t x[COUNT], y[COUNT], z[COUNT];
static uint32_t asset[COUNT], a[COUNT], b[COUNT];
static uint64_t id[COUNT];
static uint16_t scale[COUNT];
static _Alignas(64) unsigned char memory[ARENA_BYTES];

static const loam_text names[] = {{"", 0}, {"pine", 4}, {"birch", 5}, {"oak", 3}};
static const point_names all_names = {names, 4};

static point_set random_set(uint64_t seed, int64_t side, int64_t height) {
    test_random random = {seed};
    for (uint32_t i = 0; i < COUNT; i++) {
        x[i] = (int32_t)random_between(&random, 0, side);
        z[i] = (int32_t)random_between(&random, 0, side);
        y[i] = (int32_t)random_between(&random, -height, height);
        id[i] = (i + seed) * 0x9e3779b97f4a7c15u; /* never twice */
        asset[i] = (uint32_t)random_between(&random, 1, 2);
        scale[i] = (uint16_t)(id[i] & 0xffff);
    }
    return (point_set){.count = COUNT,
                       .base_x = -70000,
                       .base_z = 1 << 30,
                       .x = x,
                       .y = y,
                       .z = z,
                       .id = id,
                       .a = a,
                       .b = b,
                       .asset = asset,
                       .scale = scale,
                       .density_all = 5};
}

static void order(const point_set *set, loam_rect rect, loam_points *points) {
    loam_arena arena;
    loam_arena_init(&arena, memory, sizeof memory);
    cr_assert_eq(points_of_cell(set, rect, all_names, &arena, points), LOAM_OK);
}

static int compare_rows(const void *p, const void *q) {
    uint32_t i = *(const uint32_t *)p, j = *(const uint32_t *)q;
    if (z[i] != z[j]) {
        return z[i] < z[j] ? -1 : 1;
    }
    if (x[i] != x[j]) {
        return x[i] < x[j] ? -1 : 1;
    }
    if (y[i] != y[j]) {
        return y[i] < y[j] ? -1 : 1;
    }
    return (id[i] > id[j]) - (id[i] < id[j]);
}

static void expect_sorted(const point_set *set, loam_rect rect) {
    static uint32_t rows[COUNT];
    loam_points points;
    uint32_t count = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        int64_t wx = set->base_x + x[i], wz = set->base_z + z[i];
        if (wx >= rect.x0 && wx < rect.x1 && wz >= rect.z0 && wz < rect.z1) {
            rows[count++] = i;
        }
    }
    qsort(rows, count, sizeof rows[0], compare_rows);
    order(set, rect, &points);
    cr_assert_eq(points.count, count);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = rows[k];
        cr_assert_eq(points.id[k], id[i], "place %u", k);
        cr_assert_eq(points.x[k], set->base_x + x[i] - rect.x0);
        cr_assert_eq(points.z[k], set->base_z + z[i] - rect.z0);
        cr_assert(points.y[k] == y[i] && points.scale_x[k] == scale[i]);
        cr_assert(loam_text_equal(points.palette[points.asset[k]], names[asset[i]]));
    }
}

Test(point_order, points_are_in_order_of_z_then_x) {
    point_set set = random_set(1, 1 << 20, 1000);
    expect_sorted(&set, (loam_rect){-70000, 1 << 30, -70000 + (1 << 21), (1 << 30) + (1 << 21)});
    expect_sorted(&set, (loam_rect){-60001, (1 << 30) + 7, 500000, (1 << 30) + 900000});
}

Test(point_order, equal_places_are_in_order_of_y_and_equal_heights_of_id) {
    point_set set = random_set(2, 9, 3);
    expect_sorted(&set, (loam_rect){-70000, 1 << 30, -69990, (1 << 30) + 10});
    point_set pile = random_set(3, 0, 0);
    expect_sorted(&pile, (loam_rect){-70000, 1 << 30, -69999, (1 << 30) + 1});
}

Test(point_order, every_size_of_rectangle_has_its_own_digits) {
    for (int64_t side = 1; side <= 1 << 21; side = side * 3 + 1) {
        point_set set = random_set((uint64_t)side, side - 1, 2);
        expect_sorted(&set, (loam_rect){-70000, 1 << 30, -70000 + side, (1 << 30) + side});
    }
}

Test(point_order, the_order_of_rows_does_not_matter) {
    point_set set = random_set(4, 200, 5);
    loam_rect rect = {-70000, 1 << 30, -69000, (1 << 30) + 1000};
    static uint64_t before[COUNT];
    loam_points points;
    order(&set, rect, &points);
    memcpy(before, points.id, sizeof before);
    for (uint32_t i = 0, j = COUNT - 1; i < j; i++, j--) {
        int32_t *columns[] = {x, y, z};
        for (int c = 0; c < 3; c++) {
            int32_t swap = columns[c][i];
            columns[c][i] = columns[c][j];
            columns[c][j] = swap;
        }
        uint64_t swap = id[i];
        id[i] = id[j];
        id[j] = swap;
    }
    order(&set, rect, &points);
    cr_expect_arr_eq(points.id, before, sizeof before);
}

Test(point_order, the_palette_has_the_names_in_use_sorted) {
    point_set set = random_set(5, 100, 5);
    loam_rect rect = {-70000, 1 << 30, -69000, (1 << 30) + 1000};
    loam_points points;
    order(&set, rect, &points);
    cr_assert_eq(points.palette_count, 2);
    cr_expect(loam_text_equal(points.palette[0], names[2]));
    cr_expect(loam_text_equal(points.palette[1], names[1]));
    set.asset = NULL;
    set.asset_all = 3;
    order(&set, rect, &points);
    cr_assert_eq(points.palette_count, 1);
    cr_expect(loam_text_equal(points.palette[0], names[3]));
}

Test(point_order, a_palette_of_as_many_names_as_points_is_sorted) {
    static char texts[COUNT][16];
    static loam_text list[COUNT];
    point_set set = random_set(6, 100, 5);
    const point_names many = {list, COUNT};
    for (uint32_t i = 0; i < COUNT; i++) {
        snprintf(texts[i], sizeof texts[i], "n%u", (i * 7919u) % 1000003u);
        list[i] = loam_text_of(texts[i]);
        asset[i] = COUNT - 1 - i;
    }
    loam_rect rect = {-70000, 1 << 30, -69000, (1 << 30) + 1000};
    loam_points points;
    loam_arena arena;
    loam_arena_init(&arena, memory, sizeof memory);
    cr_assert_eq(points_of_cell(&set, rect, many, &arena, &points), LOAM_OK);
    cr_assert_eq(points.palette_count, COUNT);
    for (uint32_t i = 1; i < COUNT; i++) {
        cr_expect_lt(loam_text_compare(points.palette[i - 1], points.palette[i]), 0);
    }
    for (uint32_t k = 0; k < COUNT; k++) {
        uint32_t i = 0;
        while (id[i] != points.id[k]) {
            i++;
        }
        cr_expect(loam_text_equal(points.palette[points.asset[k]], list[asset[i]]));
    }
}

Test(point_order, a_name_that_only_points_outside_have_is_not_in_the_palette) {
    point_set set = random_set(6, 100, 5);
    for (uint32_t i = 0; i < COUNT; i++) {
        asset[i] = x[i] < 50 ? 1 : 3;
    }
    loam_points points;
    order(&set, (loam_rect){-70000, 1 << 30, -70000 + 50, (1 << 30) + 1000}, &points);
    cr_assert_eq(points.palette_count, 1);
    cr_expect(loam_text_equal(points.palette[0], names[1]));
}

Test(point_order, a_cell_without_points_has_no_palette) {
    point_set set = random_set(7, 100, 5);
    loam_points points;
    order(&set, (loam_rect){0, 0, 100, 100}, &points);
    cr_expect_eq(points.count, 0);
    cr_expect_eq(points.palette_count, 0);
}

Test(point_order, absent_columns_have_their_defaults) {
    point_set set = random_set(8, 100, 5);
    set.scale = NULL;
    loam_points points;
    order(&set, (loam_rect){-70000, 1 << 30, -69000, (1 << 30) + 1000}, &points);
    cr_expect_eq(points.scale_x[9], LOAM_SCALE_ONE);
    cr_expect_eq(points.scale_z[9], LOAM_SCALE_ONE);
    cr_expect(points.yaw[9] == 0 && points.pitch[9] == 0 && points.roll[9] == 0);
    cr_expect_eq(points.density[9], 5);
}

Test(point_order, a_full_arena_is_told_at_every_size) {
    point_set set = random_set(9, 100, 5);
    set.count = 40;
    loam_status status = LOAM_ARENA_FULL;
    loam_points points;
    size_t size = 0;
    for (; status != LOAM_OK; size += 64) {
        cr_assert_eq(status, LOAM_ARENA_FULL);
        unsigned char *exact = aligned_alloc(64, size + 64);
        loam_arena arena;
        loam_arena_init(&arena, exact, size);
        status = points_of_cell(&set, (loam_rect){-70000, 1 << 30, -69000, (1 << 30) + 1000},
                                all_names, &arena, &points);
        free(exact);
    }
    cr_expect_gt(size, 64 * 10);
}
