/* SPDX-License-Identifier: MIT
 *
 * timing.c: see timing.h.
 */
#include "tests/support/timing.h"

#include "api/key/key.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { REPETITIONS_MAX = 1000 };

uint64_t timing_now(void *context) {
    (void)context;
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void timing_must(loam_status status, const loam_error *error) {
    if (status != LOAM_OK) {
        fprintf(stderr, "%s: %s %s\n", loam_status_code(status), error->pointer, error->text);
        exit(1);
    }
}

int timing_compare(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

timing timing_of(void (*run)(void *context), void *context, int repetitions) {
    static uint64_t times[REPETITIONS_MAX];
    int count = repetitions < REPETITIONS_MAX ? repetitions : REPETITIONS_MAX;
    run(context);
    for (int i = 0; i < count; i++) {
        uint64_t start = timing_now(NULL);
        run(context);
        times[i] = timing_now(NULL) - start;
    }
    qsort(times, (size_t)count, sizeof times[0], timing_compare);
    return (timing){times[0], times[count / 2], times[(count - 1) * 99 / 100]};
}

void timing_print(const char *name, timing measured) {
    printf("%s_min\t%.3f\tms\n", name, (double)measured.min / 1e6);
    printf("%s_median\t%.3f\tms\n", name, (double)measured.median / 1e6);
}

void timing_print_digest(const char *name, const void *bytes, size_t size) {
    char text[DIGEST_TEXT_BYTES];
    digest sum = digest_of(bytes, size);
    digest_text(&sum, text);
    printf("%s_digest\t%s\tdigest\n", name, text);
}
