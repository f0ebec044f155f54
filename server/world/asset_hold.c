/* SPDX-License-Identifier: MIT
 *
 * asset_hold.c: see asset_hold.h.
 */
#include "server/world/asset_hold.h"

static void hold_ready(void *context) {
    asset_hold *hold = context;
    const loam_error *error = &hold->set.error;
    if (error->status != LOAM_OK) {
        loam_fail(&hold->slot->error, error->status, NULL, "%s", error->text);
    }
    walk_resume(&hold->slot->walk, error->status != LOAM_OK);
}

step_result asset_hold_begin(asset_hold *hold, flow_slot *slot, const digest *digests,
                             uint32_t count) {
    hold->slot = slot;
    if (!asset_set_acquire(&hold->set, slot->flow, digests, count, hold_ready, hold)) {
        return STEP_PARKED;
    }
    const loam_error *error = &hold->set.error;
    return error->status == LOAM_OK ? STEP_NEXT
                                    : slot_fail(slot, error->status, NULL, "%s", error->text);
}

step_result asset_hold_world(asset_hold *hold, flow_slot *slot, const world *of) {
    return asset_hold_begin(hold, slot, of->slots, of->graph.slot_count);
}

void asset_hold_end(asset_hold *hold) {
    if (hold->slot != NULL) {
        asset_set_release(&hold->set);
    }
}
