/* SPDX-License-Identifier: MIT
 *
 * control_jobs.c: jobs and the tasks that they have finished. Counters and the task rows that they
 * count change in one transaction, so that a restart never sees one without the other.
 */
#include "core/base/try.h"
#include "server/store/control_rows.h"

bool read_job(control_result *result, sqlite3_stmt *statement) {
    job_row *row = result_row(result, sizeof *row);
    if (row == NULL) {
        return false;
    }
    row->id = result_text(result, statement, 0);
    row->request_key = database_column_digest(statement, 1);
    row->request = result_text(result, statement, 2);
    row->world = result_text(result, statement, 3);
    row->revision = database_column_digest(statement, 4);
    row->state = result_text(result, statement, 5);
    row->total = (uint64_t)sqlite3_column_int64(statement, 6);
    row->done = (uint64_t)sqlite3_column_int64(statement, 7);
    row->cached = (uint64_t)sqlite3_column_int64(statement, 8);
    row->failed = (uint64_t)sqlite3_column_int64(statement, 9);
    row->evicted = (uint64_t)sqlite3_column_int64(statement, 10);
    row->created_ms = sqlite3_column_int64(statement, 11);
    row->started_ms = sqlite3_column_int64(statement, 12);
    row->finished_ms = sqlite3_column_int64(statement, 13);
    row->priority = (uint32_t)sqlite3_column_int64(statement, 14);
    row->keep = sqlite3_column_int(statement, 15) != 0;
    row->problems = result_text(result, statement, 16);
    row->owner = result_text(result, statement, 17);
    result->jobs = result_rows(result);
    return true;
}

bool read_task(control_result *result, sqlite3_stmt *statement) {
    task_row *row = result_row(result, sizeof *row);
    if (row == NULL) {
        return false;
    }
    row->n = (uint64_t)sqlite3_column_int64(statement, 0);
    row->output = result_text(result, statement, 1);
    row->level = (uint32_t)sqlite3_column_int64(statement, 2);
    row->x = sqlite3_column_int64(statement, 3);
    row->z = sqlite3_column_int64(statement, 4);
    row->build_key = database_column_digest(statement, 5);
    row->digest = database_column_digest(statement, 6);
    row->count = (uint64_t)sqlite3_column_int64(statement, 7);
    row->bytes = (uint64_t)sqlite3_column_int64(statement, 8);
    row->cached = sqlite3_column_int(statement, 9) != 0;
    row->status = result_text(result, statement, 10);
    row->reasons = result_text(result, statement, 11);
    result->tasks = result_rows(result);
    return true;
}

loam_status control_job_insert(control_writer *writer, control_request *request,
                               loam_error *error) {
    const job_row *job = &request->job;
    sqlite3_stmt *statement = writer->statements[JOB_INSERT];
    database_bind_text(statement, 1, job->id);
    database_bind_digest(statement, 2, &job->request_key);
    database_bind_text(statement, 3, job->request);
    database_bind_text(statement, 4, job->world);
    database_bind_digest(statement, 5, &job->revision);
    database_bind_text(statement, 6, job->state);
    database_bind_number(statement, 7, (int64_t)job->total);
    database_bind_number(statement, 8, (int64_t)job->done);
    database_bind_number(statement, 9, (int64_t)job->cached);
    database_bind_number(statement, 10, (int64_t)job->failed);
    database_bind_number(statement, 11, (int64_t)job->evicted);
    database_bind_number(statement, 12, job->created_ms);
    database_bind_number(statement, 13, job->started_ms);
    database_bind_number(statement, 14, job->finished_ms);
    database_bind_number(statement, 15, job->priority);
    database_bind_number(statement, 16, job->keep);
    database_bind_text(statement, 17, job->problems);
    database_bind_text(statement, 18, job->owner);
    return database_step_done(statement, error);
}

static loam_status update_job(control_writer *writer, const job_row *job, loam_error *error) {
    sqlite3_stmt *statement = writer->statements[JOB_UPDATE];
    database_bind_text(statement, 1, job->id);
    database_bind_text(statement, 2, job->state);
    database_bind_number(statement, 3, (int64_t)job->total);
    database_bind_number(statement, 4, (int64_t)job->done);
    database_bind_number(statement, 5, (int64_t)job->cached);
    database_bind_number(statement, 6, (int64_t)job->failed);
    database_bind_number(statement, 7, (int64_t)job->evicted);
    database_bind_number(statement, 8, job->started_ms);
    database_bind_number(statement, 9, job->finished_ms);
    database_bind_text(statement, 10, job->problems);
    database_bind_text(statement, 11, job->owner);
    return database_step_done(statement, error);
}

static loam_status find_number(control_writer *writer, loam_text id, int64_t *number,
                               loam_error *error) {
    sqlite3_stmt *statement = writer->statements[JOB_NUMBER];
    bool found;
    database_bind_text(statement, 1, id);
    LOAM_TRY(control_number(statement, &found, number, error));
    return found ? LOAM_OK
                 : loam_fail(error, LOAM_NOT_FOUND, NULL, "there is no job %.*s", (int)id.size,
                             id.bytes);
}

static loam_status insert_task(control_writer *writer, int64_t job, const task_row *task,
                               loam_error *error) {
    sqlite3_stmt *statement = writer->statements[TASK_INSERT];
    database_bind_number(statement, 1, job);
    database_bind_number(statement, 2, (int64_t)task->n);
    database_bind_text(statement, 3, task->output);
    database_bind_number(statement, 4, task->level);
    database_bind_number(statement, 5, task->x);
    database_bind_number(statement, 6, task->z);
    database_bind_digest(statement, 7, &task->build_key);
    database_bind_digest(statement, 8, &task->digest);
    database_bind_number(statement, 9, (int64_t)task->count);
    database_bind_number(statement, 10, (int64_t)task->bytes);
    database_bind_number(statement, 11, task->cached);
    database_bind_text(statement, 12, task->status);
    database_bind_text(statement, 13, task->reasons);
    return database_step_done(statement, error);
}

loam_status control_job_update(control_writer *writer, control_request *request,
                               loam_error *error) {
    int64_t number;
    LOAM_TRY(find_number(writer, request->job.id, &number, error));
    LOAM_TRY(update_job(writer, &request->job, error));
    for (size_t i = 0; i < request->task_count; i++) {
        LOAM_TRY(insert_task(writer, number, &request->tasks[i], error));
    }
    return LOAM_OK;
}

loam_status control_job_get(control_writer *writer, control_request *request, loam_error *error) {
    sqlite3_stmt *statement = writer->statements[JOB_SELECT];
    database_bind_text(statement, 1, request->name);
    LOAM_TRY(result_read(&request->result, statement, read_job, error));
    return control_expect_row(request, error);
}

loam_status control_job_list(control_writer *writer, control_request *request, loam_error *error) {
    bool of_state = request->name.size > 0;
    sqlite3_stmt *statement = writer->statements[of_state ? JOB_SELECT_STATE : JOB_SELECT_LIST];
    database_bind_text(statement, 1, request->after);
    database_bind_number(statement, 2, control_limit(request));
    if (of_state) {
        database_bind_text(statement, 3, request->name);
    }
    return result_read(&request->result, statement, read_job, error);
}

loam_status control_job_results(control_writer *writer, control_request *request,
                                loam_error *error) {
    int64_t number;
    LOAM_TRY(find_number(writer, request->name, &number, error));
    sqlite3_stmt *statement = writer->statements[TASK_SELECT];
    database_bind_number(statement, 1, number);
    database_bind_number(statement, 2, (int64_t)request->after_n);
    database_bind_number(statement, 3, control_limit(request));
    return result_read(&request->result, statement, read_task, error);
}
