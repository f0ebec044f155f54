/* SPDX-License-Identifier: MIT
 *
 * job_status.c: see job_status.h. The rate is as of the last commit, so that the document, and with
 * it the entity tag, changes only when the job does.
 */
#include "server/job/job_status.h"

#include "server/slot/reply.h"

static void write_count(text_buffer *buffer, const char *key, uint64_t value) {
    buffer_key(buffer, key);
    buffer_unsigned(buffer, value);
}

static void write_time(text_buffer *buffer, const char *key, int64_t unix_ms) {
    buffer_key(buffer, key);
    time_write(buffer, unix_ms);
}

static void write_counts(text_buffer *buffer, const job_row *row) {
    write_count(buffer, "total", row->total);
    write_count(buffer, "done", row->done);
    write_count(buffer, "cached", row->cached);
    write_count(buffer, "failed", row->failed);
    write_count(buffer, "evicted", row->evicted);
    write_time(buffer, "created", row->created_ms);
    write_time(buffer, "started", row->started_ms);
    write_time(buffer, "finished", row->finished_ms);
}

/* Tasks a second in 1/1024; 0 is unknown. */
static void write_speed(text_buffer *buffer, uint64_t rate_q10, uint64_t eta_s) {
    buffer_key(buffer, "rate_per_s");
    if (rate_q10 == 0) {
        buffer_null(buffer);
        buffer_key(buffer, "eta_s");
        buffer_null(buffer);
        return;
    }
    buffer_decimal(buffer, (int64_t)rate_q10, 10);
    buffer_key(buffer, "eta_s");
    buffer_unsigned(buffer, eta_s);
}

static void write_job(text_buffer *buffer, const job_row *row, uint64_t rate_q10, uint64_t eta_s) {
    buffer_open_object(buffer);
    buffer_key(buffer, "id");
    buffer_string_text(buffer, row->id);
    buffer_key(buffer, "state");
    buffer_string_text(buffer, row->state);
    if (row->world.size > 0) { /* a job of cells */
        buffer_key(buffer, "world");
        buffer_string_text(buffer, row->world);
        buffer_key(buffer, "revision");
        buffer_digest(buffer, &row->revision);
    }
    write_count(buffer, "priority", row->priority);
    write_counts(buffer, row);
    write_speed(buffer, rate_q10, eta_s);
    buffer_key(buffer, "problems");
    buffer_json(buffer, row->problems.size == 0 ? loam_text_of("[]") : row->problems);
    buffer_close_object(buffer);
}

/* Over the whole run, pauses included: what a job at its end can still tell. */
void job_row_write(const job_row *row, text_buffer *buffer) {
    int64_t elapsed_ms = row->finished_ms - row->started_ms;
    uint64_t rate_q10 = row->finished_ms == 0 || row->started_ms == 0 || elapsed_ms <= 0
                            ? 0
                            : row->done * 1024 * 1000 / (uint64_t)elapsed_ms;
    write_job(buffer, row, rate_q10, 0);
}

/* Its end is not told before it is written down, with the last of its results. One that loads has
 * ended earlier. */
static bool is_ending(const job_entry *entry) {
    job_state state = job_entry_state(entry);
    return (state == JOB_SUCCEEDED || state == JOB_FAILED) && !job_entry_is_loading(entry) &&
           !job_entry_is_over(entry);
}

void job_entry_write(const job_entry *entry, text_buffer *buffer) {
    job_row row = job_entry_row(entry);
    if (is_ending(entry)) {
        row.state = loam_text_of(job_state_name(JOB_RUNNING));
        row.finished_ms = 0;
    }
    write_job(buffer, &row, job_entry_rate_q10(entry), job_entry_eta_s(entry));
}
