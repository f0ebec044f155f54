/* SPDX-License-Identifier: MIT
 *
 * test_picture_lines.c: lines in pictures: strokes where they run, in the colour of their layer's
 * name, whatever they do outside of the picture.
 */
#include "api/view/view_picture.h"

#include "api/view/picture_raster.h"
#include "tests/support/forest.h"

#include <criterion/criterion.h>
#include <string.h>

enum { SIDE = 64, METRE = LOAM_UNITS_PER_METRE, FAR = 1 << 30 };

/* 64 m of plain ground, a metre a pixel. */
static picture *drawn_with(const int64_t *xz, uint32_t count, const char *name) {
    const loam_line line = {.xz = xz, .count = count, .key = 1};
    const loam_lines_source source = {&line, 1};
    loam_arena arena = arena_of(1 << 20);
    const loam_lines *lines = NULL;
    picture_layer layer = {.name = loam_text_of(name)};
    picture_options options = {
        .region = {0, 0, SIDE * METRE, SIDE * METRE}, .width = SIDE, .height = SIDE};
    picture *made = NULL;
    if (count > 0) {
        cr_assert_eq(loam_lines_build(&source, &arena, &lines, NULL), LOAM_OK);
        layer.lines = lines;
        options.layers = &layer;
        options.layer_count = 1;
    }
    loam_error error = {0};
    cr_assert_eq(picture_create(&options, &made, &error), LOAM_OK, "%s", error.text);
    return made;
}

static const unsigned char *ground_at(const picture *of, uint32_t x, uint32_t y) {
    return of->ground + 3 * ((size_t)y * SIDE + x);
}

static void expect_changed(const picture *of, const picture *bare, uint32_t x, uint32_t y,
                           bool changed) {
    cr_expect_eq(memcmp(ground_at(of, x, y), ground_at(bare, x, y), 3) != 0, changed, "%u %u", x,
                 y);
}

Test(picture_lines, a_line_is_a_stroke_as_wide_as_a_lane) {
    /* 16 m from the southern edge: row 48. */
    const int64_t xz[] = {8 * METRE, 16 * METRE, 56 * METRE, 16 * METRE};
    picture *bare = drawn_with(NULL, 0, ""), *road = drawn_with(xz, 2, "roads");
    expect_changed(road, bare, 32, 47, true);
    expect_changed(road, bare, 32, 48, true);
    expect_changed(road, bare, 32, 44, false);
    expect_changed(road, bare, 32, 51, false);
    expect_changed(road, bare, 4, 48, false);
    expect_changed(road, bare, 60, 48, false);
    picture_destroy(bare);
    picture_destroy(road);
}

Test(picture_lines, a_word_of_the_name_chooses_the_colour) {
    const int64_t xz[] = {0, 32 * METRE, 64 * METRE, 32 * METRE};
    picture *road = drawn_with(xz, 2, "roads"), *river = drawn_with(xz, 2, "the-river");
    cr_expect_gt(ground_at(road, 32, 32)[0], ground_at(road, 32, 32)[2], "pale");
    cr_expect_lt(ground_at(river, 32, 32)[0], ground_at(river, 32, 32)[2], "blue");
    picture_destroy(road);
    picture_destroy(river);
}

Test(picture_lines, what_runs_through_from_far_away_is_drawn_where_it_is_seen) {
    const int64_t through[] = {-(int64_t)FAR * METRE / 64, 32 * METRE, (int64_t)FAR * METRE / 64,
                               32 * METRE};
    const int64_t beside[] = {-1000 * METRE, -10 * METRE, 1000 * METRE, -10 * METRE};
    picture *bare = drawn_with(NULL, 0, "");
    picture *seen = drawn_with(through, 2, ""), *unseen = drawn_with(beside, 2, "");
    expect_changed(seen, bare, 0, 32, true);
    expect_changed(seen, bare, 63, 32, true);
    cr_expect_eq(memcmp(unseen->ground, bare->ground, 3 * SIDE * SIDE), 0);
    picture_destroy(bare);
    picture_destroy(seen);
    picture_destroy(unseen);
}
