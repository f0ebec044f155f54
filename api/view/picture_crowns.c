/* SPDX-License-Identifier: MIT
 *
 * picture_crowns.c: a point as the crown of a tree seen from above: a dark disc with a lighter rim,
 * lit from the north-west, with a shadow to the south-east. Crowns of less than a pixel become a
 * faint dot instead, so that a forest seen from far is a texture.
 */
#include "api/view/picture_raster.h"

#include "core/base/mix.h"
#include "core/base/text.h"

#include <string.h>

enum {
    /* Below this radius a crown is drawn at it, but fainter: 0.8 pixel. */
    RADIUS_MIN = 205,
    OPACITY_MIN = 110,
    OPACITY_MAX = 244,
    SHADOW_OPACITY = 110,
    /* The rim begins at 0.66 of the radius. */
    RIM_FROM = 169,
};

typedef struct asset_word {
    const char *word;
    color leaf;
} asset_word;

/* The first word that a name contains decides. */
static const asset_word words[] = {
    {"pine", {38, 84, 50}},     {"fir", {34, 78, 56}},        {"spruce", {32, 74, 54}},
    {"birch", {96, 138, 62}},   {"oak", {66, 104, 44}},       {"beech", {78, 118, 48}},
    {"tree", {46, 92, 48}},     {"bush", {104, 132, 60}},     {"grass", {134, 156, 74}},
    {"fern", {90, 130, 66}},    {"flower", {190, 96, 128}},   {"rock", {120, 114, 108}},
    {"stone", {128, 122, 114}}, {"boulder", {110, 104, 100}}, {"house", {150, 76, 58}},
    {"wall", {132, 110, 92}},   {"ruin", {140, 122, 104}},    {"lamp", {224, 180, 82}},
    {"fence", {134, 104, 66}},  {"hedge", {62, 104, 50}},     {"gate", {96, 70, 44}},
    {"reed", {156, 150, 78}},   {"drift", {164, 142, 112}},   {"beam", {104, 78, 54}},
};

/* For names without such a word. */
static const color others[] = {
    {44, 90, 52},  {92, 122, 44}, {30, 98, 88},  {122, 108, 40},
    {104, 70, 42}, {86, 82, 118}, {128, 62, 74}, {62, 84, 108},
};
#define ASSET_COLOR_KEY 0x636f6c6f72u

color asset_color(loam_text name) {
    if (name.size == 0) {
        return others[0];
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (name_holds(name, words[i].word)) {
            return words[i].leaf;
        }
    }
    uint64_t hash = mix_bytes(ASSET_COLOR_KEY, name.bytes, name.size);
    return others[hash % (sizeof others / sizeof *others)];
}

/* Where a pixel lies in a disc: its middle from the disc's, and how much of it is covered. */
typedef struct disc_pixel {
    int64_t x, y, distance;
    int32_t share; /* 0 to 256 */
} disc_pixel;

static disc_pixel disc_at(int64_t x, int64_t y, int64_t radius) {
    int64_t reach = radius + PIXEL_ONE / 2;
    disc_pixel at = {.x = x, .y = y};
    if (x * x + y * y < reach * reach) {
        at.distance = root_floor((uint64_t)(x * x + y * y));
        at.share = clamp_int(reach - at.distance, 0, PIXEL_ONE);
    }
    return at;
}

static void lay_crown(unsigned char *at, color tint, int32_t opacity) {
    /* Over what is there already: colours are kept as they are, the opacities add up. */
    int32_t below = at[3] * (PIXEL_ONE - opacity) / PIXEL_ONE;
    int32_t sum = below + opacity;
    if (sum == 0) {
        return;
    }
    at[0] = (uint8_t)((at[0] * below + tint.red * opacity) / sum);
    at[1] = (uint8_t)((at[1] * below + tint.green * opacity) / sum);
    at[2] = (uint8_t)((at[2] * below + tint.blue * opacity) / sum);
    at[3] = (uint8_t)clamp_int(sum, 0, UINT8_MAX);
}

/* Lighter to the rim and to the north-west, darker to the south-east. */
static color crown_tint(color leaf, const disc_pixel *at, int64_t radius) {
    static const color bright = {226, 226, 160};
    static const color dark = {14, 30, 34};
    int64_t rim = (at->distance * PIXEL_ONE / radius - RIM_FROM) * PIXEL_ONE;
    int32_t lit = clamp_int(rim / (PIXEL_ONE - RIM_FROM), 0, PIXEL_ONE) / 5;
    int64_t toward = -(at->x + at->y) * 80 / radius + lit;
    return toward > 0 ? mix_color(leaf, bright, clamp_int(toward, 0, 150))
                      : mix_color(leaf, dark, clamp_int(-toward, 0, 150));
}

/* The pixels that a disc may touch, clipped to the picture; ends are not in it. */
typedef struct pixel_box {
    int32_t x0, y0, x1, y1;
} pixel_box;

static pixel_box disc_box(const picture *raster, int64_t x, int64_t y, int64_t radius) {
    int64_t reach = radius + PIXEL_ONE;
    return (pixel_box){clamp_int((x - reach) / PIXEL_ONE, 0, (int32_t)raster->width),
                       clamp_int((y - reach) / PIXEL_ONE, 0, (int32_t)raster->height),
                       clamp_int((x + reach) / PIXEL_ONE + 1, 0, (int32_t)raster->width),
                       clamp_int((y + reach) / PIXEL_ONE + 1, 0, (int32_t)raster->height)};
}

static int64_t pixel_middle(int32_t pixel) {
    return (int64_t)pixel * PIXEL_ONE + PIXEL_ONE / 2;
}

static void draw_leaf(picture *raster, const crown *disc, int64_t radius, int32_t opacity) {
    pixel_box box = disc_box(raster, disc->x, disc->y, radius);
    for (int32_t row = box.y0; row < box.y1; row++) {
        for (int32_t column = box.x0; column < box.x1; column++) {
            disc_pixel at =
                disc_at(pixel_middle(column) - disc->x, pixel_middle(row) - disc->y, radius);
            if (at.share > 0) {
                size_t pixel = (size_t)row * raster->width + (size_t)column;
                lay_crown(raster->crowns + 4 * pixel, crown_tint(disc->leaf, &at, radius),
                          at.share * opacity / PIXEL_ONE);
            }
        }
    }
}

static void draw_shadow(picture *raster, const crown *disc, int64_t radius, int32_t opacity) {
    int64_t x = disc->x + radius * 5 / 8;
    int64_t y = disc->y + radius * 5 / 8;
    pixel_box box = disc_box(raster, x, y, radius);
    for (int32_t row = box.y0; row < box.y1; row++) {
        for (int32_t column = box.x0; column < box.x1; column++) {
            disc_pixel at = disc_at(pixel_middle(column) - x, pixel_middle(row) - y, radius);
            unsigned char *shadow = raster->shadows + (size_t)row * raster->width + (size_t)column;
            int32_t dark = at.share * opacity / PIXEL_ONE;
            *shadow = (uint8_t)(dark > *shadow ? dark : *shadow);
        }
    }
}

void crown_draw(picture *raster, const crown *disc) {
    int64_t radius = disc->radius < RADIUS_MIN ? RADIUS_MIN : disc->radius;
    int64_t part = disc->radius * PIXEL_ONE / radius; /* 1.0 unless it was enlarged */
    part = part * part / PIXEL_ONE;
    int32_t opacity = clamp_int(part * OPACITY_MAX / PIXEL_ONE, OPACITY_MIN, OPACITY_MAX);
    draw_shadow(raster, disc, radius, SHADOW_OPACITY * opacity / OPACITY_MAX);
    draw_leaf(raster, disc, radius, opacity);
}
