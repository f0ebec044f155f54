/* SPDX-License-Identifier: MIT
 *
 * areas_parts.h: what the files areas*.c share and nobody else sees: the structure itself, its
 * index (blocks of neighbouring edges under a packed tree of boxes), and the edges near a
 * rectangle, which both the key and the questions are answered from.
 *
 * Source of the index: packed trees, Kamel and Faloutsos, "On packing R-trees", 1993; by Morton
 * order here.
 */
#ifndef LOAM_SPACE_AREAS_PARTS_H
#define LOAM_SPACE_AREAS_PARTS_H

#include "core/space/areas.h"

/* Products of world lengths need up to 127 bits. */
__extension__ typedef __int128 area_wide;

/* A closed box in units. */
typedef struct area_box {
    int64_t x0, z0, x1, z1;
} area_box;

static inline bool box_meets(const area_box *a, const area_box *b) {
    return a->x0 <= b->x1 && b->x0 <= a->x1 && a->z0 <= b->z1 && b->z0 <= a->z1;
}

static inline area_box box_join(area_box a, area_box b) {
    return (area_box){a.x0 < b.x0 ? a.x0 : b.x0, a.z0 < b.z0 ? a.z0 : b.z0,
                      a.x1 > b.x1 ? a.x1 : b.x1, a.z1 > b.z1 ? a.z1 : b.z1};
}

/* Eight edges are a few cache lines and span little; eight boxes likewise. */
enum { AREA_BLOCK_EDGES = 8, AREA_TREE_FAN = 8, AREA_TREE_LEVELS = 8 };

/* Edges in a row of one ring: edge i is xz[2i .. 2i + 3]. */
typedef struct area_block {
    const int64_t *xz;
    uint32_t edge_count;
    uint32_t polygon;
} area_block;

/* boxes[0] belong to the blocks, boxes[n + 1][i] holds boxes[n][8i .. 8i + 7]; the last level has
 * one box. */
typedef struct area_tree {
    const area_block *blocks;
    const area_box *boxes[AREA_TREE_LEVELS];
    uint32_t counts[AREA_TREE_LEVELS];
    uint32_t level_count;
} area_tree;

struct loam_areas {
    loam_areas_source normal;
    area_tree tree;
    uint32_t vertex_count;
    int64_t margin_max; /* over all features, 0 when unset */
    int64_t buffer_max;
};

/* Indexes the normal form; the tree's memory is the arena's, scratch is given back. */
LOAM_MUST_USE loam_status area_tree_build(area_tree *tree, const loam_areas_source *normal,
                                          loam_arena *arena);

typedef void (*area_visit)(void *context, const area_block *block);
/* Every block whose box meets `box`. */
void area_tree_visit(const area_tree *tree, const area_box *box, area_visit visit, void *context);

/* A ring while areas are built: no vertex repeats its predecessor, the last is not the first. */
typedef struct area_ring {
    int64_t *xz;
    uint32_t count;
    uint32_t polygon;
} area_ring;

typedef struct area_polygon {
    uint32_t ring_first;
    uint32_t ring_count;
    uint32_t feature;
} area_polygon;

/* A source being built: rings in source order, their vertices one after the other. */
typedef struct area_stage {
    area_ring *rings;
    area_polygon *polygons;
    uint32_t ring_count;
    uint32_t polygon_count;
} area_stage;

/* Checks one ring of a source and copies it, without repeated vertices, to `to`. */
LOAM_MUST_USE loam_status area_ring_check(const loam_ring *source, uint32_t feature, area_ring *to,
                                          loam_error *error);
/* Whether the rings of a polygon (consecutive in memory) cross; `error` says where. */
LOAM_MUST_USE loam_status area_polygon_check(const area_ring *rings, uint32_t ring_count,
                                             uint32_t feature, loam_arena *scratch,
                                             loam_error *error);
/* Twice the signed area, positive when counterclockwise. */
area_wide area_ring_area2(const area_ring *ring);

/* Arrays with room for all of a source. */
typedef struct area_normal_room {
    int64_t *xz;
    loam_ring *rings;
    loam_polygon *polygons;
    loam_area_feature *features;
} area_normal_room;

/* Brings the staged rings into normal form and writes it to `room` and `areas`. */
LOAM_MUST_USE loam_status area_normalise(area_stage *stage, const loam_areas_source *source,
                                         loam_areas *areas, const area_normal_room *room,
                                         loam_arena *scratch);

/* One edge, its lower end by (z, x) first. */
typedef struct area_edge {
    int64_t x0, z0, x1, z1;
    uint32_t polygon;
} area_edge;

/* A polygon seen from a rectangle: its edges that reach it, and whether it holds the low corner
 * (by the half-open rule: an edge exactly on the corner counts as right of it). */
typedef struct area_patch {
    uint32_t polygon;
    uint32_t feature;
    uint32_t edge_first;
    uint32_t edge_count;
    uint8_t corner;
    int64_t margin;
    int64_t width;
} area_patch;

/* What a rectangle sees: patches in order of their polygons, edges of each in (z, x) order. */
typedef struct area_near {
    area_edge *edges;
    area_patch *patches;
    uint32_t edge_count;
    uint32_t patch_count;
} area_near;

/* The closed box of a half-open rectangle that is not empty. */
area_box area_rect_box(loam_rect rect);

/* Gathers it for the closed box; memory is `scratch`'s, until the caller resets it. */
LOAM_MUST_USE loam_status area_near_collect(const loam_areas *areas, const areas_view *view,
                                            const area_box *box, loam_arena *scratch,
                                            area_near *near);

/* The margin and width of a feature in a view. */
int64_t area_view_margin(const areas_view *view, const loam_area_feature *feature);
int64_t area_view_width(const areas_view *view, const loam_area_feature *feature);

#endif
