/* SPDX-License-Identifier: MIT
 *
 * control_assets.c: rows of assets and their names. An asset lives while a name points at it or a
 * revision binds it; after that its row goes, and its files once the transaction is on the disk.
 */
#include "core/base/try.h"
#include "server/store/asset_files.h"
#include "server/store/control_rows.h"

bool read_asset(control_result *result, sqlite3_stmt *statement) {
    asset_row *row = result_row(result, sizeof *row);
    if (row == NULL) {
        return false;
    }
    row->name = result_text(result, statement, 0);
    row->kind = result_text(result, statement, 1);
    row->digest = database_column_digest(statement, 2);
    row->content_digest = database_column_digest(statement, 3);
    row->bytes = (uint64_t)sqlite3_column_int64(statement, 4);
    row->summary = result_text(result, statement, 5);
    row->params = result_text(result, statement, 6);
    row->created_ms = sqlite3_column_int64(statement, 7);
    result->assets = result_rows(result);
    return true;
}

static loam_status find_name(control_writer *writer, loam_text name, bool *found, digest *pointed,
                             loam_error *error) {
    sqlite3_stmt *statement = writer->statements[ASSET_NAME_SELECT];
    database_bind_text(statement, 1, name);
    LOAM_TRY(database_step_row(statement, found, error));
    if (*found) {
        *pointed = database_column_digest(statement, 0);
        database_reset(statement);
    }
    return LOAM_OK;
}

static loam_status insert_asset(control_writer *writer, const asset_row *asset, loam_error *error) {
    sqlite3_stmt *statement = writer->statements[ASSET_INSERT];
    database_bind_text(statement, 1, asset->kind);
    database_bind_digest(statement, 2, &asset->digest);
    database_bind_digest(statement, 3, &asset->content_digest);
    database_bind_number(statement, 4, (int64_t)asset->bytes);
    database_bind_text(statement, 5, asset->summary);
    database_bind_text(statement, 6, asset->params);
    database_bind_number(statement, 7, asset->created_ms);
    return database_step_done(statement, error);
}

loam_status control_asset_drop(control_writer *writer, const digest *unused, loam_error *error) {
    sqlite3_stmt *content = writer->statements[ASSET_CONTENT];
    bool found;
    database_bind_digest(content, 1, unused);
    LOAM_TRY(database_step_row(content, &found, error));
    if (!found) {
        return LOAM_OK;
    }
    digest content_digest = database_column_digest(content, 0);
    database_reset(content);
    sqlite3_stmt *drop = writer->statements[ASSET_DELETE_UNUSED];
    database_bind_digest(drop, 1, unused);
    LOAM_TRY(database_step_done(drop, error));
    if (sqlite3_changes(writer->db) == 0) {
        return LOAM_OK;
    }
    LOAM_TRY(digest_list_add(&writer->dropped, unused, error));
    return digest_list_add(&writer->dropped, &content_digest, error);
}

loam_status control_asset_put(control_writer *writer, control_request *request, loam_error *error) {
    const asset_row *asset = &request->asset;
    digest before = {{0}};
    bool named;
    if (!asset_file_exists(writer->assets_dir, &asset->digest)) {
        return loam_fail(error, LOAM_IO, NULL, "the file of the asset %.*s is not in the store",
                         (int)asset->name.size, asset->name.bytes);
    }
    LOAM_TRY(find_name(writer, asset->name, &named, &before, error));
    LOAM_TRY(control_check_premise(request, named ? &before : NULL, error));
    LOAM_TRY(insert_asset(writer, asset, error));
    sqlite3_stmt *name = writer->statements[ASSET_NAME_PUT];
    database_bind_text(name, 1, asset->name);
    database_bind_digest(name, 2, &asset->digest);
    LOAM_TRY(database_step_done(name, error));
    request->result.created = !named;
    bool replaced = named && !digest_equal(&before, &asset->digest);
    return replaced ? control_asset_drop(writer, &before, error) : LOAM_OK;
}

loam_status control_asset_get(control_writer *writer, control_request *request, loam_error *error) {
    bool by_name = request->name.size > 0;
    sqlite3_stmt *statement = writer->statements[by_name ? ASSET_SELECT_NAME : ASSET_SELECT_DIGEST];
    if (by_name) {
        database_bind_text(statement, 1, request->name);
    } else {
        database_bind_digest(statement, 1, &request->key);
    }
    LOAM_TRY(result_read(&request->result, statement, read_asset, error));
    return control_expect_row(request, error);
}

loam_status control_asset_list(control_writer *writer, control_request *request,
                               loam_error *error) {
    sqlite3_stmt *statement = writer->statements[ASSET_SELECT_LIST];
    database_bind_text(statement, 1, request->after);
    database_bind_number(statement, 2, control_limit(request));
    return result_read(&request->result, statement, read_asset, error);
}

static loam_status refuse_bound(control_writer *writer, loam_text name, const digest *bound,
                                loam_error *error) {
    sqlite3_stmt *statement = writer->statements[ASSET_BOUND];
    bool found;
    database_bind_digest(statement, 1, bound);
    database_bind_number(statement, 2, 1);
    LOAM_TRY(database_step_row(statement, &found, error));
    if (!found) {
        return LOAM_OK;
    }
    loam_status status =
        loam_fail(error, LOAM_IN_USE, NULL, "the asset %.*s is bound by a revision of world %s",
                  (int)name.size, name.bytes, (const char *)sqlite3_column_text(statement, 0));
    database_reset(statement);
    return status;
}

loam_status control_asset_delete(control_writer *writer, control_request *request,
                                 loam_error *error) {
    bool named;
    digest pointed = {{0}};
    LOAM_TRY(find_name(writer, request->name, &named, &pointed, error));
    LOAM_TRY(control_check_premise(request, named ? &pointed : NULL, error));
    if (!named) {
        return control_expect_row(request, error);
    }
    LOAM_TRY(refuse_bound(writer, request->name, &pointed, error));
    sqlite3_stmt *statement = writer->statements[ASSET_NAME_DELETE];
    database_bind_text(statement, 1, request->name);
    LOAM_TRY(database_step_done(statement, error));
    return control_asset_drop(writer, &pointed, error);
}
