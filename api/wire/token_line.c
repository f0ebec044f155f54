/* SPDX-License-Identifier: MIT
 *
 * token_line.c: see token_line.h.
 */
#include "api/wire/token_line.h"

#include "api/wire/scope.h"
#include "core/base/text.h"
#include "core/base/try.h"

#include <string.h>

static bool is_blank(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* The next word of a line; empty at its end and at a comment. */
static loam_text next_word(const char **at) {
    while (is_blank(**at)) {
        (*at)++;
    }
    const char *start = *at;
    while (**at != 0 && !is_blank(**at) && *start != '#') {
        (*at)++;
    }
    return (loam_text){start, (size_t)(*at - start)};
}

static void copy_name(loam_text from, char to[NAME_BYTES_MAX + 1]) {
    memcpy(to, from.bytes, from.size);
    to[from.size] = 0;
}

static loam_status read_worlds(loam_text text, token_line *to, loam_error *error) {
    while (text.size > 0) {
        const char *comma = memchr(text.bytes, ',', text.size);
        size_t size = comma == NULL ? text.size : (size_t)(comma - text.bytes);
        loam_text name = {text.bytes, size};
        if (!text_is_name(name) || to->world_count == TOKEN_WORLDS_MAX) {
            return loam_fail(error, LOAM_MALFORMED, NULL, "worlds= takes 1 to %d names of worlds",
                             TOKEN_WORLDS_MAX);
        }
        copy_name(name, to->worlds[to->world_count++]);
        text.bytes += size + (comma != NULL);
        text.size -= size + (comma != NULL);
    }
    return to->world_count > 0 ? LOAM_OK
                               : loam_fail(error, LOAM_MALFORMED, NULL, "worlds= names no world");
}

/* A count from 1 on, with K, M, G or T behind it for powers of 1,024. */
static loam_status read_count(loam_text text, uint64_t *count, loam_error *error) {
    static const char letters[] = "KMGT";
    const char *letter =
        text.size > 1 ? memchr(letters, text.bytes[text.size - 1], sizeof letters - 1) : NULL;
    uint32_t shift = letter == NULL ? 0 : 10 * ((uint32_t)(letter - letters) + 1);
    size_t digits = text.size - (letter != NULL);
    uint64_t value = 0;
    for (size_t i = 0; i < digits; i++) {
        if (text.bytes[i] < '0' || text.bytes[i] > '9' || value > 100000000000000u) {
            digits = 0;
        }
        value = value * 10 + (uint64_t)(text.bytes[i] - '0');
    }
    if (digits == 0 || value == 0 || value > (UINT64_MAX >> 1) >> shift) {
        return loam_fail(error, LOAM_MALFORMED, NULL, "\"%.*s\" is not a count from 1 on",
                         (int)(text.size > 32 ? 32 : text.size), text.bytes);
    }
    *count = value << shift;
    return LOAM_OK;
}

/* One name=value. */
static loam_status read_setting(loam_text word, token_line *to, loam_error *error) {
    const struct {
        const char *name;
        uint64_t *count;
    } counts[] = {{"requests", &to->limits.requests},
                  {"jobs", &to->limits.jobs},
                  {"asset-bytes", &to->limits.asset_bytes},
                  {"world-count", &to->limits.worlds},
                  {"core-seconds", &to->limits.core_seconds}};
    const char *equal = memchr(word.bytes, '=', word.size);
    size_t left = equal == NULL ? word.size : (size_t)(equal - word.bytes);
    loam_text name = {word.bytes, left};
    loam_text value = {word.bytes + left + 1, equal == NULL ? 0 : word.size - left - 1};
    if (loam_text_equal(name, loam_text_of("worlds"))) {
        return read_worlds(value, to, error);
    }
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        if (loam_text_equal(name, loam_text_of(counts[i].name))) {
            return read_count(value, counts[i].count, error);
        }
    }
    return loam_fail(error, LOAM_MALFORMED, NULL, "\"%.*s\" is not known here",
                     (int)(left > 32 ? 32 : left), word.bytes);
}

bool token_line_is_empty(const char *line) {
    return next_word(&line).size == 0;
}

loam_status token_line_read(const char *line, token_line *to, loam_error *error) {
    *to = (token_line){0};
    loam_text id = next_word(&line);
    if (!text_is_name(id)) {
        return loam_fail(error, LOAM_MALFORMED, NULL, "a line begins with an id, a name");
    }
    copy_name(id, to->id);
    if (!digest_parse(next_word(&line), &to->digest)) {
        return loam_fail(error, LOAM_MALFORMED, NULL, "sha256- and 64 hex digits follow the id");
    }
    LOAM_TRY(scope_list_read(next_word(&line), SCOPES_ALL, &to->scopes, error));
    if (to->scopes == 0) {
        return loam_fail(error, LOAM_MALFORMED, NULL, "scopes follow the digest");
    }
    for (loam_text word = next_word(&line); word.size > 0; word = next_word(&line)) {
        LOAM_TRY(read_setting(word, to, error));
    }
    return LOAM_OK;
}
