/* SPDX-License-Identifier: MIT
 *
 * field_value.c: see field_value.h.
 */
#include "server/http/field_value.h"

#include <string.h>
#include <strings.h>

static bool is_blank(char byte) {
    return byte == ' ' || byte == '\t';
}

loam_text field_trim(loam_text value) {
    while (value.size > 0 && is_blank(value.bytes[0])) {
        value.bytes++;
        value.size--;
    }
    while (value.size > 0 && is_blank(value.bytes[value.size - 1])) {
        value.size--;
    }
    return value;
}

bool field_is(loam_text text, const char *word) {
    return text.size == strlen(word) && strncasecmp(text.bytes, word, text.size) == 0;
}
