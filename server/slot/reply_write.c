/* SPDX-License-Identifier: MIT
 *
 * reply_write.c: what the conditions of a request say of the document that is there, in whatever
 * coding its client got it.
 */
#include "core/base/text.h"
#include "server/slot/condition.h"
#include "server/slot/reply.h"

bool slot_has_condition(flow_slot *slot) {
    return http_header(slot->request, "If-Match").bytes != NULL ||
           http_header(slot->request, "If-None-Match").bytes != NULL;
}

/* The tag that a write's conditions mean: that of the coding in which the client got the document.
 */
static void find_named_etag(http_request *request, loam_text document,
                            char etag[DIGEST_TEXT_BYTES + 2]) {
    loam_text if_match = http_header(request, "If-Match");
    loam_text if_none_match = http_header(request, "If-None-Match");
    bool named = false;
    for (int coding = CODINGS - 1; coding >= CODING_IDENTITY && !named; coding--) {
        content_coding as = (content_coding)coding;
        blob *coded = reply_code(document, &as);
        if (coded != NULL) {
            reply_etag(&coded->digest, etag);
            named = condition_names(if_match, etag, false) ||
                    condition_names(if_none_match, etag, true);
        }
        blob_release(coded);
    }
}

bool reply_is_known(http_request *request, const text_buffer *document) {
    char etag[DIGEST_TEXT_BYTES + 2] = "";
    find_named_etag(request, buffer_view(document), etag);
    return condition_names(http_header(request, "If-None-Match"), etag, true);
}

/* What has to be so still when the write is committed. */
static write_premise find_premise(flow_slot *slot, const digest *seen) {
    if (!slot_has_condition(slot)) {
        return (write_premise){.kind = PREMISE_NONE};
    }
    if (seen == NULL) {
        return (write_premise){.kind = PREMISE_ABSENT};
    }
    bool any = condition_is_any(http_header(slot->request, "If-Match")) &&
               http_header(slot->request, "If-None-Match").bytes == NULL;
    return (write_premise){.kind = any ? PREMISE_PRESENT : PREMISE_SAME, .seen = *seen};
}

loam_status slot_check_write(flow_slot *slot, const text_buffer *current, const digest *seen) {
    char etag[DIGEST_TEXT_BYTES + 2] = "";
    if (current != NULL) {
        find_named_etag(slot->request, buffer_view(current), etag);
    }
    slot->premise = find_premise(slot, seen);
    return condition_check_write(http_header(slot->request, "If-Match"),
                                 http_header(slot->request, "If-None-Match"),
                                 current == NULL ? NULL : etag, &slot->error);
}
