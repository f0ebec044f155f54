/* SPDX-License-Identifier: MIT
 *
 * areas_key.c: what a rectangle sees of areas, as bytes of a build key. Entries are ordered by what
 * they are, never by where a polygon stands in its document; edges count from their lower end. So
 * the bytes change when an answer could, and stay when nothing within reach has moved.
 */
#include "core/base/index_sort.h"
#include "core/base/try.h"
#include "core/space/areas_parts.h"

/* The entries of one key. */
typedef struct key_entries {
    const loam_areas_source *normal;
    area_near near;
    bool with_feature_keys;
} key_entries;

static int number_compare(int64_t a, int64_t b) {
    return (a > b) - (a < b);
}

static int edges_compare(const area_edge *a, const area_edge *b, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        int order = number_compare(a[i].z0, b[i].z0);
        order = order != 0 ? order : number_compare(a[i].x0, b[i].x0);
        order = order != 0 ? order : number_compare(a[i].z1, b[i].z1);
        order = order != 0 ? order : number_compare(a[i].x1, b[i].x1);
        if (order != 0) {
            return order;
        }
    }
    return 0;
}

static uint64_t entry_feature_key(const key_entries *entries, const area_patch *patch) {
    return entries->normal->features[patch->feature].key;
}

static int entry_compare(const void *context, uint32_t a, uint32_t b) {
    const key_entries *entries = context;
    const area_patch *pa = &entries->near.patches[a];
    const area_patch *pb = &entries->near.patches[b];
    int order = 0;
    if (entries->with_feature_keys) {
        uint64_t ka = entry_feature_key(entries, pa);
        uint64_t kb = entry_feature_key(entries, pb);
        order = (ka > kb) - (ka < kb);
    }
    order = order != 0 ? order : number_compare(pa->margin, pb->margin);
    order = order != 0 ? order : number_compare(pa->width, pb->width);
    order = order != 0 ? order : number_compare(pa->corner, pb->corner);
    order = order != 0 ? order : number_compare(pa->edge_count, pb->edge_count);
    const area_edge *edges = entries->near.edges;
    return order != 0
               ? order
               : edges_compare(edges + pa->edge_first, edges + pb->edge_first, pa->edge_count);
}

static void entry_write(byte_writer *writer, const key_entries *entries, const area_patch *patch) {
    if (entries->with_feature_keys) {
        write_u64(writer, entry_feature_key(entries, patch));
    }
    write_i64(writer, patch->margin);
    write_i64(writer, patch->width);
    write_u8(writer, patch->corner);
    write_u32(writer, patch->edge_count);
    for (uint32_t i = 0; i < patch->edge_count; i++) {
        const area_edge *edge = &entries->near.edges[patch->edge_first + i];
        write_i64(writer, edge->x0);
        write_i64(writer, edge->z0);
        write_i64(writer, edge->x1);
        write_i64(writer, edge->z1);
    }
}

/* Keeps the first of equal neighbours; returns how many are left. */
static uint32_t entries_thin(const key_entries *entries, uint32_t *order, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (kept == 0 || entry_compare(entries, order[kept - 1], order[i]) != 0) {
            order[kept++] = order[i];
        }
    }
    return kept;
}

static loam_status entries_write(byte_writer *writer, const key_entries *entries,
                                 loam_arena *scratch) {
    uint32_t count = entries->near.patch_count;
    uint32_t *order = loam_arena_take(scratch, count, sizeof *order);
    uint32_t *spare = loam_arena_take(scratch, count, sizeof *spare);
    if (order == NULL || spare == NULL) {
        return LOAM_ARENA_FULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
    }
    index_sort(order, spare, count, entry_compare, entries);
    count = entries_thin(entries, order, count);
    write_u32(writer, count);
    for (uint32_t i = 0; i < count; i++) {
        entry_write(writer, entries, &entries->near.patches[order[i]]);
    }
    return LOAM_OK;
}

loam_status areas_key_write(byte_writer *writer, const loam_areas *areas, const areas_view *view,
                            loam_rect rect, bool with_feature_keys, loam_arena *scratch) {
    if (rect.x0 >= rect.x1 || rect.z0 >= rect.z1) {
        write_u32(writer, 0);
        return LOAM_OK;
    }
    size_t mark = loam_arena_mark(scratch);
    key_entries entries = {.normal = &areas->normal, .with_feature_keys = with_feature_keys};
    area_box box = area_rect_box(rect);
    loam_status status = area_near_collect(areas, view, &box, scratch, &entries.near);
    if (status == LOAM_OK) {
        status = entries_write(writer, &entries, scratch);
    }
    loam_arena_reset(scratch, mark);
    return status;
}
