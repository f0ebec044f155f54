/* SPDX-License-Identifier: MIT
 *
 * script_parts.h: a visitor, and what of his script stands in more than one file.
 */
#ifndef LOAM_TESTS_DISASTER_SCRIPT_PARTS_H
#define LOAM_TESTS_DISASTER_SCRIPT_PARTS_H

#include "tests/disaster/ledger.h"
#include "tests/sim/dice.h"

typedef struct visitor {
    ledger *shared;
    visitor_note *note;
    uint32_t number;
    dice dice;
} visitor;

/* Only over a terrain that is known. */
void script_put_world(visitor *of);
/* Only of a world that is known. */
void script_post_job(visitor *of);
/* Commands one of his jobs, or looks at it. */
void script_tend_job(visitor *of);
/* Drives a job to its end. */
void script_conclude_job(visitor *of, job_note *job);

#endif
