/* SPDX-License-Identifier: MIT
 *
 * footprint.h: what a daemon under test takes, memory now and at its peak, processor time.
 */
#ifndef LOAM_TESTS_SUPPORT_FOOTPRINT_H
#define LOAM_TESTS_SUPPORT_FOOTPRINT_H

#include <sys/types.h>

typedef struct footprint {
    double resident_mb;
    double peak_mb; /* since footprint_restart */
    double cpu_s;   /* of all threads, since the start */
} footprint;

footprint footprint_of(pid_t pid);
/* Lets the peak begin anew. */
void footprint_restart(pid_t pid);

#endif
