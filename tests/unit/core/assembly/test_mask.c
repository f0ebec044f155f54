/* SPDX-License-Identifier: MIT
 *
 * test_mask.c: masks of neighbours: orders of bits, the 47, rooms of three by three.
 */
#include "core/assembly/mask.h"
#include "tests/support/layout_rows.h"
#include "tests/support/rules_text.h"

#include <criterion/criterion.h>

static const uint8_t ascending[LOAM_BLOB_COUNT] = {
    0,   1,   4,   5,   7,   16,  17,  20,  21,  23,  28,  29,  31,  64,  65,  68,
    69,  71,  80,  81,  84,  85,  87,  92,  93,  95,  112, 113, 116, 117, 119, 124,
    125, 127, 193, 197, 199, 209, 213, 215, 221, 223, 241, 245, 247, 253, 255};

Test(mask, all_256_masks_reduce_to_exactly_the_47) {
    bool seen[256] = {0};
    uint32_t count = 0;
    for (unsigned mask = 0; mask < 256; mask++) {
        uint8_t reduced = loam_mask_reduce((uint8_t)mask);
        cr_expect_eq(loam_mask_reduce(reduced), reduced);
        cr_expect_eq(reduced & ~mask, 0, "%u gains bits", mask);
        count += !seen[reduced];
        seen[reduced] = true;
        cr_expect_eq(loam_blob_mask(loam_blob_index((uint8_t)mask)), reduced);
    }
    cr_expect_eq(count, LOAM_BLOB_COUNT);
    for (unsigned i = 0; i < LOAM_BLOB_COUNT; i++) {
        cr_expect(seen[ascending[i]]);
        cr_expect_eq(loam_blob_mask((uint8_t)i), ascending[i]);
    }
    cr_expect_eq(loam_blob_mask(LOAM_BLOB_COUNT), 0);
}

Test(mask, a_corner_counts_only_where_both_edges_beside_it_do) {
    cr_expect_eq(loam_mask_reduce(2), 0);
    cr_expect_eq(loam_mask_reduce(1 | 2), 1);
    cr_expect_eq(loam_mask_reduce(1 | 2 | 4), 7);
    cr_expect_eq(loam_mask_reduce(128 | 64 | 1), 193);
    cr_expect_eq(loam_mask_reduce(128 | 64 | 4), 68);
}

Test(mask, orders_of_bits_lead_to_each_other_and_back) {
    cr_expect_eq(loam_mask_convert(2, LOAM_MASK_CLOCKWISE, LOAM_MASK_EDGES_FIRST), 16);
    cr_expect_eq(loam_mask_convert(4, LOAM_MASK_CLOCKWISE, LOAM_MASK_EDGES_FIRST), 2);
    cr_expect_eq(loam_mask_convert(64, LOAM_MASK_CLOCKWISE, LOAM_MASK_EDGES_FIRST), 8);
    cr_expect_eq(loam_mask_convert(128, LOAM_MASK_CLOCKWISE, LOAM_MASK_EDGES_FIRST), 128);
    cr_expect_eq(loam_mask_convert(15, LOAM_MASK_EDGES_FIRST, LOAM_MASK_CLOCKWISE), 85);
    for (unsigned mask = 0; mask < 256; mask++) {
        uint8_t other =
            loam_mask_convert((uint8_t)mask, LOAM_MASK_CLOCKWISE, LOAM_MASK_EDGES_FIRST);
        cr_expect_eq(loam_mask_convert(other, LOAM_MASK_EDGES_FIRST, LOAM_MASK_CLOCKWISE), mask);
        cr_expect_eq(loam_mask_convert((uint8_t)mask, LOAM_MASK_CLOCKWISE, LOAM_MASK_CLOCKWISE),
                     mask);
    }
    cr_expect_str_eq(loam_mask_order_name(LOAM_MASK_CLOCKWISE), "clockwise");
    cr_expect_str_eq(loam_mask_order_name(LOAM_MASK_EDGES_FIRST), "edges-first");
}

Test(mask, a_quarter_turn_is_times_4_modulo_255) {
    for (unsigned mask = 0; mask < 255; mask++) {
        cr_expect_eq(mask_turned((uint8_t)mask, 1), mask * 4 % 255);
        cr_expect_eq(mask_turned(mask_turned((uint8_t)mask, 3), 1), mask);
    }
    cr_expect_eq(mask_turned(255, 2), 255);
}

Test(mask, a_room_of_three_by_three_has_the_masks_of_the_sheet) {
    static const uint8_t want[] = {28, 124, 112, 31, 255, 241, 7, 199, 193};
    static char memory[1 << 16];
    loam_arena arena;
    loam_arena_init(&arena, memory, sizeof memory);
    loam_layout layout = layout_of_rows("#####\n#...#\n#...#\n#...#\n#####\n", &arena);
    uint8_t mask[25];
    cr_assert_eq(mask_grid(layout.cells, (mask_frame){5, 5, false}, mask, &arena, NULL), LOAM_OK);
    for (int i = 0; i < 9; i++) {
        cr_expect_eq(loam_mask_reduce(mask[(1 + i / 3) * 5 + 1 + i % 3]), want[i]);
    }
}

Test(mask, cells_beyond_the_map_are_what_is_asked_for) {
    static char memory[1 << 16];
    loam_arena arena;
    loam_arena_init(&arena, memory, sizeof memory);
    uint8_t mask[4];
    loam_layout layout = layout_of_rows("#.\n##\n", &arena);
    cr_assert_eq(mask_grid(layout.cells, (mask_frame){2, 2, false}, mask, &arena, NULL), LOAM_OK);
    cr_expect_eq(mask[0], 4);
    cr_expect_eq(mask[1], 0);
    cr_expect_eq(mask[2], 2);
    cr_expect_eq(mask[3], 1);
    cr_assert_eq(mask_grid(layout.cells, (mask_frame){2, 2, true}, mask, &arena, NULL), LOAM_OK);
    cr_expect_eq(mask[0], 255 & ~(8 | 16));
    cr_expect_eq(mask[1], 255 & ~(16 | 32 | 64));
    arena.size = arena.used;
    cr_expect_eq(mask_grid(layout.cells, (mask_frame){2, 2, true}, mask, &arena, NULL),
                 LOAM_ARENA_FULL);
}

/* The text of a file of the test data; the caller frees it. NULL when there is no data. */
static char *data_text(const char *name) {
    const char *folder = getenv("LOAM_TEST_DATA");
    char path[512];
    if (folder == NULL || folder[0] == 0) {
        fprintf(stderr, "LOAM_TEST_DATA is not set: %s is not tested\n", name);
        return NULL;
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    char *text = calloc(1, 1 << 20);
    size_t size = fread(text, 1, (1 << 20) - 1, file);
    fclose(file);
    cr_assert_gt(size, 0);
    return text;
}

static const loam_rules *field_of(const loam_rules *object, const char *key) {
    for (uint32_t i = 0; i < object->count; i++) {
        if (loam_text_equal(object->keys[i], loam_text_of(key))) {
            return &object->items[i];
        }
    }
    return NULL;
}

static int64_t number_of(const loam_rules *number) {
    return number->mantissa << number->exponent;
}

/* Every tile of a sheet has a reduced mask, and a sheet has all 47. */
static void expect_sheet(const loam_rules *sheet) {
    bool seen[LOAM_BLOB_COUNT] = {0};
    const loam_rules *tiles = field_of(sheet, "tiles");
    for (uint32_t i = 0; i < tiles->count; i++) {
        int64_t mask = number_of(field_of(&tiles->items[i], "mask"));
        cr_expect_eq(loam_mask_reduce((uint8_t)mask), mask);
        seen[loam_blob_index((uint8_t)mask)] = true;
    }
    for (uint32_t i = 0; i < LOAM_BLOB_COUNT; i++) {
        cr_expect(seen[i], "no tile of mask %u", loam_blob_mask((uint8_t)i));
    }
}

Test(mask, the_sheets_of_real_engines_have_the_47_and_no_other) {
    char *text = data_text("tiles/blob47/masks.json");
    static char memory[1 << 20];
    loam_arena arena;
    if (text == NULL) {
        return;
    }
    loam_arena_init(&arena, memory, sizeof memory);
    const loam_rules *sheets = field_of(rules_of_text(text, &arena), "layouts");
    cr_assert_not_null(sheets);
    cr_expect_geq(sheets->count, 2);
    for (uint32_t i = 0; i < sheets->count; i++) {
        expect_sheet(&sheets->items[i]);
    }
    free(text);
}
