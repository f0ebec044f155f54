/* SPDX-License-Identifier: MIT
 *
 * blob.c: counted immutable bytes, one allocation each.
 */
#include "server/store/blob.h"

#include "core/base/assert.h"

#include <stdlib.h>
#include <string.h>

blob *blob_allocate(size_t capacity) {
    if (capacity > SIZE_MAX - sizeof(blob)) {
        return NULL;
    }
    blob *made = malloc(sizeof(blob) + capacity);
    if (made != NULL) {
        made->size = capacity;
        atomic_init(&made->count, 1);
    }
    return made;
}

void blob_seal(blob *sealed, size_t size) {
    LOAM_ASSERT(size <= sealed->size);
    sealed->size = size;
    sealed->digest = digest_of(sealed->bytes, size);
}

blob *blob_create(const void *bytes, size_t size) {
    blob *made = blob_allocate(size);
    if (made != NULL) {
        if (size > 0) {
            memcpy(made->bytes, bytes, size);
        }
        blob_seal(made, size);
    }
    return made;
}

blob *blob_retain(blob *held) {
    unsigned before = atomic_fetch_add_explicit(&held->count, 1, memory_order_relaxed);
    LOAM_ASSERT(before > 0);
    return held;
}

void blob_release(blob *held) {
    if (held == NULL) {
        return;
    }
    unsigned before = atomic_fetch_sub_explicit(&held->count, 1, memory_order_acq_rel);
    LOAM_ASSERT(before > 0);
    if (before == 1) {
        free(held);
    }
}
