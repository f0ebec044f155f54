/* SPDX-License-Identifier: MIT
 *
 * picture_lines.c: lines as strokes over the ground: roads, rivers, coasts. A segment is halved
 * until a piece misses the picture or is short; every pixel near a short piece learns how far it
 * is, and the nearest piece of the layer decides. So a line costs by what is seen of it.
 */
#include "api/view/picture_raster.h"

#include "core/base/try.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* A piece is no longer than this many pixels: the pixels around it are few. */
    PIECE_PIXELS = 24,
    PIECE_LENGTH = PIECE_PIXELS * PIXEL_ONE,
    /* Half as wide as a lane, but never too thin to be seen: 0.8 pixel. */
    STROKE_UNITS = LOAM_UNITS_PER_METRE * 7 / 4,
    STROKE_MIN = 205,
    /* Near a whole picture of few metres a stroke is no wider than this. */
    STROKE_MAX = 64 * PIXEL_ONE,
};

/* Pieces of one picture: a second of work. */
#define PICTURE_PIECES_MAX ((uint32_t)1 << 20)

/* The first word that a layer's name contains decides; the last row is for all others. */
typedef struct stroke_style {
    const char *word;
    color tint;
    int32_t opacity;
} stroke_style;
static const stroke_style styles[] = {
    {"river", {70, 126, 168}, 220},  {"stream", {70, 126, 168}, 220},
    {"brook", {70, 126, 168}, 220},  {"water", {70, 126, 168}, 220},
    {"coast", {228, 214, 178}, 120}, {"shore", {228, 214, 178}, 120},
    {"", {222, 206, 168}, 200},
};

typedef struct stroke_cover {
    picture *raster;
    unsigned char *cover; /* 0 to 255, a pixel each */
    int64_t half;         /* of the stroke's width, 1/256 pixel */
    uint32_t pieces;
    loam_error *error;
} stroke_cover;

/* A place in the picture, 1/256 pixel. */
typedef struct pixel_place {
    int64_t x, y;
} pixel_place;

/* How far a place is from a piece; all differences are below 2^18. */
static int64_t distance_of(pixel_place at, pixel_place from, pixel_place to) {
    int64_t dx = to.x - from.x, dy = to.y - from.y;
    int64_t px = at.x - from.x, py = at.y - from.y;
    int64_t length2 = dx * dx + dy * dy;
    int64_t along = px * dx + py * dy;
    along = along < 0 ? 0 : along > length2 ? length2 : along;
    if (length2 > 0) {
        px -= dx * along / length2;
        py -= dy * along / length2;
    }
    return root_floor((uint64_t)(px * px + py * py));
}

static int32_t pixel_of(int64_t place, uint32_t count) {
    int64_t pixel = place < 0 ? -1 : place / PIXEL_ONE;
    return clamp_int(pixel, 0, (int32_t)count - 1);
}

static int64_t lower(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t higher(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static bool misses_picture(const stroke_cover *strokes, pixel_place from, pixel_place to) {
    const picture *raster = strokes->raster;
    int64_t reach = strokes->half + PIXEL_ONE;
    return higher(from.x, to.x) < -reach || higher(from.y, to.y) < -reach ||
           lower(from.x, to.x) > (int64_t)raster->width * PIXEL_ONE + reach ||
           lower(from.y, to.y) > (int64_t)raster->height * PIXEL_ONE + reach;
}

static void draw_piece(stroke_cover *strokes, pixel_place from, pixel_place to) {
    const picture *raster = strokes->raster;
    int64_t reach = strokes->half + PIXEL_ONE;
    int32_t left = pixel_of(lower(from.x, to.x) - reach, raster->width);
    int32_t right = pixel_of(higher(from.x, to.x) + reach, raster->width);
    int32_t top = pixel_of(lower(from.y, to.y) - reach, raster->height);
    int32_t bottom = pixel_of(higher(from.y, to.y) + reach, raster->height);
    for (int32_t j = top; j <= bottom; j++) {
        unsigned char *row = strokes->cover + (size_t)j * raster->width;
        for (int32_t i = left; i <= right; i++) {
            pixel_place middle = {(int64_t)i * PIXEL_ONE + PIXEL_ONE / 2,
                                  (int64_t)j * PIXEL_ONE + PIXEL_ONE / 2};
            int64_t inside = strokes->half + PIXEL_ONE / 2 - distance_of(middle, from, to);
            int32_t share = clamp_int(inside, 0, UINT8_MAX);
            row[i] = (unsigned char)(share > row[i] ? share : row[i]);
        }
    }
}

/* Ends are within 2^29 of each other, so halves are short after 17 steps at most. */
static loam_status draw_segment(stroke_cover *strokes, pixel_place from, pixel_place to) {
    if (misses_picture(strokes, from, to)) {
        return LOAM_OK;
    }
    if (llabs(to.x - from.x) <= PIECE_LENGTH && llabs(to.y - from.y) <= PIECE_LENGTH) {
        if (++strokes->pieces > PICTURE_PIECES_MAX) {
            return loam_fail(strokes->error, LOAM_BUDGET_EXCEEDED, NULL,
                             "the lines have more than %u pieces in this picture",
                             PICTURE_PIECES_MAX);
        }
        draw_piece(strokes, from, to);
        return LOAM_OK;
    }
    pixel_place middle = {(from.x + to.x) / 2, (from.y + to.y) / 2};
    LOAM_TRY(draw_segment(strokes, from, middle));
    return draw_segment(strokes, middle, to);
}

static pixel_place place_of(const picture *raster, const int64_t xz[2]) {
    const loam_rect *region = &raster->region;
    return (pixel_place){
        raster_pixel_at(xz[0] - region->x0, region->x1 - region->x0, raster->width),
        raster_pixel_at(region->z1 - xz[1], region->z1 - region->z0, raster->height)};
}

static loam_status draw_line(stroke_cover *strokes, const loam_line *line) {
    pixel_place before = place_of(strokes->raster, line->xz);
    for (uint32_t i = 1; i < line->count; i++) {
        pixel_place at = place_of(strokes->raster, line->xz + 2 * (size_t)i);
        LOAM_TRY(draw_segment(strokes, before, at));
        before = at;
    }
    return LOAM_OK;
}

static void lay_strokes(const stroke_cover *strokes, loam_text name) {
    const picture *raster = strokes->raster;
    const stroke_style *style = styles;
    while (!name_holds(name, style->word)) {
        style++;
    }
    for (uint64_t i = 0; i < raster_pixels(raster); i++) {
        unsigned char *at = raster->ground + 3 * i;
        color tint = {at[0], at[1], at[2]};
        tint = mix_color(tint, style->tint, strokes->cover[i] * style->opacity / PIXEL_ONE);
        at[0] = tint.red;
        at[1] = tint.green;
        at[2] = tint.blue;
    }
}

static loam_status draw_layer(stroke_cover *strokes, const picture_layer *layer) {
    const loam_lines_source *source = loam_lines_normal_form(layer->lines);
    memset(strokes->cover, 0, raster_pixels(strokes->raster));
    for (uint32_t i = 0; i < source->line_count; i++) {
        LOAM_TRY(draw_line(strokes, &source->lines[i]));
    }
    lay_strokes(strokes, layer->name);
    return LOAM_OK;
}

loam_status strokes_draw(const picture_options *options, picture *raster, loam_error *error) {
    stroke_cover strokes = {.raster = raster, .error = error};
    loam_status status = LOAM_OK;
    strokes.half = clamp_int(
        raster_pixel_at(STROKE_UNITS, raster->region.x1 - raster->region.x0, raster->width),
        STROKE_MIN, STROKE_MAX);
    strokes.cover = malloc(raster_pixels(raster));
    if (strokes.cover == NULL) {
        return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for the lines");
    }
    for (uint32_t i = 0; i < options->layer_count && status == LOAM_OK; i++) {
        if (options->layers[i].lines != NULL) {
            status = draw_layer(&strokes, &options->layers[i]);
        }
    }
    free(strokes.cover);
    return status;
}
