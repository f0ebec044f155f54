/* SPDX-License-Identifier: MIT
 *
 * rules_text.c: see rules_text.h.
 */
#include "tests/support/rules_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS_MAX = 300 };

typedef struct reading {
    const char *at;
    loam_arena *arena;
} reading;

static void skip(reading *read) {
    read->at += strspn(read->at, " \n");
}

static void expect(reading *read, char byte) {
    skip(read);
    if (*read->at++ != byte) {
        fprintf(stderr, "rules: '%c' is missing before %s\n", byte, read->at - 1);
        abort();
    }
}

static bool try(reading *read, char byte) {
    skip(read);
    bool there = *read->at == byte;
    read->at += there;
    return there;
}

static void *copy(reading *read, const void *from, size_t size) {
    void *to = loam_arena_take(read->arena, 1, size + 1);
    memcpy(to, from, size);
    return to;
}

static loam_text read_text(reading *read) {
    expect(read, '"');
    size_t size = strcspn(read->at, "\"");
    loam_text text = {copy(read, read->at, size), size};
    read->at += size + 1;
    return text;
}

static void read_value(reading *read, loam_rules *to);

static void read_list(reading *read, loam_rules *to) {
    loam_rules *items = calloc(ITEMS_MAX, sizeof *items);
    *to = (loam_rules){.kind = LOAM_RULES_LIST};
    while (!try(read, ']')) {
        read_value(read, &items[to->count++]);
        (void)try(read, ',');
    }
    to->items = copy(read, items, to->count * sizeof *items);
    free(items);
}

static void read_object(reading *read, loam_rules *to) {
    loam_rules *items = calloc(ITEMS_MAX, sizeof *items);
    loam_text *keys = calloc(ITEMS_MAX, sizeof *keys);
    *to = (loam_rules){.kind = LOAM_RULES_OBJECT};
    while (!try(read, '}')) {
        loam_rules item;
        loam_text key = read_text(read);
        expect(read, ':');
        read_value(read, &item);
        (void)try(read, ',');
        uint32_t at = to->count++;
        for (; at > 0 && loam_text_compare(key, keys[at - 1]) < 0; at--) {
            keys[at] = keys[at - 1];
            items[at] = items[at - 1];
        }
        keys[at] = key;
        items[at] = item;
    }
    to->items = copy(read, items, to->count * sizeof *items);
    to->keys = copy(read, keys, to->count * sizeof *keys);
    free(items);
    free(keys);
}

static void read_number(reading *read, loam_rules *to) {
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

static void read_value(reading *read, loam_rules *to) {
    skip(read);
    if (*read->at == '"') {
        *to = (loam_rules){.kind = LOAM_RULES_TEXT, .text = read_text(read)};
    } else if (try(read, '[')) {
        read_list(read, to);
    } else if (try(read, '{')) {
        read_object(read, to);
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
        read_number(read, to);
    }
}

const loam_rules *rules_of_text(const char *json, loam_arena *arena) {
    reading read = {json, arena};
    loam_rules rules;
    read_value(&read, &rules);
    return copy(&read, &rules, sizeof rules);
}
