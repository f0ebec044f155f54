/* SPDX-License-Identifier: MIT
 *
 * client_cell.c: fetches one cell, waiting while the daemon builds it, and believes its bytes only
 * when they hash to the digest that came with them.
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

static const char cell_media_type[] = "application/vnd.loam.cell";

static bool path_append_number(char *path, size_t capacity, int64_t number) {
    char text[24];
    (void)snprintf(text, sizeof text, "%" PRId64, number);
    return loam_client_path_append(path, capacity, text);
}

static bool cell_path(const loam_client_cell *cell, char *path, size_t capacity) {
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

/* A representation that is no cell (JSON, a picture) has no digest of ours to check. */
static loam_status cell_verify(const loam_client_response *response, loam_error *error) {
    const char *media_type = loam_client_header(response, "Content-Type");
    if (media_type == NULL ||
        strncmp(media_type, cell_media_type, sizeof cell_media_type - 1) != 0) {
        return LOAM_OK;
    }
    const char *announced = loam_client_header(response, "Loam-Digest");
    if (announced == NULL) {
        return loam_fail(error, LOAM_DAMAGED, NULL, "the cell came without a Loam-Digest");
    }
    char computed[DIGEST_TEXT_BYTES];
    digest found = digest_of(response->body, response->body_size);
    digest_text(&found, computed);
    if (strcmp(announced, computed) != 0) {
        return loam_fail(error, LOAM_DAMAGED, NULL, "the cell is announced as %s but hashes to %s",
                         announced, computed);
    }
    return LOAM_OK;
}

loam_status loam_client_cell_get(loam_client *client, const loam_client_cell *cell,
                                 loam_client_response *response, loam_error *error) {
    char path[CLIENT_PATH_BYTES];
    char prefer[32];
    (void)snprintf(prefer, sizeof prefer, "wait=%d", CELL_WAIT_S);
    memset(response, 0, sizeof *response);
    if (!cell_path(cell, path, sizeof path)) {
        return loam_fail(error, LOAM_URI_TOO_LONG, NULL, "the cell's address is too long");
    }
    const loam_client_field headers[] = {
        {"Accept", cell->accept != NULL ? cell->accept : cell_media_type}, {"Prefer", prefer}};
    const loam_client_field query[] = {{"cached", "only"}};
    loam_client_request request = {.path = path,
                                   .query = query,
                                   .query_count = cell->cached_only ? 1 : 0,
                                   .headers = headers,
                                   .header_count = 2};
    uint64_t deadline_ms = client_now_ms() + CELL_WAIT_TOTAL_MS;
    for (;;) {
        LOAM_TRY(loam_client_send(client, &request, response, error));
        if (response->http_status != 202) {
            return cell_verify(response, error);
        }
        if (client_now_ms() > deadline_ms) {
            return loam_fail(error, LOAM_OVERLOADED, NULL, "the cell is still being built");
        }
        loam_client_response_fini(response);
        client_sleep_ms(CELL_PAUSE_MS);
    }
}
