/* SPDX-License-Identifier: MIT
 *
 * reply.c: see reply.h.
 */
#include "server/slot/reply.h"

#include "api/wire/problem.h"
#include "server/http/byte_range.h"
#include "server/slot/condition.h"
#include "server/slot/negotiate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Every header that reply_form can name. */
enum { FIELDS_MAX = 20 };
/* The longest media type is MEDIA_TILED or one like it. */
enum { MEDIA_BYTES = 64 };
/* "sha-256=:" , 44 characters of base64, ":". */
enum { REPR_DIGEST_BYTES = 56 };

typedef struct field_list {
    size_t count;
    http_field fields[FIELDS_MAX];
} field_list;

static void add_field(field_list *list, const char *name, const char *value) {
    if (value != NULL) {
        list->fields[list->count++] = (http_field){name, value};
    }
}

void reply_etag(const digest *of, char etag[DIGEST_TEXT_BYTES + 2]) {
    etag[0] = '"';
    digest_text(of, etag + 1);
    memcpy(etag + 1 + DIGEST_TEXT_SIZE, "\"", 2);
}

/* The digest as RFC 9530 writes it: a byte sequence of RFC 8941 in base64. */
static void write_repr_digest(const digest *of, char text[REPR_DIGEST_BYTES]) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *at = text + sprintf(text, "sha-256=:");
    for (size_t i = 0; i < DIGEST_BYTES; i += 3) {
        uint32_t group = 0;
        for (size_t j = 0; j < 3; j++) {
            group = group << 8 | (i + j < DIGEST_BYTES ? of->bytes[i + j] : 0);
        }
        for (int shift = 18; shift >= 0; shift -= 6) {
            *at++ = letters[group >> shift & 63];
        }
    }
    memcpy(at - 1, "=:", 3); /* 32 bytes end with one byte missing to a group */
}

http_response *reply_create(const reply_form *form, http_body body) {
    field_list list = {0};
    char etag[DIGEST_TEXT_BYTES + 2];
    char repr_digest[REPR_DIGEST_BYTES];
    char retry_after[16];
    const digest *sent = form->body_digest == NULL ? form->etag : form->body_digest;
    add_field(&list, "Content-Type", form->status == 304 ? NULL : form->type);
    add_field(&list, "Cache-Control", form->cache);
    add_field(&list, "Cache-Status", form->cache_status);
    add_field(&list, "Location", form->location);
    add_field(&list, "Content-Location", form->content_location);
    add_field(&list, "Preference-Applied", form->preference_applied);
    add_field(&list, "Allow", form->allow);
    add_field(&list, "WWW-Authenticate", form->authenticate);
    add_field(&list, "Loam-Build-Key", form->build_key);
    add_field(&list, "Loam-Digest", form->cell_digest);
    add_field(&list, "Warning", form->warning);
    add_field(&list, "Loam-Content-Key", form->content_key);
    add_field(&list, "Content-Encoding", form->status == 304 ? NULL : form->coding);
    add_field(&list, "Content-Range", form->content_range);
    add_field(&list, "Accept-Ranges", form->ranges ? "bytes" : NULL);
    add_field(&list, "Vary", form->vary ? "Accept, Accept-Encoding" : NULL);
    if (form->etag != NULL) {
        reply_etag(form->etag, etag);
        add_field(&list, "ETag", etag);
    }
    if (sent != NULL && form->status != 304) {
        write_repr_digest(sent, repr_digest);
        add_field(&list, "Repr-Digest", repr_digest);
    }
    if (form->retry_after_s > 0) {
        snprintf(retry_after, sizeof retry_after, "%d", form->retry_after_s);
        add_field(&list, "Retry-After", retry_after);
    }
    return http_response_create(form->status, list.fields, list.count, body);
}

http_response *reply_problem(const loam_error *error, const reply_form *form) {
    reply_form with = form == NULL ? (reply_form){0} : *form;
    text_buffer buffer;
    buffer_init(&buffer, PROBLEM_BYTES_MAX);
    problem_write_reasons(error, with.reasons, &buffer);
    with.status = problem_http_status(error);
    with.type = PROBLEM_MEDIA_TYPE;
    with.cache = CACHE_NONE;
    http_response *response = reply_create(&with, reply_body(&buffer));
    buffer_fini(&buffer);
    return response;
}

http_body reply_body(text_buffer *buffer) {
    size_t size = 0;
    char *bytes = buffer_take(buffer, &size);
    return (http_body){.bytes = bytes, .size = size, .release = free, .context = bytes};
}

static void release_blob(void *context) {
    blob_release(context);
}

/* A part of the blob, which is held until it has been sent. */
static http_body blob_part(blob *held, uint64_t first, uint64_t size) {
    blob_retain(held);
    return (http_body){.bytes = held->bytes + first,
                       .size = (size_t)size,
                       .release = release_blob,
                       .context = held};
}

http_body reply_blob(blob *held) {
    return blob_part(held, 0, held->size);
}

blob *reply_code(loam_text bytes, content_coding *coding) {
    bool always = *coding == CODING_GZIP_ALWAYS || *coding == CODING_ZSTD_ALWAYS;
    if (*coding == CODING_IDENTITY || (bytes.size < CODED_BYTES_MIN && !always)) {
        *coding = CODING_IDENTITY;
        return blob_create(bytes.bytes, bytes.size);
    }
    size_t size = 0;
    size_t bound = coding_bound(*coding, bytes.size);
    blob *coded = blob_allocate(bound);
    if (coded == NULL) {
        return NULL;
    }
    if (coding_encode(*coding, bytes, coded->bytes, bound, &size) != LOAM_OK) {
        blob_release(coded);
        *coding = CODING_IDENTITY;
        return blob_create(bytes.bytes, bytes.size);
    }
    blob_seal(coded, size);
    return coded;
}

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
    return reply_create(form, blob_part(bytes, range.first, size));
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

/* ---- Time ----------------------------------------------------------------------------------- */

int64_t time_now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void time_write(text_buffer *buffer, int64_t unix_ms) {
    time_t seconds = (time_t)(unix_ms / 1000);
    struct tm parts;
    char text[48];
    if (unix_ms == 0) {
        buffer_null(buffer);
        return;
    }
    gmtime_r(&seconds, &parts);
    size_t size = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(text + size, sizeof text - size, ".%03dZ", (int)(unix_ms % 1000));
    buffer_string(buffer, text);
}
