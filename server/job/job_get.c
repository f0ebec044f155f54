/* SPDX-License-Identifier: MIT
 *
 * job_get.c: see job_get.h.
 */
#include "server/job/job_get.h"

#include "server/job/job_status.h"
#include "server/slot/caller.h"
#include "server/slot/negotiate.h"
#include "server/slot/reply.h"

/* Jobs of a page of the list: the control writer reads them between two commits, and each may have
 * 128 KB of problems, though most have none. */
#define LIST_ROWS_MAX 256u
#define LIST_BYTES_MAX ((size_t)64 << 20)
/* A page of results: rows of some 300 bytes. */
#define RESULTS_BYTES_MAX ((size_t)16 << 20)

static step_result job_list_ask(void *subject);
static step_result job_list_answer(void *subject);
static step_result results_ask(void *subject);
static step_result results_write(void *subject);
static step_result results_answer(void *subject);

const flow_step job_list_steps[] = {
    {"ask", job_list_ask, false},
    {"answer", job_list_answer, false},
    SLOT_END,
};

const flow_step job_get_steps[] = {
    {"parse", job_parse, false},
    {"wait", job_wait, false},
    {"ask", job_ask, false},
    {"answer", job_answer, false},
    SLOT_END,
};

const flow_step job_results_steps[] = {
    {"parse", job_parse, false},          {"ask", job_ask, false},
    {"ask for rows", results_ask, false}, {"write", results_write, false}, /* worker */
    {"answer", results_answer, false},    SLOT_END,
};

/* ---- List ----------------------------------------------------------------------------------- */

static step_result job_list_ask(void *subject) {
    flow_slot *slot = subject;
    uint64_t limit = 0;
    loam_text state = http_query(slot->request, "state");
    if (slot_query_count(slot, "limit", LIST_ROWS_MAX, &limit) != LOAM_OK) {
        return STEP_FAILED;
    }
    if (state.bytes != NULL && job_state_find(state) == JOB_STATE_COUNT) {
        return slot_fail(slot, LOAM_OUT_OF_RANGE, NULL,
                         "?state= takes queued, running, paused, succeeded, failed or cancelled");
    }
    return slot_control(slot,
                        (control_request){.operation = CONTROL_JOB_LIST,
                                          .name = state,
                                          .after = http_query(slot->request, "after"),
                                          .limit = limit > 0 ? (uint32_t)limit : LIST_ROWS_MAX});
}

/* Where the next page begins. Jobs that the caller may not see are left out of a page, so that its
 * length does not tell whether it is the last. */
static void write_next(const control_request *page, text_buffer *buffer) {
    const control_result *rows = &page->result;
    if (rows->count == page->limit) {
        buffer_key(buffer, "next");
        buffer_string_text(buffer, rows->jobs[rows->count - 1].id);
    }
}

static step_result job_list_answer(void *subject) {
    flow_slot *slot = subject;
    text_buffer buffer;
    buffer_init(&buffer, LIST_BYTES_MAX);
    buffer_open_object(&buffer);
    buffer_key(&buffer, "jobs");
    buffer_open_array(&buffer);
    for (size_t i = 0; i < slot->control.result.count; i++) {
        const job_row *row = &slot->control.result.jobs[i];
        if (caller_allows_world(slot->request, row->world)) {
            job_row_write(row, &buffer);
        }
    }
    buffer_close_array(&buffer);
    write_next(&slot->control, &buffer);
    buffer_close_object(&buffer);
    step_result result = slot_answer_document(slot, &buffer, (reply_form){0});
    buffer_fini(&buffer);
    return result;
}

/* ---- Results -------------------------------------------------------------------------------- */

static step_result results_ask(void *subject) {
    job_slot *slot = subject;
    uint64_t limit = CONTROL_ROWS_MAX;
    if (!job_row_allowed(slot)) {
        return STEP_FAILED;
    }
    if (slot_query_count(&slot->base, "after", UINT64_MAX / 16, &slot->after_n) != LOAM_OK ||
        slot_query_count(&slot->base, "limit", CONTROL_ROWS_MAX, &limit) != LOAM_OK) {
        return STEP_FAILED;
    }
    return slot_control(&slot->base, (control_request){.operation = CONTROL_JOB_RESULTS,
                                                       .name = loam_text_of(slot->id),
                                                       .after_n = slot->after_n,
                                                       .limit = (uint32_t)limit});
}

static void write_cell(text_buffer *buffer, const task_row *row) {
    buffer_key(buffer, "output");
    buffer_string_text(buffer, row->output);
    buffer_key(buffer, "level");
    buffer_unsigned(buffer, row->level);
    buffer_key(buffer, "cell");
    buffer_open_array(buffer);
    buffer_integer(buffer, row->x);
    buffer_integer(buffer, row->z);
    buffer_close_array(buffer);
}

static void write_dungeon(text_buffer *buffer, const task_row *row) {
    buffer_key(buffer, "dungeon");
    buffer_integer(buffer, row->x);
    buffer_key(buffer, "status");
    buffer_string_text(buffer, row->status);
    if (row->reasons.size > 0) {
        buffer_key(buffer, "reasons");
        buffer_json(buffer, row->reasons);
    }
}

static void write_artifact(text_buffer *buffer, const task_row *row) {
    buffer_key(buffer, "digest");
    buffer_digest(buffer, &row->digest);
    if (row->status.size == 0) {
        buffer_key(buffer, "count");
        buffer_unsigned(buffer, row->count);
    }
    buffer_key(buffer, "bytes");
    buffer_unsigned(buffer, row->bytes);
    buffer_key(buffer, "cached");
    buffer_bool(buffer, row->cached);
}

/* Of a cell or, with a status, of a dungeon; one that failed has nothing to fetch. */
static void write_result(text_buffer *buffer, const task_row *row) {
    buffer_open_object(buffer);
    buffer_key(buffer, "n");
    buffer_unsigned(buffer, row->n);
    if (row->status.size == 0) {
        write_cell(buffer, row);
    } else {
        write_dungeon(buffer, row);
    }
    buffer_key(buffer, "build_key");
    buffer_digest(buffer, &row->build_key);
    if (!loam_text_equal(row->status, loam_text_of(JOB_TASK_FAILED))) {
        write_artifact(buffer, row);
    }
    buffer_close_object(buffer);
    buffer_add_text(buffer, "\n");
}

/* A page has more than a megabyte, which takes long to write, code and hash: not on the loop. */
static loam_status work_write(flow_slot *base, pool_worker *worker) {
    job_slot *slot = (job_slot *)base;
    const control_result *rows = &base->control.result;
    text_buffer buffer;
    (void)worker;
    buffer_init(&buffer, RESULTS_BYTES_MAX);
    for (size_t i = 0; i < rows->count; i++) {
        write_result(&buffer, &rows->tasks[i]);
    }
    if (buffer_status(&buffer) == LOAM_OK) {
        slot->page = reply_code(buffer_view(&buffer), &slot->coding);
    }
    buffer_fini(&buffer);
    return slot->page != NULL
               ? LOAM_OK
               : loam_fail(&base->error, LOAM_ARENA_FULL, NULL, "no memory for the answer");
}

static step_result results_write(void *subject) {
    job_slot *slot = subject;
    slot->coding = negotiate_content_coding(http_header(slot->base.request, "Accept-Encoding"));
    return slot_work_anyway(&slot->base, work_write);
}

static step_result results_answer(void *subject) {
    job_slot *slot = subject;
    slot->base.answer = reply_bytes(slot->base.request,
                                    (reply_form){.type = MEDIA_NDJSON,
                                                 .cache = CACHE_REVALIDATE,
                                                 .coding = coding_name(slot->coding),
                                                 .vary = true},
                                    slot->page);
    return slot->base.answer != NULL
               ? STEP_NEXT
               : slot_fail(&slot->base, LOAM_ARENA_FULL, NULL, "no memory for the answer");
}
