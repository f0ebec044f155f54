/* SPDX-License-Identifier: MIT
 *
 * asset_table.c: see asset_table.h. An entry is loading (its task is with a worker, sets wait) or
 * there. One that could not be loaded tells its waiters and goes, so that the next one tries again.
 */
#include "server/world/asset_table.h"

#include "api/wire/asset.h"
#include "core/base/assert.h"
#include "server/watch/log.h"
#include "server/watch/metrics.h"

#include <stdlib.h>
#include <string.h>

enum { ASSET_BUCKETS = 256 };

struct asset_entry {
    pool_task task; /* first: the task is the entry */
    asset_table *table;
    asset_entry *chain;
    asset_entry *newer; /* in order of use, while nobody holds it */
    asset_entry *older;
    digest digest;
    asset_data *data; /* owned; NULL while it loads */
    uint64_t bytes;
    uint32_t holds;
    bool loaded;
    loam_error error;
    asset_wait *waits;
};

struct asset_table {
    flow_state *flow;
    uint64_t bytes;
    uint64_t bytes_max;
    asset_entry *newest;
    asset_entry *oldest;
    asset_entry *buckets[ASSET_BUCKETS];
};

asset_table *asset_table_create(flow_state *flow, uint64_t bytes_max) {
    asset_table *table = calloc(1, sizeof *table);
    if (table != NULL) {
        table->flow = flow;
        table->bytes_max = bytes_max;
    }
    return table;
}

static void idle_remove(asset_table *table, asset_entry *entry) {
    *(entry->newer == NULL ? &table->newest : &entry->newer->older) = entry->older;
    *(entry->older == NULL ? &table->oldest : &entry->older->newer) = entry->newer;
}

static void idle_push(asset_table *table, asset_entry *entry) {
    entry->newer = NULL;
    entry->older = table->newest;
    *(table->newest == NULL ? &table->oldest : &table->newest->newer) = entry;
    table->newest = entry;
}

/* From here on nobody finds it. */
static void entry_unlink(asset_table *table, asset_entry *entry) {
    asset_entry **link = &table->buckets[entry->digest.bytes[0]];
    while (*link != entry) {
        link = &(*link)->chain;
    }
    *link = entry->chain;
}

/* Frees an entry that is in no list. */
static void entry_free(asset_table *table, asset_entry *entry) {
    table->bytes -= entry->bytes;
    asset_destroy(entry->data);
    free(entry);
    metric_set(METRIC_ASSET_BYTES, (int64_t)table->bytes);
}

/* One that nobody holds. */
static void entry_drop(asset_table *table, asset_entry *entry) {
    idle_remove(table, entry);
    entry_unlink(table, entry);
    entry_free(table, entry);
}

static void shrink_to(asset_table *table, uint64_t bytes_max) {
    while (table->bytes > bytes_max && table->oldest != NULL) {
        entry_drop(table, table->oldest);
    }
}

void asset_table_destroy(asset_table *table) {
    if (table != NULL) {
        while (table->oldest != NULL) {
            entry_drop(table, table->oldest);
        }
        free(table);
    }
}

uint64_t asset_table_bytes(const asset_table *table) {
    return table->bytes;
}

/* ---- Loading -------------------------------------------------------------------------------- */

/* On a worker. */
static void entry_load(pool_task *task, pool_worker *worker) {
    asset_entry *entry = (asset_entry *)task;
    blob *bytes = NULL;
    (void)worker;
    if (store_asset_read(entry->table->flow->store, &entry->digest, &bytes, &entry->error) !=
        LOAM_OK) {
        return;
    }
    loam_text payload = {(const char *)bytes->bytes, bytes->size};
    if (asset_load(payload, &entry->data, &entry->error) == LOAM_OK) {
        entry->bytes = entry->data->arena.size;
    }
    blob_release(bytes);
}

static void entry_log_failure(const asset_entry *entry) {
    log_line line;
    char text[DIGEST_TEXT_BYTES];
    digest_text(&entry->digest, text);
    log_begin(&line, LOG_ERROR, "asset-not-loaded");
    log_string(&line, "digest", text);
    log_error(&line, &entry->error);
    log_end(&line);
}

static void set_arrive(asset_set *set, uint32_t slot, asset_entry *entry) {
    if (entry->error.status == LOAM_OK) {
        set->slots[slot] = entry->data->asset;
    } else {
        set->entries[slot] = NULL;
        loam_fail(&set->error, entry->error.status, NULL, "%s", entry->error.text);
    }
    set->missing--;
}

static void entry_loaded(pool_task *task) {
    asset_entry *entry = (asset_entry *)task;
    asset_table *table = entry->table;
    asset_wait *wait = entry->waits;
    bool failed = entry->error.status != LOAM_OK;
    entry->waits = NULL;
    entry->loaded = true;
    table->bytes += entry->bytes;
    metric_set(METRIC_ASSET_BYTES, (int64_t)table->bytes);
    shrink_to(table, table->bytes_max);
    /* Who hears of a failure may ask for the asset at once: of a new entry, that is read anew. */
    if (failed) {
        entry_log_failure(entry);
        entry_unlink(table, entry);
    }
    while (wait != NULL) {
        asset_wait *next = wait->next;
        asset_set *set = wait->set;
        set_arrive(set, (uint32_t)(wait - set->waits), entry);
        if (set->missing == 0) {
            set->ready(set->context);
        }
        wait = next;
    }
    if (failed) {
        entry_free(table, entry);
    }
}

/* ---- Holding -------------------------------------------------------------------------------- */

static asset_entry *entry_find(asset_table *table, const digest *wanted) {
    asset_entry *entry = table->buckets[wanted->bytes[0]];
    while (entry != NULL && !digest_equal(&entry->digest, wanted)) {
        entry = entry->chain;
    }
    return entry;
}

/* A new entry, on its way to a worker; NULL with `error` when it is not. */
static asset_entry *entry_start(asset_table *table, const digest *wanted, loam_error *error) {
    asset_entry *entry = calloc(1, sizeof *entry);
    if (entry == NULL) {
        loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for an asset");
        return NULL;
    }
    entry->task =
        (pool_task){.work = entry_load, .done = entry_loaded, .priority = POOL_INTERACTIVE};
    entry->table = table;
    entry->digest = *wanted;
    loam_status status = pool_submit(table->flow->workers, &entry->task);
    if (status != LOAM_OK) {
        loam_fail(error, status, NULL, "%s", loam_status_text(status));
        free(entry);
        return NULL;
    }
    entry->chain = table->buckets[wanted->bytes[0]];
    table->buckets[wanted->bytes[0]] = entry;
    return entry;
}

/* Holds one asset; the set's slot is filled now or when it has been loaded. */
static void set_take(asset_set *set, uint32_t slot, const digest *wanted) {
    asset_table *table = set->flow->assets;
    asset_entry *entry = entry_find(table, wanted);
    if (entry == NULL) {
        entry = entry_start(table, wanted, &set->error);
    }
    if (entry == NULL) {
        return;
    }
    if (entry->holds++ == 0 && entry->loaded) {
        idle_remove(table, entry);
    }
    set->entries[slot] = entry;
    if (entry->loaded) {
        set->slots[slot] = entry->data->asset;
        return;
    }
    set->waits[slot] = (asset_wait){.next = entry->waits, .set = set};
    entry->waits = &set->waits[slot];
    set->missing++;
}

bool asset_set_acquire(asset_set *set, flow_state *flow, const digest *digests, uint32_t count,
                       void (*ready)(void *context), void *context) {
    LOAM_ASSERT(count <= SLOTS_MAX);
    memset(set, 0, sizeof *set);
    set->flow = flow;
    set->count = count;
    set->ready = ready;
    set->context = context;
    for (uint32_t i = 0; i < count && set->error.status == LOAM_OK; i++) {
        set_take(set, i, &digests[i]);
    }
    return set->missing == 0;
}

void asset_set_release(asset_set *set) {
    LOAM_ASSERT(set->missing == 0);
    for (uint32_t i = 0; i < set->count; i++) {
        asset_entry *entry = set->entries[i];
        if (entry != NULL && --entry->holds == 0) {
            idle_push(entry->table, entry);
            shrink_to(entry->table, entry->table->bytes_max);
        }
    }
    set->count = 0;
}
