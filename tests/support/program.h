/* SPDX-License-Identifier: MIT
 *
 * program.h: runs a command line as a user would and keeps what it said and how it ended.
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

/* A fresh folder below the temporary folder; `path` holds 64 bytes. Removed by the other. */
void program_folder_make(char *path);
void program_folder_remove(const char *path);

#endif
