/* SPDX-License-Identifier: MIT
 *
 * key.h: SHA-256 digests and what loam digests: build keys, assets, graphs, revisions. core writes
 * bytes, this room hashes them. A domain before a text keeps digests of different kinds apart;
 * bytes that begin with a magic word of their own (artifacts, assets) are hashed as they are.
 */
#ifndef LOAM_API_KEY_H
#define LOAM_API_KEY_H

#include "core/loam.h"

enum {
    DIGEST_BYTES = 32,
    DIGEST_TEXT_SIZE = 7 + 2 * DIGEST_BYTES, /* "sha256-" and hex digits */
    DIGEST_TEXT_BYTES = DIGEST_TEXT_SIZE + 1,
    DIGEST_STREAM_BYTES = 192, /* room for the hash library's state, checked in key.c */
};

/* Domains: what stands, with a newline, before the bytes of each kind. */
#define DIGEST_DOMAIN_GRAPH "loam-graph/1"
#define DIGEST_DOMAIN_REVISION "loam-revision/1"
#define DIGEST_DOMAIN_JOB "loam-job/1"

typedef struct digest {
    unsigned char bytes[DIGEST_BYTES];
} digest;

/* A secret of 32 bytes, as HMAC-SHA-256 wants them. */
typedef struct secret_key {
    unsigned char bytes[DIGEST_BYTES];
} secret_key;

/* A digest in the making; plain memory, nothing to release. */
typedef union digest_stream {
    unsigned char bytes[DIGEST_STREAM_BYTES];
    uint64_t alignment;
} digest_stream;

void digest_begin(digest_stream *stream);
/* The same, with a domain and a newline as the first bytes. */
void digest_begin_domain(digest_stream *stream, const char *domain);
void digest_update(digest_stream *stream, const void *bytes, size_t size);
/* The sink borrows the stream. */
loam_sink digest_sink(digest_stream *stream);
/* Ends the stream; begin it again for another digest. */
digest digest_end(digest_stream *stream);

digest digest_of(const void *bytes, size_t size);
digest digest_of_domain(const char *domain, const void *bytes, size_t size);
bool digest_equal(const digest *a, const digest *b);

/* "sha256-" and 64 lower-case hex digits, terminated; and back, nothing else is taken. */
void digest_text(const digest *from, char text[DIGEST_TEXT_BYTES]);
bool digest_parse(loam_text text, digest *to);

/* The build key of a cell (loam_cell_key); `scratch` is given back. */
LOAM_MUST_USE loam_status key_of_cell(const loam_query *query, loam_arena *scratch, digest *key,
                                      loam_error *error);
/* The plain SHA-256 of an asset's canonical bytes, which begin with their own magic and kind: what
 * is stored under the digest, and served, can be checked against it as it is. */
LOAM_MUST_USE loam_status key_of_asset(const loam_asset *asset, digest *key);
/* The digest that an asset of this document has. */
LOAM_MUST_USE loam_status key_of_rules(const loam_rules *rules, digest *key);

/* ---- Dungeons -------------------------------------------------------------------------------- */

/* The build key of the whole, and the key of its layout (loam_dungeon.h). */
struct loam_dungeon_plan;
digest key_of_dungeon(const struct loam_dungeon_plan *plan);
digest key_of_layout(const struct loam_dungeon_plan *plan);
/* The seed of a world's dungeon at the point of this feature key: others that come, go or move, and
 * other dungeons there, do not change it. */
uint64_t seed_of_anchor(uint64_t world_seed, loam_text dungeon, uint64_t point_key);

/* The secret of a client's seed: its eight bytes, the lowest first, then zeros. */
secret_key secret_of_seed(uint64_t seed);
/* What a dungeon's content is asked by: nobody without the secret can tell that two dungeons, or
 * two guesses, have the same. HMAC(secret, build key | content digest). */
digest key_of_content(const secret_key *of, const digest *build_key, const digest *content);

/* What its canonical bytes are stored under: what draws them, and the content key. */
digest key_of_content_bytes(const digest *content_key);

/* What is drawn with the secret. */
typedef enum secret_stage { SECRET_CONTENT, SECRET_ENCOUNTER } secret_stage;

/* The seed of a stage: the first 64 bits, the highest byte first, of HMAC(secret, layout key |
 * content digest | name of the stage). */
uint64_t secret_draw_seed(const secret_key *of, const digest *layout_key, const digest *content,
                          secret_stage stage);

#endif
