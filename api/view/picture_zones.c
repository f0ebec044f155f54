/* SPDX-License-Identifier: MIT
 *
 * picture_zones.c: zones as a veil over the ground, with a line along their border. Every polygon
 * is cut by four scan lines a pixel; where a line enters and leaves it adds to the pixels' cover,
 * whose sums along a row are what is drawn. So many polygons that lie on top of each other cost no
 * more than their borders.
 */
#include "api/view/picture_raster.h"

#include "core/base/try.h"

#include <stdlib.h>
#include <string.h>

/* The first word that a layer's name contains decides; the last row is for all others. */
typedef struct zone_style {
    const char *word;
    color veil, border;
} zone_style;
static const zone_style styles[] = {
    {"wood", {96, 132, 64}, {66, 96, 44}},           {"forest", {96, 132, 64}, {66, 96, 44}},
    {"water", {86, 150, 190}, {52, 104, 150}},       {"lake", {86, 150, 190}, {52, 104, 150}},
    {"building", {148, 132, 116}, {92, 78, 68}},     {"ruin", {148, 132, 116}, {92, 78, 68}},
    {"settlement", {206, 176, 130}, {140, 104, 70}}, {"", {206, 92, 60}, {150, 44, 34}},
};

enum {
    LINES_PER_PIXEL = 4,
    LINE_STEP = PIXEL_ONE / LINES_PER_PIXEL,
    LINE_FIRST = LINE_STEP / 2,
    /* A pixel that one polygon covers whole. */
    COVER_ONE = PIXEL_ONE * PIXEL_ONE,
    VEIL_OPACITY = 72,
    BORDER_OPACITY = 190,
};

/* Crossings of scan lines in one picture: a second of work, 128 MB. */
#define PICTURE_CROSSINGS_MAX ((size_t)16 << 20)

typedef struct zone_cover {
    picture *raster;
    const zone_style *style; /* of the layer at hand */
    int32_t *cover;          /* changes along each row of width + 2 */
    uint64_t *crossings;
    size_t capacity;
    size_t count; /* of the polygon at hand */
    size_t total;
    loam_error *error;
} zone_cover;

static loam_status add_crossing(zone_cover *zones, int64_t line, int64_t x) {
    if (++zones->total > PICTURE_CROSSINGS_MAX) {
        return loam_fail(zones->error, LOAM_BUDGET_EXCEEDED, NULL,
                         "the zones have more than %zu crossings in this picture",
                         PICTURE_CROSSINGS_MAX);
    }
    if (zones->count == zones->capacity) {
        size_t capacity = zones->capacity == 0 ? 1024 : 2 * zones->capacity;
        uint64_t *grown = realloc(zones->crossings, capacity * sizeof *grown);
        if (grown == NULL) {
            return loam_fail(zones->error, LOAM_ARENA_FULL, NULL, "no memory for the zones");
        }
        zones->crossings = grown;
        zones->capacity = capacity;
    }
    int32_t at = clamp_int(x, 0, (int32_t)zones->raster->width * PIXEL_ONE);
    zones->crossings[zones->count++] = (uint64_t)line << 32 | (uint32_t)at;
    return LOAM_OK;
}

/* Lines at LINE_FIRST + k * LINE_STEP in [low, high) of an edge. */
static loam_status add_edge(zone_cover *zones, const int64_t from[2], const int64_t to[2]) {
    const int64_t *low = from[1] < to[1] ? from : to;
    const int64_t *high = from[1] < to[1] ? to : from;
    int64_t lines = (int64_t)zones->raster->height * LINES_PER_PIXEL;
    int64_t first = low[1] <= LINE_FIRST ? 0 : (low[1] - LINE_FIRST + LINE_STEP - 1) / LINE_STEP;
    for (int64_t line = first; line < lines && LINE_FIRST + line * LINE_STEP < high[1]; line++) {
        int64_t y = LINE_FIRST + line * LINE_STEP;
        int64_t x = low[0] + (high[0] - low[0]) * (y - low[1]) / (high[1] - low[1]);
        LOAM_TRY(add_crossing(zones, line, x));
    }
    return LOAM_OK;
}

static loam_status add_ring(zone_cover *zones, const loam_ring *ring) {
    const picture *raster = zones->raster;
    const loam_rect *region = &raster->region;
    int64_t before[2] = {0, 0};
    for (uint32_t i = 0; i < ring->count; i++) {
        int64_t at[2] = {
            raster_pixel_at(ring->xz[2 * i] - region->x0, region->x1 - region->x0, raster->width),
            raster_pixel_at(region->z1 - ring->xz[2 * i + 1], region->z1 - region->z0,
                            raster->height)};
        if (i > 0) {
            LOAM_TRY(add_edge(zones, before, at));
        }
        before[0] = at[0];
        before[1] = at[1];
    }
    return LOAM_OK;
}

static int compare_crossings(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Cover begins (weight above 0) or ends at x. */
static void add_change(int32_t *row, uint32_t x, int32_t weight) {
    int32_t part = (int32_t)(x & (PIXEL_ONE - 1));
    row[x / PIXEL_ONE] += weight * (PIXEL_ONE - part);
    row[x / PIXEL_ONE + 1] += weight * part;
}

static loam_status add_polygon(zone_cover *zones, const loam_polygon *polygon) {
    zones->count = 0;
    for (uint32_t i = 0; i < polygon->ring_count; i++) {
        LOAM_TRY(add_ring(zones, &polygon->rings[i]));
    }
    if (zones->count == 0) {
        return LOAM_OK;
    }
    qsort(zones->crossings, zones->count, sizeof *zones->crossings, compare_crossings);
    for (size_t i = 0; i + 1 < zones->count; i += 2) {
        size_t line = (size_t)(zones->crossings[i] >> 32);
        int32_t *row = zones->cover + line / LINES_PER_PIXEL * (zones->raster->width + 2);
        add_change(row, (uint32_t)zones->crossings[i], LINE_STEP);
        add_change(row, (uint32_t)zones->crossings[i + 1], -LINE_STEP);
    }
    return LOAM_OK;
}

/* Changes become the cover itself, 0 to 256. */
static void sum_cover(zone_cover *zones) {
    size_t stride = zones->raster->width + 2;
    for (uint32_t j = 0; j < zones->raster->height; j++) {
        int64_t sum = 0;
        for (size_t i = 0; i < stride; i++) {
            int32_t *at = &zones->cover[j * stride + i];
            sum += *at;
            *at = clamp_int(sum, 0, COVER_ONE) / PIXEL_ONE;
        }
    }
}

static int32_t cover_at(const zone_cover *zones, int64_t column, int64_t row) {
    int32_t x = clamp_int(column, 0, (int32_t)zones->raster->width - 1);
    int32_t y = clamp_int(row, 0, (int32_t)zones->raster->height - 1);
    return zones->cover[(size_t)y * (zones->raster->width + 2) + (size_t)x];
}

/* The largest change to a neighbour. */
static int32_t border_at(const zone_cover *zones, int64_t column, int64_t row) {
    int32_t here = cover_at(zones, column, row);
    const int32_t around[] = {cover_at(zones, column - 1, row), cover_at(zones, column + 1, row),
                              cover_at(zones, column, row - 1), cover_at(zones, column, row + 1)};
    int32_t most = 0;
    for (size_t i = 0; i < 4; i++) {
        most = abs(around[i] - here) > most ? abs(around[i] - here) : most;
    }
    return most;
}

static void lay_veil(const zone_cover *zones) {
    const picture *raster = zones->raster;
    for (uint32_t j = 0; j < raster->height; j++) {
        for (uint32_t i = 0; i < raster->width; i++) {
            unsigned char *at = raster->ground + 3 * ((size_t)j * raster->width + i);
            color tint = {at[0], at[1], at[2]};
            tint = mix_color(tint, zones->style->veil,
                             cover_at(zones, i, j) * VEIL_OPACITY / PIXEL_ONE);
            tint = mix_color(tint, zones->style->border,
                             border_at(zones, i, j) * BORDER_OPACITY / PIXEL_ONE);
            at[0] = tint.red;
            at[1] = tint.green;
            at[2] = tint.blue;
        }
    }
}

static const zone_style *style_of(loam_text name) {
    const zone_style *style = styles;
    while (!name_holds(name, style->word)) {
        style++;
    }
    return style;
}

static loam_status draw_layer(const picture_layer *layer, zone_cover *zones) {
    const loam_areas_source *source = loam_areas_normal_form(layer->areas);
    const picture *raster = zones->raster;
    memset(zones->cover, 0, (size_t)(raster->width + 2) * raster->height * sizeof *zones->cover);
    zones->style = style_of(layer->name);
    for (uint32_t i = 0; i < source->polygon_count; i++) {
        LOAM_TRY(add_polygon(zones, &source->polygons[i]));
    }
    sum_cover(zones);
    lay_veil(zones);
    return LOAM_OK;
}

loam_status zones_draw(const picture_options *options, picture *raster, loam_error *error) {
    zone_cover zones = {.raster = raster, .error = error};
    loam_status status = LOAM_OK;
    zones.cover = malloc((size_t)(raster->width + 2) * raster->height * sizeof *zones.cover);
    if (zones.cover == NULL) {
        return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for the zones");
    }
    for (uint32_t i = 0; i < options->layer_count && status == LOAM_OK; i++) {
        if (options->layers[i].areas != NULL) {
            status = draw_layer(&options->layers[i], &zones);
        }
    }
    free(zones.cover);
    free(zones.crossings);
    return status;
}
