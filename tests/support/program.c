/* SPDX-License-Identifier: MIT
 *
 * program.c: see program.h.
 */
#include "tests/support/program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static program_result last;

static void demand(bool holds, const char *what) {
    if (!holds) {
        perror(what);
        abort();
    }
}

static void environment_set(const char *folder) {
    char program[PROGRAM_LINE_BYTES];
    const char *bin = getenv("LOAM_BIN");
    int size = snprintf(program, sizeof program, "%s/loam", bin != NULL ? bin : "build/bin");
    demand(size > 0 && (size_t)size < sizeof program, "LOAM_BIN");
    demand(setenv("LOAM", program, 1) == 0 && setenv("DIR", folder, 1) == 0, "setenv");
}

static void output_read(FILE *pipe) {
    size_t room = sizeof last.output - 1;
    last.size = fread(last.output, 1, room, pipe);
    last.output[last.size] = '\0';
    while (last.size == room && fgetc(pipe) != EOF) {
    }
}

const program_result *program_run(const char *folder, const char *format, ...) {
    char line[PROGRAM_LINE_BYTES];
    char whole[PROGRAM_LINE_BYTES + 16];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    demand(size > 0 && (size_t)size < sizeof line, "command line");
    (void)snprintf(whole, sizeof whole, "{ %s; } 2>&1", line);
    environment_set(folder);
    FILE *pipe = popen(whole, "r");
    demand(pipe != NULL, "popen");
    output_read(pipe);
    int status = pclose(pipe);
    last.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return &last;
}

bool program_said(const program_result *result, const char *text) {
    return strstr(result->output, text) != NULL;
}

void program_folder_make(char *path) {
    const char *base = getenv("TMPDIR");
    int size = snprintf(path, 64, "%s/loam-test.XXXXXX", base != NULL ? base : "/tmp");
    demand(size > 0 && size < 64 && mkdtemp(path) != NULL, "mkdtemp");
}

void program_folder_remove(const char *path) {
    demand(strstr(path, "/loam-test.") != NULL, path);
    (void)program_run(path, "rm -rf \"$DIR\"");
}
