/* SPDX-License-Identifier: MIT
 *
 * rules_text.h: a document of rules from JSON, for tests of core, which has no JSON, and for the
 * golden catalogue: texts without escapes, fields in any order.
 */
#ifndef LOAM_TESTS_SUPPORT_RULES_TEXT_H
#define LOAM_TESTS_SUPPORT_RULES_TEXT_H

#include "core/loam.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RULES_TEXT_ITEMS_MAX = 300 };

typedef struct rules_text_reading {
    const char *at;
    loam_arena *arena;
} rules_text_reading;

static inline void rules_text_skip(rules_text_reading *read) {
    read->at += strspn(read->at, " \n");
}

static inline void rules_text_expect(rules_text_reading *read, char byte) {
    rules_text_skip(read);
    if (*read->at++ != byte) {
        fprintf(stderr, "rules: '%c' is missing before %s\n", byte, read->at - 1);
        abort();
    }
}

static inline bool rules_text_try(rules_text_reading *read, char byte) {
    rules_text_skip(read);
    bool there = *read->at == byte;
    read->at += there;
    return there;
}

static inline void *rules_text_copy(rules_text_reading *read, const void *from, size_t size) {
    void *to = loam_arena_take(read->arena, 1, size + 1);
    memcpy(to, from, size);
    return to;
}

static inline loam_text rules_text_read_text(rules_text_reading *read) {
    rules_text_expect(read, '"');
    size_t size = strcspn(read->at, "\"");
    loam_text text = {rules_text_copy(read, read->at, size), size};
    read->at += size + 1;
    return text;
}

static inline void rules_text_read_value(rules_text_reading *read, loam_rules *to);

static inline void rules_text_read_list(rules_text_reading *read, loam_rules *to) {
    loam_rules *items = calloc(RULES_TEXT_ITEMS_MAX, sizeof *items);
    *to = (loam_rules){.kind = LOAM_RULES_LIST};
    while (!rules_text_try(read, ']')) {
        rules_text_read_value(read, &items[to->count++]);
        (void)rules_text_try(read, ',');
    }
    to->items = rules_text_copy(read, items, to->count * sizeof *items);
    free(items);
}

static inline void rules_text_read_object(rules_text_reading *read, loam_rules *to) {
    loam_rules *items = calloc(RULES_TEXT_ITEMS_MAX, sizeof *items);
    loam_text *keys = calloc(RULES_TEXT_ITEMS_MAX, sizeof *keys);
    *to = (loam_rules){.kind = LOAM_RULES_OBJECT};
    while (!rules_text_try(read, '}')) {
        loam_rules item;
        loam_text key = rules_text_read_text(read);
        rules_text_expect(read, ':');
        rules_text_read_value(read, &item);
        (void)rules_text_try(read, ',');
        uint32_t at = to->count++;
        for (; at > 0 && loam_text_compare(key, keys[at - 1]) < 0; at--) {
            keys[at] = keys[at - 1];
            items[at] = items[at - 1];
        }
        keys[at] = key;
        items[at] = item;
    }
    to->items = rules_text_copy(read, items, to->count * sizeof *items);
    to->keys = rules_text_copy(read, keys, to->count * sizeof *keys);
    free(items);
    free(keys);
}

static inline void rules_text_read_number(rules_text_reading *read, loam_rules *to) {
    char *end;
    int exponent = 0;
    int64_t mantissa = (int64_t)ldexp(frexp(strtod(read->at, &end), &exponent), 53);
    for (exponent -= 53; mantissa != 0 && mantissa % 2 == 0; exponent++) {
        mantissa /= 2;
    }
    *to = (loam_rules){
        .kind = LOAM_RULES_NUMBER, .mantissa = mantissa, .exponent = mantissa == 0 ? 0 : exponent};
    read->at = end;
}

static inline void rules_text_read_value(rules_text_reading *read, loam_rules *to) {
    rules_text_skip(read);
    if (*read->at == '"') {
        *to = (loam_rules){.kind = LOAM_RULES_TEXT, .text = rules_text_read_text(read)};
    } else if (rules_text_try(read, '[')) {
        rules_text_read_list(read, to);
    } else if (rules_text_try(read, '{')) {
        rules_text_read_object(read, to);
    } else if (strncmp(read->at, "true", 4) == 0) {
        *to = (loam_rules){.kind = LOAM_RULES_TRUE};
        read->at += 4;
    } else if (strncmp(read->at, "false", 5) == 0) {
        *to = (loam_rules){.kind = LOAM_RULES_FALSE};
        read->at += 5;
    } else if (strncmp(read->at, "null", 4) == 0) {
        *to = (loam_rules){.kind = LOAM_RULES_NULL};
        read->at += 4;
    } else {
        rules_text_read_number(read, to);
    }
}

/* From the arena; aborts the program when it cannot be read. */
static inline const loam_rules *rules_of_text(const char *json, loam_arena *arena) {
    rules_text_reading read = {json, arena};
    loam_rules rules;
    rules_text_read_value(&read, &rules);
    return rules_text_copy(&read, &rules, sizeof rules);
}

#endif
