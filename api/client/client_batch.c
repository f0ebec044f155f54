/* SPDX-License-Identifier: MIT
 *
 * client_batch.c: many cells by one request (api/view/BATCH.md says its bytes). Digests of those on
 * the disk go along, so that the daemon sends only what is new; what it says is unchanged is read
 * from the disk, and asked for alone when the disk has lost it meanwhile.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/client/client.h"
#include "core/base/bytes.h"
#include "core/base/try.h"

/* A cell in the request: three numbers and a digest, both with their signs and quotes. */
#define BATCH_REQUEST_BYTES_MAX ((size_t)1 << 18)
#define BATCH_MAGIC "LOAMBTCH"
#define BATCH_VERSION 1
#define BATCH_ALIGNMENT_BYTES 8
/* How long the daemon may build before it answers with what there is. */
#define BATCH_WAIT_S 30

/* A batch under way. */
typedef struct batch_work {
    loam_client *client;
    const loam_client_batch *batch;
    loam_client_batch_result *result;
    disk_cell *known; /* owned; of each place */
    bool *has;        /* owned; whether the disk knows it */
} batch_work;

static loam_client_cell place_cell(const batch_work *work, size_t i) {
    const loam_client_place *place = &work->batch->places[i];
    return (loam_client_cell){.world = work->batch->world,
                              .output = work->batch->output,
                              .level = place->level,
                              .x = place->x,
                              .z = place->z};
}

static void known_look(batch_work *work) {
    char address[CLIENT_PATH_BYTES];
    for (size_t i = 0; work->client->cache != NULL && i < work->batch->place_count; i++) {
        loam_client_cell cell = place_cell(work, i);
        work->has[i] = client_cell_address(work->client, &cell, address, sizeof address) &&
                       disk_cell_find(work->client->cache, address, &work->known[i]);
    }
}

static void request_put_have(text_buffer *json, const batch_work *work) {
    char name[64];
    buffer_key(json, "have");
    buffer_open_object(json);
    for (size_t i = 0; i < work->batch->place_count; i++) {
        const loam_client_place *place = &work->batch->places[i];
        if (work->has[i]) {
            (void)snprintf(name, sizeof name, "%" PRIu32 "/%" PRId64 "/%" PRId64, place->level,
                           place->x, place->z);
            buffer_key(json, name);
            buffer_digest(json, &work->known[i].id);
        }
    }
    buffer_close_object(json);
}

static void request_put(text_buffer *json, const batch_work *work) {
    buffer_open_object(json);
    buffer_field_string(json, "output", work->batch->output);
    buffer_key(json, "cells");
    buffer_open_array(json);
    for (size_t i = 0; i < work->batch->place_count; i++) {
        buffer_open_array(json);
        buffer_unsigned(json, work->batch->places[i].level);
        buffer_integer(json, work->batch->places[i].x);
        buffer_integer(json, work->batch->places[i].z);
        buffer_close_array(json);
    }
    buffer_close_array(json);
    request_put_have(json, work);
    buffer_close_object(json);
}

static loam_status batch_send(const batch_work *work, const text_buffer *json, loam_error *error) {
    char path[CLIENT_PATH_BYTES] = "/v1/worlds";
    char prefer[32];
    if (!loam_client_path_append(path, sizeof path, work->batch->world) ||
        !loam_client_path_append(path, sizeof path, "cell-batches")) {
        return loam_fail(error, LOAM_URI_TOO_LONG, NULL, "the world's name is too long");
    }
    (void)snprintf(prefer, sizeof prefer, "wait=%d", BATCH_WAIT_S);
    const loam_client_field headers[] = {{"Accept", "application/vnd.loam.batch"},
                                         {"Prefer", prefer}};
    loam_client_request request = {.method = "POST",
                                   .path = path,
                                   .headers = headers,
                                   .header_count = 2,
                                   .content_type = "application/json",
                                   .body = json->bytes,
                                   .body_size = json->size};
    return loam_client_send(work->client, &request, &work->result->response, error);
}

/* ---- The answer ------------------------------------------------------------------------------ */

/* What was unchanged is on the disk, or it is asked for alone. */
static void cell_recall(const batch_work *work, size_t i, loam_client_batch_cell *cell) {
    disk_cache *cache = work->client->cache;
    unsigned char **kept = &work->result->kept[i];
    loam_client_response response;
    loam_client_cell alone = place_cell(work, i);
    cell->cached = cache != NULL && work->has[i] &&
                   disk_blob_read(cache, &work->known[i].id, kept, &cell->size);
    cell->http_status = 200;
    if (!cell->cached) {
        loam_status status = loam_client_cell_get(work->client, &alone, &response, &cell->error);
        cell->http_status = response.http_status;
        cell->size = response.body_size;
        if (status == LOAM_OK) {
            *kept = response.body;
            response.body = NULL;
        }
        loam_client_response_fini(&response);
    }
    cell->bytes = *kept;
}

static void cell_believe(const batch_work *work, size_t i, const disk_cell *facts,
                         loam_client_batch_cell *cell, loam_text body) {
    char address[CLIENT_PATH_BYTES];
    digest found = digest_of(body.bytes, body.size);
    loam_client_cell named = place_cell(work, i);
    if (!digest_equal(&found, &facts->id)) {
        (void)loam_fail(&cell->error, LOAM_DAMAGED, NULL,
                        "the cell does not hash to the digest it is announced with");
        return;
    }
    cell->bytes = (const unsigned char *)body.bytes;
    cell->size = body.size;
    if (work->client->cache != NULL &&
        client_cell_address(work->client, &named, address, sizeof address)) {
        disk_blob_keep(work->client->cache, &found, body.bytes, body.size);
        disk_cell_keep(work->client->cache, address, facts);
    }
}

static void cell_refused(loam_client_batch_cell *cell, loam_text problem) {
    loam_client_response told = {.http_status = cell->http_status,
                                 .body = (unsigned char *)(uintptr_t)problem.bytes,
                                 .body_size = problem.size};
    (void)client_problem_read(&told, &cell->error);
}

static bool digest_take(byte_reader *reader, digest *to) {
    const unsigned char *bytes = read_bytes(reader, DIGEST_BYTES);
    if (bytes != NULL) {
        memcpy(to->bytes, bytes, DIGEST_BYTES);
    }
    return bytes != NULL;
}

/* One cell of the answer; false when it is not the one that was asked for. */
static bool cell_read(const batch_work *work, size_t i, byte_reader *reader) {
    const loam_client_place *place = &work->batch->places[i];
    loam_client_batch_cell *cell = &work->result->cells[i];
    disk_cell facts;
    int64_t x = read_i64(reader);
    int64_t z = read_i64(reader);
    uint32_t level = read_u32(reader);
    cell->http_status = (int)read_u32(reader);
    bool whole = digest_take(reader, &facts.build_key) && digest_take(reader, &facts.id);
    uint64_t size = read_u64(reader);
    if (!whole || x != place->x || z != place->z || level != place->level || size > reader->left) {
        return false;
    }
    loam_text body = {(const char *)read_bytes(reader, (size_t)size), (size_t)size};
    size_t odd = body.size % BATCH_ALIGNMENT_BYTES;
    (void)read_bytes(reader, odd != 0 ? BATCH_ALIGNMENT_BYTES - odd : 0);
    if (cell->http_status == 200) {
        cell_believe(work, i, &facts, cell, body);
    } else if (cell->http_status == 304) {
        cell_recall(work, i, cell);
    } else if (cell->http_status >= 400) {
        cell_refused(cell, body);
    }
    return !reader->failed;
}

static loam_status answer_read(const batch_work *work, loam_error *error) {
    const loam_client_response *response = &work->result->response;
    byte_reader reader;
    reader_init(&reader, response->body, response->body_size);
    const unsigned char *magic = read_bytes(&reader, sizeof BATCH_MAGIC - 1);
    bool right = magic != NULL && memcmp(magic, BATCH_MAGIC, sizeof BATCH_MAGIC - 1) == 0 &&
                 read_u16(&reader) == BATCH_VERSION && read_u16(&reader) == 0 &&
                 read_u32(&reader) == work->batch->place_count;
    for (size_t i = 0; right && i < work->batch->place_count; i++) {
        right = cell_read(work, i, &reader);
    }
    return right && reader.left == 0
               ? LOAM_OK
               : loam_fail(error, LOAM_MALFORMED, NULL, "the answer is not the batch asked for");
}

static loam_status batch_run(batch_work *work, loam_error *error) {
    text_buffer json;
    known_look(work);
    buffer_init(&json, BATCH_REQUEST_BYTES_MAX);
    request_put(&json, work);
    loam_status status = buffer_status(&json);
    status = status == LOAM_OK
                 ? batch_send(work, &json, error)
                 : loam_fail(error, status, NULL, "the request is larger than %zu bytes",
                             BATCH_REQUEST_BYTES_MAX);
    buffer_fini(&json);
    return status != LOAM_OK ? status : answer_read(work, error);
}

loam_status loam_client_batch_get(loam_client *client, const loam_client_batch *batch,
                                  loam_client_batch_result *result, loam_error *error) {
    *result = (loam_client_batch_result){0};
    if (batch->place_count == 0 || batch->place_count > LOAM_CLIENT_BATCH_MAX) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "a batch has 1 to %d cells",
                         LOAM_CLIENT_BATCH_MAX);
    }
    batch_work work = {.client = client, .batch = batch, .result = result};
    result->cells = calloc(batch->place_count, sizeof *result->cells);
    result->kept = calloc(batch->place_count, sizeof *result->kept);
    work.known = calloc(batch->place_count, sizeof *work.known);
    work.has = calloc(batch->place_count, sizeof *work.has);
    loam_status status = LOAM_OK;
    if (result->cells == NULL || result->kept == NULL || work.known == NULL || work.has == NULL) {
        status = loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for the batch");
    } else {
        result->cell_count = batch->place_count;
        status = batch_run(&work, error);
    }
    free(work.known);
    free(work.has);
    return status;
}

void loam_client_batch_result_fini(loam_client_batch_result *result) {
    for (size_t i = 0; result->kept != NULL && i < result->cell_count; i++) {
        free(result->kept[i]);
    }
    free(result->kept);
    free(result->cells);
    loam_client_response_fini(&result->response);
    *result = (loam_client_batch_result){0};
}
