/* SPDX-License-Identifier: MIT
 *
 * disk_watch.c: see disk_watch.h.
 */
#include "server/store/disk_watch.h"

#include <string.h>
#include <sys/statvfs.h>
#include <time.h>

#include "server/thread/thread.h"

uint64_t disk_bytes_needed(uint64_t bytes_total) {
    uint64_t part = bytes_total / DISK_PART_NEEDED;
    return part < DISK_BYTES_NEEDED ? part : DISK_BYTES_NEEDED;
}

bool disk_is_low(uint64_t bytes_free, uint64_t bytes_needed, bool was_low) {
    return bytes_free < bytes_needed + (was_low ? bytes_needed / DISK_PART_AGAIN : 0);
}

/* A disk that does not say keeps what was known: its writes fail soon enough. */
static void measure(disk_watch *watch) {
    struct statvfs found;
    if (statvfs(watch->folder->dir, &found) != 0) {
        return;
    }
    uint64_t bytes_free = (uint64_t)found.f_bavail * found.f_frsize;
    uint64_t needed = disk_bytes_needed((uint64_t)found.f_blocks * found.f_frsize);
    bool low = disk_is_low(bytes_free, needed, atomic_load(&watch->low));
    atomic_store(&watch->bytes_free, bytes_free);
    atomic_store(&watch->bytes_needed, needed);
    atomic_store(&watch->low, low);
    atomic_store(&watch->cache->frugal, low);
}

/* ---- Trying again --------------------------------------------------------------------------- */

static void probe_done(void *context) {
    atomic_store(&((disk_probe *)context)->under_way, false);
}

static void probe(disk_probe *with, store_queue *queue, uint32_t kind) {
    if (atomic_exchange(&with->under_way, true)) {
        return;
    }
    with->request = (control_request){
        .base = {.kind = kind, .alone = true, .done = probe_done, .context = with},
    };
    if (store_queue_push(queue, &with->request.base, 0) != LOAM_OK) {
        probe_done(with);
    }
}

static void probe_what_fails(disk_watch *watch) {
    if (atomic_load(&watch->cache->trouble) != LOAM_OK) {
        probe(&watch->cache_probe, &watch->cache->queue, CACHE_REQUEST_PROBE);
    }
    if (atomic_load(&watch->control->trouble) != LOAM_OK) {
        probe(&watch->control_probe, &watch->control->queue, CONTROL_REQUEST_PROBE);
    }
}

/* ---- Telling -------------------------------------------------------------------------------- */

store_health disk_watch_health(disk_watch *of) {
    loam_status cache = (loam_status)atomic_load(&of->cache->trouble);
    loam_status control = (loam_status)atomic_load(&of->control->trouble);
    bool low = atomic_load(&of->low);
    return (store_health){
        .trouble = low                  ? LOAM_STORAGE_FULL
                   : control != LOAM_OK ? control
                   : cache == LOAM_DAMAGED
                       ? LOAM_OK /* it answers, and begins anew when restarted */
                       : cache,
        .disk_is_low = low,
        .results_are_lost = cache != LOAM_OK,
        .disk_bytes_free = atomic_load(&of->bytes_free),
        .disk_bytes_needed = atomic_load(&of->bytes_needed),
    };
}

static void tell(disk_watch *watch) {
    store_health now = disk_watch_health(watch);
    if (now.trouble != watch->told && watch->changed != NULL) {
        watch->changed(watch->context, &now);
    }
    watch->told = now.trouble;
}

/* ---- Life ----------------------------------------------------------------------------------- */

static bool wait_a_while(disk_watch *watch) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += DISK_WATCH_S;
    pthread_mutex_lock(&watch->mutex);
    int woken = 0;
    while (!watch->ending && woken == 0) {
        woken = pthread_cond_timedwait(&watch->ended, &watch->mutex, &until);
    }
    bool goes_on = !watch->ending;
    pthread_mutex_unlock(&watch->mutex);
    return goes_on;
}

static void *run(void *context) {
    disk_watch *watch = context;
    thread_introduce("disk-watch", THREAD_PROMPT);
    while (wait_a_while(watch)) {
        measure(watch);
        probe_what_fails(watch);
        tell(watch);
    }
    return NULL;
}

loam_status disk_watch_start(disk_watch *started, loam_error *error) {
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&started->mutex, NULL);
    pthread_cond_init(&started->ended, &clock);
    pthread_condattr_destroy(&clock);
    measure(started);
    tell(started);
    loam_status status = thread_start(&started->thread, run, started, error);
    if (status != LOAM_OK) {
        disk_watch_fini(started);
        return status;
    }
    return LOAM_OK;
}

void disk_watch_stop(disk_watch *stopped) {
    pthread_mutex_lock(&stopped->mutex);
    stopped->ending = true;
    pthread_cond_signal(&stopped->ended);
    pthread_mutex_unlock(&stopped->mutex);
    pthread_join(stopped->thread, NULL);
}

void disk_watch_fini(disk_watch *ended) {
    pthread_cond_destroy(&ended->ended);
    pthread_mutex_destroy(&ended->mutex);
}
