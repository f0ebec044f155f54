/* SPDX-License-Identifier: MIT
 *
 * upkeep.h: the thread that does what an operator asks for, one request after another: collections
 * (by the cache's writer, in small transactions), scrubs (scrub.c) and backups (backup.c). It has
 * read-only connections of its own, opened for each request, and writes to neither database.
 */
#ifndef LOAM_SERVER_STORE_UPKEEP_H
#define LOAM_SERVER_STORE_UPKEEP_H

#include "server/store/blob_count.h"
#include "server/store/cache_writer.h"
#include "server/store/control_writer.h"
#include "server/store/folder.h"

typedef struct upkeep {
    const folder *folder;    /* borrowed */
    cache_writer *cache;     /* borrowed */
    control_writer *control; /* borrowed */
    blob_count count;        /* done first */
    store_queue queue;
    atomic_bool stopping;
    atomic_int kind; /* of what is under way; -1: nothing */
    atomic_uint permille;
    pthread_t thread;
} upkeep;

/* The borrowed parts are set. */
LOAM_MUST_USE loam_status upkeep_start(upkeep *started, loam_error *error);
/* Cancels what is under way or waits; before the writers stop. */
void upkeep_stop(upkeep *stopped);
/* LOAM_CANCELLED once the request is not wanted any more. */
LOAM_MUST_USE loam_status upkeep_check(const upkeep *of, const store_upkeep *request,
                                       loam_error *error);

/* How far the request that is under way has come. */
void upkeep_progress(upkeep *of, uint64_t done, uint64_t total);

LOAM_MUST_USE loam_status scrub_run(upkeep *of, store_upkeep *request, loam_error *error);
LOAM_MUST_USE loam_status backup_run(upkeep *of, store_upkeep *request, loam_error *error);

/* Evicts until `bytes_max` are in use, and waits for everything that the cache's writer was given
 * before; with UINT64_MAX it does only that. */
LOAM_MUST_USE loam_status upkeep_collect(upkeep *of, store_upkeep *request, uint64_t bytes_max,
                                         loam_error *error);

#endif
