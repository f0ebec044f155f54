/* SPDX-License-Identifier: MIT
 *
 * key_sort.c: see key_sort.h. A byte at a time from the lowest; bytes in which all keys agree are
 * left out.
 */
#include "core/grid/key_sort.h"

#include <string.h>

enum { DIGIT_BITS = 8, DIGIT_COUNT = 1 << DIGIT_BITS, KEY_BITS = 64 };

/* Below it, moving one by one is faster than counting 256 digits. */
enum { FEW = 48 };

static void sort_few(keyed_index *items, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        keyed_index item = items[i];
        uint32_t at = i;
        for (; at > 0 && items[at - 1].key > item.key; at--) {
            items[at] = items[at - 1];
        }
        items[at] = item;
    }
}

static void sort_digit(const keyed_index *from, keyed_index *to, uint32_t count, unsigned shift) {
    uint32_t start[DIGIT_COUNT] = {0};
    for (uint32_t i = 0; i < count; i++) {
        start[from[i].key >> shift & (DIGIT_COUNT - 1)]++;
    }
    uint32_t sum = 0;
    for (uint32_t digit = 0; digit < DIGIT_COUNT; digit++) {
        uint32_t here = start[digit];
        start[digit] = sum;
        sum += here;
    }
    for (uint32_t i = 0; i < count; i++) {
        to[start[from[i].key >> shift & (DIGIT_COUNT - 1)]++] = from[i];
    }
}

void key_sort(keyed_index *items, keyed_index *spare, uint32_t count) {
    if (count < FEW) {
        sort_few(items, count);
        return;
    }
    uint64_t varies = 0;
    for (uint32_t i = 1; i < count; i++) {
        varies |= items[i].key ^ items[0].key;
    }
    keyed_index *from = items, *to = spare;
    for (unsigned shift = 0; shift < KEY_BITS; shift += DIGIT_BITS) {
        if ((varies >> shift & (DIGIT_COUNT - 1)) != 0) {
            sort_digit(from, to, count, shift);
            keyed_index *swapped = from;
            from = to;
            to = swapped;
        }
    }
    if (from != items) {
        memcpy(items, from, count * sizeof *items);
    }
}
