/* SPDX-License-Identifier: MIT
 *
 * client_cell.c: fetches one cell, waiting while the daemon builds it, and believes its bytes only
 * when they hash to the digest that came with them. Before that the disk is asked, where there is a
 * cache: for a revision's cell its answer is enough, for the newest one's the daemon says whether
 * it still holds.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/client/client.h"
#include "api/key/key.h"
#include "core/base/try.h"

/* How long one request may wait for the work, as the contract allows, and all of them together. */
#define CELL_WAIT_S 30
#define CELL_WAIT_TOTAL_MS (10 * 60 * 1000)
/* Between two requests for a cell that is being built. */
#define CELL_PAUSE_MS 200

const char client_cell_type[] = "application/vnd.loam.cell";

static bool path_append_number(char *path, size_t capacity, int64_t number) {
    char text[24];
    (void)snprintf(text, sizeof text, "%" PRId64, number);
    return loam_client_path_append(path, capacity, text);
}

bool client_cell_path(const loam_client_cell *cell, char *path, size_t capacity) {
    (void)snprintf(path, capacity, "/v1/worlds");
    bool fits = loam_client_path_append(path, capacity, cell->world);
    if (cell->revision != NULL) {
        fits = fits && loam_client_path_append(path, capacity, "revisions") &&
               loam_client_path_append(path, capacity, cell->revision);
    }
    return fits && loam_client_path_append(path, capacity, "cells") &&
           path_append_number(path, capacity, cell->level) &&
           path_append_number(path, capacity, cell->x) &&
           path_append_number(path, capacity, cell->z) &&
           loam_client_path_append(path, capacity, cell->output);
}

bool client_cell_address(const loam_client *client, const loam_client_cell *cell, char *address,
                         size_t capacity) {
    const char *sort = cell->revision != NULL ? "revision" : "newest";
    int used = snprintf(address, capacity, "%s\n%s\n%s\n%s\n%" PRIu32 "/%" PRId64 "/%" PRId64, sort,
                        cell->revision != NULL ? cell->revision : client->base_url,
                        cell->revision != NULL ? "" : cell->world, cell->output, cell->level,
                        cell->x, cell->z);
    return used > 0 && (size_t)used < capacity;
}

loam_status client_cell_check(const loam_client_response *response, const digest *found,
                              loam_error *error) {
    const char *announced = loam_client_header(response, "Loam-Digest");
    if (announced == NULL) {
        return loam_fail(error, LOAM_DAMAGED, NULL, "the cell came without a Loam-Digest");
    }
    char computed[DIGEST_TEXT_BYTES];
    digest_text(found, computed);
    if (strcmp(announced, computed) != 0) {
        return loam_fail(error, LOAM_DAMAGED, NULL, "the cell is announced as %s but hashes to %s",
                         announced, computed);
    }
    return LOAM_OK;
}

/* A warning is told with every answer; a file would not. */
bool client_cell_facts(const loam_client_response *response, const digest *found,
                       disk_cell *facts) {
    const char *key = loam_client_header(response, "Loam-Build-Key");
    facts->id = *found;
    return key != NULL && loam_client_header(response, "Warning") == NULL &&
           digest_parse(loam_text_of(key), &facts->build_key);
}

/* The revision in /v1/worlds/W/revisions/R/cells/...; false when it is not there. */
static bool location_revision(const char *location, char revision[DIGEST_TEXT_BYTES]) {
    static const char before[] = "/revisions/";
    const char *at = location != NULL ? strstr(location, before) : NULL;
    digest parsed;
    if (at == NULL || strlen(at) < sizeof before - 1 + DIGEST_TEXT_SIZE) {
        return false;
    }
    loam_text text = {at + sizeof before - 1, DIGEST_TEXT_SIZE};
    (void)snprintf(revision, DIGEST_TEXT_BYTES, "%.*s", DIGEST_TEXT_SIZE, text.bytes);
    return digest_parse(text, &parsed);
}

void client_cell_note(loam_client *client, const loam_client_cell *cell, const char *location,
                      const disk_cell *facts) {
    char address[CLIENT_PATH_BYTES];
    char revision[DIGEST_TEXT_BYTES];
    if (client_cell_address(client, cell, address, sizeof address)) {
        disk_cell_keep(client->cache, address, facts);
    }
    loam_client_cell fixed = *cell;
    fixed.revision = revision;
    if (cell->revision == NULL && location_revision(location, revision) &&
        client_cell_address(client, &fixed, address, sizeof address)) {
        disk_cell_keep(client->cache, address, facts);
    }
}

/* ---- One cell, by someone who may wait ------------------------------------------------------- */

/* What the disk knows before the daemon is asked. */
typedef struct cell_memory {
    char address[CLIENT_PATH_BYTES];
    disk_cell facts;
    unsigned char *bytes; /* owned; NULL: nothing */
    size_t size;
} cell_memory;

static bool cell_is_canonical(const loam_client_cell *cell) {
    return cell->accept == NULL || strcmp(cell->accept, client_cell_type) == 0;
}

static void memory_look(const loam_client *client, const loam_client_cell *cell,
                        cell_memory *memory) {
    memory->bytes = NULL;
    if (client->cache != NULL && cell_is_canonical(cell) &&
        client_cell_address(client, cell, memory->address, sizeof memory->address) &&
        disk_cell_find(client->cache, memory->address, &memory->facts)) {
        (void)disk_blob_read(client->cache, &memory->facts.id, &memory->bytes, &memory->size);
    }
}

static bool digest_line(loam_client_response *response, const char *name, const digest *value) {
    char text[DIGEST_TEXT_BYTES];
    char line[DIGEST_TEXT_BYTES + 32];
    digest_text(value, text);
    int size = snprintf(line, sizeof line, "%s: %s", name, text);
    return client_response_take(response, line, (size_t)size);
}

/* An answer as the daemon would have given it; a 304 gives its own head, with a warning in it. */
static loam_status memory_answer(cell_memory *memory, loam_client_response *response,
                                 loam_error *error) {
    static const char status[] = "Cache-Status: loam-client; hit";
    const char *warning = loam_client_header(response, "Warning");
    char line[CLIENT_PATH_BYTES];
    int size = warning != NULL ? snprintf(line, sizeof line, "Warning: %s", warning) : 0;
    bool told = client_response_take(response, "HTTP/1.1 200 OK", 15) &&
                client_response_take(response, status, sizeof status - 1) &&
                digest_line(response, "Loam-Digest", &memory->facts.id) &&
                digest_line(response, "Loam-Build-Key", &memory->facts.build_key);
    if (told && size > 0 && (size_t)size < sizeof line) {
        told = client_response_take(response, line, (size_t)size);
    }
    free(response->body);
    response->body = memory->bytes;
    response->body_size = memory->size;
    response->http_status = 200;
    memory->bytes = NULL;
    return told ? LOAM_OK : loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for the answer");
}

/* A representation that is no cell (JSON, a picture) has no digest of ours to check. */
static loam_status cell_accept(loam_client *client, const loam_client_cell *cell,
                               const loam_client_response *response, loam_error *error) {
    const char *media_type = loam_client_header(response, "Content-Type");
    if (media_type == NULL ||
        strncmp(media_type, client_cell_type, sizeof client_cell_type - 1) != 0) {
        return LOAM_OK;
    }
    disk_cell facts;
    digest found = digest_of(response->body, response->body_size);
    LOAM_TRY(client_cell_check(response, &found, error));
    if (client->cache != NULL && client_cell_facts(response, &found, &facts)) {
        disk_blob_keep(client->cache, &found, response->body, response->body_size);
        client_cell_note(client, cell, loam_client_header(response, "Content-Location"), &facts);
    }
    return LOAM_OK;
}

/* Asks until the cell is there. */
static loam_status cell_await(loam_client *client, const loam_client_request *request,
                              loam_client_response *response, loam_error *error) {
    uint64_t deadline_ms = client_now_ms() + CELL_WAIT_TOTAL_MS;
    for (;;) {
        LOAM_TRY(loam_client_send(client, request, response, error));
        if (response->http_status != 202) {
            return LOAM_OK;
        }
        if (client_now_ms() > deadline_ms) {
            return loam_fail(error, LOAM_OVERLOADED, NULL, "the cell is still being built");
        }
        loam_client_response_fini(response);
        client_sleep_ms(CELL_PAUSE_MS);
    }
}

static loam_status cell_ask(loam_client *client, const loam_client_cell *cell, cell_memory *memory,
                            loam_client_response *response, loam_error *error) {
    char path[CLIENT_PATH_BYTES];
    char prefer[32];
    char id[DIGEST_TEXT_BYTES];
    char tag[DIGEST_TEXT_BYTES + 2] = "";
    if (!client_cell_path(cell, path, sizeof path)) {
        return loam_fail(error, LOAM_URI_TOO_LONG, NULL, "the cell's address is too long");
    }
    (void)snprintf(prefer, sizeof prefer, "wait=%u", client_wait_s(client, CELL_WAIT_S));
    if (memory->bytes != NULL) {
        digest_text(&memory->facts.id, id);
        (void)snprintf(tag, sizeof tag, "\"%s\"", id);
    }
    /* The tag is that of the plain bytes; a coding of them has another. */
    const loam_client_field headers[] = {
        {"Accept", cell->accept != NULL ? cell->accept : client_cell_type},
        {"Prefer", prefer},
        {"If-None-Match", tag},
        {"Accept-Encoding", "identity"}};
    const loam_client_field query[] = {{"cached", "only"}};
    loam_client_request request = {.path = path,
                                   .query = query,
                                   .query_count = cell->cached_only ? 1 : 0,
                                   .headers = headers,
                                   .header_count = tag[0] != '\0' ? 4 : 2};
    LOAM_TRY(cell_await(client, &request, response, error));
    return response->http_status == 304 && memory->bytes != NULL
               ? memory_answer(memory, response, error)
               : cell_accept(client, cell, response, error);
}

loam_status loam_client_cell_get(loam_client *client, const loam_client_cell *cell,
                                 loam_client_response *response, loam_error *error) {
    cell_memory memory;
    memset(response, 0, sizeof *response);
    memory_look(client, cell, &memory);
    loam_status status = memory.bytes != NULL && cell->revision != NULL
                             ? memory_answer(&memory, response, error)
                             : cell_ask(client, cell, &memory, response, error);
    free(memory.bytes);
    return status;
}
