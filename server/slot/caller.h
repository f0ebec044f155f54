/* SPDX-License-Identifier: MIT
 *
 * caller.h: who asks, and what he may: by the token that he shows, by the user whose process asks
 * on the unix socket, or as one of everybody. Found out once, when headers are in; kept by the
 * request until nobody has it any more.
 */
#ifndef LOAM_SERVER_SLOT_CALLER_H
#define LOAM_SERVER_SLOT_CALLER_H

#include "server/slot/route.h"
#include "server/token/token_owner.h"

/* LOAM_UNAUTHORIZED for a token that is nobody's, LOAM_TOO_MANY_REQUESTS for one with as many
 * requests as it may have. */
LOAM_MUST_USE loam_status caller_identify(flow_state *flow, http_request *request,
                                          loam_error *error);
/* Whether he may ask this of this world: LOAM_UNAUTHORIZED when a token is missing, LOAM_FORBIDDEN
 * with the scope or the world that his lacks. */
LOAM_MUST_USE loam_status caller_check(flow_state *flow, http_request *request,
                                       const flow_route *route, loam_error *error);
/* What WWW-Authenticate says with such a refusal; NULL with another. */
const char *caller_challenge(http_request *request, const flow_route *route,
                             const loam_error *error);
/* The request is over. */
void caller_forget(void *caller);

/* ---- Limits of his token; each fails the step with when to come back ------------------------- */

/* Whether core time is left for work that begins now. */
LOAM_MUST_USE loam_status caller_check_core(struct flow_slot *slot);
/* Counts an upload of so many bytes, or a world, for whose reading there must be core time. */
LOAM_MUST_USE loam_status caller_add_asset(struct flow_slot *slot, uint64_t bytes);
LOAM_MUST_USE loam_status caller_add_world(struct flow_slot *slot);
/* Whether he may have another job. */
LOAM_MUST_USE loam_status caller_check_job(struct flow_slot *slot);
/* The same as caller_check_core in two: whether there is some; and the error when there was none.
 */
bool caller_has_core(const http_request *request);
void caller_fail_core(struct flow_slot *slot);

/* NULL without a token. */
token_owner *caller_owner(const http_request *request);
bool caller_grants(const http_request *request, scope wanted);
/* An empty name stands for what is of no world. */
bool caller_allows_world(const http_request *request, loam_text world);

#endif
