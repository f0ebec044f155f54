/* SPDX-License-Identifier: MIT
 *
 * union.c: see union.h.
 */
#include "tests/support/union.h"

#include <stdlib.h>
#include <string.h>

static uint64_t stir(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* Values that a point does not have leave no trace, so that sets with and without a column
 * agree. */
static uint64_t stir_attributes(uint64_t hash, const loam_points *points, uint32_t i) {
    for (uint32_t a = 0; a < points->attribute_count; a++) {
        const loam_attribute *attribute = &points->attributes[a];
        if (attribute->values[i] == INT32_MIN) {
            continue;
        }
        for (size_t b = 0; b < attribute->name.size; b++) {
            hash = stir(hash, (unsigned char)attribute->name.bytes[b]);
        }
        bool text = attribute->kind == LOAM_ATTRIBUTE_STRING;
        loam_text value = text ? attribute->texts[attribute->values[i]] : (loam_text){"", 0};
        hash = stir(hash, text ? value.size : (uint64_t)attribute->values[i]);
        for (size_t b = 0; b < value.size; b++) {
            hash = stir(hash, (unsigned char)value.bytes[b]);
        }
    }
    return hash;
}

static uint64_t rest_of(const loam_points *points, uint32_t i) {
    uint64_t hash = stir(17, (uint64_t)points->y[i]);
    hash = stir(hash, points->yaw[i]);
    hash = stir(hash, (uint64_t)points->pitch[i]);
    hash = stir(hash, (uint64_t)points->roll[i]);
    hash = stir(hash, points->scale_x[i]);
    hash = stir(hash, points->scale_y[i]);
    hash = stir(hash, points->scale_z[i]);
    hash = stir(hash, points->density[i]);
    loam_text name = points->palette[points->asset[i]];
    for (size_t b = 0; b < name.size; b++) {
        hash = stir(hash, (unsigned char)name.bytes[b]);
    }
    return stir_attributes(hash, points, i);
}

void union_add(point_union *all, const loam_points *points) {
    uint32_t needed = all->count + points->count;
    if (needed > all->capacity) {
        all->capacity = needed * 2;
        all->points = realloc(all->points, all->capacity * sizeof *all->points);
        if (all->points == NULL) {
            abort();
        }
    }
    for (uint32_t i = 0; i < points->count; i++) {
        all->points[all->count++] =
            (union_point){points->rect.x0 + points->x[i], points->rect.z0 + points->z[i],
                          points->id[i], rest_of(points, i)};
    }
}

static int compare(const void *a, const void *b) {
    const union_point *p = a, *q = b;
    if (p->z != q->z) {
        return p->z < q->z ? -1 : 1;
    }
    if (p->x != q->x) {
        return p->x < q->x ? -1 : 1;
    }
    return (p->id > q->id) - (p->id < q->id);
}

void union_sort(point_union *all) {
    if (all->count > 0) {
        qsort(all->points, all->count, sizeof *all->points, compare);
    }
}

int64_t union_difference(const point_union *a, const point_union *b) {
    for (uint32_t i = 0; i < a->count && i < b->count; i++) {
        if (compare(&a->points[i], &b->points[i]) != 0 || a->points[i].rest != b->points[i].rest) {
            return i;
        }
    }
    return a->count == b->count ? -1 : (int64_t)(a->count < b->count ? a->count : b->count);
}

int64_t union_distance_squared(const point_union *all, int64_t at_most_units) {
    int64_t best = INT64_MAX;
    for (uint32_t i = 0; i < all->count; i++) {
        for (uint32_t j = i + 1; j < all->count; j++) {
            int64_t dz = all->points[j].z - all->points[i].z;
            int64_t dx = all->points[j].x - all->points[i].x;
            if (dz > at_most_units) {
                break;
            }
            best = dx * dx + dz * dz < best ? dx * dx + dz * dz : best;
        }
    }
    return best;
}

void union_fini(point_union *all) {
    free(all->points);
    *all = (point_union){0};
}
