/* SPDX-License-Identifier: MIT
 *
 * upkeep.c: see upkeep.h.
 */
#include "server/store/upkeep.h"

#include "core/base/try.h"
#include "server/store/latch.h"
#include "server/thread/thread.h"

#include <string.h>

loam_status upkeep_check(const upkeep *of, const store_upkeep *request, loam_error *error) {
    return atomic_load(&of->stopping) || atomic_load(&request->cancelled)
               ? loam_fail(error, LOAM_CANCELLED, NULL, "%s", loam_status_text(LOAM_CANCELLED))
               : LOAM_OK;
}

void upkeep_progress(upkeep *of, uint64_t done, uint64_t total) {
    double part = total == 0 || done >= total ? 1.0 : (double)done / (double)total;
    atomic_store(&of->permille, (unsigned)(part * 1000.0));
}

/* One transaction's worth. */
static loam_status collect_some(upkeep *of, cache_collection *some, loam_error *error) {
    latch until;
    latch_init(&until);
    some->base =
        (store_request){.kind = CACHE_REQUEST_COLLECT, .done = latch_open, .context = &until};
    loam_status status = store_queue_push(&of->cache->queue, &some->base, 0);
    if (status != LOAM_OK) {
        latch_open(&until);
        latch_wait(&until);
        return loam_fail(error, status, NULL, "%s", loam_status_text(status));
    }
    latch_wait(&until);
    if (some->base.error.status != LOAM_OK) {
        *error = some->base.error;
    }
    return some->base.error.status;
}

loam_status upkeep_collect(upkeep *of, store_upkeep *request, uint64_t bytes_max,
                           loam_error *error) {
    cache_collection some = {.bytes_max = bytes_max};
    do {
        LOAM_TRY(upkeep_check(of, request, error));
        LOAM_TRY(collect_some(of, &some, error));
        request->report.evicted += some.evicted;
    } while (!some.ended);
    return LOAM_OK;
}

static loam_status collect_run(upkeep *of, store_upkeep *request, loam_error *error) {
    request->report.bytes_before = atomic_load(&of->cache->counters.bytes_used);
    loam_status status = upkeep_collect(of, request, request->bytes_max, error);
    request->report.bytes = atomic_load(&of->cache->counters.bytes_used);
    return status;
}

static loam_status dispatch(upkeep *of, store_upkeep *request, loam_error *error) {
    LOAM_TRY(upkeep_check(of, request, error));
    switch (request->kind) {
    case STORE_COLLECT:
        return collect_run(of, request, error);
    case STORE_SCRUB:
        return scrub_run(of, request, error);
    case STORE_BACKUP:
        return backup_run(of, request, error);
    }
    return LOAM_INTERNAL;
}

static void *run(void *context) {
    upkeep *of = context;
    thread_introduce("store-upkeep", THREAD_BEHIND);
    blob_count_run(&of->count);
    while (!store_queue_ended(&of->queue)) {
        store_upkeep *request = (store_upkeep *)store_queue_take(&of->queue, 0);
        if (request == NULL) {
            continue;
        }
        loam_error error = {0};
        atomic_store(&of->permille, 0);
        atomic_store(&of->kind, (int)request->kind);
        error.status = dispatch(of, request, &error);
        request->base.error = error;
        atomic_store(&of->kind, -1);
        store_request_finish(&request->base);
    }
    return NULL;
}

loam_status upkeep_start(upkeep *started, loam_error *error) {
    static const store_queue_options QUEUE = {.requests_max = UPKEEP_QUEUE_REQUESTS,
                                              .bytes_max = SIZE_MAX,
                                              .group_requests = 1,
                                              .group_bytes = SIZE_MAX};
    LOAM_TRY(blob_count_open(&started->count, started->cache, error));
    atomic_store(&started->kind, -1);
    store_queue_init(&started->queue, &QUEUE);
    loam_status status = thread_start(&started->thread, run, started, error);
    if (status != LOAM_OK) {
        store_queue_fini(&started->queue);
        blob_count_close(&started->count);
        return status;
    }
    return LOAM_OK;
}

void upkeep_stop(upkeep *stopped) {
    atomic_store(&stopped->stopping, true);
    blob_count_interrupt(&stopped->count);
    store_queue_close(&stopped->queue);
    pthread_join(stopped->thread, NULL);
    blob_count_close(&stopped->count);
    store_queue_fini(&stopped->queue);
}
