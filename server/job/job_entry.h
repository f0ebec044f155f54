/* SPDX-License-Identifier: MIT
 *
 * job_entry.h: a job from within: shared by the files job_*.c that schedule, run, commit and load
 * it, and by no one else.
 */
#ifndef LOAM_SERVER_JOB_JOB_ENTRY_H
#define LOAM_SERVER_JOB_JOB_ENTRY_H

#include "server/cell/cell_flight.h"
#include "server/dungeon/dungeon_flight.h"
#include "server/job/job_table.h"

/* Rows that gather before a commit; while one is under way others gather for the next. */
enum { JOB_ROWS_MAX = 1024 };
/* Tasks to start once more. They were in the air or landed: their rows gather, or are in a commit
 * that finds their results gone. No other task starts before them. */
enum { JOB_AGAIN_MAX = 2 * JOB_ROWS_MAX };
/* A full queue turns over in about the first time; a disk that is full or fails may be well again
 * after the second. */
enum { JOB_QUEUE_PAUSE_MS = 50, JOB_DISK_PAUSE_MS = 1000 };
/* Problems that a job's document lists. */
enum { JOB_PROBLEMS_MAX = 20 };
/* Cells whose traces are added up: enough to tell a rare point from none, and soon built. */
enum { JOB_FUNNEL_CELLS = 16 };
/* Each a sentence and the reasons of four checks at most. */
#define JOB_PROBLEMS_BYTES_MAX ((size_t)128 << 10)
enum { JOB_MAGIC = 0x10b10b };

typedef struct job_events job_events;
typedef struct job_revival job_revival;

/* A cell or a dungeon of a job in the air. */
typedef struct job_task {
    struct job_task *next; /* of those free, or of those in the air */
    struct job_task *previous;
    job_table *table;
    job_entry *entry; /* NULL: let go while it was parked, so that it ends when it is back */
    uint64_t index;
    flight_waiter waiter;
    bool traced; /* a cell: counted in funnel_asked */
    /* A dungeon (job_dungeon.c). */
    bool parked; /* at the store or with a worker: cannot be left */
    control_request control;
    loop_task posted;
    pool_task work;
    blob *blob;
    bool cached;
    loam_dungeon_status status;
    text_buffer reasons;
    loam_error error;
} job_task;

/* Why a task failed; lent during the call. */
typedef struct job_failure {
    const loam_error *error;
    const blob *verdict; /* of the cell's checks, NULL when they are not why */
    bool of_store; /* the result could not be stored, or what it is made of not be asked for */
} job_failure;

typedef struct job_rows {
    size_t count;
    task_row rows[JOB_ROWS_MAX]; /* their reasons are owned */
} job_rows;

struct job_entry {
    uint32_t magic;
    job_table *table;
    job_entry *next; /* all, in order of arrival */
    job_entry *previous;
    job_reading *reading;
    revision_entry *revision;          /* NULL: of dungeons */
    char owner_id[NAME_BYTES_MAX + 1]; /* empty: nobody's */
    token_owner *owner;                /* NULL: nobody's, or no longer in the file */
    job_events *events;                /* who listens; NULL: nobody */
    job_state state;
    bool loading; /* earlier results are being read: nothing starts */
    /* Counts: of what has landed; rows that tell them may still be under way. */
    uint64_t total;
    uint64_t done;
    uint64_t cached;
    uint64_t failed;
    uint64_t evicted;
    uint64_t row_number;
    int64_t created_ms;
    int64_t started_ms;
    int64_t finished_ms;
    /* Tasks. */
    uint64_t next_index;
    uint64_t *finished_bits; /* one for each task; NULL until loaded */
    uint64_t *again;         /* tasks to start once more: the queue was full, a result went */
    size_t again_count;
    uint32_t flying;
    job_task *tasks;           /* in the air */
    uint64_t waiting_since_ms; /* its last task began, or it could begin one at all */
    /* Speed, as of the last commit. */
    uint64_t run_start_ms;
    uint64_t run_done;
    uint64_t rate_q10;
    /* Commits: one at a time. */
    job_rows *gathering;
    job_rows *committing;
    bool commit_due;
    bool commit_under_way;
    uint64_t commits_begun;
    uint64_t commits_ended; /* well */
    uint64_t commits_failed;
    loam_error commit_error; /* of the last that failed */
    bool commit_again;       /* the rows of `committing` did not get in: they go first */
    bool refused;            /* one was refused for good: the last one says that it has failed */
    control_request control;
    loop_task posted;
    text_buffer problems;      /* JSON array, or nothing yet */
    text_buffer sent_problems; /* the same as of the commit under way */
    uint32_t problem_count;
    /* What the nodes let through, over the first cells built. */
    loam_trace funnel; /* nodes: owned */
    uint32_t funnel_cells;
    uint32_t funnel_asked; /* cells in the air that will tell, and those that have */
    job_watcher *watchers;
    /* Loading, and counting what is lost. */
    uint64_t row_done; /* counts of its row: what it tells until they are known again */
    uint64_t row_cached;
    uint64_t row_failed;
    uint64_t page_after; /* number of the last row that was read */
    bool page_due;       /* its page was not to be had: it is read again later */
    bool counting;       /* rows are read to count them */
    bool counted;        /* that has been done */
    uint64_t evictions;  /* of the store, when the job came */
    store_keys keys;
    digest *key_list;
    bool *present;
    control_request page;
    loop_task page_posted;
    uint64_t missing;
    /* Keeping. */
    store_pin_set *pins; /* of results that are in rows; NULL: not kept */
    store_keys pinning;
    digest *pin_keys;
    bool *pin_present;
};

struct job_table {
    flow_state *flow;
    job_entry *first;
    job_entry *last;
    uint32_t flying;
    uint32_t flying_max;
    uint32_t busy; /* commits and loads under way */
    bool draining;
    job_task *free_tasks;
    job_task *task_memory;
    bool pumping; /* further down the stack */
    bool paused;  /* something was full: until the timer fires */
    uint64_t paused_until_ms;
    loop_timer *pause;
    bool rereading; /* pages are due: until the timer fires */
    loop_timer *reread;
    job_revival *revival; /* NULL: jobs of an earlier run are all here */
};

/* job_schedule.c */
/* What passes by itself: a disk that is full or fails, a full queue, memory that is short
 * (LOAM_INTERNAL, of the store). */
bool job_fault_passes(loam_status status);
void job_table_pump(job_table *table);
void job_table_pause(job_table *table, uint64_t milliseconds); /* tries again after that time */
/* Lets tasks in the air go, to be started again; `all`: also those that are made and will have
 * landed in a moment. */
void job_entry_stop(job_entry *entry, bool all);
/* A task that had begun is to be started once more, before any that had not. */
void job_task_again(job_entry *entry, uint64_t index);
/* A task has landed: it counts, and its row goes its way, with number and place; `row` is done. */
void job_note_result(job_entry *entry, uint64_t index, task_row *row);
/* It failed. True for good, false when nothing is wrong with it and it is done again. */
bool job_note_failure(job_entry *entry, uint64_t index, const job_failure *failure);
/* After either: the task is over, others start. */
void job_task_end(job_task *task);
/* Gives a task back that is no longer its entry's. */
void job_task_drop(job_task *task);
/* job_cell.c */
void job_cell_start(job_task *task);
/* job_dungeon.c */
void job_dungeon_start(job_task *task);
/* job_commit.c */
void job_rows_free(job_rows *rows);
void job_entry_commit(job_entry *entry);
void job_entry_add_row(job_entry *entry, const task_row *row);
/* `verdict`: of the cell's checks, NULL when they are not why. */
void job_entry_add_problem(job_entry *entry, uint64_t index, const loam_error *error,
                           const blob *verdict);
/* Between the two: the fields of one more problem, in entry->problems. */
void job_problem_begin(job_entry *entry);
void job_problem_end(job_entry *entry);
void job_entry_settle(job_entry *entry); /* ends it when nothing is left to do */
/* Ends it for what the store refuses for good; what is not in the store yet is forgotten. A commit
 * is due then. */
void job_entry_fail(job_entry *entry, const loam_error *error);
/* job_funnel.c */
void job_funnel_add(job_entry *entry, const loam_trace *trace);
void job_funnel_tell(job_entry *entry); /* adds problems; forgets */
void job_funnel_fini(job_entry *entry);
/* job_load.c */
void job_entry_load(job_entry *entry);
void job_pages_read_again(job_table *table); /* those that are due */
void job_pages_leave(job_table *table);      /* waits for none any more: loads end where they are */
/* Counts, of a job that is done, the results that are no longer there; then settles. */
void job_entry_count_lost(job_entry *entry);
/* The task that has the row. False for one that is to be done again, too. */
bool job_task_of_row(const job_entry *entry, const task_row *row, uint64_t *index);
/* job_pin.c */
bool job_pins_open(job_entry *entry); /* false: no memory */
void job_pins_close(job_entry *entry);
/* Pins what the rows to be committed name; `done` is posted, with an error in entry->pinning. */
void job_pin_rows(job_entry *entry, void (*done)(loop_task *posted));
/* Takes rows whose results were gone by then out of the commit: their tasks are done again. */
void job_drop_lost_rows(job_entry *entry);
/* job_revive.c */
void job_revival_drain(job_revival *revival); /* waits no longer; NULL is nothing */
/* job_table.c */
void job_table_link(job_entry *entry);
void job_table_unlink(job_entry *entry);
/* job_watch.c */
void job_tell_watchers(job_entry *entry);
void job_dismiss_watchers(job_entry *entry); /* it is over for them */
/* job_entry.c */
job_entry *job_entry_create(job_table *table, job_reading *reading, const job_row *row);
void job_entry_free(job_entry *entry);
loam_text job_output_name(const job_entry *entry, uint64_t index);

static inline bool job_task_is_finished(const job_entry *entry, uint64_t index) {
    return (entry->finished_bits[index / 64] >> (index % 64) & 1) != 0;
}

static inline void job_task_set_finished(job_entry *entry, uint64_t index) {
    entry->finished_bits[index / 64] |= (uint64_t)1 << (index % 64);
}

#endif
