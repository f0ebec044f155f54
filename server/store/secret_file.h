/* SPDX-License-Identifier: MIT
 *
 * secret_file.h: secrets of the daemon's own, made once and kept in a file that only it may read.
 */
#ifndef LOAM_SERVER_STORE_SECRET_FILE_H
#define LOAM_SERVER_STORE_SECRET_FILE_H

#include "core/loam.h"

/* `dir`/`name`, made from the kernel's randomness when it is not there. LOAM_DAMAGED when it has
 * another size: it is never made anew, for what was drawn with it would change. */
LOAM_MUST_USE loam_status secret_file_read(const char *dir, const char *name, void *bytes,
                                           size_t size, loam_error *error);

#endif
