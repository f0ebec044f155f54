/* SPDX-License-Identifier: MIT
 *
 * sites_order.c: one order for points that are the same, whatever their document's, and a key of
 * its own for each.
 */
#include "core/base/index_sort.h"
#include "core/base/mix.h"
#include "core/base/try.h"
#include "core/space/sites_parts.h"

/* Pinned: part of every key that a tie makes. */
#define SITE_TIE_DOMAIN 0x6c6f616d2d736974u

static int number_compare(int64_t a, int64_t b) {
    return (a > b) - (a < b);
}

static int place_compare(const loam_site *a, const loam_site *b) {
    int order = number_compare(a->z, b->z);
    return order != 0 ? order : number_compare(a->x, b->x);
}

static int key_compare(const loam_site *a, const loam_site *b) {
    return (a->key > b->key) - (a->key < b->key);
}

static int properties_compare(const site_list *list, uint32_t a, uint32_t b) {
    int order = 0;
    for (uint32_t i = 0; order == 0 && i < list->property_count; i++) {
        order = number_compare(list->properties[i].values[a], list->properties[i].values[b]);
    }
    return order;
}

/* By (z, x, y, key, properties). */
static int site_compare(const void *context, uint32_t a, uint32_t b) {
    const site_list *list = context;
    const loam_site *sa = &list->sites[a];
    const loam_site *sb = &list->sites[b];
    int order = place_compare(sa, sb);
    order = order != 0 ? order : number_compare(sa->y, sb->y);
    order = order != 0 ? order : key_compare(sa, sb);
    return order != 0 ? order : properties_compare(list, a, b);
}

/* By (key, z, x), so that what is tied stands side by side. */
static int tie_compare(const void *context, uint32_t a, uint32_t b) {
    const site_list *list = context;
    int order = key_compare(&list->sites[a], &list->sites[b]);
    return order != 0 ? order : place_compare(&list->sites[a], &list->sites[b]);
}

/* Keeps the first of equal neighbours; returns how many are left. */
static uint32_t sites_thin(const site_list *list, uint32_t *order, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (kept == 0 || site_compare(list, order[kept - 1], order[i]) != 0) {
            order[kept++] = order[i];
        }
    }
    return kept;
}

/* A hash of everything that a point brings, by names: indices of texts say nothing. */
static uint64_t content_hash(const site_list *list, uint32_t site) {
    uint64_t hash = mix_pair(SITE_TIE_DOMAIN, (uint64_t)(int64_t)list->sites[site].y);
    for (uint32_t i = 0; i < list->property_count; i++) {
        const loam_attribute *property = &list->properties[i];
        int32_t value = property->values[site];
        if (value == LOAM_MISSING) {
            continue;
        }
        hash = mix_bytes(hash, property->name.bytes, property->name.size);
        if (property->kind == LOAM_ATTRIBUTE_STRING) {
            hash = mix_bytes(hash, property->texts[value].bytes, property->texts[value].size);
        } else {
            hash = mix_pair(hash, (uint64_t)(int64_t)value);
        }
    }
    return hash;
}

/* How alike neighbours are in order of ties. */
enum { TIE_NONE, TIE_KEY, TIE_PLACE };

static int tie_of(const loam_site *a, const loam_site *b) {
    if (a->key != b->key) {
        return TIE_NONE;
    }
    return place_compare(a, b) == 0 ? TIE_PLACE : TIE_KEY;
}

/* A point is as tied as it is to the nearer neighbour; old keys are read before any changes. */
static void ties_mix(const site_list *list, const uint32_t *order, uint32_t count) {
    int before = TIE_NONE;
    for (uint32_t i = 0; i < count; i++) {
        loam_site *site = &list->sites[order[i]];
        int after = i + 1 < count ? tie_of(site, &list->sites[order[i + 1]]) : TIE_NONE;
        int tie = before > after ? before : after;
        before = after;
        if (tie != TIE_NONE) {
            uint64_t key = mix_pair(SITE_TIE_DOMAIN, site->key);
            key = mix_pair(mix_pair(key, (uint64_t)site->x), (uint64_t)site->z);
            site->key = tie == TIE_PLACE ? mix_pair(key, content_hash(list, order[i])) : key;
        }
    }
}

loam_status sites_order(const site_list *list, uint32_t count, bool settled, uint32_t *order,
                        uint32_t *kept, loam_arena *scratch) {
    uint32_t *spare = loam_arena_take(scratch, count, sizeof *spare);
    LOAM_TRY_MEMORY(spare, NULL);
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
    }
    index_sort(order, spare, count, site_compare, list);
    *kept = sites_thin(list, order, count);
    if (!settled) {
        index_sort(order, spare, *kept, tie_compare, list);
        ties_mix(list, order, *kept);
        index_sort(order, spare, *kept, site_compare, list);
    }
    return LOAM_OK;
}
