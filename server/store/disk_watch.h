/* SPDX-License-Identifier: MIT
 *
 * disk_watch.h: whether what is accepted can be kept: a thread that measures the room on the disk,
 * and asks a writer whose last commit failed to try again, so that trouble ends by itself once its
 * reason is gone, also when nobody writes any more. While room is short the cache does not grow:
 * what is left is for what cannot be made again.
 */
#ifndef LOAM_SERVER_STORE_DISK_WATCH_H
#define LOAM_SERVER_STORE_DISK_WATCH_H

#include "server/store/cache_writer.h"
#include "server/store/control_writer.h"
#include "server/store/folder.h"

/* A commit that changes nothing, once at a time. */
typedef struct disk_probe {
    control_request request; /* the cache's writer takes its base alone */
    atomic_bool under_way;
} disk_probe;

typedef struct disk_watch {
    const folder *folder;    /* borrowed */
    cache_writer *cache;     /* borrowed */
    control_writer *control; /* borrowed */
    void (*changed)(void *context, const store_health *now);
    void *context;
    loam_status told; /* what `changed` heard last */
    atomic_uint_fast64_t bytes_free;
    atomic_uint_fast64_t bytes_needed;
    atomic_bool low;
    disk_probe cache_probe;
    disk_probe control_probe;
    pthread_mutex_t mutex;
    pthread_cond_t ended;
    bool ending;
    pthread_t thread;
} disk_watch;

/* What must be free on a disk of this size; and whether too little is, where that is no news. */
uint64_t disk_bytes_needed(uint64_t bytes_total);
bool disk_is_low(uint64_t bytes_free, uint64_t bytes_needed, bool was_low);

/* The borrowed parts, `changed` and `context` are set. Measures once before it returns. */
LOAM_MUST_USE loam_status disk_watch_start(disk_watch *started, loam_error *error);
/* Before the writers stop. */
void disk_watch_stop(disk_watch *stopped);
/* When the writers have answered everything. */
void disk_watch_fini(disk_watch *ended);
store_health disk_watch_health(disk_watch *of);

#endif
