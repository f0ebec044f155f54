/* SPDX-License-Identifier: MIT
 *
 * test_disk_watch.c: when a disk is low, and trouble that begins with a commit that fails and ends
 * by itself. Files that may not grow are a full disk to SQLite; the limit is lifted again.
 */
#include "server/store/disk_watch.h"
#include "tests/support/pause.h"
#include "tests/unit/server/store/store_suite.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>

enum { BLOB_BYTES = 40000, PUTS = 40, END_MS = 10000, POLL_MS = 10 };

static atomic_int told_trouble, told_well;

static void hear(void *context, const store_health *now) {
    (void)context;
    atomic_fetch_add(now->trouble == LOAM_OK ? &told_well : &told_trouble, 1);
}

static void open_heard(void) {
    const store_options options = {.dir = suite_dir, .health_changed = hear};
    loam_error error = {0};
    test_dir_make(suite_dir);
    cr_assert_eq(store_open(&options, &opened, &error), LOAM_OK, "%s", error.text);
    signal(SIGXFSZ, SIG_IGN);
}

TestSuite(disk_watch, .init = open_heard, .fini = suite_close, .timeout = 60);

Test(disk_watch, wants_a_twentieth_but_no_more_than_a_gibibyte) {
    cr_expect_eq(disk_bytes_needed(0), 0);
    cr_expect_eq(disk_bytes_needed((uint64_t)1 << 30), ((uint64_t)1 << 30) / 20);
    cr_expect_eq(disk_bytes_needed(DISK_BYTES_NEEDED * DISK_PART_NEEDED), DISK_BYTES_NEEDED);
    cr_expect_eq(disk_bytes_needed(UINT64_MAX), DISK_BYTES_NEEDED);
}

Test(disk_watch, takes_a_low_disk_for_well_only_with_some_more) {
    cr_expect(disk_is_low(999, 1000, false));
    cr_expect_not(disk_is_low(1000, 1000, false));
    cr_expect(disk_is_low(1249, 1000, true));
    cr_expect_not(disk_is_low(1250, 1000, true));
    cr_expect_not(disk_is_low(0, 0, false));
}

static void limit_files(rlim_t bytes) {
    struct rlimit limit = {bytes, RLIM_INFINITY};
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static bool ends_within(loam_status trouble) {
    for (int waited = 0; waited < END_MS; waited += POLL_MS) {
        if (store_health_read(opened).trouble == trouble) {
            return true;
        }
        pause_ms(POLL_MS);
    }
    return false;
}

static loam_status put_document(uint64_t number) {
    control_request request = {.operation = CONTROL_DOCUMENT_PUT};
    request.document =
        (document_row){.digest = test_key(number), .document = loam_text_of("{}"), .created_ms = 1};
    return store_control_wait(opened, &request);
}

Test(disk_watch, says_what_is_free) {
    store_health of = store_health_read(opened);
    cr_expect_gt(of.disk_bytes_free, 0);
    cr_expect_gt(of.disk_bytes_needed, 0);
    cr_expect_leq(of.disk_bytes_needed, DISK_BYTES_NEEDED);
    cr_expect_eq(of.disk_is_low, of.disk_bytes_free < of.disk_bytes_needed);
}

Test(disk_watch, results_that_cannot_be_written_are_trouble_until_they_can) {
    cr_assert_eq(store_health_read(opened).trouble, LOAM_OK, "this disk is low: make room");
    limit_files(0);
    cr_expect_eq(test_put(opened, 1, BLOB_BYTES, false).base.error.status, LOAM_STORAGE_FULL);
    store_health of = store_health_read(opened);
    cr_expect_eq(of.trouble, LOAM_STORAGE_FULL);
    cr_expect(of.results_are_lost);
    cr_expect_not(of.disk_is_low);
    limit_files(RLIM_INFINITY);
    cr_assert(ends_within(LOAM_OK), "nobody writes, and it ends");
    cr_expect_not(store_health_read(opened).results_are_lost);
    cr_expect_eq(test_put(opened, 1, BLOB_BYTES, false).base.error.status, LOAM_OK);
    pause_ms(1100);
    cr_expect_leq(atomic_load(&told_trouble), 1);
    cr_expect_eq(atomic_load(&told_trouble), atomic_load(&told_well), "heard both or neither");
}

Test(disk_watch, documents_that_cannot_be_written_are_trouble_until_they_can) {
    cr_assert_eq(store_health_read(opened).trouble, LOAM_OK, "this disk is low: make room");
    limit_files(0);
    cr_expect_eq(put_document(1), LOAM_STORAGE_FULL);
    cr_expect_eq(store_health_read(opened).trouble, LOAM_STORAGE_FULL);
    cr_expect_not(store_health_read(opened).results_are_lost);
    pause_ms(2500);
    cr_expect_eq(store_health_read(opened).trouble, LOAM_STORAGE_FULL, "trying does not help yet");
    limit_files(RLIM_INFINITY);
    cr_assert(ends_within(LOAM_OK));
    cr_expect_eq(put_document(1), LOAM_OK);
    cr_expect_eq(atomic_load(&told_trouble), 1);
}

/* ---- What shares a group with a write that fails -------------------------------------------- */

/* Opened without its thread: what is queued until it starts is a group. */
typedef struct lone_control {
    control_writer writer;
    char path[FOLDER_PATH_BYTES];
    char assets[FOLDER_PATH_BYTES];
} lone_control;

static void control_open(lone_control *of) {
    snprintf(of->path, sizeof of->path, "%s/control.db", suite_dir);
    snprintf(of->assets, sizeof of->assets, "%s/assets", suite_dir);
    cr_assert_eq(control_writer_open(&of->writer, of->path, of->assets, NULL), LOAM_OK);
}

static void control_run_all(lone_control *of, control_request *requests, unsigned count,
                            rlim_t bytes) {
    test_latch *latch = test_latch_create();
    control_open(of);
    for (unsigned i = 0; i < count; i++) {
        requests[i].base.done = test_latch_done;
        requests[i].base.context = latch;
        cr_assert_eq(store_queue_push(&of->writer.queue, &requests[i].base, 0), LOAM_OK);
    }
    limit_files(bytes);
    cr_assert_eq(control_writer_start(&of->writer, NULL), LOAM_OK);
    test_latch_wait(latch, count);
    limit_files(RLIM_INFINITY);
    test_latch_destroy(latch);
    control_writer_stop(&of->writer);
}

static control_request document_request(control_operation operation, uint64_t number) {
    control_request request = {.operation = operation, .key = test_key(number)};
    request.document =
        (document_row){.digest = test_key(number), .document = loam_text_of("{}"), .created_ms = 1};
    return request;
}

Test(disk_watch, what_is_there_is_read_beside_a_write_that_fails) {
    static lone_control of;
    store_close(opened);
    opened = NULL;
    control_request first = document_request(CONTROL_DOCUMENT_PUT, 1);
    control_run_all(&of, &first, 1, RLIM_INFINITY);
    control_writer_close(&of.writer);
    cr_assert_eq(first.base.error.status, LOAM_OK);
    control_request group[] = {
        document_request(CONTROL_DOCUMENT_GET, 1), document_request(CONTROL_DOCUMENT_PUT, 2),
        document_request(CONTROL_DOCUMENT_GET, 1), document_request(CONTROL_DOCUMENT_GET, 2)};
    control_run_all(&of, group, 4, 0);
    cr_expect_eq(group[1].base.error.status, LOAM_STORAGE_FULL);
    cr_expect_eq(atomic_load(&of.writer.trouble), LOAM_STORAGE_FULL);
    for (unsigned i = 0; i < 4; i += 2) {
        cr_expect_eq(group[i].base.error.status, LOAM_OK, "%s", group[i].base.error.text);
        cr_expect_eq(group[i].result.count, 1);
        control_result_fini(&group[i].result);
    }
    cr_expect_eq(group[3].base.error.status, LOAM_NOT_FOUND);
    control_writer_close(&of.writer);
}

Test(disk_watch, what_fails_by_itself_is_no_trouble) {
    control_request request = {.operation = CONTROL_WORLD_GET, .name = loam_text_of("none")};
    cr_expect_eq(store_control_wait(opened, &request), LOAM_NOT_FOUND);
    cr_expect_eq(store_health_read(opened).trouble, LOAM_OK);
}

/* ---- A cache on a disk that is nearly full --------------------------------------------------- */

typedef struct lone_writer {
    cache_writer writer;
    char path[FOLDER_PATH_BYTES];
} lone_writer;

static void lone_open(lone_writer *of) {
    snprintf(of->path, sizeof of->path, "%s/alone.db", suite_dir);
    cr_assert_eq(cache_writer_open(&of->writer, of->path, (uint64_t)64 << 20, NULL), LOAM_OK);
    cr_assert_eq(cache_writer_start(&of->writer, NULL), LOAM_OK);
}

static loam_status lone_put(lone_writer *of, uint64_t number, size_t size) {
    test_latch *latch = test_latch_create();
    store_put put = {.base = {.kind = CACHE_REQUEST_PUT, .done = test_latch_done, .context = latch},
                     .key = test_key(number),
                     .blob = test_blob(number, size)};
    cr_assert_eq(store_queue_push(&of->writer.queue, &put.base, size), LOAM_OK);
    test_latch_wait(latch, 1);
    test_latch_destroy(latch);
    return put.base.error.status;
}

static void lone_close(lone_writer *of) {
    cache_writer_stop(&of->writer);
    cache_writer_close(&of->writer);
}

Test(disk_watch, a_frugal_cache_lets_the_oldest_go_and_does_not_grow) {
    static lone_writer of;
    lone_open(&of);
    for (uint64_t i = 0; i < PUTS; i++) {
        cr_assert_eq(lone_put(&of, i, BLOB_BYTES), LOAM_OK);
    }
    uint64_t before = atomic_load(&of.writer.counters.bytes_used);
    atomic_store(&of.writer.frugal, true);
    for (uint64_t i = PUTS; i < 2 * PUTS; i++) {
        cr_assert_eq(lone_put(&of, i, BLOB_BYTES), LOAM_OK);
        cr_assert_leq(atomic_load(&of.writer.counters.bytes_used), before);
    }
    cr_expect_gt(atomic_load(&of.writer.counters.evicted), PUTS - 10);
    cr_expect_eq(atomic_load(&of.writer.trouble), LOAM_OK);
    atomic_store(&of.writer.frugal, false);
    for (uint64_t i = 2 * PUTS; i < 3 * PUTS; i++) {
        cr_assert_eq(lone_put(&of, i, BLOB_BYTES), LOAM_OK);
    }
    cr_expect_gt(atomic_load(&of.writer.counters.bytes_used), before, "it grows again");
    lone_close(&of);
}

Test(disk_watch, results_are_pinned_beside_a_put_that_fails) {
    static lone_writer of;
    lone_open(&of);
    cr_assert_eq(lone_put(&of, 1, BLOB_BYTES), LOAM_OK);
    lone_close(&of);
    cr_assert_eq(cache_writer_open(&of.writer, of.path, (uint64_t)64 << 20, NULL), LOAM_OK);
    test_latch *latch = test_latch_create();
    const digest keys[] = {test_key(1), test_key(2)};
    bool present[2] = {false, true};
    store_put put = {.base = {.kind = CACHE_REQUEST_PUT, .done = test_latch_done, .context = latch},
                     .key = test_key(2),
                     .blob = test_blob(2, BLOB_BYTES)};
    store_keys pinning = {
        .base = {.kind = CACHE_REQUEST_PIN, .done = test_latch_done, .context = latch},
        .keys = keys,
        .count = 2,
        .present = present};
    cr_assert_eq(store_queue_push(&of.writer.queue, &put.base, BLOB_BYTES), LOAM_OK);
    cr_assert_eq(store_queue_push(&of.writer.queue, &pinning.base, 0), LOAM_OK);
    limit_files(0);
    cr_assert_eq(cache_writer_start(&of.writer, NULL), LOAM_OK);
    test_latch_wait(latch, 2);
    test_latch_destroy(latch);
    cr_expect_eq(put.base.error.status, LOAM_STORAGE_FULL);
    cr_expect_eq(pinning.base.error.status, LOAM_OK, "%s", pinning.base.error.text);
    cr_expect(present[0]);
    cr_expect_not(present[1]);
    cr_expect_eq(pins_count(&of.writer.pins), 2);
    limit_files(RLIM_INFINITY);
    lone_close(&of);
}

Test(disk_watch, a_frugal_cache_loses_nothing_for_a_result_that_cannot_fit) {
    static lone_writer of;
    lone_open(&of);
    for (uint64_t i = 0; i < PUTS; i++) {
        cr_assert_eq(lone_put(&of, i, BLOB_BYTES), LOAM_OK);
    }
    atomic_store(&of.writer.frugal, true);
    cr_expect_eq(lone_put(&of, PUTS, 2 * PUTS * BLOB_BYTES), LOAM_STORAGE_FULL);
    cr_expect_eq(atomic_load(&of.writer.trouble), LOAM_STORAGE_FULL);
    cr_expect_eq(atomic_load(&of.writer.counters.evicted), 0);
    cr_expect_eq(lone_put(&of, PUTS + 1, BLOB_BYTES), LOAM_OK);
    cr_expect_eq(atomic_load(&of.writer.trouble), LOAM_OK);
    lone_close(&of);
}
