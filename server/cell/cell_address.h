/* SPDX-License-Identifier: MIT
 *
 * cell_address.h: which cell of which world, as the network thread's tables name it.
 */
#ifndef LOAM_SERVER_CELL_CELL_ADDRESS_H
#define LOAM_SERVER_CELL_CELL_ADDRESS_H

#include "server/slot/result_name.h"

typedef struct cell_address {
    uint64_t revision; /* serial of a revision in memory: unique in this process, never reused */
    int64_t x;
    int64_t z;
    uint32_t output;
    uint32_t level;
} cell_address;

static inline result_name result_of_address(const cell_address *address) {
    result_name name;
    _Static_assert(sizeof name == sizeof *address, "an address is a name: no padding");
    memcpy(&name, address, sizeof name);
    return name;
}

#endif
