/* SPDX-License-Identifier: MIT
 *
 * store.h: everything that outlives the process. A folder with control.db (worlds, revisions, rows
 * of assets, jobs), cache.db (results: key -> digest, blobs: digest -> bytes), assets/<digest>,
 * uploads/ and keys/, held by one process through DIR/lock.
 *
 * One writer thread per database file is its only writer and only checkpointer; readers of the
 * cache have threads and read-only connections of their own. Calls from any thread are queued and
 * answered through request.done on a thread of the store; a call that returns an error was not
 * queued and never calls done. Order of commits is the caller's: cache first, then control.
 *
 * Invariant: what done() reported as written survives kill -9; a result is a hit only while its
 * blob is there and hashes to its digest.
 */
#ifndef LOAM_SERVER_STORE_H
#define LOAM_SERVER_STORE_H

#include "server/store/blob.h"
#include "server/store/store_rows.h"

typedef struct store store;

/* Cap of cache.db when none is given. */
#define STORE_CACHE_BYTES_DEFAULT ((uint64_t)16 << 30)
/* The least cap: one batch of writes and the trees around it. */
#define STORE_CACHE_BYTES_MIN ((uint64_t)1 << 20)
/* A blob: a cell of 8 M points with some columns. */
#define STORE_BLOB_BYTES_MAX ((size_t)512 << 20)
/* Threads that read the cache: more than a few only fight for the page cache. */
#define STORE_READERS_MAX 8u

/* Trouble ends by itself, soon after its reason. */
typedef struct store_health {
    /* LOAM_OK; LOAM_STORAGE_FULL: little is free, or a commit found no room; else what the last
     * commit to one of the files failed with. A damaged cache is none: all is answered. */
    loam_status trouble;
    bool disk_is_low;
    bool results_are_lost; /* puts fail at the moment; what is there is still read */
    uint64_t disk_bytes_free;
    uint64_t disk_bytes_needed; /* with less the disk is low */
} store_health;

typedef struct store_options {
    const char *dir;          /* created with its parents, 0700 */
    uint64_t cache_bytes_max; /* pages in use of cache.db; 0 is STORE_CACHE_BYTES_DEFAULT */
    uint32_t reader_threads;  /* 0 is 1 */
    /* Called on a thread of the store when its health has changed, and at the start when there is
     * trouble; may be NULL. */
    void (*health_changed)(void *context, const store_health *now);
    void *context;
} store_options;

/* Opens or makes the folder, migrates, recovers, starts the threads. Owned. The error is one
 * sentence for the log: LOAM_LOCKED, LOAM_IO, LOAM_VERSION_UNAVAILABLE (a newer schema),
 * LOAM_STORAGE_FULL. */
LOAM_MUST_USE loam_status store_open(const store_options *options, store **opened,
                                     loam_error *error);
/* Answers everything queued, flushes, checkpoints, closes, gives the folder back. New calls get
 * LOAM_SHUTTING_DOWN from here on; no other thread may be inside a call when it returns. */
void store_close(store *closed);

/* How it does: at once, from any thread. */
store_health store_health_read(store *of);

/* ---- Results ------------------------------------------------------------------------------- */

typedef enum store_outcome {
    STORE_MISS,
    STORE_HIT,
    STORE_DAMAGED, /* there was a row whose bytes are not its digest: removed and counted */
} store_outcome;

/* Looks a key up on a reader thread. */
typedef struct store_get {
    store_request base;
    digest key;
    store_outcome outcome; /* out */
    blob *blob;            /* out: owned on a hit, else NULL */
} store_get;

LOAM_MUST_USE loam_status store_result_get(store *from, store_get *request);

/* Writes a result if there is none for the key. The blob is retained until done. */
typedef struct store_put {
    store_request base;
    digest key;
    blob *blob;
    bool durable; /* on the disk, not only in the system's cache, before done (job tasks) */
    bool existed; /* out: the key had a result with this digest already */
    bool alarm;   /* out: the key had a result with another digest, `kept`; that one stays */
    digest kept;
} store_put;

/* In request->error: LOAM_CACHE_TOO_SMALL when the cap leaves no room beside pinned results;
 * LOAM_OVERLOADED when there are so many of these that it is still being looked for. */
LOAM_MUST_USE loam_status store_result_put(store *to, store_put *request);

/* A verdict of checks on an artifact: text that is the caller's to read, empty when it passed. */
typedef struct store_verdict {
    store_request base;
    digest artifact; /* what was judged */
    digest checks;   /* what the verdict depends on beside it */
    blob *text;      /* put: retained until done; get, out: owned, NULL when there is none */
} store_verdict;

/* On a reader thread. */
LOAM_MUST_USE loam_status store_verdict_get(store *from, store_verdict *request);
/* Behind the puts before it, and only for an artifact that is there: it goes with it. */
LOAM_MUST_USE loam_status store_verdict_put(store *to, store_verdict *request);

/* Pins that end together, 16 to 48 bytes each: the results of a job. */
typedef struct pins store_pin_set;

/* Owned; NULL when memory is short. */
LOAM_MUST_USE store_pin_set *store_pin_set_create(store *of);
/* Takes back what is pinned in it; NULL is nothing. No request with it may be under way. */
void store_pin_set_destroy(store *of, store_pin_set *set);

/* Which keys have a result with its blob. Arrays of `count` are the caller's until done. */
typedef struct store_keys {
    store_request base;
    const digest *keys;
    size_t count;
    bool *present;      /* out */
    digest *digests;    /* out, of those present; may be NULL */
    store_pin_set *set; /* where pins go; NULL: each is taken back by itself */
} store_keys;

/* On a reader thread: a moment's picture. */
LOAM_MUST_USE loam_status store_result_contains(store *from, store_keys *request);
/* On the writer's thread: pins every key, present or not, and then looks: what is reported present
 * is not evicted until it is unpinned. Pins count, and live as long as the process. */
LOAM_MUST_USE loam_status store_result_pin(store *from, store_keys *request);
/* At once, from any thread: takes back one pin of each key. */
void store_result_unpin(store *from, const digest *keys, size_t count);
/* Notes a use of a result that was served from elsewhere, so that it is not the oldest; at once,
 * and now and then forgotten. */
void store_result_touch(store *from, const digest *key);

/* ---- Control ------------------------------------------------------------------------------- */

/* Queues a control_request for the writer of control.db: committed with synchronous FULL before
 * done, in one transaction with what else is queued. */
LOAM_MUST_USE loam_status store_control(store *to, control_request *request);
/* The same, waiting for its end (start-up and tools; never on the network thread). done and context
 * are overwritten. Returns request->base.error.status. */
LOAM_MUST_USE loam_status store_control_wait(store *to, control_request *request);

/* ---- Files --------------------------------------------------------------------------------- */

/* Path of the folder for who writes uploads. Borrowed from the store. */
const char *store_uploads_dir(const store *of);

/* The daemon's own secret, keys/dungeons: made when it is not there, from the kernel's randomness,
 * 0600; the same as long as the folder lives. Blocking; at the start. */
LOAM_MUST_USE loam_status store_secret_read(const store *of, void *bytes, size_t size,
                                            loam_error *error);

/* Writes assets/<digest> (temporary name, fsync, rename, fsync of the folder); nothing to do when
 * it is there. Blocking; from any thread but the network's. */
LOAM_MUST_USE loam_status store_asset_write(store *to, const blob *asset, loam_error *error);
/* Reads and verifies assets/<digest>: LOAM_NOT_FOUND, LOAM_DAMAGED (the file is set aside, and the
 * same asset can be put again), LOAM_IO. Owned. */
LOAM_MUST_USE loam_status store_asset_read(store *from, const digest *of, blob **asset,
                                           loam_error *error);

/* ---- Upkeep -------------------------------------------------------------------------------- */

typedef enum store_upkeep_kind {
    STORE_COLLECT, /* evicts, the oldest first and nothing pinned, until `bytes_max` are in use */
    /* Hashes every blob and every asset, `bytes_per_s` of them at most; SQLite checks the pages of
     * control.db and of the cache's other tables. */
    STORE_SCRUB,
    /* A copy of control.db, checked, the assets it names, and keys: `dir`/`name`. What a daemon
     * that was killed left half-made there goes. */
    STORE_BACKUP,
} store_upkeep_kind;

/* What was done. Counts of another kind are 0. */
typedef struct store_report {
    uint64_t evicted; /* results */
    uint64_t bytes_before;
    uint64_t bytes; /* in use after a collection; read by a scrub; of a backup */
    uint64_t blobs;
    uint64_t blobs_damaged; /* removed */
    uint64_t results_wrong; /* named other bytes than their row holds: removed */
    uint64_t assets;
    uint64_t assets_damaged; /* a scrub renames such a file to *.damaged; a backup leaves it out */
    uint64_t assets_missing;
    uint64_t keys;
    uint64_t worlds;
    uint64_t jobs;
    bool control_damaged; /* control.db, pages or schema: restore a backup */
    bool file_damaged;    /* cache.db itself: begun anew at the next start */
} store_report;

enum { STORE_BACKUP_NAME_BYTES = 40 };

/* Begins as zeros. */
typedef struct store_upkeep {
    store_request base;
    store_upkeep_kind kind;
    uint64_t bytes_max;
    uint64_t bytes_per_s;
    const char *dir; /* made when it is missing; borrowed until done */
    char name[STORE_BACKUP_NAME_BYTES];
    atomic_bool cancelled;
    store_report report; /* out */
} store_upkeep;

/* Queues it behind what was asked before, for a thread that does nothing else; commits and look-ups
 * go on. In request->error: LOAM_CANCELLED, also when the store closes; LOAM_DUPLICATE when there
 * is a backup of that name; LOAM_STORAGE_FULL and LOAM_IO, and then no backup is left behind. */
LOAM_MUST_USE loam_status store_upkeep_begin(store *of, store_upkeep *request);
/* Ends one that was begun, soon; from any thread. */
void store_upkeep_cancel(store_upkeep *request);

/* ---- Statistics ---------------------------------------------------------------------------- */

typedef struct store_statistics {
    uint64_t blobs;
    uint64_t cache_bytes; /* pages in use */
    uint64_t cache_bytes_max;
    uint64_t hits;
    uint64_t misses;
    uint64_t damaged;
    uint64_t alarms;
    uint64_t evicted;
    uint64_t pinned; /* keys */
    uint64_t cache_commits;
    uint64_t control_commits;
    uint64_t write_failures; /* batches that did not commit */
    uint64_t cache_wal_bytes;
    uint64_t control_wal_bytes;
    /* What upkeep is under way, of store_upkeep_kind, and how far: 0 to 1,000; -1: none. */
    int upkeep_kind;
    uint32_t upkeep_permille;
    uint64_t reader_queue;
    uint64_t cache_queue;
    uint64_t control_queue;
} store_statistics;

store_statistics store_statistics_read(store *of);

#endif
