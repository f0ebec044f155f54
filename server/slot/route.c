/* SPDX-License-Identifier: MIT
 *
 * route.c: see route.h.
 */
#include "server/slot/route.h"

#include "core/base/assert.h"

#include <stdio.h>
#include <string.h>

/* Templates cut at their slashes, once: matching is on the way of every request. */
typedef struct route_parts {
    size_t count;
    loam_text parts[ROUTE_SEGMENTS_MAX];
} route_parts;

static const flow_route *routes;
static uint32_t count;
static route_parts cut_routes[ROUTES_MAX];

uint32_t route_count(void) {
    return count;
}

const flow_route *route_at(uint32_t index) {
    return &routes[index];
}

static void cut_template(const char *template, route_parts *to) {
    for (const char *at = template; *at == '/'; to->count++) {
        const char *end = strchr(at + 1, '/');
        size_t size = end == NULL ? strlen(at + 1) : (size_t)(end - at - 1);
        LOAM_ASSERT(to->count < ROUTE_SEGMENTS_MAX);
        to->parts[to->count] = (loam_text){at + 1, size};
        at += size + 1;
    }
}

void route_set_all(const flow_route *table, uint32_t of_count) {
    LOAM_ASSERT(of_count <= ROUTES_MAX);
    routes = table;
    count = of_count;
    for (uint32_t i = 0; i < count; i++) {
        cut_routes[i].count = 0;
        cut_template(routes[i].template, &cut_routes[i]);
    }
}

static bool route_matches(const route_parts *parts, const http_request *request) {
    if (parts->count != http_segment_count(request)) {
        return false;
    }
    for (size_t i = 0; i < parts->count; i++) {
        loam_text part = parts->parts[i];
        loam_text given = http_segment(request, i);
        if (part.bytes[0] == '{' ? given.size == 0 : !loam_text_equal(part, given)) {
            return false;
        }
    }
    return true;
}

int32_t route_capture(const flow_route *route, const char *name) {
    const route_parts *parts = &cut_routes[route - routes];
    size_t size = strlen(name);
    for (size_t i = 0; i < parts->count; i++) {
        loam_text part = parts->parts[i];
        if (part.size == size + 2 && part.bytes[0] == '{' &&
            memcmp(part.bytes + 1, name, size) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

static void add_allowed(char allow[64], http_method method) {
    size_t used = strlen(allow);
    snprintf(allow + used, 64 - used, "%s%s", used == 0 ? "" : ", ",
             method == HTTP_GET ? "GET, HEAD" : http_method_name(method));
}

const flow_route *route_find(const http_request *request, char allow[64], loam_error *error) {
    http_method method = http_request_method(request);
    const flow_route *found = NULL;
    allow[0] = 0;
    for (uint32_t i = 0; i < count && found == NULL; i++) {
        const flow_route *route = &routes[i];
        bool same = route->method == method || (route->method == HTTP_GET && method == HTTP_HEAD);
        if (route_matches(&cut_routes[i], request)) {
            add_allowed(allow, route->method);
            found = same ? route : NULL;
        }
    }
    if (found == NULL) {
        loam_status status = allow[0] == 0 ? LOAM_NOT_FOUND : LOAM_METHOD_NOT_ALLOWED;
        status = method == HTTP_OTHER ? LOAM_NOT_IMPLEMENTED : status;
        loam_fail(error, status, NULL, "%s", loam_status_text(status));
    }
    return found;
}
