/* SPDX-License-Identifier: MIT
 *
 * stage_cache.c: a hash table with chains and a list in order of use, under one lock. Keys are
 * hashed and bytes are copied outside of it.
 */
#include "api/key/stage_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Buckets for stages of this size on average; one large stage does not push out all others. */
enum { ENTRY_BYTES_TYPICAL = 16384, BUCKETS_MIN = 64, LARGE_SHARE = 4 };

typedef struct stage_entry {
    struct stage_entry *chain, *newer, *older;
    digest key;
    uint32_t readers;
    bool dropped; /* no longer in the table: the last reader frees it */
    size_t size;
    unsigned char bytes[];
} stage_entry;

struct stage_cache {
    pthread_mutex_t lock;
    loam_stages stages;
    uint64_t bytes_max, bucket_count;
    stage_counts counts;
    stage_entry *newest, *oldest;
    stage_entry *buckets[];
};

static stage_entry **bucket_of(stage_cache *cache, const digest *key) {
    uint64_t hash;
    memcpy(&hash, key->bytes, sizeof hash);
    return &cache->buckets[hash % cache->bucket_count];
}

static uint64_t entry_bytes(size_t size) {
    return sizeof(stage_entry) + size;
}

/* ---- Under the lock ------------------------------------------------------------------------- */

static void list_remove(stage_cache *cache, stage_entry *entry) {
    *(entry->newer == NULL ? &cache->newest : &entry->newer->older) = entry->older;
    *(entry->older == NULL ? &cache->oldest : &entry->older->newer) = entry->newer;
}

static void list_push(stage_cache *cache, stage_entry *entry) {
    entry->newer = NULL;
    entry->older = cache->newest;
    *(cache->newest == NULL ? &cache->oldest : &cache->newest->newer) = entry;
    cache->newest = entry;
}

static stage_entry *entry_find(stage_cache *cache, const digest *key) {
    stage_entry *entry = *bucket_of(cache, key);
    while (entry != NULL && !digest_equal(&entry->key, key)) {
        entry = entry->chain;
    }
    return entry;
}

static void entry_drop(stage_cache *cache, stage_entry *entry) {
    stage_entry **link = bucket_of(cache, &entry->key);
    while (*link != entry) {
        link = &(*link)->chain;
    }
    *link = entry->chain;
    list_remove(cache, entry);
    cache->counts.bytes -= entry_bytes(entry->size);
    cache->counts.count--;
    entry->dropped = true;
    if (entry->readers == 0) {
        free(entry);
    }
}

static void entry_add(stage_cache *cache, stage_entry *entry) {
    while (cache->counts.bytes + entry_bytes(entry->size) > cache->bytes_max) {
        entry_drop(cache, cache->oldest);
    }
    stage_entry **bucket = bucket_of(cache, &entry->key);
    entry->chain = *bucket;
    *bucket = entry;
    list_push(cache, entry);
    cache->counts.bytes += entry_bytes(entry->size);
    cache->counts.count++;
}

/* ---- What evaluations call ------------------------------------------------------------------ */

static bool find(void *context, loam_text key, loam_stage *stage) {
    stage_cache *cache = context;
    const digest name = digest_of(key.bytes, key.size);
    pthread_mutex_lock(&cache->lock);
    stage_entry *entry = entry_find(cache, &name);
    if (entry != NULL) {
        cache->counts.hits++;
        entry->readers++;
        list_remove(cache, entry);
        list_push(cache, entry);
    } else {
        cache->counts.misses++;
    }
    pthread_mutex_unlock(&cache->lock);
    if (entry != NULL) {
        *stage = (loam_stage){entry->bytes, entry->size, entry};
    }
    return entry != NULL;
}

static void release(void *context, const loam_stage *stage) {
    stage_cache *cache = context;
    stage_entry *entry = stage->owner;
    pthread_mutex_lock(&cache->lock);
    entry->readers--;
    const bool last = entry->dropped && entry->readers == 0;
    pthread_mutex_unlock(&cache->lock);
    if (last) {
        free(entry);
    }
}

/* Two threads may have computed one stage: the first is kept, unless it was damaged. */
static void keep(void *context, loam_text key, loam_text bytes) {
    stage_cache *cache = context;
    if (entry_bytes(bytes.size) > cache->bytes_max / LARGE_SHARE) {
        return;
    }
    stage_entry *made = malloc(sizeof *made + bytes.size);
    if (made == NULL) {
        return; /* without a place for it every cell computes it, as right as before */
    }
    *made = (stage_entry){.key = digest_of(key.bytes, key.size), .size = bytes.size};
    memcpy(made->bytes, bytes.bytes, bytes.size);
    pthread_mutex_lock(&cache->lock);
    stage_entry *there = entry_find(cache, &made->key);
    const bool same = there != NULL && there->size == made->size &&
                      memcmp(there->bytes, made->bytes, made->size) == 0;
    if (there != NULL && !same) {
        entry_drop(cache, there);
    }
    if (!same) {
        entry_add(cache, made);
    }
    pthread_mutex_unlock(&cache->lock);
    if (same) {
        free(made);
    }
}

/* ---- Life ----------------------------------------------------------------------------------- */

stage_cache *stage_cache_create(uint64_t bytes_max) {
    uint64_t buckets = BUCKETS_MIN;
    while (buckets * ENTRY_BYTES_TYPICAL < bytes_max) {
        buckets *= 2;
    }
    stage_cache *cache = calloc(1, sizeof *cache + buckets * sizeof cache->buckets[0]);
    if (cache == NULL || pthread_mutex_init(&cache->lock, NULL) != 0) {
        free(cache);
        return NULL;
    }
    cache->bytes_max = bytes_max;
    cache->bucket_count = buckets;
    cache->stages = (loam_stages){find, release, keep, cache};
    return cache;
}

void stage_cache_destroy(stage_cache *cache) {
    if (cache == NULL) {
        return;
    }
    while (cache->oldest != NULL) {
        entry_drop(cache, cache->oldest);
    }
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

const loam_stages *stage_cache_stages(const stage_cache *cache) {
    return &cache->stages;
}

stage_counts stage_cache_counts(stage_cache *cache) {
    pthread_mutex_lock(&cache->lock);
    const stage_counts counts = cache->counts;
    pthread_mutex_unlock(&cache->lock);
    return counts;
}
