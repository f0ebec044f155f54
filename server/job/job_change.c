/* SPDX-License-Identifier: MIT
 *
 * job_change.c: what clients do to a job that has not ended: cancellation, pause, resumption. Each
 * is answered when it is in the store.
 */
#include "server/job/job_change.h"

static step_result cancel_act(void *subject);
static step_result pause_act(void *subject);
static step_result resume_act(void *subject);

const flow_step job_cancel_steps[] = {
    {"parse", job_parse, false},
    {"ask", job_ask, false},
    {"cancel", cancel_act, false},
    {"committed", job_wait, false},
    {"ask again", job_ask, false},
    {"answer", job_answer, false},
    SLOT_END,
};

const flow_step job_pause_steps[] = {
    {"parse", job_parse, false},
    {"ask", job_ask, false},
    {"pause", pause_act, false},
    {"committed", job_wait, false},
    {"ask again", job_ask, false},
    {"answer", job_answer, false},
    SLOT_END,
};

const flow_step job_resume_steps[] = {
    {"parse", job_parse, false},
    {"ask", job_ask, false},
    {"resume", resume_act, false},
    {"committed", job_wait, false},
    {"ask again", job_ask, false},
    {"answer", job_answer, false},
    SLOT_END,
};

static step_result act(job_slot *slot, loam_status (*change)(job_entry *entry, loam_error *error),
                       const char *done) {
    job_entry *entry = job_slot_entry(slot);
    if (!job_row_allowed(slot)) {
        return STEP_FAILED;
    }
    slot->started = true;
    if (entry == NULL) {
        return slot_fail(&slot->base, LOAM_BAD_STATE, NULL, "a job that has ended cannot be %s",
                         done);
    }
    loam_status status = change(entry, &slot->base.error);
    slot->wait_for = JOB_WAIT_COMMIT;
    slot->commit = job_entry_due_commit(entry);
    return slot_result(&slot->base, status);
}

static step_result cancel_act(void *subject) {
    return act(subject, job_entry_cancel, "cancelled");
}

static step_result pause_act(void *subject) {
    return act(subject, job_entry_pause, "paused");
}

static step_result resume_act(void *subject) {
    return act(subject, job_entry_resume, "resumed");
}
