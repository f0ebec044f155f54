/* SPDX-License-Identifier: MIT
 *
 * blob.h: the immutable bytes of a result with their SHA-256, shared by count between waiting
 * responses, the RAM cache and the store's writer. The one counted thing of the daemon: whoever
 * holds a blob across threads holds a count. Written by its maker until blob_seal, never after.
 */
#ifndef LOAM_SERVER_STORE_BLOB_H
#define LOAM_SERVER_STORE_BLOB_H

#include "api/key/key.h"

#include <stdatomic.h>

typedef struct blob {
    digest digest; /* of the bytes, set by blob_seal */
    size_t size;
    atomic_uint count;
    unsigned char bytes[];
} blob;

/* Owned, count 1, with room for `capacity` bytes to be written before blob_seal; NULL when there is
 * no memory. */
LOAM_MUST_USE blob *blob_allocate(size_t capacity);
/* Ends the writing: the first `size` bytes count, their digest is taken. */
void blob_seal(blob *sealed, size_t size);
/* A sealed copy of `bytes`. Owned; NULL when there is no memory. */
LOAM_MUST_USE blob *blob_create(const void *bytes, size_t size);
/* One more holder; returns the same blob. */
blob *blob_retain(blob *held);
/* One holder less; the last one frees. NULL is nothing. */
void blob_release(blob *held);

#endif
