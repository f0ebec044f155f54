/* SPDX-License-Identifier: MIT
 *
 * crew.c: see crew.h.
 */
#include "api/cli/crew.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "api/cli/progress.h"
#include "core/base/try.h"

#define CREW_LOOK_MS 50
#define CREW_NOTE_BYTES 96

typedef struct crew {
    const crew_task *task;
    atomic_uint_fast64_t next;
    atomic_uint_fast64_t done;
    atomic_uint ended; /* workers that have ended */
    atomic_bool failed;
    pthread_mutex_t lock; /* guards settled and error */
    pthread_cond_t turn;  /* settled has changed, or the work has failed */
    uint64_t settled;
    loam_error *error;
} crew;

static bool crew_goes_on(crew *work) {
    return !atomic_load(&work->failed) && *(const volatile int *)work->task->stop == 0;
}

static void crew_fail(crew *work, const loam_error *error) {
    (void)pthread_mutex_lock(&work->lock);
    (void)loam_fail(work->error, error->status, error->pointer, "%s", error->text);
    atomic_store(&work->failed, true);
    (void)pthread_cond_broadcast(&work->turn);
    (void)pthread_mutex_unlock(&work->lock);
}

/* Waits for the turn of `index`. Numbers are taken in order, so the lower ones are being made: none
 * waits for ever, since a failure of one of them wakes all. */
static void crew_settle(crew *work, uint64_t index, const offline_cell *scratch) {
    (void)pthread_mutex_lock(&work->lock);
    while (work->settled != index && !atomic_load(&work->failed)) {
        (void)pthread_cond_wait(&work->turn, &work->lock);
    }
    if (work->settled == index) {
        work->task->settle(work->task->context, index, scratch);
        work->settled++;
        (void)pthread_cond_broadcast(&work->turn);
    }
    (void)pthread_mutex_unlock(&work->lock);
}

static void *worker_run(void *context) {
    crew *work = context;
    const crew_task *task = work->task;
    offline_cell scratch = {0};
    while (crew_goes_on(work)) {
        loam_error error = {0};
        uint64_t index = atomic_fetch_add(&work->next, 1);
        if (index >= task->count) {
            break;
        }
        if (task->make(task->context, index, &scratch, &error) != LOAM_OK) {
            crew_fail(work, &error);
            break;
        }
        if (task->settle != NULL) {
            crew_settle(work, index, &scratch);
        }
        atomic_fetch_add(&work->done, 1);
    }
    offline_cell_fini(&scratch);
    atomic_fetch_add(&work->ended, 1);
    return NULL;
}

static void crew_draw(crew *work, progress *bar, bool last) {
    char note[CREW_NOTE_BYTES] = "";
    if (work->task->note != NULL) {
        work->task->note(work->task->context, note, sizeof note);
    }
    if (last) {
        progress_end(bar, atomic_load(&work->done), note);
    } else {
        progress_update(bar, atomic_load(&work->done), note);
    }
}

static void crew_watch(crew *work, uint32_t workers) {
    progress bar;
    const struct timespec pause = {.tv_nsec = CREW_LOOK_MS * 1000000};
    progress_begin(&bar, work->task->label, work->task->count);
    while (atomic_load(&work->ended) < workers) {
        (void)nanosleep(&pause, NULL);
        crew_draw(work, &bar, false);
    }
    crew_draw(work, &bar, true);
}

static loam_status crew_judge(crew *work, uint32_t started, loam_error *error) {
    if (started == 0) {
        return loam_fail(error, LOAM_INTERNAL, NULL, "no thread starts");
    }
    if (atomic_load(&work->failed)) {
        return error->status;
    }
    return atomic_load(&work->done) == work->task->count
               ? LOAM_OK
               : loam_fail(error, LOAM_CANCELLED, NULL, "stopped before the end");
}

loam_status crew_run(const crew_task *task, loam_error *error) {
    pthread_t threads[CREW_WORKERS_MAX];
    crew work = {.task = task, .error = error};
    uint32_t wanted = task->workers < CREW_WORKERS_MAX ? task->workers : CREW_WORKERS_MAX;
    uint32_t started = 0;
    (void)pthread_mutex_init(&work.lock, NULL);
    (void)pthread_cond_init(&work.turn, NULL);
    for (uint32_t i = 0; i < wanted && i < task->count; i++) {
        if (pthread_create(&threads[started], NULL, worker_run, &work) == 0) {
            started++;
        }
    }
    crew_watch(&work, started);
    for (uint32_t i = 0; i < started; i++) {
        (void)pthread_join(threads[i], NULL);
    }
    (void)pthread_cond_destroy(&work.turn);
    (void)pthread_mutex_destroy(&work.lock);
    return crew_judge(&work, started, error);
}

uint32_t crew_workers_default(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (processors < 1) {
        return 1;
    }
    return processors < CREW_WORKERS_MAX ? (uint32_t)processors : CREW_WORKERS_MAX;
}

/* core polls a plain int, and so does the crew. */
static int *interrupt_flag;

static void interrupt_note(int signal_number) {
    (void)signal_number;
    *(volatile int *)interrupt_flag = 1;
}

void crew_catch_interrupts(int *stop) {
    struct sigaction action = {.sa_handler = interrupt_note, .sa_flags = (int)SA_RESETHAND};
    interrupt_flag = stop;
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}
