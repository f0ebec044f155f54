/* SPDX-License-Identifier: MIT
 *
 * asset_table.h: decoded assets by digest, each once in memory however many worlds bind it. Loaded
 * from the store when first needed, on a worker; held by count while work uses them; those that
 * nobody holds make room for others, the least recently used first. Network thread only.
 */
#ifndef LOAM_SERVER_WORLD_ASSET_TABLE_H
#define LOAM_SERVER_WORLD_ASSET_TABLE_H

#include "api/key/key.h"
#include "core/loam.h"
#include "server/slot/flow_state.h"

typedef struct asset_entry asset_entry;

/* One slot of a set that waits for its asset. */
typedef struct asset_wait {
    struct asset_wait *next;
    struct asset_set *set;
} asset_wait;

/* Owned; NULL when memory is short. */
LOAM_MUST_USE asset_table *asset_table_create(flow_state *flow, uint64_t bytes_max);
/* Nothing may be held or under way. */
void asset_table_destroy(asset_table *table);

/* The assets of a world's slots, in the order of its graph's slots. Lives in the holder's memory
 * and does not move while it waits. */
typedef struct asset_set {
    flow_state *flow;
    uint32_t count;
    uint32_t missing;
    asset_entry *entries[SLOTS_MAX];
    asset_wait waits[SLOTS_MAX];
    loam_asset slots[SLOTS_MAX];
    loam_error error;
    void (*ready)(void *context);
    void *context;
} asset_set;

/* Holds every asset. True: all are there. False: `ready` is called later, from the loop, with
 * set->error when one could not be had. Either way asset_set_release follows. */
bool asset_set_acquire(asset_set *set, flow_state *flow, const digest *digests, uint32_t count,
                       void (*ready)(void *context), void *context);
/* Not while it waits. An empty (zeroed) set is fine. */
void asset_set_release(asset_set *set);

uint64_t asset_table_bytes(const asset_table *table);

#endif
