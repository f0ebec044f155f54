/* SPDX-License-Identifier: MIT
 *
 * token_file.c: see token_file.h.
 */
#include "server/token/token_file.h"

#include "api/wire/scope.h"
#include "core/base/text.h"
#include "core/base/try.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Every world of a token by name, and the rest. */
enum { LINE_BYTES = TOKEN_WORLDS_MAX * (NAME_BYTES_MAX + 1) + 512 };

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

static loam_status read_worlds(loam_text text, token_owner *to, loam_error *error) {
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
static loam_status read_setting(loam_text word, token_owner *to, loam_error *error) {
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

static loam_status read_owner(const char *line, token_owner *to, loam_error *error) {
    loam_text id = next_word(&line);
    if (!text_is_name(id)) {
        return loam_fail(error, LOAM_MALFORMED, NULL, "a line begins with an id, a name");
    }
    copy_name(id, to->id);
    if (!digest_parse(next_word(&line), &to->digests[0])) {
        return loam_fail(error, LOAM_MALFORMED, NULL, "sha256- and 64 hex digits follow the id");
    }
    to->digest_count = 1;
    LOAM_TRY(scope_list_read(next_word(&line), SCOPES_ALL, &to->scopes, error));
    if (to->scopes == 0) {
        return loam_fail(error, LOAM_MALFORMED, NULL, "scopes follow the digest");
    }
    for (loam_text word = next_word(&line); word.size > 0; word = next_word(&line)) {
        LOAM_TRY(read_setting(word, to, error));
    }
    return LOAM_OK;
}

static bool same_rights(const token_owner *a, const token_owner *b) {
    return a->scopes == b->scopes && a->world_count == b->world_count &&
           memcmp(a->worlds, b->worlds, sizeof a->worlds) == 0 &&
           memcmp(&a->limits, &b->limits, sizeof a->limits) == 0;
}

/* The next token of an id that is there. */
static loam_status add_digest(token_owner *to, const token_owner *from, loam_error *error) {
    if (to->digest_count == TOKEN_DIGESTS_MAX) {
        return loam_fail(error, LOAM_TOO_MANY, NULL, "%s has more than %d tokens", to->id,
                         TOKEN_DIGESTS_MAX);
    }
    if (!same_rights(to, from)) {
        return loam_fail(error, LOAM_MALFORMED, NULL,
                         "the two tokens of %s say different things: two lines of an id differ in "
                         "the digest alone",
                         to->id);
    }
    to->digests[to->digest_count++] = from->digests[0];
    return LOAM_OK;
}

static token_owner *find_unsorted(const token_list *list, const char *id) {
    for (uint32_t i = 0; i < list->count; i++) {
        if (strcmp(list->owners[i]->id, id) == 0) {
            return list->owners[i];
        }
    }
    return NULL;
}

static loam_status add_line(token_list *list, const char *line, loam_error *error) {
    const char *at = line;
    if (next_word(&at).size == 0) {
        return LOAM_OK;
    }
    token_owner read = {.listed = true};
    LOAM_TRY(read_owner(line, &read, error));
    token_owner *known = find_unsorted(list, read.id);
    if (known != NULL) {
        return add_digest(known, &read, error);
    }
    if (list->count == TOKEN_OWNERS_MAX) {
        return loam_fail(error, LOAM_TOO_MANY, NULL, "there are more than %d ids",
                         TOKEN_OWNERS_MAX);
    }
    token_owner *made = malloc(sizeof *made);
    if (made == NULL) {
        return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for tokens");
    }
    *made = read;
    list->owners[list->count++] = made;
    return LOAM_OK;
}

static loam_status read_lines(FILE *file, const char *path, token_list *to, loam_error *error) {
    char line[LINE_BYTES];
    for (int number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        loam_error fault = {0};
        loam_status status = strchr(line, '\n') == NULL && !feof(file)
                                 ? loam_fail(&fault, LOAM_MALFORMED, NULL, "the line is too long")
                                 : add_line(to, line, &fault);
        if (status != LOAM_OK) {
            return loam_fail(error, status, NULL, "%.128s:%d: %s", path, number, fault.text);
        }
    }
    return ferror(file) == 0 ? LOAM_OK
                             : loam_fail(error, LOAM_IO, NULL, "%.200s: cannot be read", path);
}

static int compare_owners(const void *a, const void *b) {
    return strcmp((*(token_owner *const *)a)->id, (*(token_owner *const *)b)->id);
}

loam_status token_file_read(const char *path, token_list *to, loam_error *error) {
    struct stat about;
    *to = (token_list){.owners = calloc(TOKEN_OWNERS_MAX, sizeof(token_owner *))};
    FILE *file = fopen(path, "re");
    if (file == NULL || to->owners == NULL) {
        int failure = errno;
        if (file != NULL) {
            fclose(file);
        }
        return loam_fail(error, LOAM_IO, NULL, "%.200s: %s", path, strerror(failure));
    }
    loam_status status = LOAM_OK;
    if (fstat(fileno(file), &about) == 0 && (about.st_mode & S_IRWXO) != 0) {
        status = loam_fail(error, LOAM_FORBIDDEN, NULL,
                           "%.200s: tokens must not be open to everybody: chmod o= it", path);
    } else {
        status = read_lines(file, path, to, error);
    }
    fclose(file);
    qsort(to->owners, to->count, sizeof *to->owners, compare_owners);
    return status;
}

void token_list_fini(token_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        free(list->owners[i]);
    }
    free(list->owners);
    *list = (token_list){0};
}

token_owner *token_list_find(const token_list *list, loam_text id) {
    uint32_t low = 0;
    uint32_t high = list->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const char *name = list->owners[middle]->id;
        size_t size = strlen(name);
        int order = strncmp(name, id.bytes, id.size);
        order = order == 0 && size != id.size ? (size < id.size ? -1 : 1) : order;
        if (order == 0) {
            return list->owners[middle];
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}
