/* SPDX-License-Identifier: MIT
 *
 * cache_reader.h: one or two threads that look results up, each with a read-only connection of its
 * own. One statement is one transaction: key -> digest -> bytes, hashed on the first read of a blob
 * in this process. What does not hash to its digest is never an answer.
 */
#ifndef LOAM_SERVER_STORE_CACHE_READER_H
#define LOAM_SERVER_STORE_CACHE_READER_H

#include "server/store/cache_writer.h"

typedef enum reader_request_kind {
    READER_REQUEST_GET,
    READER_REQUEST_CONTAINS,
    READER_REQUEST_VERDICT,
} reader_request_kind;

struct cache_readers;

typedef struct cache_reader {
    struct cache_readers *readers;
    sqlite3 *db;
    sqlite3_stmt *get;
    sqlite3_stmt *contains;
    sqlite3_stmt *verdict;
    pthread_t thread;
} cache_reader;

typedef struct cache_readers {
    store_queue queue;
    cache_writer *writer; /* borrowed: counters, removals, touches */
    uint32_t count;       /* connections open */
    uint32_t running;     /* threads started */
    cache_reader readers[STORE_READERS_MAX];
    /* Blobs whose bytes were hashed, by digest and row; a place that was overwritten only costs a
     * hash. */
    atomic_uint_fast64_t verified[VERIFIED_SLOTS];
} cache_readers;

/* Looks a verdict up (cache_verdict.c). */
void cache_read_verdict(cache_reader *reader, store_verdict *request);

/* Opens `count` connections to the writer's file. */
LOAM_MUST_USE loam_status cache_readers_open(cache_readers *readers, cache_writer *writer,
                                             uint32_t count, loam_error *error);
LOAM_MUST_USE loam_status cache_readers_start(cache_readers *readers, loam_error *error);
/* Closes the queue, waits until everything in it is answered. */
void cache_readers_stop(cache_readers *readers);
void cache_readers_close(cache_readers *readers);

#endif
