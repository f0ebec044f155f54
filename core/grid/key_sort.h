/* SPDX-License-Identifier: MIT
 *
 * key_sort.h: sorts indices by 64-bit keys in the caller's memory, in linear time. Equal keys keep
 * their order, so a second key is sorted by first.
 */
#ifndef LOAM_GRID_KEY_SORT_H
#define LOAM_GRID_KEY_SORT_H

#include <stdint.h>

typedef struct keyed_index {
    uint64_t key;
    uint32_t index;
} keyed_index;

/* Sorts `items`; `spare` has room for as many. */
void key_sort(keyed_index *items, keyed_index *spare, uint32_t count);

#endif
