/* SPDX-License-Identifier: MIT
 *
 * store_calls.c: waiting calls over the store's queued ones.
 */
#include "tests/support/store_calls.h"

#include "core/base/assert.h"
#include "core/base/bytes.h"
#include "core/base/mix.h"

#include <ftw.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPEN_FILES_MAX = 16 };

struct test_latch {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    unsigned count;
    unsigned wanted; /* of the one waiter: it is not woken before */
};

void test_dir_make(char dir[TEST_DIR_BYTES]) {
    snprintf(dir, TEST_DIR_BYTES, "/tmp/loam-store-XXXXXX");
    LOAM_ASSERT(mkdtemp(dir) != NULL);
}

static int remove_one(const char *path, const struct stat *found, int type, struct FTW *place) {
    (void)found;
    (void)type;
    (void)place;
    return remove(path);
}

void test_dir_remove(const char *dir) {
    nftw(dir, remove_one, OPEN_FILES_MAX, FTW_DEPTH | FTW_PHYS);
}

store *test_store_open(const char *dir, uint64_t cache_bytes_max) {
    store *opened;
    loam_error error = {0};
    store_options options = {.dir = dir, .cache_bytes_max = cache_bytes_max};
    if (store_open(&options, &opened, &error) != LOAM_OK) {
        fprintf(stderr, "%s\n", error.text);
        abort();
    }
    return opened;
}

digest test_key(uint64_t number) {
    unsigned char bytes[8];
    put_u64(bytes, number);
    return digest_of(bytes, sizeof bytes);
}

blob *test_blob(uint64_t number, size_t size) {
    blob *made = blob_allocate(size);
    LOAM_ASSERT(made != NULL);
    for (size_t i = 0; i < size; i += 8) {
        unsigned char word[8];
        put_u64(word, mix_pair(number, i));
        memcpy(made->bytes + i, word, size - i < 8 ? size - i : 8);
    }
    blob_seal(made, size);
    return made;
}

test_latch *test_latch_create(void) {
    test_latch *latch = calloc(1, sizeof *latch);
    LOAM_ASSERT(latch != NULL);
    pthread_mutex_init(&latch->mutex, NULL);
    pthread_cond_init(&latch->changed, NULL);
    return latch;
}

void test_latch_destroy(test_latch *latch) {
    pthread_cond_destroy(&latch->changed);
    pthread_mutex_destroy(&latch->mutex);
    free(latch);
}

void test_latch_done(void *context) {
    test_latch *latch = context;
    pthread_mutex_lock(&latch->mutex);
    latch->count++;
    if (latch->count == latch->wanted) {
        pthread_cond_signal(&latch->changed);
    }
    pthread_mutex_unlock(&latch->mutex);
}

void test_latch_wait(test_latch *latch, unsigned count) {
    pthread_mutex_lock(&latch->mutex);
    latch->wanted = count;
    while (latch->count < count) {
        pthread_cond_wait(&latch->changed, &latch->mutex);
    }
    pthread_mutex_unlock(&latch->mutex);
}

/* Waits for one request that was queued with the latch. */
static void wait_for(loam_status queued, test_latch *latch) {
    LOAM_ASSERT(queued == LOAM_OK);
    test_latch_wait(latch, 1);
    test_latch_destroy(latch);
}

store_outcome test_get(store *from, const digest *key, blob **found) {
    test_latch *latch = test_latch_create();
    store_get request = {.base = {.done = test_latch_done, .context = latch}, .key = *key};
    wait_for(store_result_get(from, &request), latch);
    LOAM_ASSERT(request.base.error.status == LOAM_OK);
    LOAM_ASSERT((request.blob != NULL) == (request.outcome == STORE_HIT));
    if (found != NULL) {
        *found = request.blob;
    } else {
        blob_release(request.blob);
    }
    return request.outcome;
}

store_put test_put(store *to, uint64_t number, size_t size, bool durable) {
    test_latch *latch = test_latch_create();
    blob *value = test_blob(number, size);
    store_put request = {.base = {.done = test_latch_done, .context = latch},
                         .key = test_key(number),
                         .blob = value,
                         .durable = durable};
    wait_for(store_result_put(to, &request), latch);
    blob_release(value);
    request.blob = NULL;
    return request;
}

static bool ask_one(store *from, uint64_t number,
                    loam_status (*ask)(store *from, store_keys *request)) {
    test_latch *latch = test_latch_create();
    digest key = test_key(number);
    bool present = false;
    store_keys request = {.base = {.done = test_latch_done, .context = latch},
                          .keys = &key,
                          .count = 1,
                          .present = &present};
    wait_for(ask(from, &request), latch);
    LOAM_ASSERT(request.base.error.status == LOAM_OK);
    return present;
}

bool test_contains(store *from, uint64_t number) {
    return ask_one(from, number, store_result_contains);
}

bool test_pin(store *from, uint64_t number) {
    return ask_one(from, number, store_result_pin);
}

bool test_pin_in(store *from, store_pin_set *set, const digest *keys, size_t count) {
    test_latch *latch = test_latch_create();
    bool present[100] = {false};
    LOAM_ASSERT(count <= sizeof present);
    store_keys request = {.base = {.done = test_latch_done, .context = latch},
                          .keys = keys,
                          .count = count,
                          .present = present,
                          .set = set};
    wait_for(store_result_pin(from, &request), latch);
    LOAM_ASSERT(request.base.error.status == LOAM_OK);
    return memchr(present, 0, count) == NULL;
}
