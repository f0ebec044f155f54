/* SPDX-License-Identifier: MIT
 *
 * disk_cache.h: cells on the client's own disk, by digest, for as many processes as share a folder.
 * A file is written under another name and renamed, so it is there whole or not at all; and its
 * name is the digest of its bytes, which is checked at every read: what does not hash to it is
 * removed and fetched anew. Nothing is flushed: after a power cut the check finds what is missing.
 *
 * The folder holds SHARDS folders of equal shares. Digests spread evenly, so each shard alone keeps
 * below its share by dropping what was used longest ago, and no process needs to know the whole.
 * Nothing here fails a fetch: a cache that cannot read or write is a cache that misses.
 */
#ifndef API_CLIENT_DISK_CACHE_H
#define API_CLIENT_DISK_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "api/key/key.h"

/* Of a folder whose owner names no size. */
#define DISK_CACHE_BYTES ((uint64_t)1 << 30)
/* A share of a shard is then 1 MB: a dense cell. */
#define DISK_CACHE_BYTES_MIN ((uint64_t)64 << 20)
/* A power of two. At 1 GB and 100 KB a cell some 160 files each: trimmed in a fraction of 1 ms. */
#define DISK_SHARDS 64
/* A file takes whole blocks. */
#define DISK_BLOCK_BYTES 4096
/* A process looks at a shard again when it has written that part of its share: it may pass its
 * share by so much, and not every write looks. */
#define DISK_SLACK 16
/* A folder, a shard, a digest, a process's own ending. */
#define DISK_FOLDER_BYTES 3840
#define DISK_PATH_BYTES 4096

typedef struct disk_cache {
    char folder[DISK_FOLDER_BYTES];
    uint64_t shard_bytes_max;
    uint64_t own;     /* with the next, tells unfinished files of all who share the folder apart */
    uint32_t written; /* unfinished files so far */
    uint64_t untrimmed[DISK_SHARDS]; /* bytes written since a shard was last looked at */
} disk_cache;

/* Makes the folder when it is missing; `bytes_max` 0 takes DISK_CACHE_BYTES. NULL with an error. */
disk_cache *disk_cache_open(const char *folder, uint64_t bytes_max, loam_error *error);
void disk_cache_close(disk_cache *cache);

/* What stands at an address. An address is any text that always means the same bytes, or the bytes
 * that it meant last: then the daemon is asked whether it still does. */
typedef struct disk_cell {
    digest id;
    digest build_key;
} disk_cell;

bool disk_cell_find(const disk_cache *cache, const char *address, disk_cell *cell);
void disk_cell_keep(disk_cache *cache, const char *address, const disk_cell *cell);

/* How a read or a write stands after a step. */
typedef enum disk_step {
    DISK_MORE,   /* go on */
    DISK_LATER,  /* the disk is fetching: ask again */
    DISK_DONE,   /* the bytes are there, and verified */
    DISK_FAILED, /* they are not */
} disk_step;

/* Bytes on their way from a file. */
typedef struct disk_reader {
    int descriptor;
    digest id;
    digest_stream stream;
    unsigned char *bytes; /* owned; one more than size, for a terminator */
    size_t size;
    size_t read;
} disk_reader;

/* False when there is no such file. End the reader in every case but that. */
bool disk_read_begin(const disk_cache *cache, const digest *id, disk_reader *reader);
/* Reads and hashes at most `piece` bytes. Unless `may_wait`, DISK_LATER when these are not in
 * memory; the kernel has been told to fetch them. */
disk_step disk_read_step(const disk_cache *cache, disk_reader *reader, size_t piece, bool may_wait);
/* The bytes are the caller's own when it takes them (and sets reader->bytes to NULL) before. */
void disk_read_end(disk_reader *reader);

/* Bytes on their way to a file. */
typedef struct disk_writer {
    int descriptor;
    char path[DISK_PATH_BYTES]; /* of the unfinished file */
    digest id;
    size_t written;
} disk_writer;

/* False when there is nothing to write: the file is there, too large, or cannot be made. */
bool disk_write_begin(disk_cache *cache, const digest *id, size_t size, disk_writer *writer);
/* Writes at most `piece` of the bytes; the last step gives the file its name. */
disk_step disk_write_step(disk_cache *cache, disk_writer *writer, const void *bytes, size_t size,
                          size_t piece);
/* Drops what was not finished. */
void disk_write_end(disk_writer *writer);

/* The same in one go, for who may wait. The bytes are owned by the caller, a 0 behind them. */
bool disk_blob_read(const disk_cache *cache, const digest *id, unsigned char **bytes, size_t *size);
void disk_blob_keep(disk_cache *cache, const digest *id, const void *bytes, size_t size);

/* Brings a shard below its share: what was used longest ago goes, and unfinished files of processes
 * that have ended (disk_shard.c). Looks at SHARD_LOOK_MAX files at most: of more, at a sample, of
 * which a quarter goes at once. False when the shard is above its share still. */
bool disk_shard_trim(const char *folder, uint64_t bytes_max);

#endif
