/* SPDX-License-Identifier: MIT
 *
 * text.c: bytes with a length.
 */
#include "core/base/text.h"

#include <string.h>

loam_text loam_text_of(const char *terminated) {
    return (loam_text){terminated, strlen(terminated)};
}

bool loam_text_equal(loam_text a, loam_text b) {
    return a.size == b.size && (a.size == 0 || memcmp(a.bytes, b.bytes, a.size) == 0);
}

int loam_text_compare(loam_text a, loam_text b) {
    size_t common = a.size < b.size ? a.size : b.size;
    int order = common == 0 ? 0 : memcmp(a.bytes, b.bytes, common);
    if (order != 0) {
        return order;
    }
    return (a.size > b.size) - (a.size < b.size);
}

loam_status text_copy(loam_text text, loam_arena *arena, loam_text *copy) {
    char *bytes = loam_arena_take(arena, text.size + 1, 1);
    if (bytes == NULL) {
        return LOAM_ARENA_FULL;
    }
    if (text.size > 0) {
        memcpy(bytes, text.bytes, text.size);
    }
    bytes[text.size] = 0;
    *copy = (loam_text){bytes, text.size};
    return LOAM_OK;
}

static bool is_name_byte(char byte, bool first) {
    bool alphanumeric = (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9');
    return alphanumeric || (!first && (byte == '.' || byte == '_' || byte == '-'));
}

bool text_is_name(loam_text text) {
    if (text.size < 1 || text.size > NAME_BYTES_MAX) {
        return false;
    }
    for (size_t i = 0; i < text.size; i++) {
        if (!is_name_byte(text.bytes[i], i == 0)) {
            return false;
        }
    }
    return true;
}

bool text_is_node_name(loam_text text) {
    return text_is_name(text) && memchr(text.bytes, '.', text.size) == NULL;
}

bool text_is_node_path(loam_text text) {
    uint32_t depth = 0;
    while (depth <= SUBGRAPH_DEPTH_MAX) {
        const char *dot = text.size == 0 ? NULL : memchr(text.bytes, '.', text.size);
        size_t size = dot == NULL ? text.size : (size_t)(dot - text.bytes);
        if (!text_is_node_name((loam_text){text.bytes, size})) {
            return false;
        }
        if (dot == NULL) {
            return true;
        }
        text = (loam_text){dot + 1, text.size - size - 1};
        depth++;
    }
    return false;
}
