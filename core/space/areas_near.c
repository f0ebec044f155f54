/* SPDX-License-Identifier: MIT
 *
 * areas_near.c: the edges of areas that reach a rectangle, and which polygons hold its low corner.
 * Build keys write this down and questions about points are answered from it alone, so that a key
 * covers what an answer depends on by construction.
 */
#include "core/base/assert.h"
#include "core/base/index_sort.h"
#include "core/base/try.h"
#include "core/space/areas_parts.h"

int64_t area_view_margin(const areas_view *view, const loam_area_feature *feature) {
    bool own = view->feature_margin && feature->margin != LOAM_UNSET;
    return view->margin_units + (own ? feature->margin : 0);
}

int64_t area_view_width(const areas_view *view, const loam_area_feature *feature) {
    bool own = view->feature_buffer && feature->buffer != LOAM_UNSET;
    return own ? feature->buffer : view->width_units;
}

/* The farthest distance that is looked at: what is below `reach` reaches one unit less. */
static int64_t reach_of(int64_t reach) {
    return reach > 0 ? reach - 1 : 0;
}

static area_box box_grow(area_box box, int64_t reach) {
    return (area_box){box.x0 - reach, box.z0 - reach, box.x1 + reach, box.z1 + reach};
}

/* A gathering under way: first counts, then writes. */
typedef struct near_search {
    const loam_areas *areas;
    const areas_view *view;
    area_box box;
    area_edge *edges; /* NULL while counting */
    uint32_t edge_count;
    uint8_t *corners; /* by polygon */
} near_search;

static area_edge edge_of(const int64_t *xz, uint32_t polygon) {
    bool forward = xz[1] < xz[3] || (xz[1] == xz[3] && xz[0] <= xz[2]);
    return forward ? (area_edge){xz[0], xz[1], xz[2], xz[3], polygon}
                   : (area_edge){xz[2], xz[3], xz[0], xz[1], polygon};
}

static void block_gather(void *context, const area_block *block) {
    near_search *search = context;
    const loam_areas_source *normal = &search->areas->normal;
    const loam_area_feature *feature = &normal->features[normal->polygons[block->polygon].feature];
    int64_t reach =
        reach_of(area_view_margin(search->view, feature) + area_view_width(search->view, feature));
    area_box grown = box_grow(search->box, reach);
    for (uint32_t i = 0; i < block->edge_count; i++) {
        const int64_t *xz = block->xz + 2 * (size_t)i;
        area_box box = box_join((area_box){xz[0], xz[1], xz[0], xz[1]},
                                (area_box){xz[2], xz[3], xz[2], xz[3]});
        if (!box_meets(&box, &grown)) {
            continue;
        }
        if (search->edges != NULL) {
            search->edges[search->edge_count] = edge_of(xz, block->polygon);
        }
        search->edge_count++;
    }
}

/* Toggles the polygon's parity for each edge strictly left of the low corner, lower ends included,
 * upper ends not: consistent at vertices. */
static void block_cross(void *context, const area_block *block) {
    near_search *search = context;
    int64_t x = search->box.x0;
    int64_t z = search->box.z0;
    for (uint32_t i = 0; i < block->edge_count; i++) {
        area_edge edge = edge_of(block->xz + 2 * (size_t)i, block->polygon);
        if (z < edge.z0 || z >= edge.z1) {
            continue;
        }
        area_wide side = (area_wide)(edge.x1 - edge.x0) * (z - edge.z0) -
                         (area_wide)(edge.z1 - edge.z0) * (x - edge.x0);
        search->corners[block->polygon] ^= side < 0;
    }
}

static int edge_compare(const void *context, uint32_t a, uint32_t b) {
    const area_edge *ea = (const area_edge *)context + a;
    const area_edge *eb = (const area_edge *)context + b;
    int64_t pairs[5][2] = {{ea->polygon, eb->polygon},
                           {ea->z0, eb->z0},
                           {ea->x0, eb->x0},
                           {ea->z1, eb->z1},
                           {ea->x1, eb->x1}};
    for (int i = 0; i < 5; i++) {
        if (pairs[i][0] != pairs[i][1]) {
            return pairs[i][0] < pairs[i][1] ? -1 : 1;
        }
    }
    return 0;
}

static area_box search_box(const loam_areas *areas, const areas_view *view, area_box box) {
    int64_t margin = view->margin_units + (view->feature_margin ? areas->margin_max : 0);
    int64_t width = view->width_units;
    if (view->feature_buffer && areas->buffer_max > width) {
        width = areas->buffer_max;
    }
    LOAM_ASSERT(view->margin_units >= 0 && view->width_units >= 0);
    LOAM_ASSERT(margin + width <= AREA_REACH_UNITS_MAX);
    return box_grow(box, reach_of(margin + width));
}

/* Writes the edges in order of (polygon, z, x). */
static loam_status edges_gather(near_search *search, const area_box *reached, uint32_t count,
                                area_edge *edges, loam_arena *scratch) {
    size_t mark = loam_arena_mark(scratch);
    search->edges = loam_arena_take(scratch, count, sizeof(area_edge));
    uint32_t *order = loam_arena_take(scratch, count, sizeof *order);
    uint32_t *spare = loam_arena_take(scratch, count, sizeof *spare);
    if (search->edges == NULL || order == NULL || spare == NULL) {
        return LOAM_ARENA_FULL;
    }
    search->edge_count = 0;
    area_tree_visit(&search->areas->tree, reached, block_gather, search);
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
    }
    index_sort(order, spare, count, edge_compare, search->edges);
    for (uint32_t i = 0; i < count; i++) {
        edges[i] = search->edges[order[i]];
    }
    loam_arena_reset(scratch, mark);
    return LOAM_OK;
}

/* One patch for each polygon that has an edge here or holds the corner. With `patches` NULL only
 * counts them. */
static uint32_t patches_write(const near_search *search, const area_edge *edges,
                              uint32_t edge_count, area_patch *patches) {
    const loam_areas_source *normal = &search->areas->normal;
    uint32_t count = 0;
    uint32_t at = 0;
    for (uint32_t i = 0; i < normal->polygon_count; i++) {
        uint32_t first = at;
        while (at < edge_count && edges[at].polygon == i) {
            at++;
        }
        if (at == first && search->corners[i] == 0) {
            continue;
        }
        if (patches != NULL) {
            uint32_t number = normal->polygons[i].feature;
            const loam_area_feature *feature = &normal->features[number];
            patches[count] = (area_patch){.polygon = i,
                                          .feature = number,
                                          .edge_first = first,
                                          .edge_count = at - first,
                                          .corner = search->corners[i],
                                          .margin = area_view_margin(search->view, feature),
                                          .width = area_view_width(search->view, feature)};
        }
        count++;
    }
    return count;
}

loam_status area_near_collect(const loam_areas *areas, const areas_view *view, const area_box *box,
                              loam_arena *scratch, area_near *near) {
    near_search search = {.areas = areas, .view = view, .box = *box};
    area_box reached = search_box(areas, view, *box);
    area_tree_visit(&areas->tree, &reached, block_gather, &search);
    near->edge_count = search.edge_count;
    near->edges = loam_arena_take(scratch, near->edge_count, sizeof *near->edges);
    search.corners = loam_arena_take_zero(scratch, areas->normal.polygon_count, 1);
    if (near->edges == NULL || search.corners == NULL) {
        return LOAM_ARENA_FULL;
    }
    LOAM_TRY(edges_gather(&search, &reached, near->edge_count, near->edges, scratch));
    area_box ray = {-POSITION_UNITS_MAX, box->z0, box->x0, box->z0};
    area_tree_visit(&areas->tree, &ray, block_cross, &search);
    near->patch_count = patches_write(&search, near->edges, near->edge_count, NULL);
    near->patches = loam_arena_take(scratch, near->patch_count, sizeof *near->patches);
    if (near->patches == NULL) {
        return LOAM_ARENA_FULL;
    }
    patches_write(&search, near->edges, near->edge_count, near->patches);
    return LOAM_OK;
}

area_box area_rect_box(loam_rect rect) {
    return (area_box){rect.x0, rect.z0, rect.x1 - 1, rect.z1 - 1};
}

uint32_t areas_edge_count(const loam_areas *areas, const areas_view *view, loam_rect rect) {
    if (rect.x0 >= rect.x1 || rect.z0 >= rect.z1) {
        return 0;
    }
    near_search search = {.areas = areas, .view = view, .box = area_rect_box(rect)};
    area_box reached = search_box(areas, view, search.box);
    area_tree_visit(&areas->tree, &reached, block_gather, &search);
    return search.edge_count;
}
