/* SPDX-License-Identifier: MIT
 *
 * world_table.c: see world_table.h. Two small hash tables: names, and (name, revision).
 */
#include "server/world/world_table.h"

#include "core/base/assert.h"
#include "core/base/mix.h"
#include "server/loop/arena_map.h"

#include <stdlib.h>
#include <string.h>

/* Revisions that nobody holds but that stay: some MB each at most. */
enum { IDLE_REVISIONS_MAX = 64 };
enum { WORLD_BUCKETS = 1024 };

typedef struct name_entry {
    struct name_entry *chain;
    digest newest;
    size_t size;
    char name[NAME_BYTES_MAX];
} name_entry;

struct world_table {
    uint32_t idle_count;
    revision_entry *newest;
    revision_entry *oldest;
    uint64_t serial;
    uint64_t epoch; /* deletions so far */
    name_entry *names[WORLD_BUCKETS];
    revision_entry *revisions[WORLD_BUCKETS];
};

world_table *world_table_create(flow_state *flow) {
    (void)flow;
    return calloc(1, sizeof(world_table));
}

/* ---- Names ---------------------------------------------------------------------------------- */

static name_entry **name_link(const world_table *table, loam_text name) {
    uint64_t hash = mix_bytes(0, name.bytes, name.size);
    name_entry **link = (name_entry **)(uintptr_t)&table->names[hash % WORLD_BUCKETS];
    while (*link != NULL &&
           ((*link)->size != name.size || memcmp((*link)->name, name.bytes, name.size) != 0)) {
        link = &(*link)->chain;
    }
    return link;
}

bool world_table_newest(const world_table *table, loam_text name, digest *revision) {
    const name_entry *entry = *name_link(table, name);
    if (entry != NULL) {
        *revision = entry->newest;
    }
    return entry != NULL;
}

void world_table_set_newest(world_table *table, loam_text name, const digest *revision) {
    name_entry **link = name_link(table, name);
    if (*link == NULL && name.size <= NAME_BYTES_MAX) {
        *link = calloc(1, sizeof **link);
        if (*link == NULL) {
            return; /* the store knows it */
        }
        (*link)->size = name.size;
        memcpy((*link)->name, name.bytes, name.size);
    }
    if (*link != NULL) {
        (*link)->newest = *revision;
    }
}

/* ---- Revisions ------------------------------------------------------------------------------ */

static revision_entry **revision_bucket(world_table *table, const digest *revision) {
    uint32_t start = 0;
    memcpy(&start, revision->bytes, sizeof start);
    return &table->revisions[start % WORLD_BUCKETS];
}

static void idle_remove(world_table *table, revision_entry *entry) {
    *(entry->newer == NULL ? &table->newest : &entry->newer->older) = entry->older;
    *(entry->older == NULL ? &table->oldest : &entry->older->newer) = entry->newer;
    table->idle_count--;
}

static void idle_push(world_table *table, revision_entry *entry) {
    entry->newer = NULL;
    entry->older = table->newest;
    *(table->newest == NULL ? &table->oldest : &table->newest->newer) = entry;
    table->newest = entry;
    table->idle_count++;
}

static void unlist(world_table *table, revision_entry *entry) {
    revision_entry **link = revision_bucket(table, &entry->world.revision);
    while (*link != entry) {
        link = &(*link)->chain;
    }
    *link = entry->chain;
    entry->listed = false;
}

void revision_free(revision_entry *built) {
    if (built != NULL) {
        arena_map_close(&built->arena);
        free(built);
    }
}

static void drop_oldest(world_table *table) {
    revision_entry *entry = table->oldest;
    idle_remove(table, entry);
    unlist(table, entry);
    revision_free(entry);
}

static bool entry_is(const revision_entry *entry, loam_text name, const digest *revision) {
    return digest_equal(&entry->world.revision, revision) &&
           loam_text_equal(loam_text_of(entry->name), name);
}

revision_entry *revision_retain(revision_entry *entry) {
    entry->holds++;
    return entry;
}

revision_entry *world_table_find(world_table *table, loam_text name, const digest *revision) {
    revision_entry *entry = *revision_bucket(table, revision);
    while (entry != NULL && !entry_is(entry, name, revision)) {
        entry = entry->chain;
    }
    if (entry != NULL && entry->holds == 0) {
        idle_remove(table, entry);
    }
    return entry == NULL ? NULL : revision_retain(entry);
}

void world_table_outdate(world_table *table, const revision_entry *by) {
    revision_entry *known = world_table_find(table, loam_text_of(by->name), &by->world.revision);
    if (known != NULL && !loam_text_equal(known->world.kept, by->world.kept)) {
        unlist(table, known);
    }
    revision_release(table, known);
}

uint64_t world_table_epoch(const world_table *table) {
    return table->epoch;
}

revision_entry *world_table_add(world_table *table, revision_entry *built, uint64_t epoch) {
    revision_entry *known =
        world_table_find(table, loam_text_of(built->name), &built->world.revision);
    if (known != NULL) {
        revision_free(built);
        return known;
    }
    built->serial = ++table->serial;
    if (epoch == table->epoch) {
        revision_entry **bucket = revision_bucket(table, &built->world.revision);
        built->chain = *bucket;
        *bucket = built;
        built->listed = true;
    }
    return revision_retain(built);
}

void revision_release(world_table *table, revision_entry *entry) {
    if (entry == NULL || --entry->holds > 0) {
        return;
    }
    if (!entry->listed) {
        revision_free(entry);
        return;
    }
    idle_push(table, entry);
    if (table->idle_count > IDLE_REVISIONS_MAX) {
        drop_oldest(table);
    }
}

void world_table_forget(world_table *table, loam_text name) {
    name_entry **link = name_link(table, name);
    table->epoch++;
    if (*link != NULL) {
        name_entry *entry = *link;
        *link = entry->chain;
        free(entry);
    }
    for (uint32_t i = 0; i < WORLD_BUCKETS; i++) {
        for (revision_entry *entry = table->revisions[i], *next = NULL; entry != NULL;
             entry = next) {
            next = entry->chain;
            if (!loam_text_equal(loam_text_of(entry->name), name)) {
                continue;
            }
            unlist(table, entry);
            if (entry->holds == 0) {
                idle_remove(table, entry);
                revision_free(entry);
            }
        }
    }
}

void world_table_destroy(world_table *table) {
    if (table == NULL) {
        return;
    }
    while (table->oldest != NULL) {
        drop_oldest(table);
    }
    for (uint32_t i = 0; i < WORLD_BUCKETS; i++) {
        LOAM_ASSERT(table->revisions[i] == NULL);
        for (name_entry *entry = table->names[i], *next = NULL; entry != NULL; entry = next) {
            next = entry->chain;
            free(entry);
        }
    }
    free(table);
}
