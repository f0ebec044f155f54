/* SPDX-License-Identifier: MIT
 *
 * content_table.h: the bytes of assets that are being sent, each once in memory however many read
 * them, and no more than a budget of all of them: an asset is large, a client may be slow, and a
 * part of one byte needs the whole to be hashed. A copy that nobody reads stays a moment for the
 * next part, then goes.
 *
 * content_table_take is for the I/O thread, the rest for the network thread.
 */
#ifndef LOAM_SERVER_WORLD_CONTENT_TABLE_H
#define LOAM_SERVER_WORLD_CONTENT_TABLE_H

#include "core/base/limits.h"
#include "server/slot/flow_state.h"
#include "server/store/blob.h"

/* Three of the largest terrains (8,193 x 8,193 samples, 268 MB each) at one time; assets in use are
 * fewer than those who read them, and half of what decoded ones may take beside it. */
#define CONTENT_BYTES_MAX ((uint64_t)1 << 30)

/* How often copies are looked for that nobody reads; they go when the next look finds them again:
 * a client that asks for part after part comes back sooner. */
#define CONTENT_LOOK_MS 1000

/* Owned; NULL when memory is short. */
LOAM_MUST_USE content_table *content_table_create(event_loop *loop, uint64_t bytes_max);
/* After the I/O thread has ended; copies that are read still stay with their readers. */
void content_table_destroy(content_table *table);

typedef struct content_wish {
    const digest *of;
    uint64_t bytes; /* as the asset's row says */
} content_wish;

/* The copy that is there, or one from the store. Owned. LOAM_OVERLOADED when others fill the budget
 * (one alone may be larger than it), and what store_asset_read says. */
LOAM_MUST_USE loam_status content_table_take(content_table *table, store *from, content_wish wish,
                                             blob **taken, loam_error *error);
/* Some copy is in the air: from now on it is looked for whether anybody reads it. */
void content_table_watch(content_table *table);
/* One such look; false when no copy is left. */
bool content_table_look(content_table *table);
/* Of all copies. */
uint64_t content_table_bytes(content_table *table);

#endif
