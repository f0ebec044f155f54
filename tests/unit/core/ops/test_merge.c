/* SPDX-License-Identifier: MIT
 *
 * test_merge.c: merge keeps a's ids and mixes those of the other ports.
 */
#include "core/base/mix.h"
#include "tests/unit/core/ops/operation_fixture.h"

enum { A_COUNT = 100, B_COUNT = 70 };

static point_set merge_of(const point_set *a, const point_set *b, const point_set *c,
                          const point_set *d, uint64_t *seed) {
    operation_fixture *fixture = fixture_of("merge");
    fixture->inputs[0] = a;
    fixture->inputs[1] = b;
    fixture->inputs[2] = c;
    fixture->inputs[3] = d;
    *seed = fixture->seed;
    return fixture_run(fixture);
}

static void expect_part(const point_set *out, uint32_t first, const point_set *part, uint32_t port,
                        uint64_t seed) {
    for (uint32_t i = 0; i < part->count; i++) {
        uint32_t at = first + i;
        uint64_t id = mix_id(part->id_key, part->a[i], part->b[i]);
        uint32_t a = part->a[i], b = part->b[i];
        if (port != 0) {
            id = mix_pair(mix_pair(draw_key(seed, DRAW_ID), port), id);
            a = (uint32_t)id;
            b = (uint32_t)(id >> 32);
        }
        cr_assert_eq(out->id[at], id, "port %u", port);
        cr_assert(out->a[at] == a && out->b[at] == b);
        cr_assert_eq(out->base_x + out->x[at], part->base_x + part->x[i]);
        cr_assert_eq(out->base_z + out->z[at], part->base_z + part->z[i]);
        cr_assert(out->x[at] >= 0 && out->z[at] >= 0);
        cr_assert_eq(out->y[at], part->y[i]);
        cr_assert_eq(out->density[at],
                     part->density == NULL ? part->density_all : part->density[i]);
        cr_assert_eq(out->gradient_x[at], part->gradient_x == NULL ? 0 : part->gradient_x[i]);
        cr_assert_eq(out->asset[at], part->asset_all);
    }
}

Test(merge, ids_of_port_a_stay_and_those_of_the_others_are_mixed_with_their_port) {
    point_set *a = random_points(61, A_COUNT, 5000), *b = random_points(62, B_COUNT, 9000);
    uint64_t seed;
    b->base_x = 123456;
    b->base_z = -98765;
    b->density = NULL;
    b->density_all = 99;
    b->gradient_x = NULL;
    b->asset_all = 2;
    point_set out = merge_of(a, b, NULL, a, &seed);
    cr_assert_eq(out.count, A_COUNT * 2 + B_COUNT);
    expect_part(&out, 0, a, 0, seed);
    expect_part(&out, A_COUNT, b, 1, seed);
    expect_part(&out, A_COUNT + B_COUNT, a, 3, seed);
}

Test(merge, the_same_points_through_every_port_are_points_of_their_own) {
    point_set *a = random_points(63, A_COUNT, 5000);
    uint64_t seed;
    point_set out = merge_of(a, a, a, a, &seed);
    cr_assert_eq(out.count, 4 * A_COUNT);
    for (uint32_t i = 0; i < out.count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            cr_assert_neq(out.id[i], out.id[j]);
            cr_assert(out.a[i] != out.a[j] || out.b[i] != out.b[j], "draws of their own");
        }
    }
}

Test(merge, columns_that_one_part_has_get_their_defaults_in_the_others) {
    point_set *a = random_points(64, 3, 50), *b = random_points(65, 2, 50);
    uint16_t yaw[16] = {5, 6}, scale[16] = {7, 8};
    int16_t pitch[16] = {-1, -2};
    uint64_t seed;
    b->yaw = yaw;
    b->scale = scale;
    b->pitch = pitch;
    point_set out = merge_of(a, b, NULL, NULL, &seed);
    cr_expect(out.yaw[0] == 0 && out.yaw[3] == 5 && out.yaw[4] == 6);
    cr_expect(out.scale[2] == LOAM_SCALE_ONE && out.scale[3] == 7);
    cr_expect(out.pitch[1] == 0 && out.pitch[4] == -2);
    cr_expect_null(out.roll, "a column that none has stays absent");
}

Test(merge, dead_points_and_lattices_are_left_behind) {
    operation_fixture *sampler = fixture_of("grid.sample");
    fixture_set(sampler, "spacing_m", 500);
    sampler->rect = (loam_rect){0, 0, 5000, 5000};
    point_set sites = fixture_run(sampler);
    point_set *none = random_points(66, 0, 10);
    uint64_t seed;
    point_set out = merge_of(none, &sites, NULL, NULL, &seed);
    uint32_t live = 0;
    for (uint32_t i = 0; i < sites.count; i++) {
        live += is_live(&sites, i);
    }
    cr_expect(live > 80 && live < 120, "%u", live);
    cr_expect_eq(out.count, live);
    cr_expect(out.lattice == NULL && out.live == NULL);
}

Test(merge, two_empty_sets_are_an_empty_set) {
    point_set *none = random_points(67, 0, 10);
    uint64_t seed;
    cr_expect_eq(merge_of(none, none, NULL, NULL, &seed).count, 0);
}
