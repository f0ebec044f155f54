/* SPDX-License-Identifier: MIT
 *
 * arena_map.c: reserve, give back, release.
 */
#include "server/loop/arena_map.h"

#include <sys/mman.h>

/* Pages are given back in pieces of this size: a huge page is not split. */
#define HUGE_PAGE_BYTES ((size_t)2 << 20)

static size_t round_up(size_t size) {
    return (size + HUGE_PAGE_BYTES - 1) & ~(HUGE_PAGE_BYTES - 1);
}

bool arena_map_open(loam_arena *arena, size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return false;
    }
    /* A cell touches tens of megabytes in order; a kernel without huge pages says no, no harm. */
    (void)madvise(memory, size, MADV_HUGEPAGE);
    loam_arena_init(arena, memory, size);
    return true;
}

void arena_map_clear(loam_arena *arena, size_t kept_bytes) {
    size_t kept = round_up(kept_bytes);
    size_t touched = round_up(arena->peak);
    if (touched > arena->size) {
        touched = arena->size;
    }
    if (touched > kept) {
        (void)madvise(arena->memory + kept, touched - kept, MADV_DONTNEED);
    }
    loam_arena_reset(arena, 0);
    arena->peak = 0;
}

void arena_map_close(loam_arena *arena) {
    munmap(arena->memory, arena->size);
}
