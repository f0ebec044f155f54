/* SPDX-License-Identifier: MIT
 *
 * ram_cache.h: answers that are ready to be sent, with their headers, and the 304 to each. Bounded
 * in bytes; the least recently used give way. Network thread only: the hit path takes no lock.
 *
 * Invariant: an answer is immutable; it may still be under way to a client when it is dropped here,
 * for it is counted.
 */
#ifndef LOAM_SERVER_SLOT_RAM_CACHE_H
#define LOAM_SERVER_SLOT_RAM_CACHE_H

#include "api/key/key.h"
#include "server/http/http.h"
#include "server/slot/result_name.h"

/* Which representation of which result. */
typedef struct answer_name {
    result_name of;
    uint32_t view;   /* of its kind: their ranges do not meet */
    uint32_t coding; /* content_coding */
    uint64_t alias;  /* 1: asked for without its revision */
} answer_name;

_Static_assert(sizeof(answer_name) == 48, "hashed as bytes: no padding");

/* A quoted digest, terminated. */
enum { ETAG_BYTES = DIGEST_TEXT_SIZE + 3 };
/* The first hit and every so many further ones are due to be told to the store, which would else
 * think the result forgotten. */
enum { TOUCH_HITS = 64 };

typedef struct ram_answer {
    http_response *full;
    http_response *not_modified;
    char etag[ETAG_BYTES];
    digest key;    /* of the result behind it */
    uint32_t hits; /* the cache's own */
} ram_answer;

typedef struct ram_cache ram_cache;

/* Owned; NULL when memory is short. */
LOAM_MUST_USE ram_cache *ram_cache_create(uint64_t bytes_max);
void ram_cache_destroy(ram_cache *cache);
/* Borrowed until the next ram_cache_add; NULL when it is not there. */
const ram_answer *ram_cache_find(ram_cache *cache, const answer_name *name);
/* Whether the hit just found is one to tell the store of. */
bool ram_answer_is_due(const ram_answer *answer);
/* Retains both responses. What would take more than an eighth of the cache is not kept, so that one
 * large answer does not push out all others. */
void ram_cache_add(ram_cache *cache, const answer_name *name, const ram_answer *answer);
uint64_t ram_cache_bytes(const ram_cache *cache);
uint32_t ram_cache_count(const ram_cache *cache);

#endif
