/* SPDX-License-Identifier: MIT
 *
 * store_calls.h: the store as a test wants it: a fresh folder, calls that wait for their end, blobs
 * and keys made of a number. Every call traps when the store refuses to queue it.
 */
#ifndef LOAM_TESTS_SUPPORT_STORE_CALLS_H
#define LOAM_TESTS_SUPPORT_STORE_CALLS_H

#include "server/store/store.h"

enum { TEST_DIR_BYTES = 64 };

/* Makes a folder below /tmp and writes its path; and removes it with all that is in it. */
void test_dir_make(char dir[TEST_DIR_BYTES]);
void test_dir_remove(const char *dir);

/* Opens or traps with the error on stderr. Cap 0 is the default. */
store *test_store_open(const char *dir, uint64_t cache_bytes_max);

/* A key, and a blob of `size` bytes that do not compress, of a number. Owned. */
digest test_key(uint64_t number);
blob *test_blob(uint64_t number, size_t size);

/* Counts calls of done; several requests may share one. One thread waits. */
typedef struct test_latch test_latch;
test_latch *test_latch_create(void);
void test_latch_destroy(test_latch *latch);
/* As a request's done and context. */
void test_latch_done(void *latch);
void test_latch_wait(test_latch *latch, unsigned count);

/* Fills request->blob (owned by the caller) and waits. */
store_outcome test_get(store *from, const digest *key, blob **found);
/* Puts blob(number, size) under key(number) and waits; returns the request as it ended. */
store_put test_put(store *to, uint64_t number, size_t size, bool durable);
/* Whether key(number) is there; or pins it and says so. */
bool test_contains(store *from, uint64_t number);
bool test_pin(store *from, uint64_t number);
/* Pins keys (100 at most) in a set; whether all are there. */
bool test_pin_in(store *from, store_pin_set *set, const digest *keys, size_t count);

#endif
