/* SPDX-License-Identifier: MIT
 *
 * test_arena.c: the arena: alignment, its hard end, and giving back.
 */
#include "core/base/limits.h"
#include "core/loam.h"

#include <criterion/criterion.h>
#include <string.h>

enum { BYTES = 4096, ALIGNMENT = 64 };

static _Alignas(64) unsigned char memory[BYTES];

static loam_arena arena_over(size_t skip, size_t size) {
    loam_arena arena;
    loam_arena_init(&arena, memory + skip, size);
    return arena;
}

Test(arena, pieces_are_aligned_and_do_not_overlap) {
    loam_arena arena = arena_over(0, BYTES);
    unsigned char *before = NULL;
    for (size_t size = 1; size < 100; size += 7) {
        unsigned char *piece = loam_arena_take(&arena, size, 1);
        cr_assert_not_null(piece);
        cr_expect_eq((uintptr_t)piece % ALIGNMENT, 0);
        cr_expect(before == NULL || piece >= before + size - 7);
        memset(piece, 0xee, size);
        before = piece;
    }
}

Test(arena, memory_that_is_not_aligned_loses_its_first_bytes_only) {
    loam_arena arena = arena_over(1, BYTES - 1);
    cr_expect_eq(arena.size, BYTES - ALIGNMENT);
    unsigned char *piece = loam_arena_take(&arena, BYTES - ALIGNMENT, 1);
    cr_assert_not_null(piece);
    cr_expect_eq(piece, memory + ALIGNMENT);
    cr_expect_null(loam_arena_take(&arena, 1, 1));
}

Test(arena, what_does_not_fit_is_null_and_takes_nothing) {
    loam_arena arena = arena_over(0, BYTES);
    cr_expect_null(loam_arena_take(&arena, BYTES + 1, 1));
    cr_expect_eq(arena.used, 0);
    cr_expect_not_null(loam_arena_take(&arena, BYTES / 8, 8));
    cr_expect_null(loam_arena_take(&arena, 1, 1));
    cr_expect_eq(arena.used, BYTES);
}

Test(arena, an_end_within_a_line_is_not_passed) {
    loam_arena arena = arena_over(0, 100);
    cr_expect_not_null(loam_arena_take(&arena, 64, 1));
    cr_expect_null(loam_arena_take(&arena, 36, 1), "a piece is whole lines");
    cr_expect_eq(arena.used, 64);
}

Test(arena, sizes_that_overflow_do_not_fit) {
    loam_arena arena = arena_over(0, BYTES);
    cr_expect_null(loam_arena_take(&arena, SIZE_MAX, 1));
    cr_expect_null(loam_arena_take(&arena, SIZE_MAX - 62, 1));
    cr_expect_null(loam_arena_take(&arena, SIZE_MAX / 8 + 2, 8));
    cr_expect_null(loam_arena_take(&arena, (size_t)1 << 33, (size_t)1 << 33));
    cr_expect_null(loam_arena_take_zero(&arena, 2, SIZE_MAX));
    cr_expect_eq(arena.used, 0);
}

Test(arena, no_memory_is_a_full_arena) {
    loam_arena arena;
    loam_arena_init(&arena, NULL, BYTES);
    cr_expect_null(loam_arena_take(&arena, 1, 1));
    cr_expect_null(loam_arena_take(&arena, 0, 1));
    arena = arena_over(1, 10);
    cr_expect_null(loam_arena_take(&arena, 1, 1), "less than the way to the next line");
}

Test(arena, nothing_can_be_taken_from_a_full_arena) {
    loam_arena arena = arena_over(0, ALIGNMENT);
    cr_expect_not_null(loam_arena_take(&arena, ALIGNMENT, 1));
    cr_expect_not_null(loam_arena_take(&arena, 0, 8), "no items need no room");
    cr_expect_eq(arena.used, ALIGNMENT);
}

Test(arena, reset_gives_back_and_the_peak_stays) {
    loam_arena arena = arena_over(0, BYTES);
    (void)!loam_arena_take(&arena, 64, 1);
    size_t mark = loam_arena_mark(&arena);
    void *first = loam_arena_take(&arena, 1024, 1);
    loam_arena_reset(&arena, mark);
    cr_expect_eq(loam_arena_take(&arena, 64, 1), first);
    cr_expect_eq(arena.used, 128);
    cr_expect_eq(arena.peak, 1088);
    loam_arena_reset(&arena, 4000);
    cr_expect_eq(arena.used, 128, "a mark ahead gives nothing");
}

Test(arena, cleared_pieces_are_cleared_after_a_reset_too) {
    loam_arena arena = arena_over(0, BYTES);
    memset(memory, 0xff, sizeof memory);
    const unsigned char *piece = loam_arena_take_zero(&arena, 100, 8);
    for (size_t i = 0; i < 800; i++) {
        cr_assert_eq(piece[i], 0);
    }
    cr_expect_eq(memory[800], 0xff, "only what was asked is cleared");
}
