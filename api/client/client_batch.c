/* SPDX-License-Identifier: MIT
 *
 * client_batch.c: many cells by one request (api/view/BATCH.md says its bytes). Digests of those on
 * the disk go along, so that the daemon sends only what is new; what it says is unchanged is read
 * from the disk, and asked for alone when the disk has lost it meanwhile.
 */
#include <stdio.h>
#include <stdlib.h>

#include "api/client/batch_format.h"
#include "api/client/client.h"
#include "core/base/bytes.h"
#include "core/base/try.h"

/* How long the daemon may build before it answers with what there is. */
#define BATCH_WAIT_S 30

/* A batch under way. */
typedef struct batch_work {
    loam_client *client;
    const loam_client_batch *batch;
    loam_client_batch_result *result;
    disk_cell *known;          /* owned; of each place */
    batch_question *questions; /* owned */
} batch_work;

static loam_client_cell place_cell(const batch_work *work, size_t i) {
    const loam_client_place *place = &work->batch->places[i];
    return (loam_client_cell){.world = work->batch->world,
                              .output = work->batch->output,
                              .level = place->level,
                              .x = place->x,
                              .z = place->z};
}

static void questions_fill(batch_work *work) {
    char address[CLIENT_PATH_BYTES];
    for (size_t i = 0; i < work->batch->place_count; i++) {
        loam_client_cell cell = place_cell(work, i);
        bool has = work->client->cache != NULL &&
                   client_cell_address(work->client, &cell, address, sizeof address) &&
                   disk_cell_find(work->client->cache, address, &work->known[i]);
        work->questions[i] = (batch_question){.place = work->batch->places[i],
                                              .has = has ? &work->known[i].id : NULL};
    }
}

static loam_status batch_send(const batch_work *work, const text_buffer *json, loam_error *error) {
    char path[CLIENT_PATH_BYTES];
    char prefer[32];
    if (!batch_path(work->batch->world, path, sizeof path)) {
        return loam_fail(error, LOAM_URI_TOO_LONG, NULL, "the world's name is too long");
    }
    (void)snprintf(prefer, sizeof prefer, "wait=%u", client_wait_s(work->client, BATCH_WAIT_S));
    const loam_client_field headers[] = {{"Accept", batch_media_type}, {"Prefer", prefer}};
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
    cell->cached = work->questions[i].has != NULL &&
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

static void cell_believe(const batch_work *work, size_t i, const disk_cell *facts, loam_text body) {
    char address[CLIENT_PATH_BYTES];
    loam_client_batch_cell *cell = &work->result->cells[i];
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

/* One cell of the answer; false when it is not the one that was asked for. */
static bool cell_read(const batch_work *work, size_t i, byte_reader *reader) {
    loam_client_batch_cell *cell = &work->result->cells[i];
    batch_entry_head head;
    const unsigned char *bytes = read_bytes(reader, BATCH_ENTRY_BYTES);
    if (bytes == NULL) {
        return false;
    }
    batch_entry_read(bytes, &head);
    if (!batch_entry_is_of(&head, &work->batch->places[i]) || head.size > reader->left) {
        return false;
    }
    loam_text body = {(const char *)read_bytes(reader, (size_t)head.size), (size_t)head.size};
    (void)read_bytes(reader, batch_padding(head.size));
    cell->http_status = head.http_status;
    if (cell->http_status == 200) {
        cell_believe(work, i, &(disk_cell){.id = head.id, .build_key = head.build_key}, body);
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
    const unsigned char *head = read_bytes(&reader, BATCH_HEAD_BYTES);
    bool right = head != NULL && batch_head_is_right(head, work->batch->place_count);
    for (size_t i = 0; right && i < work->batch->place_count; i++) {
        right = cell_read(work, i, &reader);
    }
    return right && reader.left == 0
               ? LOAM_OK
               : loam_fail(error, LOAM_MALFORMED, NULL, "the answer is not the batch asked for");
}

static loam_status batch_run(batch_work *work, loam_error *error) {
    text_buffer json;
    questions_fill(work);
    buffer_init(&json, BATCH_REQUEST_BYTES_MAX);
    batch_question_put(&json, work->batch->output, work->questions, work->batch->place_count);
    loam_status status = buffer_status(&json);
    status = status == LOAM_OK
                 ? batch_send(work, &json, error)
                 : loam_fail(error, status, NULL, "the request is larger than %d bytes",
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
    work.questions = calloc(batch->place_count, sizeof *work.questions);
    loam_status status = LOAM_OK;
    if (result->cells == NULL || result->kept == NULL || work.known == NULL ||
        work.questions == NULL) {
        status = loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for the batch");
    } else {
        result->cell_count = batch->place_count;
        status = batch_run(&work, error);
    }
    free(work.known);
    free(work.questions);
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
