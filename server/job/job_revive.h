/* SPDX-License-Identifier: MIT
 *
 * job_revive.h: at the start, jobs that an earlier run left are taken up where they were.
 */
#ifndef LOAM_SERVER_JOB_JOB_REVIVE_H
#define LOAM_SERVER_JOB_JOB_REVIVE_H

#include "server/slot/flow_state.h"

/* `ready` is called from the loop once every such job is in the table, but for those that something
 * stands in the way of that may pass: these are tried again until they are there or the daemon
 * drains. LOAM_ARENA_FULL when memory is short. */
LOAM_MUST_USE loam_status job_revive_all(flow_state *flow, void (*ready)(void *context),
                                         void *context);

#endif
