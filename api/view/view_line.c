/* SPDX-License-Identifier: MIT
 *
 * view_line.c: see view_line.h.
 */
#include "api/view/view_line.h"

#include <string.h>

void line_text(line *to, const char *text) {
    size_t size = strlen(text);
    memcpy(to->bytes + to->size, text, size);
    to->size += size;
}

void line_decimal(line *to, int64_t value, unsigned scale_bits) {
    to->size += decimal_print(to->bytes + to->size, DECIMAL_BYTES_MAX, value, scale_bits);
}

void line_unsigned(line *to, uint64_t value) {
    char reversed[20];
    size_t count = 0;
    do {
        reversed[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    while (count > 0) {
        to->bytes[to->size++] = reversed[--count];
    }
}
