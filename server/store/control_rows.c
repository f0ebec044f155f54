/* SPDX-License-Identifier: MIT
 *
 * control_rows.c: results of control requests: one growing array of rows, texts in chunks beside
 * it; and the table from operation to function.
 */
#include "server/store/control_rows.h"

#include "core/base/try.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_FIRST = 16, CHUNK_BYTES = 16384 };

typedef struct row_chunk {
    struct row_chunk *next;
    size_t used;
    size_t size;
    char bytes[];
} row_chunk;

typedef struct row_memory {
    row_chunk *chunks;
    void *rows;
    size_t capacity;
    bool failed;
} row_memory;

static row_memory *memory_of(control_result *result) {
    if (result->memory == NULL) {
        result->memory = calloc(1, sizeof(row_memory));
    }
    return result->memory;
}

void *result_row(control_result *result, size_t row_bytes) {
    row_memory *memory = memory_of(result);
    if (memory == NULL) {
        return NULL;
    }
    if (result->count == memory->capacity) {
        size_t capacity = memory->capacity == 0 ? ROWS_FIRST : memory->capacity * 2;
        void *rows = realloc(memory->rows, capacity * row_bytes);
        if (rows == NULL) {
            memory->failed = true;
            return NULL;
        }
        memory->rows = rows;
        memory->capacity = capacity;
    }
    void *row = (char *)memory->rows + result->count * row_bytes;
    memset(row, 0, row_bytes);
    result->count++;
    return row;
}

void *result_rows(const control_result *result) {
    return result->memory == NULL ? NULL : result->memory->rows;
}

static char *take_chars(row_memory *memory, size_t size) {
    row_chunk *chunk = memory->chunks;
    if (chunk == NULL || chunk->size - chunk->used < size) {
        size_t room = size > CHUNK_BYTES ? size : CHUNK_BYTES;
        chunk = malloc(sizeof *chunk + room);
        if (chunk == NULL) {
            memory->failed = true;
            return NULL;
        }
        *chunk = (row_chunk){.next = memory->chunks, .size = room};
        memory->chunks = chunk;
    }
    char *chars = chunk->bytes + chunk->used;
    chunk->used += size;
    return chars;
}

loam_text result_text(control_result *result, sqlite3_stmt *statement, int column) {
    const unsigned char *text = sqlite3_column_text(statement, column);
    size_t size = (size_t)sqlite3_column_bytes(statement, column);
    row_memory *memory = memory_of(result);
    char *copy = text == NULL || memory == NULL ? NULL : take_chars(memory, size + 1);
    if (copy == NULL) {
        return (loam_text){"", 0};
    }
    memcpy(copy, text, size);
    copy[size] = 0;
    return (loam_text){copy, size};
}

void control_result_fini(control_result *result) {
    row_memory *memory = result->memory;
    if (memory != NULL) {
        while (memory->chunks != NULL) {
            row_chunk *next = memory->chunks->next;
            free(memory->chunks);
            memory->chunks = next;
        }
        free(memory->rows);
        free(memory);
    }
    *result = (control_result){0};
}

loam_status result_read(control_result *result, sqlite3_stmt *statement, row_reader read,
                        loam_error *error) {
    for (;;) {
        bool row;
        LOAM_TRY(database_step_row(statement, &row, error));
        if (!row) {
            return LOAM_OK;
        }
        if (!read(result, statement) || result->memory->failed) {
            database_reset(statement);
            return loam_fail(error, LOAM_INTERNAL, NULL, "no memory for the rows of an answer");
        }
    }
}

loam_status control_number(sqlite3_stmt *statement, bool *found, int64_t *number,
                           loam_error *error) {
    LOAM_TRY(database_step_row(statement, found, error));
    if (*found) {
        *number = sqlite3_column_int64(statement, 0);
        database_reset(statement);
    }
    return LOAM_OK;
}

int64_t control_limit(const control_request *request) {
    bool given = request->limit > 0 && request->limit < CONTROL_ROWS_MAX;
    return given ? request->limit : CONTROL_ROWS_MAX;
}

loam_status control_expect_row(const control_request *request, loam_error *error) {
    return request->result.count > 0
               ? LOAM_OK
               : loam_fail(error, LOAM_NOT_FOUND, NULL, "%s", loam_status_text(LOAM_NOT_FOUND));
}

static bool premise_holds(const write_premise *premise, const digest *there) {
    switch (premise->kind) {
    case PREMISE_ABSENT:
        return there == NULL;
    case PREMISE_PRESENT:
        return there != NULL;
    case PREMISE_SAME:
        return there != NULL && digest_equal(there, &premise->seen);
    case PREMISE_NONE:
        break;
    }
    return true;
}

loam_status control_check_premise(const control_request *request, const digest *there,
                                  loam_error *error) {
    return premise_holds(&request->premise, there)
               ? LOAM_OK
               : loam_fail(error, LOAM_PRECONDITION_FAILED, NULL,
                           "what is there has changed since the condition was judged");
}

loam_status digest_list_add(digest_list *list, const digest *added, loam_error *error) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity == 0 ? ROWS_FIRST : list->capacity * 2;
        digest *digests = realloc(list->digests, capacity * sizeof *digests);
        if (digests == NULL) {
            return loam_fail(error, LOAM_INTERNAL, NULL, "no memory for a list of digests");
        }
        list->digests = digests;
        list->capacity = capacity;
    }
    list->digests[list->count++] = *added;
    return LOAM_OK;
}

typedef struct operation {
    control_function run;
    bool only_reads;
} operation;

static const operation OPERATIONS[CONTROL_OPERATIONS] = {
    [CONTROL_ASSET_PUT] = {control_asset_put, false},
    [CONTROL_ASSET_GET] = {control_asset_get, true},
    [CONTROL_ASSET_LIST] = {control_asset_list, true},
    [CONTROL_ASSET_DELETE] = {control_asset_delete, false},
    [CONTROL_DOCUMENT_PUT] = {control_document_put, false},
    [CONTROL_DOCUMENTS_PUT] = {control_documents_put, false},
    [CONTROL_DOCUMENT_GET] = {control_document_get, true},
    [CONTROL_WORLD_PUT] = {control_world_put, false},
    [CONTROL_WORLD_GET] = {control_world_get, true},
    [CONTROL_WORLD_LIST] = {control_world_list, true},
    [CONTROL_WORLD_DELETE] = {control_world_delete, false},
    [CONTROL_REVISION_GET] = {control_revision_get, true},
    [CONTROL_REVISION_LIST] = {control_revision_list, true},
    [CONTROL_JOB_INSERT] = {control_job_insert, false},
    [CONTROL_JOB_UPDATE] = {control_job_update, false},
    [CONTROL_JOB_GET] = {control_job_get, true},
    [CONTROL_JOB_LIST] = {control_job_list, true},
    [CONTROL_JOB_RESULTS] = {control_job_results, true},
};

loam_status control_run(control_writer *writer, control_request *request, loam_error *error) {
    if ((unsigned)request->operation >= CONTROL_OPERATIONS) {
        return loam_fail(error, LOAM_INTERNAL, NULL, "there is no such control operation");
    }
    return OPERATIONS[request->operation].run(writer, request, error);
}

bool control_only_reads(const control_request *request) {
    return request->base.kind == CONTROL_REQUEST_ROWS &&
           (unsigned)request->operation < CONTROL_OPERATIONS &&
           OPERATIONS[request->operation].only_reads;
}
