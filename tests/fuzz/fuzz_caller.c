/* SPDX-License-Identifier: MIT
 *
 * fuzz_caller.c: any bytes as the headers that say who asks and for whom: Forwarded and
 * X-Forwarded-For from a proxy that is trusted, traceparent, Authorization; and as an address, a
 * range of them and a token.
 */
#include "api/key/token.h"
#include "server/http/forwarded.h"
#include "server/http/trace_parent.h"
#include "server/token/token_table.h"
#include "tests/fuzz/property.h"

#include <string.h>

static void require_address(const peer_address *found) {
    char text[PEER_TEXT_BYTES];
    peer_address again;
    peer_write(found, text);
    require(memchr(text, 0, sizeof text) != NULL, "an address has an end");
    require(peer_read(loam_text_of(text), &again) && memcmp(&again, found, sizeof again) == 0,
            "an address that is written out is the same");
}

static void require_range(loam_text text) {
    peer_range range;
    if (peer_range_read(text, &range)) {
        require(range.bits <= 128, "a range has at most all bits");
        require(peer_range_has(&range, &range.base), "a range has its own base");
    }
}

/* Who is trusted is passed over, but for the first of all. */
static void require_client(loam_text header, forwarded_kind kind) {
    peer_range trusted[2];
    const proxy_rules rules = {.ranges = trusted, .range_count = 2, .kind = kind};
    peer_address client;
    require(peer_range_read(loam_text_of("10.0.0.0/8"), &trusted[0]) &&
                peer_range_read(loam_text_of("2001:db8::/32"), &trusted[1]),
            "ranges are read");
    if (!forwarded_client(&rules, header, &client)) {
        return;
    }
    require_address(&client);
    require(header.size > 0, "nobody asks for somebody without a word");
}

static void require_trace(loam_text header) {
    char trace[TRACE_PARENT_BYTES];
    trace_parent_read(header, trace);
    size_t size = strlen(trace);
    require(size == 0 || size == TRACE_PARENT_SIZE, "a trace has one length");
    require(size <= header.size && memcmp(trace, header.bytes, size) == 0,
            "a trace is what was sent");
    require(strchr(trace, '"') == NULL && strchr(trace, '\\') == NULL, "a trace is safe to log");
}

static void require_token(loam_text text) {
    loam_text id;
    digest of;
    if (!token_read(text, &id, &of)) {
        return;
    }
    digest whole = digest_of(text.bytes, text.size);
    require(digest_equal(&of, &whole), "a token is known by all of it");
    require(id.size > 0 && id.size <= NAME_BYTES_MAX && id.bytes > text.bytes &&
                id.bytes + id.size < text.bytes + text.size,
            "an id stands within its token");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    loam_text header = input_text(bytes, size);
    peer_address address;
    if (peer_read(header, &address)) {
        require_address(&address);
    }
    require_range(header);
    require_client(header, FORWARDED_LIST);
    require_client(header, FORWARDED_RFC);
    require_trace(header);
    require_token(header);
    require_token(token_of_header(header));
    return 0;
}
