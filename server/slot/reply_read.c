/* SPDX-License-Identifier: MIT
 *
 * reply_read.c: what a read gets, in this order: whether it takes the type (406), whether what is
 * there is what it means (412) and not what it has (304), then the whole or a part (206, 416).
 */
#include "server/http/byte_range.h"
#include "server/slot/condition.h"
#include "server/slot/negotiate.h"
#include "server/slot/reply.h"

#include <stdio.h>
#include <string.h>

/* The longest media type is MEDIA_TILED or one like it. */
enum { MEDIA_BYTES = 64 };

static bool is_read(const http_request *request) {
    http_method method = http_request_method(request);
    return method == HTTP_GET || method == HTTP_HEAD;
}

static read_verdict judge_tag(http_request *request, const char *etag) {
    return condition_check_read(http_header(request, "If-Match"),
                                http_header(request, "If-None-Match"), etag);
}

static read_verdict judge(http_request *request, const digest *of) {
    char etag[DIGEST_TEXT_BYTES + 2];
    reply_etag(of, etag);
    return judge_tag(request, etag);
}

static http_response *refuse_read(void) {
    loam_error error = {0};
    loam_fail(&error, LOAM_PRECONDITION_FAILED, NULL, "If-Match does not name what is there");
    return reply_problem(&error, NULL);
}

http_response *reply_unfit(http_request *request, const char *type) {
    char bare[MEDIA_BYTES]; /* without parameters */
    const char *const offers[] = {bare, NULL};
    loam_error error = {0};
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(type, ";"), type);
    if (negotiate_media(http_header(request, "Accept"), offers) >= 0) {
        return NULL;
    }
    loam_fail(&error, LOAM_NOT_ACCEPTABLE, NULL, "it is %s", type);
    return reply_problem(&error, NULL);
}

http_response *reply_kept(http_request *request, const ram_answer *answer) {
    read_verdict verdict = judge_tag(request, answer->etag);
    return verdict == READ_REFUSED
               ? refuse_read()
               : http_response_retain(verdict == READ_UNCHANGED ? answer->not_modified
                                                                : answer->full);
}

http_response *reply_unread(http_request *request, reply_form form, const digest *of,
                            uint64_t size) {
    http_response *unfit = reply_unfit(request, form.type);
    if (unfit != NULL) {
        return unfit;
    }
    read_verdict verdict = judge(request, of);
    form.etag = of;
    form.ranges = true;
    if (verdict == READ_REFUSED) {
        return refuse_read();
    }
    form.status = verdict == READ_UNCHANGED ? 304 : 200;
    if (verdict == READ_UNCHANGED) {
        return reply_create(&form, (http_body){0});
    }
    return http_request_method(request) == HTTP_HEAD
               ? reply_create(&form, (http_body){.size = (size_t)size})
               : NULL;
}

/* A part is sent only of what the client means: If-Range with another tag wants the whole. */
static byte_range asked_range(http_request *request, const char *etag, uint64_t size) {
    loam_text if_range = http_header(request, "If-Range");
    if (http_request_method(request) != HTTP_GET ||
        (if_range.bytes != NULL && !condition_names(if_range, etag, false))) {
        return (byte_range){0};
    }
    return range_parse(http_header(request, "Range"), size);
}

static http_response *reply_part(reply_form *form, blob *bytes, byte_range range) {
    char content_range[80];
    uint64_t size = range.last - range.first + 1;
    snprintf(content_range, sizeof content_range, "bytes %llu-%llu/%zu",
             (unsigned long long)range.first, (unsigned long long)range.last, bytes->size);
    form->status = 206;
    form->content_range = content_range;
    return reply_create(form, reply_blob_part(bytes, range.first, size));
}

static http_response *reply_no_part(const blob *bytes) {
    char content_range[48];
    loam_error error = {0};
    snprintf(content_range, sizeof content_range, "bytes */%zu", bytes->size);
    loam_fail(&error, LOAM_RANGE_UNSATISFIABLE, NULL,
              "no byte of that range is among the %zu that there are", bytes->size);
    return reply_problem(&error, &(reply_form){.content_range = content_range});
}

http_response *reply_bytes(http_request *request, reply_form form, blob *bytes) {
    char etag[DIGEST_TEXT_BYTES + 2];
    http_response *unread = reply_unread(request, form, &bytes->digest, bytes->size);
    if (unread != NULL) {
        return unread;
    }
    reply_etag(&bytes->digest, etag);
    form.etag = &bytes->digest;
    form.ranges = true;
    byte_range range = asked_range(request, etag, bytes->size);
    if (range.kind == RANGE_PART) {
        return reply_part(&form, bytes, range);
    }
    if (range.kind == RANGE_UNSATISFIABLE) {
        return reply_no_part(bytes);
    }
    form.status = 200;
    return reply_create(&form, reply_blob(bytes));
}

static http_body code_document(text_buffer *buffer, content_coding *coding, digest *of) {
    loam_text view = buffer_view(buffer);
    blob *coded = *coding == CODING_IDENTITY ? NULL : reply_code(view, coding);
    if (coded == NULL) {
        *coding = CODING_IDENTITY;
        *of = digest_of(view.bytes, view.size);
        return reply_body(buffer);
    }
    *of = coded->digest;
    http_body body = reply_blob(coded);
    blob_release(coded);
    return body;
}

http_response *reply_document(http_request *request, text_buffer *buffer, reply_form form) {
    if (buffer_status(buffer) != LOAM_OK) {
        return NULL;
    }
    digest of;
    form.status = form.status == 0 ? 200 : form.status;
    form.type = form.type == NULL ? MEDIA_JSON : form.type;
    bool read = is_read(request) && form.status == 200;
    http_response *unfit = read && !form.any_accept ? reply_unfit(request, form.type) : NULL;
    if (unfit != NULL) {
        return unfit;
    }
    content_coding coding = negotiate_content_coding(http_header(request, "Accept-Encoding"));
    http_body body = code_document(buffer, &coding, &of);
    form.cache = form.cache == NULL ? CACHE_REVALIDATE : form.cache;
    form.coding = coding_name(coding);
    form.vary = true;
    if (!read) {
        form.body_digest = &of;
        return reply_create(&form, body);
    }
    form.etag = &of;
    read_verdict verdict = judge(request, &of);
    if (verdict != READ_ANSWERED) {
        form.status = 304;
        body.release(body.context);
        body = (http_body){0};
    }
    return verdict == READ_REFUSED ? refuse_read() : reply_create(&form, body);
}

step_result slot_answer_document(flow_slot *slot, text_buffer *buffer, reply_form form) {
    slot->answer = reply_document(slot->request, buffer, form);
    return slot->answer != NULL
               ? STEP_NEXT
               : slot_fail(slot, LOAM_ARENA_FULL, NULL, "no memory for the answer");
}

step_result slot_answer_nothing(flow_slot *slot) {
    slot->answer = reply_create(&(reply_form){.status = 204, .cache = CACHE_NONE}, (http_body){0});
    return STEP_NEXT;
}
