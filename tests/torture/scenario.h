/* SPDX-License-Identifier: MIT
 *
 * scenario.h: what a daemon is asked to do while one of its calls fails, what it acknowledged, and
 * whether a healthy daemon on the same folder still has all of that.
 */
#ifndef LOAM_TESTS_TORTURE_SCENARIO_H
#define LOAM_TESTS_TORTURE_SCENARIO_H

#include "tests/support/daemon.h"

#include <stdbool.h>

enum { SCENARIO_CLASSES = 5, DIGEST_TEXT_BYTES = 80 };

/* How often a daemon that nothing fails calls what may fail, in the order of fault.c. */
typedef struct call_counts {
    long calls[SCENARIO_CLASSES];
} call_counts;

/* Runs the scenario without a fault; remembers the digests that every other run must give. */
call_counts scenario_count(void);

/* Runs it with LOAM_FAULT=fault ("memory:12"). Fails the test, naming the fault, when the daemon
 * crashes, leaks (where a sanitizer looks), hangs, answers with what it may not, or has lost what
 * it acknowledged. */
void scenario_run(const char *fault);
/* Of one answer while it runs. */
void scenario_check_status(const char *fault, const char *what, const answer *of);
/* After the last: starts that failed share a folder until a healthy daemon has lived there. */
void scenario_end(void);

#endif
