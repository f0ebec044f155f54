/* SPDX-License-Identifier: MIT
 *
 * anchor_write.c: `dungeons` of a world in their canonical form, and the request for one of them;
 * see anchor_document.h.
 */
#include "api/wire/anchor_document.h"

#include "api/wire/asset_feature.h"

#include <string.h>

static void write_content(text_buffer *buffer, const world_dungeon *dungeon, bool hidden) {
    if (hidden && dungeon->content.size > 0) {
        buffer_key(buffer, "content");
        buffer_json(buffer, dungeon->content);
    }
}

static void write_secret(text_buffer *buffer, const world_dungeon *dungeon, bool hidden) {
    if (hidden && dungeon->secret_given) {
        buffer_key(buffer, "secret_seed");
        buffer_unsigned_string(buffer, dungeon->secret_seed);
    }
}

/* Names in order. */
static void write_dungeon(text_buffer *buffer, const world_dungeon *dungeon, bool hidden) {
    buffer_open_object(buffer);
    buffer_key(buffer, "anchors");
    buffer_digest(buffer, &dungeon->anchors);
    write_content(buffer, dungeon, hidden);
    buffer_key(buffer, "params");
    buffer_json(buffer, dungeon->params);
    buffer_key(buffer, "policy");
    buffer_string(buffer, loam_policy_name(dungeon->policy));
    buffer_key(buffer, "recipe");
    buffer_string(buffer, dungeon->recipe->name);
    write_secret(buffer, dungeon, hidden);
    buffer_key(buffer, "version");
    buffer_unsigned(buffer, dungeon->recipe->version);
    buffer_close_object(buffer);
}

void anchors_write(text_buffer *buffer, const world *of, bool hidden) {
    if (of->dungeon_count == 0) {
        return;
    }
    buffer_key(buffer, "dungeons");
    buffer_open_object(buffer);
    for (uint32_t i = 0; i < of->dungeon_count; i++) {
        buffer_key_text(buffer, of->dungeons[i].name);
        write_dungeon(buffer, &of->dungeons[i], hidden);
    }
    buffer_close_object(buffer);
}

bool anchor_parse(loam_text address, loam_text *name, loam_text *id) {
    const char *colon = address.size == 0 ? NULL : memchr(address.bytes, ':', address.size);
    if (colon == NULL) {
        return false;
    }
    size_t size = (size_t)(colon - address.bytes);
    *name = (loam_text){address.bytes, size};
    *id = (loam_text){colon + 1, address.size - size - 1};
    return true;
}

const world_dungeon *anchors_find(const world *of, loam_text name) {
    for (uint32_t i = 0; i < of->dungeon_count; i++) {
        if (loam_text_equal(of->dungeons[i].name, name)) {
            return &of->dungeons[i];
        }
    }
    return NULL;
}

uint64_t anchor_key(loam_text id) {
    return feature_key_of_text(id);
}

void anchor_request_write(text_buffer *buffer, const world *of, const world_dungeon *dungeon,
                          uint64_t key, bool hidden) {
    buffer_open_object(buffer);
    buffer_key(buffer, "recipe");
    buffer_string(buffer, dungeon->recipe->name);
    buffer_key(buffer, "version");
    buffer_unsigned(buffer, dungeon->recipe->version);
    buffer_key(buffer, "seed");
    buffer_unsigned_string(buffer, seed_of_anchor(of->seed, dungeon->name, key));
    buffer_key(buffer, "params");
    buffer_json(buffer, dungeon->params);
    buffer_key(buffer, "policy");
    buffer_string(buffer, loam_policy_name(dungeon->policy));
    write_content(buffer, dungeon, hidden);
    write_secret(buffer, dungeon, hidden);
    buffer_close_object(buffer);
}
