/* SPDX-License-Identifier: MIT
 *
 * blob_count.h: how many blobs a large cache has, counted beside the work: to count them before
 * would make the start as slow as the store is large. The picture that is counted was taken before
 * the writer began, whose own changes are added to the same counter.
 */
#ifndef LOAM_SERVER_STORE_BLOB_COUNT_H
#define LOAM_SERVER_STORE_BLOB_COUNT_H

#include "server/store/cache_writer.h"

typedef struct blob_count {
    cache_counters *counters; /* borrowed */
    sqlite3 *db;              /* NULL: there is nothing to count */
} blob_count;

/* Takes the picture, where the writer left the counting. */
LOAM_MUST_USE loam_status blob_count_open(blob_count *count, cache_writer *writer,
                                          loam_error *error);
/* Counts; on any one thread. */
void blob_count_run(blob_count *count);
/* Ends a count that is under way, from another thread. */
void blob_count_interrupt(blob_count *count);
void blob_count_close(blob_count *count);

#endif
