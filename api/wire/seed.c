/* SPDX-License-Identifier: MIT
 *
 * seed.c: see seed.h.
 */
#include "api/wire/seed.h"

bool seed_parse(loam_text text, uint64_t *seed) {
    if (text.size == 0 || (text.size > 1 && text.bytes[0] == '0')) {
        return false;
    }
    uint64_t value = 0;
    for (size_t i = 0; i < text.size; i++) {
        unsigned digit = (unsigned)(unsigned char)text.bytes[i] - '0';
        if (digit > 9 || value > (UINT64_MAX - digit) / 10) {
            return false;
        }
        value = value * 10 + digit;
    }
    *seed = value;
    return true;
}

bool coordinate_parse(loam_text text, int64_t *coordinate) {
    bool negative = text.size > 0 && text.bytes[0] == '-';
    uint64_t magnitude = 0;
    loam_text digits = {text.bytes + negative, text.size - negative};
    if (!seed_parse(digits, &magnitude) || magnitude > INT64_MAX || (negative && magnitude == 0)) {
        return false;
    }
    *coordinate = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return true;
}
