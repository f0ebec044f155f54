/* SPDX-License-Identifier: MIT
 *
 * admin.h: what an operator asks of the daemon, over its unix socket alone (the scope admin): how
 * it does, and upkeep of what is on the disk.
 */
#ifndef LOAM_SERVER_ADMIN_ADMIN_H
#define LOAM_SERVER_ADMIN_ADMIN_H

#include "server/slot/slot.h"

typedef struct admin_slot {
    flow_slot base;
    store_upkeep upkeep;
    loop_task ended;
} admin_slot;

/* Answers at once. */
bool admin_stats(flow_state *flow, http_request *request);

extern const flow_step admin_gc_steps[];
extern const flow_step admin_scrub_steps[];
extern const flow_step admin_backup_steps[];

#endif
