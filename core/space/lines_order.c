/* SPDX-License-Identifier: MIT
 *
 * lines_order.c: one order for lines that are the same, whatever their document's, and a key of its
 * own for each. Lines of one key (the parts of a MultiLineString, or features with the same id) get
 * their first vertex mixed in, and the next ones as long as they are still alike: so what depends
 * on a key stays put when something far along the line changes.
 */
#include "core/base/index_sort.h"
#include "core/base/mix.h"
#include "core/base/try.h"
#include "core/space/lines_parts.h"

/* Pinned: part of every key that a tie makes. */
#define LINE_TIE_DOMAIN 0x6c6f616d2d746965u

static int number_compare(int64_t a, int64_t b) {
    return (a > b) - (a < b);
}

int line_part_compare(const line_part *a, const line_part *b, uint32_t *common) {
    uint32_t both = a->count < b->count ? a->count : b->count;
    uint32_t at = 0;
    while (at < both && a->xz[2 * (size_t)at] == b->xz[2 * (size_t)at] &&
           a->xz[2 * (size_t)at + 1] == b->xz[2 * (size_t)at + 1]) {
        at++;
    }
    if (common != NULL) {
        *common = at;
    }
    if (at == both) {
        return number_compare(a->count, b->count);
    }
    const int64_t *va = a->xz + 2 * (size_t)at;
    const int64_t *vb = b->xz + 2 * (size_t)at;
    return va[1] != vb[1] ? number_compare(va[1], vb[1]) : number_compare(va[0], vb[0]);
}

static int part_compare(const void *context, uint32_t a, uint32_t b) {
    const line_part *parts = context;
    if (parts[a].key != parts[b].key) {
        return parts[a].key < parts[b].key ? -1 : 1;
    }
    return line_part_compare(&parts[a], &parts[b], NULL);
}

/* Keeps the first of equal neighbours; returns how many are left. */
static uint32_t parts_thin(const line_part *parts, uint32_t *order, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (kept == 0 || part_compare(parts, order[kept - 1], order[i]) != 0) {
            order[kept++] = order[i];
        }
    }
    return kept;
}

static uint64_t key_mix(const line_part *part, uint32_t vertices) {
    uint64_t key = mix_pair(LINE_TIE_DOMAIN, part->key);
    for (uint32_t i = 0; i < vertices && i < part->count; i++) {
        key = mix_pair(key, (uint64_t)part->xz[2 * (size_t)i]);
        key = mix_pair(key, (uint64_t)part->xz[2 * (size_t)i + 1]);
    }
    return key;
}

/* How many first vertices set neighbours in order apart; 0 for parts of different keys. */
static uint32_t tie_depth(const line_part *a, const line_part *b) {
    uint32_t common = 0;
    if (a->key != b->key) {
        return 0;
    }
    (void)line_part_compare(a, b, &common);
    return common + 1;
}

/* A part's new key takes the depth of both neighbours, so old keys are read before any changes. */
static void ties_mix(line_part *parts, const uint32_t *order, uint32_t count) {
    uint32_t before = 0;
    for (uint32_t i = 0; i < count; i++) {
        line_part *part = &parts[order[i]];
        uint32_t after = i + 1 < count ? tie_depth(part, &parts[order[i + 1]]) : 0;
        uint32_t depth = before > after ? before : after;
        before = after;
        if (depth > 0) {
            part->key = key_mix(part, depth);
        }
    }
}

loam_status line_parts_order(line_part *parts, uint32_t count, bool settled, uint32_t *order,
                             uint32_t *kept, loam_arena *scratch) {
    uint32_t *spare = loam_arena_take(scratch, count, sizeof *spare);
    LOAM_TRY_MEMORY(spare, NULL);
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
    }
    index_sort(order, spare, count, part_compare, parts);
    *kept = parts_thin(parts, order, count);
    if (!settled) {
        ties_mix(parts, order, *kept);
        index_sort(order, spare, *kept, part_compare, parts);
    }
    return LOAM_OK;
}
