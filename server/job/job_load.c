/* SPDX-License-Identifier: MIT
 *
 * job_load.c: a job that has results already: its rows are read page by page, and each counts only
 * if its result is still in the cache, for a crash or eviction may have taken it. What is missing
 * is built again, and so is what failed. Until all is read no task starts: a page that cannot be
 * had is read again a little later, for rows that come go behind the last one. Of a job that is
 * done and not kept, rows are read once more, to tell how many results went while it ran.
 */
#include "server/job/job_entry.h"

#include "core/base/assert.h"
#include "server/watch/log.h"

#include <stdlib.h>

/* Rows that are read and looked up at one time. */
enum { PAGE_ROWS = CONTROL_ROWS_MAX };

static void load_page(job_entry *entry);

static void log_load_failure(const job_entry *entry, const loam_error *error) {
    log_line line;
    log_begin(&line, LOG_ERROR, "job-not-loaded");
    log_string(&line, "id", entry->reading->job.id);
    log_error(&line, error);
    log_end(&line);
}

/* A succeeded job that lost results is queued again; the rest of them is as it was. */
static void load_ended(job_entry *entry) {
    job_table *table = entry->table;
    entry->loading = false;
    entry->waiting_since_ms = loop_now_ms();
    table->busy--;
    if (entry->counting) {
        entry->counting = false;
        entry->counted = true;
        entry->evicted = entry->missing;
    } else if (entry->missing > 0 && entry->state == JOB_SUCCEEDED) {
        entry->evicted = entry->missing;
        entry->state = JOB_QUEUED;
        entry->finished_ms = 0;
        entry->commit_due = true;
    }
    job_entry_settle(entry);
    if (job_entry_is_over(entry)) {
        job_entry_free(entry);
    } else {
        job_tell_watchers(entry);
    }
    job_table_pump(table);
}

static void page_again(job_entry *entry) {
    job_table *table = entry->table;
    entry->page_due = true;
    if (!table->rereading) {
        table->rereading = true;
        loop_timer_start(table->reread, JOB_DISK_PAUSE_MS, 0);
    }
}

/* Of a job for which nothing starts any more it does not matter how many rows are known. */
static bool may_end_anywhere(const job_entry *entry) {
    return entry->table->draining || entry->state == JOB_CANCELLED || entry->state == JOB_FAILED;
}

/* What is known of it is what its row says. */
static void end_unread(job_entry *entry, const loam_error *error) {
    job_entry_fail(entry, error);
    entry->done = entry->row_done;
    entry->cached = entry->row_cached;
    entry->failed = entry->row_failed;
}

/* What has succeeded, or is only counted, is as it was, whatever of it can be read. */
static void page_failed(job_entry *entry, const loam_error *error) {
    log_load_failure(entry, error);
    if (job_fault_passes(error->status) && !may_end_anywhere(entry)) {
        page_again(entry);
        return;
    }
    if (!may_end_anywhere(entry) && !entry->counting && entry->state != JOB_SUCCEEDED) {
        end_unread(entry, error);
    }
    load_ended(entry);
}

void job_pages_read_again(job_table *table) {
    for (job_entry *entry = table->first; entry != NULL; entry = entry->next) {
        if (entry->page_due) {
            entry->page_due = false;
            load_page(entry);
        }
    }
}

void job_pages_leave(job_table *table) {
    for (job_entry *entry = table->first, *next = NULL; entry != NULL; entry = next) {
        next = entry->next;
        if (entry->page_due) {
            entry->page_due = false;
            load_ended(entry);
        }
    }
}

/* ---- A row's task --------------------------------------------------------------------------- */

static bool find_output(const job_entry *entry, loam_text name, uint64_t *first) {
    const job *of = &entry->reading->job;
    for (uint32_t i = 0; i < of->output_count; i++) {
        *first = i * of->cell_count;
        if (loam_text_equal(job_output_name(entry, *first), name)) {
            return true;
        }
    }
    return false;
}

static bool find_cell(const job_entry *entry, const task_row *row, uint64_t *index) {
    uint64_t first = 0;
    bool found = find_output(entry, row->output, &first) &&
                 job_cell_find(&entry->reading->job, (job_cell){row->x, row->z}, index);
    *index += found ? first : 0;
    return found;
}

static bool find_dungeon(const job_entry *entry, const task_row *row, uint64_t *index) {
    const job *of = &entry->reading->job;
    *index = (uint64_t)row->x;
    return *index < of->dungeon_count && digest_equal(&of->dungeons[*index], &row->build_key) &&
           !loam_text_equal(row->status, loam_text_of(JOB_TASK_FAILED));
}

bool job_task_of_row(const job_entry *entry, const task_row *row, uint64_t *index) {
    return entry->reading->job.dungeons != NULL ? find_dungeon(entry, row, index)
                                                : find_cell(entry, row, index);
}

static void count_row(job_entry *entry, const task_row *row, bool present) {
    uint64_t index = 0;
    entry->row_number = row->n > entry->row_number ? row->n : entry->row_number;
    if (!job_task_of_row(entry, row, &index) || job_task_is_finished(entry, index)) {
        return;
    }
    if (!present) {
        entry->missing++;
        return;
    }
    job_task_set_finished(entry, index);
    entry->done++;
    entry->cached += row->cached;
}

static void note_row(job_entry *entry, const task_row *row, bool present) {
    entry->page_after = row->n;
    if (entry->counting) {
        bool failed = loam_text_equal(row->status, loam_text_of(JOB_TASK_FAILED));
        entry->missing += !present && !failed;
    } else {
        count_row(entry, row, present);
    }
}

/* ---- Pages ---------------------------------------------------------------------------------- */

static job_entry *entry_of_posted(loop_task *posted) {
    job_entry *entry = (job_entry *)((char *)posted - offsetof(job_entry, page_posted));
    LOAM_ASSERT(entry->magic == JOB_MAGIC);
    return entry;
}

static void page_looked_up(loop_task *posted) {
    job_entry *entry = entry_of_posted(posted);
    const control_result *page = &entry->page.result;
    size_t count = page->count;
    if (entry->keys.base.error.status != LOAM_OK) {
        control_result_fini(&entry->page.result);
        page_failed(entry, &entry->keys.base.error);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        note_row(entry, &page->tasks[i], entry->present[i]);
    }
    control_result_fini(&entry->page.result);
    if (count == PAGE_ROWS && !entry->table->draining) {
        load_page(entry);
    } else {
        load_ended(entry);
    }
}

static void look_up_done(void *context) {
    job_entry *entry = context;
    entry->page_posted.run = page_looked_up;
    loop_post(entry->table->flow->loop, &entry->page_posted);
}

static void page_read(loop_task *posted) {
    job_entry *entry = entry_of_posted(posted);
    const control_result *page = &entry->page.result;
    if (entry->page.base.error.status != LOAM_OK) {
        page_failed(entry, &entry->page.base.error);
        return;
    }
    for (size_t i = 0; i < page->count; i++) {
        entry->key_list[i] = page->tasks[i].build_key;
    }
    entry->keys = (store_keys){.base = {.done = look_up_done, .context = entry},
                               .keys = entry->key_list,
                               .count = page->count,
                               .present = entry->present,
                               .set = entry->pins};
    store *from = entry->table->flow->store;
    loam_status status = entry->pins != NULL ? store_result_pin(from, &entry->keys)
                                             : store_result_contains(from, &entry->keys);
    if (status != LOAM_OK) {
        loam_fail(&entry->keys.base.error, status, NULL, "%s", loam_status_text(status));
        look_up_done(entry);
    }
}

static void page_done(void *context) {
    job_entry *entry = context;
    entry->page_posted.run = page_read;
    loop_post(entry->table->flow->loop, &entry->page_posted);
}

/* Room for one page; not given back before the job's end. */
static bool take_room(job_entry *entry) {
    if (entry->key_list == NULL) {
        entry->key_list = calloc(PAGE_ROWS, sizeof(digest));
    }
    if (entry->present == NULL) {
        entry->present = calloc(PAGE_ROWS, sizeof(bool));
    }
    return entry->key_list != NULL && entry->present != NULL;
}

static void load_page(job_entry *entry) {
    entry->page = (control_request){.base = {.done = page_done, .context = entry},
                                    .operation = CONTROL_JOB_RESULTS,
                                    .name = loam_text_of(entry->reading->job.id),
                                    .after_n = entry->page_after,
                                    .limit = PAGE_ROWS};
    loam_status status =
        take_room(entry) ? store_control(entry->table->flow->store, &entry->page) : LOAM_ARENA_FULL;
    if (status != LOAM_OK) {
        loam_fail(&entry->page.base.error, status, NULL, "%s", loam_status_text(status));
        page_done(entry);
    }
}

static void read_rows(job_entry *entry) {
    entry->loading = true;
    entry->table->busy++;
    entry->page_after = 0;
    entry->missing = 0;
    load_page(entry);
}

void job_entry_load(job_entry *entry) {
    read_rows(entry);
}

void job_entry_count_lost(job_entry *entry) {
    entry->counting = true;
    read_rows(entry);
}
