/* SPDX-License-Identifier: MIT
 *
 * property.c: see property.h.
 */
#include "tests/fuzz/property.h"

#include "api/wire/asset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Enough for any small input; what needs more is passed over. */
#define ASSET_ARENA_BYTES ((size_t)16 << 20)

void require(bool holds, const char *property) {
    if (!holds) {
        fprintf(stderr, "does not hold: %s\n", property);
        abort();
    }
}

void require_equal(loam_text got, loam_text want, const char *property) {
    if (!loam_text_equal(got, want)) {
        fprintf(stderr, "got  %.*s\nwant %.*s\n", (int)got.size, got.bytes, (int)want.size,
                want.bytes);
        require(false, property);
    }
}

static void require_next(void *context, const void *bytes, size_t size) {
    wanted_bytes *want = context;
    require(size <= want->left.size && memcmp(want->left.bytes, bytes, size) == 0, want->property);
    want->left.bytes += size;
    want->left.size -= size;
}

loam_sink wanted_sink(wanted_bytes *want) {
    return (loam_sink){require_next, want};
}

void require_fault(loam_status status, const loam_error *error) {
    require(status != LOAM_OK && status == error->status, "a refusal has the status of its error");
    require(status != LOAM_INTERNAL, "no input is an internal fault");
    require(memchr(error->pointer, 0, sizeof error->pointer) != NULL &&
                memchr(error->text, 0, sizeof error->text) != NULL,
            "an error's texts are terminated");
    require(error->pointer[0] == 0 || error->pointer[0] == '/', "a pointer begins with a slash");
    require(error->pointer[0] != 0 || error->text[0] != 0, "an error has a pointer or a text");
}

void require_faults(loam_status status, const fault_list *faults) {
    require(faults->count > 0, "a refusal has a fault");
    require_fault(status, &faults->items[0]);
    for (uint32_t i = 1; i < fault_kept(faults); i++) {
        require_fault(faults->items[i].status, &faults->items[i]);
    }
}

loam_text input_text(const uint8_t *bytes, size_t size) {
    return (loam_text){(const char *)bytes, size};
}

loam_text cut_text(loam_text *rest, char separator) {
    const char *end = rest->size == 0 ? NULL : memchr(rest->bytes, separator, rest->size);
    size_t size = end == NULL ? rest->size : (size_t)(end - rest->bytes);
    loam_text part = {rest->bytes, size};
    size_t skip = end == NULL ? size : size + 1;
    *rest = (loam_text){rest->bytes + skip, rest->size - skip};
    return part;
}

bool text_holds(loam_text whole, const char *part) {
    size_t size = strlen(part);
    for (size_t i = 0; i + size <= whole.size; i++) {
        if (strncasecmp(whole.bytes + i, part, size) == 0) {
            return true;
        }
    }
    return false;
}

loam_arena *empty_arena(unsigned which, size_t size) {
    static loam_arena arenas[ARENAS_MAX];
    loam_arena *arena = &arenas[which];
    if (arena->memory == NULL) {
        void *memory = malloc(size);
        require(memory != NULL, "there is memory for an arena");
        loam_arena_init(arena, memory, size);
    }
    loam_arena_reset(arena, 0);
    return arena;
}

loam_status decode_asset(loam_text bytes, loam_asset *asset) {
    loam_error error = {0};
    loam_arena *arena = empty_arena(ARENA_ASSET, ASSET_ARENA_BYTES);
    loam_status status = loam_asset_decode(bytes.bytes, bytes.size, arena, asset, &error);
    if (status != LOAM_OK) {
        require_fault(status, &error);
    }
    return status;
}

void require_asset_round_trip(const loam_asset *asset) {
    text_buffer first, again;
    loam_asset decoded;
    buffer_init(&first, ASSET_BYTES_MAX);
    buffer_init(&again, ASSET_BYTES_MAX);
    asset_summary(asset, &again);
    require(buffer_status(&again) == LOAM_OK, "an accepted asset has a summary");
    buffer_clear(&again);
    require(asset_payload(asset, &first) == LOAM_OK, "an accepted asset can be encoded");
    loam_status status = decode_asset(buffer_view(&first), &decoded);
    require(status == LOAM_OK || status == LOAM_ARENA_FULL, "its canonical bytes are accepted");
    if (status == LOAM_OK) {
        require(asset_payload(&decoded, &again) == LOAM_OK, "and can be encoded");
        require_equal(buffer_view(&again), buffer_view(&first), "canonical bytes are their own");
    }
    buffer_fini(&first);
    buffer_fini(&again);
}
