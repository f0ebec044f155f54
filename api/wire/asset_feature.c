/* SPDX-License-Identifier: MIT
 *
 * asset_feature.c: see asset_feature.h.
 */
#include "api/wire/asset_feature.h"

#include "api/wire/asset_scan.h"
#include "core/base/bytes.h"
#include "core/base/mix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Domains of the two kinds of key: an id and a vertex never meet. Pinned: part of every key. */
#define FEATURE_ID_DOMAIN 0x6c6f616d2d696400u
#define FEATURE_VERTEX_DOMAIN 0x6c6f616d2d787a00u

/* Digits that tell any two binary64 apart. */
enum { NUMBER_DIGITS_MAX = 17 };

static bool is_integer_text(loam_text token) {
    for (size_t i = 0; i < token.size; i++) {
        if (token.bytes[i] != '-' && (token.bytes[i] < '0' || token.bytes[i] > '9')) {
            return false;
        }
    }
    return true;
}

/* The shortest digits that read back as the same number. */
static size_t print_shortest(double number, char *text) {
    for (int digits = 1; digits < NUMBER_DIGITS_MAX; digits++) {
        int size = snprintf(text, FEATURE_NUMBER_BYTES, "%.*g", digits, number);
        if (strtod(text, NULL) == number) {
            return (size_t)size;
        }
    }
    return (size_t)snprintf(text, FEATURE_NUMBER_BYTES, "%.*g", NUMBER_DIGITS_MAX, number);
}

static bool is_whole(double number) {
    double magnitude = number < 0 ? -number : number;
    return magnitude >= 0x1p53 || (double)(int64_t)number == number;
}

size_t feature_number_text(double number, char *text) {
    number += 0.0; /* -0 becomes 0 */
    if (!(number - number == 0)) {
        return 0;
    }
    return is_whole(number) ? (size_t)snprintf(text, FEATURE_NUMBER_BYTES, "%.0f", number)
                            : print_shortest(number, text);
}

static bool key_of_number(loam_text token, uint64_t *key) {
    char text[FEATURE_NUMBER_BYTES];
    bool negative_zero = token.size == 2 && token.bytes[0] == '-' && token.bytes[1] == '0';
    if (is_integer_text(token) && !negative_zero) {
        *key = mix_bytes(FEATURE_ID_DOMAIN, token.bytes, token.size);
        return true;
    }
    size_t size = feature_number_text(scan_number(token), text);
    *key = mix_bytes(FEATURE_ID_DOMAIN, text, size);
    return size > 0;
}

uint64_t feature_key_of_text(loam_text id) {
    return mix_bytes(FEATURE_ID_DOMAIN, id.bytes, id.size);
}

bool feature_key_of_id(const char *value, uint64_t *key) {
    const char *at = value;
    loam_text token = scan_token(&at);
    if (scan_kind_of(value) == SCAN_NUMBER) {
        return key_of_number(token, key);
    }
    if (memchr(token.bytes, '\\', token.size) == NULL) {
        *key = feature_key_of_text(token);
        return true;
    }
    char *plain = malloc(token.size);
    if (plain == NULL) {
        return false;
    }
    *key = mix_bytes(FEATURE_ID_DOMAIN, plain, scan_unescape(token, plain));
    free(plain);
    return true;
}

uint64_t feature_key_of_vertex(int64_t x, int64_t z) {
    unsigned char bytes[16];
    put_u64(bytes, (uint64_t)x);
    put_u64(bytes + 8, (uint64_t)z);
    return mix_bytes(FEATURE_VERTEX_DOMAIN, bytes, sizeof bytes);
}

/* ---- Ties ---------------------------------------------------------------------------------- */

/* One feature in the order of keys: equal features stand side by side. */
typedef struct entry {
    uint64_t key;
    uint64_t content;
    uint32_t feature;
    uint32_t polygon; /* its first */
    uint32_t polygon_count;
    bool repeated;
} entry;

static uint64_t ring_hash(uint64_t hash, const loam_ring *ring) {
    hash = mix_pair(hash, ring->count);
    for (size_t i = 0; i < 2 * (size_t)ring->count; i++) {
        hash = mix_pair(hash, (uint64_t)ring->xz[i]);
    }
    return hash;
}

static void fill_entries(const feature_set *set, entry *entries) {
    for (uint32_t i = 0; i < set->feature_count; i++) {
        const loam_area_feature *feature = &set->features[i];
        uint64_t content = mix_pair((uint64_t)feature->margin, (uint64_t)feature->buffer);
        entries[i] = (entry){.key = feature->key, .content = content, .feature = i};
    }
    for (uint32_t i = 0; i < set->polygon_count; i++) {
        const loam_polygon *polygon = &set->polygons[i];
        entry *owner = &entries[polygon->feature];
        owner->polygon = owner->polygon_count == 0 ? i : owner->polygon;
        owner->polygon_count++;
        owner->content = mix_pair(owner->content, polygon->ring_count);
        for (uint32_t r = 0; r < polygon->ring_count; r++) {
            owner->content = ring_hash(owner->content, &polygon->rings[r]);
        }
    }
}

static int compare_entries(const void *left, const void *right) {
    const entry *a = left;
    const entry *b = right;
    if (a->key != b->key) {
        return a->key < b->key ? -1 : 1;
    }
    if (a->content != b->content) {
        return a->content < b->content ? -1 : 1;
    }
    return (a->feature > b->feature) - (a->feature < b->feature);
}

static bool equal_polygons(const loam_polygon *a, const loam_polygon *b) {
    if (a->ring_count != b->ring_count) {
        return false;
    }
    for (uint32_t i = 0; i < a->ring_count; i++) {
        if (a->rings[i].count != b->rings[i].count ||
            memcmp(a->rings[i].xz, b->rings[i].xz,
                   2 * (size_t)a->rings[i].count * sizeof *a->rings[i].xz) != 0) {
            return false;
        }
    }
    return true;
}

static bool equal_features(const feature_set *set, const entry *a, const entry *b) {
    const loam_area_feature *first = &set->features[a->feature];
    const loam_area_feature *second = &set->features[b->feature];
    if (first->margin != second->margin || first->buffer != second->buffer ||
        a->polygon_count != b->polygon_count) {
        return false;
    }
    for (uint32_t i = 0; i < a->polygon_count; i++) {
        if (!equal_polygons(&set->polygons[a->polygon + i], &set->polygons[b->polygon + i])) {
            return false;
        }
    }
    return true;
}

static void mark_repeated(const feature_set *set, entry *entries) {
    for (uint32_t i = 1; i < set->feature_count; i++) {
        const entry *before = &entries[i - 1];
        entries[i].repeated = before->key == entries[i].key &&
                              before->content == entries[i].content &&
                              equal_features(set, before, &entries[i]);
    }
}

/* The next entry that is not repeated, or the end. */
static uint32_t next_distinct(const feature_set *set, const entry *entries, uint32_t at) {
    do {
        at++;
    } while (at < set->feature_count && entries[at].repeated);
    return at;
}

static void mix_ties(feature_set *set, const entry *entries) {
    uint32_t before = UINT32_MAX;
    for (uint32_t at = 0; at < set->feature_count;) {
        uint32_t after = next_distinct(set, entries, at);
        bool tied = (before != UINT32_MAX && entries[before].key == entries[at].key) ||
                    (after < set->feature_count && entries[after].key == entries[at].key);
        if (tied) {
            const int64_t *xz = set->polygons[entries[at].polygon].rings[0].xz;
            set->features[entries[at].feature].key =
                mix_pair(entries[at].key, feature_key_of_vertex(xz[0], xz[1]));
        }
        before = at;
        at = after;
    }
}

/* Closes the gaps that repeated features leave. */
static void compact(feature_set *set, const bool *repeated, uint32_t *renamed) {
    uint32_t features = 0;
    uint32_t polygons = 0;
    for (uint32_t i = 0; i < set->feature_count; i++) {
        renamed[i] = features;
        if (!repeated[i]) {
            set->features[features] = set->features[i];
            set->places[features++] = set->places[i];
        }
    }
    for (uint32_t i = 0; i < set->polygon_count; i++) {
        if (!repeated[set->polygons[i].feature]) {
            set->polygons[polygons] = set->polygons[i];
            set->polygons[polygons].feature = renamed[set->polygons[i].feature];
            polygons++;
        }
    }
    set->feature_count = features;
    set->polygon_count = polygons;
}

loam_status features_settle(feature_set *set, loam_error *error) {
    size_t count = (size_t)set->feature_count + 1;
    entry *entries = calloc(count, sizeof *entries);
    bool *repeated = calloc(count, sizeof *repeated);
    uint32_t *renamed = calloc(count, sizeof *renamed);
    loam_status status = LOAM_OK;
    if (entries == NULL || repeated == NULL || renamed == NULL) {
        status = loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for the features");
    } else {
        fill_entries(set, entries);
        qsort(entries, set->feature_count, sizeof *entries, compare_entries);
        mark_repeated(set, entries);
        mix_ties(set, entries);
        for (uint32_t i = 0; i < set->feature_count; i++) {
            repeated[entries[i].feature] = entries[i].repeated;
        }
        compact(set, repeated, renamed);
    }
    free(entries);
    free(repeated);
    free(renamed);
    return status;
}
