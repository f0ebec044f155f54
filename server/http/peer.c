/* SPDX-License-Identifier: MIT
 *
 * peer.c: addresses and ranges of peer.h.
 */
#include "server/http/peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

/* ::ffff:0:0/96, where IPv6 holds IPv4. */
static const unsigned char mapped_prefix[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
enum { MAPPED_BITS = 96, ADDRESS_BITS = 128 };

static bool is_mapped(const peer_address *of) {
    return memcmp(of->bytes, mapped_prefix, sizeof mapped_prefix) == 0;
}

static void map_v4(const void *bytes, peer_address *to) {
    memcpy(to->bytes, mapped_prefix, sizeof mapped_prefix);
    memcpy(to->bytes + sizeof mapped_prefix, bytes, 4);
}

bool peer_of_socket(const struct sockaddr *from, peer_address *to) {
    if (from->sa_family == AF_INET) {
        map_v4(&((const struct sockaddr_in *)(const void *)from)->sin_addr, to);
        return true;
    }
    if (from->sa_family == AF_INET6) {
        memcpy(to->bytes, &((const struct sockaddr_in6 *)(const void *)from)->sin6_addr, 16);
        return true;
    }
    return false;
}

/* Up to five digits behind a colon. */
static bool is_port(const char *text, size_t size) {
    for (size_t i = 1; i < size; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
    }
    return size == 0 || (size >= 2 && size <= 6 && text[0] == ':');
}

/* Cuts brackets and port off. */
static bool cut_bare(loam_text *text) {
    const char *close = text->size > 0 ? memchr(text->bytes, ']', text->size) : NULL;
    if (text->size > 0 && text->bytes[0] == '[') {
        size_t size = close == NULL ? 0 : (size_t)(close - text->bytes) - 1;
        bool sound = close != NULL && is_port(close + 1, text->size - size - 2);
        *text = (loam_text){text->bytes + 1, size};
        return sound;
    }
    const char *colon = text->size > 0 ? memchr(text->bytes, ':', text->size) : NULL;
    size_t left = colon == NULL ? text->size : (size_t)(colon - text->bytes);
    if (colon != NULL && memchr(colon + 1, ':', text->size - left - 1) == NULL) {
        bool sound = is_port(colon, text->size - left);
        text->size = left;
        return sound;
    }
    return true;
}

static bool read_bare(loam_text text, peer_address *to) {
    char terminated[PEER_TEXT_BYTES];
    unsigned char v4[4];
    if (text.size == 0 || text.size >= sizeof terminated) {
        return false;
    }
    memcpy(terminated, text.bytes, text.size);
    terminated[text.size] = 0;
    if (inet_pton(AF_INET, terminated, v4) == 1) {
        map_v4(v4, to);
        return true;
    }
    return inet_pton(AF_INET6, terminated, to->bytes) == 1;
}

bool peer_read(loam_text text, peer_address *to) {
    return cut_bare(&text) && read_bare(text, to);
}

void peer_write(const peer_address *from, char text[PEER_TEXT_BYTES]) {
    bool is_v4 = is_mapped(from);
    const void *bytes = is_v4 ? from->bytes + sizeof mapped_prefix : from->bytes;
    if (inet_ntop(is_v4 ? AF_INET : AF_INET6, bytes, text, PEER_TEXT_BYTES) == NULL) {
        text[0] = 0;
    }
}

bool peer_is_loopback(const peer_address *of) {
    static const peer_address own = {{[15] = 1}};
    return is_mapped(of) ? of->bytes[12] == 127 : memcmp(of, &own, sizeof own) == 0;
}

/* ---- Ranges --------------------------------------------------------------------------------- */

static bool read_bits(const char *text, size_t size, uint32_t max, uint32_t *bits) {
    *bits = 0;
    for (size_t i = 0; i < size; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        *bits = *bits * 10 + (uint32_t)(text[i] - '0');
    }
    return size > 0 && size <= 3 && *bits <= max;
}

bool peer_range_read(loam_text text, peer_range *to) {
    const char *slash = text.size > 0 ? memchr(text.bytes, '/', text.size) : NULL;
    size_t left = slash == NULL ? text.size : (size_t)(slash - text.bytes);
    if (!read_bare((loam_text){text.bytes, left}, &to->base)) {
        return false;
    }
    bool is_v4 = is_mapped(&to->base) && memchr(text.bytes, ':', left) == NULL;
    uint32_t own_bits = is_v4 ? ADDRESS_BITS - MAPPED_BITS : ADDRESS_BITS;
    to->bits = own_bits;
    if (slash != NULL && !read_bits(slash + 1, text.size - left - 1, own_bits, &to->bits)) {
        return false;
    }
    to->bits += is_v4 ? MAPPED_BITS : 0;
    return true;
}

bool peer_range_has(const peer_range *range, const peer_address *address) {
    size_t whole = range->bits / 8;
    uint32_t rest = range->bits % 8;
    if (memcmp(range->base.bytes, address->bytes, whole) != 0) {
        return false;
    }
    return rest == 0 || (range->base.bytes[whole] ^ address->bytes[whole]) >> (8 - rest) == 0;
}
