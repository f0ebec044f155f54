/* SPDX-License-Identifier: MIT
 *
 * cache_writer.h: the thread that alone writes and checkpoints cache.db. It takes groups of
 * requests (32 puts, 8 MB or 5 ms), makes room for them below the cap, and commits them as one
 * transaction before it answers them in order.
 */
#ifndef LOAM_SERVER_STORE_CACHE_WRITER_H
#define LOAM_SERVER_STORE_CACHE_WRITER_H

#include "server/store/database.h"
#include "server/store/pins.h"
#include "server/store/store.h"
#include "server/store/store_limits.h"
#include "server/store/store_queue.h"
#include "server/store/touches.h"

/* Numbers that any thread may read while the writer and the readers count. */
typedef struct cache_counters {
    atomic_uint_fast64_t blobs; /* read by cache_blobs */
    atomic_uint_fast64_t bytes_used;
    atomic_uint_fast64_t hits;
    atomic_uint_fast64_t misses;
    atomic_uint_fast64_t damaged;
    atomic_uint_fast64_t alarms;
    atomic_uint_fast64_t evicted;
    atomic_uint_fast64_t commits;
    atomic_uint_fast64_t failures;
    atomic_uint_fast64_t log_pages;
    atomic_uint_fast64_t uses; /* the newest value of results.used */
} cache_counters;

typedef enum cache_request_kind {
    CACHE_REQUEST_PUT,
    CACHE_REQUEST_PIN,
    CACHE_REQUEST_REMOVE,
    CACHE_REQUEST_VERDICT,
    CACHE_REQUEST_COLLECT,
    CACHE_REQUEST_PROBE, /* a store_request: commits, and changes nothing */
} cache_request_kind;

/* What a reader found damaged. */
typedef struct cache_removal {
    store_request base;
    digest key;
    int64_t blob; /* the row that the result names */
} cache_removal;

/* Some of a collection: what one transaction takes. Given again until it has ended. */
typedef struct cache_collection {
    store_request base;
    uint64_t bytes_max;
    int64_t search_began; /* 0 at first: what was used after that stays */
    uint64_t evicted;     /* out: by this transaction */
    bool ended;           /* out: few enough are in use, or nothing is left that may go */
} cache_collection;

typedef enum cache_statement {
    CACHE_BEGIN,
    CACHE_COMMIT,
    CACHE_ROLLBACK,
    CACHE_PAGES,
    CACHE_PAGES_FREE,
    CACHE_RESULT_FIND,
    CACHE_RESULT_INSERT,
    CACHE_RESULT_UPDATE,
    CACHE_RESULT_TOUCH,
    CACHE_RESULT_DELETE,
    CACHE_RESULT_DELETE_WRONG,
    CACHE_RESULTS_DETACH,
    CACHE_RESULTS_OLDEST,
    CACHE_RESULT_USED,
    CACHE_BLOB_FIND,
    CACHE_BLOB_READ,
    CACHE_BLOB_INSERT,
    CACHE_BLOB_DELETE,
    CACHE_BLOB_DELETE_ORPHAN,
    CACHE_VERDICT_INSERT,
    CACHE_STATEMENTS,
} cache_statement;

#define CACHE_COUNT_SQL "SELECT count(*) FROM blobs"
extern const char *const cache_sql[CACHE_STATEMENTS]; /* cache_statements.c */

/* Where the search for room stands, which goes on where the last transaction left it: from the
 * oldest result to those that were used since it began. */
typedef struct cache_walk {
    int64_t began;       /* the newest use then; 0: none is under way */
    bool missed;         /* since then something came, was used or let go, which it does not meet */
    bool again;          /* it is the second one, as the first has missed something */
    bool in_vain;        /* the last one found too little; nothing came or was let go since */
    uint64_t sets_ended; /* of pins, when that was looked at */
    uint32_t left;       /* transactions that the group at hand may still take for it */
} cache_walk;

/* What is had for the puts of a group. */
typedef struct cache_room {
    uint64_t cap;      /* bytes that pages may take in all (cache_cap) */
    uint64_t bytes;    /* bytes that the pages of new rows may take */
    bool walk_goes_on; /* there may be more */
} cache_room;

typedef struct cache_writer {
    store_queue queue;
    pins pins;
    touches touches;
    cache_counters counters;
    uint64_t bytes_max;
    atomic_bool frugal; /* the disk is nearly full: no pages that the file does not have */
    atomic_int trouble; /* the status that the last writes failed with; LOAM_OK: they did not */
    bool uncounted;     /* too large to count its blobs before it begins (blob_count.h) */
    const char *path;   /* borrowed from the store */
    sqlite3 *db;
    sqlite3_stmt *statements[CACHE_STATEMENTS];
    database_log log;
    cache_walk walk;
    bool synced;          /* every commit is, for now */
    int64_t blobs_change; /* of the open transaction */
    uint64_t evicted_change;
    uint64_t alarms_change;
    pthread_t thread;
} cache_writer;

/* Opens cache.db and prepares everything, without a thread yet. */
LOAM_MUST_USE loam_status cache_writer_open(cache_writer *writer, const char *path,
                                            uint64_t bytes_max, loam_error *error);
LOAM_MUST_USE loam_status cache_writer_start(cache_writer *writer, loam_error *error);
/* Closes the queue, waits until everything in it is answered. */
void cache_writer_stop(cache_writer *writer);
/* Checkpoints and closes; the readers' connections must be closed before. */
void cache_writer_close(cache_writer *writer);

/* Removes what a reader found damaged, in order with the puts; any thread; copies. */
void cache_writer_remove(cache_writer *writer, const cache_removal *removal);
/* Notes a use; any thread. */
void cache_writer_touch(cache_writer *writer, const digest *key);

/* Does what a request of a group asks for (cache_apply.c), inside a transaction. */
LOAM_MUST_USE loam_status cache_apply(cache_writer *writer, store_request *request,
                                      loam_error *error);
/* Writes down the uses that were noted (cache_apply.c), inside a transaction. */
LOAM_MUST_USE loam_status cache_apply_touches(cache_writer *writer, loam_error *error);
/* Writes a verdict (cache_verdict.c), inside a transaction. */
LOAM_MUST_USE loam_status cache_apply_verdict(cache_writer *writer, const store_verdict *verdict,
                                              loam_error *error);
/* Bytes that pages may take (cache_evict.c): the cap, or on a disk that is nearly full what the
 * file has, so that it does not grow. */
LOAM_MUST_USE loam_status cache_cap(cache_writer *writer, uint64_t *cap, loam_error *error);
/* Makes room below room->cap (cache_evict.c), inside a transaction: `needed` bytes when enough is
 * not pinned, or less and the walk goes on. */
LOAM_MUST_USE loam_status cache_make_room(cache_writer *writer, uint64_t needed, cache_room *room,
                                          loam_error *error);
/* Makes room for what a group puts (cache_room.c), inside a transaction. */
LOAM_MUST_USE loam_status cache_room_find(cache_writer *writer, cache_room *room,
                                          const store_request *group, loam_error *error);
/* Takes a request's pages out of the room, or refuses it: what could never fit, or not beside what
 * is pinned; LOAM_OVERLOADED while the walk goes on. */
LOAM_MUST_USE bool cache_room_take(const cache_writer *writer, cache_room *room,
                                   store_request *request);
/* Evicts for a collection (cache_evict.c), inside a transaction. */
LOAM_MUST_USE loam_status cache_collect(cache_writer *writer, cache_collection *request,
                                        loam_error *error);
/* Bytes of the pages that a blob of this size and its rows take at most. */
uint64_t cache_put_bytes(size_t blob_bytes);
/* Pages in use, in bytes. */
LOAM_MUST_USE loam_status cache_bytes_used(cache_writer *writer, uint64_t *bytes,
                                           loam_error *error);
/* Blobs that are known of; while those of a large file are counted, some of the new ones. */
uint64_t cache_blobs(const cache_counters *counters);
/* The next value of results.used. */
int64_t cache_next_use(cache_writer *writer);

#endif
