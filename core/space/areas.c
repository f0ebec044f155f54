/* SPDX-License-Identifier: MIT
 *
 * areas.c: from polygons as they come to loam_areas: checked ring by ring, brought into normal
 * form, indexed. The result's arrays come first in the arena, everything that is only needed on the
 * way stands behind them and is given back.
 */
#include "core/space/areas.h"

#include "core/base/try.h"
#include "core/space/areas_parts.h"

#include <stdio.h>

enum { PROPERTY_POINTER_BYTES = 64 };

typedef struct source_sizes {
    uint32_t rings;
    uint32_t vertices;
} source_sizes;

const loam_areas_source *loam_areas_normal_form(const loam_areas *areas) {
    return &areas->normal;
}

uint32_t loam_areas_vertex_count(const loam_areas *areas) {
    return areas->vertex_count;
}

static loam_status length_check(int64_t units, uint32_t feature, const char *name,
                                loam_error *error) {
    if (units == LOAM_UNSET || (units >= 0 && units <= ZONE_MARGIN_UNITS_MAX)) {
        return LOAM_OK;
    }
    char pointer[PROPERTY_POINTER_BYTES];
    snprintf(pointer, sizeof pointer, "/features/%u/properties/%s", (unsigned)feature, name);
    return loam_fail(error, LOAM_OUT_OF_RANGE, pointer, "%s must be from 0 to %lld m", name,
                     (long long)(ZONE_MARGIN_UNITS_MAX / LOAM_UNITS_PER_METRE));
}

static loam_status features_check(const loam_areas_source *source, loam_error *error) {
    if (source->feature_count > AREA_VERTICES_MAX) {
        return loam_fail(error, LOAM_TOO_MANY, "/features", "more than %u features",
                         AREA_VERTICES_MAX);
    }
    for (uint32_t i = 0; i < source->feature_count; i++) {
        LOAM_TRY(length_check(source->features[i].margin, i, "margin_m", error));
        LOAM_TRY(length_check(source->features[i].buffer, i, "buffer_m", error));
    }
    return LOAM_OK;
}

/* Counts before anything is allocated. */
static loam_status source_measure(const loam_areas_source *source, source_sizes *sizes,
                                  loam_error *error) {
    uint64_t rings = 0;
    uint64_t vertices = 0;
    for (uint32_t i = 0; i < source->polygon_count; i++) {
        const loam_polygon *polygon = &source->polygons[i];
        if (polygon->feature >= source->feature_count) {
            return loam_fail(error, LOAM_OUT_OF_RANGE, "/features", "polygon %u has no feature",
                             (unsigned)i);
        }
        for (uint32_t j = 0; j < polygon->ring_count; j++) {
            vertices += polygon->rings[j].count;
        }
        rings += polygon->ring_count;
    }
    uint64_t most = source->polygon_count > rings ? source->polygon_count : rings;
    most = vertices > most ? vertices : most;
    if (most > AREA_VERTICES_MAX) {
        return loam_fail(error, LOAM_TOO_MANY, "/features",
                         "%llu vertices, rings or polygons, at most %u of each",
                         (unsigned long long)most, AREA_VERTICES_MAX);
    }
    *sizes = (source_sizes){.rings = (uint32_t)rings, .vertices = (uint32_t)vertices};
    return LOAM_OK;
}

/* A polygon must have a ring; polygons without any are no area, like rings without one. */
static loam_status polygon_stage(const loam_polygon *polygon, area_stage *stage, int64_t **xz,
                                 loam_error *error) {
    uint32_t first = stage->ring_count;
    for (uint32_t i = 0; i < polygon->ring_count; i++) {
        area_ring *ring = &stage->rings[stage->ring_count++];
        *ring = (area_ring){.xz = *xz, .polygon = stage->polygon_count};
        LOAM_TRY(area_ring_check(&polygon->rings[i], polygon->feature, ring, error));
        *xz += 2 * (size_t)ring->count;
    }
    if (polygon->ring_count > 0) {
        stage->polygons[stage->polygon_count++] =
            (area_polygon){first, polygon->ring_count, polygon->feature};
    }
    return LOAM_OK;
}

static loam_status source_stage(const loam_areas_source *source, const source_sizes *sizes,
                                loam_arena *scratch, area_stage *stage, loam_error *error) {
    int64_t *xz = loam_arena_take(scratch, sizes->vertices, 2 * sizeof *xz);
    stage->rings = loam_arena_take(scratch, sizes->rings, sizeof *stage->rings);
    stage->polygons = loam_arena_take(scratch, source->polygon_count, sizeof *stage->polygons);
    LOAM_TRY_MEMORY(xz, error);
    LOAM_TRY_MEMORY(stage->rings, error);
    LOAM_TRY_MEMORY(stage->polygons, error);
    for (uint32_t i = 0; i < source->polygon_count; i++) {
        const loam_polygon *polygon = &source->polygons[i];
        uint32_t first = stage->ring_count;
        LOAM_TRY(polygon_stage(polygon, stage, &xz, error));
        LOAM_TRY(area_polygon_check(stage->rings + first, polygon->ring_count, polygon->feature,
                                    scratch, error));
    }
    return LOAM_OK;
}

static loam_status room_take(const loam_areas_source *source, const source_sizes *sizes,
                             loam_arena *arena, area_normal_room *room) {
    room->xz = loam_arena_take(arena, sizes->vertices, 2 * sizeof *room->xz);
    room->rings = loam_arena_take(arena, sizes->rings, sizeof *room->rings);
    room->polygons = loam_arena_take(arena, source->polygon_count, sizeof *room->polygons);
    room->features = loam_arena_take(arena, source->feature_count, sizeof *room->features);
    bool full =
        room->xz == NULL || room->rings == NULL || room->polygons == NULL || room->features == NULL;
    return full ? LOAM_ARENA_FULL : LOAM_OK;
}

static void lengths_sum(loam_areas *areas) {
    for (uint32_t i = 0; i < areas->normal.feature_count; i++) {
        const loam_area_feature *feature = &areas->normal.features[i];
        if (feature->margin > areas->margin_max) {
            areas->margin_max = feature->margin;
        }
        if (feature->buffer > areas->buffer_max) {
            areas->buffer_max = feature->buffer;
        }
    }
}

static loam_status areas_make(const loam_areas_source *source, const source_sizes *sizes,
                              loam_arena *arena, loam_areas *areas, loam_error *error) {
    area_normal_room room;
    LOAM_TRY(room_take(source, sizes, arena, &room));
    size_t mark = loam_arena_mark(arena);
    area_stage stage = {0};
    LOAM_TRY(source_stage(source, sizes, arena, &stage, error));
    LOAM_TRY(area_normalise(&stage, source, areas, &room, arena));
    loam_arena_reset(arena, mark);
    lengths_sum(areas);
    return area_tree_build(&areas->tree, &areas->normal, arena);
}

loam_status loam_areas_build(const loam_areas_source *source, loam_arena *arena,
                             const loam_areas **areas, loam_error *error) {
    size_t mark = loam_arena_mark(arena);
    source_sizes sizes = {0};
    LOAM_TRY(features_check(source, error));
    LOAM_TRY(source_measure(source, &sizes, error));
    loam_areas *made = loam_arena_take_zero(arena, 1, sizeof *made);
    LOAM_TRY_MEMORY(made, error);
    loam_status status = areas_make(source, &sizes, arena, made, error);
    if (status != LOAM_OK) {
        loam_arena_reset(arena, mark);
        return loam_fail(error, status, NULL, "%s", loam_status_text(status));
    }
    *areas = made;
    return LOAM_OK;
}
