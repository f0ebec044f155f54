/* SPDX-License-Identifier: MIT
 *
 * job_turn.h: whose turn it is: of two jobs that could begin a task now, which one does. The more
 * urgent one, but urgency grows while a job waits, so that none waits for ever; among equals the
 * one with fewer tasks in the air. A pure function of values, the time among them.
 */
#ifndef LOAM_SERVER_JOB_JOB_TURN_H
#define LOAM_SERVER_JOB_JOB_TURN_H

#include <stdbool.h>
#include <stdint.h>

/* Since its last task began, a job gains one priority in that time. Behind jobs of priority 9 one
 * of priority 0 begins a task every ten seconds: it comes to an end, and takes no more than a
 * twentieth of two workers from them even when a cell takes a second. */
enum { JOB_AGING_MS = 1000 };

typedef struct job_turn {
    uint32_t priority; /* as asked for; larger is more urgent */
    uint32_t flying;   /* tasks in the air */
    uint64_t since_ms; /* its last task began, or it could begin one at all */
} job_turn;

/* Whether `a` goes before `b`; false when neither does. */
bool job_turn_before(const job_turn *a, const job_turn *b, uint64_t now_ms);

#endif
