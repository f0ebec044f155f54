/* SPDX-License-Identifier: MIT
 *
 * test_point_set.c: choosing, gathering and counting rows, of dense and of compact sets.
 */
#include "core/base/mix.h"
#include "core/points/point_set.h"
#include "tests/unit/core/base/byte_buffer.h"

#include <criterion/criterion.h>

enum { STRIDE = 16, ROWS = 9, COUNT = STRIDE * ROWS, ARENA_BYTES = 1 << 16 };

static int32_t x[COUNT], y[COUNT], z[COUNT];
static uint32_t live[COUNT], density[COUNT], a[COUNT], b[COUNT], asset[COUNT];
static uint64_t id[COUNT];
static uint16_t yaw[COUNT], scale[COUNT];
static int16_t pitch[COUNT], roll[COUNT];
static _Alignas(64) unsigned char memory[ARENA_BYTES];
static site_lattice lattice = {
    .site_x = -5, .site_z = 70, .stride = STRIDE, .rows = ROWS, .spacing = 100};

static loam_arena arena_full(void) {
    loam_arena arena;
    loam_arena_init(&arena, memory, sizeof memory);
    return arena;
}

/* A dense set with the columns that samplers make. */
static point_set dense_set(void) {
    test_random random = {31};
    for (uint32_t i = 0; i < COUNT; i++) {
        x[i] = (int32_t)random_between(&random, 0, 999);
        y[i] = (int32_t)random_between(&random, -999, 999);
        z[i] = (int32_t)random_between(&random, 0, 999);
        live[i] = random_bits(&random) % 3 == 0 ? 0 : UINT32_MAX;
        density[i] = (uint32_t)random_between(&random, 0, LOAM_DENSITY_ONE);
    }
    return (point_set){.count = COUNT,
                       .base_x = -500,
                       .base_z = 7000,
                       .x = x,
                       .y = y,
                       .z = z,
                       .live = live,
                       .density_all = 77,
                       .id_key = 123,
                       .lattice = &lattice};
}

/* A compact set with all columns. */
static point_set compact_set(void) {
    point_set set = dense_set();
    for (uint32_t i = 0; i < COUNT; i++) {
        a[i] = i * 3;
        b[i] = i / 4;
        id[i] = i + 1000;
        yaw[i] = (uint16_t)(i + 1);
        pitch[i] = (int16_t)-i;
        roll[i] = (int16_t)(i * 2);
        scale[i] = (uint16_t)(i + 5);
        asset[i] = i % 3;
    }
    set.lattice = NULL;
    set.live = NULL;
    set.density = density;
    set.a = a;
    set.b = b;
    set.id = id;
    set.yaw = yaw;
    set.pitch = pitch;
    set.roll = roll;
    set.scale = scale;
    set.asset = asset;
    return set;
}

static bool is_in(const point_set *set, uint32_t i, loam_rect rect) {
    int64_t wx = set->base_x + set->x[i], wz = set->base_z + set->z[i];
    return wx >= rect.x0 && wx < rect.x1 && wz >= rect.z0 && wz < rect.z1;
}

static const loam_rect rects[] = {
    {-500, 7000, 500, 8000},
    {-300, 7100, 200, 7300},
    {-10000, -10000, -499, 20000},
    {0, 0, 1, 1},
    {-500, 7000, -500, 7001},
    {-2000, 8000, 2000, 9000},
    {-((int64_t)1 << 40), -((int64_t)1 << 40), (int64_t)1 << 40, (int64_t)1 << 40},
};
enum { RECTS = sizeof rects / sizeof rects[0] };

Test(point_set, select_takes_the_live_rows_inside_in_their_order) {
    point_set sets[] = {dense_set(), compact_set()};
    for (int s = 0; s < 2; s++) {
        for (int r = 0; r < RECTS; r++) {
            loam_arena arena = arena_full();
            uint32_t *rows, count, want = 0;
            cr_assert_eq(point_set_select(&sets[s], rects[r], &arena, &rows, &count), LOAM_OK);
            for (uint32_t i = 0; i < COUNT; i++) {
                if ((sets[s].live == NULL || live[i] != 0) && is_in(&sets[s], i, rects[r])) {
                    cr_assert(want < count && rows[want] == i);
                    want++;
                }
            }
            cr_expect_eq(count, want);
        }
    }
}

Test(point_set, select_marked_takes_the_marked_rows_inside) {
    static uint8_t marks[COUNT];
    point_set set = dense_set();
    for (uint32_t i = 0; i < COUNT; i++) {
        marks[i] = i % 5 == 0;
    }
    for (int r = 0; r < RECTS; r++) {
        loam_arena arena = arena_full();
        uint32_t *rows, count, want = 0;
        cr_assert_eq(point_set_select_marked(&set, marks, rects[r], &arena, &rows, &count),
                     LOAM_OK);
        for (uint32_t i = 0; i < COUNT; i += 5) {
            if (is_in(&set, i, rects[r])) {
                cr_assert(want < count && rows[want] == i);
                want++;
            }
        }
        cr_expect_eq(count, want);
    }
}

Test(point_set, gather_writes_out_the_sites_of_a_lattice) {
    loam_arena arena = arena_full();
    point_set set = dense_set(), got;
    const uint32_t rows[] = {0, 1, 15, 16, 17, 80, 143};
    cr_assert_eq(point_set_gather(&set, rows, 7, &arena, &got), LOAM_OK);
    cr_assert_eq(got.count, 7);
    cr_expect(got.lattice == NULL && got.live == NULL);
    for (uint32_t k = 0; k < 7; k++) {
        cr_expect_eq((int32_t)got.a[k], -5 + (int32_t)(rows[k] % STRIDE));
        cr_expect_eq((int32_t)got.b[k], 70 + (int32_t)(rows[k] / STRIDE));
        cr_expect(got.x[k] == x[rows[k]] && got.y[k] == y[rows[k]] && got.z[k] == z[rows[k]]);
    }
    cr_expect(got.density == NULL && got.density_all == 77 && got.id_key == 123);
    cr_expect(got.base_x == -500 && got.base_z == 7000);
}

Test(point_set, gather_takes_every_column_along) {
    loam_arena arena = arena_full();
    point_set set = compact_set(), got;
    const uint32_t rows[] = {3, 4, 100};
    cr_assert_eq(point_set_gather(&set, rows, 3, &arena, &got), LOAM_OK);
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t i = rows[k];
        cr_expect(got.a[k] == a[i] && got.b[k] == b[i] && got.id[k] == id[i]);
        cr_expect(got.yaw[k] == yaw[i] && got.pitch[k] == pitch[i] && got.roll[k] == roll[i]);
        cr_expect(got.scale[k] == scale[i] && got.asset[k] == asset[i]);
        cr_expect_eq(got.density[k], density[i]);
    }
    cr_expect(got.gradient_x == NULL && got.gradient_z == NULL, "absent columns stay absent");
}

Test(point_set, gathering_nothing_is_an_empty_set) {
    loam_arena arena = arena_full();
    point_set set = dense_set(), got;
    cr_assert_eq(point_set_gather(&set, NULL, 0, &arena, &got), LOAM_OK);
    cr_expect_eq(got.count, 0);
}

Test(point_set, compact_leaves_a_compact_set_alone_and_drops_the_dead) {
    loam_arena arena = arena_full();
    point_set compact = compact_set(), dense = dense_set(), got;
    cr_assert_eq(point_set_compact(&compact, &arena, &got), LOAM_OK);
    cr_expect_eq(got.x, compact.x);
    cr_expect_eq(arena.used, 0);
    cr_assert_eq(point_set_compact(&dense, &arena, &got), LOAM_OK);
    uint32_t alive = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        alive += live[i] & 1;
    }
    cr_expect_eq(got.count, alive);
    cr_expect_null(got.live);
}

Test(point_set, ids_are_made_of_origins_when_there_are_none) {
    loam_arena arena = arena_full();
    point_set set = compact_set();
    const uint64_t *ids;
    cr_assert_eq(point_set_ids(&set, &arena, &ids), LOAM_OK);
    cr_expect_eq(ids, set.id);
    set.id = NULL;
    cr_assert_eq(point_set_ids(&set, &arena, &ids), LOAM_OK);
    for (uint32_t i = 0; i < COUNT; i++) {
        cr_assert_eq(ids[i], mix_id(123, a[i], b[i]));
    }
}

Test(point_set, tallies_of_a_cut_add_up) {
    point_set set = dense_set();
    set.density = density;
    point_tally whole = point_set_tally(&set, (loam_rect){-500, 7000, 500, 8000});
    uint64_t inside = 0;
    int64_t sum = 0, bounds[6] = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN, INT64_MIN};
    for (int64_t j = 0; j < 10; j++) {
        for (int64_t i = 0; i < 10; i++) {
            int64_t x0 = -500 + i * 100, z0 = 7000 + j * 100;
            point_tally part = point_set_tally(&set, (loam_rect){x0, z0, x0 + 100, z0 + 100});
            inside += part.inside;
            sum += part.density_sum;
            cr_expect_eq(part.live, whole.live, "live rows are those of the window");
            for (int axis = 0; part.inside > 0 && axis < 3; axis++) {
                int64_t low = part.bounds[axis], high = part.bounds[axis + 3];
                bounds[axis] = low < bounds[axis] ? low : bounds[axis];
                bounds[axis + 3] = high > bounds[axis + 3] ? high : bounds[axis + 3];
            }
        }
    }
    cr_expect_eq(inside, whole.inside);
    cr_expect_eq(sum, whole.density_sum);
    cr_expect_arr_eq(bounds, whole.bounds, sizeof bounds);
}

Test(point_set, a_full_arena_is_told_at_every_column) {
    point_set set = dense_set(), got;
    const uint32_t rows[] = {1, 2, 3};
    size_t size = 0;
    loam_status status = LOAM_ARENA_FULL;
    for (; status != LOAM_OK; size += 64) {
        cr_assert_eq(status, LOAM_ARENA_FULL);
        unsigned char *exact = aligned_alloc(64, size + 64);
        loam_arena arena;
        loam_arena_init(&arena, exact, size);
        status = point_set_gather(&set, rows, 3, &arena, &got);
        free(exact);
    }
    cr_expect_eq(size, 64 * 6, "x, z, y and two origins");
}
