/* SPDX-License-Identifier: MIT
 *
 * picture_relief.c: the ground of a picture. Light comes mostly from the north-west, some from
 * west, north and above, so that no slope is flat black; shade is cool and light is warm, as in
 * Swiss maps. Heights tint the land from green to pale rock, steep slopes show rock at any height,
 * the sea darkens away from the shore.
 *
 * Source of the lights: Mark, "Multidirectional, oblique-weighted, shaded-relief image", 1992.
 */
#include "api/view/picture_raster.h"
#include "api/view/picture_spline.h"
#include "core/base/try.h"

#include <stdlib.h>
#include <string.h>

/* Where the field does not reach, and ground without a heightfield. */
static const color paper = {226, 221, 208};
static const color plain = {170, 184, 134};

static const color rock = {150, 139, 128};
static const color light = {255, 246, 222};
static const color sea_shallow = {150, 196, 207};
static const color sea_middle = {94, 152, 184};
static const color sea_deep = {58, 108, 152};
static const color coast = {44, 74, 100};

/* The land by its height, in 1/256 of what the field reaches. */
typedef struct tint_stop {
    int32_t at;
    color tint;
} tint_stop;

static const tint_stop tints[] = {
    {0, {140, 168, 104}},   {26, {150, 178, 110}},  {72, {182, 194, 128}},  {120, {212, 206, 150}},
    {164, {204, 180, 128}}, {208, {172, 146, 116}}, {240, {190, 178, 164}}, {256, {238, 233, 224}},
};
enum { TINT_COUNT = sizeof tints / sizeof *tints };

enum {
    /* Slopes and unit vectors. */
    SLOPE_ONE = 4096,
    ROOT_HALF = 2896,
    /* 1/16: gentle land is drawn up to six times as steep, so that it shows at all. */
    EXAGGERATION_ONE = 16,
    EXAGGERATION_MAX = 96,
    /* The mean slope that a picture should show: 0.3. */
    SLOPE_WANTED = 1228,
    SLOPE_SHOWN_MAX = 16 * SLOPE_ONE,
    /* Rock begins at 27 degrees and is bare at 45. */
    ROCK_FROM = 2087,
    ROCK_TO = 4096,
    /* Heights are compared with the field's own range, seen through at most so many samples. */
    RANGE_SAMPLES = 1024,
    /* How far shallow water reaches: a part of the picture's side. */
    SHALLOW_PART = 24,
};
/* A range below 60 m is lowland all over. */
#define RANGE_MIN ((int64_t)60 * LOAM_HEIGHT_STEPS_PER_METRE)
/* Water is deep at 120 m. */
#define DEPTH_DEEP ((int64_t)120 * LOAM_HEIGHT_STEPS_PER_METRE)

typedef struct relief {
    const picture_options *options;
    picture *raster;
    spline_grid grid;
    int64_t *room;
    spline_sample *samples;
    uint8_t *land; /* share of a pixel that is land */
    int64_t low;   /* the field's lowest land and its range, 1/65,536 m */
    int64_t range;
    bool sea;
    int32_t exaggeration;
} relief;

static uint32_t greater(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

/* ---- What the whole field holds ------------------------------------------------------------ */

static void measure_range(const loam_heightfield *field, relief *made) {
    uint32_t step = greater(1, greater(field->width, field->height) / RANGE_SAMPLES);
    int32_t low = field->samples[0];
    int32_t high = low;
    for (uint32_t j = 0; j < field->height; j += step) {
        const int32_t *row = field->samples + (size_t)j * field->width;
        for (uint32_t i = 0; i < field->width; i += step) {
            low = row[i] < low ? row[i] : low;
            high = row[i] > high ? row[i] : high;
        }
    }
    /* Land that lies at 0 m all over is no sea. */
    made->sea = low <= 0 && low < high;
    made->low = low > 0 || !made->sea ? low : 0;
    made->range = (int64_t)high - made->low < RANGE_MIN ? RANGE_MIN : high - made->low;
}

static uint32_t slope_of(const spline_sample *sample) {
    int64_t x = sample->slope_x;
    int64_t z = sample->slope_z;
    return root_floor((uint64_t)(x * x + z * z));
}

/* By the mean slope of the land that is shown. */
static int32_t choose_exaggeration(const relief *made) {
    uint64_t sum = 0;
    uint64_t count = 1;
    for (uint32_t row = 0; row < made->raster->height; row += 4) {
        spline_row(&made->grid, made->options->heightfield, row, made->raster->width, made->room,
                   made->samples);
        for (uint32_t i = 0; i < made->raster->width; i += 4) {
            bool land = !made->sea || made->samples[i].shore > 0;
            sum += land ? slope_of(&made->samples[i]) : 0;
            count += land;
        }
    }
    uint64_t mean = sum / count + 1;
    return clamp_int((int64_t)(SLOPE_WANTED * EXAGGERATION_ONE / mean), EXAGGERATION_ONE,
                     EXAGGERATION_MAX);
}

/* ---- Colours ------------------------------------------------------------------------------- */

static color tint_of(int32_t height) {
    for (int i = 1; i < TINT_COUNT; i++) {
        if (height < tints[i].at) {
            int32_t span = tints[i].at - tints[i - 1].at;
            int32_t weight = (height - tints[i - 1].at) * PIXEL_ONE / span;
            return mix_color(tints[i - 1].tint, tints[i].tint, weight);
        }
    }
    return tints[TINT_COUNT - 1].tint;
}

/* How bright a slope is; 1.0 is flat ground, in 1/256. Lights stand 45 degrees high; weights: 10
 * north-west, 2 west, 2 north, 2 above. */
static int32_t brightness(int64_t x, int64_t z) {
    int64_t length = root_floor((uint64_t)(SLOPE_ONE * SLOPE_ONE + x * x + z * z));
    int64_t north_west = (x - z) / 2 + ROOT_HALF;
    int64_t west = x * ROOT_HALF / SLOPE_ONE + ROOT_HALF;
    int64_t north = -z * ROOT_HALF / SLOPE_ONE + ROOT_HALF;
    int64_t sum = (north_west > 0 ? 10 * north_west : 0) + (west > 0 ? 2 * west : 0) +
                  (north > 0 ? 2 * north : 0) + 2 * SLOPE_ONE;
    int64_t flat = 14 * ROOT_HALF + 2 * SLOPE_ONE;
    return (int32_t)(sum * SLOPE_ONE / length * PIXEL_ONE / flat);
}

static int32_t shown_slope(const relief *made, int32_t slope) {
    return clamp_int((int64_t)slope * made->exaggeration / EXAGGERATION_ONE, -SLOPE_SHOWN_MAX,
                     SLOPE_SHOWN_MAX);
}

static color land_color(const relief *made, const spline_sample *sample, int32_t bright) {
    int64_t above = ((int64_t)sample->height - made->low) * PIXEL_ONE / made->range;
    color tint = tint_of(clamp_int(above, 0, PIXEL_ONE));
    int64_t steep = (int64_t)slope_of(sample) - ROCK_FROM;
    tint = mix_color(tint, rock, clamp_int(steep * 200 / (ROCK_TO - ROCK_FROM), 0, 200));
    return shade_color(tint, bright, light);
}

/* `near` is how much land lies around, 0 to 256; the ground below shows a little. */
static color sea_color(const spline_sample *sample, int32_t near, int32_t bright) {
    int64_t depth = sample->height < 0 ? -(int64_t)sample->height : 0;
    int32_t shallow = clamp_int(near * 5 / 2 - depth * PIXEL_ONE / DEPTH_DEEP, 0, PIXEL_ONE);
    int32_t half = PIXEL_ONE / 2;
    color water = shallow < half ? mix_color(sea_deep, sea_middle, shallow * 2)
                                 : mix_color(sea_middle, sea_shallow, (shallow - half) * 2);
    return shade_color(water, PIXEL_ONE + (bright - PIXEL_ONE) / 4, light);
}

/* ---- Land and sea -------------------------------------------------------------------------- */

/* The share of a pixel that is land: its middle's distance from the shore, found by the shore's own
 * slope, in pixels. */
static uint8_t land_share(const relief *made, const spline_sample *sample) {
    if (!made->sea) {
        return UINT8_MAX;
    }
    const loam_heightfield *field = made->options->heightfield;
    int64_t x = sample->shore_x;
    int64_t z = sample->shore_z;
    int64_t grid_step = (field->spacing_fine * made->grid.factor) >> 16; /* units */
    int64_t pixel = (made->raster->region.x1 - made->raster->region.x0) / made->raster->width;
    int64_t per_grid = root_floor((uint64_t)(x * x + z * z));
    int64_t per_pixel = per_grid * (pixel + 1) / (grid_step + 1) + 1;
    return (uint8_t)clamp_int(128 + (int64_t)sample->shore * 255 / per_pixel, 0, UINT8_MAX);
}

/* Means over 2 * radius + 1 bytes, `step` apart; the ends are repeated. */
static void blur_line(uint8_t *line, size_t step, int64_t count, int64_t radius, uint8_t *copy) {
    int64_t sum = 0;
    for (int64_t i = 0; i < count; i++) {
        copy[i] = line[(size_t)i * step];
    }
    for (int64_t i = -radius; i <= radius; i++) {
        sum += copy[clamp_int(i, 0, (int32_t)count - 1)];
    }
    for (int64_t i = 0; i < count; i++) {
        line[(size_t)i * step] = (uint8_t)(sum / (2 * radius + 1));
        sum += copy[clamp_int(i + radius + 1, 0, (int32_t)count - 1)];
        sum -= copy[clamp_int(i - radius, 0, (int32_t)count - 1)];
    }
}

/* How much land lies around each pixel: two box blurs are nearly round. */
static void blur_land(const relief *made, uint8_t *near, uint8_t *copy) {
    int64_t width = made->raster->width;
    int64_t height = made->raster->height;
    int64_t radius = greater(1, greater(made->raster->width, made->raster->height) / SHALLOW_PART);
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t row = 0; row < height; row++) {
            blur_line(near + row * width, 1, width, radius, copy);
        }
        for (int64_t column = 0; column < width; column++) {
            blur_line(near + column, (size_t)width, height, radius, copy);
        }
    }
}

static void find_land(relief *made, uint8_t *near) {
    for (uint32_t row = 0; row < made->raster->height; row++) {
        spline_row(&made->grid, made->options->heightfield, row, made->raster->width, made->room,
                   made->samples);
        for (uint32_t i = 0; i < made->raster->width; i++) {
            made->land[(size_t)row * made->raster->width + i] = land_share(made, &made->samples[i]);
        }
    }
    memcpy(near, made->land, raster_pixels(made->raster));
}

/* ---- The raster ---------------------------------------------------------------------------- */

static void put_color(picture *raster, size_t pixel, color tint) {
    raster->ground[3 * pixel] = tint.red;
    raster->ground[3 * pixel + 1] = tint.green;
    raster->ground[3 * pixel + 2] = tint.blue;
}

static color pixel_color(const relief *made, const spline_sample *sample, size_t pixel,
                         uint8_t near, int32_t bright) {
    uint8_t land = made->land[pixel];
    if (land == UINT8_MAX) {
        return land_color(made, sample, bright);
    }
    color water = sea_color(sample, near, bright);
    if (land == 0) {
        return water;
    }
    int32_t share = land + (land >> 7);
    int32_t edge = share < PIXEL_ONE / 2 ? share : PIXEL_ONE - share;
    return mix_color(mix_color(water, land_color(made, sample, bright), share), coast, edge);
}

static void color_pixel(const relief *made, const spline_sample *sample, size_t pixel,
                        uint8_t near) {
    int32_t bright =
        brightness(shown_slope(made, sample->slope_x), shown_slope(made, sample->slope_z));
    put_color(made->raster, pixel, pixel_color(made, sample, pixel, near, bright));
    made->raster->light[pixel] = (uint8_t)clamp_int(bright * LIGHT_FLAT / PIXEL_ONE, 0, UINT8_MAX);
}

static void color_rows(relief *made, const uint8_t *near) {
    picture *raster = made->raster;
    for (uint32_t row = 0; row < raster->height; row++) {
        spline_row(&made->grid, made->options->heightfield, row, raster->width, made->room,
                   made->samples);
        for (uint32_t i = 0; i < raster->width; i++) {
            size_t pixel = (size_t)row * raster->width + i;
            if (made->grid.rows[row].inside && made->grid.columns[i].inside) {
                color_pixel(made, &made->samples[i], pixel, near[pixel]);
            } else {
                put_color(raster, pixel, paper);
            }
        }
    }
}

static loam_status draw_field(relief *made, loam_error *error) {
    picture *raster = made->raster;
    const loam_heightfield *field = made->options->heightfield;
    LOAM_TRY(spline_init(&made->grid, field, raster->region, raster->width, raster->height, error));
    size_t longest = greater(raster->width, raster->height);
    uint8_t *near = malloc(raster_pixels(raster) + longest);
    made->room = malloc(spline_row_bound(&made->grid) * sizeof *made->room);
    made->samples = malloc(raster->width * sizeof *made->samples);
    made->land = malloc(raster_pixels(raster));
    if (near == NULL || made->room == NULL || made->samples == NULL || made->land == NULL) {
        free(near);
        return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for the relief");
    }
    measure_range(field, made);
    made->exaggeration = made->options->exaggeration == 0 ? choose_exaggeration(made)
                                                          : (int32_t)made->options->exaggeration;
    find_land(made, near);
    if (made->sea) {
        blur_land(made, near, near + raster_pixels(raster));
    }
    color_rows(made, near);
    free(near);
    return LOAM_OK;
}

loam_status relief_draw(const picture_options *options, picture *raster, loam_error *error) {
    if (options->heightfield == NULL) {
        for (size_t pixel = 0; pixel < raster_pixels(raster); pixel++) {
            put_color(raster, pixel, plain);
        }
        return LOAM_OK;
    }
    relief made = {.options = options, .raster = raster};
    loam_status status = draw_field(&made, error);
    spline_fini(&made.grid);
    free(made.room);
    free(made.samples);
    free(made.land);
    return status;
}
