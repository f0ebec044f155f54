/* SPDX-License-Identifier: MIT
 *
 * store_bench.c: what the store writes and reads in a second, with group commit, checkpoints and
 * eviction included. Lines of name, value, unit. The digest of every blob is taken before the
 * clock starts; what is measured is the store. One argument: only the load of
 * this name.
 */
#include "tests/support/store_calls.h"

#include "core/base/assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Of all threads of the process: does not depend on what else the machine does. */
static double cpu_seconds(void) {
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
}

typedef struct load {
    const char *name;
    size_t blob_bytes;
    unsigned puts;
    bool durable;
    uint64_t cache_bytes_max;
} load;

/* Distinct bytes for every put: equal ones would be stored once. */
static blob **make_blobs(const load *of) {
    blob **blobs = calloc(of->puts, sizeof(blob *));
    LOAM_ASSERT(blobs != NULL);
    for (unsigned i = 0; i < of->puts; i++) {
        blobs[i] = test_blob(i, of->blob_bytes);
    }
    return blobs;
}

static double write_all(store *to, const load *of, blob **blobs, store_put *puts) {
    test_latch *latch = test_latch_create();
    double begun = seconds();
    for (unsigned i = 0; i < of->puts; i++) {
        puts[i] = (store_put){.base = {.done = test_latch_done, .context = latch},
                              .key = test_key(i),
                              .blob = blobs[i],
                              .durable = of->durable};
        while (store_result_put(to, &puts[i]) == LOAM_OVERLOADED) {
            nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
        }
    }
    test_latch_wait(latch, of->puts);
    double elapsed = seconds() - begun;
    test_latch_destroy(latch);
    return elapsed;
}

static double read_all(store *from, const load *of) {
    double begun = seconds();
    for (unsigned i = of->puts / 2; i < of->puts; i++) {
        digest key = test_key(i);
        store_outcome outcome = test_get(from, &key, NULL);
        LOAM_ASSERT(outcome == STORE_HIT);
    }
    return seconds() - begun;
}

static void run(const load *of) {
    char dir[TEST_DIR_BYTES];
    test_dir_make(dir);
    store *opened = test_store_open(dir, of->cache_bytes_max);
    blob **blobs = make_blobs(of);
    store_put *puts = calloc(of->puts, sizeof *puts);
    LOAM_ASSERT(puts != NULL);
    double cpu_begun = cpu_seconds();
    double wrote = write_all(opened, of, blobs, puts);
    double cpu_us = (cpu_seconds() - cpu_begun) * 1e6 / of->puts;
    double rate = of->puts / wrote;
    printf("store_put_%s\t%.0f\t1/s\n", of->name, rate);
    printf("store_put_%s_bytes\t%.0f\tMB/s\n", of->name, rate * (double)of->blob_bytes * 1e-6);
    printf("store_put_%s_cpu\t%.0f\tus\n", of->name, cpu_us);
    for (unsigned i = 0; i < of->puts; i++) {
        LOAM_ASSERT(puts[i].base.error.status == LOAM_OK);
        blob_release(blobs[i]);
    }
    printf("store_get_first_%s\t%.0f\t1/s\n", of->name, (of->puts + 1) / 2 / read_all(opened, of));
    printf("store_get_again_%s\t%.0f\t1/s\n", of->name, (of->puts + 1) / 2 / read_all(opened, of));
    free(puts);
    free(blobs);
    store_close(opened);
    test_dir_remove(dir);
}

int main(int argc, char **argv) {
    const load loads[] = {
        {"1kb", 1 << 10, 20000, false, 0},
        {"64kb", 64 << 10, 6144, false, 0},
        {"64kb_durable", 64 << 10, 4096, true, 0},
        {"64kb_evicting", 64 << 10, 6144, false, (uint64_t)256 << 20},
        {"512kb", 512 << 10, 768, false, 0},
    };
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++) {
        if (argc < 2 || strcmp(argv[1], loads[i].name) == 0) {
            run(&loads[i]);
        }
    }
    return 0;
}
