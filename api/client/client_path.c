/* SPDX-License-Identifier: MIT
 *
 * client_path.c: the two places where free text becomes part of an address. Encoding keeps the
 * unreserved characters of RFC 3986 and writes every other byte as %XX.
 */
#include <string.h>

#include "api/client/client.h"

static bool character_is_unreserved(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

/* Writes one character encoded; returns how many bytes that took. */
static size_t character_encode(char c, char out[3]) {
    static const char digits[] = "0123456789ABCDEF";
    if (character_is_unreserved(c)) {
        out[0] = c;
        return 1;
    }
    out[0] = '%';
    out[1] = digits[(unsigned char)c >> 4];
    out[2] = digits[(unsigned char)c & 15];
    return 3;
}

static void encoded_append(text_buffer *buffer, const char *text) {
    for (; *text != '\0'; text++) {
        char encoded[3];
        buffer_add(buffer, encoded, character_encode(*text, encoded));
    }
}

void client_query_append(text_buffer *url, const loam_client_field *query, size_t count) {
    for (size_t i = 0; i < count; i++) {
        buffer_add_text(url, i == 0 ? "?" : "&");
        encoded_append(url, query[i].name);
        buffer_add_text(url, "=");
        encoded_append(url, query[i].value);
    }
}

bool loam_client_path_append(char *path, size_t capacity, const char *segment) {
    size_t used = strlen(path);
    if (used + 2 > capacity) {
        return false;
    }
    path[used++] = '/';
    for (; *segment != '\0'; segment++) {
        char encoded[3];
        size_t size = character_encode(*segment, encoded);
        if (used + size + 1 > capacity) {
            return false;
        }
        memcpy(path + used, encoded, size);
        used += size;
    }
    path[used] = '\0';
    return true;
}
