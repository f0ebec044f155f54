/* SPDX-License-Identifier: MIT
 *
 * view_dungeon_svg.c: a dungeon as SVG, a unit a cell; see view_dungeon_picture.h. Each layer is a
 * group with an id, so that an editor or a style sheet can hide it.
 */
#include "api/view/dungeon_colors.h"
#include "api/view/dungeon_view.h"
#include "api/view/view_dungeon_picture.h"

#include <stdarg.h>
#include <stdio.h>

/* Cells between two floors, and pixels of a cell where nobody says otherwise. */
enum { FLOOR_GAP = 2, SVG_PIXELS = 12 };

/* Numbers and colours alone: no text of a client comes through here. */
__attribute__((format(printf, 2, 3))) static void put(text_buffer *to, const char *format, ...) {
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    buffer_add(to, line,
               size < 0                     ? 0
               : (size_t)size < sizeof line ? (size_t)size
                                            : sizeof line - 1);
}

/* Text of a reason, its markup escaped. */
static void put_text(text_buffer *to, loam_text text) {
    for (size_t i = 0; i < text.size; i++) {
        const char c = text.bytes[i];
        if (c == '<' || c == '&' || c == '>') {
            buffer_add_text(to, c == '<' ? "&lt;" : c == '&' ? "&amp;" : "&gt;");
        } else {
            buffer_add(to, &c, 1);
        }
    }
}

/* ---- Layers ---------------------------------------------------------------------------------- */

/* Runs of equal cells, row by row, but for what a layer above shows. */
static void write_cells(text_buffer *to, const loam_layout *layout) {
    put(to, "<g id=\"cells\" shape-rendering=\"crispEdges\">\n");
    for (int32_t y = 0; y < layout->height; y++) {
        int32_t first = 0;
        for (int32_t x = 1; x <= layout->width; x++) {
            const uint32_t color = dungeon_cell_color(layout, NULL, first, y);
            if (x < layout->width && dungeon_cell_color(layout, NULL, x, y) == color) {
                continue;
            }
            if (color != DUNGEON_ROCK) {
                put(to, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"1\" fill=\"#%06x\"/>\n",
                    first, y, x - first, color);
            }
            first = x;
        }
    }
    put(to, "</g>\n");
}

static void write_rooms(text_buffer *to, const loam_layout *layout) {
    put(to, "<g id=\"rooms\" fill-opacity=\"0.55\">\n");
    for (uint32_t i = 0; i < layout->room_count; i++) {
        const loam_room *room = &layout->rooms[i];
        put(to, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n",
            room->box.x, room->box.y, room->box.width, room->box.height,
            dungeon_room_color(room->kind));
    }
    put(to, "</g>\n");
}

static void write_corridors(text_buffer *to, const loam_layout *layout) {
    put(to, "<g id=\"corridors\" fill=\"none\" stroke=\"#6b6250\" stroke-width=\"0.15\">\n");
    for (uint32_t i = 0; i < layout->corridor_count; i++) {
        const loam_corridor *corridor = &layout->corridors[i];
        put(to, "<polyline points=\"");
        for (uint32_t k = 0; k < corridor->path_count; k++) {
            put(to, "%d.5,%d.5 ", corridor->path[k].x, corridor->path[k].y);
        }
        put(to, "\"/>\n");
    }
    put(to, "</g>\n");
}

/* A doubled coordinate, halved exactly. */
static void put_half(text_buffer *to, const char *name, int64_t doubled) {
    put(to, " %s=\"%lld%s\"", name, (long long)(doubled / 2), doubled % 2 != 0 ? ".5" : "");
}

static void write_edges(text_buffer *to, const loam_layout *layout, loam_edge_role role) {
    const bool tree = role == LOAM_EDGE_TREE;
    put(to, "<g id=\"%s\" stroke=\"#%06x\" stroke-width=\"0.3\"%s>\n",
        tree ? "tree-edges" : "loop-edges", (unsigned)(tree ? DUNGEON_TREE : DUNGEON_LOOP),
        tree ? "" : " stroke-dasharray=\"0.8 0.5\"");
    for (uint32_t i = 0; i < layout->edge_count; i++) {
        const loam_room_edge *edge = &layout->edges[i];
        if (edge->role != role) {
            continue;
        }
        const loam_box *a = &layout->rooms[edge->a].box, *b = &layout->rooms[edge->b].box;
        put(to, "<line");
        put_half(to, "x1", 2 * (int64_t)a->x + a->width);
        put_half(to, "y1", 2 * (int64_t)a->y + a->height);
        put_half(to, "x2", 2 * (int64_t)b->x + b->width);
        put_half(to, "y2", 2 * (int64_t)b->y + b->height);
        put(to, "/>\n");
    }
    put(to, "</g>\n");
}

static void write_doors(text_buffer *to, const loam_layout *layout) {
    put(to, "<g id=\"doors\">\n");
    for (uint32_t i = 0; i < layout->door_count; i++) {
        const loam_door *door = &layout->doors[i];
        const bool along_x = door->axis == LOAM_AXIS_X;
        put(to, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", door->at.x,
            door->at.y, along_x ? door->width : 1, along_x ? 1 : door->width,
            (unsigned)(door->lock.size > 0 ? DUNGEON_LOCKED : DUNGEON_DOOR));
    }
    put(to, "</g>\n");
}

static void put_disc(text_buffer *to, loam_spot at, const char *radius, uint32_t color) {
    put(to, "<circle cx=\"%d.5\" cy=\"%d.5\" r=\"%s\" fill=\"#%06x\"/>\n", at.x, at.y, radius,
        color);
}

static void write_spawn(text_buffer *to, const loam_spawn *spawn) {
    const uint32_t color = dungeon_spawn_color(spawn->kind);
    if (spawn->route_count > 1) {
        put(to, "<polygon fill=\"none\" stroke=\"#%06x\" stroke-width=\"0.12\" points=\"", color);
        for (uint32_t i = 0; i < spawn->route_count; i++) {
            put(to, "%d.5,%d.5 ", spawn->route[i].x, spawn->route[i].y);
        }
        put(to, "\"/>\n");
    }
    put_disc(to, spawn->at, "0.45", color);
}

static void write_content(text_buffer *to, const loam_content_floor *content) {
    put(to, "<g id=\"objects\">\n");
    for (uint32_t i = 0; i < content->object_count; i++) {
        put_disc(to, content->objects[i].at, "0.3", DUNGEON_OBJECT);
    }
    put(to, "</g>\n<g id=\"spawns\">\n");
    for (uint32_t i = 0; i < content->spawn_count; i++) {
        write_spawn(to, &content->spawns[i]);
    }
    put(to, "</g>\n");
}

/* The log of the attempts, for people who look into the file. */
static void write_log(text_buffer *to, const loam_dungeon_floor *floor) {
    put(to, "<desc>floor %u: %s\n", floor->number, loam_dungeon_status_name(floor->status));
    for (uint32_t i = 0; i < floor->attempt_count; i++) {
        const loam_attempt *attempt = &floor->attempts[i];
        put(to, "attempt %u: %s, %llu steps\n", attempt->attempt,
            loam_attempt_verdict_name(attempt->verdict), (unsigned long long)attempt->steps);
        for (uint32_t k = 0; k < attempt->reason_count; k++) {
            put_text(to, attempt->reasons[k].text);
            put(to, "\n");
        }
    }
    put(to, "</desc>\n");
}

/* ---- The picture ----------------------------------------------------------------------------- */

static void write_floor(text_buffer *to, const loam_dungeon_floor *floor,
                        const loam_content_floor *content, int64_t left) {
    put(to, "<g id=\"floor-%u\" transform=\"translate(%lld 0)\">\n", floor->number,
        (long long)left);
    write_log(to, floor);
    write_cells(to, &floor->layout);
    write_rooms(to, &floor->layout);
    write_corridors(to, &floor->layout);
    write_edges(to, &floor->layout, LOAM_EDGE_TREE);
    write_edges(to, &floor->layout, LOAM_EDGE_LOOP);
    write_doors(to, &floor->layout);
    if (content != NULL) {
        write_content(to, content);
    }
    put(to, "</g>\n");
}

loam_status view_dungeon_svg(const loam_dungeon *dungeon, const dungeon_digests *digests,
                             const loam_content *content, text_buffer *to) {
    const loam_layout *first = &dungeon->floors[0].layout;
    const int64_t step = first->width + FLOOR_GAP;
    const int64_t width = step * dungeon->floor_count - FLOOR_GAP;
    char key[DIGEST_TEXT_BYTES];
    digest_text(&digests->build_key, key);
    put(to,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %lld %d\" width=\"%lld\" "
        "height=\"%lld\">\n",
        (long long)width, first->height, (long long)(width * SVG_PIXELS),
        (long long)first->height * SVG_PIXELS);
    put(to, "<title>%s</title>\n<rect width=\"%lld\" height=\"%d\" fill=\"#%06x\"/>\n", key,
        (long long)width, first->height, (unsigned)DUNGEON_ROCK);
    for (uint32_t i = 0; i < dungeon->floor_count; i++) {
        write_floor(to, &dungeon->floors[i], content != NULL ? &content->floors[i] : NULL,
                    step * i);
    }
    put(to, "</svg>\n");
    return buffer_status(to);
}
