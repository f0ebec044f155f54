/* SPDX-License-Identifier: MIT
 *
 * catalogue.h: documents about the daemon itself that never change while it runs: operations,
 * recipes, versions, limits, the contract. Made once at the start.
 */
#ifndef LOAM_SERVER_FLOW_CATALOGUE_H
#define LOAM_SERVER_FLOW_CATALOGUE_H

#include "server/slot/flow_state.h"

/* Owned; NULL when memory is short. */
LOAM_MUST_USE catalogue *catalogue_create(const config *settings);
void catalogue_destroy(catalogue *documents);

/* Handlers; each answers at once. */
bool catalogue_operations(flow_state *flow, http_request *request);
bool catalogue_operation(flow_state *flow, http_request *request);
bool catalogue_recipes(flow_state *flow, http_request *request);
bool catalogue_recipe(flow_state *flow, http_request *request);
bool catalogue_version(flow_state *flow, http_request *request);
bool catalogue_capabilities(flow_state *flow, http_request *request);
bool catalogue_contract(flow_state *flow, http_request *request);

#endif
