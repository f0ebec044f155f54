/* SPDX-License-Identifier: MIT
 *
 * arena.c: the only allocator of core. A piece of the caller's memory with a hard end: what does
 * not fit is NULL, and the evaluation fails whole. Blocks start on cache lines, which vector loops
 * like.
 */
#include "core/loam.h"

#include <string.h>

enum { ARENA_ALIGNMENT = 64 };

void loam_arena_init(loam_arena *arena, void *memory, size_t size) {
    uintptr_t start = (uintptr_t)memory;
    size_t skip = (size_t)(-start & (uintptr_t)(ARENA_ALIGNMENT - 1));
    if (memory == NULL || skip > size) {
        *arena = (loam_arena){0};
        return;
    }
    *arena = (loam_arena){.memory = (unsigned char *)memory + skip, .size = size - skip};
}

void *loam_arena_take(loam_arena *arena, size_t count, size_t item_bytes) {
    if (item_bytes != 0 && count > (SIZE_MAX - ARENA_ALIGNMENT) / item_bytes) {
        return NULL;
    }
    size_t bytes = (count * item_bytes + ARENA_ALIGNMENT - 1) & ~(size_t)(ARENA_ALIGNMENT - 1);
    if (arena->memory == NULL || bytes > arena->size - arena->used) {
        return NULL;
    }
    void *block = arena->memory + arena->used;
    arena->used += bytes;
    if (arena->used > arena->peak) {
        arena->peak = arena->used;
    }
    return block;
}

void *loam_arena_take_zero(loam_arena *arena, size_t count, size_t item_bytes) {
    void *block = loam_arena_take(arena, count, item_bytes);
    if (block != NULL) {
        memset(block, 0, count * item_bytes);
    }
    return block;
}

size_t loam_arena_mark(const loam_arena *arena) {
    return arena->used;
}

void loam_arena_reset(loam_arena *arena, size_t mark) {
    if (mark <= arena->used) {
        arena->used = mark;
    }
}
