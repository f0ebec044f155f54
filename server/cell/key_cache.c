/* SPDX-License-Identifier: MIT
 *
 * key_cache.c: see key_cache.h.
 */
#include "server/cell/key_cache.h"

#include <stdlib.h>

enum { SET_WAYS = 4 };

typedef struct key_entry {
    result_name name;
    cell_keys keys;
    uint64_t used; /* 0: empty */
} key_entry;

struct key_cache {
    uint64_t set_mask;
    uint64_t clock;
    key_entry entries[];
};

key_cache *key_cache_create(uint32_t entries) {
    uint64_t sets = 1;
    while (sets * SET_WAYS < entries) {
        sets *= 2;
    }
    key_cache *cache = calloc(1, sizeof *cache + sets * SET_WAYS * sizeof(key_entry));
    if (cache != NULL) {
        cache->set_mask = sets - 1;
    }
    return cache;
}

void key_cache_destroy(key_cache *cache) {
    free(cache);
}

static key_entry *find_set(key_cache *cache, const result_name *name) {
    return &cache->entries[(result_hash(name) & cache->set_mask) * SET_WAYS];
}

bool key_cache_find(key_cache *cache, const cell_address *place, cell_keys *keys) {
    const result_name name = result_of_address(place);
    key_entry *set = find_set(cache, &name);
    for (int way = 0; way < SET_WAYS; way++) {
        if (set[way].used != 0 && result_equal(&set[way].name, &name)) {
            set[way].used = ++cache->clock;
            *keys = set[way].keys;
            return true;
        }
    }
    return false;
}

void key_cache_add(key_cache *cache, const cell_address *place, const cell_keys *keys) {
    const result_name name = result_of_address(place);
    key_entry *set = find_set(cache, &name);
    key_entry *oldest = set;
    for (int way = 0; way < SET_WAYS; way++) {
        if (set[way].used != 0 && result_equal(&set[way].name, &name)) {
            oldest = &set[way];
            break;
        }
        if (set[way].used < oldest->used) {
            oldest = &set[way];
        }
    }
    *oldest = (key_entry){.name = name, .keys = *keys, .used = ++cache->clock};
}
