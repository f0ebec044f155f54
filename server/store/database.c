/* SPDX-License-Identifier: MIT
 *
 * database.c: SQLite's calls with loam's errors and settings.
 */
#include "server/store/database.h"

#include "core/base/try.h"
#include "server/store/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FILE_MODE = 0600, PRAGMA_BYTES = 96 };

static bool means_full(int code) {
    return code == ENOSPC || code == EDQUOT || code == EFBIG;
}

/* SQLite calls only ENOSPC a full disk; quotas and file limits are to be read off the file or its
 * log, whichever failed. */
static bool is_out_of_space(sqlite3 *db) {
    sqlite3_file *log = NULL;
    int of_file = 0;
    int of_log = 0;
    sqlite3_file_control(db, "main", SQLITE_FCNTL_LAST_ERRNO, &of_file);
    sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    if (log != NULL && log->pMethods != NULL) {
        log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &of_log);
    }
    return means_full(of_file) || means_full(of_log);
}

static loam_status status_of(sqlite3 *db, int code) {
    switch (code & 0xff) {
    case SQLITE_FULL:
        return LOAM_STORAGE_FULL;
    case SQLITE_IOERR:
        return is_out_of_space(db) ? LOAM_STORAGE_FULL : LOAM_IO;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return LOAM_DAMAGED;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return LOAM_LOCKED;
    case SQLITE_CONSTRAINT:
        return LOAM_DUPLICATE;
    case SQLITE_NOMEM:
        return LOAM_INTERNAL;
    default:
        return LOAM_IO;
    }
}

loam_status database_fail(sqlite3 *db, loam_error *error) {
    const char *path = sqlite3_db_filename(db, "main");
    return loam_fail(error, status_of(db, sqlite3_extended_errcode(db)), NULL, "%s: %s",
                     path == NULL ? "database" : path, sqlite3_errmsg(db));
}

static loam_status open_connection(const char *path, int flags, sqlite3 **db, loam_error *error) {
    int code = sqlite3_open_v2(path, db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
    if (code != SQLITE_OK) {
        loam_status status = loam_fail(error, LOAM_IO, NULL, "cannot open %s: %s", path,
                                       *db == NULL ? "out of memory" : sqlite3_errmsg(*db));
        database_close(*db);
        *db = NULL;
        return status;
    }
    sqlite3_busy_timeout(*db, BUSY_WAIT_MS);
    /* A database must not bring functions along that run with our rights. */
    sqlite3_db_config(*db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return LOAM_OK;
}

loam_status database_open(const char *path, sqlite3 **db, loam_error *error) {
    *db = NULL;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, FILE_MODE);
    if (fd < 0) {
        return folder_fail(error, errno, "cannot write", path);
    }
    close(fd);
    return open_connection(path, SQLITE_OPEN_READWRITE, db, error);
}

loam_status database_open_reader(const char *path, sqlite3 **db, loam_error *error) {
    LOAM_TRY(open_connection(path, SQLITE_OPEN_READONLY, db, error));
    int keep_log = 1;
    sqlite3_file_control(*db, "main", SQLITE_FCNTL_PERSIST_WAL, &keep_log);
    database_keep_log(*db, true);
    sqlite3_wal_autocheckpoint(*db, 0);
    loam_status status = database_run(*db, "PRAGMA query_only = 1", error);
    if (status != LOAM_OK) {
        database_close(*db);
        *db = NULL;
    }
    return status;
}

void database_keep_log(sqlite3 *db, bool keep) {
    sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep ? 1 : 0, NULL);
}

void database_close(sqlite3 *db) {
    sqlite3_close_v2(db);
}

loam_status database_run(sqlite3 *db, const char *sql, loam_error *error) {
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ? LOAM_OK
                                                                : database_fail(db, error);
}

loam_status database_set(sqlite3 *db, const char *name, long long value, loam_error *error) {
    char sql[PRAGMA_BYTES];
    snprintf(sql, sizeof sql, "PRAGMA %s = %lld", name, value);
    return database_run(db, sql, error);
}

loam_status database_number(sqlite3 *db, const char *sql, int64_t *number, loam_error *error) {
    sqlite3_stmt *statement;
    LOAM_TRY(database_prepare(db, sql, &statement, error));
    bool row;
    loam_status status = database_step_row(statement, &row, error);
    *number = status == LOAM_OK && row ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return status;
}

loam_status database_check(sqlite3 *db, const char *check, bool *sound, loam_error *error) {
    sqlite3_stmt *statement;
    bool row;
    *sound = false;
    LOAM_TRY(database_prepare(db, check, &statement, error));
    loam_status status = database_step_row(statement, &row, error);
    if (status == LOAM_OK && row) {
        const char *said = (const char *)sqlite3_column_text(statement, 0);
        *sound = said != NULL && strcmp(said, "ok") == 0;
        status = said == NULL ? database_fail(db, error) : LOAM_OK;
    }
    sqlite3_finalize(statement);
    return status;
}

/* A page that once could not be read, or found no memory, is damaged to SQLite as well: what is
 * damaged is so the second time. */
loam_status database_is_sound(sqlite3 *db, const char *check, bool *sound, loam_error *error) {
    LOAM_TRY(database_check(db, check, sound, error));
    return *sound ? LOAM_OK : database_check(db, check, sound, error);
}

loam_status database_touch(sqlite3 *db, loam_error *error) {
    int64_t version;
    LOAM_TRY(database_number(db, "PRAGMA user_version", &version, error));
    return database_set(db, "user_version", version, error);
}

loam_status database_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **statement,
                             loam_error *error) {
    return sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) == SQLITE_OK
               ? LOAM_OK
               : database_fail(db, error);
}

loam_status database_step_done(sqlite3_stmt *statement, loam_error *error) {
    int code = sqlite3_step(statement);
    loam_status status = code == SQLITE_DONE || code == SQLITE_ROW
                             ? LOAM_OK
                             : database_fail(sqlite3_db_handle(statement), error);
    database_reset(statement);
    return status;
}

loam_status database_step_row(sqlite3_stmt *statement, bool *row, loam_error *error) {
    int code = sqlite3_step(statement);
    *row = code == SQLITE_ROW;
    if (*row) {
        return LOAM_OK;
    }
    loam_status status =
        code == SQLITE_DONE ? LOAM_OK : database_fail(sqlite3_db_handle(statement), error);
    database_reset(statement);
    return status;
}

void database_reset(sqlite3_stmt *statement) {
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
}

void database_bind_digest(sqlite3_stmt *statement, int index, const digest *value) {
    sqlite3_bind_blob(statement, index, value->bytes, DIGEST_BYTES, SQLITE_STATIC);
}

void database_bind_text(sqlite3_stmt *statement, int index, loam_text value) {
    sqlite3_bind_text64(statement, index, value.bytes == NULL ? "" : value.bytes, value.size,
                        SQLITE_STATIC, SQLITE_UTF8);
}

void database_bind_number(sqlite3_stmt *statement, int index, int64_t value) {
    sqlite3_bind_int64(statement, index, value);
}

digest database_column_digest(sqlite3_stmt *statement, int column) {
    digest value = {{0}};
    const void *bytes = sqlite3_column_blob(statement, column);
    if (bytes != NULL && sqlite3_column_bytes(statement, column) == DIGEST_BYTES) {
        memcpy(value.bytes, bytes, DIGEST_BYTES);
    }
    return value;
}

static int note_log_pages(void *context, sqlite3 *db, const char *name, int pages) {
    (void)db;
    (void)name;
    database_log *log = context;
    log->pages = pages;
    log->commits++;
    return SQLITE_OK;
}

void database_watch_log(sqlite3 *db, database_log *log) {
    sqlite3_wal_autocheckpoint(db, 0);
    sqlite3_wal_hook(db, note_log_pages, log);
}

loam_status database_trouble(loam_status before, loam_status status, bool wrote) {
    if (status == LOAM_STORAGE_FULL || status == LOAM_IO || status == LOAM_DAMAGED) {
        return status;
    }
    return status == LOAM_OK && wrote ? LOAM_OK : before;
}

void database_checkpoint(sqlite3 *db, database_log *log, database_load load) {
    static const int PAGES_LEAST[] = {
        [DATABASE_IDLE] = 1,
        [DATABASE_CALM] = CHECKPOINT_PAGES,
        [DATABASE_BUSY] = CHECKPOINT_PAGES_BUSY,
    };
    if (log->pages < PAGES_LEAST[load]) {
        return;
    }
    bool hard = log->pages >= CHECKPOINT_PAGES_HARD;
    int in_log = 0;
    int moved = 0;
    sqlite3_busy_timeout(db, CHECKPOINT_WAIT_MS);
    int code = sqlite3_wal_checkpoint_v2(
        db, "main", hard ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_PASSIVE, &in_log, &moved);
    sqlite3_busy_timeout(db, BUSY_WAIT_MS);
    /* What could not be moved is tried again after the next commit; a disk that fails shows there.
     */
    if (code == SQLITE_OK && in_log == moved) {
        log->pages = 0;
    }
}
