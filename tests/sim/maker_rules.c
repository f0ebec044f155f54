/* SPDX-License-Identifier: MIT
 *
 * maker_rules.c: documents of rules at random, and grammars over their modules.
 */
#include "tests/sim/maker.h"

#include <stdio.h>
#include <string.h>

static void add(char *json, const char *text) {
    size_t size = strlen(json);
    snprintf(json + size, MADE_LINE_BYTES - size, "%s", text);
}

static void add_layer(dice *from, const char *name, char *json) {
    static const char *const assets[] = {"oak", "pine", "moss", "rock"};
    char text[400];
    snprintf(text, sizeof text,
             "{\"name\":\"%s\",\"priority\":%d,\"density\":0.%d,\"assets\":[{\"name\":\"%s\","
             "\"weight\":%d.5},{\"name\":\"%s\",\"scale_min\":0.5,\"scale_max\":2,\"yaw\":"
             "\"random\",\"radius_m\":1.5}]}",
             name, (int)dice_between(from, -1, 1), (int)dice_between(from, 3, 9),
             assets[dice_below(from, 4)], (int)dice_between(from, 0, 5),
             assets[dice_below(from, 4)]);
    add(json, text);
}

/* One layer more than there are names for ports. */
void biome_rules_make(dice *from, char *json) {
    static const char *const layers[MADE_LAYERS] = {"heath", "meadow", "wood"};
    add(json, "{\"layers\":[");
    for (uint32_t i = 0; i < MADE_LAYERS; i++) {
        add_layer(from, layers[i], json);
        add(json, ",");
    }
    add_layer(from, "rest", json);
    add(json, "]}");
}

static const char *const symbols[] = {"Post", "Wall", "Gate", "Low"};

void grammar_rules_make(dice *from, char *json) {
    add(json, "{\"modules\":[");
    for (uint32_t i = 0; i < 4; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "%s{\"symbol\":\"%s\",\"length_m\":%d.%d,\"variants\":[{\"asset\":\"%s_a\","
                 "\"weight\":3},{\"asset\":\"%s_b\"}]}",
                 i == 0 ? "" : ",", symbols[i], (int)dice_between(from, 2, 30),
                 (int)dice_between(from, 0, 99), symbols[i], symbols[i]);
        add(json, text);
    }
    add(json, "]}");
}

/* A grammar while it is written. */
typedef struct grammar_text {
    dice *from;
    char *text;
    uint32_t size, capacity;
} grammar_text;

static void put(grammar_text *to, const char *text) {
    size_t size = strlen(text);
    if (to->size + size < to->capacity) {
        memcpy(to->text + to->size, text, size + 1);
        to->size += (uint32_t)size;
    }
}

static void put_item(grammar_text *to, uint32_t depth);

static void put_sequence(grammar_text *to, uint32_t depth, const char *weights) {
    uint32_t count = 1 + dice_below(to->from, 3);
    for (uint32_t i = 0; i < count; i++) {
        put(to, i > 0 ? "," : "");
        put_item(to, depth);
        put(to, weights);
    }
}

/* Groups are counted, not repeated: what repeats as often as it fits must have a length. */
static void put_item(grammar_text *to, uint32_t depth) {
    static const char *const times[] = {"", "", "2", "3", "*", "+"};
    uint32_t kind = depth == 0 ? 0 : dice_below(to->from, 5);
    if (kind < 2) {
        put(to, symbols[dice_below(to->from, 4)]);
    } else {
        put(to, kind == 2 ? "[" : kind == 3 ? "{" : "<");
        put_sequence(to, depth - 1, kind == 3 ? ":2" : "");
        put(to, kind == 2 ? "]" : kind == 3 ? "}" : ">");
    }
    if (depth > 0) {
        put(to, times[dice_below(to->from, kind < 2 ? 6 : 4)]);
    }
}

void grammar_make(dice *from, char *text, uint32_t capacity) {
    grammar_text to = {from, text, 0, capacity};
    put_sequence(&to, 2, "");
    put(&to, ",Wall*");
}
