/* SPDX-License-Identifier: MIT
 *
 * lines_key.c: what a rectangle sees of lines, as bytes of a build key. For distances that is where
 * segments run and nothing else, in an order of their own; for stations also whose they are, which
 * way they go, whether the line ends there, and what their stations are counted from.
 */
#include "core/base/try.h"
#include "core/space/lines_parts.h"

enum { END_FIRST = 1, END_LAST = 2, END_CLOSED = 4 };

static void edge_write(byte_writer *writer, const int64_t *xz) {
    for (int i = 0; i < 4; i++) {
        write_i64(writer, xz[i]);
    }
}

static bool is_same_edge(const area_edge *a, const area_edge *b) {
    return a->x0 == b->x0 && a->z0 == b->z0 && a->x1 == b->x1 && a->z1 == b->z1;
}

/* Edges come sorted: equal ones stand side by side. */
static uint32_t edges_thin(area_edge *edges, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (kept == 0 || !is_same_edge(&edges[kept - 1], &edges[i])) {
            edges[kept++] = edges[i];
        }
    }
    return kept;
}

static loam_status shape_write(byte_writer *writer, const loam_lines *lines, loam_rect rect,
                               int64_t reach_units, loam_arena *scratch) {
    const areas_view view = {.width_units = reach_units + 1};
    area_box box = area_rect_box(rect);
    area_near near;
    LOAM_TRY(area_near_collect(&lines->shape, &view, &box, scratch, &near));
    uint32_t count = edges_thin(near.edges, near.edge_count);
    write_u32(writer, count);
    for (uint32_t i = 0; i < count; i++) {
        const area_edge *edge = &near.edges[i];
        edge_write(writer, (const int64_t[4]){edge->x0, edge->z0, edge->x1, edge->z1});
    }
    return LOAM_OK;
}

static void segment_write(byte_writer *writer, const loam_lines *lines, line_segment segment,
                          lines_what what) {
    const loam_line *line = &lines->normal.lines[segment.line];
    bool last = segment.index + 2 == line->count;
    unsigned ends = (segment.index == 0 ? END_FIRST : 0u) | (last ? END_LAST : 0u) |
                    (line_is_closed(line) ? END_CLOSED : 0u);
    write_u64(writer, line->key);
    edge_write(writer, line->xz + 2 * (size_t)segment.index);
    write_u8(writer, (uint8_t)ends);
    if (what == LINES_STATIONS) {
        write_i64(writer, lines_arc(lines, segment.line)[segment.index]);
        return;
    }
    const uint32_t *visits = lines_visits(lines, segment.line) + segment.index;
    write_u32(writer, visits[0]);
    if (last) {
        write_u32(writer, visits[1]);
    }
}

static loam_status segments_write(byte_writer *writer, const loam_lines *lines, loam_rect rect,
                                  int64_t reach_units, lines_what what, loam_arena *scratch) {
    line_segment *segments;
    uint32_t count;
    LOAM_TRY(lines_collect(lines, rect, reach_units, scratch, &segments, &count));
    write_u32(writer, count);
    for (uint32_t i = 0; i < count; i++) {
        segment_write(writer, lines, segments[i], what);
    }
    return LOAM_OK;
}

loam_status lines_key_write(byte_writer *writer, const loam_lines *lines, loam_rect rect,
                            int64_t reach_units, lines_what what, loam_arena *scratch) {
    if (rect.x0 >= rect.x1 || rect.z0 >= rect.z1) {
        write_u32(writer, 0);
        return LOAM_OK;
    }
    size_t mark = loam_arena_mark(scratch);
    loam_status status = what == LINES_SHAPE
                             ? shape_write(writer, lines, rect, reach_units, scratch)
                             : segments_write(writer, lines, rect, reach_units, what, scratch);
    loam_arena_reset(scratch, mark);
    return status;
}
