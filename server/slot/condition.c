/* SPDX-License-Identifier: MIT
 *
 * condition.c: see condition.h.
 */
#include "server/slot/condition.h"

#include <string.h>

static bool is_separator(char byte) {
    return byte == ' ' || byte == '\t' || byte == ',';
}

/* The next tag of the list with its quotes, weak mark taken off; empty at the end or where the list
 * is no list of tags. */
static loam_text next_tag(loam_text *rest, bool *weak) {
    while (rest->size > 0 && is_separator(rest->bytes[0])) {
        rest->bytes++;
        rest->size--;
    }
    *weak = rest->size > 2 && rest->bytes[0] == 'W' && rest->bytes[1] == '/';
    loam_text tag = *weak ? (loam_text){rest->bytes + 2, rest->size - 2} : *rest;
    if (tag.size == 0 || tag.bytes[0] != '"') {
        return (loam_text){NULL, 0};
    }
    const char *end = memchr(tag.bytes + 1, '"', tag.size - 1);
    if (end == NULL) {
        return (loam_text){NULL, 0};
    }
    size_t size = (size_t)(end - tag.bytes) + 1;
    rest->bytes = tag.bytes + size;
    rest->size = tag.size - size;
    return (loam_text){tag.bytes, size};
}

bool condition_is_any(loam_text list) {
    while (list.size > 0 && is_separator(list.bytes[0])) {
        list.bytes++;
        list.size--;
    }
    while (list.size > 0 && is_separator(list.bytes[list.size - 1])) {
        list.size--;
    }
    return list.size == 1 && list.bytes[0] == '*';
}

bool condition_names(loam_text list, const char *etag, bool weak) {
    if (list.bytes == NULL || etag == NULL) {
        return false;
    }
    if (condition_is_any(list)) {
        return true;
    }
    for (;;) {
        bool tag_is_weak = false;
        loam_text tag = next_tag(&list, &tag_is_weak);
        if (tag.size == 0) {
            return false;
        }
        if ((weak || !tag_is_weak) && loam_text_equal(tag, loam_text_of(etag))) {
            return true;
        }
    }
}

read_verdict condition_check_read(loam_text if_match, loam_text if_none_match, const char *etag) {
    if (if_match.bytes != NULL && !condition_names(if_match, etag, false)) {
        return READ_REFUSED;
    }
    return condition_names(if_none_match, etag, true) ? READ_UNCHANGED : READ_ANSWERED;
}

loam_status condition_check_write(loam_text if_match, loam_text if_none_match, const char *etag,
                                  loam_error *error) {
    if (if_match.bytes != NULL && !condition_names(if_match, etag, false)) {
        return loam_fail(error, LOAM_PRECONDITION_FAILED, NULL,
                         "If-Match does not name what is there");
    }
    if (if_none_match.bytes != NULL && condition_names(if_none_match, etag, true)) {
        return loam_fail(error, LOAM_PRECONDITION_FAILED, NULL,
                         "If-None-Match names what is there");
    }
    return LOAM_OK;
}
