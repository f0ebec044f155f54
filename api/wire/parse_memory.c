/* SPDX-License-Identifier: MIT
 *
 * parse_memory.c: see parse_memory.h.
 */
#include "api/wire/parse_memory.h"

#include <jansson.h>
#include <stdlib.h>

/* A value with its place in an array or an object, whose tables double; its text, which the lexer
 * keeps too, in a buffer that doubles; and what an empty document takes. */
enum { VALUE_BYTES = 256, TEXT_FACTOR = 8, EMPTY_BYTES = 4096, ALIGNMENT = 16 };

typedef struct parse_reserve {
    unsigned char *bytes;
    size_t size;
    size_t used;
    bool drawn;
} parse_reserve;

static _Thread_local parse_reserve reserve;

static void *draw(size_t size) {
    size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    reserve.drawn = true;
    if (rounded < size || rounded > reserve.size - reserve.used) {
        return NULL;
    }
    void *memory = reserve.bytes + reserve.used;
    reserve.used += rounded;
    return memory;
}

static void *take(size_t size) {
    void *memory = reserve.drawn ? NULL : malloc(size);
    return memory != NULL || reserve.bytes == NULL ? memory : draw(size);
}

static void give_back(void *memory) {
    const unsigned char *at = memory;
    bool drawn = reserve.bytes != NULL && at >= reserve.bytes && at < reserve.bytes + reserve.size;
    if (!drawn) {
        free(memory);
    }
}

void parse_memory_init(void) {
    json_set_alloc_funcs(take, give_back);
}

bool parse_memory_begin(size_t json_bytes, size_t values) {
    size_t size = json_bytes * TEXT_FACTOR + values * VALUE_BYTES + EMPTY_BYTES;
    reserve = (parse_reserve){.bytes = malloc(size), .size = size};
    return reserve.bytes != NULL;
}

bool parse_memory_was_short(void) {
    return reserve.drawn;
}

void parse_memory_end(void) {
    free(reserve.bytes);
    reserve = (parse_reserve){0};
}
