/* SPDX-License-Identifier: MIT
 *
 * view_picture.c: see view_picture.h. The layers are drawn in picture_*.c; here are what may be
 * asked, where points go, and the PNG.
 */
#include "api/view/view_picture.h"

#include "api/view/picture_raster.h"
#include "api/view/png_encode.h"
#include "core/base/limits.h"
#include "core/base/mix.h"
#include "core/base/try.h"

#include <stdlib.h>
#include <string.h>

enum {
    CROWN_UNITS = LOAM_UNITS_PER_METRE * 3 / 2,
    CROWN_UNITS_MAX = 64 * LOAM_UNITS_PER_METRE,
    /* Neighbouring cells are drawn alike, whatever their relief: twice as steep as it is. */
    CELL_EXAGGERATION = 32,
    /* How far a leaf's colour strays from its asset's. */
    LEAF_RANGE = 40,
};

static loam_status check_options(const picture_options *options, loam_error *error) {
    const loam_rect *region = &options->region;
    if (options->width < 1 || options->height < 1 || options->width > PICTURE_SIDE_MAX ||
        options->height > PICTURE_SIDE_MAX) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "a picture has 1 to %u pixels a side",
                         PICTURE_SIDE_MAX);
    }
    if (region->x0 < -POSITION_UNITS_MAX || region->z0 < -POSITION_UNITS_MAX ||
        region->x1 > POSITION_UNITS_MAX || region->z1 > POSITION_UNITS_MAX ||
        region->x0 >= region->x1 || region->z0 >= region->z1) {
        return loam_fail(error, LOAM_COORDINATE_RANGE, NULL,
                         "the region is empty or beyond the world");
    }
    if (options->crown_units > CROWN_UNITS_MAX) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "a crown is at most %d m wide",
                         2 * CROWN_UNITS_MAX / LOAM_UNITS_PER_METRE);
    }
    return LOAM_OK;
}

static loam_status take_layers(picture *raster, loam_error *error) {
    size_t pixels = raster_pixels(raster);
    raster->ground = malloc(pixels * 3);
    raster->light = malloc(pixels);
    raster->crowns = calloc(pixels, 4);
    raster->shadows = calloc(pixels, 1);
    if (raster->ground == NULL || raster->light == NULL || raster->crowns == NULL ||
        raster->shadows == NULL) {
        return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for %u x %u pixels",
                         raster->width, raster->height);
    }
    memset(raster->light, LIGHT_FLAT, pixels);
    return LOAM_OK;
}

static loam_status draw_ground(const picture_options *options, picture *raster, loam_error *error) {
    LOAM_TRY(take_layers(raster, error));
    LOAM_TRY(relief_draw(options, raster, error));
    LOAM_TRY(zones_draw(options, raster, error));
    return strokes_draw(options, raster, error);
}

loam_status picture_create(const picture_options *options, picture **made, loam_error *error) {
    *made = NULL;
    LOAM_TRY(check_options(options, error));
    picture *raster = calloc(1, sizeof *raster);
    if (raster == NULL) {
        return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for a picture");
    }
    raster->region = options->region;
    raster->width = options->width;
    raster->height = options->height;
    raster->crown_units = options->crown_units == 0 ? CROWN_UNITS : options->crown_units;
    loam_status status = draw_ground(options, raster, error);
    if (status != LOAM_OK) {
        picture_destroy(raster);
        return status;
    }
    *made = raster;
    return LOAM_OK;
}

void picture_destroy(picture *raster) {
    if (raster != NULL) {
        free(raster->ground);
        free(raster->light);
        free(raster->crowns);
        free(raster->shadows);
        free(raster);
    }
}

/* No two crowns of one kind are quite alike: by the id, which does not change. */
static color vary(color leaf, uint64_t id) {
    static const color warm = {150, 140, 60};
    static const color deep = {18, 52, 44};
    uint64_t bits = mix64(id);
    int32_t weight = (int32_t)(bits % (2 * LEAF_RANGE + 1)) - LEAF_RANGE;
    return weight > 0 ? mix_color(leaf, warm, weight) : mix_color(leaf, deep, -weight);
}

/* The crown of a point; false when it does not touch the picture. */
static bool place_crown(const picture *raster, const loam_points *points, uint32_t i, crown *disc) {
    const loam_rect *region = &raster->region;
    int64_t x = points->rect.x0 + points->x[i] - region->x0;
    int64_t z = region->z1 - (points->rect.z0 + points->z[i]);
    int64_t span_x = region->x1 - region->x0;
    int64_t span_z = region->z1 - region->z0;
    int64_t units = (int64_t)raster->crown_units * points->scale_x[i] / LOAM_SCALE_ONE;
    /* Shadows reach a radius further, the smallest crowns a pixel or so. */
    int64_t reach_x = 3 * units + 3 * (span_x / raster->width + 1);
    int64_t reach_z = 3 * units + 3 * (span_z / raster->height + 1);
    if (x < -reach_x || z < -reach_z || x > span_x + reach_x || z > span_z + reach_z) {
        return false;
    }
    disc->x = x * raster->width * PIXEL_ONE / span_x;
    disc->y = z * raster->height * PIXEL_ONE / span_z;
    disc->radius = units * raster->width * PIXEL_ONE / span_x;
    return true;
}

void picture_add_points(picture *raster, const loam_points *points) {
    for (uint32_t i = 0; i < points->count; i++) {
        crown disc;
        if (place_crown(raster, points, i, &disc)) {
            loam_text none = {"", 0};
            loam_text asset = points->palette_count == 0 ? none : points->palette[points->asset[i]];
            disc.leaf = vary(asset_color(asset), points->id[i]);
            crown_draw(raster, &disc);
        }
    }
}

/* ---- PNG ----------------------------------------------------------------------------------- */

static void picture_row(const void *context, uint32_t row, unsigned char *rgb) {
    raster_row(context, row, rgb);
}

loam_status picture_write(const picture *raster, text_buffer *png, loam_error *error) {
    return png_write_rgb(&(png_source){raster->width, raster->height, picture_row, raster}, png,
                         error);
}

loam_status view_cell_picture(const loam_points *points, const loam_heightfield *heightfield,
                              uint32_t side, text_buffer *png, loam_error *error) {
    picture_options options = {.region = points->rect,
                               .width = side,
                               .height = side,
                               .heightfield = heightfield,
                               .exaggeration = CELL_EXAGGERATION};
    picture *raster = NULL;
    LOAM_TRY(picture_create(&options, &raster, error));
    picture_add_points(raster, points);
    loam_status status = picture_write(raster, png, error);
    picture_destroy(raster);
    return status;
}
