/* SPDX-License-Identifier: MIT
 *
 * job_dungeon.c: a dungeon of a job, top to bottom: its request is read from the store, it flies
 * like that of any request (dungeon_flight.h) and lands when its result is on the disk, and a
 * worker looks how it went. A job holds no more of its dungeons than their keys, however many it
 * has.
 */
#include "server/job/job_entry.h"

#include "core/base/assert.h"
#include "server/watch/metrics.h"

#include <stdlib.h>

/* Reasons of one dungeon in the job's results: what more attempts say is in its own document. */
enum { REASONS_MAX = 16 };
/* Each is a sentence. */
#define REASONS_BYTES_MAX ((size_t)16 << 10)

static const digest *key_of(const job_task *task) {
    return &task->entry->reading->job.dungeons[task->index];
}

static void release(job_task *task) {
    blob_release(task->blob);
    task->blob = NULL;
    buffer_fini(&task->reasons);
}

/* Back from where it could not be left: false when its job has let it go, and it is gone now. */
static bool task_is_wanted(job_task *task) {
    task->parked = false;
    if (task->entry != NULL) {
        return true;
    }
    control_result_fini(&task->control.result);
    release(task);
    job_task_drop(task);
    return false;
}

/* ---- Noting --------------------------------------------------------------------------------- */

/* What rows of results and failures have in common. */
static void fill_row(job_task *task, task_row *row) {
    row->x = (int64_t)task->index;
    row->build_key = *key_of(task);
    if (task->reasons.size > 0 && buffer_status(&task->reasons) == LOAM_OK) {
        row->reasons.bytes = buffer_take(&task->reasons, &row->reasons.size);
    }
}

static void note_result(job_task *task) {
    task_row row = {.status = loam_text_of(loam_dungeon_status_name(task->status)),
                    .digest = task->blob->digest,
                    .bytes = task->blob->size,
                    .cached = task->cached};
    fill_row(task, &row);
    metric_add(METRIC_JOB_DUNGEONS, 1);
    job_note_result(task->entry, task->index, &row);
    release(task);
    job_task_end(task);
}

static void write_reason(text_buffer *to, loam_text code, loam_text detail) {
    buffer_open_object(to);
    buffer_key(to, "code");
    buffer_string_text(to, code);
    buffer_key(to, "detail");
    buffer_string_text(to, detail);
    buffer_close_object(to);
}

/* A dungeon that failed has a row too, which says why. */
static void note_failure(job_task *task, const loam_error *error, bool of_store) {
    const job_failure failure = {.error = error, .of_store = of_store};
    if (job_note_failure(task->entry, task->index, &failure)) {
        task_row row = {.n = ++task->entry->row_number, .status = loam_text_of(JOB_TASK_FAILED)};
        buffer_init(&task->reasons, REASONS_BYTES_MAX);
        buffer_open_array(&task->reasons);
        write_reason(&task->reasons, loam_text_of(loam_status_code(error->status)),
                     loam_text_of(error->text));
        buffer_close_array(&task->reasons);
        fill_row(task, &row);
        job_entry_add_row(task->entry, &row);
    }
    release(task);
    job_task_end(task);
}

/* ---- How it went ---------------------------------------------------------------------------- */

static void write_floor_reasons(text_buffer *to, const loam_dungeon_floor *floor, uint32_t *left) {
    bool chosen = floor->chosen < floor->attempt_count;
    const loam_attempt *attempt =
        &floor->attempts[chosen ? floor->chosen : floor->attempt_count - 1];
    for (uint32_t i = 0; i<attempt->reason_count && * left> 0; i++, (*left)--) {
        write_reason(to, attempt->reasons[i].code, attempt->reasons[i].text);
    }
}

/* Of each floor: of the attempt that was taken, or of the last where another recipe stood in. */
static void write_reasons(text_buffer *to, const loam_dungeon *dungeon) {
    uint32_t left = REASONS_MAX;
    buffer_open_array(to);
    for (uint32_t i = 0; i < dungeon->floor_count; i++) {
        const loam_dungeon_floor *floor = &dungeon->floors[i];
        if (floor->status != LOAM_DUNGEON_OK && floor->attempt_count > 0) {
            write_floor_reasons(to, floor, &left);
        }
    }
    buffer_close_array(to);
}

static void work_look(pool_task *work, pool_worker *worker) {
    job_task *task = (job_task *)((char *)work - offsetof(job_task, work));
    loam_dungeon dungeon;
    if (loam_dungeon_decode(task->blob->bytes, task->blob->size, pool_worker_arena(worker),
                            &dungeon, &task->error) != LOAM_OK) {
        return;
    }
    task->status = dungeon.status;
    if (dungeon.status != LOAM_DUNGEON_OK) {
        write_reasons(&task->reasons, &dungeon);
    }
}

static void looked(pool_task *work) {
    job_task *task = (job_task *)((char *)work - offsetof(job_task, work));
    if (!task_is_wanted(task)) {
        return;
    }
    if (task->error.status == LOAM_OK) {
        note_result(task);
    } else {
        note_failure(task, &task->error, false);
    }
}

static void look(job_task *task) {
    loam_error error = {0};
    buffer_init(&task->reasons, REASONS_BYTES_MAX);
    task->work = (pool_task){.work = work_look, .done = looked, .priority = POOL_BATCH};
    loam_status status = pool_submit(task->table->flow->workers, &task->work);
    if (status == LOAM_OK) {
        task->parked = true;
    } else {
        loam_fail(&error, status, NULL, "%s", loam_status_text(status));
        note_failure(task, &error, false);
    }
}

/* ---- Its way -------------------------------------------------------------------------------- */

static void landed(flight_waiter *waiter, const flight_landing *landing) {
    job_task *task = (job_task *)((char *)waiter - offsetof(job_task, waiter));
    if (landing->error->status != LOAM_OK) {
        note_failure(task, landing->error, landing->unstored);
        return;
    }
    task->blob = blob_retain(landing->blob);
    task->cached = landing->origin == ORIGIN_STORED;
    look(task);
}

/* The request is lent to the flight, which copies it: the task may be over when it returns. */
static void fly(job_task *task) {
    control_result result = task->control.result;
    const dungeon_wish wish = {
        .key = *key_of(task), .request = result.documents[0].document, .kept = true};
    task->control.result = (control_result){0};
    task->waiter = (flight_waiter){
        .batch = true, .stored = true, .landed = landed, .payer = task->entry->owner};
    dungeon_join(task->table->flow, &wish, &task->waiter);
    control_result_fini(&result);
}

static void asked(loop_task *posted) {
    job_task *task = (job_task *)((char *)posted - offsetof(job_task, posted));
    if (!task_is_wanted(task)) {
        return;
    }
    if (task->control.base.error.status == LOAM_OK) {
        fly(task);
    } else {
        control_result_fini(&task->control.result);
        note_failure(task, &task->control.base.error, true);
    }
}

static void ask_done(void *context) {
    job_task *task = context;
    task->posted.run = asked;
    loop_post(task->table->flow->loop, &task->posted);
}

void job_dungeon_start(job_task *task) {
    task->control = (control_request){.base = {.done = ask_done, .context = task},
                                      .operation = CONTROL_DOCUMENT_GET,
                                      .document = {.kind = DOCUMENT_DUNGEON},
                                      .key = *key_of(task)};
    loam_status status = store_control(task->table->flow->store, &task->control);
    if (status != LOAM_OK) {
        loam_error error = {0};
        loam_fail(&error, status, NULL, "%s", loam_status_text(status));
        note_failure(task, &error, true);
        return;
    }
    task->parked = true;
}
