/* SPDX-License-Identifier: MIT
 *
 * option_value.c: see option_value.h.
 */
#include "server/config/option_value.h"

#include "core/base/try.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *value_place(config *settings, const option_schema *option) {
    return (char *)settings + option->offset;
}

void value_defaults(config *settings) {
    memset(settings, 0, sizeof *settings);
    for (uint32_t i = 0; i < option_count(); i++) {
        const option_schema *option = option_at(i);
        if (option->kind == OPTION_TEXT) {
            const char *text = option->initial_text == NULL ? "" : option->initial_text;
            snprintf(value_place(settings, option), CONFIG_TEXT_BYTES, "%s", text);
        } else if (option->kind != OPTION_LIST) {
            memcpy(value_place(settings, option), &option->initial, sizeof option->initial);
        }
    }
}

/* Powers of 1,024; 0 when the letter is none. */
static int64_t suffix_scale(const char *suffix) {
    static const char letters[] = "KMGT";
    if (suffix[0] == 0) {
        return 1;
    }
    const char *letter = strchr(letters, suffix[0]);
    return letter == NULL || suffix[1] != 0 ? 0 : (int64_t)1 << (10 * (letter - letters + 1));
}

static bool parse_number(const option_schema *option, const char *text, int64_t *value) {
    int64_t number = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++) {
        if (number > (INT64_MAX - 9) / 10) {
            return false;
        }
        number = number * 10 + (*at - '0');
    }
    int64_t scale = option->kind == OPTION_BYTES ? suffix_scale(at) : *at == 0;
    if (at == text || scale == 0 || number > INT64_MAX / scale) {
        return false;
    }
    *value = number * scale;
    return true;
}

void value_print(const option_schema *option, int64_t value, char *text, size_t size) {
    static const char letters[] = "KMGT";
    int letter = -1;
    while (option->kind == OPTION_BYTES && value != 0 && value % 1024 == 0 && letter < 3) {
        value /= 1024;
        letter++;
    }
    snprintf(text, size, letter < 0 ? "%lld" : "%lld%c", (long long)value,
             letter < 0 ? ' ' : letters[letter]);
}

static loam_status set_number(config *settings, const option_schema *option, const char *text,
                              const char *where, loam_error *error) {
    int64_t value = 0;
    if (!parse_number(option, text, &value)) {
        return loam_fail(error, LOAM_MALFORMED, NULL, "%s: \"%s\" is not a %s", where, text,
                         option->kind == OPTION_BYTES ? "number of bytes (K, M, G, T allowed)"
                                                      : "number");
    }
    if (value < option->min || value > option->max) {
        char min[32];
        char max[32];
        value_print(option, option->min, min, sizeof min);
        value_print(option, option->max, max, sizeof max);
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "%s: %s is not within %s to %s", where,
                         text, min, max);
    }
    memcpy(value_place(settings, option), &value, sizeof value);
    return LOAM_OK;
}

static loam_status set_choice(config *settings, const option_schema *option, const char *text,
                              const char *where, loam_error *error) {
    char all[128] = "";
    for (int64_t i = 0; option->choices[i] != NULL; i++) {
        if (strcmp(option->choices[i], text) == 0) {
            memcpy(value_place(settings, option), &i, sizeof i);
            return LOAM_OK;
        }
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i == 0 ? "" : ", ", option->choices[i]);
    }
    return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "%s: \"%s\" is none of %s", where, text, all);
}

static loam_status set_list(config *settings, const option_schema *option, const char *text,
                            bool first, const char *where, loam_error *error) {
    config_list *list = value_place(settings, option);
    if (first) {
        list->count = 0;
    }
    if (list->count == CONFIG_LIST_ITEMS) {
        return loam_fail(error, LOAM_TOO_MANY, NULL, "%s: more than %d are given", where,
                         CONFIG_LIST_ITEMS);
    }
    if (text[0] == 0 || strlen(text) >= CONFIG_ITEM_BYTES) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "%s: 1 to %d bytes", where,
                         CONFIG_ITEM_BYTES - 1);
    }
    memcpy(list->items[list->count++], text, strlen(text) + 1);
    return LOAM_OK;
}

static loam_status set_text(config *settings, const option_schema *option, const char *text,
                            const char *where, loam_error *error) {
    size_t size = strlen(text);
    if (size == 0 || size >= CONFIG_TEXT_BYTES) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "%s: 1 to %d bytes", where,
                         CONFIG_TEXT_BYTES - 1);
    }
    memcpy(value_place(settings, option), text, size + 1);
    return LOAM_OK;
}

loam_status value_set(config *settings, const option_schema *option, const char *text, bool first,
                      const char *where, loam_error *error) {
    switch (option->kind) {
    case OPTION_COUNT:
    case OPTION_BYTES:
    case OPTION_SECONDS:
        return set_number(settings, option, text, where, error);
    case OPTION_CHOICE:
    case OPTION_FLAG:
        return set_choice(settings, option, text, where, error);
    case OPTION_LIST:
        return set_list(settings, option, text, first, where, error);
    case OPTION_TEXT:
        return set_text(settings, option, text, where, error);
    }
    return LOAM_INTERNAL;
}

static bool parse_port(const char *text, uint16_t *port) {
    uint32_t value = 0;
    size_t size = strlen(text);
    for (size_t i = 0; i < size; i++) {
        if (text[i] < '0' || text[i] > '9' || size > 5) {
            return false;
        }
        value = value * 10 + (uint32_t)(text[i] - '0');
    }
    *port = (uint16_t)value;
    return size > 0 && value <= 65535;
}

loam_status value_split_address(const char *listen, char *address, size_t size, uint16_t *port,
                                loam_error *error) {
    const char *colon = strrchr(listen, ':');
    const char *start = listen;
    const char *end = colon;
    if (colon != NULL && listen[0] == '[') {
        start = listen + 1;
        end = colon > listen && colon[-1] == ']' ? colon - 1 : NULL;
    } else if (colon != NULL && memchr(listen, ':', (size_t)(colon - listen)) != NULL) {
        end = NULL;
    }
    if (end == NULL || end <= start || (size_t)(end - start) >= size ||
        !parse_port(colon + 1, port)) {
        return loam_fail(error, LOAM_MALFORMED, NULL,
                         "listen: \"%s\" is not ADDRESS:PORT (an IPv6 address in brackets)",
                         listen);
    }
    memcpy(address, start, (size_t)(end - start));
    address[end - start] = 0;
    return LOAM_OK;
}
