/* SPDX-License-Identifier: MIT
 *
 * asset_put.h: PUT of an asset.
 */
#ifndef LOAM_SERVER_WORLD_ASSET_PUT_H
#define LOAM_SERVER_WORLD_ASSET_PUT_H

#include "api/wire/asset.h"
#include "server/slot/slot.h"

/* The daemon's own limit for a body in a file; kinds have their own below it. */
#define ASSET_BODY_BYTES_MAX ((uint64_t)512 << 20)
/* Query parameters of one PUT. */
enum { ASSET_PARAMS_MAX = 32 };

typedef struct asset_put_slot {
    flow_slot base;
    loam_text name;
    /* What was sent; lent by the request. */
    asset_param params[ASSET_PARAMS_MAX];
    asset_request sent;
    const char *file; /* with the body; NULL: in memory */
    uint64_t body_bytes;
    /* What it became. */
    loam_port_kind kind;
    blob *payload;
    text_buffer summary;
    text_buffer params_text;
    asset_row row;
} asset_put_slot;

extern const flow_step asset_put_steps[];
void asset_put_fini(flow_slot *slot);

#endif
