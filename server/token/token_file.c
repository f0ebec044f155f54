/* SPDX-License-Identifier: MIT
 *
 * token_file.c: see token_file.h.
 */
#include "server/token/token_file.h"

#include "core/base/try.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* One token of an id, as its line says. */
static void owner_of(const token_line *line, token_owner *to) {
    *to = (token_owner){.listed = true,
                        .digests = {line->digest},
                        .digest_count = 1,
                        .scopes = line->scopes,
                        .world_count = line->world_count,
                        .limits = line->limits};
    memcpy(to->id, line->id, sizeof to->id);
    memcpy(to->worlds, line->worlds, sizeof to->worlds);
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
    token_line said;
    token_owner read;
    if (token_line_is_empty(line)) {
        return LOAM_OK;
    }
    LOAM_TRY(token_line_read(line, &said, error));
    owner_of(&said, &read);
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
    char line[TOKEN_LINE_BYTES];
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
