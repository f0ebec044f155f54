/* SPDX-License-Identifier: MIT
 *
 * daemon.h: a real loamd for a test, on a free port and in a folder of its own, and requests to it.
 * It ends with the test, however that ends. What cannot be had fails the test with its reason.
 */
#ifndef LOAM_TESTS_SUPPORT_DAEMON_H
#define LOAM_TESTS_SUPPORT_DAEMON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { DAEMON_FOLDER_BYTES = 64, DAEMON_PATH_BYTES = 160, DAEMON_ARGS_MAX = 24 };

typedef struct test_daemon {
    pid_t pid;
    uint16_t port;
    char folder[DAEMON_FOLDER_BYTES]; /* holds data/, port and log */
} test_daemon;

/* Starts one in `folder`, in a fresh one when NULL; `args` (NULL-terminated) may be NULL. Waits
 * until it is ready. */
test_daemon daemon_start(const char *folder, const char *const *args);
/* The same in daemon->folder, a fresh one when that is empty; but one that ends by itself before it
 * is ready is no failure: false, when it ended with 1 and a line that says why. */
bool daemon_try_start(test_daemon *daemon, const char *const *args);
/* SIGTERM, and its exit code; the folder stays. */
int daemon_end(test_daemon *daemon);
/* SIGKILL. */
void daemon_kill(test_daemon *daemon);
void daemon_remove_folder(const test_daemon *daemon);
/* What it wrote so far, to stderr. */
void daemon_print_log(const test_daemon *daemon);
/* Runs loamd until it ends by itself and keeps what it wrote to stderr; its exit code. */
int daemon_fail(const char *const *args, char *said, size_t size);

/* ---- Requests ------------------------------------------------------------------------------- */

typedef struct answer {
    int status; /* 0: no answer came */
    char *head; /* header lines, as they came */
    char *body; /* terminated */
    size_t size;
} answer;

typedef struct ask_options {
    const char *const *headers; /* "Name: value", NULL-terminated */
    const void *body;
    size_t body_bytes;     /* 0 with a body: strlen */
    const char *type;      /* Content-Type */
    const char *unix_path; /* asks there and not at the port */
    const char *trusted;   /* asks by TLS; only a certificate of this file is believed */
    const char *target;    /* stands in the request line in the path's place */
} ask_options;

/* `path` is printf's. End the answer with answer_free. */
answer ask(const test_daemon *daemon, const char *method, const ask_options *options,
           const char *path, ...) __attribute__((format(printf, 4, 5)));
answer ask_get(const test_daemon *daemon, const char *path, ...)
    __attribute__((format(printf, 2, 3)));
answer ask_json(const test_daemon *daemon, const char *method, const char *json, const char *path,
                ...) __attribute__((format(printf, 4, 5)));
void answer_free(answer *of);
/* A header's value in memory of the answer, NULL when absent; any case. The last one stays valid
 * until the next call. */
const char *answer_header(const answer *of, const char *name);
/* The body as JSON; fails the test when it is none. The caller lets go of it. */
json_t *answer_json(const answer *of);
/* Fails the test unless it is this problem; `pointer` NULL: none. */
void expect_problem(answer of, int status, const char *code, const char *pointer);
/* Fails the test unless the body hashes to the entity tag and to Repr-Digest. */
void expect_hashes(const answer *of);
/* A number of /metrics, by the whole name with its labels; -1 when it is not there. */
double daemon_metric(const test_daemon *daemon, const char *name);

/* Bytes as they are, on a connection of their own; what came back until its end or `wait_ms`. */
size_t daemon_raw(const test_daemon *daemon, const void *bytes, size_t size, unsigned wait_ms,
                  char *reply, size_t reply_size);

/* ---- A world -------------------------------------------------------------------------------- */

/* The body of a world "forest" on terrain "hills" and village "huts": cells of 256 m and of 64 m
 * within 1,024 m, light enough that a cell takes a few milliseconds. */
const char *forest_world_json(void);
/* Puts terrain, village and world; fails the test when one is not taken. */
void forest_put(const test_daemon *daemon);
/* Puts the world "slow", by a unix socket where there is one: cells of 1,024 m of its output
 * "trees" take a good part of a second, smaller ones less. Within 8,192 m. */
void slow_put(const test_daemon *daemon, const char *unix_path, int cell_m);
/* Puts GeoJSON as the points "gates", for dungeons to stand at. */
void gates_put(const test_daemon *daemon, const char *features);
/* Puts the forest with these dungeons as the world "dark". */
answer dark_put(const test_daemon *daemon, const char *dungeons);

#endif
