/* SPDX-License-Identifier: MIT
 *
 * revision_slot.c: see revision_slot.h.
 */
#include "server/world/revision_slot.h"

#include "core/base/text.h"

static loam_status read_address(revision_slot *slot) {
    loam_status status = slot_name(&slot->base, "world", &slot->name);
    if (status != LOAM_OK) {
        return status;
    }
    slot->newest = route_capture(slot->base.route, "rev") < 0;
    slot->known = !slot->newest;
    return slot->newest ? LOAM_OK : slot_digest(&slot->base, "rev", &slot->wanted);
}

step_result revision_find(void *subject) {
    revision_slot *slot = subject;
    world_table *worlds = slot->base.flow->worlds;
    loam_status status = read_address(slot);
    if (status != LOAM_OK) {
        return slot_result(&slot->base, status);
    }
    slot->epoch = world_table_epoch(worlds);
    if (slot->newest) {
        slot->known = world_table_newest(worlds, slot->name, &slot->wanted);
    }
    if (slot->known) {
        slot->revision = world_table_find(worlds, slot->name, &slot->wanted);
    }
    return STEP_NEXT;
}

step_result revision_newest(void *subject) {
    revision_slot *slot = subject;
    if (slot->known) {
        return STEP_NEXT;
    }
    return slot_control(&slot->base,
                        (control_request){.operation = CONTROL_WORLD_GET, .name = slot->name});
}

step_result revision_fetch(void *subject) {
    revision_slot *slot = subject;
    if (!slot->known) {
        slot->wanted = slot->base.control.result.worlds[0].revision;
        slot->revision = world_table_find(slot->base.flow->worlds, slot->name, &slot->wanted);
    }
    if (slot->revision != NULL) {
        return STEP_NEXT;
    }
    return slot_control(&slot->base, (control_request){.operation = CONTROL_REVISION_GET,
                                                       .name = slot->name,
                                                       .key = slot->wanted});
}

/* A stored document that does not read any more is this build's fault or the disk's: the place in
 * it says nothing to who asked. */
static loam_status work_build(flow_slot *base, pool_worker *worker) {
    revision_slot *slot = (revision_slot *)base;
    fault_list faults;
    fault_clear(&faults);
    slot->built = revision_build(base->flow, slot->name, base->control.result.revisions[0].document,
                                 false, pool_worker_arena(worker), &faults);
    if (slot->built != NULL) {
        return LOAM_OK;
    }
    loam_error first = {0};
    loam_status status = fault_first(&faults, &first);
    return loam_fail(&base->error, status, NULL, "the stored revision: %s", first.text);
}

step_result revision_make(void *subject) {
    revision_slot *slot = subject;
    return slot->revision != NULL ? STEP_NEXT : slot_work_anyway(&slot->base, work_build);
}

step_result revision_hold(void *subject) {
    revision_slot *slot = subject;
    world_table *worlds = slot->base.flow->worlds;
    digest remembered;
    if (slot->built != NULL) {
        slot->revision = world_table_add(worlds, slot->built, slot->epoch);
        slot->built = NULL;
    }
    if (slot->newest && slot->epoch == world_table_epoch(worlds) &&
        !world_table_newest(worlds, slot->name, &remembered)) {
        world_table_set_newest(worlds, slot->name, &slot->revision->world.revision);
    }
    return STEP_NEXT;
}

revision_entry *revision_quick(flow_state *flow, const http_request *request,
                               const flow_route *route) {
    digest wanted;
    loam_text name = http_segment(request, (size_t)route_capture(route, "world"));
    int32_t rev = route_capture(route, "rev");
    bool known = rev < 0 ? world_table_newest(flow->worlds, name, &wanted)
                         : digest_parse(http_segment(request, (size_t)rev), &wanted);
    return known ? world_table_find(flow->worlds, name, &wanted) : NULL;
}

void revision_slot_fini(flow_slot *base) {
    revision_slot *slot = (revision_slot *)base;
    revision_free(slot->built);
    revision_release(base->flow->worlds, slot->revision);
}
