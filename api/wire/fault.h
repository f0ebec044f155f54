/* SPDX-License-Identifier: MIT
 *
 * fault.h: all that is wrong with a document, in the order it was found. Readers go on after a
 * fault where they can, so that one answer names every mistake; whoever needs a single error takes
 * the first.
 */
#ifndef LOAM_API_WIRE_FAULT_H
#define LOAM_API_WIRE_FAULT_H

#include "core/loam.h"

/* Faults that an answer lists: more help nobody, and bound the answer to some 50 KB. */
enum { FAULTS_MAX = 64 };

typedef struct fault_list {
    uint32_t count; /* all of them; the first FAULTS_MAX are kept */
    loam_error items[FAULTS_MAX];
} fault_list;

void fault_clear(fault_list *faults);
/* Adds a copy and returns its status. */
loam_status fault_add(fault_list *faults, const loam_error *fault);
/* How many are kept. */
uint32_t fault_kept(const fault_list *faults);
/* The status of the first, LOAM_OK when there is none. */
loam_status fault_status(const fault_list *faults);
/* The first one, for callers that report one; noted in `error` unless it holds one already. */
loam_status fault_first(const fault_list *faults, loam_error *error);

#endif
