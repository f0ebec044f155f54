/* SPDX-License-Identifier: MIT
 *
 * store.c: the parts of the store put together: folder, control.db, cache.db, readers, in this
 * order at start and in the other at the end, so that the last connection of each file is its
 * writer's.
 */
#include "server/store/store.h"

#include "core/base/try.h"
#include "server/store/asset_files.h"
#include "server/store/cache_reader.h"
#include "server/store/control_writer.h"
#include "server/store/disk_watch.h"
#include "server/store/folder.h"
#include "server/store/latch.h"
#include "server/store/secret_file.h"
#include "server/store/upkeep.h"

#include <stdlib.h>

struct store {
    folder folder;
    control_writer control;
    cache_writer cache;
    cache_readers readers;
    upkeep upkeep;
    disk_watch disk;
};

/* ---- Life ---------------------------------------------------------------------------------- */

static loam_status start_watch(store *started, const store_options *options, loam_error *error) {
    disk_watch *disk = &started->disk;
    disk->folder = &started->folder;
    disk->cache = &started->cache;
    disk->control = &started->control;
    disk->changed = options->health_changed;
    disk->context = options->context;
    return disk_watch_start(disk, error);
}

static loam_status start_upkeep(store *started, const store_options *options, loam_error *error) {
    started->upkeep = (upkeep){
        .folder = &started->folder, .cache = &started->cache, .control = &started->control};
    LOAM_TRY(upkeep_start(&started->upkeep, error));
    loam_status status = start_watch(started, options, error);
    if (status != LOAM_OK) {
        upkeep_stop(&started->upkeep);
    }
    return status;
}

static loam_status start_readers(store *started, const store_options *options, loam_error *error) {
    LOAM_TRY(cache_readers_start(&started->readers, error));
    loam_status status = start_upkeep(started, options, error);
    if (status != LOAM_OK) {
        cache_readers_stop(&started->readers);
    }
    return status;
}

static loam_status start_threads(store *started, const store_options *options, loam_error *error) {
    LOAM_TRY(control_writer_start(&started->control, error));
    loam_status status = cache_writer_start(&started->cache, error);
    if (status == LOAM_OK) {
        status = start_readers(started, options, error);
        if (status != LOAM_OK) {
            cache_writer_stop(&started->cache);
        }
    }
    if (status != LOAM_OK) {
        control_writer_stop(&started->control);
    }
    return status;
}

static loam_status open_readers(store *opened, const store_options *options, loam_error *error) {
    uint32_t count = options->reader_threads == 0 ? 1 : options->reader_threads;
    LOAM_TRY(cache_readers_open(&opened->readers, &opened->cache, count, error));
    loam_status status = start_threads(opened, options, error);
    if (status != LOAM_OK) {
        cache_readers_close(&opened->readers);
    }
    return status;
}

static loam_status open_cache(store *opened, const store_options *options, loam_error *error) {
    uint64_t bytes_max =
        options->cache_bytes_max == 0 ? STORE_CACHE_BYTES_DEFAULT : options->cache_bytes_max;
    if (bytes_max < STORE_CACHE_BYTES_MIN || options->reader_threads > STORE_READERS_MAX) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL,
                         "the cache needs at least %llu bytes and at most %u readers",
                         (unsigned long long)STORE_CACHE_BYTES_MIN, STORE_READERS_MAX);
    }
    LOAM_TRY(cache_writer_open(&opened->cache, opened->folder.cache, bytes_max, error));
    loam_status status = open_readers(opened, options, error);
    if (status != LOAM_OK) {
        cache_writer_close(&opened->cache);
    }
    return status;
}

static loam_status open_files(store *opened, const store_options *options, loam_error *error) {
    LOAM_TRY(control_writer_open(&opened->control, opened->folder.control, opened->folder.assets,
                                 error));
    loam_status status = open_cache(opened, options, error);
    if (status != LOAM_OK) {
        control_writer_close(&opened->control);
    }
    return status;
}

loam_status store_open(const store_options *options, store **opened, loam_error *error) {
    *opened = NULL;
    store *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return loam_fail(error, LOAM_INTERNAL, NULL, "no memory for the store");
    }
    loam_status status = folder_open(&made->folder, options->dir, error);
    if (status == LOAM_OK) {
        status = open_files(made, options, error);
        if (status != LOAM_OK) {
            folder_close(&made->folder);
        }
    }
    if (status != LOAM_OK) {
        free(made);
        return status;
    }
    *opened = made;
    return LOAM_OK;
}

/* Upkeep first, which waits for writers; then readers: what they find damaged still reaches the
 * writer. */
void store_close(store *closed) {
    if (closed == NULL) {
        return;
    }
    disk_watch_stop(&closed->disk);
    upkeep_stop(&closed->upkeep);
    cache_readers_stop(&closed->readers);
    cache_writer_stop(&closed->cache);
    control_writer_stop(&closed->control);
    disk_watch_fini(&closed->disk);
    cache_readers_close(&closed->readers);
    cache_writer_close(&closed->cache);
    control_writer_close(&closed->control);
    folder_close(&closed->folder);
    free(closed);
}

/* ---- Results ------------------------------------------------------------------------------- */

loam_status store_result_get(store *from, store_get *request) {
    request->base.kind = READER_REQUEST_GET;
    return store_queue_push(&from->readers.queue, &request->base, 0);
}

loam_status store_result_contains(store *from, store_keys *request) {
    request->base.kind = READER_REQUEST_CONTAINS;
    return store_queue_push(&from->readers.queue, &request->base, 0);
}

loam_status store_result_put(store *to, store_put *request) {
    if (request->blob->size > STORE_BLOB_BYTES_MAX) {
        return LOAM_TOO_LARGE;
    }
    blob *held = blob_retain(request->blob);
    request->base.kind = CACHE_REQUEST_PUT;
    loam_status status = store_queue_push(&to->cache.queue, &request->base, held->size);
    if (status != LOAM_OK) {
        blob_release(held);
    }
    return status;
}

loam_status store_verdict_get(store *from, store_verdict *request) {
    request->base.kind = READER_REQUEST_VERDICT;
    return store_queue_push(&from->readers.queue, &request->base, 0);
}

loam_status store_verdict_put(store *to, store_verdict *request) {
    blob *held = blob_retain(request->text);
    request->base.kind = CACHE_REQUEST_VERDICT;
    loam_status status = store_queue_push(&to->cache.queue, &request->base, held->size);
    if (status != LOAM_OK) {
        blob_release(held);
    }
    return status;
}

loam_status store_result_pin(store *from, store_keys *request) {
    request->base.kind = CACHE_REQUEST_PIN;
    return store_queue_push(&from->cache.queue, &request->base, 0);
}

store_pin_set *store_pin_set_create(store *of) {
    store_pin_set *set = malloc(sizeof *set);
    if (set != NULL) {
        pins_init(set);
        pins_attach(&of->cache.pins, set);
    }
    return set;
}

void store_pin_set_destroy(store *of, store_pin_set *set) {
    if (set != NULL) {
        pins_detach(&of->cache.pins, set);
        pins_fini(set);
        free(set);
    }
}

void store_result_unpin(store *from, const digest *keys, size_t count) {
    for (size_t i = 0; i < count; i++) {
        pins_remove(&from->cache.pins, &keys[i]);
    }
}

void store_result_touch(store *from, const digest *key) {
    cache_writer_touch(&from->cache, key);
}

/* ---- Control ------------------------------------------------------------------------------- */

/* What of a request is long. */
static size_t control_bytes(const control_request *request) {
    size_t bytes = request->document.document.size + request->revision.document.size +
                   request->job.request.size + request->task_count * sizeof(task_row);
    for (size_t i = 0; i < request->document_count; i++) {
        bytes += request->documents[i].document.size;
    }
    for (size_t i = 0; i < request->task_count; i++) {
        bytes += request->tasks[i].reasons.size;
    }
    return bytes;
}

loam_status store_control(store *to, control_request *request) {
    request->result = (control_result){0};
    request->base.kind = CONTROL_REQUEST_ROWS;
    return store_queue_push(&to->control.queue, &request->base, control_bytes(request));
}

loam_status store_control_wait(store *to, control_request *request) {
    latch until;
    latch_init(&until);
    request->base.done = latch_open;
    request->base.context = &until;
    loam_status status = store_control(to, request);
    if (status != LOAM_OK) {
        latch_open(&until);
    }
    latch_wait(&until);
    LOAM_TRY(status);
    return request->base.error.status;
}

/* ---- Files --------------------------------------------------------------------------------- */

const char *store_uploads_dir(const store *of) {
    return of->folder.uploads;
}

loam_status store_secret_read(const store *of, void *bytes, size_t size, loam_error *error) {
    return secret_file_read(of->folder.keys, "dungeons", bytes, size, error);
}

loam_status store_asset_write(store *to, const blob *asset, loam_error *error) {
    return asset_file_write(to->folder.assets, asset, error);
}

/* A damaged file gives way to the next upload of the same bytes; until then its asset is damaged,
 * not absent. */
loam_status store_asset_read(store *from, const digest *of, blob **asset, loam_error *error) {
    const char *dir = from->folder.assets;
    loam_error found = {0};
    loam_error dropped = {0};
    loam_status status = asset_file_read(dir, of, asset, &found);
    if (status == LOAM_NOT_FOUND && asset_file_is_aside(dir, of)) {
        return loam_fail(error, LOAM_DAMAGED, NULL,
                         "the asset's file was damaged and set aside: put the asset again");
    }
    if (status == LOAM_DAMAGED && asset_file_set_aside(dir, of, &dropped) == LOAM_OK) {
        atomic_fetch_add(&from->cache.counters.damaged, 1);
    }
    return status == LOAM_OK ? LOAM_OK : loam_fail(error, status, NULL, "%s", found.text);
}

/* ---- Upkeep -------------------------------------------------------------------------------- */

loam_status store_upkeep_begin(store *of, store_upkeep *request) {
    request->report = (store_report){0};
    request->base.kind = (uint32_t)request->kind;
    return store_queue_push(&of->upkeep.queue, &request->base, 0);
}

void store_upkeep_cancel(store_upkeep *request) {
    atomic_store(&request->cancelled, true);
}

/* ---- Health -------------------------------------------------------------------------------- */

store_health store_health_read(store *of) {
    return disk_watch_health(&of->disk);
}

/* ---- Statistics ---------------------------------------------------------------------------- */

store_statistics store_statistics_read(store *of) {
    cache_counters *counters = &of->cache.counters;
    return (store_statistics){
        .blobs = cache_blobs(counters),
        .cache_bytes = atomic_load(&counters->bytes_used),
        .cache_bytes_max = of->cache.bytes_max,
        .hits = atomic_load(&counters->hits),
        .misses = atomic_load(&counters->misses),
        .damaged = atomic_load(&counters->damaged),
        .alarms = atomic_load(&counters->alarms),
        .evicted = atomic_load(&counters->evicted),
        .pinned = pins_count(&of->cache.pins),
        .cache_commits = atomic_load(&counters->commits),
        .control_commits = atomic_load(&of->control.commits),
        .write_failures = atomic_load(&counters->failures) + atomic_load(&of->control.failures),
        .cache_wal_bytes = atomic_load(&counters->log_pages) * CACHE_PAGE_BYTES,
        .control_wal_bytes = atomic_load(&of->control.log_pages_seen) * CONTROL_PAGE_BYTES,
        .upkeep_kind = atomic_load(&of->upkeep.kind),
        .upkeep_permille = atomic_load(&of->upkeep.permille),
        .reader_queue = store_queue_length(&of->readers.queue),
        .cache_queue = store_queue_length(&of->cache.queue),
        .control_queue = store_queue_length(&of->control.queue),
    };
}
