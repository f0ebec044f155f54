/* SPDX-License-Identifier: MIT
 *
 * visitor.h: an honest client in a thread of its own: one GET after the other with a pause between
 * them, on one connection or on a fresh one each time, and how long each took. What anything else
 * does to the daemon shows in its times.
 */
#ifndef LOAM_TESTS_SUPPORT_VISITOR_H
#define LOAM_TESTS_SUPPORT_VISITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VISIT_PATH_BYTES = 512 };

typedef struct visit_plan {
    uint16_t port; /* on the loopback */
    const char *path;
    /* Writes the path of the n-th GET; NULL: always `path`. */
    void (*write_path)(const void *context, uint32_t n, char path[VISIT_PATH_BYTES]);
    const void *context;
    const char *accept; /* NULL: anything */
    unsigned pause_us;
    uint32_t count_max; /* ends after so many; 0: only when told */
    bool fresh;         /* a connection for each; its time counts from connect() */
} visit_plan;

typedef struct visits {
    uint64_t count;  /* answered with 200 */
    uint64_t failed; /* answered otherwise, cut, or not answered for 10 s */
    int status;      /* of the last failure; 0: there was no answer */
    double p50_ms, p99_ms, max_ms;
} visits;

typedef struct visitor visitor;

/* Ends the program when there is neither memory nor a thread. The plan is copied. */
visitor *visitor_start(const visit_plan *plan);
/* Whether all of count_max are done. */
bool visitor_is_done(const visitor *of);
/* Stops after the GET that is under way. */
visits visitor_end(visitor *of);

#endif
