/* SPDX-License-Identifier: MIT
 *
 * fuzz_content_bytes.c: bytes of what a dungeon holds are refused with an error, or decode to
 * content that encodes to the same bytes.
 */
#include "core/loam_dungeon.h"
#include "tests/fuzz/property.h"

enum { ARENA_CONTENT };

/* What is decoded is some times as large as its bytes, which are 100 KB or less. */
#define CONTENT_BYTES ((size_t)16 << 20)

/* A spawn that the content has is found by its id. */
static void require_spawns(const loam_content *content) {
    for (uint32_t i = 0; i < content->floor_count; i++) {
        const loam_content_floor *floor = &content->floors[i];
        for (uint32_t s = 0; s < floor->spawn_count; s++) {
            const loam_spawn *found = loam_content_spawn(content, floor->spawns[s].id);
            require(found != NULL && found->id == floor->spawns[s].id, "a spawn has its id");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    loam_content content;
    loam_error error = {0};
    loam_arena *arena = empty_arena(ARENA_CONTENT, CONTENT_BYTES);
    loam_status status = loam_content_decode(bytes, size, arena, &content, &error);
    if (status != LOAM_OK) {
        require_fault(status, &error);
        return 0;
    }
    wanted_bytes want = {input_text(bytes, size), "content has one spelling"};
    loam_content_encode(&content, wanted_sink(&want));
    require(want.left.size == 0, "content is written whole");
    require_spawns(&content);
    return 0;
}
