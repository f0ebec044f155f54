/* SPDX-License-Identifier: MIT
 *
 * token_table.c: see token_table.h.
 */
#include "server/token/token_table.h"

#include "api/key/token.h"
#include "core/base/try.h"
#include "server/token/token_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A path: the kernel's own limit. */
enum { PATH_BYTES = 4096 };

struct token_table {
    char path[PATH_BYTES];
    token_list list;
    token_list gone; /* no longer in the file, but something points at them */
};

token_table *token_table_create(const char *path, loam_error *error) {
    token_table *table = calloc(1, sizeof *table);
    if (table == NULL) {
        loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for tokens");
        return NULL;
    }
    snprintf(table->path, sizeof table->path, "%s", path);
    if (token_file_read(path, &table->list, error) != LOAM_OK) {
        token_table_destroy(table);
        return NULL;
    }
    return table;
}

void token_table_destroy(token_table *table) {
    if (table != NULL) {
        token_list_fini(&table->list);
        token_list_fini(&table->gone);
        free(table);
    }
}

uint32_t token_table_count(const token_table *table) {
    return table->list.count;
}

/* What an owner may, from what was read anew; what it uses stays. */
static void renew(token_owner *known, const token_owner *read) {
    memcpy(known->digests, read->digests, sizeof known->digests);
    known->digest_count = read->digest_count;
    known->scopes = read->scopes;
    known->world_count = read->world_count;
    memcpy(known->worlds, read->worlds, sizeof known->worlds);
    known->limits = read->limits;
    known->listed = true;
}

/* Puts the known owner in the place of the one that was read, so that pointers to it stay good. */
static void take_over(const token_list *from, token_list *read) {
    for (uint32_t i = 0; i < from->count; i++) {
        token_owner *known = from->owners[i];
        known->listed = false;
        for (uint32_t j = 0; j < read->count; j++) {
            if (strcmp(known->id, read->owners[j]->id) == 0) {
                renew(known, read->owners[j]);
                free(read->owners[j]);
                read->owners[j] = known;
            }
        }
    }
}

/* Keeps those that are held and not listed, frees those that are neither. */
static uint32_t keep_held(const token_list *from, token_owner **to, uint32_t count) {
    for (uint32_t i = 0; i < from->count; i++) {
        token_owner *owner = from->owners[i];
        if (!owner->listed && owner->held > 0) {
            to[count++] = owner;
        } else if (!owner->listed) {
            free(owner);
        }
    }
    return count;
}

loam_status token_table_reload(token_table *table, loam_error *error) {
    token_list read;
    loam_status status = token_file_read(table->path, &read, error);
    size_t room = (size_t)table->list.count + table->gone.count + 1;
    token_owner **gone = status == LOAM_OK ? calloc(room, sizeof(token_owner *)) : NULL;
    if (gone == NULL) {
        token_list_fini(&read);
        return status == LOAM_OK ? loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for tokens")
                                 : status;
    }
    take_over(&table->gone, &read);
    take_over(&table->list, &read);
    uint32_t count = keep_held(&table->gone, gone, 0);
    count = keep_held(&table->list, gone, count);
    free(table->list.owners);
    free(table->gone.owners);
    table->list = read;
    table->gone = (token_list){gone, count};
    return LOAM_OK;
}

token_owner *token_table_find(const token_table *table, loam_text token) {
    loam_text id;
    digest of;
    if (!token_read(token, &id, &of)) {
        return NULL;
    }
    token_owner *owner = token_list_find(&table->list, id);
    bool known = false;
    for (uint32_t i = 0; owner != NULL && i < owner->digest_count; i++) {
        known = token_digest_equal(&owner->digests[i], &of) || known;
    }
    return known ? owner : NULL;
}

token_owner *token_table_find_id(const token_table *table, loam_text id) {
    return token_list_find(&table->list, id);
}

loam_text token_of_header(loam_text authorization) {
    static const char scheme[] = "Bearer ";
    size_t size = sizeof scheme - 1;
    if (authorization.size <= size || strncasecmp(authorization.bytes, scheme, size) != 0) {
        return (loam_text){"", 0};
    }
    loam_text token = {authorization.bytes + size, authorization.size - size};
    while (token.size > 0 && token.bytes[0] == ' ') {
        token.bytes++;
        token.size--;
    }
    return token;
}
