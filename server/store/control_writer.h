/* SPDX-License-Identifier: MIT
 *
 * control_writer.h: the thread that alone writes control.db. It takes what has queued, runs each
 * request in a savepoint of one transaction, commits with synchronous FULL, then answers in order.
 * Reads go the same way: they see every write that was queued before them. Where a write of their
 * group fails they are done again without it.
 */
#ifndef LOAM_SERVER_STORE_CONTROL_WRITER_H
#define LOAM_SERVER_STORE_CONTROL_WRITER_H

#include "server/store/database.h"
#include "server/store/store.h"
#include "server/store/store_limits.h"
#include "server/store/store_queue.h"

#include <stdatomic.h>

/* Every statement of control.db: name, SQL (control_statements.c). */
typedef enum control_statement {
    CONTROL_BEGIN,
    CONTROL_COMMIT,
    CONTROL_ROLLBACK,
    CONTROL_SAVE,
    CONTROL_SAVE_RELEASE,
    CONTROL_SAVE_UNDO,
    ASSET_INSERT,
    ASSET_EXISTS,
    ASSET_FILE_USED,
    ASSET_SELECT_NAME,
    ASSET_SELECT_DIGEST,
    ASSET_SELECT_LIST,
    ASSET_DELETE_UNUSED,
    ASSET_CONTENT,
    ASSET_NAME_SELECT,
    ASSET_NAME_PUT,
    ASSET_NAME_DELETE,
    ASSET_BOUND,
    DOCUMENT_INSERT,
    DOCUMENT_SELECT,
    WORLD_UPSERT,
    WORLD_SELECT,
    WORLD_SELECT_LIST,
    WORLD_DELETE,
    WORLD_BINDINGS,
    REVISION_INSERT,
    REVISION_ID,
    REVISION_SELECT,
    REVISION_SELECT_LIST,
    BINDING_INSERT,
    JOB_INSERT,
    JOB_UPDATE,
    JOB_NUMBER,
    JOB_SELECT,
    JOB_SELECT_LIST,
    JOB_SELECT_STATE,
    TASK_INSERT,
    TASK_SELECT,
    CONTROL_STATEMENTS,
} control_statement;

extern const char *const control_sql[CONTROL_STATEMENTS];

typedef struct digest_list {
    digest *digests; /* owned, by malloc */
    size_t count;
    size_t capacity;
} digest_list;

/* Kinds of requests in its queue. */
enum {
    CONTROL_REQUEST_ROWS,  /* a control_request */
    CONTROL_REQUEST_PROBE, /* the same: commits, and changes nothing */
};

typedef struct control_writer {
    store_queue queue;
    sqlite3 *db;
    sqlite3_stmt *statements[CONTROL_STATEMENTS];
    const char *assets_dir; /* borrowed from the store */
    digest_list dropped;    /* assets without a row since the transaction began: their files go */
    atomic_bool files_held; /* a backup copies: files stay, until the next start */
    database_log log;
    atomic_uint_fast64_t log_pages_seen;
    atomic_uint_fast64_t commits;
    atomic_uint_fast64_t failures;
    atomic_int trouble; /* the status that the last writes failed with; LOAM_OK: they did not */
    pthread_t thread;
} control_writer;

/* Opens control.db, migrates it, and removes files of assets that have no row. */
LOAM_MUST_USE loam_status control_writer_open(control_writer *writer, const char *path,
                                              const char *assets_dir, loam_error *error);
LOAM_MUST_USE loam_status control_writer_start(control_writer *writer, loam_error *error);
/* Closes the queue, waits until everything in it is answered. */
void control_writer_stop(control_writer *writer);
/* Checkpoints and closes. */
void control_writer_close(control_writer *writer);

/* Runs one request inside the transaction (control_rows.c). */
LOAM_MUST_USE loam_status control_run(control_writer *writer, control_request *request,
                                      loam_error *error);
/* Whether it changes nothing (control_rows.c): then it needs no transaction of its own. */
bool control_only_reads(const control_request *request);

#endif
