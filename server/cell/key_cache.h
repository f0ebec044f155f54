/* SPDX-License-Identifier: MIT
 *
 * key_cache.h: the keys of cells that were asked for lately, so that a look-up does not need the
 * assets again. A fixed table of small sets; in a full set the least recently used gives way.
 * Network thread only.
 *
 * Invariant: a revision never changes, so an entry is never wrong, only forgotten.
 */
#ifndef LOAM_SERVER_CELL_KEY_CACHE_H
#define LOAM_SERVER_CELL_KEY_CACHE_H

#include "api/key/key.h"
#include "server/cell/cell_address.h"

/* The build key of a cell, and the key of its checks (zeros when it has none). */
typedef struct cell_keys {
    digest build;
    digest check;
} cell_keys;

typedef struct key_cache key_cache;

/* Room for at least `entries`. Owned; NULL when memory is short. */
LOAM_MUST_USE key_cache *key_cache_create(uint32_t entries);
void key_cache_destroy(key_cache *cache);
bool key_cache_find(key_cache *cache, const cell_address *place, cell_keys *keys);
void key_cache_add(key_cache *cache, const cell_address *place, const cell_keys *keys);

#endif
