/* SPDX-License-Identifier: MIT
 *
 * job_dungeons.c: the dungeons of a job; see job_document.h. Each is read and planned as a request
 * of its own, one after another in the same scratch memory, and only its build key stays: whatever
 * else the job needs of it, the resolver takes. One that is listed twice is two tasks, so that each
 * entry of the list has its result.
 */
#include "api/wire/job_parts.h"

#include "api/wire/dungeon_parts.h"
#include "core/base/try.h"

#include <stdio.h>
#include <string.h>

/* `[`, `]`, a few fields, and for each key its quotes and a comma. */
_Static_assert((DIGEST_TEXT_BYTES + 2) * (size_t)JOB_DUNGEONS_MAX + 256 <= JSON_BYTES_MAX &&
                   JOB_DUNGEONS_MAX + 16 <= JSON_VALUES_MAX,
               "the largest job can be kept");

/* What core or the resolver says of a request, told as one of the entry. */
static loam_status refuse_entry(const item *at, const loam_error *error) {
    loam_error fault = *error;
    item_pointer(at, fault.pointer, sizeof fault.pointer);
    size_t size = strlen(fault.pointer);
    snprintf(fault.pointer + size, sizeof fault.pointer - size, "%s", error->pointer);
    return fault_add(at->faults, &fault);
}

static loam_status plan_entry(const item *at, const job_resolver *resolver, job_dungeon *dungeon) {
    loam_error error = {0};
    LOAM_TRY(dungeon_item_read(at, resolver->rules, resolver->scratch, &dungeon->document));
    loam_status status = loam_dungeon_plan_build(&dungeon->document.request, resolver->scratch,
                                                 &dungeon->plan, &error);
    if (status == LOAM_OK) {
        dungeon->key = key_of_dungeon(dungeon->plan);
        status = resolver->take_dungeon == NULL ? LOAM_OK
                                                : resolver->take_dungeon(resolver->context, dungeon,
                                                                         resolver->scratch, &error);
    }
    return status == LOAM_OK ? LOAM_OK : refuse_entry(at, &error);
}

static loam_status read_entry(const item *at, const job_resolver *resolver, bool kept,
                              digest *key) {
    if (kept) {
        return item_digest(at, key);
    }
    size_t mark = loam_arena_mark(resolver->scratch);
    job_dungeon dungeon = {.index = (uint32_t)at->index};
    loam_status status = plan_entry(at, resolver, &dungeon);
    loam_arena_reset(resolver->scratch, mark);
    *key = dungeon.key;
    return status;
}

loam_status job_dungeons_read(const item *at, const job_resolver *resolver, bool kept,
                              loam_arena *arena, job *to) {
    LOAM_TRY(item_array(at, 1, JOB_DUNGEONS_MAX));
    size_t count = item_count(at);
    digest *keys = loam_arena_take(arena, count, sizeof *keys);
    if (keys == NULL || (!kept && resolver->scratch == NULL)) {
        return item_fail_memory(at);
    }
    for (size_t i = 0; i < count; i++) {
        item entry = item_at(at, i);
        LOAM_TRY(read_entry(&entry, resolver, kept, &keys[i]));
    }
    to->dungeons = keys;
    to->dungeon_count = (uint32_t)count;
    return LOAM_OK;
}
