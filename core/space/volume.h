/* SPDX-License-Identifier: MIT
 *
 * volume.h: sets of points in space: boxes, balls, what lies near lines, above areas or below a
 * surface, and their unions, intersections and differences. A volume is a list of parts in which
 * every set operation comes after its operands; a part that is used twice is there once, so that a
 * question costs as many columns as there are parts, however they are shared. Decided on integers;
 * borders are inside.
 */
#ifndef LOAM_SPACE_VOLUME_H
#define LOAM_SPACE_VOLUME_H

#include "core/base/limits.h"
#include "core/loam.h"
#include "core/space/areas.h"

enum { SPACE_X, SPACE_Y, SPACE_Z, SPACE_AXES };

/* A closed box; END_FREE_LOW and END_FREE_HIGH where it has no end. */
#define END_FREE_LOW INT64_MIN
#define END_FREE_HIGH INT64_MAX
typedef struct volume_extent {
    int64_t low[SPACE_AXES], high[SPACE_AXES];
} volume_extent;

/* Everything, and nothing. */
volume_extent extent_free(void);
volume_extent extent_empty(void);

typedef enum volume_kind {
    VOLUME_BOX,    /* the extent itself */
    VOLUME_BALL,   /* center and radius */
    VOLUME_BALLS,  /* around many centers */
    VOLUME_TUBE,   /* no farther than the radius from a line, seen from above, and in the extent */
    VOLUME_PRISM,  /* inside an area, seen from above, and in the extent */
    VOLUME_GROUND, /* on a heightfield or below it */
    VOLUME_UNION,
    VOLUME_INTERSECTION,
    VOLUME_DIFFERENCE,
} volume_kind;

/* Balls of one radius around many centers, ready to be asked. */
typedef struct volume_balls volume_balls;

typedef struct volume_part {
    volume_kind kind;
    const void *owner; /* parts of one owner are one part */
    volume_extent extent;
    int64_t center[SPACE_AXES];
    int64_t radius;
    union {
        const volume_balls *balls;
        const loam_lines *lines;
        const loam_areas *areas;
        const loam_heightfield *ground;
    } of;
    uint32_t a, b; /* operands of a set operation: earlier parts */
} volume_part;

/* The last part is the volume; its extent holds it all. */
typedef struct volume {
    const volume_part *parts;
    uint32_t part_count;
} volume;

/* Each node adds a part of its own and at most two that slots feed directly. */
#define VOLUME_PARTS_MAX (3u * NODES_MAX)

const volume_extent *volume_extent_of(const volume *whole);
/* What a set operation makes of two extents. */
volume_extent extent_join(volume_kind kind, const volume_extent *a, const volume_extent *b);

/* A volume of one part; memory is the arena's, here and below. */
LOAM_MUST_USE loam_status volume_of_part(const volume_part *part, loam_arena *arena,
                                         const volume **made);
/* A set operation of two volumes. */
LOAM_MUST_USE loam_status volume_join(volume_kind kind, const void *owner, const volume *a,
                                      const volume *b, loam_arena *arena, const volume **made);

/* Points at (base_x + x[i], y[i], base_z + z[i]), x and z not negative; columns borrowed. */
typedef struct volume_points {
    int64_t base_x, base_z;
    const int32_t *x, *y, *z;
    uint32_t count;
} volume_points;

LOAM_MUST_USE loam_status volume_balls_build(const volume_points *centers, int64_t radius,
                                             loam_arena *arena, const volume_balls **balls);
/* The box around all balls. */
volume_extent volume_balls_extent(const volume_balls *balls);
/* inside[i] = 1 where a point is in some ball. `tests` grows by the centers that are looked at;
 * LOAM_BUDGET_EXCEEDED past TESTS_PER_CELL_MAX. */
LOAM_MUST_USE loam_status volume_balls_hold(const volume_balls *balls, const volume_points *points,
                                            uint8_t *inside, uint64_t *tests);

/* How many points are asked at once, and the scratch that it takes, what areas and lines take
 * aside. */
enum { VOLUME_BLOCK = 1 << 16 };
uint64_t volume_scratch_bytes(uint64_t part_count);

/* inside[i] = 1 where the volume holds a point, else 0. Scratch is given back.
 * LOAM_BUDGET_EXCEEDED where centers of balls crowd so that TESTS_PER_CELL_MAX tests are not
 * enough.
 */
LOAM_MUST_USE loam_status volume_hold(const volume *whole, const volume_points *points,
                                      loam_simd level, uint8_t *inside, loam_arena *scratch);

#endif
