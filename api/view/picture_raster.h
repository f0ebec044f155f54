/* SPDX-License-Identifier: MIT
 *
 * picture_raster.h: a picture while it is drawn: the ground, and over it a layer of shadows and one
 * of crowns, which are put together when it is written. Internal to api/view/picture_*.c and
 * view_picture.c.
 *
 * Row 0 is the north edge. Positions in the picture are in 1/256 pixel. Integers only: a URL's
 * picture has the same bytes from every build.
 */
#ifndef LOAM_VIEW_PICTURE_RASTER_H
#define LOAM_VIEW_PICTURE_RASTER_H

#include "api/view/view_picture.h"

/* 1.0 of a pixel, a weight or an opacity here. */
enum { PIXEL_ONE = 256 };
/* Brightness of flat ground in the layer of light. */
enum { LIGHT_FLAT = 128 };

typedef struct color {
    uint8_t red, green, blue;
} color;

struct picture {
    loam_rect region;
    uint32_t width;
    uint32_t height;
    uint32_t crown_units;
    unsigned char *ground;  /* red, green, blue */
    unsigned char *light;   /* brightness of the slope, 1.0 is LIGHT_FLAT: crowns on it share it */
    unsigned char *crowns;  /* red, green, blue, opacity */
    unsigned char *shadows; /* opacity */
};

static inline uint64_t raster_pixels(const picture *raster) {
    return (uint64_t)raster->width * raster->height;
}

/* From a (weight 0) to b (weight 256). */
static inline uint8_t mix_channel(uint8_t a, uint8_t b, int32_t weight) {
    return (uint8_t)((a * (PIXEL_ONE - weight) + b * weight + PIXEL_ONE / 2) >> 8);
}

static inline color mix_color(color a, color b, int32_t weight) {
    return (color){mix_channel(a.red, b.red, weight), mix_channel(a.green, b.green, weight),
                   mix_channel(a.blue, b.blue, weight)};
}

static inline int32_t clamp_int(int64_t value, int32_t low, int32_t high) {
    return value < low ? low : value > high ? high : (int32_t)value;
}

/* Darker than 1.0 (256) towards cool shade, brighter towards `light`. */
color shade_color(color tint, int32_t bright, color light);

/* floor(sqrt(value)). */
uint32_t root_floor(uint64_t value);

/* Fills the ground: relief, or plain ground without a heightfield. */
LOAM_MUST_USE loam_status relief_draw(const picture_options *options, picture *raster,
                                      loam_error *error);
/* Lays the areas of all layers over the ground. */
LOAM_MUST_USE loam_status zones_draw(const picture_options *options, picture *raster,
                                     loam_error *error);
/* The same for lines. */
LOAM_MUST_USE loam_status strokes_draw(const picture_options *options, picture *raster,
                                       loam_error *error);
/* Units to 1/256 pixel; what is a million pixels away stays so, and products fit int64. */
int64_t raster_pixel_at(int64_t units, int64_t span, uint32_t pixels);
/* Whether a name holds a word. */
bool name_holds(loam_text name, const char *word);
/* A crown and its shadow into their layers; `radius` in 1/256 pixel. */
typedef struct crown {
    int64_t x, y; /* of the middle, 1/256 pixel */
    int64_t radius;
    color leaf;
} crown;
void crown_draw(picture *raster, const crown *disc);
/* The colour of an asset: by a word in its name, else by its hash. */
color asset_color(loam_text name);
/* Ground, shadows and crowns of one row, as red, green, blue. */
void raster_row(const picture *raster, uint32_t row, unsigned char *rgb);

#endif
