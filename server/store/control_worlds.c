/* SPDX-License-Identifier: MIT
 *
 * control_worlds.c: documents under a digest, worlds, their revisions, and which assets those bind.
 */
#include "core/base/try.h"
#include "server/store/control_rows.h"

#include <stdlib.h>

bool read_document(control_result *result, sqlite3_stmt *statement) {
    document_row *row = result_row(result, sizeof *row);
    if (row == NULL) {
        return false;
    }
    row->kind = (document_kind)sqlite3_column_int(statement, 0);
    row->digest = database_column_digest(statement, 1);
    row->document = result_text(result, statement, 2);
    row->created_ms = sqlite3_column_int64(statement, 3);
    result->documents = result_rows(result);
    return true;
}

bool read_world(control_result *result, sqlite3_stmt *statement) {
    world_row *row = result_row(result, sizeof *row);
    if (row == NULL) {
        return false;
    }
    row->name = result_text(result, statement, 0);
    row->revision = database_column_digest(statement, 1);
    row->created_ms = sqlite3_column_int64(statement, 2);
    row->updated_ms = sqlite3_column_int64(statement, 3);
    result->worlds = result_rows(result);
    return true;
}

bool read_revision(control_result *result, sqlite3_stmt *statement) {
    revision_row *row = result_row(result, sizeof *row);
    if (row == NULL) {
        return false;
    }
    row->world = result_text(result, statement, 0);
    row->revision = database_column_digest(statement, 1);
    row->document = result_text(result, statement, 2);
    row->created_ms = sqlite3_column_int64(statement, 3);
    result->revisions = result_rows(result);
    return true;
}

static loam_status put_document(control_writer *writer, const document_row *document,
                                loam_error *error) {
    sqlite3_stmt *statement = writer->statements[DOCUMENT_INSERT];
    database_bind_number(statement, 1, document->kind);
    database_bind_digest(statement, 2, &document->digest);
    database_bind_text(statement, 3, document->document);
    database_bind_number(statement, 4, document->created_ms);
    return database_step_done(statement, error);
}

loam_status control_document_put(control_writer *writer, control_request *request,
                                 loam_error *error) {
    LOAM_TRY(put_document(writer, &request->document, error));
    request->result.created = sqlite3_changes(writer->db) > 0;
    return LOAM_OK;
}

loam_status control_documents_put(control_writer *writer, control_request *request,
                                  loam_error *error) {
    for (size_t i = 0; i < request->document_count; i++) {
        LOAM_TRY(put_document(writer, &request->documents[i], error));
    }
    return LOAM_OK;
}

loam_status control_document_get(control_writer *writer, control_request *request,
                                 loam_error *error) {
    sqlite3_stmt *statement = writer->statements[DOCUMENT_SELECT];
    database_bind_number(statement, 1, request->document.kind);
    database_bind_digest(statement, 2, &request->key);
    LOAM_TRY(result_read(&request->result, statement, read_document, error));
    return control_expect_row(request, error);
}

/* Whether the world is there, as the request takes for granted. */
static loam_status find_world(control_writer *writer, const control_request *request,
                              loam_text name, bool *exists, loam_error *error) {
    sqlite3_stmt *statement = writer->statements[WORLD_SELECT];
    digest newest = {{0}};
    database_bind_text(statement, 1, name);
    LOAM_TRY(database_step_row(statement, exists, error));
    if (*exists) {
        newest = database_column_digest(statement, 1);
        database_reset(statement);
    }
    return control_check_premise(request, *exists ? &newest : NULL, error);
}

static loam_status upsert_world(control_writer *writer, const revision_row *revision,
                                loam_error *error) {
    sqlite3_stmt *statement = writer->statements[WORLD_UPSERT];
    database_bind_text(statement, 1, revision->world);
    database_bind_digest(statement, 2, &revision->revision);
    database_bind_number(statement, 3, revision->created_ms);
    return database_step_done(statement, error);
}

static loam_status insert_revision(control_writer *writer, const revision_row *revision,
                                   int64_t *id, loam_error *error) {
    sqlite3_stmt *insert = writer->statements[REVISION_INSERT];
    database_bind_text(insert, 1, revision->world);
    database_bind_digest(insert, 2, &revision->revision);
    database_bind_text(insert, 3, revision->document);
    database_bind_number(insert, 4, revision->created_ms);
    LOAM_TRY(database_step_done(insert, error));
    sqlite3_stmt *find = writer->statements[REVISION_ID];
    bool found;
    database_bind_text(find, 1, revision->world);
    database_bind_digest(find, 2, &revision->revision);
    return control_number(find, &found, id, error);
}

static loam_status bind_asset(control_writer *writer, const digest *asset, int64_t revision,
                              loam_error *error) {
    sqlite3_stmt *exists = writer->statements[ASSET_EXISTS];
    bool found;
    int64_t one;
    database_bind_digest(exists, 1, asset);
    LOAM_TRY(control_number(exists, &found, &one, error));
    if (!found) {
        char text[DIGEST_TEXT_BYTES];
        digest_text(asset, text);
        return loam_fail(error, LOAM_NOT_FOUND, NULL, "the asset %s is not there", text);
    }
    sqlite3_stmt *insert = writer->statements[BINDING_INSERT];
    database_bind_digest(insert, 1, asset);
    database_bind_number(insert, 2, revision);
    return database_step_done(insert, error);
}

loam_status control_world_put(control_writer *writer, control_request *request, loam_error *error) {
    const revision_row *revision = &request->revision;
    bool existed;
    int64_t id = 0;
    LOAM_TRY(find_world(writer, request, revision->world, &existed, error));
    LOAM_TRY(upsert_world(writer, revision, error));
    LOAM_TRY(insert_revision(writer, revision, &id, error));
    for (size_t i = 0; i < request->binding_count; i++) {
        LOAM_TRY(bind_asset(writer, &request->bindings[i], id, error));
    }
    request->result.created = !existed;
    return LOAM_OK;
}

loam_status control_world_get(control_writer *writer, control_request *request, loam_error *error) {
    sqlite3_stmt *statement = writer->statements[WORLD_SELECT];
    database_bind_text(statement, 1, request->name);
    LOAM_TRY(result_read(&request->result, statement, read_world, error));
    return control_expect_row(request, error);
}

loam_status control_world_list(control_writer *writer, control_request *request,
                               loam_error *error) {
    sqlite3_stmt *statement = writer->statements[WORLD_SELECT_LIST];
    database_bind_text(statement, 1, request->after);
    database_bind_number(statement, 2, control_limit(request));
    return result_read(&request->result, statement, read_world, error);
}

/* Assets that the world binds, before its bindings go. Owned. */
static loam_status list_bindings(control_writer *writer, loam_text world, digest_list *bound,
                                 loam_error *error) {
    sqlite3_stmt *statement = writer->statements[WORLD_BINDINGS];
    database_bind_text(statement, 1, world);
    for (;;) {
        bool row;
        LOAM_TRY(database_step_row(statement, &row, error));
        if (!row) {
            return LOAM_OK;
        }
        digest asset = database_column_digest(statement, 0);
        loam_status status = digest_list_add(bound, &asset, error);
        if (status != LOAM_OK) {
            database_reset(statement);
            return status;
        }
    }
}

static loam_status delete_world(control_writer *writer, loam_text name, const digest_list *bound,
                                loam_error *error) {
    sqlite3_stmt *statement = writer->statements[WORLD_DELETE];
    database_bind_text(statement, 1, name);
    LOAM_TRY(database_step_done(statement, error));
    for (size_t i = 0; i < bound->count; i++) {
        LOAM_TRY(control_asset_drop(writer, &bound->digests[i], error));
    }
    return LOAM_OK;
}

loam_status control_world_delete(control_writer *writer, control_request *request,
                                 loam_error *error) {
    bool exists;
    digest_list bound = {0};
    LOAM_TRY(find_world(writer, request, request->name, &exists, error));
    if (!exists) {
        return control_expect_row(request, error);
    }
    loam_status status = list_bindings(writer, request->name, &bound, error);
    if (status == LOAM_OK) {
        status = delete_world(writer, request->name, &bound, error);
    }
    free(bound.digests);
    return status;
}

loam_status control_revision_get(control_writer *writer, control_request *request,
                                 loam_error *error) {
    sqlite3_stmt *statement = writer->statements[REVISION_SELECT];
    database_bind_text(statement, 1, request->name);
    database_bind_digest(statement, 2, &request->key);
    LOAM_TRY(result_read(&request->result, statement, read_revision, error));
    return control_expect_row(request, error);
}

loam_status control_revision_list(control_writer *writer, control_request *request,
                                  loam_error *error) {
    sqlite3_stmt *statement = writer->statements[REVISION_SELECT_LIST];
    database_bind_text(statement, 1, request->name);
    database_bind_number(statement, 2, control_limit(request));
    return result_read(&request->result, statement, read_revision, error);
}
