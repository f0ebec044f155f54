/* SPDX-License-Identifier: MIT
 *
 * control_writer.c: groups of control requests. A request that fails by itself (nothing found, a
 * name taken) undoes its savepoint and nothing else; a failing disk fails every write of the group,
 * and nobody in it was told otherwise.
 */
#include "server/store/control_writer.h"

#include "core/base/try.h"
#include "server/store/asset_files.h"
#include "server/store/kept_files.h"
#include "server/store/migrate.h"
#include "server/thread/thread.h"

#include <stdlib.h>
#include <string.h>

static loam_status run_statement(control_writer *writer, control_statement which,
                                 loam_error *error) {
    return database_step_done(writer->statements[which], error);
}

/* Failures of the file, not of the request. */
static bool is_fatal(control_writer *writer, loam_status status) {
    return sqlite3_get_autocommit(writer->db) != 0 || status == LOAM_STORAGE_FULL ||
           status == LOAM_DAMAGED || status == LOAM_LOCKED;
}

static loam_status run_request(control_writer *writer, control_request *request,
                               loam_error *error) {
    size_t dropped_before = writer->dropped.count;
    loam_error own = {0};
    request->result = (control_result){0};
    if (request->base.kind == CONTROL_REQUEST_PROBE) {
        return database_touch(writer->db, error);
    }
    LOAM_TRY(run_statement(writer, CONTROL_SAVE, error));
    loam_status status = control_run(writer, request, &own);
    if (status == LOAM_OK) {
        return run_statement(writer, CONTROL_SAVE_RELEASE, error);
    }
    control_result_fini(&request->result);
    writer->dropped.count = dropped_before;
    if (is_fatal(writer, status)) {
        return loam_fail(error, status, NULL, "%s", own.text);
    }
    request->base.error = own;
    LOAM_TRY(run_statement(writer, CONTROL_SAVE_UNDO, error));
    return run_statement(writer, CONTROL_SAVE_RELEASE, error);
}

static loam_status run_group(control_writer *writer, store_request *group, loam_error *error) {
    for (store_request *request = group; request != NULL; request = request->next) {
        LOAM_TRY(run_request(writer, (control_request *)request, error));
    }
    return run_statement(writer, CONTROL_COMMIT, error);
}

static loam_status run_transaction(control_writer *writer, store_request *group,
                                   loam_error *error) {
    LOAM_TRY(run_statement(writer, CONTROL_BEGIN, error));
    loam_status status = run_group(writer, group, error);
    if (status != LOAM_OK && sqlite3_get_autocommit(writer->db) == 0) {
        loam_error dropped = {0};
        if (run_statement(writer, CONTROL_ROLLBACK, &dropped) != LOAM_OK) {
            atomic_fetch_add(&writer->failures, 1);
        }
    }
    return status;
}

static loam_status file_is_used(control_writer *writer, const digest *of, bool *used) {
    sqlite3_stmt *statement = writer->statements[ASSET_FILE_USED];
    loam_error dropped = {0};
    database_bind_digest(statement, 1, of);
    LOAM_TRY(database_step_row(statement, used, &dropped));
    database_reset(statement);
    return LOAM_OK;
}

/* After the commit: a later request of the group may have brought the asset back. A file that stays
 * by mistake is removed at the next start. */
static void remove_dropped(control_writer *writer) {
    bool held = atomic_load(&writer->files_held);
    for (size_t i = 0; i < writer->dropped.count && !held; i++) {
        bool used = true;
        if (file_is_used(writer, &writer->dropped.digests[i], &used) == LOAM_OK && !used) {
            asset_file_remove(writer->assets_dir, &writer->dropped.digests[i]);
        }
    }
}

/* What is there is still read on a disk that takes no writes; nobody else writes meanwhile. */
static void answer_failed(control_writer *writer, control_request *request,
                          const loam_error *failure) {
    control_result_fini(&request->result);
    request->base.error = (loam_error){0};
    if (!control_only_reads(request)) {
        request->base.error = *failure;
    } else if (control_run(writer, request, &request->base.error) != LOAM_OK) {
        control_result_fini(&request->result);
    }
}

static void finish_group(control_writer *writer, store_request *group, const loam_error *failure) {
    while (group != NULL) {
        store_request *next = group->next;
        if (failure->status != LOAM_OK) {
            answer_failed(writer, (control_request *)group, failure);
        }
        store_request_finish(group);
        group = next;
    }
}

static void write_group(control_writer *writer, store_request *group) {
    loam_error failure = {0};
    uint64_t commits = writer->log.commits;
    writer->dropped.count = 0;
    if (run_transaction(writer, group, &failure) == LOAM_OK) {
        atomic_fetch_add(&writer->commits, 1);
        remove_dropped(writer);
    } else {
        atomic_fetch_add(&writer->failures, 1);
    }
    loam_status before = (loam_status)atomic_load(&writer->trouble);
    atomic_store(&writer->trouble,
                 (int)database_trouble(before, failure.status, writer->log.commits != commits));
    finish_group(writer, group, &failure);
}

static database_load load_after(control_writer *writer, bool had_work) {
    if (!had_work) {
        return DATABASE_IDLE;
    }
    return store_queue_length(&writer->queue) == 0 ? DATABASE_CALM : DATABASE_BUSY;
}

static void *run(void *context) {
    control_writer *writer = context;
    thread_introduce("control-writer", THREAD_PROMPT);
    while (!store_queue_ended(&writer->queue)) {
        store_request *group =
            store_queue_take(&writer->queue, writer->log.pages > 0 ? CHECKPOINT_IDLE_MS : 0);
        bool had_work = group != NULL;
        if (group != NULL) {
            write_group(writer, group);
        }
        database_checkpoint(writer->db, &writer->log, load_after(writer, had_work));
        atomic_store(&writer->log_pages_seen, (uint64_t)writer->log.pages);
    }
    return NULL;
}

static bool is_kept(void *context, const digest *of) {
    return kept_files_has(context, of);
}

static loam_status sweep_assets(control_writer *writer, loam_error *error) {
    kept_files kept = {0};
    loam_status status = kept_files_read(&kept, writer->db, error);
    if (status == LOAM_OK) {
        status = asset_files_sweep(writer->assets_dir, is_kept, &kept, error);
    }
    kept_files_fini(&kept);
    return status;
}

static loam_status prepare(control_writer *writer, loam_error *error) {
    for (int i = 0; i < CONTROL_STATEMENTS; i++) {
        LOAM_TRY(database_prepare(writer->db, control_sql[i], &writer->statements[i], error));
    }
    database_watch_log(writer->db, &writer->log);
    return sweep_assets(writer, error);
}

loam_status control_writer_open(control_writer *writer, const char *path, const char *assets_dir,
                                loam_error *error) {
    static const store_queue_options QUEUE = {.requests_max = CONTROL_QUEUE_REQUESTS,
                                              .bytes_max = CONTROL_QUEUE_BYTES,
                                              .group_requests = CONTROL_GROUP_REQUESTS,
                                              .group_bytes = SIZE_MAX};
    writer->assets_dir = assets_dir;
    store_queue_init(&writer->queue, &QUEUE);
    loam_status status = control_database_open(path, &writer->db, error);
    if (status == LOAM_OK) {
        status = prepare(writer, error);
    }
    if (status != LOAM_OK) {
        control_writer_close(writer);
    }
    return status;
}

loam_status control_writer_start(control_writer *writer, loam_error *error) {
    return thread_start(&writer->thread, run, writer, error);
}

void control_writer_stop(control_writer *writer) {
    store_queue_close(&writer->queue);
    pthread_join(writer->thread, NULL);
}

void control_writer_close(control_writer *writer) {
    for (int i = 0; i < CONTROL_STATEMENTS; i++) {
        sqlite3_finalize(writer->statements[i]);
        writer->statements[i] = NULL;
    }
    database_close(writer->db);
    writer->db = NULL;
    free(writer->dropped.digests);
    writer->dropped = (digest_list){0};
    store_queue_fini(&writer->queue);
}
