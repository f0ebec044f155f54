/* SPDX-License-Identifier: MIT
 *
 * revision_slot.h: the first steps of every request about a world: which revision is meant, and
 * having it in memory.
 */
#ifndef LOAM_SERVER_WORLD_REVISION_SLOT_H
#define LOAM_SERVER_WORLD_REVISION_SLOT_H

#include "server/slot/slot.h"
#include "server/world/world_table.h"

/* Begins with a slot; slots of such requests begin with this. */
typedef struct revision_slot {
    flow_slot base;
    loam_text name;
    bool newest; /* asked for without a revision */
    bool known;  /* `wanted` is set */
    digest wanted;
    uint64_t epoch;
    revision_entry *built; /* by a worker, not in the table yet */
    revision_entry *revision;
} revision_slot;

/* {world} and, where the template has it, {rev}; then the table, else the store and a worker. */
/* clang-format off */
#define REVISION_STEPS                                                                             \
    {"revision", revision_find, false}, {"newest revision", revision_newest, false},               \
    {"fetch revision", revision_fetch, false}, {"build revision", revision_make, false},           \
    {"hold revision", revision_hold, false}
/* clang-format on */

step_result revision_find(void *subject);
step_result revision_newest(void *subject);
step_result revision_fetch(void *subject);
step_result revision_make(void *subject);
step_result revision_hold(void *subject);

/* The revision that a request means, retained, when it is in memory; else NULL. */
revision_entry *revision_quick(flow_state *flow, const http_request *request,
                               const flow_route *route);

/* Lets the revision go; for the route's `fini`. */
void revision_slot_fini(flow_slot *slot);

#endif
