/* SPDX-License-Identifier: MIT
 *
 * ram_cache.c: a hash table with chains, and a list in order of use.
 */
#include "server/slot/ram_cache.h"

#include <stdlib.h>

/* Buckets for each entry of this average size. */
enum { ENTRY_BYTES_TYPICAL = 4096, BUCKETS_MAX = 1 << 20, LARGE_SHARE = 8 };

typedef struct ram_entry {
    struct ram_entry *chain;
    struct ram_entry *newer;
    struct ram_entry *older;
    answer_name name;
    ram_answer answer;
    uint64_t bytes;
} ram_entry;

struct ram_cache {
    uint64_t bytes;
    uint64_t bytes_max;
    uint32_t count;
    uint64_t bucket_mask;
    ram_entry *newest;
    ram_entry *oldest;
    ram_entry *buckets[];
};

ram_cache *ram_cache_create(uint64_t bytes_max) {
    uint64_t buckets = 256;
    while (buckets * ENTRY_BYTES_TYPICAL < bytes_max && buckets < BUCKETS_MAX) {
        buckets *= 2;
    }
    ram_cache *cache = calloc(1, sizeof *cache + buckets * sizeof cache->buckets[0]);
    if (cache != NULL) {
        cache->bytes_max = bytes_max;
        cache->bucket_mask = buckets - 1;
    }
    return cache;
}

static ram_entry **find_bucket(ram_cache *cache, const answer_name *name) {
    uint64_t variant = (uint64_t)name->view << 32 | name->coding << 1 | name->alias;
    return &cache->buckets[mix_pair(result_hash(&name->of), variant) & cache->bucket_mask];
}

static void list_remove(ram_cache *cache, ram_entry *entry) {
    *(entry->newer == NULL ? &cache->newest : &entry->newer->older) = entry->older;
    *(entry->older == NULL ? &cache->oldest : &entry->older->newer) = entry->newer;
}

static void list_push(ram_cache *cache, ram_entry *entry) {
    entry->newer = NULL;
    entry->older = cache->newest;
    *(cache->newest == NULL ? &cache->oldest : &cache->newest->newer) = entry;
    cache->newest = entry;
}

static void entry_drop(ram_cache *cache, ram_entry *entry) {
    ram_entry **link = find_bucket(cache, &entry->name);
    while (*link != entry) {
        link = &(*link)->chain;
    }
    *link = entry->chain;
    list_remove(cache, entry);
    cache->bytes -= entry->bytes;
    cache->count--;
    http_response_release(entry->answer.full);
    http_response_release(entry->answer.not_modified);
    free(entry);
}

void ram_cache_destroy(ram_cache *cache) {
    while (cache != NULL && cache->oldest != NULL) {
        entry_drop(cache, cache->oldest);
    }
    free(cache);
}

static ram_entry *find_entry(ram_cache *cache, const answer_name *name) {
    ram_entry *entry = *find_bucket(cache, name);
    while (entry != NULL && memcmp(&entry->name, name, sizeof *name) != 0) {
        entry = entry->chain;
    }
    return entry;
}

const ram_answer *ram_cache_find(ram_cache *cache, const answer_name *name) {
    ram_entry *entry = find_entry(cache, name);
    if (entry == NULL) {
        return NULL;
    }
    if (entry != cache->newest) {
        list_remove(cache, entry);
        list_push(cache, entry);
    }
    entry->answer.hits++;
    return &entry->answer;
}

bool ram_answer_is_due(const ram_answer *answer) {
    return answer->hits % TOUCH_HITS == 1;
}

void ram_cache_add(ram_cache *cache, const answer_name *name, const ram_answer *answer) {
    uint64_t bytes = sizeof(ram_entry) + http_response_bytes(answer->full) +
                     http_response_bytes(answer->not_modified);
    if (bytes > cache->bytes_max / LARGE_SHARE || find_entry(cache, name) != NULL) {
        return;
    }
    ram_entry *entry = calloc(1, sizeof *entry);
    if (entry == NULL) {
        return; /* a cache that cannot keep an answer is still right */
    }
    while (cache->bytes + bytes > cache->bytes_max) {
        entry_drop(cache, cache->oldest);
    }
    entry->name = *name;
    entry->answer = *answer;
    entry->bytes = bytes;
    http_response_retain(answer->full);
    http_response_retain(answer->not_modified);
    ram_entry **bucket = find_bucket(cache, name);
    entry->chain = *bucket;
    *bucket = entry;
    list_push(cache, entry);
    cache->bytes += bytes;
    cache->count++;
}

uint64_t ram_cache_bytes(const ram_cache *cache) {
    return cache->bytes;
}

uint32_t ram_cache_count(const ram_cache *cache) {
    return cache->count;
}
