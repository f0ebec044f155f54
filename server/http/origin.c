/* SPDX-License-Identifier: MIT
 *
 * origin.c: the two lists and how they are compared.
 */
#include "server/http/origin.h"

#include "server/http/field_value.h"

#include <string.h>
#include <strings.h>

/* Cuts ":port" off; a forwarded port is another one than ours, so any number will do. False when
 * what follows the name is no port. */
static bool cut_port(loam_text *host) {
    size_t name_size = host->size;
    while (name_size > 0 && host->bytes[name_size - 1] >= '0' &&
           host->bytes[name_size - 1] <= '9') {
        name_size--;
    }
    bool has_port = name_size > 0 && host->bytes[name_size - 1] == ':';
    if (has_port && host->size - name_size > 5) {
        return false;
    }
    if (has_port) {
        host->size = name_size - 1;
    }
    return true;
}

bool host_is_ours(const origin_rules *rules, loam_text host) {
    static const char *const own[] = {"localhost", "127.0.0.1", "[::1]"};
    if (host.size == 0 || !cut_port(&host)) {
        return false;
    }
    if (rules->any_host && rules->host_count == 0) {
        return true;
    }
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        if (field_is(host, own[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < rules->host_count; i++) {
        if (field_is(host, rules->hosts[i])) {
            return true;
        }
    }
    return false;
}

/* An origin is scheme://authority; a page of our own has the authority that it sent as Host. */
static bool is_own(loam_text host, loam_text origin) {
    static const char *const schemes[] = {"http://", "https://"};
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        size_t size = strlen(schemes[i]);
        if (origin.size == size + host.size && strncasecmp(origin.bytes, schemes[i], size) == 0 &&
            strncasecmp(origin.bytes + size, host.bytes, host.size) == 0) {
            return true;
        }
    }
    return false;
}

origin_verdict origin_judge(const origin_rules *rules, loam_text host, loam_text origin,
                            loam_text fetch_site) {
    if (origin.bytes != NULL && !is_own(host, origin)) {
        for (size_t i = 0; i < rules->origin_count; i++) {
            if (field_is(origin, rules->origins[i])) {
                return ORIGIN_ALLOWED;
            }
        }
        return ORIGIN_FOREIGN;
    }
    bool own_site = fetch_site.bytes == NULL || field_is(fetch_site, "same-origin") ||
                    field_is(fetch_site, "none");
    return own_site ? ORIGIN_OWN : ORIGIN_FOREIGN;
}
