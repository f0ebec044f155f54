/* SPDX-License-Identifier: MIT
 *
 * areas_check.c: what a ring must be: closed, in range, with an area, not crossing itself or
 * another ring of its polygon. Rings may touch, others or themselves, at single points (rounding to
 * units brings that about in real data), as long as they do not change sides there; a common
 * stretch is a crossing. Errors name the feature and the place in metres.
 */
#include "core/base/try.h"
#include "core/space/areas_parts.h"
#include "core/space/areas_sweep.h"

#include <stdio.h>

enum { FEATURE_POINTER_BYTES = 32, METRES_BYTES = 32 };

/* Units as metres, exactly: 1/256 m has at most eight decimals; trailing zeros are cut. */
static const char *metres_print(int64_t units, char text[METRES_BYTES]) {
    uint64_t size = units < 0 ? (uint64_t)-units : (uint64_t)units;
    unsigned long long whole = size / LOAM_UNITS_PER_METRE;
    unsigned decimals = (unsigned)(size % LOAM_UNITS_PER_METRE) * (100000000u / 256u);
    int used = snprintf(text, METRES_BYTES, "%s%llu.%08u", units < 0 ? "-" : "", whole, decimals);
    while (text[used - 1] == '0') {
        text[--used] = 0;
    }
    if (text[used - 1] == '.') {
        text[--used] = 0;
    }
    return text;
}

static loam_status ring_fail(loam_error *error, loam_status status, uint32_t feature,
                             const char *what, const int64_t *xz) {
    char pointer[FEATURE_POINTER_BYTES];
    snprintf(pointer, sizeof pointer, "/features/%u", (unsigned)feature);
    char x[METRES_BYTES];
    char z[METRES_BYTES];
    return loam_fail(error, status, pointer, "%s at x %s m, z %s m", what, metres_print(xz[0], x),
                     metres_print(xz[1], z));
}

static bool is_in_range(int64_t value) {
    return value >= -POSITION_UNITS_MAX && value <= POSITION_UNITS_MAX;
}

static bool is_same_vertex(const int64_t *a, const int64_t *b) {
    return a[0] == b[0] && a[1] == b[1];
}

/* Copies a closed ring without repeated vertices and without the closing one. */
static void ring_copy(const loam_ring *source, area_ring *to) {
    to->count = 0;
    for (uint32_t i = 0; i + 1 < source->count; i++) {
        const int64_t *xz = source->xz + 2 * (size_t)i;
        int64_t *end = to->xz + 2 * (size_t)to->count;
        if (to->count == 0 || !is_same_vertex(xz, end - 2)) {
            end[0] = xz[0];
            end[1] = xz[1];
            to->count++;
        }
    }
    while (to->count > 1 && is_same_vertex(to->xz, to->xz + 2 * (size_t)(to->count - 1))) {
        to->count--;
    }
}

/* Whether there are three corners that are not on one line. */
static bool ring_has_corner(const area_ring *ring) {
    if (ring->count < 3) {
        return false;
    }
    const int64_t *xz = ring->xz;
    area_wide dx = xz[2] - xz[0];
    area_wide dz = xz[3] - xz[1];
    for (uint32_t i = 2; i < ring->count; i++) {
        const int64_t *at = xz + 2 * (size_t)i;
        if (dx * (at[1] - xz[1]) != dz * (at[0] - xz[0])) {
            return true;
        }
    }
    return false;
}

area_wide area_ring_area2(const area_ring *ring) {
    const int64_t *xz = ring->xz;
    area_wide sum = 0;
    for (uint32_t i = 1; i + 1 < ring->count; i++) {
        const int64_t *at = xz + 2 * (size_t)i;
        sum += (area_wide)(at[0] - xz[0]) * (at[3] - xz[1]) -
               (area_wide)(at[1] - xz[1]) * (at[2] - xz[0]);
    }
    return sum;
}

loam_status area_ring_check(const loam_ring *source, uint32_t feature, area_ring *to,
                            loam_error *error) {
    static const int64_t nowhere[2] = {0, 0};
    for (uint32_t i = 0; i < source->count; i++) {
        const int64_t *at = source->xz + 2 * (size_t)i;
        if (!is_in_range(at[0]) || !is_in_range(at[1])) {
            return ring_fail(error, LOAM_COORDINATE_RANGE, feature, "a vertex is out of range", at);
        }
    }
    const int64_t *first = source->count > 0 ? source->xz : nowhere;
    if (source->count < 4) {
        return ring_fail(error, LOAM_RING_OPEN, feature, "a ring has fewer than four vertices",
                         first);
    }
    if (!is_same_vertex(first, source->xz + 2 * (size_t)(source->count - 1))) {
        return ring_fail(error, LOAM_RING_OPEN, feature, "a ring does not end where it begins,",
                         first);
    }
    ring_copy(source, to);
    if (!ring_has_corner(to)) {
        return ring_fail(error, LOAM_RING_DEGENERATE, feature, "a ring has no area", first);
    }
    return LOAM_OK;
}

loam_status area_polygon_check(const area_ring *rings, uint32_t ring_count, uint32_t feature,
                               loam_arena *scratch, loam_error *error) {
    size_t mark = loam_arena_mark(scratch);
    sweep_result result;
    loam_status status = sweep_rings(rings, ring_count, scratch, &result);
    loam_arena_reset(scratch, mark);
    if (status != LOAM_OK) {
        return loam_fail(error, status, NULL, "%s", loam_status_text(status));
    }
    if (result.crosses) {
        return ring_fail(error, LOAM_RING_CROSSES, feature, "rings cross", result.xz);
    }
    for (uint32_t i = 0; i < ring_count; i++) {
        if (area_ring_area2(&rings[i]) == 0) {
            return ring_fail(error, LOAM_RING_DEGENERATE, feature, "a ring has no area",
                             rings[i].xz);
        }
    }
    return LOAM_OK;
}
