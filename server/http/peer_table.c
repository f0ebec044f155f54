/* SPDX-License-Identifier: MIT
 *
 * peer_table.c: the counts of peer.h: a table of chains, an entry for each address that has
 * anything open, so that its size follows the connections and not those who ever came.
 */
#include "server/http/peer.h"

#include "core/base/assert.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* About one entry in each at the largest number of connections that is usual. */
enum { BUCKETS = 4096 };
/* Bytes of an IPv6 address that say which network it is in. */
enum { NETWORK_BYTES = 8 };

typedef struct peer_entry {
    struct peer_entry *next;
    peer_address address;
    uint32_t count;
} peer_entry;

struct peer_table {
    uint64_t seed; /* nobody outside can make all of one chain */
    peer_entry *buckets[BUCKETS];
};

peer_table *peer_table_create(void) {
    peer_table *table = calloc(1, sizeof *table);
    if (table != NULL && getrandom(&table->seed, sizeof table->seed, 0) < 0) {
        table->seed = (uintptr_t)table;
    }
    return table;
}

void peer_table_destroy(peer_table *table) {
    for (size_t i = 0; table != NULL && i < BUCKETS; i++) {
        while (table->buckets[i] != NULL) {
            peer_entry *next = table->buckets[i]->next;
            free(table->buckets[i]);
            table->buckets[i] = next;
        }
    }
    free(table);
}

/* What is counted: an IPv4 address, or the network of an IPv6 one. */
static peer_address counted(const peer_address *address) {
    static const unsigned char zeros[10];
    peer_address of = *address;
    bool is_v4 = memcmp(of.bytes, zeros, sizeof zeros) == 0;
    if (!is_v4) {
        memset(of.bytes + NETWORK_BYTES, 0, sizeof of.bytes - NETWORK_BYTES);
    }
    return of;
}

static peer_entry **find_place(const peer_table *table, const peer_address *address) {
    uint64_t hash = table->seed;
    for (size_t i = 0; i < sizeof address->bytes; i++) {
        hash = (hash ^ address->bytes[i]) * 0x100000001b3u;
    }
    peer_entry **at = (peer_entry **)&table->buckets[(hash >> 32) % BUCKETS];
    while (*at != NULL && memcmp(&(*at)->address, address, sizeof *address) != 0) {
        at = &(*at)->next;
    }
    return at;
}

bool peer_table_enter(peer_table *table, const peer_address *address, uint32_t limit) {
    peer_address of = counted(address);
    peer_entry **at = find_place(table, &of);
    if (*at == NULL) {
        *at = calloc(1, sizeof **at);
        if (*at == NULL) {
            return false;
        }
        (*at)->address = of;
    }
    if ((*at)->count >= limit) {
        return false;
    }
    (*at)->count++;
    return true;
}

void peer_table_leave(peer_table *table, const peer_address *address) {
    peer_address of = counted(address);
    peer_entry **at = find_place(table, &of);
    LOAM_ASSERT(*at != NULL && (*at)->count > 0);
    if (--(*at)->count == 0) {
        peer_entry *empty = *at;
        *at = empty->next;
        free(empty);
    }
}

uint32_t peer_table_count(const peer_table *table, const peer_address *address) {
    peer_address of = counted(address);
    peer_entry **at = find_place(table, &of);
    return *at == NULL ? 0 : (*at)->count;
}
