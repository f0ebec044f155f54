/* SPDX-License-Identifier: MIT
 *
 * coding.h: content codings of HTTP (RFC 9110, section 8.4): zstd and gzip of bytes that are whole.
 * Deterministic: the same library gives the same bytes, there is no time or name in them.
 */
#ifndef LOAM_VIEW_CODING_H
#define LOAM_VIEW_CODING_H

#include "core/loam.h"

typedef enum content_coding {
    CODING_IDENTITY,
    CODING_GZIP,
    CODING_ZSTD,
    CODING_GZIP_ALWAYS, /* the same, of bodies too small to gain by it as well: for who refuses */
    CODING_ZSTD_ALWAYS, /* identity */
    CODINGS
} content_coding;

/* "gzip", "zstd"; NULL for identity. */
const char *coding_name(content_coding coding);
/* The most that `size` bytes can become. */
size_t coding_bound(content_coding coding, size_t size);
/* Codes into the caller's buffer of coding_bound bytes; not for identity. */
LOAM_MUST_USE loam_status coding_encode(content_coding coding, loam_text bytes, void *buffer,
                                        size_t capacity, size_t *size);

#endif
