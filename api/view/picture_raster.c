/* SPDX-License-Identifier: MIT
 *
 * picture_raster.c: see picture_raster.h.
 */
#include "api/view/picture_raster.h"

#include <string.h>

/* Positions are clamped to a million pixels around the picture: products fit int64. */
#define PIXEL_POSITION_MAX ((int64_t)1 << 28)

static const color shadow = {24, 34, 54};
static const color shade = {64, 72, 112};
static const color leaf_light = {214, 222, 132};

color shade_color(color tint, int32_t bright, color light) {
    if (bright < PIXEL_ONE) {
        color dark = {(uint8_t)(tint.red * shade.red / 255),
                      (uint8_t)(tint.green * shade.green / 255),
                      (uint8_t)(tint.blue * shade.blue / 255)};
        return mix_color(dark, tint, bright);
    }
    return mix_color(tint, light, clamp_int((bright - PIXEL_ONE) * 2, 0, 200));
}

/* A canopy takes the light of the slope that it covers, half as much where it is bright. */
static color crown_color(const picture *raster, size_t pixel) {
    const unsigned char *leaf = raster->crowns + 4 * pixel;
    int32_t bright = raster->light[pixel] * PIXEL_ONE / LIGHT_FLAT;
    bright = bright > PIXEL_ONE ? PIXEL_ONE + (bright - PIXEL_ONE) / 2 : bright;
    return shade_color((color){leaf[0], leaf[1], leaf[2]}, bright, leaf_light);
}

/* Digit by digit, from the highest that can be there. */
uint32_t root_floor(uint64_t value) {
    uint64_t root = 0;
    uint64_t bit = value == 0 ? 0 : (uint64_t)1 << ((63 - __builtin_clzll(value)) & ~1);
    for (; bit != 0; bit >>= 2) {
        bool fits = value >= root + bit;
        value -= fits ? root + bit : 0;
        root = (root >> 1) + (fits ? bit : 0);
    }
    return (uint32_t)root;
}

int64_t raster_pixel_at(int64_t units, int64_t span, uint32_t pixels) {
    int64_t limit = PIXEL_POSITION_MAX / (PIXEL_ONE * (int64_t)pixels);
    if (units / span > limit || units / span < -limit) {
        return units < 0 ? -PIXEL_POSITION_MAX : PIXEL_POSITION_MAX;
    }
    return units * pixels * PIXEL_ONE / span;
}

bool name_holds(loam_text name, const char *word) {
    size_t size = strlen(word);
    return size == 0 || (name.size > 0 && memmem(name.bytes, name.size, word, size) != NULL);
}

void raster_row(const picture *raster, uint32_t row, unsigned char *rgb) {
    size_t first = (size_t)row * raster->width;
    for (size_t i = first; i < first + raster->width; i++, rgb += 3) {
        const unsigned char *ground = raster->ground + 3 * i;
        int32_t opacity = raster->crowns[4 * i + 3];
        color tint =
            mix_color((color){ground[0], ground[1], ground[2]}, shadow, raster->shadows[i]);
        tint = mix_color(tint, crown_color(raster, i), opacity + (opacity >> 7));
        rgb[0] = tint.red;
        rgb[1] = tint.green;
        rgb[2] = tint.blue;
    }
}
