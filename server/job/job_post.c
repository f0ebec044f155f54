/* SPDX-License-Identifier: MIT
 *
 * job_post.c: a job is read on a worker, a job of cells against its world; requests of dungeons are
 * kept; its id says whether it is there already. A new one is committed before it is accepted; one
 * that failed, was cancelled or lost results goes on where it was; any other is the same job. And
 * retries, which set out again by the job's id.
 */
#include "server/job/job_post.h"

#include "core/base/try.h"
#include "server/slot/caller.h"
#include "server/slot/reply.h"

#include <stdio.h>
#include <string.h>

/* What a candidate comes to in stored bytes: about a third of them survive, at some 16 bytes. Where
 * nothing is filtered it is twice that: which operations drop points core does not tell. */
enum { BYTES_PER_CANDIDATE = 6 };
/* What a cell takes of cache.db beside its points, at least: head and columns of its artifact, two
 * rows and their indexes. A million cells of one point each take 520 bytes each. */
enum { BYTES_PER_CELL = 400 };

static step_result post_read(void *subject);
static step_result post_keep(void *subject);
static step_result post_find(void *subject);
static step_result post_commit(void *subject);
static step_result post_start(void *subject);
static step_result post_wait(void *subject);

const flow_step job_post_steps[] = {
    {"read", post_read, false}, /* worker */
    {"keep", post_keep, false},
    {"find", post_find, false},
    {"commit", post_commit, false},
    {"start", post_start, false},
    {"loaded", job_wait, false}, /* of a job that ended: are its results still there? */
    {"patience", post_wait, false},
    {"wait", job_wait, false},
    {"ask", job_ask, false},
    {"answer", job_answer, false},
    SLOT_END,
};

/* ---- Post ----------------------------------------------------------------------------------- */

static loam_status estimate_cells(flow_slot *slot, const job_reading *reading, uint64_t *bytes) {
    const job *of = &reading->job;
    const revision_entry *revision = reading->built;
    for (uint32_t i = 0; i < of->output_count; i++) {
        loam_estimate estimate = {0};
        loam_rect rect;
        job_cell cell = job_cell_at(of, i * of->cell_count);
        LOAM_TRY(world_cell(&revision->world, of->level, cell.x, cell.z, &rect, &slot->error));
        LOAM_TRY(loam_plan_estimate(revision->plan, of->outputs[i], rect, &estimate, &slot->error));
        *bytes +=
            (estimate.candidates_node * BYTES_PER_CANDIDATE + BYTES_PER_CELL) * of->cell_count;
    }
    return LOAM_OK;
}

/* Results that the cache cannot hold at one time would push each other out. */
static loam_status check_size(flow_slot *slot, const job_reading *reading) {
    uint64_t cap = (uint64_t)slot->flow->settings->cache_bytes;
    uint64_t bytes = reading->kept.result_bytes;
    bool dungeons = reading->job.dungeons != NULL;
    if (!dungeons) {
        LOAM_TRY(estimate_cells(slot, reading, &bytes));
    }
    if (reading->job.keep && bytes > cap) {
        return loam_fail(&slot->error, LOAM_CACHE_TOO_SMALL, dungeons ? "/dungeons" : "/cells",
                         "about %llu MB of results, but the cache holds %llu MB (--cache-bytes)",
                         (unsigned long long)(bytes >> 20), (unsigned long long)(cap >> 20));
    }
    return LOAM_OK;
}

static loam_status work_read(flow_slot *base, pool_worker *worker) {
    job_slot *slot = (job_slot *)base;
    fault_list faults;
    fault_clear(&faults);
    slot->reading =
        job_reading_create(base->flow, base->request, pool_worker_arena(worker), &faults);
    return slot->reading == NULL ? fault_first(&faults, &base->error)
                                 : check_size(base, slot->reading);
}

static step_result post_read(void *subject) {
    job_slot *slot = subject;
    slot->body = http_request_body(slot->base.request);
    return slot_work_anyway(&slot->base, work_read);
}

/* One that is at work needs nothing more of its caller. */
static bool may_set_out(job_slot *slot) {
    if (job_slot_entry(slot) != NULL || slot->reserved != NULL) {
        return true;
    }
    if (!caller_has_core(slot->base.request)) {
        caller_fail_core(&slot->base);
        return false;
    }
    return job_reserve(slot) == LOAM_OK;
}

/* Also for a job that is there: what its dungeons hide may be new. */
static step_result post_keep(void *subject) {
    job_slot *slot = subject;
    const job_kept *kept = &slot->reading->kept;
    loam_text name = slot->reading->job.world;
    if (name.size > 0 && !caller_allows_world(slot->base.request, name)) {
        return slot_fail(&slot->base, LOAM_FORBIDDEN, "/world", "the token is not for this world");
    }
    memcpy(slot->id, slot->reading->job.id, JOB_ID_BYTES);
    if (!may_set_out(slot)) {
        return STEP_FAILED;
    }
    if (kept->count == 0) {
        return STEP_NEXT;
    }
    return slot_control(&slot->base, (control_request){.operation = CONTROL_DOCUMENTS_PUT,
                                                       .documents = kept->rows,
                                                       .document_count = kept->count});
}

static step_result post_find(void *subject) {
    job_slot *slot = subject;
    job_kept_fini(&slot->reading->kept);
    slot->reading->epoch = world_table_epoch(slot->base.flow->worlds);
    if (job_slot_entry(slot) != NULL) {
        return STEP_NEXT;
    }
    if (!may_set_out(slot)) { /* it has ended since it was looked for */
        return STEP_FAILED;
    }
    slot->base.fine = LOAM_NOT_FOUND;
    return slot_control(&slot->base, (control_request){.operation = CONTROL_JOB_GET,
                                                       .name = loam_text_of(slot->id)});
}

/* The row of a job that sets out now, and counts as his who asks. */
static job_row new_row(const job_slot *slot) {
    const job *of = &slot->reading->job;
    const token_owner *owner = caller_owner(slot->base.request);
    return (job_row){.id = loam_text_of(slot->id),
                     .request_key = of->key,
                     .request = of->canonical,
                     .world = of->world,
                     .revision = of->revision,
                     .state = loam_text_of(job_state_name(JOB_QUEUED)),
                     .total = job_task_count(of),
                     .created_ms = time_now_ms(),
                     .priority = of->priority,
                     .keep = of->keep,
                     .owner = loam_text_of(owner == NULL ? "" : owner->id)};
}

/* The row of an earlier run, queued again when that ended otherwise than well. */
static void take_row(job_slot *slot) {
    const job_row *row = &slot->base.control.result.jobs[0];
    job_state state = job_state_find(row->state);
    slot->row = new_row(slot);
    slot->row.created_ms = row->created_ms;
    slot->row.evicted = row->evicted;
    slot->row.started_ms = row->started_ms;
    slot->row.state = loam_text_of(job_state_name(state));
    slot->started = state == JOB_FAILED || state == JOB_CANCELLED;
    if (slot->started) {
        slot->row.state = loam_text_of(job_state_name(JOB_QUEUED));
        slot->row.started_ms = 0;
    } else {
        slot->row.finished_ms = row->finished_ms;
        slot->row.done = row->done;
        slot->row.cached = row->cached;
        slot->row.failed = row->failed;
    }
}

static step_result post_commit(void *subject) {
    job_slot *slot = subject;
    slot->base.fine = LOAM_OK;
    if (job_slot_entry(slot) != NULL) {
        return STEP_NEXT;
    }
    slot->fresh = slot->base.control.result.count == 0;
    if (!slot->fresh) {
        take_row(slot);
        return slot->started
                   ? slot_control(&slot->base, (control_request){.operation = CONTROL_JOB_UPDATE,
                                                                 .job = slot->row})
                   : STEP_NEXT;
    }
    slot->row = new_row(slot);
    slot->started = true;
    slot->base.fine = LOAM_DUPLICATE; /* the same request, a moment earlier */
    return slot_control(&slot->base,
                        (control_request){.operation = CONTROL_JOB_INSERT, .job = slot->row});
}

static step_result post_start(void *subject) {
    job_slot *slot = subject;
    slot->base.fine = LOAM_OK;
    if (job_slot_entry(slot) != NULL) {
        slot->started = false;
        job_unreserve(slot);
        return STEP_NEXT;
    }
    loam_status status = job_start(slot, slot->fresh);
    slot->wait_for = JOB_WAIT_LOADED;
    return slot_result(&slot->base, status);
}

/* A job that had succeeded and is still at work has lost results: it sets out again. One whose rows
 * could not be read by now is answered as its own row has it. */
static step_result post_wait(void *subject) {
    job_slot *slot = subject;
    const job_entry *entry = job_slot_entry(slot);
    bool had_succeeded = slot->row.finished_ms != 0 && !slot->started;
    bool known = entry != NULL && !job_entry_is_loading(entry);
    slot->started = slot->started || (had_succeeded && known);
    slot->wait_for = JOB_WAIT_NOTHING;
    job_wait_read(slot);
    return STEP_NEXT;
}

/* ---- Retries -------------------------------------------------------------------------------- */

static step_result retry_read(void *subject);
static step_result retry_commit(void *subject);
static step_result retry_start(void *subject);

const flow_step job_retry_steps[] = {
    {"parse", job_parse, false},
    {"ask", job_ask, false},
    {"read", retry_read, false}, /* worker */
    {"commit", retry_commit, false},
    {"start", retry_start, false},
    {"ask again", job_ask, false},
    {"answer", job_answer, false},
    SLOT_END,
};

static loam_status work_read_again(flow_slot *base, pool_worker *worker) {
    job_slot *slot = (job_slot *)base;
    fault_list faults;
    (void)worker;
    fault_clear(&faults);
    slot->reading =
        job_reading_create_kept(base->flow, base->control.result.jobs[0].request, &faults);
    return slot->reading == NULL ? fault_first(&faults, &base->error) : LOAM_OK;
}

static step_result retry_read(void *subject) {
    job_slot *slot = subject;
    if (!job_row_allowed(slot)) {
        return STEP_FAILED;
    }
    bool failed = job_slot_entry(slot) == NULL &&
                  job_state_find(slot->base.control.result.jobs[0].state) == JOB_FAILED;
    if (!failed) {
        return slot_fail(&slot->base, LOAM_BAD_STATE, NULL, "only a job that failed is retried");
    }
    if (job_reserve(slot) != LOAM_OK) {
        return STEP_FAILED;
    }
    return slot_work(&slot->base, work_read_again);
}

static step_result retry_commit(void *subject) {
    job_slot *slot = subject;
    slot->reading->epoch = world_table_epoch(slot->base.flow->worlds);
    take_row(slot);
    return slot_control(&slot->base,
                        (control_request){.operation = CONTROL_JOB_UPDATE, .job = slot->row});
}

static step_result retry_start(void *subject) {
    return slot_result(subject, job_start(subject, false));
}
