/* SPDX-License-Identifier: MIT
 *
 * value_text.h: values of parameters as tests and the golden catalogue write them, in one word:
 * an integer in the scale of its schema, 'a text', [a list,of [any],of these], or
 * @attribute:default:max.
 */
#ifndef LOAM_TESTS_SUPPORT_VALUE_TEXT_H
#define LOAM_TESTS_SUPPORT_VALUE_TEXT_H

#include "core/base/limits.h"
#include "core/loam.h"

#include <stdlib.h>
#include <string.h>

static inline loam_value value_text_read(const char **at, loam_arena *arena);

static inline loam_value value_text_list(const char **at, loam_arena *arena) {
    loam_value list = {.kind = LOAM_VALUE_LIST};
    loam_value *items = loam_arena_take_zero(arena, LIST_ITEMS_MAX, sizeof *items);
    while (items != NULL && **at != ']' && **at != 0) {
        items[list.item_count++] = value_text_read(at, arena);
        *at += **at == ',';
    }
    *at += **at == ']';
    list.items = items;
    return list;
}

static inline loam_value value_text_attribute(const char **at, loam_arena *arena) {
    size_t size = strcspn(*at, ":");
    loam_value value = {.kind = LOAM_VALUE_ATTRIBUTE, .text = {*at, size}, .item_count = 2};
    loam_value *items = loam_arena_take_zero(arena, 2, sizeof *items);
    *at += size;
    for (int i = 0; items != NULL && i < 2; i++) {
        char *end = NULL;
        items[i].kind = LOAM_VALUE_INTEGER;
        items[i].integer = strtoll(*at + (**at == ':'), &end, 10);
        *at = end;
    }
    value.items = items;
    return value;
}

/* The value at `*at`, which moves to its end. Texts are borrowed. */
static inline loam_value value_text_read(const char **at, loam_arena *arena) {
    char first = **at;
    if (first == '[' || first == '@' || first == '\'') {
        (*at)++;
    }
    if (first == '[') {
        return value_text_list(at, arena);
    }
    if (first == '@') {
        return value_text_attribute(at, arena);
    }
    if (first == '\'') {
        loam_value text = {.kind = LOAM_VALUE_TEXT, .text = {*at, strcspn(*at, "'")}};
        *at += text.text.size;
        *at += **at == '\'';
        return text;
    }
    char *end = NULL;
    loam_value integer = {.kind = LOAM_VALUE_INTEGER, .integer = strtoll(*at, &end, 10)};
    *at = end;
    return integer;
}

#endif
