/* SPDX-License-Identifier: MIT
 *
 * reply.c: see reply.h. Answers and their bodies, whoever gets them; what a read gets of them says
 * reply_read.c, what conditions say of a write reply_write.c.
 */
#include "server/slot/reply.h"

#include "api/wire/problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Every header that reply_form can name. */
enum { FIELDS_MAX = 20 };
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

http_body reply_blob_part(blob *held, uint64_t first, uint64_t size) {
    blob_retain(held);
    return (http_body){.bytes = held->bytes + first,
                       .size = (size_t)size,
                       .release = release_blob,
                       .context = held};
}

http_body reply_blob(blob *held) {
    return reply_blob_part(held, 0, held->size);
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
