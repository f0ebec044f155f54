/* SPDX-License-Identifier: MIT
 *
 * step.h: how work travels through a table of steps. A step does its part at once, or starts
 * something elsewhere and parks; whoever ends that resumes the walk on the network thread. After a
 * failure only the steps marked `always` still run (reply, settle), so every table reads from top
 * to bottom and has one end.
 *
 * Invariant: a walk is touched by the network thread alone, and resumed exactly once per park.
 */
#ifndef LOAM_SERVER_SLOT_STEP_H
#define LOAM_SERVER_SLOT_STEP_H

#include "core/loam.h"

typedef enum step_result {
    STEP_NEXT,   /* done: go on with the next one */
    STEP_PARKED, /* walk_resume will come */
    STEP_FAILED, /* the subject holds the error */
    STEP_ENDED,  /* the subject is gone: do not touch it */
} step_result;

typedef struct flow_step {
    const char *name;
    step_result (*run)(void *subject);
    bool always; /* runs after a failure too */
} flow_step;

typedef struct step_walk {
    const flow_step *steps; /* ends with a row without `run`; its last step ends the subject */
    void *subject;
    uint32_t at;
    bool failed;
    bool parked;
} step_walk;

/* Sets out, and walks until it parks or ends. */
void walk_begin(step_walk *walk, const flow_step *steps, void *subject);
/* The parked step has ended: well, or with a failure that the subject holds. */
void walk_resume(step_walk *walk, bool failed);
/* Where it stands, for logs. */
const char *walk_step(const step_walk *walk);

#endif
