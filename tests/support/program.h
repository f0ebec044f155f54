/* SPDX-License-Identifier: MIT
 *
 * program.h: runs a command line as a user would and keeps what it said and how it ended; and a
 * daemon for it to talk to.
 */
#ifndef TESTS_SUPPORT_PROGRAM_H
#define TESTS_SUPPORT_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

enum { PROGRAM_LINE_BYTES = 4096, PROGRAM_OUTPUT_BYTES = 1 << 20 };

typedef struct program_result {
    int exit_code; /* -1 when it did not end by itself */
    size_t size;
    char output[PROGRAM_OUTPUT_BYTES]; /* stdout and stderr, terminated; cut at its capacity */
} program_result;

/* Runs `format` by the shell, in which $LOAM is the loam of this build (LOAM_BIN, else build/bin)
 * and $DIR is `folder`. The result lives until the next run of the same test. */
const program_result *program_run(const char *folder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Whether the output holds a text. */
bool program_said(const program_result *result, const char *text);

/* Starts the loamd of this build with `folder`/data on a free port of the loopback and waits until
 * it is ready; its port is in `folder`/port and its log in `folder`/log. Ends with the other, which
 * returns its exit code (-1 when a signal ended it). */
int program_daemon_start(const char *folder);
/* The same where `options` (NULL-terminated) say where it listens and how many workers it has. */
int program_daemon_start_with(const char *folder, const char *const *options);
int program_daemon_end(int pid);

/* A suite's .init and .fini: a fresh folder; and that with a daemon in it. */
extern char program_folder[64];
void program_folder_begin(void);
void program_folder_end(void);
void program_begin(void);
void program_end(void);

/* A fresh folder below the temporary folder; `path` holds 64 bytes. Removed by the other. */
void program_folder_make(char *path);
void program_folder_remove(const char *path);

#endif
