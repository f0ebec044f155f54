/* SPDX-License-Identifier: MIT
 *
 * reply.h: responses with their headers, exactly as API.md's rules for every route say: media type,
 * entity tag, caching, Repr-Digest over the bytes that are sent, Vary.
 */
#ifndef LOAM_SERVER_SLOT_REPLY_H
#define LOAM_SERVER_SLOT_REPLY_H

#include "api/key/key.h"
#include "api/view/coding.h"
#include "api/wire/text_buffer.h"
#include "server/http/http.h"
#include "server/slot/ram_cache.h"
#include "server/slot/slot.h"
#include "server/store/blob.h"

#define MEDIA_JSON "application/json"
#define MEDIA_CELL "application/vnd.loam.cell"
#define MEDIA_PNG "image/png"
#define MEDIA_CSV "text/csv"
#define MEDIA_GLB "model/gltf-binary"
#define MEDIA_NDJSON "application/x-ndjson"
#define MEDIA_DUNGEON "application/vnd.loam.dungeon"
#define MEDIA_TEXT "text/plain"
#define MEDIA_TILED "application/vnd.tiled+json"
#define MEDIA_LDTK "application/vnd.ldtk+json"
#define MEDIA_SVG "image/svg+xml"

/* What is at an immutable URL. With tokens it is for who asked, not for shared caches. */
#define CACHE_IMMUTABLE(flow)                                                                      \
    ((flow)->tokens == NULL || (flow)->settings->public_read != 0 ? CACHE_PUBLIC : CACHE_PRIVATE)
#define CACHE_PUBLIC "public, max-age=31536000, immutable"
#define CACHE_PRIVATE "private, max-age=31536000, immutable"
#define CACHE_PRIVATE_REVALIDATE "private, no-cache"
#define CACHE_REVALIDATE "no-cache"
#define CACHE_NONE "no-store"

/* What a refused client is asked to wait: queues turn over in about that time. */
enum { RETRY_AFTER_S = 1 };

/* What a response says beside its body. NULL and 0 leave a header out. */
typedef struct reply_form {
    int status;
    const char *type;
    bool any_accept; /* sent whatever Accept says: to a probe that cannot ask again */
    const char *cache;
    const char *cache_status;
    const char *location;
    const char *content_location;
    const char *preference_applied;
    const char *allow;
    const char *authenticate; /* WWW-Authenticate */
    const char *build_key;
    const char *cell_digest;
    const char *content_key;   /* of a dungeon, for the server scope */
    const char *coding;        /* Content-Encoding */
    const char *content_range; /* of a 206 or 416 */
    bool ranges;               /* parts of it may be asked for */
    const digest *etag;        /* also what Repr-Digest says when body_digest is NULL */
    const digest *body_digest; /* of the bytes sent, when the entity tag is of others */
    int32_t retry_after_s;
    bool vary;
    const char *warning; /* RFC 7234, 5.5; that field went from RFC 9111, its form is known */
    loam_text reasons;   /* of a problem: a JSON array, empty: none */
} reply_form;

/* Owned; NULL when memory is short. A 304 has no body and no Repr-Digest. */
http_response *reply_create(const reply_form *form, http_body body);
/* The problem document of an error, with the headers of `form` (may be NULL). */
http_response *reply_problem(const loam_error *error, const reply_form *form);
/* A quoted digest. */
void reply_etag(const digest *of, char etag[DIGEST_TEXT_BYTES + 2]);

/* The buffer's bytes as a body; the buffer is empty afterwards. */
http_body reply_body(text_buffer *buffer);
/* The blob's bytes as a body, held until it has been sent. */
http_body reply_blob(blob *held);
/* A part of them. */
http_body reply_blob_part(blob *held, uint64_t first, uint64_t size);

/* Bodies from here on are coded when the client takes it; smaller ones when it takes nothing else.
 */
enum { CODED_BYTES_MIN = 1024 };
/* The bytes as a blob, coded when that is asked for and they are enough; *coding says what it
 * became. Owned; NULL when memory is short. */
blob *reply_code(loam_text bytes, content_coding *coding);

/* The 406 of a read whose Accept takes no such media type; NULL when it does, or memory is short.
 */
http_response *reply_unfit(http_request *request, const char *type);
/* A kept answer, its 304, or a 412, as the conditions of a read say. Owned. */
http_response *reply_kept(http_request *request, const ram_answer *answer);
/* What a read of so many bytes is answered without them: a 304, a 406, a 412, or the headers for a
 * HEAD. NULL when the bytes are needed, or memory is short. */
http_response *reply_unread(http_request *request, reply_form form, const digest *of,
                            uint64_t size);
/* The bytes of a blob under their entity tag: whole, as a 304, or the one part that Range asks for.
 */
http_response *reply_bytes(http_request *request, reply_form form, blob *bytes);

/* A JSON document, or another type that `form` gives. A read gets an entity tag, and a 304 when the
 * client has it, a 406 when it does not take the type; what was written is told whatever Accept
 * says. NULL when memory is short or the buffer has failed. */
http_response *reply_document(http_request *request, text_buffer *buffer, reply_form form);
/* The same as slot->answer. */
step_result slot_answer_document(flow_slot *slot, text_buffer *buffer, reply_form form);
/* 204. */
step_result slot_answer_nothing(flow_slot *slot);
/* Whether If-None-Match names the document, in any coding. */
bool reply_is_known(http_request *request, const text_buffer *document);
/* LOAM_PRECONDITION_FAILED when the request's If-Match or If-None-Match does not hold for the
 * document in `current`, whose row has the digest `seen`; both NULL: there is none. Afterwards
 * slot->premise is for the request that commits the write. */
LOAM_MUST_USE loam_status slot_check_write(flow_slot *slot, const text_buffer *current,
                                           const digest *seen);
/* Whether the request has one of those headers. */
bool slot_has_condition(flow_slot *slot);

/* Wall clock, in the store's unix milliseconds; and such a time as a JSON string (RFC 3339, UTC),
 * or null for 0. */
int64_t time_now_ms(void);
void time_write(text_buffer *buffer, int64_t unix_ms);

#endif
