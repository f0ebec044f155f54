/* SPDX-License-Identifier: MIT
 *
 * pins.c: open addressing with linear probing; removal moves what follows back, so that there are
 * no tombstones. Keys are SHA-256, their low bits are the hash.
 */
#include "server/store/pins.h"

#include "core/base/bytes.h"

#include <stdlib.h>

enum { PINS_CAPACITY_FIRST = 1024 };

void pins_init(pins *table) {
    *table = (pins){0};
    pthread_mutex_init(&table->mutex, NULL);
}

void pins_fini(pins *table) {
    free(table->places);
    pthread_mutex_destroy(&table->mutex);
}

/* Where the prefix is, or would go. Needs an empty place. */
static size_t find_place(const pin *places, size_t capacity, uint64_t prefix) {
    size_t at = (size_t)prefix & (capacity - 1);
    while (places[at].count > 0 && places[at].prefix != prefix) {
        at = (at + 1) & (capacity - 1);
    }
    return at;
}

static bool grow(pins *table) {
    size_t capacity = table->capacity == 0 ? PINS_CAPACITY_FIRST : table->capacity * 2;
    pin *places = calloc(capacity, sizeof *places);
    if (places == NULL) {
        return false;
    }
    for (size_t i = 0; i < table->capacity; i++) {
        if (table->places[i].count > 0) {
            places[find_place(places, capacity, table->places[i].prefix)] = table->places[i];
        }
    }
    free(table->places);
    table->places = places;
    table->capacity = capacity;
    return true;
}

static bool add_locked(pins *table, uint64_t prefix) {
    bool crowded = table->used + 1 > table->capacity / 4 * 3;
    if (crowded && !grow(table)) {
        return false;
    }
    pin *place = &table->places[find_place(table->places, table->capacity, prefix)];
    if (place->count == UINT32_MAX) {
        return false;
    }
    table->used += place->count == 0;
    *place = (pin){prefix, place->count + 1};
    return true;
}

bool pins_add(pins *table, const digest *key) {
    pthread_mutex_lock(&table->mutex);
    bool added = add_locked(table, get_u64(key->bytes));
    pthread_mutex_unlock(&table->mutex);
    return added;
}

/* Empties a place and lets what probed past it move up. */
static void close_gap(pins *table, size_t gap) {
    size_t mask = table->capacity - 1;
    table->places[gap].count = 0;
    for (size_t at = (gap + 1) & mask; table->places[at].count > 0; at = (at + 1) & mask) {
        size_t home = (size_t)table->places[at].prefix & mask;
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            table->places[gap] = table->places[at];
            table->places[at].count = 0;
            gap = at;
        }
    }
}

static void remove_locked(pins *table, uint64_t prefix) {
    if (table->capacity == 0) {
        return;
    }
    size_t at = find_place(table->places, table->capacity, prefix);
    if (table->places[at].count > 1) {
        table->places[at].count--;
    } else if (table->places[at].count == 1) {
        close_gap(table, at);
        table->used--;
    }
}

void pins_remove(pins *table, const digest *key) {
    pthread_mutex_lock(&table->mutex);
    remove_locked(table, get_u64(key->bytes));
    pthread_mutex_unlock(&table->mutex);
}

static bool has(pins *table, uint64_t prefix) {
    pthread_mutex_lock(&table->mutex);
    bool found = table->capacity > 0 &&
                 table->places[find_place(table->places, table->capacity, prefix)].count > 0;
    for (pins *set = table->sets; set != NULL && !found; set = set->next) {
        found = has(set, prefix);
    }
    pthread_mutex_unlock(&table->mutex);
    return found;
}

bool pins_has(pins *table, const digest *key) {
    return has(table, get_u64(key->bytes));
}

size_t pins_count(pins *table) {
    pthread_mutex_lock(&table->mutex);
    size_t count = table->used;
    for (pins *set = table->sets; set != NULL; set = set->next) {
        count += pins_count(set);
    }
    pthread_mutex_unlock(&table->mutex);
    return count;
}

void pins_attach(pins *table, pins *set) {
    pthread_mutex_lock(&table->mutex);
    set->next = table->sets;
    table->sets = set;
    pthread_mutex_unlock(&table->mutex);
}

void pins_detach(pins *table, pins *set) {
    pthread_mutex_lock(&table->mutex);
    pins **at = &table->sets;
    while (*at != set) {
        at = &(*at)->next;
    }
    *at = set->next;
    table->sets_ended++;
    pthread_mutex_unlock(&table->mutex);
}

uint64_t pins_sets_ended(pins *table) {
    pthread_mutex_lock(&table->mutex);
    uint64_t ended = table->sets_ended;
    pthread_mutex_unlock(&table->mutex);
    return ended;
}
