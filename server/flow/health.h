/* SPDX-License-Identifier: MIT
 *
 * health.h: whether the daemon lives, whether it takes work, and its metrics.
 */
#ifndef LOAM_SERVER_FLOW_HEALTH_H
#define LOAM_SERVER_FLOW_HEALTH_H

#include "server/slot/flow_state.h"

/* Handlers; each answers at once. */
bool health_live(flow_state *flow, http_request *request);
bool health_ready(flow_state *flow, http_request *request);
bool health_metrics(flow_state *flow, http_request *request);

#endif
