/* SPDX-License-Identifier: MIT
 *
 * cache_apply.c: what one request does inside its group's transaction: puts, pins, removals, and
 * uses that were noted. A failure is the group's, which then changes nothing.
 */
#include "core/base/try.h"
#include "server/store/cache_writer.h"

static loam_status find_or_insert_blob(cache_writer *writer, const blob *value, int64_t *id,
                                       loam_error *error) {
    sqlite3_stmt *find = writer->statements[CACHE_BLOB_FIND];
    bool row;
    database_bind_digest(find, 1, &value->digest);
    LOAM_TRY(database_step_row(find, &row, error));
    if (row) {
        *id = sqlite3_column_int64(find, 0);
        database_reset(find);
        return LOAM_OK;
    }
    sqlite3_stmt *insert = writer->statements[CACHE_BLOB_INSERT];
    database_bind_digest(insert, 1, &value->digest);
    sqlite3_bind_blob64(insert, 2, value->bytes, value->size, SQLITE_STATIC);
    LOAM_TRY(database_step_done(insert, error));
    *id = sqlite3_last_insert_rowid(writer->db);
    writer->blobs_change++;
    return LOAM_OK;
}

/* Whether the key has a row, what it names, and whether those bytes are there. */
static loam_status find_result(cache_writer *writer, const digest *key, bool *known, digest *named,
                               bool *present, loam_error *error) {
    sqlite3_stmt *statement = writer->statements[CACHE_RESULT_FIND];
    database_bind_digest(statement, 1, key);
    LOAM_TRY(database_step_row(statement, known, error));
    *present = false;
    if (*known) {
        *named = database_column_digest(statement, 0);
        *present = sqlite3_column_int(statement, 1) != 0;
        database_reset(statement);
    }
    return LOAM_OK;
}

static loam_status write_result(cache_writer *writer, const store_put *put, bool known,
                                loam_error *error) {
    int64_t id;
    LOAM_TRY(find_or_insert_blob(writer, put->blob, &id, error));
    sqlite3_stmt *statement = writer->statements[known ? CACHE_RESULT_UPDATE : CACHE_RESULT_INSERT];
    database_bind_digest(statement, 1, &put->key);
    database_bind_digest(statement, 2, &put->blob->digest);
    database_bind_number(statement, 3, id);
    database_bind_number(statement, 4, cache_next_use(writer));
    writer->walk.missed = true;
    writer->walk.in_vain = false;
    return database_step_done(statement, error);
}

/* Put if absent. A row whose bytes are gone still remembers its digest: equal bytes fill it again,
 * others are an alarm and take its place, as nobody can be served the first any more. */
static loam_status apply_put(cache_writer *writer, store_put *put, loam_error *error) {
    bool known;
    bool present;
    LOAM_TRY(find_result(writer, &put->key, &known, &put->kept, &present, error));
    bool same = known && digest_equal(&put->kept, &put->blob->digest);
    put->existed = same && present;
    put->alarm = known && !same;
    writer->alarms_change += put->alarm;
    return known && present ? LOAM_OK : write_result(writer, put, known, error);
}

static loam_status apply_pin(cache_writer *writer, store_keys *request, loam_error *error) {
    for (size_t i = 0; i < request->count; i++) {
        bool known;
        digest named = {{0}};
        LOAM_TRY(
            find_result(writer, &request->keys[i], &known, &named, &request->present[i], error));
        if (request->digests != NULL) {
            request->digests[i] = named;
        }
    }
    return LOAM_OK;
}

/* Looks at the bytes again: between a reader's finding and now the row may have been written anew.
 */
static loam_status find_damage(cache_writer *writer, int64_t id, bool *damaged, loam_error *error) {
    sqlite3_stmt *statement = writer->statements[CACHE_BLOB_READ];
    bool row;
    *damaged = false;
    database_bind_number(statement, 1, id);
    LOAM_TRY(database_step_row(statement, &row, error));
    if (row) {
        digest expected = database_column_digest(statement, 0);
        digest found = digest_of(sqlite3_column_blob(statement, 1),
                                 (size_t)sqlite3_column_bytes(statement, 1));
        *damaged = !digest_equal(&expected, &found);
        database_reset(statement);
    }
    return LOAM_OK;
}

static loam_status delete_blob(cache_writer *writer, cache_statement how, int64_t id,
                               loam_error *error) {
    sqlite3_stmt *statement = writer->statements[how];
    database_bind_number(statement, 1, id);
    LOAM_TRY(database_step_done(statement, error));
    writer->blobs_change -= sqlite3_changes(writer->db);
    return LOAM_OK;
}

/* Damaged bytes go, and their results keep only the digest; a result that names other bytes than
 * its row holds goes itself. */
static loam_status apply_removal(cache_writer *writer, const cache_removal *removal,
                                 loam_error *error) {
    bool damaged;
    LOAM_TRY(find_damage(writer, removal->blob, &damaged, error));
    sqlite3_stmt *result = writer->statements[CACHE_RESULT_DELETE_WRONG];
    database_bind_digest(result, 1, &removal->key);
    database_bind_number(result, 2, removal->blob);
    LOAM_TRY(database_step_done(result, error));
    if (!damaged) {
        return delete_blob(writer, CACHE_BLOB_DELETE_ORPHAN, removal->blob, error);
    }
    LOAM_TRY(delete_blob(writer, CACHE_BLOB_DELETE, removal->blob, error));
    sqlite3_stmt *detach = writer->statements[CACHE_RESULTS_DETACH];
    database_bind_number(detach, 1, removal->blob);
    return database_step_done(detach, error);
}

loam_status cache_apply_touches(cache_writer *writer, loam_error *error) {
    sqlite3_stmt *statement = writer->statements[CACHE_RESULT_TOUCH];
    int64_t aged = (int64_t)(cache_blobs(&writer->counters) / TOUCH_AGE_PART);
    digest key;
    while (touches_take(&writer->touches, &key)) {
        int64_t use = cache_next_use(writer);
        database_bind_digest(statement, 1, &key);
        database_bind_number(statement, 2, use);
        database_bind_number(statement, 3, use - aged);
        LOAM_TRY(database_step_done(statement, error));
        writer->walk.missed = true;
    }
    return LOAM_OK;
}

loam_status cache_apply(cache_writer *writer, store_request *request, loam_error *error) {
    switch ((cache_request_kind)request->kind) {
    case CACHE_REQUEST_PUT:
        return apply_put(writer, (store_put *)request, error);
    case CACHE_REQUEST_PIN:
        return apply_pin(writer, (store_keys *)request, error);
    case CACHE_REQUEST_REMOVE:
        return apply_removal(writer, (cache_removal *)request, error);
    case CACHE_REQUEST_VERDICT:
        return cache_apply_verdict(writer, (store_verdict *)request, error);
    case CACHE_REQUEST_COLLECT:
        return cache_collect(writer, (cache_collection *)request, error);
    case CACHE_REQUEST_PROBE:
        return database_touch(writer->db, error);
    }
    return LOAM_INTERNAL;
}
