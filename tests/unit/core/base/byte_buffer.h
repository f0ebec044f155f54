/* SPDX-License-Identifier: MIT
 *
 * byte_buffer.h: what tests of core share: a sink that keeps what it is given, and the same random
 * numbers in every run, made without core's own mixing.
 */
#ifndef LOAM_TESTS_BYTE_BUFFER_H
#define LOAM_TESTS_BYTE_BUFFER_H

#include "core/loam.h"

#include <stdlib.h>
#include <string.h>

/* Owns its bytes. */
typedef struct byte_buffer {
    unsigned char *bytes;
    size_t size, capacity;
} byte_buffer;

static inline void buffer_take_bytes(void *context, const void *bytes, size_t size) {
    byte_buffer *to = context;
    if (to->size + size > to->capacity) {
        to->capacity = 2 * (to->size + size);
        to->bytes = realloc(to->bytes, to->capacity);
        if (to->bytes == NULL) {
            abort();
        }
    }
    if (size > 0) {
        memcpy(to->bytes + to->size, bytes, size);
    }
    to->size += size;
}

static inline loam_sink buffer_sink(byte_buffer *to) {
    return (loam_sink){buffer_take_bytes, to};
}

static inline bool buffer_equal(const byte_buffer *a, const byte_buffer *b) {
    return a->size == b->size && (a->size == 0 || memcmp(a->bytes, b->bytes, a->size) == 0);
}

static inline void buffer_fini(byte_buffer *buffer) {
    free(buffer->bytes);
    *buffer = (byte_buffer){0};
}

/* Marsaglia's xorshift with a multiplier; the state is never 0. */
typedef struct test_random {
    uint64_t state;
} test_random;

static inline uint64_t random_bits(test_random *random) {
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    return random->state * 0x2545f4914f6cdd1du;
}

/* In [low, high]. */
static inline int64_t random_between(test_random *random, int64_t low, int64_t high) {
    uint64_t span = (uint64_t)high - (uint64_t)low + 1;
    return (int64_t)((uint64_t)low +
                     (span == 0 ? random_bits(random) : random_bits(random) % span));
}

#endif
