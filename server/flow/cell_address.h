/* SPDX-License-Identifier: MIT
 *
 * cell_address.h: which cell of which world, as the network thread's tables name it. Plain memory
 * without padding, compared and hashed as bytes.
 */
#ifndef LOAM_SERVER_FLOW_CELL_ADDRESS_H
#define LOAM_SERVER_FLOW_CELL_ADDRESS_H

#include "core/base/mix.h"
#include "core/loam.h"

#include <string.h>

typedef struct cell_address {
    uint64_t revision; /* serial of a revision in memory: unique in this process, never reused */
    int64_t x;
    int64_t z;
    uint32_t output;
    uint32_t level;
} cell_address;

_Static_assert(sizeof(cell_address) == 32, "hashed as bytes: no padding");

static inline uint64_t address_hash(const cell_address *place) {
    uint64_t row = mix_pair(place->revision, (uint64_t)place->output << 32 | place->level);
    return mix_pair(mix_pair(row, (uint64_t)place->x), (uint64_t)place->z);
}

static inline bool address_equal(const cell_address *a, const cell_address *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

#endif
