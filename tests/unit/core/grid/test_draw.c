/* SPDX-License-Identifier: MIT
 *
 * test_draw.c: keyed draws of dungeons: pinned, in range, and no draw shifts another.
 */
#include "core/grid/draw.h"

#include <criterion/criterion.h>

Test(draw, the_same_key_and_index_give_the_same_number_on_every_machine) {
    uint64_t key = draw_for(42, STAGE_PLACE, 7, 0);
    cr_expect_eq(key, 0x617ce9a56b516c75u, "got %llx", (unsigned long long)key);
    cr_expect_eq(draw_at(key, 0), 0x8cad3997dcfea81bu, "got %llx",
                 (unsigned long long)draw_at(key, 0));
}

Test(draw, seed_stage_entity_attempt_and_index_all_matter) {
    uint64_t key = draw_for(0, STAGE_PLACE, 0, 0);
    cr_expect_neq(key, draw_for(1, STAGE_PLACE, 0, 0));
    cr_expect_neq(key, draw_for((uint64_t)1 << 32, STAGE_PLACE, 0, 0));
    cr_expect_neq(key, draw_for(0, STAGE_LOOP, 0, 0));
    cr_expect_neq(key, draw_for(0, STAGE_PLACE, 1, 0));
    cr_expect_neq(key, draw_for(0, STAGE_PLACE, 0, 1));
    cr_expect_neq(draw_at(key, 0), draw_at(key, 1));
}

Test(draw, ranges_reach_both_ends_and_no_further) {
    cr_expect_eq(draw_below(0, 10), 0);
    cr_expect_eq(draw_below(UINT64_MAX, 10), 9);
    cr_expect_eq(draw_below(UINT64_MAX, 1), 0);
    cr_expect_eq(draw_below(UINT64_MAX, UINT32_MAX), UINT32_MAX - 1);
    cr_expect_eq(draw_between(0, -3, 3), -3);
    cr_expect_eq(draw_between(UINT64_MAX, -3, 3), 3);
    cr_expect_eq(draw_between(UINT64_MAX, 5, 5), 5);
}

Test(draw, chances_hold_over_many_keys) {
    uint32_t hits = 0;
    for (uint32_t i = 0; i < 100000; i++) {
        uint64_t bits = draw_at(draw_for(1, STAGE_CONTENT, i, 0), 0);
        hits += draw_percent(bits, 70);
    }
    cr_expect(hits > 69400 && hits < 70600, "%u", hits);
    cr_expect_not(draw_chance(0, 0));
    cr_expect(draw_chance(UINT64_MAX, 10000));
}
