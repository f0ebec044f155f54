/* SPDX-License-Identifier: MIT
 *
 * lines.c: from polylines as they come to loam_lines: checked, without repeated vertices, brought
 * into normal form, measured and indexed. The result's arrays come first in the arena, everything
 * that is only needed on the way stands behind them and is given back.
 */
#include "core/space/lines.h"

#include "core/base/decimal.h"
#include "core/base/try.h"
#include "core/space/lines_parts.h"

#include <stdio.h>
#include <string.h>

enum { FEATURE_POINTER_BYTES = 32, UNIT_BITS = 8 };

const loam_lines_source *loam_lines_normal_form(const loam_lines *lines) {
    return &lines->normal;
}

uint32_t loam_lines_vertex_count(const loam_lines *lines) {
    return lines->vertex_count;
}

const int64_t *lines_arc(const loam_lines *lines, uint32_t line) {
    return lines->arc + lines->firsts[line];
}

int64_t loam_line_length_fine(const loam_lines *lines, uint32_t line) {
    return lines_arc(lines, line)[lines->normal.lines[line].count - 1];
}

const uint32_t *lines_visits(const loam_lines *lines, uint32_t line) {
    return lines->visits + lines->firsts[line];
}

bool line_is_closed(const loam_line *line) {
    const int64_t *last = line->xz + 2 * (size_t)(line->count - 1);
    return line->xz[0] == last[0] && line->xz[1] == last[1];
}

static loam_status line_fail(loam_error *error, loam_status status, uint32_t feature,
                             const char *what, const int64_t *xz) {
    char pointer[FEATURE_POINTER_BYTES];
    char x[DECIMAL_BYTES_MAX], z[DECIMAL_BYTES_MAX];
    snprintf(pointer, sizeof pointer, "/features/%u", (unsigned)feature);
    decimal_print(x, sizeof x, xz[0], UNIT_BITS);
    decimal_print(z, sizeof z, xz[1], UNIT_BITS);
    return loam_fail(error, status, pointer, "%s at x %s m, z %s m", what, x, z);
}

static bool is_in_range(int64_t value) {
    return value >= -POSITION_UNITS_MAX && value <= POSITION_UNITS_MAX;
}

static loam_status line_check(const loam_line *line, loam_error *error) {
    static const int64_t nowhere[2] = {0, 0};
    for (uint32_t i = 0; i < line->count; i++) {
        const int64_t *at = line->xz + 2 * (size_t)i;
        if (!is_in_range(at[0]) || !is_in_range(at[1])) {
            return line_fail(error, LOAM_COORDINATE_RANGE, line->feature,
                             "a vertex is out of range", at);
        }
    }
    if (line->count < 2) {
        return line_fail(error, LOAM_LINE_DEGENERATE, line->feature,
                         "a line has fewer than two vertices",
                         line->count > 0 ? line->xz : nowhere);
    }
    return LOAM_OK;
}

/* Counts before anything is allocated. */
static loam_status source_measure(const loam_lines_source *source, uint32_t *vertices,
                                  loam_error *error) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < source->line_count; i++) {
        sum += source->lines[i].count;
    }
    uint64_t most = source->line_count > sum ? source->line_count : sum;
    if (most > AREA_VERTICES_MAX) {
        return loam_fail(error, LOAM_TOO_MANY, "/features",
                         "%llu vertices or lines, at most %u of each", (unsigned long long)most,
                         AREA_VERTICES_MAX);
    }
    *vertices = (uint32_t)sum;
    return LOAM_OK;
}

static void line_copy(const loam_line *line, line_part *part) {
    part->feature = line->feature;
    part->key = line->key;
    for (uint32_t i = 0; i < line->count; i++) {
        const int64_t *xz = line->xz + 2 * (size_t)i;
        int64_t *end = part->xz + 2 * (size_t)part->count;
        if (part->count == 0 || xz[0] != end[-2] || xz[1] != end[-1]) {
            end[0] = xz[0];
            end[1] = xz[1];
            part->count++;
        }
    }
}

/* Lines that have a length. */
static loam_status parts_stage(const loam_lines_source *source, int64_t *xz, line_part *parts,
                               uint32_t *count, loam_error *error) {
    for (uint32_t i = 0; i < source->line_count; i++) {
        LOAM_TRY(line_check(&source->lines[i], error));
        line_part *part = &parts[*count];
        *part = (line_part){.xz = xz};
        line_copy(&source->lines[i], part);
        if (part->count > 1) {
            xz += 2 * (size_t)part->count;
            (*count)++;
        }
    }
    return LOAM_OK;
}

/* Arrays of the result, with room for all of a source. */
typedef struct lines_room {
    int64_t *xz;
    loam_line *lines;
    loam_ring *rings;
    uint32_t *firsts;
    int64_t *arc;
    uint32_t *visits;
    loam_polygon *polygon;
    loam_area_feature *feature;
} lines_room;

static loam_status room_take(uint32_t lines, uint32_t vertices, loam_arena *arena,
                             lines_room *room) {
    room->xz = loam_arena_take(arena, vertices, 2 * sizeof *room->xz);
    room->lines = loam_arena_take(arena, lines, sizeof *room->lines);
    room->rings = loam_arena_take(arena, lines, sizeof *room->rings);
    room->firsts = loam_arena_take(arena, (size_t)lines + 1, sizeof *room->firsts);
    room->arc = loam_arena_take(arena, vertices, sizeof *room->arc);
    room->visits = loam_arena_take(arena, vertices, sizeof *room->visits);
    room->polygon = loam_arena_take(arena, 1, sizeof *room->polygon);
    room->feature = loam_arena_take(arena, 1, sizeof *room->feature);
    bool full = room->xz == NULL || room->lines == NULL || room->rings == NULL ||
                room->firsts == NULL || room->arc == NULL || room->visits == NULL ||
                room->polygon == NULL || room->feature == NULL;
    return full ? LOAM_ARENA_FULL : LOAM_OK;
}

static loam_status part_write(const line_part *part, const lines_room *room, uint32_t number,
                              loam_lines *lines, loam_error *error) {
    uint32_t first = lines->vertex_count;
    int64_t *xz = room->xz + 2 * (size_t)first;
    memcpy(xz, part->xz, 2 * sizeof *xz * (size_t)part->count);
    room->firsts[number] = first;
    room->firsts[number + 1] = first + part->count;
    room->lines[number] =
        (loam_line){.xz = xz, .count = part->count, .feature = number, .key = part->key};
    room->rings[number] = (loam_ring){xz, part->count};
    lines->vertex_count += part->count;
    return line_arc_write(xz, part->count, room->arc + first)
               ? LOAM_OK
               : line_fail(error, LOAM_COORDINATE_RANGE, part->feature, "a line is too long,", xz);
}

/* All lines as the rings of one polygon. */
static loam_areas shape_of(const lines_room *room, const loam_lines *lines) {
    *room->polygon = (loam_polygon){.rings = room->rings, .ring_count = lines->normal.line_count};
    *room->feature = (loam_area_feature){.margin = LOAM_UNSET, .buffer = LOAM_UNSET};
    bool any = lines->normal.line_count > 0;
    return (loam_areas){.normal = {.polygons = room->polygon,
                                   .polygon_count = any,
                                   .features = room->feature,
                                   .feature_count = any},
                        .vertex_count = lines->vertex_count};
}

static loam_status parts_write(const loam_lines_source *source, bool settled,
                               const lines_room *room, uint32_t vertices, loam_lines *lines,
                               loam_arena *scratch, loam_error *error) {
    int64_t *xz = loam_arena_take(scratch, vertices, 2 * sizeof *xz);
    line_part *parts = loam_arena_take(scratch, source->line_count, sizeof *parts);
    uint32_t *order = loam_arena_take(scratch, source->line_count, sizeof *order);
    uint32_t count = 0;
    LOAM_TRY_MEMORY(xz, error);
    LOAM_TRY_MEMORY(parts, error);
    LOAM_TRY_MEMORY(order, error);
    LOAM_TRY(parts_stage(source, xz, parts, &count, error));
    LOAM_TRY(line_parts_order(parts, count, settled, order, &count, scratch));
    for (uint32_t i = 0; i < count; i++) {
        LOAM_TRY(part_write(&parts[order[i]], room, i, lines, error));
    }
    lines->normal = (loam_lines_source){room->lines, count};
    return LOAM_OK;
}

static loam_status lines_make(const loam_lines_source *source, bool settled, uint32_t vertices,
                              loam_arena *arena, loam_lines *lines, loam_error *error) {
    lines_room room;
    LOAM_TRY(room_take(source->line_count, vertices, arena, &room));
    *lines =
        (loam_lines){.xz = room.xz, .firsts = room.firsts, .arc = room.arc, .visits = room.visits};
    size_t mark = loam_arena_mark(arena);
    LOAM_TRY(parts_write(source, settled, &room, vertices, lines, arena, error));
    loam_arena_reset(arena, mark);
    LOAM_TRY(lines_visits_write(&lines->normal, room.visits, arena));
    lines->shape = shape_of(&room, lines);
    return area_tree_build(&lines->shape.tree, &lines->shape.normal, arena);
}

static loam_status lines_build(const loam_lines_source *source, bool settled, loam_arena *arena,
                               const loam_lines **lines, loam_error *error) {
    size_t mark = loam_arena_mark(arena);
    uint32_t vertices = 0;
    LOAM_TRY(source_measure(source, &vertices, error));
    loam_lines *made = loam_arena_take(arena, 1, sizeof *made);
    LOAM_TRY_MEMORY(made, error);
    loam_status status = lines_make(source, settled, vertices, arena, made, error);
    if (status != LOAM_OK) {
        loam_arena_reset(arena, mark);
        return loam_fail(error, status, NULL, "%s", loam_status_text(status));
    }
    *lines = made;
    return LOAM_OK;
}

loam_status loam_lines_build(const loam_lines_source *source, loam_arena *arena,
                             const loam_lines **lines, loam_error *error) {
    return lines_build(source, false, arena, lines, error);
}

loam_status lines_restore(const loam_lines_source *source, loam_arena *arena,
                          const loam_lines **lines, loam_error *error) {
    return lines_build(source, true, arena, lines, error);
}
