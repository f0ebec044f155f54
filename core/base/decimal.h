/* SPDX-License-Identifier: MIT
 *
 * decimal.h: prints k / 2^n exactly, by integer arithmetic alone: every such number has a finite
 * decimal form, and reading it back gives the same k. No float printing anywhere.
 */
#ifndef LOAM_BASE_DECIMAL_H
#define LOAM_BASE_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

enum {
    /* A remainder below 2^60 times ten stays in 64 bits. */
    DECIMAL_SCALE_BITS_MAX = 60,
    /* Sign, 19 digits, point, a digit for every bit, and the end. */
    DECIMAL_BYTES_MAX = 1 + 19 + 1 + DECIMAL_SCALE_BITS_MAX + 1,
};

/* Writes value / 2^scale_bits, trailing zeros cut, terminated. Returns the size without the end, or
 * 0 when `capacity` is too small (DECIMAL_BYTES_MAX never is). */
size_t decimal_print(char *to, size_t capacity, int64_t value, unsigned scale_bits);

#endif
