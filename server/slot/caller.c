/* SPDX-License-Identifier: MIT
 *
 * caller.c: see caller.h. With tokens everybody may do nothing, or read (--public-read); without,
 * what --anonymous-scopes says.
 */
#include "server/slot/caller.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "server/slot/reply.h"
#include "server/slot/slot.h"
#include "server/token/token_table.h"

#include <stdio.h>
#include <unistd.h>

static uint32_t anonymous_scopes(const flow_state *flow) {
    if (flow->tokens == NULL) {
        return flow->settings->scopes;
    }
    return flow->settings->public_read != 0 ? SCOPE_READ : SCOPE_NONE;
}

/* Of the daemon's own user, or root: who can stop it anyway. */
static bool is_operator(const http_request *request) {
    uint32_t uid = http_peer_uid(request);
    return http_is_local(request) && (uid == 0 || uid == getuid());
}

static loam_status take_token(flow_state *flow, http_request *request, loam_text header,
                              loam_error *error) {
    token_owner *owner = token_table_find(flow->tokens, token_of_header(header));
    if (owner == NULL) {
        return loam_fail(error, LOAM_UNAUTHORIZED, NULL, "the token is not known here");
    }
    loam_status status = owner_begin_request(owner, error);
    if (status == LOAM_OK) {
        /* What runs the daemon does not come through the net. */
        uint32_t never = http_is_local(request) ? 0 : SCOPE_ADMIN;
        http_set_caller(request, owner, owner->scopes & ~never);
    }
    return status;
}

loam_status caller_identify(flow_state *flow, http_request *request, loam_error *error) {
    loam_text header = http_header(request, "Authorization");
    if (flow->tokens != NULL && header.bytes != NULL) {
        return take_token(flow, request, header, error);
    }
    http_set_caller(request, NULL, is_operator(request) ? SCOPES_ALL : anonymous_scopes(flow));
    return LOAM_OK;
}

token_owner *caller_owner(const http_request *request) {
    return http_caller(request);
}

bool caller_grants(const http_request *request, scope wanted) {
    return (http_rights(request) & (uint32_t)wanted) == (uint32_t)wanted;
}

bool caller_allows_world(const http_request *request, loam_text world) {
    const token_owner *owner = caller_owner(request);
    return owner == NULL || world.size == 0 || owner_allows_world(owner, world);
}

static loam_status fail_scope(const flow_state *flow, const http_request *request, scope missing,
                              loam_error *error) {
    if (flow->tokens != NULL && caller_owner(request) == NULL) {
        return loam_fail(error, LOAM_UNAUTHORIZED, NULL,
                         "this needs a token with the scope %s: Authorization: Bearer TOKEN",
                         scope_name(missing));
    }
    return loam_fail(error, LOAM_FORBIDDEN, NULL, "this needs the scope %s", scope_name(missing));
}

loam_status caller_check(flow_state *flow, http_request *request, const flow_route *route,
                         loam_error *error) {
    int32_t place = route_capture(route, "world");
    if (!caller_grants(request, route->scope)) {
        return fail_scope(flow, request, route->scope, error);
    }
    loam_text world = place < 0 ? (loam_text){"", 0} : http_segment(request, (size_t)place);
    if (place >= 0 && !caller_allows_world(request, world)) {
        return loam_fail(error, LOAM_FORBIDDEN, NULL, "the token is not for the world \"%.*s\"",
                         world.size > NAME_BYTES_MAX ? NAME_BYTES_MAX : (int)world.size,
                         world.bytes);
    }
    return LOAM_OK;
}

const char *caller_challenge(http_request *request, const flow_route *route,
                             const loam_error *error) {
    static char missing[96];
    if (error->status == LOAM_UNAUTHORIZED) {
        return http_header(request, "Authorization").bytes == NULL
                   ? "Bearer realm=\"loam\""
                   : "Bearer realm=\"loam\", error=\"invalid_token\"";
    }
    if (error->status != LOAM_FORBIDDEN || caller_owner(request) == NULL ||
        caller_grants(request, route->scope)) {
        return NULL;
    }
    snprintf(missing, sizeof missing,
             "Bearer realm=\"loam\", error=\"insufficient_scope\", scope=\"%s\"",
             scope_name(route->scope));
    return missing;
}

void caller_forget(void *caller) {
    owner_end_request(caller);
}

/* ---- Limits --------------------------------------------------------------------------------- */

loam_status caller_check_core(flow_slot *slot) {
    token_owner *owner = caller_owner(slot->request);
    return owner == NULL
               ? LOAM_OK
               : owner_check_core(owner, loop_now_us(), &slot->retry_after_s, &slot->error);
}

loam_status caller_add_asset(flow_slot *slot, uint64_t bytes) {
    token_owner *owner = caller_owner(slot->request);
    LOAM_TRY(caller_check_core(slot));
    return owner == NULL
               ? LOAM_OK
               : owner_add_asset(owner, loop_now_us(), bytes, &slot->retry_after_s, &slot->error);
}

loam_status caller_add_world(flow_slot *slot) {
    token_owner *owner = caller_owner(slot->request);
    LOAM_TRY(caller_check_core(slot));
    return owner == NULL
               ? LOAM_OK
               : owner_add_world(owner, loop_now_us(), &slot->retry_after_s, &slot->error);
}

loam_status caller_check_job(flow_slot *slot) {
    const token_owner *owner = caller_owner(slot->request);
    slot->retry_after_s = RETRY_AFTER_S;
    return owner == NULL ? LOAM_OK : owner_check_job(owner, &slot->error);
}

bool caller_has_core(const http_request *request) {
    token_owner *owner = caller_owner(request);
    loam_error error = {0};
    int32_t wait_s = 0;
    return owner == NULL || owner_check_core(owner, loop_now_us(), &wait_s, &error) == LOAM_OK;
}

/* A moment later there may be some again, which changes nothing for who has been told already. */
void caller_fail_core(flow_slot *slot) {
    token_owner *owner = caller_owner(slot->request);
    if (owner_check_core(owner, loop_now_us(), &slot->retry_after_s, &slot->error) == LOAM_OK) {
        slot->retry_after_s = RETRY_AFTER_S;
        loam_fail(&slot->error, LOAM_TOO_MANY_REQUESTS, NULL, "%s",
                  loam_status_text(LOAM_TOO_MANY_REQUESTS));
    }
}
