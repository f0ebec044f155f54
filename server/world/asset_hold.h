/* SPDX-License-Identifier: MIT
 *
 * asset_hold.h: the assets that a request holds as long as it uses them: the step that has them,
 * waiting where they are not in memory yet, for every slot that needs some.
 */
#ifndef LOAM_SERVER_WORLD_ASSET_HOLD_H
#define LOAM_SERVER_WORLD_ASSET_HOLD_H

#include "server/slot/slot.h"
#include "server/world/asset_table.h"
#include "server/world/world_table.h"

/* Stands in the slot that holds, zero at first. */
typedef struct asset_hold {
    flow_slot *slot;
    asset_set set; /* once the step has passed: the assets, in set.slots */
} asset_hold;

/* What the step returns. */
step_result asset_hold_begin(asset_hold *hold, flow_slot *slot, const digest *digests,
                             uint32_t count);
/* The same for all that a world binds. */
step_result asset_hold_world(asset_hold *hold, flow_slot *slot, const world *of);
/* For the route's `fini`, whether it has begun or not. */
void asset_hold_end(asset_hold *hold);

#endif
