/* SPDX-License-Identifier: MIT
 *
 * database.h: one SQLite connection: opening with the settings that loam relies on, running,
 * preparing, and the one place where SQLite's codes become ours. A connection belongs to one thread
 * (NOMUTEX); it is opened by the thread that starts its owner and handed over.
 */
#ifndef LOAM_SERVER_STORE_DATABASE_H
#define LOAM_SERVER_STORE_DATABASE_H

#include "api/key/key.h"

#include <sqlite3.h>

/* Opens for writing; the file is made 0600 when it is not there. Sets nothing in the file, so that
 * a foreign database stays as it is. */
LOAM_MUST_USE loam_status database_open(const char *path, sqlite3 **db, loam_error *error);
/* Opens an existing file for reading only. Never checkpoints, not at its close either: SQLite
 * before 3.51.3 can lose a log that two connections reset at once. */
LOAM_MUST_USE loam_status database_open_reader(const char *path, sqlite3 **db, loam_error *error);
/* Whether to close leaves the log where it is, and with it the file as it is. */
void database_keep_log(sqlite3 *db, bool keep);
/* Closes; NULL is nothing. Every statement must be finalized. */
void database_close(sqlite3 *db);

/* What SQLite said last about `db` as our status, with the file's name. */
loam_status database_fail(sqlite3 *db, loam_error *error);
/* Runs SQL that yields nothing of interest. */
LOAM_MUST_USE loam_status database_run(sqlite3 *db, const char *sql, loam_error *error);
/* Runs "PRAGMA name = value". */
LOAM_MUST_USE loam_status database_set(sqlite3 *db, const char *name, long long value,
                                       loam_error *error);
/* The first column of the first row as a number, 0 without a row. */
LOAM_MUST_USE loam_status database_number(sqlite3 *db, const char *sql, int64_t *number,
                                          loam_error *error);
/* Writes a page as it is: that its transaction commits proves that others would. */
LOAM_MUST_USE loam_status database_touch(sqlite3 *db, loam_error *error);
/* Runs a check of SQLite's that answers "ok", or with what is wrong. */
LOAM_MUST_USE loam_status database_check(sqlite3 *db, const char *check, bool *sound,
                                         loam_error *error);
/* The same, where damage counts only when it is found twice. */
LOAM_MUST_USE loam_status database_is_sound(sqlite3 *db, const char *check, bool *sound,
                                            loam_error *error);
LOAM_MUST_USE loam_status database_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **statement,
                                           loam_error *error);

/* Steps a statement that yields no row, and resets it. */
LOAM_MUST_USE loam_status database_step_done(sqlite3_stmt *statement, loam_error *error);
/* Steps to the next row; *row is false at the end, where the statement is reset. */
LOAM_MUST_USE loam_status database_step_row(sqlite3_stmt *statement, bool *row, loam_error *error);
/* Resets and forgets what was bound. */
void database_reset(sqlite3_stmt *statement);

/* Binds borrow until the statement is reset. */
void database_bind_digest(sqlite3_stmt *statement, int index, const digest *value);
void database_bind_text(sqlite3_stmt *statement, int index, loam_text value);
void database_bind_number(sqlite3_stmt *statement, int index, int64_t value);
/* Zeros when the column is no digest: then it equals nothing. */
digest database_column_digest(sqlite3_stmt *statement, int column);

/* The write-ahead log as its writer sees it. */
typedef struct database_log {
    int pages;        /* that are not in the file yet, or may be */
    uint64_t commits; /* that wrote something */
} database_log;

/* Begins counting: *log follows every commit. Turns SQLite's own checkpoints off. */
void database_watch_log(sqlite3 *db, database_log *log);

/* What stands in the way of a writer, after a group that ended with `status` and `wrote` something:
 * LOAM_OK when nothing does, `before` when the group says nothing about the disk. */
loam_status database_trouble(loam_status before, loam_status status, bool wrote);

typedef enum database_load {
    DATABASE_IDLE, /* for a while */
    DATABASE_CALM, /* nothing waits at this moment */
    DATABASE_BUSY,
} database_load;

/* Checkpoints when the log is long enough for the load. */
void database_checkpoint(sqlite3 *db, database_log *log, database_load load);

#endif
