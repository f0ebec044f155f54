/* SPDX-License-Identifier: MIT
 *
 * timing.h: how benchmarks measure: processor time of this process, many times, and lines of name,
 * value, unit.
 */
#ifndef LOAM_TESTS_SUPPORT_TIMING_H
#define LOAM_TESTS_SUPPORT_TIMING_H

#include "core/loam.h"

#include <stddef.h>

/* Nanoseconds of processor time; a tick function of loam_run. */
uint64_t timing_now(void *context);
/* Orders times, for qsort. */
int timing_compare(const void *a, const void *b);
/* Ends the program with its error when a call failed. */
void timing_must(loam_status status, const loam_error *error);

/* One measured thing: `run` is called once to warm up, then `repetitions` times (1,000 at most). */
typedef struct timing {
    uint64_t min, median, p99; /* nanoseconds */
} timing;
timing timing_of(void (*run)(void *context), void *context, int repetitions);

/* NAME_min and NAME_median, in ms. */
void timing_print(const char *name, timing measured);
/* NAME_digest of some bytes. */
void timing_print_digest(const char *name, const void *bytes, size_t size);

#endif
