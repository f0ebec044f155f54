/* SPDX-License-Identifier: MIT
 *
 * flow_state.h: what all who answer requests share: the daemon's parts and tables. Made once by
 * flow_create (server/flow), changed by the network thread alone.
 */
#ifndef LOAM_SERVER_SLOT_FLOW_STATE_H
#define LOAM_SERVER_SLOT_FLOW_STATE_H

#include "api/wire/scope.h"
#include "core/base/limits.h"
#include "server/config/config.h"
#include "server/http/http.h"
#include "server/loop/loop.h"
#include "server/loop/pool.h"
#include "server/store/store.h"

typedef struct flow_state flow_state;
typedef struct asset_table asset_table;
typedef struct catalogue catalogue;
typedef struct content_table content_table;
typedef struct flight_table flight_table;
typedef struct job_table job_table;
typedef struct key_cache key_cache;
typedef struct ram_cache ram_cache;
typedef struct stage_cache stage_cache;
typedef struct token_table token_table;
typedef struct verdict_cache verdict_cache;
typedef struct world_table world_table;

struct flow_state {
    const config *settings;
    event_loop *loop;
    store *store;
    http_server *server;
    worker_pool *workers;
    worker_pool *io; /* one thread: writes of uploads */
    asset_table *assets;
    catalogue *catalogue;
    content_table *contents;
    flight_table *flights;
    job_table *jobs;
    key_cache *keys;
    ram_cache *answers;
    stage_cache *stages; /* what cells have in common; has its own lock */
    token_table *tokens; /* NULL: everybody may what --anonymous-scopes says */
    verdict_cache *verdicts;
    world_table *worlds;
    secret_key secret;       /* the daemon's own, for what dungeons hide */
    struct flow_slot *slots; /* requests under way */
    uint32_t slot_count;
    void (*begun)(void *context); /* jobs of an earlier run are known */
    void *begun_context;
    bool ready;
    bool draining;
};

#endif
