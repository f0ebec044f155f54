/* SPDX-License-Identifier: MIT
 *
 * cache_verdict.c: verdicts of checks, written beside the results in the cache's own groups and
 * read on its reader threads. The schema removes them with their artifacts.
 */
#include "core/base/try.h"
#include "server/store/cache_reader.h"
#include "server/store/migrate.h"

#include <string.h>

loam_status cache_apply_verdict(cache_writer *writer, const store_verdict *verdict,
                                loam_error *error) {
    sqlite3_stmt *statement = writer->statements[CACHE_VERDICT_INSERT];
    database_bind_digest(statement, 1, &verdict->artifact);
    database_bind_digest(statement, 2, &verdict->checks);
    sqlite3_bind_blob64(statement, 3, verdict->text->bytes, verdict->text->size, SQLITE_STATIC);
    return database_step_done(statement, error);
}

static loam_status copy_text(cache_reader *reader, store_verdict *request, loam_error *error) {
    const void *bytes = sqlite3_column_blob(reader->verdict, 0);
    size_t size = (size_t)sqlite3_column_bytes(reader->verdict, 0);
    request->text = blob_allocate(size);
    if (request->text == NULL) {
        return loam_fail(error, LOAM_INTERNAL, NULL, "no memory for a verdict");
    }
    if (size > 0) {
        memcpy(request->text->bytes, bytes, size);
    }
    return LOAM_OK;
}

void cache_read_verdict(cache_reader *reader, store_verdict *request) {
    loam_error *error = &request->base.error;
    bool found = false;
    request->text = NULL;
    database_bind_digest(reader->verdict, 1, &request->artifact);
    database_bind_digest(reader->verdict, 2, &request->checks);
    loam_status status = database_step_row(reader->verdict, &found, error);
    if (status == LOAM_OK && found) {
        status = copy_text(reader, request, error);
    }
    database_reset(reader->verdict);
    if (status == LOAM_DAMAGED) {
        cache_database_note_damage(reader->readers->writer->path);
    }
}
