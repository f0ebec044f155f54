/* SPDX-License-Identifier: MIT
 *
 * cache_reader.c: look-ups. A reader changes nothing: what it finds damaged and what it finds used
 * it hands to the writer.
 */
#include "server/store/cache_reader.h"

#include "core/base/bytes.h"
#include "core/base/try.h"
#include "server/store/migrate.h"
#include "server/thread/thread.h"

#include <string.h>

/* The blob by its row, not by its digest: a row with another digest is damage, not absence. */
static const char GET_SQL[] = "SELECT r.digest, r.blob, r.used, b.digest, b.bytes FROM results r "
                              "LEFT JOIN blobs b ON b.id = r.blob WHERE r.key = ?1";
static const char CONTAINS_SQL[] =
    "SELECT r.digest, b.digest FROM results r JOIN blobs b ON b.id = r.blob WHERE r.key = ?1";
static const char VERDICT_SQL[] = "SELECT text FROM verdicts WHERE artifact = ?1 AND checks = ?2";

enum { GET_DIGEST, GET_BLOB, GET_USED, GET_BLOB_DIGEST, GET_BYTES };

static uint64_t verified_mark(const digest *of, int64_t row) {
    return get_u64(of->bytes + 8) ^ ((uint64_t)row * 0x9e3779b97f4a7c15u);
}

static bool is_verified(cache_readers *readers, const digest *of, int64_t row) {
    size_t place = get_u64(of->bytes) & (VERIFIED_SLOTS - 1);
    return atomic_load_explicit(&readers->verified[place], memory_order_relaxed) ==
           verified_mark(of, row);
}

static void set_verified(cache_readers *readers, const digest *of, int64_t row) {
    size_t place = get_u64(of->bytes) & (VERIFIED_SLOTS - 1);
    atomic_store_explicit(&readers->verified[place], verified_mark(of, row), memory_order_relaxed);
}

static void note_damage(cache_reader *reader, store_get *request, int64_t row) {
    cache_removal removal = {.key = request->key, .blob = row};
    request->outcome = STORE_DAMAGED;
    atomic_fetch_add(&reader->readers->writer->counters.damaged, 1);
    cache_writer_remove(reader->readers->writer, &removal);
}

/* Only a use that is news: the newest part of all results keep their place. */
static void note_use(cache_reader *reader, const digest *key, int64_t used) {
    cache_writer *writer = reader->readers->writer;
    uint64_t age = atomic_load(&writer->counters.uses) - (uint64_t)used;
    if (age > cache_blobs(&writer->counters) / TOUCH_AGE_PART) {
        cache_writer_touch(writer, key);
    }
}

/* Copies the bytes of the current row out and hashes them unless that was done before. */
static loam_status copy_row(cache_reader *reader, store_get *request, const digest *named,
                            loam_error *error) {
    int64_t row = sqlite3_column_int64(reader->get, GET_BLOB);
    const void *bytes = sqlite3_column_blob(reader->get, GET_BYTES);
    size_t size = (size_t)sqlite3_column_bytes(reader->get, GET_BYTES);
    if (bytes == NULL && size > 0) {
        return database_fail(reader->db, error);
    }
    blob *copy = blob_allocate(size);
    if (copy == NULL) {
        return loam_fail(error, LOAM_INTERNAL, NULL, "no memory for a blob of %zu bytes", size);
    }
    if (size > 0) {
        memcpy(copy->bytes, bytes, size);
    }
    copy->digest = *named;
    if (!is_verified(reader->readers, named, row)) {
        blob_seal(copy, size);
        if (!digest_equal(&copy->digest, named)) {
            blob_release(copy);
            note_damage(reader, request, row);
            return LOAM_OK;
        }
        set_verified(reader->readers, named, row);
    }
    request->outcome = STORE_HIT;
    request->blob = copy;
    return LOAM_OK;
}

static loam_status read_row(cache_reader *reader, store_get *request, loam_error *error) {
    int64_t row = sqlite3_column_int64(reader->get, GET_BLOB);
    if (row == 0) {
        return LOAM_OK; /* its bytes were removed: a miss */
    }
    digest named = database_column_digest(reader->get, GET_DIGEST);
    digest held = database_column_digest(reader->get, GET_BLOB_DIGEST);
    if (!digest_equal(&named, &held)) {
        note_damage(reader, request, row);
        return LOAM_OK;
    }
    note_use(reader, &request->key, sqlite3_column_int64(reader->get, GET_USED));
    return copy_row(reader, request, &named, error);
}

static loam_status look_up(cache_reader *reader, store_get *request, loam_error *error) {
    bool found;
    database_bind_digest(reader->get, 1, &request->key);
    LOAM_TRY(database_step_row(reader->get, &found, error));
    loam_status status = found ? read_row(reader, request, error) : LOAM_OK;
    database_reset(reader->get);
    return status;
}

static void count_outcome(cache_counters *counters, store_outcome outcome) {
    if (outcome == STORE_HIT) {
        atomic_fetch_add(&counters->hits, 1);
    } else {
        atomic_fetch_add(&counters->misses, 1);
    }
}

/* A page that SQLite cannot read is a damaged row as well: a miss, an alarm, and the file is set
 * aside at the next start. */
static void get(cache_reader *reader, store_get *request) {
    cache_writer *writer = reader->readers->writer;
    loam_error failure = {0};
    request->outcome = STORE_MISS;
    request->blob = NULL;
    loam_status status = look_up(reader, request, &failure);
    if (status == LOAM_DAMAGED) {
        request->outcome = STORE_DAMAGED;
        atomic_fetch_add(&writer->counters.damaged, 1);
        cache_database_note_damage(writer->path);
    } else if (status != LOAM_OK) {
        request->base.error = failure;
    }
    count_outcome(&writer->counters, request->outcome);
}

static loam_status look_for(cache_reader *reader, store_keys *request, size_t i,
                            loam_error *error) {
    bool found;
    database_bind_digest(reader->contains, 1, &request->keys[i]);
    LOAM_TRY(database_step_row(reader->contains, &found, error));
    digest named = {{0}};
    if (found) {
        named = database_column_digest(reader->contains, 0);
        digest held = database_column_digest(reader->contains, 1);
        request->present[i] = digest_equal(&named, &held);
        database_reset(reader->contains);
    }
    if (request->digests != NULL) {
        request->digests[i] = named;
    }
    return LOAM_OK;
}

static void contains(cache_reader *reader, store_keys *request) {
    memset(request->present, 0, request->count * sizeof request->present[0]);
    for (size_t i = 0; i < request->count; i++) {
        if (look_for(reader, request, i, &request->base.error) != LOAM_OK) {
            return;
        }
    }
}

static void answer(cache_reader *reader, store_request *request) {
    switch ((reader_request_kind)request->kind) {
    case READER_REQUEST_GET:
        get(reader, (store_get *)request);
        return;
    case READER_REQUEST_CONTAINS:
        contains(reader, (store_keys *)request);
        return;
    case READER_REQUEST_VERDICT:
        cache_read_verdict(reader, (store_verdict *)request);
    }
}

static void *run(void *context) {
    cache_reader *reader = context;
    thread_introduce("cache-reader", THREAD_PROMPT);
    store_queue *queue = &reader->readers->queue;
    while (!store_queue_ended(queue)) {
        store_request *request = store_queue_take(queue, 0);
        if (request == NULL) {
            continue;
        }
        answer(reader, request);
        store_request_finish(request);
    }
    return NULL;
}

static loam_status open_one(cache_reader *reader, const char *path, loam_error *error) {
    LOAM_TRY(database_open_reader(path, &reader->db, error));
    LOAM_TRY(database_set(reader->db, "mmap_size", CACHE_MAP_BYTES, error));
    LOAM_TRY(database_set(reader->db, "cache_size", -CACHE_READER_MEMORY_KB, error));
    LOAM_TRY(database_prepare(reader->db, GET_SQL, &reader->get, error));
    LOAM_TRY(database_prepare(reader->db, VERDICT_SQL, &reader->verdict, error));
    return database_prepare(reader->db, CONTAINS_SQL, &reader->contains, error);
}

loam_status cache_readers_open(cache_readers *readers, cache_writer *writer, uint32_t count,
                               loam_error *error) {
    static const store_queue_options QUEUE = {.requests_max = READER_QUEUE_REQUESTS,
                                              .bytes_max = SIZE_MAX,
                                              .group_requests = 1,
                                              .group_bytes = SIZE_MAX};
    store_queue_init(&readers->queue, &QUEUE);
    readers->writer = writer;
    for (readers->count = 0; readers->count < count; readers->count++) {
        cache_reader *reader = &readers->readers[readers->count];
        *reader = (cache_reader){.readers = readers};
        loam_status status = open_one(reader, writer->path, error);
        if (status != LOAM_OK) {
            readers->count++;
            cache_readers_close(readers);
            return status;
        }
    }
    return LOAM_OK;
}

loam_status cache_readers_start(cache_readers *readers, loam_error *error) {
    for (readers->running = 0; readers->running < readers->count; readers->running++) {
        cache_reader *reader = &readers->readers[readers->running];
        loam_status status = thread_start(&reader->thread, run, reader, error);
        if (status != LOAM_OK) {
            cache_readers_stop(readers);
            return status;
        }
    }
    return LOAM_OK;
}

void cache_readers_stop(cache_readers *readers) {
    store_queue_close(&readers->queue);
    for (; readers->running > 0; readers->running--) {
        pthread_join(readers->readers[readers->running - 1].thread, NULL);
    }
}

void cache_readers_close(cache_readers *readers) {
    for (; readers->count > 0; readers->count--) {
        cache_reader *reader = &readers->readers[readers->count - 1];
        sqlite3_finalize(reader->get);
        sqlite3_finalize(reader->contains);
        sqlite3_finalize(reader->verdict);
        database_close(reader->db);
    }
    store_queue_fini(&readers->queue);
}
