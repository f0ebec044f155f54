/* SPDX-License-Identifier: MIT
 *
 * picture_raster.c: see picture_raster.h.
 */
#include "api/view/picture_raster.h"

static const color shadow = {24, 34, 54};

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

void raster_row(const picture *raster, uint32_t row, unsigned char *rgb) {
    size_t first = (size_t)row * raster->width;
    for (size_t i = first; i < first + raster->width; i++, rgb += 3) {
        const unsigned char *ground = raster->ground + 3 * i;
        const unsigned char *leaf = raster->crowns + 4 * i;
        color tint =
            mix_color((color){ground[0], ground[1], ground[2]}, shadow, raster->shadows[i]);
        tint = mix_color(tint, (color){leaf[0], leaf[1], leaf[2]}, leaf[3] + (leaf[3] >> 7));
        rgb[0] = tint.red;
        rgb[1] = tint.green;
        rgb[2] = tint.blue;
    }
}
