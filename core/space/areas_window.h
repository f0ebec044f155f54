/* SPDX-License-Identifier: MIT
 *
 * areas_window.h: areas made ready for many points of one window: what the window's box sees, cut
 * into bands of z, so that a point meets only the edges of its own band. A band's list of a polygon
 * begins with a parity that stands for all that lies left of the window or below the band.
 */
#ifndef LOAM_SPACE_AREAS_WINDOW_H
#define LOAM_SPACE_AREAS_WINDOW_H

#include "core/space/areas_parts.h"

/* An edge in window coordinates (from the box's low corner), lower end first. */
typedef struct window_edge {
    int64_t x0, z0;
    int64_t dx, dz; /* to the upper end; dz >= 0 */
    int64_t x_low, x_high;
    int64_t z_end; /* counts for parity at z0 <= z < z_end */
    int64_t step;  /* and toggles everything at z >= step: see window_edge_init */
} window_edge;

/* The edges of one polygon in one band. A point beside all of them, and beyond their reach, lies on
 * the same side of the border as every other point there. */
typedef struct window_group {
    uint32_t patch;
    uint32_t first; /* in `entries` */
    uint32_t count;
    uint32_t parity;       /* before any of its edges is looked at */
    int64_t x_low, x_high; /* of what its edges reach */
    bool left, right;      /* whether points below x_low, or above x_high, are inside */
} window_group;

typedef struct area_window {
    area_near near; /* patches say margin and width */
    const window_edge *edges;
    const uint32_t *entries; /* edge numbers */
    const window_group *groups;
    const uint32_t *bands; /* groups of band i are bands[i] .. bands[i + 1] */
    uint32_t band_shift;
    uint32_t band_count;
    int64_t width; /* of the box: the largest x and z of a point */
    int64_t height;
    bool wide; /* coordinates too large for products in int64 */
} area_window;

/* The window in tiles: where no border is near, all points of a run of tiles get one answer. The
 * others meet the groups of their tile. */
typedef struct window_tiles {
    const uint32_t *runs;  /* by band, then column: a run's number, or WINDOW_RUN_NONE */
    const int64_t *points; /* x, z of a point of each run */
    /* Numbers of the groups that tile i meets: members[starts[i]] .. members[starts[i + 1]]; NULL
     * where they would be too many. */
    const uint32_t *starts, *members;
    uint32_t run_count;
    uint32_t column_shift;
    uint32_t column_count;
} window_tiles;

/* Of tiles that a border reaches: each point has to ask. */
#define WINDOW_RUN_NONE UINT32_MAX

/* Memory is `scratch`'s, until the caller resets it; here and below. */
LOAM_MUST_USE loam_status area_window_build(const loam_areas *areas, const areas_view *view,
                                            const area_box *box, loam_arena *scratch,
                                            area_window *window);

LOAM_MUST_USE loam_status window_tiles_build(const area_window *window, loam_arena *scratch,
                                             window_tiles *tiles);

/* Whether the polygon of a group holds a point of the window (border included). `distance2` comes
 * in as the limit and leaves as the squared distance to the nearest border nearer than that. */
bool window_group_measure(const area_window *window, const window_group *group, int64_t x,
                          int64_t z, uint64_t *distance2);

#endif
