/* SPDX-License-Identifier: MIT
 *
 * fuzz_headers.c: the first byte says how large the body is, the rest is a header that each of
 * the readers of headers takes: Range, If-Match and If-None-Match, Accept, Accept-Encoding, Prefer.
 */
#include "server/http/byte_range.h"
#include "server/slot/condition.h"
#include "server/slot/negotiate.h"
#include "tests/fuzz/property.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char etag[] = "\"sha256-00\"";

static void require_range(loam_text header, uint64_t size) {
    byte_range range = range_parse(header, size);
    char text[64];
    if (range.kind != RANGE_PART) {
        return;
    }
    require(range.first <= range.last && range.last < size, "a part lies in its body");
    int used = snprintf(text, sizeof text, "bytes=%" PRIu64 "-%" PRIu64, range.first, range.last);
    byte_range again = range_parse((loam_text){text, (size_t)used}, size);
    require(again.kind == RANGE_PART && again.first == range.first && again.last == range.last,
            "a part that is written out is the same");
}

/* The list with our tag before it. */
static void require_named_first(loam_text list) {
    size_t head = sizeof etag - 1;
    char *longer = malloc(head + 1 + list.size);
    memcpy(longer, etag, head);
    longer[head] = ',';
    memcpy(longer + head + 1, list.bytes, list.size);
    loam_text text = {longer, head + 1 + list.size};
    require(condition_names(text, etag, false), "a list names its first tag, whatever follows");
    free(longer);
}

static void require_condition(loam_text list) {
    loam_text none = {NULL, 0};
    loam_error error = {0};
    bool strong = condition_names(list, etag, false);
    bool weak = condition_names(list, etag, true);
    require(!strong || weak, "what is named strongly is named weakly");
    require(!weak || text_holds(list, etag) || text_holds(list, "*"), "a named tag is in the list");
    require(!condition_names(list, NULL, true), "nothing names what is not there");
    require((condition_check_write(list, none, etag, &error) == LOAM_OK) == strong,
            "If-Match takes what it names");
    require((condition_check_write(none, list, etag, &error) == LOAM_OK) == !weak,
            "If-None-Match takes what it does not name");
    require_named_first(list);
}

static void require_negotiation(loam_text header) {
    static const char *const offers[] = {"application/vnd.loam.cell", "application/json",
                                         "image/png", NULL};
    int32_t best = negotiate_media(header, offers);
    require(best >= -1 && best < 3, "an offer is chosen, or none");
    require(best <= 0 || text_holds(header, offers[best]) || text_holds(header, "*"),
            "an offer that is not the default was asked for");
    content_coding coding = negotiate_content_coding(header);
    require(coding == CODING_IDENTITY || negotiate_coding(header, coding_name(coding)) > 0,
            "a coding that is chosen is liked");
    require(negotiate_coding(header, "gzip") <= 1000, "a weight is at most one");
    preference prefer = preference_read(header);
    require(!prefer.respond_async || text_holds(header, "respond-async"), "async was asked for");
    require(!prefer.wait_given || text_holds(header, "wait"), "a wait was asked for");
    require(!media_type_is(header, "text/plain") || text_holds(header, "text/plain"),
            "a type that is named is there");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size == 0) {
        return 0;
    }
    loam_text header = input_text(bytes + 1, size - 1);
    require_range(header, bytes[0]);
    require_condition(header);
    require_negotiation(header);
    return 0;
}
