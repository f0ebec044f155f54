/* SPDX-License-Identifier: MIT
 *
 * lines_parts.h: what the files lines*.c share and nobody else sees. The vertices of all lines lie
 * one behind the other, so that a vertex number stands for a line and a place on it; and to the
 * index and to questions about distance all lines are the rings, not closed, of one polygon.
 */
#ifndef LOAM_SPACE_LINES_PARTS_H
#define LOAM_SPACE_LINES_PARTS_H

#include "core/space/areas_parts.h"
#include "core/space/lines.h"

struct loam_lines {
    loam_lines_source normal;
    const int64_t *xz;
    const uint32_t *firsts; /* vertex number of each line's first, and one past the last */
    const int64_t *arc;     /* per vertex */
    const uint32_t *visits; /* per vertex: how often its line began a segment here before */
    uint32_t vertex_count;
    loam_areas shape; /* only its borders mean something */
};

/* A line while lines are built: no vertex repeats its predecessor. */
typedef struct line_part {
    int64_t *xz;
    uint32_t count;
    uint32_t feature;
    uint64_t key;
} line_part;

/* By (z, x); a line that begins as another does and goes on comes later. `common`, when not NULL,
 * becomes the number of vertices before the first that differs. */
int line_part_compare(const line_part *a, const line_part *b, uint32_t *common);

/* Puts the parts in order of (key, vertices), drops those that are there twice, and, unless the
 * keys are settled, tells parts of one key apart by as many first vertices as it takes. `order`
 * becomes the numbers of the `kept` parts. */
LOAM_MUST_USE loam_status line_parts_order(line_part *parts, uint32_t count, bool settled,
                                           uint32_t *order, uint32_t *kept, loam_arena *scratch);

/* floor(65,536 * sqrt(dx * dx + dz * dz)). */
int64_t segment_length(int64_t dx, int64_t dz);
/* Arc lengths of a line; false when it is longer than LINE_LENGTH_FINE_MAX. */
bool line_arc_write(const int64_t *xz, uint32_t count, int64_t *arc);
/* Visits of every line. */
LOAM_MUST_USE loam_status lines_visits_write(const loam_lines_source *normal, uint32_t *visits,
                                             loam_arena *scratch);

#endif
