/* SPDX-License-Identifier: MIT
 *
 * reply.c: see reply.h.
 */
#include "server/flow/reply.h"

#include "api/wire/problem.h"
#include "server/flow/condition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Every header that reply_form can name. */
enum { FIELDS_MAX = 16 };
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
    add_field(&list, "Loam-Build-Key", form->build_key);
    add_field(&list, "Loam-Digest", form->cell_digest);
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
    problem_write(error, &buffer);
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

http_body reply_blob(blob *held) {
    blob_retain(held);
    return (http_body){
        .bytes = held->bytes, .size = held->size, .release = release_blob, .context = held};
}

static bool is_read(const http_request *request) {
    http_method method = http_request_method(request);
    return method == HTTP_GET || method == HTTP_HEAD;
}

/* Whether the client has these bytes already. */
static bool client_has(http_request *request, const digest *document) {
    char etag[DIGEST_TEXT_BYTES + 2];
    reply_etag(document, etag);
    return condition_names(http_header(request, "If-None-Match"), etag, true);
}

http_response *reply_document(http_request *request, text_buffer *buffer, reply_form form) {
    if (buffer_status(buffer) != LOAM_OK) {
        return NULL;
    }
    loam_text view = buffer_view(buffer);
    digest of = digest_of(view.bytes, view.size);
    form.status = form.status == 0 ? 200 : form.status;
    form.type = form.type == NULL ? MEDIA_JSON : form.type;
    form.cache = form.cache == NULL ? CACHE_REVALIDATE : form.cache;
    form.vary = true;
    if (!is_read(request) || form.status != 200) {
        form.body_digest = &of;
        return reply_create(&form, reply_body(buffer));
    }
    form.etag = &of;
    form.status = client_has(request, &of) ? 304 : 200;
    return reply_create(&form, form.status == 304 ? (http_body){0} : reply_body(buffer));
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

loam_status slot_check_write(flow_slot *slot, const text_buffer *current) {
    char etag[DIGEST_TEXT_BYTES + 2];
    if (current != NULL) {
        loam_text view = buffer_view(current);
        digest of = digest_of(view.bytes, view.size);
        reply_etag(&of, etag);
    }
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
