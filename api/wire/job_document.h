/* SPDX-License-Identifier: MIT
 *
 * job_document.h: a job as a client asks for it: cells of a world, judged against it, or dungeons,
 * each planned. The canonical text has the world's revision in it, or the dungeons' build keys, so
 * that the same request is the same job, whose id is the head of the text's digest.
 */
#ifndef LOAM_API_WIRE_JOB_DOCUMENT_H
#define LOAM_API_WIRE_JOB_DOCUMENT_H

#include "api/wire/dungeon_document.h"
#include "api/wire/world_document.h"

/* Cells of a job, over all its outputs: a 16,384 m square of 4 m cells. */
#define JOB_CELLS_MAX ((uint64_t)16 << 20)

/* Dungeons of a job: so many build keys are a document (JSON_BYTES_MAX), which is how the job is
 * kept. */
#define JOB_DUNGEONS_MAX 10000u

/* Values of a document that lists dungeons: ten for each. A tree of them takes some 10 MB. */
#define JOB_DUNGEON_VALUES_MAX ((size_t)JOB_DUNGEONS_MAX * 10)

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
    digest key; /* of the canonical text; the id is its head */
    /* Of dungeons: their build keys, as listed; NULL for a job of cells. */
    const digest *dungeons;
    uint32_t dungeon_count;
    /* Of cells. */
    loam_text world; /* its name */
    digest revision;
    uint32_t *outputs; /* indices in the world's graph, rising */
    uint32_t output_count;
    uint32_t level;
    bool listed;
    job_cell min, max;     /* inclusive, unless listed */
    const job_cell *cells; /* listed: each once, by z, then x */
    uint64_t cell_count;
    /* Of both. */
    uint32_t priority;
    bool keep;
    loam_text canonical;
} job;

/* A dungeon of a job that has been read; lent during the call. */
typedef struct job_dungeon {
    uint32_t index; /* in the list */
    dungeon_document document;
    const loam_dungeon_plan *plan;
    digest key; /* build key */
} job_dungeon;

/* Who knows what a job names. */
typedef struct job_resolver {
    /* Finds a world: its newest revision when `revision` is NULL. LOAM_NOT_FOUND when there is
     * none. The world is borrowed while the job is read. */
    loam_status (*find_world)(void *context, loam_text name, const digest *revision,
                              const world **found);
    /* Hears of each dungeon in turn and may refuse it, with a pointer into its request; may be
     * NULL. What it takes from `scratch` is given back after it. */
    loam_status (*take_dungeon)(void *context, const job_dungeon *dungeon, loam_arena *scratch,
                                loam_error *error);
    void *context;
    const rules_resolver *rules; /* documents that dungeons name; may be NULL */
    loam_arena *scratch;         /* for one dungeon at a time; NULL: a job of dungeons is refused */
} job_resolver;

/* Everything the job holds is owned by `arena`. LOAM_OK, or the status of the first fault. */
LOAM_MUST_USE loam_status job_read(loam_text json, const job_resolver *resolver, loam_arena *arena,
                                   job *to, fault_list *faults);
/* The same of a canonical text, which has build keys in the places of requests. */
LOAM_MUST_USE loam_status job_read_kept(loam_text canonical, const job_resolver *resolver,
                                        loam_arena *arena, job *to, fault_list *faults);
/* Tasks: cells of all outputs, or dungeons. */
uint64_t job_task_count(const job *of);
/* The cell of a task of a job of cells: tasks are numbered output by output, cells by z, then x. */
job_cell job_cell_at(const job *of, uint64_t index);
/* The other way: where a cell stands among those of one output, in a few steps however many they
 * are. False when it is none of them. */
bool job_cell_find(const job *of, job_cell cell, uint64_t *index);

#endif
