/* SPDX-License-Identifier: MIT
 *
 * step.c: see step.h.
 */
#include "server/slot/step.h"

#include "core/base/assert.h"

static const flow_step *next_step(step_walk *walk) {
    while (walk->failed && walk->steps[walk->at].run != NULL && !walk->steps[walk->at].always) {
        walk->at++;
    }
    return &walk->steps[walk->at];
}

static void walk_on(step_walk *walk) {
    for (;;) {
        const flow_step *step = next_step(walk);
        LOAM_ASSERT(step->run != NULL);
        walk->parked = true; /* before the step runs: what it starts may resume only later */
        step_result result = step->run(walk->subject);
        if (result == STEP_PARKED || result == STEP_ENDED) {
            return;
        }
        walk->parked = false;
        walk->failed = walk->failed || result == STEP_FAILED;
        walk->at++;
    }
}

void walk_begin(step_walk *walk, const flow_step *steps, void *subject) {
    *walk = (step_walk){.steps = steps, .subject = subject};
    walk_on(walk);
}

void walk_resume(step_walk *walk, bool failed) {
    LOAM_ASSERT(walk->parked);
    walk->parked = false;
    walk->failed = walk->failed || failed;
    walk->at++;
    walk_on(walk);
}

const char *walk_step(const step_walk *walk) {
    const char *name = walk->steps[walk->at].name;
    return name == NULL ? "end" : name;
}
