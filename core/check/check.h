/* SPDX-License-Identifier: MIT
 *
 * check.h: what the files of this room share. Each check judges the points of one cell and notes at
 * most one reason: the first instance, in canonical order, that fails it, and how many do.
 */
#ifndef LOAM_CHECK_CHECK_H
#define LOAM_CHECK_CHECK_H

#include "core/loam.h"

/* Lengths in reasons are in 1/256 unit, 1/65,536 m; counts in 1/256. */
enum { CHECK_LENGTH_BITS = 16, CHECK_LENGTH_PER_UNIT = 256, CHECK_COUNT_BITS = 8 };

/* A cell under judgement. */
typedef struct check_call {
    const loam_check *check;
    const loam_query *query;
    const loam_points *points;
    const loam_run *run;
    loam_verdict *verdict;
    loam_error *error;
} check_call;

/* Adds a reason to the verdict; `row` is the instance that it names, or CHECK_NO_ROW. */
#define CHECK_NO_ROW UINT32_MAX
void check_note(check_call *call, loam_check_reason reason, uint32_t row);

/* check_key.c: whether the slots that the check names hold what it wants. */
LOAM_MUST_USE loam_status check_slots(const loam_check *check, const loam_query *query,
                                      loam_error *error);
/* check_spacing.c */
LOAM_MUST_USE loam_status check_spacing(check_call *call);

#endif
