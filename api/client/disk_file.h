/* SPDX-License-Identifier: MIT
 *
 * disk_file.h: what the two files of the disk cache share: where a file lies, a file in the making,
 * the mark of its last use.
 */
#ifndef API_CLIENT_DISK_FILE_H
#define API_CLIENT_DISK_FILE_H

#include "api/client/disk_cache.h"

void disk_shard_path(const disk_cache *cache, const digest *id, char path[DISK_PATH_BYTES]);
void disk_file_path(const disk_cache *cache, const digest *id, const char *ending,
                    char path[DISK_PATH_BYTES]);
/* An unfinished file of this process in the digest's shard, to be written; -1 when there is none to
 * be had. */
int disk_part_open(disk_cache *cache, const digest *id, char path[DISK_PATH_BYTES]);
/* After so many bytes were written to the digest's shard. */
void disk_trim(disk_cache *cache, const digest *id, size_t bytes);
/* Marks a file as used, at most once a minute. */
void disk_touch(int descriptor);

#endif
