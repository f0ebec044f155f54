/* SPDX-License-Identifier: MIT
 *
 * memory.c: see memory.h.
 */
#include "api/cli/memory.h"

#include <string.h>
#include <sys/mman.h>

loam_status memory_open(loam_arena *arena, size_t size, loam_error *error) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        memset(arena, 0, sizeof *arena);
        return loam_fail(error, LOAM_ARENA_FULL, NULL, "this machine gives no %zu MB of memory",
                         size >> 20);
    }
    loam_arena_init(arena, memory, size);
    return LOAM_OK;
}

void memory_close(loam_arena *arena) {
    if (arena->memory != NULL) {
        (void)munmap(arena->memory, arena->size);
        memset(arena, 0, sizeof *arena);
    }
}
