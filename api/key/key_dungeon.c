/* SPDX-License-Identifier: MIT
 *
 * key_dungeon.c: keys of dungeons, and what is drawn with a secret: HMAC-SHA-256 (RFC 2104) over
 * digests, so that the public ones neither give the private ones nor let anyone test a guess.
 */
#include "api/key/key.h"

#include "core/base/mix.h"
#include "core/loam_dungeon.h"

#include <nettle/hmac.h>
#include <string.h>

/* "loam-anc": seeds of nodes and of dungeons never meet. Pinned: part of every such seed. */
#define ANCHOR_DOMAIN 0x6c6f616d2d616e63u
/* Counts up when the same rules and seed draw other content: what was stored then is not found. */
#define CONTENT_DOMAIN "loam content 1"

digest key_of_dungeon(const loam_dungeon_plan *plan) {
    digest_stream stream;
    digest_begin(&stream);
    loam_dungeon_key(plan, digest_sink(&stream));
    return digest_end(&stream);
}

digest key_of_layout(const loam_dungeon_plan *plan) {
    digest_stream stream;
    digest_begin(&stream);
    loam_dungeon_stage_key(plan, LOAM_STAGE_LAYOUT, digest_sink(&stream));
    return digest_end(&stream);
}

uint64_t seed_of_anchor(uint64_t world_seed, loam_text dungeon, uint64_t point_key) {
    uint64_t name_seed = mix_bytes(ANCHOR_DOMAIN, dungeon.bytes, dungeon.size);
    return mix_pair(mix_pair(world_seed, name_seed), point_key);
}

loam_status key_of_rules(const loam_rules *rules, digest *key) {
    const loam_asset asset = {.kind = LOAM_PORT_RULES, .rules = rules};
    return key_of_asset(&asset, key);
}

secret_key secret_of_seed(uint64_t seed) {
    secret_key made = {{0}};
    for (size_t i = 0; i < sizeof seed; i++) {
        made.bytes[i] = (unsigned char)(seed >> (8 * i));
    }
    return made;
}

/* Two digests and a word, under the secret. */
static digest hmac_of(const secret_key *of, const digest *first, const digest *second,
                      const char *word) {
    struct hmac_sha256_ctx context;
    digest made;
    hmac_sha256_set_key(&context, sizeof of->bytes, of->bytes);
    hmac_sha256_update(&context, DIGEST_BYTES, first->bytes);
    hmac_sha256_update(&context, DIGEST_BYTES, second->bytes);
    hmac_sha256_update(&context, strlen(word), (const uint8_t *)word);
    hmac_sha256_digest(&context, DIGEST_BYTES, made.bytes);
    return made;
}

digest key_of_content(const secret_key *of, const digest *build_key, const digest *content) {
    return hmac_of(of, build_key, content, "");
}

digest key_of_content_bytes(const digest *content_key) {
    digest_stream stream;
    digest_begin_domain(&stream, CONTENT_DOMAIN);
    digest_update(&stream, content_key->bytes, sizeof content_key->bytes);
    return digest_end(&stream);
}

uint64_t secret_draw_seed(const secret_key *of, const digest *layout_key, const digest *content,
                          secret_stage stage) {
    static const char *const words[] = {"content", "encounter"};
    const digest made = hmac_of(of, layout_key, content, words[stage]);
    uint64_t seed = 0;
    for (size_t i = 0; i < sizeof seed; i++) {
        seed = seed << 8 | made.bytes[i];
    }
    return seed;
}
