/* SPDX-License-Identifier: MIT
 *
 * picture_spline.c: see picture_spline.h. The weights are separable: a row of pixels first mixes
 * four rows of the grid, then each pixel four columns of that.
 */
#include "api/view/picture_spline.h"

#include "core/base/try.h"

#include <stdlib.h>

enum {
    STEP_BITS = 12, /* positions between grid samples */
    STEP_ONE = 1 << STEP_BITS,
    WEIGHT_BITS = 14,
    MARGIN = 3, /* grid samples beyond the outermost pixel */
    PLANES = 4, /* of a mixed row: heights and shores, value and slope */
};

/* What counts as the shore: 8 m up and down; water that a survey gave as plain 0 m lies 2 m deep.
 */
#define SHORE_MAX ((int32_t)8 * LOAM_HEIGHT_STEPS_PER_METRE)
#define SHORE_FLAT (-(int32_t)2 * LOAM_HEIGHT_STEPS_PER_METRE)

/* Height steps (1/65,536 m) over fine steps (2^24 to a metre), to a slope in 1/4,096. */
#define SLOPE_STEPS ((int64_t)1 << 20)
/* 256, or 89.8 degrees: shading does not tell steeper ones apart. */
#define SLOPE_MAX (256 * 4096)

/* One axis of the picture on one axis of the field, in 1/4,096 sample. */
typedef struct spline_axis {
    int64_t from; /* world position of the first pixel's side, units from the field's origin */
    int64_t span; /* of all pixels, units; negative when it runs down */
    uint32_t pixels;
    uint32_t vertices;
    int64_t spacing_fine;
    int64_t base; /* sample that grid sample 0 begins at */
    uint32_t factor;
    uint32_t count; /* grid samples */
} spline_axis;

static int64_t clamp(int64_t value, int64_t low, int64_t high) {
    return value < low ? low : value > high ? high : value;
}

/* Where the middle of a pixel stands in the field. */
static int64_t axis_position(const spline_axis *axis, uint32_t pixel, bool *inside) {
    int64_t units =
        axis->from + axis->span * (2 * (int64_t)pixel + 1) / (2 * (int64_t)axis->pixels);
    int64_t last = (int64_t)axis->vertices - 1;
    int64_t length = (last * axis->spacing_fine) >> 16;
    *inside = units >= 0 && units <= length;
    int64_t steps = (clamp(units, 0, length) << (16 + STEP_BITS)) / axis->spacing_fine;
    return clamp(steps, 0, last << STEP_BITS);
}

static void axis_fit(spline_axis *axis, uint32_t factor) {
    bool inside = false;
    int64_t first = axis_position(axis, 0, &inside);
    int64_t last = axis_position(axis, axis->pixels - 1, &inside);
    int64_t low = (first < last ? first : last) >> STEP_BITS;
    int64_t high = (first < last ? last : first) >> STEP_BITS;
    axis->factor = factor;
    axis->base = low - (int64_t)MARGIN * factor;
    axis->count = (uint32_t)((high - axis->base) / factor) + MARGIN + 1;
}

/* Samples that a pixel spans, at least one. */
static uint32_t axis_factor(const spline_axis *axis) {
    int64_t span = axis->span < 0 ? -axis->span : axis->span;
    int64_t samples = (span << 16) / axis->spacing_fine / axis->pixels;
    return samples < 1 ? 1 : (uint32_t)samples;
}

/* t in [0, 1) between the second and the third sample. */
static void tap_weigh(spline_tap *tap, int64_t t) {
    int64_t u = STEP_ONE - t;
    int64_t cube = 6 << (3 * STEP_BITS - WEIGHT_BITS);
    int64_t square = 2 << (2 * STEP_BITS - WEIGHT_BITS);
    int64_t four = (int64_t)4 << (3 * STEP_BITS);
    tap->value[0] = (int32_t)(u * u * u / cube);
    tap->value[1] = (int32_t)((3 * t * t * t - 6 * t * t * STEP_ONE + four) / cube);
    tap->value[3] = (int32_t)(t * t * t / cube);
    tap->value[2] = (1 << WEIGHT_BITS) - tap->value[0] - tap->value[1] - tap->value[3];
    tap->slope[0] = (int32_t)(-u * u / square);
    tap->slope[1] = (int32_t)((3 * t * t - 4 * t * STEP_ONE) / square);
    tap->slope[3] = (int32_t)(t * t / square);
    tap->slope[2] = -tap->slope[0] - tap->slope[1] - tap->slope[3];
}

static spline_tap *taps_create(const spline_axis *axis) {
    spline_tap *taps = malloc(axis->pixels * sizeof *taps);
    for (uint32_t i = 0; taps != NULL && i < axis->pixels; i++) {
        int64_t steps = axis_position(axis, i, &taps[i].inside);
        int64_t middle = (int64_t)(axis->factor - 1) * STEP_ONE / 2;
        int64_t at = (steps - axis->base * STEP_ONE - middle) / axis->factor;
        taps[i].first = (uint32_t)(at >> STEP_BITS) - 1;
        tap_weigh(&taps[i], at & (STEP_ONE - 1));
    }
    return taps;
}

static int32_t shore_of(int32_t height) {
    return height == 0 ? SHORE_FLAT : (int32_t)clamp(height, -SHORE_MAX, SHORE_MAX);
}

/* The samples of the field that a grid sample stands for, along one axis; at least the edge's. */
typedef struct sample_range {
    int64_t low, high;
} sample_range;

static sample_range range_within(int64_t from, uint32_t factor, uint32_t vertices) {
    return (sample_range){clamp(from, 0, (int64_t)vertices - 1),
                          clamp(from + factor - 1, 0, (int64_t)vertices - 1)};
}

/* The mean of the samples. */
static void fill_sample(spline_grid *grid, const loam_heightfield *field, sample_range columns,
                        sample_range rows, size_t at) {
    int64_t heights = 0;
    int64_t shores = 0;
    for (int64_t j = rows.low; j <= rows.high; j++) {
        const int32_t *row = field->samples + (size_t)j * field->width;
        for (int64_t i = columns.low; i <= columns.high; i++) {
            heights += row[i];
            shores += shore_of(row[i]);
        }
    }
    int64_t count = (columns.high - columns.low + 1) * (rows.high - rows.low + 1);
    grid->heights[at] = (int32_t)(heights / count);
    grid->shores[at] = (int32_t)(shores / count);
}

static void fill_samples(spline_grid *grid, const loam_heightfield *field,
                         const spline_axis *columns, const spline_axis *rows) {
    for (uint32_t j = 0; j < grid->height; j++) {
        sample_range south_to_north =
            range_within(rows->base + (int64_t)j * grid->factor, grid->factor, field->height);
        for (uint32_t i = 0; i < grid->width; i++) {
            sample_range west_to_east =
                range_within(columns->base + (int64_t)i * grid->factor, grid->factor, field->width);
            fill_sample(grid, field, west_to_east, south_to_north, (size_t)j * grid->width + i);
        }
    }
}

static loam_status grid_fill(spline_grid *grid, const loam_heightfield *field,
                             const spline_axis *columns, const spline_axis *rows,
                             loam_error *error) {
    size_t count = (size_t)columns->count * rows->count;
    grid->width = columns->count;
    grid->height = rows->count;
    grid->heights = malloc(count * sizeof *grid->heights);
    grid->shores = malloc(count * sizeof *grid->shores);
    grid->columns = taps_create(columns);
    grid->rows = taps_create(rows);
    if (grid->heights == NULL || grid->shores == NULL || grid->columns == NULL ||
        grid->rows == NULL) {
        return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for the relief");
    }
    fill_samples(grid, field, columns, rows);
    return LOAM_OK;
}

loam_status spline_init(spline_grid *grid, const loam_heightfield *field, loam_rect region,
                        uint32_t width, uint32_t height, loam_error *error) {
    spline_axis columns = {.from = region.x0 - field->origin_x,
                           .span = region.x1 - region.x0,
                           .pixels = width,
                           .vertices = field->width,
                           .spacing_fine = field->spacing_fine};
    spline_axis rows = {.from = region.z1 - field->origin_z,
                        .span = region.z0 - region.z1,
                        .pixels = height,
                        .vertices = field->height,
                        .spacing_fine = field->spacing_fine};
    uint32_t factor = axis_factor(&columns);
    uint32_t other = axis_factor(&rows);
    *grid = (spline_grid){.factor = factor > other ? factor : other};
    axis_fit(&columns, grid->factor);
    axis_fit(&rows, grid->factor);
    return grid_fill(grid, field, &columns, &rows, error);
}

void spline_fini(spline_grid *grid) {
    free(grid->heights);
    free(grid->shores);
    free(grid->columns);
    free(grid->rows);
}

size_t spline_row_bound(const spline_grid *grid) {
    return (size_t)PLANES * grid->width;
}

/* Four rows of one plane mixed into one. */
static void mix_rows(const spline_grid *grid, const int32_t *plane, const spline_tap *tap,
                     const int32_t weights[4], int64_t *mixed) {
    const int32_t *rows = plane + (size_t)tap->first * grid->width;
    size_t stride = grid->width;
    for (size_t i = 0; i < stride; i++) {
        mixed[i] = (int64_t)weights[0] * rows[i] + (int64_t)weights[1] * rows[i + stride] +
                   (int64_t)weights[2] * rows[i + 2 * stride] +
                   (int64_t)weights[3] * rows[i + 3 * stride];
    }
}

static int64_t mix_columns(const int64_t *mixed, const spline_tap *tap, const int32_t weights[4]) {
    const int64_t *at = mixed + tap->first;
    int64_t sum = weights[0] * at[0] + weights[1] * at[1] + weights[2] * at[2] + weights[3] * at[3];
    return sum >> (2 * WEIGHT_BITS);
}

void spline_row(const spline_grid *grid, const loam_heightfield *field, uint32_t row,
                uint32_t width, int64_t *room, spline_sample *samples) {
    const spline_tap *tap = &grid->rows[row];
    int64_t *planes[PLANES];
    for (size_t i = 0; i < PLANES; i++) {
        planes[i] = room + i * grid->width;
    }
    mix_rows(grid, grid->heights, tap, tap->value, planes[0]);
    mix_rows(grid, grid->heights, tap, tap->slope, planes[1]);
    mix_rows(grid, grid->shores, tap, tap->value, planes[2]);
    mix_rows(grid, grid->shores, tap, tap->slope, planes[3]);
    int64_t step = field->spacing_fine * grid->factor;
    for (uint32_t i = 0; i < width; i++) {
        const spline_tap *column = &grid->columns[i];
        int64_t rise_x = mix_columns(planes[0], column, column->slope);
        int64_t rise_z = mix_columns(planes[1], column, column->value);
        samples[i] = (spline_sample){
            .height = (int32_t)mix_columns(planes[0], column, column->value),
            .slope_x = (int32_t)clamp(rise_x * SLOPE_STEPS / step, -SLOPE_MAX, SLOPE_MAX),
            .slope_z = (int32_t)clamp(rise_z * SLOPE_STEPS / step, -SLOPE_MAX, SLOPE_MAX),
            .shore = (int32_t)mix_columns(planes[2], column, column->value),
            .shore_x = (int32_t)mix_columns(planes[2], column, column->slope),
            .shore_z = (int32_t)mix_columns(planes[3], column, column->value)};
    }
}
