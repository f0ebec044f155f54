/* SPDX-License-Identifier: MIT */
#include "api/view/view_picture.h"

#include "api/view/picture_raster.h"
#include "core/base/mix.h"

#include <criterion/criterion.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

/* Of a picture of 64 x 64: changes with every change of how pictures look. */
#define PIXELS_DIGEST 0x1af72c0f17e2ac3eu

enum { FIELD = 33, SIDE = 64, SPAN = 32 * 16 * 256 };

/* A cone of 100 m in a sea of 10 m depth: 33 x 33 samples, 16 m apart. */
static void make_island(loam_heightfield *field, int32_t *samples) {
    for (int32_t j = 0; j < FIELD; j++) {
        for (int32_t i = 0; i < FIELD; i++) {
            int32_t from_x = abs(i - FIELD / 2);
            int32_t from_z = abs(j - FIELD / 2);
            int32_t away = from_x > from_z ? from_x : from_z;
            samples[j * FIELD + i] = away > 10 ? -10 * 65536 : (100 - 10 * away) * 65536;
        }
    }
    *field = (loam_heightfield){
        .width = FIELD, .height = FIELD, .spacing_fine = 16 << 24, .samples = samples};
    cr_assert_eq(loam_heightfield_init(field, NULL), LOAM_OK);
}

static picture_options options_of(const loam_heightfield *field) {
    return (picture_options){
        .region = {0, 0, SPAN, SPAN}, .width = SIDE, .height = SIDE, .heightfield = field};
}

typedef struct pixels {
    png_image image;
    unsigned char *rgb;
} pixels;

/* The picture as it is sent, decoded. */
static pixels take_pixels(picture *raster) {
    text_buffer png;
    pixels made = {.image = {.version = PNG_IMAGE_VERSION}};
    buffer_init(&png, 1 << 24);
    cr_assert_eq(picture_write(raster, &png, NULL), LOAM_OK);
    cr_assert_neq(png_image_begin_read_from_memory(&made.image, png.bytes, png.size), 0);
    made.image.format = PNG_FORMAT_RGB;
    made.rgb = malloc(PNG_IMAGE_SIZE(made.image));
    cr_assert_neq(png_image_finish_read(&made.image, NULL, made.rgb, 0, NULL), 0);
    buffer_fini(&png);
    picture_destroy(raster);
    return made;
}

static pixels draw(const picture_options *options, const loam_points *points) {
    picture *raster = NULL;
    loam_error error = {0};
    cr_assert_eq(picture_create(options, &raster, &error), LOAM_OK, "%s", error.text);
    if (points != NULL) {
        picture_add_points(raster, points);
    }
    return take_pixels(raster);
}

static const unsigned char *pixel_at(const pixels *of, uint32_t x, uint32_t y) {
    return of->rgb + 3 * ((size_t)y * of->image.width + x);
}

static int sum_at(const pixels *of, uint32_t x, uint32_t y) {
    const unsigned char *rgb = pixel_at(of, x, y);
    return rgb[0] + rgb[1] + rgb[2];
}

Test(view_picture, the_sea_is_blue_and_the_land_is_not) {
    loam_heightfield field;
    static int32_t samples[FIELD * FIELD];
    make_island(&field, samples);
    picture_options options = options_of(&field);
    pixels drawn = draw(&options, NULL);
    cr_expect_eq(drawn.image.width, (png_uint_32)SIDE);
    cr_expect_eq(drawn.image.height, (png_uint_32)SIDE);
    const unsigned char *sea = pixel_at(&drawn, 2, 2);
    const unsigned char *land = pixel_at(&drawn, 26, 32);
    cr_expect_gt(sea[2], sea[0] + 40);
    cr_expect_lt(land[2], land[1]);
    free(drawn.rgb);
}

Test(view_picture, light_comes_from_the_north_west_and_north_is_up) {
    loam_heightfield field;
    static int32_t samples[FIELD * FIELD];
    make_island(&field, samples);
    picture_options options = options_of(&field);
    pixels drawn = draw(&options, NULL);
    int north = sum_at(&drawn, 32, 22);
    int south = sum_at(&drawn, 32, 42);
    int west = sum_at(&drawn, 22, 32);
    int east = sum_at(&drawn, 42, 32);
    cr_expect_gt(north, south + 60);
    cr_expect_gt(west, east + 60);
    free(drawn.rgb);
}

Test(view_picture, ground_that_lies_at_0_everywhere_is_no_sea) {
    static int32_t samples[FIELD * FIELD];
    loam_heightfield field = {
        .width = FIELD, .height = FIELD, .spacing_fine = 16 << 24, .samples = samples};
    cr_assert_eq(loam_heightfield_init(&field, NULL), LOAM_OK);
    picture_options options = options_of(&field);
    pixels drawn = draw(&options, NULL);
    cr_expect_gt(pixel_at(&drawn, 9, 9)[1], pixel_at(&drawn, 9, 9)[2]);
    free(drawn.rgb);
}

Test(view_picture, beyond_the_field_is_paper) {
    loam_heightfield field;
    static int32_t samples[FIELD * FIELD];
    make_island(&field, samples);
    picture_options options = options_of(&field);
    options.region = (loam_rect){-SPAN, -SPAN, 2 * SPAN, 2 * SPAN};
    pixels drawn = draw(&options, NULL);
    static const unsigned char paper[3] = {226, 221, 208};
    cr_expect_eq(memcmp(pixel_at(&drawn, 5, 5), paper, 3), 0);
    cr_expect_eq(memcmp(pixel_at(&drawn, 58, 32), paper, 3), 0);
    cr_expect_neq(memcmp(pixel_at(&drawn, 32, 32), paper, 3), 0);
    free(drawn.rgb);
}

static const loam_text pine[] = {{"pine", 4}};

static const loam_points trees = {
    .rect = {0, 0, SPAN, SPAN},
    .count = 2,
    .id = (const uint64_t[]){1, 2},
    .x = (const int32_t[]){SPAN / 4, SPAN - 1},
    .y = (const int32_t[]){0, 0},
    .z = (const int32_t[]){SPAN / 4, 0},
    .scale_x = (const uint16_t[]){4096, 4096},
    .asset = (const uint32_t[]){0, 0},
    .palette = pine,
    .palette_count = 1,
};

Test(view_picture, a_point_is_a_disc_where_it_stands_and_is_clipped_at_the_edge) {
    picture_options options = options_of(NULL);
    options.crown_units = 6 * SPAN / SIDE; /* six pixels */
    pixels bare = draw(&options, NULL);
    pixels drawn = draw(&options, &trees);
    /* x a quarter from the west, z a quarter from the south */
    cr_expect_lt(sum_at(&drawn, 16, 48), sum_at(&bare, 16, 48) - 100);
    cr_expect_lt(sum_at(&drawn, 20, 48), sum_at(&bare, 20, 48) - 100);
    cr_expect_lt(sum_at(&drawn, 63, 63), sum_at(&bare, 63, 63) - 100);
    cr_expect_eq(sum_at(&drawn, 16, 16), sum_at(&bare, 16, 16));
    cr_expect_eq(sum_at(&drawn, 16, 40), sum_at(&bare, 16, 40));
    free(bare.rgb);
    free(drawn.rgb);
}

Test(view_picture, points_outside_the_region_leave_it_alone) {
    picture_options options = options_of(NULL);
    loam_points far = trees;
    far.rect = (loam_rect){(int64_t)1 << 39, -((int64_t)1 << 39), 0, 0};
    pixels bare = draw(&options, NULL);
    pixels drawn = draw(&options, &far);
    cr_expect_eq(memcmp(bare.rgb, drawn.rgb, PNG_IMAGE_SIZE(bare.image)), 0);
    free(bare.rgb);
    free(drawn.rgb);
}

Test(view_picture, zones_tint_their_inside_and_spare_their_holes) {
    const int64_t q = SPAN / 8;
    const int64_t outer[] = {q, q, 7 * q, q, 7 * q, 7 * q, q, 7 * q, q, q};
    const int64_t hole[] = {3 * q, 3 * q, 5 * q, 3 * q, 5 * q, 5 * q, 3 * q, 5 * q, 3 * q, 3 * q};
    const loam_ring rings[] = {{outer, 5}, {hole, 5}};
    const loam_polygon polygon = {rings, 2, 0};
    const loam_area_feature feature = {.key = 1, .margin = LOAM_UNSET, .buffer = LOAM_UNSET};
    const loam_areas_source source = {&polygon, 1, &feature, 1};
    static unsigned char memory[1 << 18];
    loam_arena arena;
    const loam_areas *areas = NULL;
    loam_arena_init(&arena, memory, sizeof memory);
    cr_assert_eq(loam_areas_build(&source, &arena, &areas, NULL), LOAM_OK);
    picture_options options = options_of(NULL);
    pixels bare = draw(&options, NULL);
    const picture_layer layer = {.areas = areas};
    options.layers = &layer;
    options.layer_count = 1;
    pixels drawn = draw(&options, NULL);
    cr_expect_gt(pixel_at(&drawn, 16, 32)[0], pixel_at(&bare, 16, 32)[0]);
    cr_expect_lt(pixel_at(&drawn, 16, 32)[1], pixel_at(&bare, 16, 32)[1]);
    cr_expect_eq(sum_at(&drawn, 32, 32), sum_at(&bare, 32, 32));
    cr_expect_eq(sum_at(&drawn, 4, 4), sum_at(&bare, 4, 4));
    free(bare.rgb);
    free(drawn.rgb);
}

Test(view_picture, two_pictures_of_one_region_have_the_same_bytes) {
    loam_heightfield field;
    static int32_t samples[FIELD * FIELD];
    make_island(&field, samples);
    text_buffer pngs[2];
    for (int i = 0; i < 2; i++) {
        buffer_init(&pngs[i], 1 << 24);
        cr_assert_eq(view_cell_picture(&trees, &field, 100, &pngs[i], NULL), LOAM_OK);
    }
    cr_assert_eq(pngs[0].size, pngs[1].size);
    cr_assert_eq(memcmp(pngs[0].bytes, pngs[1].bytes, pngs[0].size), 0);
    buffer_fini(&pngs[0]);
    buffer_fini(&pngs[1]);
}

Test(view_picture, the_pixels_are_the_same_from_every_build) {
    loam_heightfield field;
    static int32_t samples[FIELD * FIELD];
    make_island(&field, samples);
    picture_options options = options_of(&field);
    options.crown_units = 6 * SPAN / SIDE;
    pixels drawn = draw(&options, &trees);
    uint64_t got = mix_bytes(0, drawn.rgb, PNG_IMAGE_SIZE(drawn.image));
    cr_expect_eq(got, PIXELS_DIGEST, "got 0x%016llx, want 0x%016llx", (unsigned long long)got,
                 (unsigned long long)PIXELS_DIGEST);
    free(drawn.rgb);
}

Test(view_picture, canopies_take_the_light_of_their_slope) {
    loam_heightfield field;
    static int32_t samples[FIELD * FIELD];
    make_island(&field, samples);
    picture_options options = options_of(&field);
    options.crown_units = 3 * SPAN / SIDE;
    loam_points pair = trees;
    pair.id = (const uint64_t[]){1, 1};
    pair.x = (const int32_t[]){SPAN / 2 - 10 * SPAN / SIDE, SPAN / 2 + 10 * SPAN / SIDE};
    pair.z = (const int32_t[]){SPAN / 2, SPAN / 2};
    pixels drawn = draw(&options, &pair);
    cr_expect_gt(sum_at(&drawn, 22, 32), sum_at(&drawn, 42, 32) + 30);
    free(drawn.rgb);
}

Test(view_picture, sizes_and_regions_end_at_their_limits) {
    picture *raster = NULL;
    picture_options options = options_of(NULL);
    options.width = 0;
    cr_expect_eq(picture_create(&options, &raster, NULL), LOAM_OUT_OF_RANGE);
    options.width = PICTURE_SIDE_MAX + 1;
    cr_expect_eq(picture_create(&options, &raster, NULL), LOAM_OUT_OF_RANGE);
    options.width = PICTURE_SIDE_MAX;
    options.height = 1;
    cr_expect_eq(picture_create(&options, &raster, NULL), LOAM_OK);
    picture_destroy(raster);
    options.region.x1 = options.region.x0;
    cr_expect_eq(picture_create(&options, &raster, NULL), LOAM_COORDINATE_RANGE);
    options.region = (loam_rect){0, 0, ((int64_t)1 << 40) + 1, 256};
    cr_expect_eq(picture_create(&options, &raster, NULL), LOAM_COORDINATE_RANGE);
    cr_expect_null(raster);
}

Test(view_picture, the_whole_world_in_one_picture_is_drawn) {
    loam_heightfield field;
    static int32_t samples[FIELD * FIELD];
    make_island(&field, samples);
    picture_options options = options_of(&field);
    int64_t end = (int64_t)1 << 40;
    options.region = (loam_rect){-end, -end, end, end};
    pixels drawn = draw(&options, &trees);
    free(drawn.rgb);
}

Test(view_picture, a_png_that_does_not_fit_its_buffer_is_refused) {
    text_buffer png;
    buffer_init(&png, 60);
    cr_assert_eq(view_cell_picture(&trees, NULL, 100, &png, NULL), LOAM_TOO_LARGE);
    buffer_fini(&png);
}

Test(view_picture, roots_are_floored) {
    cr_expect_eq(root_floor(0), 0u);
    cr_expect_eq(root_floor(1), 1u);
    cr_expect_eq(root_floor(99), 9u);
    cr_expect_eq(root_floor(100), 10u);
    cr_expect_eq(root_floor(UINT64_MAX), UINT32_MAX);
    for (uint64_t root = 1; root < UINT32_MAX; root = root * 3 + 1) {
        cr_expect_eq(root_floor(root * root), root);
        cr_expect_eq(root_floor(root * root - 1), root - 1);
    }
}

Test(view_picture, a_color_goes_by_a_word_of_the_name) {
    color first = asset_color(loam_text_of("old_pine_02"));
    color second = asset_color(loam_text_of("pine"));
    color other = asset_color(loam_text_of("boulder"));
    cr_expect_eq(memcmp(&first, &second, sizeof first), 0);
    cr_expect_neq(memcmp(&first, &other, sizeof first), 0);
}
