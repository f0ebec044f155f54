/* SPDX-License-Identifier: MIT
 *
 * forwarded.c: see forwarded.h.
 */
#include "server/http/forwarded.h"

#include <string.h>
#include <strings.h>

#include "server/http/field_value.h"

/* Cuts what stands behind the last comma off the end. No address and no obfuscated name of RFC 7239
 * holds one, so one in quotes is nothing that we would read. */
static loam_text cut_last(loam_text *list) {
    size_t at = list->size;
    while (at > 0 && list->bytes[at - 1] != ',') {
        at--;
    }
    loam_text last = {list->bytes + at, list->size - at};
    list->size = at > 0 ? at - 1 : 0;
    return field_trim(last);
}

/* The value of for= among the pairs of an element. */
static loam_text find_for(loam_text element) {
    while (element.size > 0) {
        const char *end = memchr(element.bytes, ';', element.size);
        size_t size = end == NULL ? element.size : (size_t)(end - element.bytes);
        loam_text pair = field_trim((loam_text){element.bytes, size});
        if (pair.size > 4 && strncasecmp(pair.bytes, "for=", 4) == 0) {
            loam_text value = {pair.bytes + 4, pair.size - 4};
            if (value.size >= 2 && value.bytes[0] == '"' && value.bytes[value.size - 1] == '"') {
                value = (loam_text){value.bytes + 1, value.size - 2};
            }
            return value;
        }
        size += end != NULL;
        element.bytes += size;
        element.size -= size;
    }
    return (loam_text){"", 0};
}

bool proxy_is_trusted(const proxy_rules *rules, const peer_address *peer) {
    for (size_t i = 0; i < rules->range_count; i++) {
        if (peer_range_has(&rules->ranges[i], peer)) {
            return true;
        }
    }
    return false;
}

bool forwarded_client(const proxy_rules *rules, loam_text header, peer_address *client) {
    bool found = false;
    while (header.size > 0) {
        loam_text element = cut_last(&header);
        peer_address address;
        if (rules->kind == FORWARDED_RFC) {
            element = find_for(element);
        }
        if (!peer_read(element, &address)) {
            return found;
        }
        *client = address;
        found = true;
        if (!proxy_is_trusted(rules, &address)) {
            return true;
        }
    }
    return found;
}
