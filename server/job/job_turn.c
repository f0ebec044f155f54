/* SPDX-License-Identifier: MIT
 *
 * job_turn.c: see job_turn.h.
 */
#include "server/job/job_turn.h"

static uint64_t urgency(const job_turn *of, uint64_t now_ms) {
    uint64_t waited_ms = now_ms > of->since_ms ? now_ms - of->since_ms : 0;
    return of->priority + waited_ms / JOB_AGING_MS;
}

bool job_turn_before(const job_turn *a, const job_turn *b, uint64_t now_ms) {
    uint64_t urgency_a = urgency(a, now_ms);
    uint64_t urgency_b = urgency(b, now_ms);
    return urgency_a != urgency_b ? urgency_a > urgency_b : a->flying < b->flying;
}
