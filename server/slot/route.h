/* SPDX-License-Identifier: MIT
 *
 * route.h: a row of the table of what the daemon answers (server/flow/routes.c): method, template,
 * who answers, what body it takes; and finding the row of a request.
 */
#ifndef LOAM_SERVER_SLOT_ROUTE_H
#define LOAM_SERVER_SLOT_ROUTE_H

#include "api/wire/scope.h"
#include "server/slot/flow_state.h"
#include "server/slot/shed.h"
#include "server/slot/step.h"

struct flow_slot;

typedef enum body_policy {
    BODY_NONE,
    BODY_JSON,  /* application/json, 1 MB */
    BODY_EMPTY, /* a POST that needs none and takes an empty one */
    BODY_ASSET, /* into a file; what it is, the query says */
} body_policy;

typedef struct flow_route {
    http_method method;
    const char *template;
    /* Answers at once and says so; may be NULL. Else the request... */
    bool (*quick)(flow_state *flow, http_request *request);
    /* ...walks these steps in a slot of `slot_bytes`, which `fini` ends (may be NULL). */
    const flow_step *steps;
    size_t slot_bytes;
    void (*fini)(struct flow_slot *slot);
    body_policy body;
    shed_class shed;            /* when it is refused for others' sake */
    scope scope;                /* that who asks must have */
    const char *const *queries; /* names it takes, NULL-terminated; NULL: none. "*" takes any. */
} flow_route;

enum { ROUTE_SEGMENTS_MAX = 12, ROUTES_MAX = 96 };

/* Once, before the first request; the table stays. */
void route_set_all(const flow_route *table, uint32_t of_count);
uint32_t route_count(void);
const flow_route *route_at(uint32_t index);
/* The route of a request; NULL with `error` set: LOAM_NOT_FOUND, LOAM_METHOD_NOT_ALLOWED with the
 * value of Allow in `allow`, LOAM_NOT_IMPLEMENTED. HEAD finds GET. */
const flow_route *route_find(const http_request *request, char allow[64], loam_error *error);
/* The place in the path of the template's `{name}`; -1 when it has none. */
int32_t route_capture(const flow_route *route, const char *name);

#endif
