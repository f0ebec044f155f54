/* SPDX-License-Identifier: MIT
 *
 * store_limits.h: every fixed limit inside the store, each with its reason.
 */
#ifndef LOAM_SERVER_STORE_LIMITS_H
#define LOAM_SERVER_STORE_LIMITS_H

/* Pages of cache.db: 16 KB writes 64 KB blobs twice as fast as 4 KB, and keeps checkpoint stalls
 * below 0.1 s, which 64 KB does not. Rows of control.db are small. */
#define CACHE_PAGE_BYTES 16384
#define CONTROL_PAGE_BYTES 4096

/* A group of cache writes ends with whichever comes first. 32 blobs cost one commit; 8 MB is 40 ms
 * of writing, the longest that a waiting durable put should stand behind; 5 ms is not felt. */
#define CACHE_GROUP_PUTS 32u
#define CACHE_GROUP_BYTES ((size_t)8 << 20)
#define CACHE_GROUP_LINGER_US 5000u

/* Requests of one control transaction: one fsync serves all that came while the last one ran. */
#define CONTROL_GROUP_REQUESTS 64u

/* Queues. Writes hold blobs in memory, so bytes bound them first. */
#define CACHE_QUEUE_REQUESTS 4096u
#define CACHE_QUEUE_BYTES ((size_t)256 << 20)
#define CONTROL_QUEUE_REQUESTS 4096u
#define CONTROL_QUEUE_BYTES ((size_t)256 << 20)
#define READER_QUEUE_REQUESTS 4096u

/* Results evicted at a time; pinned ones passed over in one transaction, so that its pages stay
 * some MB; and transactions of a walk for one group, some 0.1 s, before others have their turn. */
#define EVICT_BATCH 16
#define EVICT_SPARED_MAX 1024
#define EVICT_WALKS_MAX 32

/* What the rows and index entries of a result take beside its bytes; and the slack of the cap, for
 * splits of the trees: it is kept free below the cap, so that a group cannot pass it. */
#define PUT_BYTES_EXTRA 256u
#define GROUP_BYTES_EXTRA ((uint64_t)16 * CACHE_PAGE_BYTES)

/* Checkpoint when the log has so many pages (16 MB of cache, 4 MB of control) and nothing waits to
 * be written; under a flood later, as a checkpoint costs two fsyncs however long the log is, and
 * pages of indexes that changed often are moved once (a quarter more puts a second); and when
 * readers kept the log from starting over for very long, wait for them. */
#define CHECKPOINT_PAGES 1000
#define CHECKPOINT_PAGES_BUSY 4000
#define CHECKPOINT_PAGES_HARD 16000
#define CHECKPOINT_WAIT_MS 200
/* With nothing to do for so long, checkpoint what is left: reads are faster out of the file. */
#define CHECKPOINT_IDLE_MS 1000u
/* A log that grew is cut to this when it starts over: above what a busy one reaches. */
#define LOG_BYTES_KEPT (128 << 20)

/* SQLite's own page caches, in KB; mmap does the reading. */
#define CACHE_WRITER_MEMORY_KB 16000
#define CACHE_READER_MEMORY_KB 4000
#define CONTROL_MEMORY_KB 8000
/* SQLite maps at most 2 GB less a page; beyond that it reads. */
#define CACHE_MAP_BYTES 2147418112LL
/* Between connections of this process nothing is held for long. */
#define BUSY_WAIT_MS 5000

/* Uses noted between two writes; the newest matter. */
#define TOUCHES_MAX 512u
/* A use is written down only when the result has aged by this part of all: 1/8 keeps the order
 * roughly right at an eighth of the writes. */
#define TOUCH_AGE_PART 8u

/* Blobs remembered as verified, 8 bytes each; a lost one is only verified again. */
#define VERIFIED_SLOTS (1u << 18)

/* Blobs of a cache up to this size are counted before it begins, in some ms; those of a larger one
 * beside the work. */
#define COUNT_BYTES_AT_ONCE ((uint64_t)64 << 20)

/* Collection: batches of EVICT_BATCH in one transaction, so that puts need not wait for long. */
#define COLLECT_BATCHES 16

/* Upkeep that may wait: each takes long, so a second one of each kind is plenty. */
#define UPKEEP_QUEUE_REQUESTS 8u
/* A scrub pauses for so long at a time; results that it looks at in one statement, so that the log
 * can start over between two. */
#define SCRUB_PAUSE_NS 10000000u
#define SCRUB_RESULTS 1024
/* Steps of SQLite's machine between two looks whether a backup was cancelled: some ms. */
#define BACKUP_STEPS 100000
/* Files of keys/ are some tens of bytes. */
#define KEY_FILE_BYTES_MAX 65536

/* What must be free on the disk: a twentieth, but at most what an upload of the largest size (512
 * MB) and both logs at their longest (262 and 66 MB) take, so that what is accepted while it is
 * just enough finds room. It is enough again with a quarter more: no flapping at the edge. */
#define DISK_PART_NEEDED 20u
#define DISK_BYTES_NEEDED ((uint64_t)1 << 30)
#define DISK_PART_AGAIN 4u
/* How often the disk is measured, and a writer that failed tries again: a disk fills at some
 * hundred MB a second. */
#define DISK_WATCH_S 1

/* A path below the folder. */
#define FOLDER_PATH_BYTES 1024

#endif
