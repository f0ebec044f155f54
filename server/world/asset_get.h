/* SPDX-License-Identifier: MIT
 *
 * asset_get.h: the list of assets, one of them, its content, its end.
 */
#ifndef LOAM_SERVER_WORLD_ASSET_GET_H
#define LOAM_SERVER_WORLD_ASSET_GET_H

#include "server/slot/slot.h"

typedef struct asset_content_slot {
    flow_slot base;
    bool by_digest;
    blob *content;
} asset_content_slot;

extern const flow_step asset_list_steps[];
extern const flow_step asset_get_steps[];
extern const flow_step asset_delete_steps[];
extern const flow_step asset_content_steps[];
void asset_content_fini(flow_slot *slot);

#endif
