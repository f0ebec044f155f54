/* SPDX-License-Identifier: MIT
 *
 * stage_cache.h: a place in memory where stages of evaluations are kept (loam_stages), for any
 * number of threads and worlds. Bounded in bytes; the least recently used give way. A stage is
 * known by the digest of its key.
 *
 * Invariant: kept bytes never change; a stage that an evaluation still reads outlives its place
 * here, for it is counted.
 */
#ifndef LOAM_API_KEY_STAGE_CACHE_H
#define LOAM_API_KEY_STAGE_CACHE_H

#include "api/key/key.h"

/* Bytes of kept stages: some hundred sources of copies or layouts of roads, or twenty rectangles of
 * 100,000 points, beside a gigabyte that one worker may take. */
#define STAGE_CACHE_BYTES_MAX ((uint64_t)64 << 20)

typedef struct stage_cache stage_cache;

/* Owned; NULL when memory is short. */
LOAM_MUST_USE stage_cache *stage_cache_create(uint64_t bytes_max);
/* No evaluation may use it any more. */
void stage_cache_destroy(stage_cache *cache);
/* What an evaluation is given; borrowed from the cache. */
const loam_stages *stage_cache_stages(const stage_cache *cache);

typedef struct stage_counts {
    uint64_t hits, misses; /* looked for and found, or not */
    uint64_t bytes;
    uint32_t count;
} stage_counts;
stage_counts stage_cache_counts(stage_cache *cache);

#endif
