/* SPDX-License-Identifier: MIT
 *
 * cache_writer.c: the life of a group: begin, make room, apply in order, commit, count, answer. A
 * group that does not commit changes nothing and every write in it says why. Lock order: none is
 * held while SQLite runs but the connection's own.
 */
#include "server/store/cache_writer.h"

#include "core/base/try.h"
#include "server/store/migrate.h"
#include "server/thread/thread.h"

#include <stdlib.h>
#include <string.h>

/* More may have gone than came since the start. */
uint64_t cache_blobs(const cache_counters *counters) {
    int64_t blobs = (int64_t)atomic_load(&counters->blobs);
    return blobs > 0 ? (uint64_t)blobs : 0;
}

int64_t cache_next_use(cache_writer *writer) {
    return (int64_t)atomic_fetch_add(&writer->counters.uses, 1) + 1;
}

/* ---- A group ------------------------------------------------------------------------------- */

static loam_status apply_requests(cache_writer *writer, store_request *group, cache_room *room,
                                  loam_error *error) {
    for (store_request *request = group; request != NULL; request = request->next) {
        if (request->error.status == LOAM_OK && cache_room_take(writer, room, request)) {
            LOAM_TRY(cache_apply(writer, request, error));
        }
    }
    return LOAM_OK;
}

/* *walked: the transaction is the walk's, and the group has not had its own yet. */
static loam_status apply_group(cache_writer *writer, store_request *group, bool *walked,
                               loam_error *error) {
    cache_room room;
    LOAM_TRY(cache_apply_touches(writer, error));
    LOAM_TRY(cache_room_find(writer, &room, group, error));
    *walked = room.walk_goes_on && writer->walk.left > 1;
    return *walked ? LOAM_OK : apply_requests(writer, group, &room, error);
}

static bool is_durable(const store_request *group) {
    for (const store_request *request = group; request != NULL; request = request->next) {
        if (request->kind == CACHE_REQUEST_PUT && ((const store_put *)request)->durable) {
            return true;
        }
    }
    return false;
}

static loam_status run_statement(cache_writer *writer, cache_statement which, loam_error *error) {
    return database_step_done(writer->statements[which], error);
}

static loam_status run_transaction(cache_writer *writer, store_request *group, bool *walked,
                                   loam_error *error) {
    LOAM_TRY(run_statement(writer, CACHE_BEGIN, error));
    loam_status status = apply_group(writer, group, walked, error);
    if (status == LOAM_OK) {
        status = run_statement(writer, CACHE_COMMIT, error);
    }
    /* Some failures end the transaction by themselves. */
    if (status != LOAM_OK && sqlite3_get_autocommit(writer->db) == 0) {
        loam_error dropped = {0};
        if (run_statement(writer, CACHE_ROLLBACK, &dropped) != LOAM_OK) {
            cache_database_note_damage(writer->path);
        }
    }
    return status;
}

static loam_status set_synced(cache_writer *writer, bool synced, loam_error *error) {
    if (writer->synced != synced) {
        LOAM_TRY(database_run(writer->db,
                              synced ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL",
                              error));
        writer->synced = synced;
    }
    return LOAM_OK;
}

static void count_commit(cache_writer *writer) {
    cache_counters *counters = &writer->counters;
    atomic_fetch_add(&counters->blobs, (uint64_t)writer->blobs_change);
    atomic_fetch_add(&counters->evicted, writer->evicted_change);
    atomic_fetch_add(&counters->alarms, writer->alarms_change);
    atomic_fetch_add(&counters->commits, 1);
    uint64_t used;
    loam_error dropped = {0};
    if (cache_bytes_used(writer, &used, &dropped) == LOAM_OK) {
        atomic_store(&counters->bytes_used, used);
    }
}

/* As long as room is looked for a transaction is the walk's alone; the log stays short meanwhile.
 */
static loam_status commit_steps(cache_writer *writer, store_request *group, loam_error *error) {
    bool walked = true;
    for (writer->walk.left = EVICT_WALKS_MAX; walked; writer->walk.left--) {
        writer->blobs_change = 0;
        writer->evicted_change = 0;
        writer->alarms_change = 0;
        LOAM_TRY(run_transaction(writer, group, &walked, error));
        count_commit(writer);
        if (walked) {
            database_checkpoint(writer->db, &writer->log, DATABASE_BUSY);
        }
    }
    return LOAM_OK;
}

/* synchronous can only change outside a transaction; a durable group pays for one fsync of the log,
 * which takes all commits before it along. Where memory is too short for the way back, commits are
 * slower until the next group tries again. */
static loam_status commit_group(cache_writer *writer, store_request *group, loam_error *error) {
    loam_error dropped = {0};
    if (is_durable(group)) {
        LOAM_TRY(set_synced(writer, true, error));
    }
    loam_status status = commit_steps(writer, group, error);
    (void)set_synced(writer, false, &dropped);
    return status;
}

/* A put for which there was no room counts as one that failed to commit. */
static void note_trouble(cache_writer *writer, const store_request *group, loam_status status,
                         bool wrote) {
    for (; group != NULL && status == LOAM_OK; group = group->next) {
        status = group->error.status == LOAM_STORAGE_FULL ? LOAM_STORAGE_FULL : LOAM_OK;
    }
    loam_status before = (loam_status)atomic_load(&writer->trouble);
    atomic_store(&writer->trouble, (int)database_trouble(before, status, wrote));
}

static void count_failure(cache_writer *writer, loam_status status) {
    atomic_fetch_add(&writer->counters.failures, 1);
    writer->walk.in_vain = false; /* pins of the group may end */
    if (status == LOAM_DAMAGED) {
        cache_database_note_damage(writer->path);
    }
}

/* ---- Pins: set before the group begins, so that no eviction in it takes them; taken back when
 * their request failed. ----------------------------------------------------------------------- */

/* What a request pins, and where. */
typedef struct pinning {
    pins *in;
    const digest *keys;
    size_t count;
} pinning;

static void pinning_undo(const pinning *of, size_t count) {
    for (size_t i = 0; i < count; i++) {
        pins_remove(of->in, &of->keys[i]);
    }
}

static bool pinning_do(const pinning *of) {
    for (size_t i = 0; i < of->count; i++) {
        if (!pins_add(of->in, &of->keys[i])) {
            pinning_undo(of, i);
            return false;
        }
    }
    return true;
}

static pinning pinning_of(cache_writer *writer, const store_request *request) {
    const store_keys *keys = (const store_keys *)request;
    if (request->kind != CACHE_REQUEST_PIN) {
        return (pinning){0};
    }
    return (pinning){keys->set == NULL ? &writer->pins : keys->set, keys->keys, keys->count};
}

static void pin_group(cache_writer *writer, store_request *group) {
    for (store_request *request = group; request != NULL; request = request->next) {
        const pinning of = pinning_of(writer, request);
        request->pinned = pinning_do(&of);
        if (!request->pinned) {
            loam_fail(&request->error, LOAM_INTERNAL, NULL, "no memory to pin results");
        }
    }
}

/* ---- Answers ------------------------------------------------------------------------------- */

static void finish(cache_writer *writer, store_request *request) {
    if (request->kind == CACHE_REQUEST_REMOVE) {
        free(request);
        return;
    }
    if (request->error.status != LOAM_OK && request->pinned) {
        const pinning of = pinning_of(writer, request);
        pinning_undo(&of, of.count);
    }
    if (request->kind == CACHE_REQUEST_PUT) {
        blob_release(((store_put *)request)->blob);
    } else if (request->kind == CACHE_REQUEST_VERDICT) {
        blob_release(((store_verdict *)request)->text);
    }
    store_request_finish(request);
}

/* A pin is in memory and only looks at what is there, which a failing write does not change. */
static void answer_failed(cache_writer *writer, store_request *request, const loam_error *failure) {
    bool known = request->error.status != LOAM_OK;
    if (!known && request->kind == CACHE_REQUEST_PIN) {
        known = cache_apply(writer, request, &request->error) == LOAM_OK;
    }
    if (!known) {
        request->error = *failure;
    }
}

static void finish_group(cache_writer *writer, store_request *group, const loam_error *failure) {
    while (group != NULL) {
        store_request *next = group->next;
        if (failure->status != LOAM_OK) {
            answer_failed(writer, group, failure);
        }
        finish(writer, group);
        group = next;
    }
}

static void write_group(cache_writer *writer, store_request *group) {
    loam_error failure = {0};
    uint64_t commits = writer->log.commits;
    pin_group(writer, group);
    if (commit_group(writer, group, &failure) != LOAM_OK) {
        count_failure(writer, failure.status);
    }
    note_trouble(writer, group, failure.status, writer->log.commits != commits);
    finish_group(writer, group, &failure);
}

static database_load load_after(cache_writer *writer, bool had_work) {
    if (!had_work) {
        return DATABASE_IDLE;
    }
    return store_queue_length(&writer->queue) == 0 ? DATABASE_CALM : DATABASE_BUSY;
}

static void *run(void *context) {
    cache_writer *writer = context;
    thread_introduce("cache-writer", THREAD_BEHIND);
    while (!store_queue_ended(&writer->queue)) {
        store_request *group =
            store_queue_take(&writer->queue, writer->log.pages > 0 ? CHECKPOINT_IDLE_MS : 0);
        bool had_work = group != NULL;
        if (group != NULL || touches_waiting(&writer->touches)) {
            write_group(writer, group);
        }
        database_checkpoint(writer->db, &writer->log, load_after(writer, had_work));
        atomic_store(&writer->counters.log_pages, (uint64_t)writer->log.pages);
    }
    return NULL;
}

/* ---- Life ---------------------------------------------------------------------------------- */

static loam_status prepare(cache_writer *writer, loam_error *error) {
    for (int i = 0; i < CACHE_STATEMENTS; i++) {
        LOAM_TRY(database_prepare(writer->db, cache_sql[i], &writer->statements[i], error));
    }
    int64_t blobs = 0;
    int64_t uses;
    uint64_t used;
    LOAM_TRY(cache_bytes_used(writer, &used, error));
    writer->uncounted = used > COUNT_BYTES_AT_ONCE;
    if (!writer->uncounted) {
        LOAM_TRY(database_number(writer->db, CACHE_COUNT_SQL, &blobs, error));
    }
    LOAM_TRY(database_number(writer->db, "SELECT max(used) FROM results", &uses, error));
    atomic_store(&writer->counters.blobs, (uint64_t)blobs);
    atomic_store(&writer->counters.uses, (uint64_t)uses);
    atomic_store(&writer->counters.bytes_used, used);
    database_watch_log(writer->db, &writer->log);
    return LOAM_OK;
}

loam_status cache_writer_open(cache_writer *writer, const char *path, uint64_t bytes_max,
                              loam_error *error) {
    static const store_queue_options QUEUE = {.requests_max = CACHE_QUEUE_REQUESTS,
                                              .bytes_max = CACHE_QUEUE_BYTES,
                                              .group_requests = CACHE_GROUP_PUTS,
                                              .group_bytes = CACHE_GROUP_BYTES,
                                              .linger_us = CACHE_GROUP_LINGER_US};
    writer->path = path;
    writer->bytes_max = bytes_max;
    store_queue_init(&writer->queue, &QUEUE);
    pins_init(&writer->pins);
    touches_init(&writer->touches);
    loam_status status = cache_database_open(path, &writer->db, error);
    if (status == LOAM_OK) {
        status = prepare(writer, error);
    }
    if (status != LOAM_OK) {
        cache_writer_close(writer);
    }
    return status;
}

loam_status cache_writer_start(cache_writer *writer, loam_error *error) {
    return thread_start(&writer->thread, run, writer, error);
}

void cache_writer_stop(cache_writer *writer) {
    store_queue_close(&writer->queue);
    pthread_join(writer->thread, NULL);
}

void cache_writer_close(cache_writer *writer) {
    for (int i = 0; i < CACHE_STATEMENTS; i++) {
        sqlite3_finalize(writer->statements[i]);
        writer->statements[i] = NULL;
    }
    database_close(writer->db);
    writer->db = NULL;
    touches_fini(&writer->touches);
    pins_fini(&writer->pins);
    store_queue_fini(&writer->queue);
}

void cache_writer_remove(cache_writer *writer, const cache_removal *removal) {
    cache_removal *kept = malloc(sizeof *kept);
    if (kept == NULL) {
        return; /* the next reader of this row finds it again */
    }
    *kept = *removal;
    kept->base.kind = CACHE_REQUEST_REMOVE;
    if (store_queue_push(&writer->queue, &kept->base, 0) != LOAM_OK) {
        free(kept);
    }
}

void cache_writer_touch(cache_writer *writer, const digest *key) {
    if (touches_add(&writer->touches, key)) {
        store_queue_wake(&writer->queue);
    }
}
