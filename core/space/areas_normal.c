/* SPDX-License-Identifier: MIT
 *
 * areas_normal.c: one form for areas that mean the same. Rings are wound and turned alike, then
 * rings, polygons and features are put in an order that only depends on what they are, and what is
 * there twice is dropped.
 *
 * Source of the least rotation: Shiloach, "Fast canonization of circular strings", 1981.
 */
#include "core/base/index_sort.h"
#include "core/base/try.h"
#include "core/space/areas_parts.h"

#include <string.h>

static int number_compare(int64_t a, int64_t b) {
    return (a > b) - (a < b);
}

/* By (z, x). */
static int vertex_compare(const int64_t *a, const int64_t *b) {
    int order = number_compare(a[1], b[1]);
    return order != 0 ? order : number_compare(a[0], b[0]);
}

static int ring_compare(const area_ring *a, const area_ring *b) {
    uint32_t common = a->count < b->count ? a->count : b->count;
    for (uint32_t i = 0; i < common; i++) {
        int order = vertex_compare(a->xz + 2 * (size_t)i, b->xz + 2 * (size_t)i);
        if (order != 0) {
            return order;
        }
    }
    return number_compare(a->count, b->count);
}

/* Turns vertices [first, end) round. */
static void vertices_reverse(int64_t *xz, uint32_t first, uint32_t end) {
    while (first + 1 < end) {
        end--;
        int64_t kept[2];
        memcpy(kept, xz + 2 * (size_t)first, sizeof kept);
        memcpy(xz + 2 * (size_t)first, xz + 2 * (size_t)end, sizeof kept);
        memcpy(xz + 2 * (size_t)end, kept, sizeof kept);
        first++;
    }
}

static const int64_t *vertex_at(const area_ring *ring, uint32_t index) {
    return ring->xz + 2 * (size_t)(index < ring->count ? index : index - ring->count);
}

/* Where the least of all rotations starts. A ring that touches itself may pass its least vertex
 * more than once, so the first vertex alone does not tell. */
static uint32_t ring_least_start(const area_ring *ring) {
    uint32_t a = 0;
    uint32_t b = 1;
    uint32_t same = 0;
    while (a < ring->count && b < ring->count && same < ring->count) {
        int order = vertex_compare(vertex_at(ring, a + same), vertex_at(ring, b + same));
        if (order == 0) {
            same++;
            continue;
        }
        if (order > 0) {
            a += same + 1;
        } else {
            b += same + 1;
        }
        b += a == b;
        same = 0;
    }
    return a < b ? a : b;
}

static void ring_normalise(area_ring *ring) {
    if (area_ring_area2(ring) < 0) {
        vertices_reverse(ring->xz, 0, ring->count);
    }
    uint32_t start = ring_least_start(ring);
    vertices_reverse(ring->xz, 0, start);
    vertices_reverse(ring->xz, start, ring->count);
    vertices_reverse(ring->xz, 0, ring->count);
}

/* The lists of a source in normal order, while it is found. */
typedef struct area_order {
    const area_stage *stage;
    const loam_area_feature *features;
    uint32_t *rings;    /* grouped by polygon */
    uint32_t *polygons; /* grouped by feature */
    uint32_t *features_in_order;
    uint32_t *feature_first; /* into polygons; one more than there are features */
    uint32_t *spare;
} area_order;

static int staged_ring_compare(const void *context, uint32_t a, uint32_t b) {
    const area_ring *rings = ((const area_order *)context)->stage->rings;
    int order = number_compare(rings[a].polygon, rings[b].polygon);
    return order != 0 ? order : ring_compare(&rings[a], &rings[b]);
}

static int shape_compare(const area_order *order, uint32_t a, uint32_t b) {
    const area_polygon *pa = &order->stage->polygons[a];
    const area_polygon *pb = &order->stage->polygons[b];
    for (uint32_t i = 0; i < pa->ring_count && i < pb->ring_count; i++) {
        const area_ring *rings = order->stage->rings;
        int way = ring_compare(&rings[order->rings[pa->ring_first + i]],
                               &rings[order->rings[pb->ring_first + i]]);
        if (way != 0) {
            return way;
        }
    }
    return number_compare(pa->ring_count, pb->ring_count);
}

static int staged_polygon_compare(const void *context, uint32_t a, uint32_t b) {
    const area_order *order = context;
    int way = number_compare(order->stage->polygons[a].feature, order->stage->polygons[b].feature);
    return way != 0 ? way : shape_compare(order, a, b);
}

static int feature_compare(const void *context, uint32_t a, uint32_t b) {
    const area_order *order = context;
    const loam_area_feature *fa = &order->features[a];
    const loam_area_feature *fb = &order->features[b];
    int way = (fa->key > fb->key) - (fa->key < fb->key);
    way = way != 0 ? way : number_compare(fa->margin, fb->margin);
    way = way != 0 ? way : number_compare(fa->buffer, fb->buffer);
    uint32_t at = order->feature_first[a];
    uint32_t end = order->feature_first[a + 1];
    uint32_t other = order->feature_first[b];
    uint32_t other_end = order->feature_first[b + 1];
    for (; way == 0 && at < end && other < other_end; at++, other++) {
        way = shape_compare(order, order->polygons[at], order->polygons[other]);
    }
    return way != 0 ? way : number_compare((int64_t)end - at, (int64_t)other_end - other);
}

static void indices_fill(uint32_t *indices, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        indices[i] = i;
    }
}

/* Drops polygons that a feature has twice and notes where each feature's begin. */
static void polygons_group(area_order *order, uint32_t feature_count) {
    uint32_t kept = 0;
    uint32_t at = 0;
    for (uint32_t feature = 0; feature < feature_count; feature++) {
        uint32_t first = kept;
        order->feature_first[feature] = first;
        for (; at < order->stage->polygon_count; at++) {
            uint32_t polygon = order->polygons[at];
            if (order->stage->polygons[polygon].feature != feature) {
                break;
            }
            if (kept == first || shape_compare(order, order->polygons[kept - 1], polygon) != 0) {
                order->polygons[kept++] = polygon;
            }
        }
    }
    order->feature_first[feature_count] = kept;
}

static loam_status order_init(area_order *order, const area_stage *stage,
                              const loam_areas_source *source, loam_arena *scratch) {
    uint32_t most =
        stage->ring_count > source->feature_count ? stage->ring_count : source->feature_count;
    *order = (area_order){
        .stage = stage,
        .features = source->features,
        .rings = loam_arena_take(scratch, stage->ring_count, sizeof(uint32_t)),
        .polygons = loam_arena_take(scratch, stage->polygon_count, sizeof(uint32_t)),
        .features_in_order = loam_arena_take(scratch, source->feature_count, sizeof(uint32_t)),
        .feature_first =
            loam_arena_take(scratch, (size_t)source->feature_count + 1, sizeof(uint32_t)),
        .spare = loam_arena_take(scratch, most, sizeof(uint32_t))};
    bool full = order->rings == NULL || order->polygons == NULL ||
                order->features_in_order == NULL || order->feature_first == NULL ||
                order->spare == NULL;
    return full ? LOAM_ARENA_FULL : LOAM_OK;
}

static void order_find(area_order *order, uint32_t feature_count) {
    const area_stage *stage = order->stage;
    indices_fill(order->rings, stage->ring_count);
    index_sort(order->rings, order->spare, stage->ring_count, staged_ring_compare, order);
    indices_fill(order->polygons, stage->polygon_count);
    index_sort(order->polygons, order->spare, stage->polygon_count, staged_polygon_compare, order);
    polygons_group(order, feature_count);
    indices_fill(order->features_in_order, feature_count);
    index_sort(order->features_in_order, order->spare, feature_count, feature_compare, order);
}

/* Where the normal form is written to. */
typedef struct normal_writer {
    int64_t *xz;
    loam_ring *rings;
    loam_polygon *polygons;
    loam_area_feature *features;
    uint32_t vertex_count;
    uint32_t ring_count;
    uint32_t polygon_count;
    uint32_t feature_count;
} normal_writer;

static void ring_write(normal_writer *writer, const area_ring *ring) {
    int64_t *xz = writer->xz + 2 * (size_t)writer->vertex_count;
    memcpy(xz, ring->xz, 2 * sizeof *xz * (size_t)ring->count);
    memcpy(xz + 2 * (size_t)ring->count, ring->xz, 2 * sizeof *xz);
    writer->rings[writer->ring_count++] = (loam_ring){xz, ring->count + 1};
    writer->vertex_count += ring->count + 1;
}

static void polygon_write(normal_writer *writer, const area_order *order, uint32_t index) {
    const area_polygon *polygon = &order->stage->polygons[index];
    writer->polygons[writer->polygon_count++] =
        (loam_polygon){.rings = writer->rings + writer->ring_count,
                       .ring_count = polygon->ring_count,
                       .feature = writer->feature_count};
    for (uint32_t i = 0; i < polygon->ring_count; i++) {
        ring_write(writer, &order->stage->rings[order->rings[polygon->ring_first + i]]);
    }
}

static void features_write(normal_writer *writer, const area_order *order, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t feature = order->features_in_order[i];
        uint32_t first = order->feature_first[feature];
        uint32_t end = order->feature_first[feature + 1];
        bool again = i > 0 && feature_compare(order, order->features_in_order[i - 1], feature) == 0;
        if (first == end || again) {
            continue;
        }
        for (uint32_t at = first; at < end; at++) {
            polygon_write(writer, order, order->polygons[at]);
        }
        writer->features[writer->feature_count++] = order->features[feature];
    }
}

loam_status area_normalise(area_stage *stage, const loam_areas_source *source, loam_areas *areas,
                           const area_normal_room *room, loam_arena *scratch) {
    for (uint32_t i = 0; i < stage->ring_count; i++) {
        ring_normalise(&stage->rings[i]);
    }
    area_order order;
    LOAM_TRY(order_init(&order, stage, source, scratch));
    order_find(&order, source->feature_count);
    normal_writer writer = {.xz = room->xz,
                            .rings = room->rings,
                            .polygons = room->polygons,
                            .features = room->features};
    features_write(&writer, &order, source->feature_count);
    areas->normal = (loam_areas_source){.polygons = room->polygons,
                                        .polygon_count = writer.polygon_count,
                                        .features = room->features,
                                        .feature_count = writer.feature_count};
    areas->vertex_count = writer.vertex_count;
    return LOAM_OK;
}
