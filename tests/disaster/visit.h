/* SPDX-License-Identifier: MIT
 *
 * visit.h: requests of a strand to the daemon beside it, over its unix socket.
 */
#ifndef LOAM_TESTS_DISASTER_VISIT_H
#define LOAM_TESTS_DISASTER_VISIT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct visit {
    const char *method;
    const char *path;
    const char *headers; /* whole lines; NULL: none */
    const char *body;    /* JSON; NULL: none */
    bool leave;          /* goes before the answer has come */
} visit;

typedef struct reply {
    int status; /* 0: no answer */
    char *head; /* owned; NULL without an answer */
    char *body; /* in the same memory; terminated */
    size_t size;
} reply;

/* Where the daemon listens. */
void visit_at(const char *socket_path);
/* Ends the process with a finding when the daemon says nothing for minutes. */
reply visit_make(const visit *of);
void reply_free(reply *of);
/* A header's value, copied into `value`; empty when there is none. */
void reply_header(const reply *of, const char *name, char *value, size_t size);
/* NULL when it is no JSON; owned. */
json_t *reply_json(const reply *of);

/* Something that must not be: says what, prints the daemon's log and how to run this seed again,
 * and ends the process. */
_Noreturn void finding(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
