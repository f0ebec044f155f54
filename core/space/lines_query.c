/* SPDX-License-Identifier: MIT
 *
 * lines_query.c: how far points are from lines, and which segments a rectangle sees.
 */
#include "core/base/index_sort.h"
#include "core/base/try.h"
#include "core/space/lines_parts.h"

loam_status lines_nearest(const loam_lines *lines, int64_t limit_units, const areas_points *points,
                          uint64_t *distance2, loam_arena *scratch) {
    size_t mark = loam_arena_mark(scratch);
    uint8_t *inside = loam_arena_take(scratch, points->count, sizeof *inside);
    loam_status status = inside == NULL ? LOAM_ARENA_FULL
                                        : areas_nearest(&lines->shape, limit_units, points, inside,
                                                        distance2, scratch);
    loam_arena_reset(scratch, mark);
    return status;
}

/* A gathering under way: first counts, then writes. */
typedef struct segment_search {
    const loam_lines *lines;
    area_box box;
    uint32_t *vertices; /* where each segment begins; NULL while counting */
    uint32_t count;
} segment_search;

static void block_gather(void *context, const area_block *block) {
    segment_search *search = context;
    uint32_t first = (uint32_t)((block->xz - search->lines->xz) / 2);
    for (uint32_t i = 0; i < block->edge_count; i++) {
        const int64_t *xz = block->xz + 2 * (size_t)i;
        area_box box = box_join((area_box){xz[0], xz[1], xz[0], xz[1]},
                                (area_box){xz[2], xz[3], xz[2], xz[3]});
        if (!box_meets(&box, &search->box)) {
            continue;
        }
        if (search->vertices != NULL) {
            search->vertices[search->count] = first + i;
        }
        search->count++;
    }
}

static segment_search search_init(const loam_lines *lines, loam_rect rect, int64_t reach_units) {
    area_box box = area_rect_box(rect);
    return (segment_search){.lines = lines,
                            .box = {box.x0 - reach_units, box.z0 - reach_units,
                                    box.x1 + reach_units, box.z1 + reach_units}};
}

uint32_t lines_segment_count(const loam_lines *lines, loam_rect rect, int64_t reach_units) {
    if (rect.x0 >= rect.x1 || rect.z0 >= rect.z1) {
        return 0;
    }
    segment_search search = search_init(lines, rect, reach_units);
    area_tree_visit(&lines->shape.tree, &search.box, block_gather, &search);
    return search.count;
}

static int number_compare(const void *context, uint32_t a, uint32_t b) {
    (void)context;
    return (a > b) - (a < b);
}

/* Vertex numbers, which rise, as places on lines. */
static void segments_write(const loam_lines *lines, const uint32_t *vertices, uint32_t count,
                           line_segment *segments) {
    uint32_t line = 0;
    for (uint32_t i = 0; i < count; i++) {
        while (lines->firsts[line + 1] <= vertices[i]) {
            line++;
        }
        segments[i] = (line_segment){line, vertices[i] - lines->firsts[line]};
    }
}

loam_status lines_collect(const loam_lines *lines, loam_rect rect, int64_t reach_units,
                          loam_arena *arena, line_segment **segments, uint32_t *count) {
    *count = lines_segment_count(lines, rect, reach_units);
    *segments = loam_arena_take(arena, *count, sizeof **segments);
    size_t mark = loam_arena_mark(arena);
    segment_search search = search_init(lines, rect, reach_units);
    search.vertices = loam_arena_take(arena, *count, sizeof *search.vertices);
    uint32_t *spare = loam_arena_take(arena, *count, sizeof *spare);
    if (*segments == NULL || search.vertices == NULL || spare == NULL) {
        return LOAM_ARENA_FULL;
    }
    if (*count > 0) {
        area_tree_visit(&lines->shape.tree, &search.box, block_gather, &search);
    }
    index_sort(search.vertices, spare, *count, number_compare, NULL);
    segments_write(lines, search.vertices, *count, *segments);
    loam_arena_reset(arena, mark);
    return LOAM_OK;
}
