/* SPDX-License-Identifier: MIT
 *
 * program.c: see program.h.
 */
#include "tests/support/program.h"

#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of a daemon's command line. */
enum { DAEMON_WORDS_MAX = 32 };

static program_result last;

static void demand(bool holds, const char *what) {
    if (!holds) {
        perror(what);
        abort();
    }
}

static void program_path(const char *name, char path[PROGRAM_LINE_BYTES]) {
    const char *bin = getenv("LOAM_BIN");
    int size = snprintf(path, PROGRAM_LINE_BYTES, "%s/%s", bin != NULL ? bin : "build/bin", name);
    demand(size > 0 && size < PROGRAM_LINE_BYTES, "LOAM_BIN");
}

static void environment_set(const char *folder) {
    char program[PROGRAM_LINE_BYTES];
    program_path("loam", program);
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

/* In the child: becomes the daemon. */
static void daemon_become(const char *folder, const char *const *options) {
    char program[PROGRAM_LINE_BYTES];
    char data[PROGRAM_LINE_BYTES];
    char port[PROGRAM_LINE_BYTES];
    char log[PROGRAM_LINE_BYTES];
    program_path("loamd", program);
    (void)snprintf(data, sizeof data, "%s/data", folder);
    (void)snprintf(port, sizeof port, "%s/port", folder);
    (void)snprintf(log, sizeof log, "%s/log", folder);
    demand(freopen(log, "a", stderr) != NULL, log);
    const char *line[DAEMON_WORDS_MAX] = {program, "--data", data, "--port-file", port};
    size_t count = 5;
    for (; *options != NULL && count < DAEMON_WORDS_MAX - 1; options++) {
        line[count++] = *options;
    }
    (void)execv(program, (char **)(uintptr_t)line);
    perror(program);
    _exit(127);
}

int program_daemon_start(const char *folder) {
    static const char *const usual[] = {"--listen", "127.0.0.1:0", "--workers", "2", NULL};
    return program_daemon_start_with(folder, usual);
}

int program_daemon_start_with(const char *folder, const char *const *options) {
    pid_t pid = fork();
    demand(pid >= 0, "fork");
    if (pid == 0) {
        daemon_become(folder, options);
    }
    const program_result *result =
        program_run(folder, "$LOAM wait-ready --port-file $DIR/port --pid %d", (int)pid);
    demand(result->exit_code == 0, result->output);
    return (int)pid;
}

int program_daemon_end(int pid) {
    int status = 0;
    demand(kill((pid_t)pid, SIGTERM) == 0, "kill");
    demand(waitpid((pid_t)pid, &status, 0) == (pid_t)pid, "waitpid");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
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

/* ---- A suite's ------------------------------------------------------------------------------- */

char program_folder[64];
static int daemon_pid;

void program_folder_begin(void) {
    program_folder_make(program_folder);
}

void program_folder_end(void) {
    program_folder_remove(program_folder);
}

void program_begin(void) {
    program_folder_begin();
    daemon_pid = program_daemon_start(program_folder);
}

void program_end(void) {
    demand(program_daemon_end(daemon_pid) == 0, "loamd ended with an error");
    program_folder_end();
}
