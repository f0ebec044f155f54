/* SPDX-License-Identifier: MIT
 *
 * decimal.c: see decimal.h.
 */
#include "core/base/decimal.h"

#include "core/base/assert.h"

#include <string.h>

static size_t print_whole(char *to, uint64_t value) {
    char reversed[20];
    size_t size = 0;
    do {
        reversed[size++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    for (size_t i = 0; i < size; i++) {
        to[i] = reversed[size - 1 - i];
    }
    return size;
}

/* Digits of rest / 2^scale_bits until nothing is left: at most scale_bits of them. */
static size_t print_fraction(char *to, uint64_t rest, unsigned scale_bits) {
    size_t size = 0;
    uint64_t mask = ((uint64_t)1 << scale_bits) - 1;
    while (rest != 0) {
        rest *= 10;
        to[size++] = (char)('0' + (rest >> scale_bits));
        rest &= mask;
    }
    return size;
}

size_t decimal_print(char *to, size_t capacity, int64_t value, unsigned scale_bits) {
    LOAM_ASSERT(scale_bits <= DECIMAL_SCALE_BITS_MAX);
    char text[DECIMAL_BYTES_MAX];
    size_t size = 0;
    uint64_t magnitude = (uint64_t)value;
    if (value < 0) {
        text[size++] = '-';
        magnitude = 0 - magnitude;
    }
    size += print_whole(text + size, magnitude >> scale_bits);
    uint64_t rest = magnitude & (((uint64_t)1 << scale_bits) - 1);
    if (rest != 0) {
        text[size++] = '.';
        size += print_fraction(text + size, rest, scale_bits);
    }
    text[size++] = 0;
    if (size > capacity) {
        return 0;
    }
    memcpy(to, text, size);
    return size - 1;
}
