/* SPDX-License-Identifier: MIT
 *
 * store_threads.c: many threads on one store at once: puts, gets, pins, touches, control requests
 * and statistics, with eviction going on. A plain program, for TSan and for ASan's leak check; ends
 * with 0 when every answer was right.
 */
#include "tests/support/store_calls.h"

#include "core/base/assert.h"
#include "core/base/mix.h"

#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 150, KEYS = 120, BLOB_BYTES = 20000 };

typedef struct worker {
    store *of;
    uint32_t index;
    pthread_t thread;
} worker;

static void check_get(store *from, uint64_t number) {
    digest key = test_key(number);
    blob *found;
    store_outcome outcome = test_get(from, &key, &found);
    LOAM_ASSERT(outcome != STORE_DAMAGED);
    if (outcome == STORE_HIT) {
        blob *expected = test_blob(number, BLOB_BYTES);
        LOAM_ASSERT(digest_equal(&found->digest, &expected->digest));
        blob_release(expected);
    }
    blob_release(found);
}

static void check_pin(store *from, uint64_t number) {
    digest key = test_key(number);
    if (test_pin(from, number)) {
        LOAM_ASSERT(test_contains(from, number));
    }
    store_result_unpin(from, &key, 1);
    store_result_touch(from, &key);
}

static void check_control(store *to, uint64_t number) {
    control_request put = {.operation = CONTROL_DOCUMENT_PUT};
    put.document = (document_row){.digest = test_key(number), .document = loam_text_of("{}")};
    LOAM_ASSERT(store_control_wait(to, &put) == LOAM_OK);
    control_request get = {.operation = CONTROL_DOCUMENT_GET, .key = test_key(number)};
    LOAM_ASSERT(store_control_wait(to, &get) == LOAM_OK);
    control_result_fini(&get.result);
}

static void *work(void *context) {
    worker *at = context;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint64_t number = mix32(at->index << 16 | round) % KEYS;
        store_put put = test_put(at->of, number, BLOB_BYTES, round % 10 == 0);
        LOAM_ASSERT(put.base.error.status == LOAM_OK && !put.alarm);
        check_get(at->of, number);
        check_get(at->of, (number + 1) % KEYS);
        if (round % 5 == 0) {
            check_pin(at->of, number);
            check_control(at->of, number);
            LOAM_ASSERT(store_statistics_read(at->of).alarms == 0);
        }
    }
    return NULL;
}

int main(void) {
    static worker workers[THREADS];
    char dir[TEST_DIR_BYTES];
    store *opened;
    loam_error error = {0};
    test_dir_make(dir);
    store_options options = {.dir = dir, .cache_bytes_max = 2 << 20, .reader_threads = 2};
    LOAM_ASSERT(store_open(&options, &opened, &error) == LOAM_OK);
    for (uint32_t i = 0; i < THREADS; i++) {
        workers[i] = (worker){.of = opened, .index = i};
        LOAM_ASSERT(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0);
    }
    for (uint32_t i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
    }
    store_statistics seen = store_statistics_read(opened);
    LOAM_ASSERT(seen.evicted > 0 && seen.hits > 0 && seen.pinned == 0);
    store_close(opened);
    test_dir_remove(dir);
    puts("store_threads: ok");
    return 0;
}
