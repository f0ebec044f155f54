/* SPDX-License-Identifier: MIT
 *
 * request_view.c: what the handler can read of a request. Headers are looked up when asked for:
 * most requests ask for two or three.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/http/request.h"

struct joined_header {
    joined_header *next;
    size_t size;
    char bytes[];
};

const char *http_method_name(http_method method) {
    static const char *const names[] = {
        [HTTP_GET] = "GET",         [HTTP_HEAD] = "HEAD",     [HTTP_POST] = "POST",
        [HTTP_PUT] = "PUT",         [HTTP_DELETE] = "DELETE", [HTTP_PATCH] = "PATCH",
        [HTTP_OPTIONS] = "OPTIONS", [HTTP_OTHER] = "OTHER",
    };
    return names[method];
}

http_method http_request_method(const http_request *request) {
    return request->method;
}

loam_text http_path(const http_request *request) {
    return request->target.path;
}

size_t http_segment_count(const http_request *request) {
    return request->target.segment_count;
}

loam_text http_segment(const http_request *request, size_t index) {
    return index < request->target.segment_count ? request->target.segments[index]
                                                 : (loam_text){NULL, 0};
}

size_t http_query_count(const http_request *request) {
    return request->target.parameter_count;
}

loam_text http_query_name(const http_request *request, size_t index) {
    return index < request->target.parameter_count ? request->target.parameters[index].name
                                                   : (loam_text){NULL, 0};
}

loam_text http_query_value(const http_request *request, size_t index) {
    return index < request->target.parameter_count ? request->target.parameters[index].value
                                                   : (loam_text){NULL, 0};
}

loam_text http_query(const http_request *request, const char *name) {
    return target_find(&request->target, name);
}

/* One pass over the headers: the first value, and how much all of them are. */
typedef struct header_search {
    const char *name;
    size_t name_size;
    size_t count;
    size_t size;
    loam_text first;
    char *joined; /* when set, values are written here */
} header_search;

static enum MHD_Result search_header(void *context, enum MHD_ValueKind kind, const char *name,
                                     size_t name_size, const char *value, size_t value_size) {
    (void)kind;
    header_search *search = context;
    if (name_size != search->name_size || strncasecmp(name, search->name, name_size) != 0) {
        return MHD_YES;
    }
    if (value == NULL) {
        value = "";
        value_size = 0;
    }
    if (search->joined != NULL) {
        memcpy(search->joined + search->size, value, value_size);
        memcpy(search->joined + search->size + value_size, ", ", 2);
    } else if (search->count == 0) {
        search->first = (loam_text){value, value_size};
    }
    search->count++;
    search->size += value_size + 2;
    return MHD_YES;
}

static void search_all(http_request *request, header_search *search) {
    MHD_get_connection_values_n(request->mhd, MHD_HEADER_KIND, search_header, search);
}

static loam_text join_values(http_request *request, const char *name, size_t size) {
    joined_header *joined = malloc(sizeof *joined + size);
    if (joined == NULL) {
        return (loam_text){NULL, 0};
    }
    header_search search = {.name = name, .name_size = strlen(name), .joined = joined->bytes};
    search_all(request, &search);
    joined->size = size - 2;
    joined->next = request->joined;
    request->joined = joined;
    return (loam_text){joined->bytes, joined->size};
}

loam_text http_header(http_request *request, const char *name) {
    if (request->mhd == NULL) {
        return (loam_text){NULL, 0};
    }
    header_search search = {.name = name, .name_size = strlen(name)};
    search_all(request, &search);
    return search.count < 2 ? search.first : join_values(request, name, search.size);
}

void request_drop_joined(http_request *request) {
    while (request->joined != NULL) {
        joined_header *next = request->joined->next;
        free(request->joined);
        request->joined = next;
    }
}

uint64_t http_request_body_bytes(const http_request *request) {
    return request->body_bytes;
}

bool http_is_local(const http_request *request) {
    const http_connection *from = request->connection;
    return from != NULL && from->listener->is_local && !from->proxy;
}

uint32_t http_peer_uid(const http_request *request) {
    return request->connection == NULL ? UINT32_MAX : request->connection->uid;
}

void http_set_caller(http_request *request, void *caller, uint32_t rights) {
    request->caller = caller;
    request->rights = rights;
}

void *http_caller(const http_request *request) {
    return request->caller;
}

uint32_t http_rights(const http_request *request) {
    return request->rights;
}

void *http_user(const http_request *request) {
    return request->user;
}

void http_set_user(http_request *request, void *user) {
    request->user = user;
}

void http_set_route(http_request *request, const char *route) {
    request->route = route;
}

const char *http_route(const http_request *request) {
    return request->route;
}

uint64_t http_request_id(const http_request *request) {
    return request->id;
}

uint64_t http_request_start_us(const http_request *request) {
    return request->start_us;
}
