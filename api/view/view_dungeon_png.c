/* SPDX-License-Identifier: MIT
 *
 * view_dungeon_png.c: a dungeon as PNG; see view_dungeon_picture.h. A cell is a square of pixels,
 * as many as fit a readable picture; lines between rooms are drawn over the cells.
 */
#include "api/view/dungeon_colors.h"
#include "api/view/dungeon_view.h"
#include "api/view/png_encode.h"
#include "api/view/view_dungeon_picture.h"
#include "core/base/try.h"

#include <stdlib.h>

/* Pixels of a cell at most, of a picture's width at most, and cells between two floors. */
enum { CELL_PIXELS_MAX = 12, PICTURE_PIXELS = 2048, FLOOR_GAP = 2 };

typedef struct canvas {
    uint32_t width, height; /* pixels */
    int64_t cell;           /* pixels */
    uint32_t *pixels;       /* 0xRRGGBB */
} canvas;

static void fill(canvas *to, int64_t x0, int64_t y0, int64_t x1, int64_t y1, uint32_t color) {
    x0 = x0 < 0 ? 0 : x0;
    y0 = y0 < 0 ? 0 : y0;
    x1 = x1 > to->width ? to->width : x1;
    y1 = y1 > to->height ? to->height : y1;
    for (int64_t y = y0; y < y1; y++) {
        for (int64_t x = x0; x < x1; x++) {
            to->pixels[y * to->width + x] = color;
        }
    }
}

/* A square of `size` parts of 8 of a cell in the middle of the cell. */
static void put_mark(canvas *to, int64_t left, loam_spot at, int64_t size, uint32_t color) {
    const int64_t x = (left + at.x) * to->cell, y = at.y * to->cell;
    const int64_t edge = to->cell * (8 - size) / 16;
    fill(to, x + edge, y + edge, x + to->cell - edge, y + to->cell - edge, color);
}

/* A line of squares between two places in pixels, as thick as a fifth of a cell. */
static void put_line(canvas *to, int64_t x0, int64_t y0, int64_t x1, int64_t y1, uint32_t color) {
    const int64_t dx = x1 - x0, dy = y1 - y0;
    const int64_t width = dx < 0 ? -dx : dx, height = dy < 0 ? -dy : dy;
    const int64_t steps = width > height ? width : height;
    const int64_t thick = to->cell / 5 + 1;
    for (int64_t i = 0; i <= steps; i++) {
        const int64_t x = x0 + (steps > 0 ? dx * i / steps : 0);
        const int64_t y = y0 + (steps > 0 ? dy * i / steps : 0);
        fill(to, x, y, x + thick, y + thick, color);
    }
}

/* ---- Layers ---------------------------------------------------------------------------------- */

/* Which room each cell is in, 0 for none and else its number and one: the last of several. */
static uint32_t *rooms_of_cells(const loam_layout *layout) {
    uint32_t *rooms = calloc((size_t)layout->width * (size_t)layout->height, sizeof *rooms);
    for (uint32_t i = 0; rooms != NULL && i < layout->room_count; i++) {
        const loam_box *box = &layout->rooms[i].box;
        for (int32_t y = box->y; y < box->y + box->height; y++) {
            for (int32_t x = box->x; x < box->x + box->width; x++) {
                rooms[dungeon_cell(layout, x, y)] = i + 1;
            }
        }
    }
    return rooms;
}

static bool draw_cells(canvas *to, const loam_layout *layout, int64_t left) {
    uint32_t *rooms = rooms_of_cells(layout);
    for (int32_t y = 0; rooms != NULL && y < layout->height; y++) {
        for (int32_t x = 0; x < layout->width; x++) {
            const uint32_t number = rooms[dungeon_cell(layout, x, y)];
            const loam_room *room = number == 0 ? NULL : &layout->rooms[number - 1];
            put_mark(to, left, (loam_spot){x, y}, 8, dungeon_cell_color(layout, room, x, y));
        }
    }
    free(rooms);
    return rooms != NULL;
}

static void draw_edges(canvas *to, const loam_layout *layout, int64_t left) {
    for (uint32_t i = 0; i < layout->edge_count; i++) {
        const loam_room_edge *edge = &layout->edges[i];
        const loam_box *a = &layout->rooms[edge->a].box, *b = &layout->rooms[edge->b].box;
        put_line(to, (2 * (left + a->x) + a->width) * to->cell / 2,
                 (2 * (int64_t)a->y + a->height) * to->cell / 2,
                 (2 * (left + b->x) + b->width) * to->cell / 2,
                 (2 * (int64_t)b->y + b->height) * to->cell / 2,
                 edge->role == LOAM_EDGE_TREE ? DUNGEON_TREE : DUNGEON_LOOP);
    }
}

static void draw_locked(canvas *to, const loam_layout *layout, int64_t left) {
    for (uint32_t i = 0; i < layout->door_count; i++) {
        const loam_door *door = &layout->doors[i];
        for (int32_t k = 0; door->lock.size > 0 && k < door->width; k++) {
            const bool along_x = door->axis == LOAM_AXIS_X;
            const loam_spot at = {door->at.x + (along_x ? k : 0), door->at.y + (along_x ? 0 : k)};
            put_mark(to, left, at, 8, DUNGEON_LOCKED);
        }
    }
}

static void draw_content(canvas *to, const loam_content_floor *content, int64_t left) {
    for (uint32_t i = 0; i < content->object_count; i++) {
        put_mark(to, left, content->objects[i].at, 4, DUNGEON_OBJECT);
    }
    for (uint32_t i = 0; i < content->spawn_count; i++) {
        const loam_spawn *spawn = &content->spawns[i];
        for (uint32_t k = 0; k < spawn->route_count; k++) {
            put_mark(to, left, spawn->route[k], 2, dungeon_spawn_color(spawn->kind));
        }
        put_mark(to, left, spawn->at, 6, dungeon_spawn_color(spawn->kind));
    }
}

/* ---- The picture ----------------------------------------------------------------------------- */

static void canvas_row(const void *context, uint32_t row, unsigned char *rgb) {
    const canvas *from = context;
    for (uint32_t x = 0; x < from->width; x++) {
        const uint32_t color = from->pixels[(size_t)row * from->width + x];
        rgb[3 * x] = (unsigned char)(color >> 16);
        rgb[3 * x + 1] = (unsigned char)(color >> 8);
        rgb[3 * x + 2] = (unsigned char)color;
    }
}

static bool draw(canvas *to, const loam_dungeon *dungeon, const loam_content *content) {
    const int64_t step = dungeon->floors[0].layout.width + FLOOR_GAP;
    fill(to, 0, 0, to->width, to->height, DUNGEON_ROCK);
    for (uint32_t i = 0; i < dungeon->floor_count; i++) {
        const loam_layout *layout = &dungeon->floors[i].layout;
        if (!draw_cells(to, layout, step * i)) {
            return false;
        }
        draw_edges(to, layout, step * i);
        draw_locked(to, layout, step * i);
        if (content != NULL) {
            draw_content(to, &content->floors[i], step * i);
        }
    }
    return true;
}

loam_status view_dungeon_png(const loam_dungeon *dungeon, const loam_content *content,
                             text_buffer *to, loam_error *error) {
    const loam_layout *first = &dungeon->floors[0].layout;
    const int64_t columns = (first->width + FLOOR_GAP) * (int64_t)dungeon->floor_count - FLOOR_GAP;
    canvas drawn = {.cell = PICTURE_PIXELS / columns};
    drawn.cell = drawn.cell > CELL_PIXELS_MAX ? CELL_PIXELS_MAX : drawn.cell < 1 ? 1 : drawn.cell;
    drawn.width = (uint32_t)(columns * drawn.cell);
    drawn.height = (uint32_t)(first->height * drawn.cell);
    drawn.pixels = malloc((size_t)drawn.width * drawn.height * sizeof *drawn.pixels);
    if (drawn.pixels == NULL || !draw(&drawn, dungeon, content)) {
        free(drawn.pixels);
        return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for the picture");
    }
    loam_status status =
        png_write_rgb(&(png_source){drawn.width, drawn.height, canvas_row, &drawn}, to, error);
    free(drawn.pixels);
    return status;
}
