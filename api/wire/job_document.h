/* SPDX-License-Identifier: MIT
 *
 * job_document.h: a job as a client asks for it, judged against the world it names. The canonical
 * text has the revision in it, so that the same request is the same job, whose id is the head of
 * the text's digest.
 */
#ifndef LOAM_API_WIRE_JOB_DOCUMENT_H
#define LOAM_API_WIRE_JOB_DOCUMENT_H

#include "api/wire/world_document.h"

/* Cells of a job, over all its outputs: a 16,384 m square of 4 m cells. */
#define JOB_CELLS_MAX ((uint64_t)16 << 20)

enum {
    JOB_PRIORITY_MAX = 9,
    JOB_PRIORITY_INITIAL = 5,
    JOB_ID_SIZE = 32, /* hex digits: 128 bits do not collide */
    JOB_ID_BYTES = JOB_ID_SIZE + 1,
};

typedef struct job_cell {
    int64_t x, z;
} job_cell;

typedef struct job {
    char id[JOB_ID_BYTES];
    loam_text world; /* its name */
    digest revision;
    uint32_t *outputs; /* indices in the world's graph, rising */
    uint32_t output_count;
    uint32_t level;
    bool listed;
    job_cell min, max;     /* inclusive, unless listed */
    const job_cell *cells; /* listed: each once, by z, then x */
    uint64_t cell_count;
    uint32_t priority;
    bool keep;
    loam_text canonical;
} job;

/* Finds a world: its newest revision when `revision` is NULL. LOAM_NOT_FOUND when there is none.
 * The world is borrowed while the job is read. */
typedef struct job_resolver {
    loam_status (*find_world)(void *context, loam_text name, const digest *revision,
                              const world **found);
    void *context;
} job_resolver;

/* Everything the job holds is owned by `arena`. LOAM_OK, or the status of the first fault. */
LOAM_MUST_USE loam_status job_read(loam_text json, const job_resolver *resolver, loam_arena *arena,
                                   job *to, fault_list *faults);
/* The cell of a task: tasks are numbered output by output, cells by z, then x. */
job_cell job_cell_at(const job *of, uint64_t index);

#endif
