/* SPDX-License-Identifier: MIT
 *
 * test_check_key.c: a verdict's key covers all that can change it and, to its grain, nothing else.
 */
#include "tests/unit/core/check/check_fixture.h"

#include "core/base/mix.h"

static const char *const lattice[] = {"$zones areas", "$ground heightfield",
                                      "s grid.sample spacing_m=512 y_m=2560", "=o s", NULL};

static const loam_rect cell = {0, 0, 10 * METRE, 10 * METRE};

static void hash_bytes(void *context, const void *bytes, size_t size) {
    uint64_t *hash = context;
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) {
        *hash = mix_pair(*hash, at[i]);
    }
}

static uint64_t key_of(graph_world *world, const loam_check *check, loam_rect rect) {
    static loam_arena arena;
    uint64_t hash = 0;
    loam_error error = {0};
    loam_query query = cell_query(world, rect);
    if (arena.memory == NULL) {
        arena = arena_of((size_t)64 << 20);
    }
    cr_assert_eq(loam_check_key(check, &query, (loam_sink){hash_bytes, &hash}, &arena, &error),
                 LOAM_OK, "%s", error.text);
    cr_assert_eq(loam_arena_mark(&arena), 0);
    return hash;
}

static graph_world *made(int64_t zone_x_m, int32_t ground, uint64_t seed) {
    const box_metres box = {zone_x_m, 0, zone_x_m + 4, 4, LOAM_UNSET, LOAM_UNSET};
    graph_world *world = world_of(lattice, seed);
    world_bind(world, "zones", areas_of_boxes(&box, 1));
    world_bind(world, "ground", plane_of(33, 0, 0, 0, 0, ground));
    return world;
}

static loam_check whole_check(graph_world *world) {
    return (loam_check){
        .kinds = (1u << LOAM_CHECK_KINDS) - 1,
        .count_max = 1000,
        .spacing = 100,
        .zones = (uint32_t)loam_graph_find_slot(&world->graph, loam_text_of("zones")),
        .ring = 2 * METRE,
        .surface = (uint32_t)loam_graph_find_slot(&world->graph, loam_text_of("ground")),
        .floating = 10,
        .samples = 20};
}

static loam_check only(graph_world *world, loam_check_kind kind) {
    loam_check check = whole_check(world);
    check.kinds = 1u << kind;
    return check;
}

Test(check_key, every_number_that_is_read_changes_the_key) {
    graph_world *world = made(20, 0, 1);
    loam_check check = whole_check(world);
    uint64_t was = key_of(world, &check, cell);
    cr_expect_eq(key_of(world, &check, cell), was);
    int64_t *numbers[] = {&check.count_min, &check.count_max, &check.spacing, &check.ring,
                          &check.floating};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        ++*numbers[i];
        cr_expect_neq(key_of(world, &check, cell), was, "%zu", i);
        --*numbers[i];
    }
    check.samples++;
    cr_expect_neq(key_of(world, &check, cell), was);
}

Test(check_key, what_is_not_asked_is_not_in_the_key) {
    graph_world *world = made(20, 0, 1), *other = made(1, 500, 2);
    loam_check count = only(world, LOAM_CHECK_COUNT), changed = count;
    changed.spacing = 7;
    changed.ring = changed.floating = changed.samples = 9;
    cr_expect_eq(key_of(world, &count, cell), key_of(other, &changed, cell));
}

Test(check_key, zones_count_as_far_as_the_ring_can_see) {
    graph_world *far = made(20, 0, 1), *farther = made(21, 0, 1), *near = made(11, 0, 1);
    loam_check check = only(far, LOAM_CHECK_RING);
    cr_expect_eq(key_of(far, &check, cell), key_of(farther, &check, cell));
    cr_expect_neq(key_of(far, &check, cell), key_of(near, &check, cell));
    loam_check narrow = check;
    narrow.ring = 0;
    cr_expect_eq(key_of(far, &narrow, cell), key_of(near, &narrow, cell));
}

Test(check_key, ground_counts_for_floating_alone) {
    graph_world *low = made(20, 0, 1), *high = made(20, 99, 1);
    loam_check floating = only(low, LOAM_CHECK_FLOATING), ring = only(low, LOAM_CHECK_RING);
    cr_expect_neq(key_of(low, &floating, cell), key_of(high, &floating, cell));
    cr_expect_eq(key_of(low, &ring, cell), key_of(high, &ring, cell));
}

Test(check_key, neighbours_count_for_spacing_alone) {
    graph_world *one = made(20, 0, 1), *two = made(20, 0, 2);
    loam_check spacing = only(one, LOAM_CHECK_SPACING), count = only(one, LOAM_CHECK_COUNT);
    cr_expect_neq(key_of(one, &spacing, cell), key_of(two, &spacing, cell));
    cr_expect_eq(key_of(one, &count, cell), key_of(two, &count, cell));
    spacing.bounded = true;
    spacing.bounds = cell;
    cr_expect_eq(key_of(one, &spacing, cell), key_of(two, &spacing, cell), "there are none");
}
