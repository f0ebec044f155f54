/* SPDX-License-Identifier: MIT
 *
 * crew.h: some threads that make many cells. They take numbers from one counter; each has memory of
 * its own; the first failure ends all. The calling thread draws progress.
 */
#ifndef API_CLI_CREW_H
#define API_CLI_CREW_H

#include "api/cli/offline.h"

/* More threads than that gain nothing on any machine that one generates on. */
#define CREW_WORKERS_MAX 256

typedef struct crew_task {
    const char *label;
    uint64_t count;
    uint32_t workers;
    const int *stop; /* nonzero ends the work with LOAM_CANCELLED */
    void *context;
    /* Makes number `index`, on any thread. */
    loam_status (*make)(void *context, uint64_t index, offline_cell *scratch, loam_error *error);
    /* Called for what was made, one at a time and in the order of the numbers; may be NULL. */
    void (*settle)(void *context, uint64_t index, const offline_cell *scratch);
    /* Writes what is shown beside the bar; may be NULL. */
    void (*note)(void *context, char *text, size_t capacity);
} crew_task;

LOAM_MUST_USE loam_status crew_run(const crew_task *task, loam_error *error);
/* One worker a processor. */
uint32_t crew_workers_default(void);
/* Makes interrupts set `*stop`; a second one ends the program at once. */
void crew_catch_interrupts(int *stop);

#endif
