/* SPDX-License-Identifier: MIT
 *
 * folder.h: the data folder on disk: made 0700 with its parents, held through DIR/lock by one
 * process, swept of what an unclean stop left half-written.
 */
#ifndef LOAM_SERVER_STORE_FOLDER_H
#define LOAM_SERVER_STORE_FOLDER_H

#include "core/loam.h"
#include "server/store/store_limits.h"

typedef struct folder {
    char dir[FOLDER_PATH_BYTES];
    char control[FOLDER_PATH_BYTES];
    char cache[FOLDER_PATH_BYTES];
    char assets[FOLDER_PATH_BYTES];
    char uploads[FOLDER_PATH_BYTES];
    char keys[FOLDER_PATH_BYTES];
    int lock_fd;
} folder;

/* LOAM_LOCKED when another process holds it, LOAM_IO when it cannot be made or written. */
LOAM_MUST_USE loam_status folder_open(folder *opened, const char *dir, loam_error *error);
/* Gives the lock back. */
void folder_close(folder *closed);
/* Makes a folder with its parents, 0700; one that is there is left as it is. */
LOAM_MUST_USE loam_status folder_make(const char *dir, loam_error *error);
/* Holds a folder until the descriptor that it gives is closed, or the process ends; -1 when another
 * does, or there is none. */
int folder_hold(const char *dir);
/* `path` = `dir`/`name`; LOAM_IO when that is too long. */
LOAM_MUST_USE loam_status folder_path(const char *dir, const char *name,
                                      char path[FOLDER_PATH_BYTES], loam_error *error);
/* Makes names in `dir` durable. */
LOAM_MUST_USE loam_status folder_sync(const char *dir, loam_error *error);
/* LOAM_STORAGE_FULL or LOAM_IO for an errno, with "what path: reason". */
loam_status folder_fail(loam_error *error, int code, const char *what, const char *path);

#endif
