/* SPDX-License-Identifier: MIT
 *
 * fuzz_target.c: a request target is refused with an error, or every decoded part is clean, lies in
 * the input's own bytes and, encoded again, is read as the same.
 */
#include "server/http/target.h"
#include "tests/fuzz/property.h"

#include <stdlib.h>
#include <string.h>

/* Every byte of a part as three, and the authority. */
enum { ENCODED_BYTES_MAX = 4 * TARGET_BYTES_MAX + 16 };

typedef struct target_text {
    char bytes[ENCODED_BYTES_MAX];
    size_t size;
} target_text;

static void add(target_text *to, const char *bytes, size_t size) {
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

static void add_encoded(target_text *to, loam_text part) {
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < part.size; i++) {
        unsigned char byte = (unsigned char)part.bytes[i];
        const char encoded[] = {'%', digits[byte >> 4], digits[byte & 15]};
        bool plain = (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9');
        add(to, plain ? &part.bytes[i] : encoded, plain ? 1 : 3);
    }
}

static const char *scheme_of(const target *of) {
    return of->is_secure ? "https://" : "http://";
}

static void encode(const target *from, target_text *to) {
    to->size = 0;
    if (from->authority.bytes != NULL) {
        add(to, scheme_of(from), strlen(scheme_of(from)));
        add(to, from->authority.bytes, from->authority.size);
    }
    for (uint32_t i = 0; i < from->segment_count; i++) {
        add(to, "/", 1);
        add_encoded(to, from->segments[i]);
    }
    for (uint32_t i = 0; i < from->parameter_count; i++) {
        add(to, i == 0 ? "?" : "&", 1);
        add_encoded(to, from->parameters[i].name);
        add(to, "=", 1);
        add_encoded(to, from->parameters[i].value);
    }
}

static void require_clean(loam_text part, bool in_path) {
    for (size_t i = 0; i < part.size; i++) {
        unsigned char byte = (unsigned char)part.bytes[i];
        require(byte >= ' ' && byte != 0x7f, "no part holds a control");
        require(!in_path || byte != '/', "no segment holds a slash");
    }
}

static void require_parts_equal(const target *got, const target *want) {
    require(got->segment_count == want->segment_count &&
                got->parameter_count == want->parameter_count,
            "encoded again, there are as many parts");
    for (uint32_t i = 0; i < want->segment_count; i++) {
        require_clean(want->segments[i], true);
        require_equal(got->segments[i], want->segments[i], "a segment is read as the same");
    }
    for (uint32_t i = 0; i < want->parameter_count; i++) {
        const target_parameter *parameter = &want->parameters[i];
        require_clean(parameter->name, false);
        require_clean(parameter->value, false);
        require_equal(got->parameters[i].name, parameter->name, "a name is read as the same");
        require_equal(got->parameters[i].value, parameter->value, "a value is read as the same");
    }
    require_equal(got->path, want->path, "the path is read as the same");
    require_equal(got->authority, want->authority, "the authority is read as the same");
    require(got->is_secure == want->is_secure, "the scheme is read as the same");
}

static void require_encoded_again(const target *first) {
    static target_text text;
    target again;
    loam_error error = {0};
    if (loam_text_equal(first->path, loam_text_of("*"))) {
        return;
    }
    encode(first, &text);
    require(target_parse(&again, text.bytes, text.size, &error) == LOAM_OK,
            "a target that was read can be encoded");
    require_parts_equal(&again, first);
}

/* Segments are cut where the raw path has a slash, and nowhere else. */
static void require_slashes(const target *got, loam_text raw) {
    uint32_t slashes = 0;
    loam_text path = cut_text(&raw, '?');
    if (got->authority.bytes != NULL) {
        size_t skip = strlen(scheme_of(got)) + got->authority.size;
        path = (loam_text){path.bytes + skip, path.size - skip};
    }
    for (size_t i = 0; i < path.size; i++) {
        slashes += path.bytes[i] == '/';
    }
    bool root = path.size == 0 || path.bytes[0] == '*';
    require(root || got->segment_count == slashes, "no segment begins at an encoded slash");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    target first;
    loam_error error = {0};
    if (size > TARGET_BYTES_MAX) {
        return 0;
    }
    char *copy = malloc(size == 0 ? 1 : size);
    memcpy(copy, bytes, size);
    loam_status status = target_parse(&first, copy, size, &error);
    if (status == LOAM_OK) {
        require_encoded_again(&first);
        require_slashes(&first, input_text(bytes, size));
    } else {
        require_fault(status, &error);
    }
    free(copy);
    return 0;
}
