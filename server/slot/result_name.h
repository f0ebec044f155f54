/* SPDX-License-Identifier: MIT
 *
 * result_name.h: what the network thread's tables find a result by: the address of a cell in
 * memory, or the key of anything else. Plain memory without padding, compared and hashed as words.
 */
#ifndef LOAM_SERVER_SLOT_RESULT_NAME_H
#define LOAM_SERVER_SLOT_RESULT_NAME_H

#include "api/key/key.h"
#include "core/base/mix.h"

#include <string.h>

typedef struct result_name {
    uint64_t words[4];
} result_name;

_Static_assert(sizeof(result_name) == sizeof(digest), "a key is a name");

static inline uint64_t result_hash(const result_name *name) {
    uint64_t half = mix_pair(name->words[0], name->words[1]);
    return mix_pair(mix_pair(half, name->words[2]), name->words[3]);
}

static inline bool result_equal(const result_name *a, const result_name *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

static inline result_name result_of_key(const digest *key) {
    result_name name;
    memcpy(&name, key, sizeof name);
    return name;
}

#endif
