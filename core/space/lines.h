/* SPDX-License-Identifier: MIT
 *
 * lines.h: polylines as the rest of core sees them: their normal form (for the codec and for stages
 * that take a whole line), how far points are from them (for operations), the segments that a
 * rectangle sees (for stations) and what it sees of them as bytes (for build keys).
 *
 * Arc length: each segment is the floored integer root of its squared length in 1/65,536 unit,
 * lengths are sums of whole segments from the line's start.
 */
#ifndef LOAM_SPACE_LINES_H
#define LOAM_SPACE_LINES_H

#include "core/base/bytes.h"
#include "core/base/limits.h"
#include "core/loam.h"
#include "core/space/areas.h"

/* Arc length at each vertex of a line, in 1/65,536 unit: the first is 0, the last is all of it. */
const int64_t *lines_arc(const loam_lines *lines, uint32_t line);
/* At each vertex of a line, how often the line has been there before: tells stations that are
 * counted from one place apart. */
const uint32_t *lines_visits(const loam_lines *lines, uint32_t line);
bool line_is_closed(const loam_line *line);

/* Builds what has been in normal form: keys stay what they are, even where they should be alike. */
LOAM_MUST_USE loam_status lines_restore(const loam_lines_source *source, loam_arena *arena,
                                        const loam_lines **lines, loam_error *error);

/* The nearest line nearer than `limit_units`: distance2[i] in 1/AREA_DISTANCE2_SCALE squared unit,
 * rounded down, or AREA_DISTANCE2_NONE. Looks at what lies within limit_units - 1. Scratch is given
 * back. */
LOAM_MUST_USE loam_status lines_nearest(const loam_lines *lines, int64_t limit_units,
                                        const areas_points *points, uint64_t *distance2,
                                        loam_arena *scratch);

/* A segment from vertex `index` of a line to the next. */
typedef struct line_segment {
    uint32_t line;
    uint32_t index;
} line_segment;

/* The segments whose own bounds, grown by `reach_units`, meet the half-open rectangle, in order of
 * (line, index); memory is the arena's. */
LOAM_MUST_USE loam_status lines_collect(const loam_lines *lines, loam_rect rect,
                                        int64_t reach_units, loam_arena *arena,
                                        line_segment **segments, uint32_t *count);
/* How many they are. */
uint32_t lines_segment_count(const loam_lines *lines, loam_rect rect, int64_t reach_units);

/* What a node reads of lines. */
typedef enum lines_what {
    LINES_SHAPE,    /* where they run: segments without direction, equal ones once */
    LINES_STATIONS, /* also keys, direction, ends, and the arc length at each segment's start */
    LINES_VERTICES, /* the same with visits of vertices instead of arc lengths */
} lines_what;

/* What points of the half-open rectangle can see within `reach_units`, as canonical bytes
 * (FORMAT.md). Scratch is given back. */
LOAM_MUST_USE loam_status lines_key_write(byte_writer *writer, const loam_lines *lines,
                                          loam_rect rect, int64_t reach_units, lines_what what,
                                          loam_arena *scratch);

#endif
