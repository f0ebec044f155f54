/* SPDX-License-Identifier: MIT
 *
 * byte_range.c: reading one range.
 */
#include "server/http/byte_range.h"

#include <strings.h>

#include "server/http/field_value.h"

/* Digits off the front; false when there are none or too many. */
static bool take_number(loam_text *text, uint64_t *number) {
    size_t count = 0;
    *number = 0;
    while (count < text->size && text->bytes[count] >= '0' && text->bytes[count] <= '9') {
        if (*number > (INT64_MAX - 9) / 10) {
            return false;
        }
        *number = *number * 10 + (uint64_t)(text->bytes[count] - '0');
        count++;
    }
    text->bytes += count;
    text->size -= count;
    return count > 0;
}

/* "-500": the last 500 bytes. */
static byte_range suffix_range(loam_text text, uint64_t size) {
    uint64_t length = 0;
    text.bytes++;
    text.size--;
    if (!take_number(&text, &length) || text.size > 0) {
        return (byte_range){RANGE_NONE, 0, 0};
    }
    if (length == 0 || size == 0) {
        return (byte_range){RANGE_UNSATISFIABLE, 0, 0};
    }
    return (byte_range){RANGE_PART, length < size ? size - length : 0, size - 1};
}

byte_range range_parse(loam_text header, uint64_t size) {
    static const char unit[] = "bytes=";
    byte_range none = {RANGE_NONE, 0, 0};
    header = field_trim(header);
    if (header.size < sizeof unit || strncasecmp(header.bytes, unit, sizeof unit - 1) != 0) {
        return none;
    }
    loam_text text =
        field_trim((loam_text){header.bytes + sizeof unit - 1, header.size + 1 - sizeof unit});
    if (text.size > 0 && text.bytes[0] == '-') {
        return suffix_range(text, size);
    }
    byte_range range = {RANGE_PART, 0, UINT64_MAX};
    if (!take_number(&text, &range.first) || text.size == 0 || text.bytes[0] != '-') {
        return none;
    }
    text.bytes++;
    text.size--;
    if (text.size > 0 && (!take_number(&text, &range.last) || text.size > 0)) {
        return none;
    }
    if (range.last < range.first) {
        return none;
    }
    if (range.first >= size) {
        return (byte_range){RANGE_UNSATISFIABLE, 0, 0};
    }
    range.last = range.last < size ? range.last : size - 1;
    return range;
}
