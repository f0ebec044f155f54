/* SPDX-License-Identifier: MIT
 *
 * byte_compare.c: decoders encode what they read and compare, so that a thing has one spelling.
 */
#include "core/codec/dungeon_form.h"

#include <string.h>

void compare_bytes(void *context, const void *bytes, size_t size) {
    byte_comparison *with = context;
    if (with->differs || size > with->left || memcmp(with->at, bytes, size) != 0) {
        with->differs = true;
        return;
    }
    with->at += size;
    with->left -= size;
}
