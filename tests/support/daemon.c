/* SPDX-License-Identifier: MIT
 *
 * daemon.c: see daemon.h. The process: started, watched, ended.
 */
#include "tests/support/daemon.h"
#include "tests/support/pause.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A machine that is busy with everything else still starts a daemon in that time. */
enum { START_MS = 60000, END_MS = 60000, POLL_MS = 10 };

static void path_in(const test_daemon *daemon, const char *name, char path[DAEMON_PATH_BYTES]) {
    snprintf(path, DAEMON_PATH_BYTES, "%s/%s", daemon->folder, name);
}

static void program_path(char path[512]) {
    const char *folder = getenv("LOAM_BIN");
    snprintf(path, 512, "%s/loamd", folder == NULL ? "build/bin" : folder);
}

/* In the child: becomes loamd, with stderr in a file; ends with its parent. */
static void become_daemon(char *const *argv, const char *log) {
    int descriptor = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(descriptor, STDERR_FILENO);
    dup2(descriptor, STDOUT_FILENO);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    execv(argv[0], argv);
    _exit(127);
}

static bool read_port(test_daemon *daemon) {
    char path[DAEMON_PATH_BYTES];
    unsigned port = 0;
    path_in(daemon, "port", path);
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return false;
    }
    bool whole = fscanf(file, "%u", &port) == 1;
    fclose(file);
    daemon->port = (uint16_t)port;
    return whole;
}

void daemon_print_log(const test_daemon *daemon) {
    char path[DAEMON_PATH_BYTES];
    char line[1024];
    path_in(daemon, "log", path);
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        fputs(line, stderr);
    }
    if (file != NULL) {
        fclose(file);
    }
}

static void wait_ready(test_daemon *daemon) {
    for (unsigned waited = 0; !read_port(daemon); waited += POLL_MS) {
        int status = 0;
        if (waited >= START_MS || waitpid(daemon->pid, &status, WNOHANG) != 0) {
            daemon_print_log(daemon);
            cr_assert_fail("loamd did not become ready");
        }
        pause_ms(POLL_MS);
    }
}

static void start_process(test_daemon *daemon, const char *const *args) {
    char program[512];
    char data[DAEMON_PATH_BYTES];
    char port[DAEMON_PATH_BYTES];
    char log[DAEMON_PATH_BYTES];
    char *argv[DAEMON_ARGS_MAX] = {program,
                                   (char[]){"--listen"},
                                   (char[]){"127.0.0.1:0"},
                                   (char[]){"--data"},
                                   data,
                                   (char[]){"--port-file"},
                                   port};
    size_t count = 7;
    program_path(program);
    path_in(daemon, "data", data);
    path_in(daemon, "port", port);
    path_in(daemon, "log", log);
    unlink(port);
    for (; args != NULL && *args != NULL && count < DAEMON_ARGS_MAX - 1; args++) {
        argv[count++] = (char *)(uintptr_t)*args;
    }
    daemon->pid = fork();
    cr_assert(daemon->pid >= 0);
    if (daemon->pid == 0) {
        become_daemon(argv, log);
    }
}

static void make_folder(test_daemon *daemon) {
    snprintf(daemon->folder, sizeof daemon->folder, "/tmp/loam-http-XXXXXX");
    cr_assert_not_null(mkdtemp(daemon->folder));
}

test_daemon daemon_start(const char *folder, const char *const *args) {
    test_daemon daemon = {0};
    if (folder == NULL) {
        make_folder(&daemon);
    } else {
        snprintf(daemon.folder, sizeof daemon.folder, "%s", folder);
    }
    start_process(&daemon, args);
    wait_ready(&daemon);
    return daemon;
}

static bool log_is_empty(const test_daemon *daemon) {
    char path[DAEMON_PATH_BYTES];
    struct stat state;
    path_in(daemon, "log", path);
    return stat(path, &state) != 0 || state.st_size == 0;
}

bool daemon_try_start(test_daemon *daemon, const char *const *args) {
    int status = 0;
    char log[DAEMON_PATH_BYTES];
    if (daemon->folder[0] == 0) {
        make_folder(daemon);
    }
    path_in(daemon, "log", log);
    unlink(log); /* what an earlier one said is not a word of this one */
    start_process(daemon, args);
    for (unsigned waited = 0; !read_port(daemon); waited += POLL_MS) {
        cr_assert_lt(waited, START_MS, "loamd neither became ready nor ended");
        if (waitpid(daemon->pid, &status, WNOHANG) != 0) {
            daemon_print_log(daemon);
            cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 1, "ended with %x", status);
            cr_expect(!log_is_empty(daemon), "ended without a word");
            daemon->pid = 0;
            return false;
        }
        pause_ms(POLL_MS);
    }
    return true;
}

int daemon_end(test_daemon *daemon) {
    int status = 0;
    kill(daemon->pid, SIGTERM);
    for (unsigned waited = 0; waitpid(daemon->pid, &status, WNOHANG) == 0; waited += POLL_MS) {
        if (waited >= END_MS) {
            daemon_print_log(daemon);
            daemon_kill(daemon);
            cr_assert_fail("loamd did not end");
        }
        pause_ms(POLL_MS);
    }
    daemon->pid = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void daemon_kill(test_daemon *daemon) {
    kill(daemon->pid, SIGKILL);
    waitpid(daemon->pid, NULL, 0);
    daemon->pid = 0;
}

void daemon_remove_folder(const test_daemon *daemon) {
    char command[DAEMON_FOLDER_BYTES + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", daemon->folder);
    cr_assert_eq(system(command), 0);
}

int daemon_fail(const char *const *args, char *said, size_t size) {
    char program[512];
    char *argv[DAEMON_ARGS_MAX] = {program};
    int ends[2];
    size_t used = 0;
    int status = 0;
    program_path(program);
    for (size_t i = 0; args[i] != NULL && i < DAEMON_ARGS_MAX - 2; i++) {
        argv[i + 1] = (char *)(uintptr_t)args[i];
    }
    cr_assert_eq(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], STDERR_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        execv(argv[0], argv);
        _exit(127);
    }
    close(ends[1]);
    for (ssize_t got = 1; got > 0 && used + 1 < size; used += (size_t)(got > 0 ? got : 0)) {
        got = read(ends[0], said + used, size - used - 1);
    }
    said[used] = 0;
    close(ends[0]);
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}
