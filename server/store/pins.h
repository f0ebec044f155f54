/* SPDX-License-Identifier: MIT
 *
 * pins.h: which results eviction must leave alone, counted per key, in memory. A key is told by its
 * first 64 bits: 16 bytes for each of millions of job results, and two keys that share them only
 * pin each other. A set of its own may be attached, and goes as a whole. Any thread.
 */
#ifndef LOAM_SERVER_STORE_PINS_H
#define LOAM_SERVER_STORE_PINS_H

#include "api/key/key.h"

#include <pthread.h>

typedef struct pin {
    uint64_t prefix;
    uint32_t count; /* 0: an empty place */
} pin;

typedef struct pins {
    pthread_mutex_t mutex;
    pin *places;
    size_t capacity; /* a power of two, or 0 */
    size_t used;
    struct pins *sets; /* attached */
    uint64_t sets_ended;
    struct pins *next; /* of those attached */
} pins;

void pins_init(pins *table);
void pins_fini(pins *table);
/* One pin more; false when there is no memory. */
LOAM_MUST_USE bool pins_add(pins *table, const digest *key);
/* One pin less; nothing when there is none. */
void pins_remove(pins *table, const digest *key);
/* In the table or in a set that is attached to it. */
bool pins_has(pins *table, const digest *key);
/* Pinned keys; one that is in several sets counts in each. */
size_t pins_count(pins *table);

/* From here on the table has what the set has, until the other call. */
void pins_attach(pins *table, pins *set);
void pins_detach(pins *table, pins *set);
/* How many went. */
uint64_t pins_sets_ended(pins *table);

#endif
