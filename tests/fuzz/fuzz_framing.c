/* SPDX-License-Identifier: MIT
 *
 * fuzz_framing.c: a method, a version (the first byte) and lines "Name:value". A request whose
 * framing is accepted says once how long it is; a host that is ours, and an origin that may ask,
 * are those of a list that is written out here.
 */
#include "server/http/framing.h"
#include "server/http/origin.h"
#include "tests/fuzz/property.h"

#include <string.h>
#include <strings.h>

static const char *const hosts[] = {"maps.example"};
static const char *const origins[] = {"https://editor.example", "http://localhost:5173"};
static const origin_rules rules = {hosts, 1, false, origins, 2};

/* As the guard counts them: by another reader of the same lines. */
typedef struct line_count {
    uint32_t hosts;
    uint32_t lengths;
    uint32_t codings;
} line_count;

static bool text_is(loam_text text, const char *word) {
    return text.size == strlen(word) && strncasecmp(text.bytes, word, text.size) == 0;
}

static void gather(loam_text lines, framing *to, line_count *count) {
    while (lines.size > 0) {
        loam_text value = cut_text(&lines, '\n');
        loam_text name = cut_text(&value, ':');
        count->hosts += text_is(name, "host");
        count->lengths += text_is(name, "content-length");
        count->codings += text_is(name, "transfer-encoding");
        framing_note(to, name, value);
    }
}

static void require_framing(const framing *from, const line_count *count, uint8_t head) {
    uint64_t body_bytes = 0;
    loam_error error = {0};
    framing_version version = (head >> 3) % 2 == 1 ? HTTP_1_1 : HTTP_1_0;
    loam_status status = framing_check(from, (http_method)(head % 8), version, &body_bytes, &error);
    if (status != LOAM_OK) {
        require_fault(status, &error);
        return;
    }
    require(head % 8 != HTTP_OTHER, "an unknown method is refused");
    require(count->hosts == 1 || (count->hosts == 0 && version == HTTP_1_0), "one host is named");
    require(count->lengths + count->codings <= 1, "the length is said once");
    require((body_bytes == BODY_CHUNKED) == (count->codings == 1), "chunks are asked for");
    require(body_bytes == 0 || count->lengths + count->codings == 1, "a body has its length said");
    require(body_bytes == BODY_CHUNKED || body_bytes <= INT64_MAX, "a length is one");
}

/* A name, or a name with a colon and at most five digits. */
static bool names_host(const char *name, loam_text host) {
    size_t size = strlen(name);
    if (host.size < size || strncasecmp(host.bytes, name, size) != 0) {
        return false;
    }
    if (host.size == size) {
        return true;
    }
    bool port = host.bytes[size] == ':' && host.size <= size + 6;
    for (size_t i = size + 1; i < host.size; i++) {
        port = port && host.bytes[i] >= '0' && host.bytes[i] <= '9';
    }
    return port;
}

static void require_host(loam_text host) {
    bool wanted = names_host("localhost", host) || names_host("127.0.0.1", host) ||
                  names_host("[::1]", host) || names_host(hosts[0], host);
    require(host_is_ours(&rules, host) == wanted, "our hosts are those of the list");
}

static void require_origin(const framing *from) {
    origin_verdict verdict = origin_judge(&rules, from->host, from->origin, from->fetch_site);
    bool listed = text_is(from->origin, origins[0]) || text_is(from->origin, origins[1]);
    require(verdict != ORIGIN_ALLOWED || listed, "an origin that is allowed is of the list");
    if (verdict == ORIGIN_OWN && from->origin.bytes != NULL) {
        loam_text rest = from->origin;
        loam_text scheme = cut_text(&rest, ':');
        require(text_is(scheme, "http") || text_is(scheme, "https"), "a page has a scheme");
        require(rest.size == from->host.size + 2 && memcmp(rest.bytes, "//", 2) == 0 &&
                    strncasecmp(rest.bytes + 2, from->host.bytes, from->host.size) == 0,
                "a page of our own has our authority");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    framing gathered = {0};
    line_count count = {0};
    if (size == 0) {
        return 0;
    }
    gather(input_text(bytes + 1, size - 1), &gathered, &count);
    require_framing(&gathered, &count, bytes[0]);
    if (gathered.host.bytes != NULL) {
        require_host(gathered.host);
        require_origin(&gathered);
    }
    return 0;
}
