/* SPDX-License-Identifier: MIT
 *
 * asset_files.h: the bytes of assets, one file each, named by its digest. A name appears only when
 * its bytes are complete and on the disk; what is read is hashed every time.
 */
#ifndef LOAM_SERVER_STORE_ASSET_FILES_H
#define LOAM_SERVER_STORE_ASSET_FILES_H

#include "server/store/blob.h"

bool asset_file_exists(const char *dir, const digest *of);
/* Temporary name, fsync, rename, fsync of the folder. Nothing to do when it is there. */
LOAM_MUST_USE loam_status asset_file_write(const char *dir, const blob *asset, loam_error *error);
/* Owned. LOAM_NOT_FOUND, LOAM_DAMAGED, LOAM_IO. */
LOAM_MUST_USE loam_status asset_file_read(const char *dir, const digest *of, blob **asset,
                                          loam_error *error);
/* Renames one whose bytes are damaged to *.damaged: its name is free for the same bytes again. */
LOAM_MUST_USE loam_status asset_file_set_aside(const char *dir, const digest *of,
                                               loam_error *error);
bool asset_file_is_aside(const char *dir, const digest *of);
void asset_file_remove(const char *dir, const digest *of);
/* Removes every file that has a digest's name and is not kept. */
LOAM_MUST_USE loam_status asset_files_sweep(const char *dir,
                                            bool (*is_kept)(void *context, const digest *of),
                                            void *context, loam_error *error);

#endif
