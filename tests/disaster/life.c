/* SPDX-License-Identifier: MIT
 *
 * life.c: see life.h. The daemon runs in a strand, visitors in others; what they learn stays in
 * shared memory.
 */
#include "tests/disaster/life.h"

#include "api/wire/document.h"
#include "server/config/config.h"
#include "server/daemon.h"
#include "server/watch/log.h"
#include "tests/disaster/disk.h"
#include "tests/disaster/script.h"
#include "tests/disaster/strand.h"
#include "tests/disaster/visit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Between two lives. */
#define PAUSE_NS ((uint64_t)1000000000)
enum { TEXT_BYTES = 256, START_POLL_MS = 5, START_POLLS_MAX = 20000 };

static const life *now;
static ledger *notes;
static int say_to = STDERR_FILENO; /* the daemon has the process's own */
static loam_status daemon_status;
static bool daemon_ended;
static config settings;

static void path_of(const char *name, char path[TEXT_BYTES]) {
    snprintf(path, TEXT_BYTES, "%s/%s", now->folder, name);
}

/* ---- The end -------------------------------------------------------------------------------- */

static _Noreturn void end_process(life_end how) {
    notes->now_ns = strands_now_ns() + PAUSE_NS;
    notes->tally.steps += strands_steps();
    notes->tally.failures += disk_failures();
    _exit((int)how);
}

static void copy_log(void) {
    char path[TEXT_BYTES];
    char bytes[4096];
    path_of("log", path);
    FILE *log = fopen(path, "re");
    size_t got = 1;
    while (log != NULL && got > 0) {
        got = fread(bytes, 1, sizeof bytes, log);
        (void)!write(say_to, bytes, got);
    }
}

_Noreturn void finding(const char *format, ...) {
    va_list rest;
    va_start(rest, format);
    copy_log();
    dprintf(say_to, "seed %llu: ", (unsigned long long)now->seed);
    vdprintf(say_to, format, rest);
    dprintf(say_to, "\n");
    va_end(rest);
    end_process(LIFE_FINDING);
}

static void interrupted(void) {
    if (now->end == LIFE_CUT) {
        disk_cut();
    }
    end_process(now->end);
}

/* ---- The daemon ----------------------------------------------------------------------------- */

static void read_settings(void) {
    char root[TEXT_BYTES], data[TEXT_BYTES], backups[TEXT_BYTES], listener[TEXT_BYTES];
    loam_error error = {0};
    path_of("root", root);
    path_of("root/data", data);
    path_of("root/backups", backups);
    path_of("socket", listener);
    char *argv[] = {"loamd", "--listen",     "none",  "--unix",    listener, "--data",
                    data,    "--backup-dir", backups, "--workers", "2",      NULL};
    int argc = (int)(sizeof argv / sizeof argv[0]) - 1;
    if (config_read(&settings, argc, argv, &error) != CONFIG_RUN) {
        finding("the command line is wrong: %s", error.text);
    }
    settings.cache_bytes = (int64_t)now->cache_bytes; /* less than anybody would want */
    visit_at(listener);
}

static void *run_daemon(void *context) {
    loam_error error = {0};
    (void)context;
    daemon_status = wire_init(&error);
    if (daemon_status == LOAM_OK) {
        daemon_status = daemon_run(&settings, &error);
    }
    if (daemon_status != LOAM_OK) {
        fprintf(stderr, "loamd: %s\n", error.text);
    }
    daemon_ended = true;
    return NULL;
}

static bool is_ready(void) {
    reply got = visit_make(&(visit){.method = "GET", .path = "/healthz/ready"});
    bool ready = got.status == 200;
    reply_free(&got);
    return ready;
}

/* One that cannot start says so, and has a reason. */
static void await_ready(void) {
    for (int i = 0; !daemon_ended && !is_ready(); i++) {
        if (i == START_POLLS_MAX) {
            finding("the daemon does not get ready");
        }
        nanosleep(&(struct timespec){.tv_nsec = START_POLL_MS * 1000000}, NULL);
    }
    if (daemon_ended && disk_failures() == 0) {
        finding("the daemon did not start on a disk that works");
    }
    if (daemon_ended) {
        end_process(LIFE_STILL);
    }
}

/* ---- Visitors ------------------------------------------------------------------------------- */

static void *run_visitor(void *context) {
    uint32_t number = (uint32_t)(uintptr_t)context;
    if (now->kind == LIFE_CONCLUDING) {
        script_conclude(notes, number);
    } else {
        script_visit(notes, number, now->order, now->storms);
    }
    return NULL;
}

static void run_visitors(void) {
    pthread_t threads[VISITORS];
    if (now->kind == LIFE_REFERENCE) {
        script_learn(notes);
        return;
    }
    for (uintptr_t i = 0; i < VISITORS; i++) {
        pthread_create(&threads[i], NULL, run_visitor, (void *)i);
    }
    for (uint32_t i = 0; i < VISITORS; i++) {
        pthread_join(threads[i], NULL);
    }
}

/* ---- A life --------------------------------------------------------------------------------- */

static void redirect_log(void) {
    char path[TEXT_BYTES];
    path_of("log", path);
    int log = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    say_to = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 100);
    dup2(log, STDERR_FILENO);
}

static void begin_machine(void) {
    char root[TEXT_BYTES];
    char grave[TEXT_BYTES];
    path_of("root", root);
    path_of("grave", grave);
    strands_begin(now->order, &notes->trace, notes->now_ns);
    disk_begin(root, grave);
    if (now->end != LIFE_CLOSED) {
        strands_interrupt(now->steps, interrupted);
    }
    log_set_level(LOG_WARNING);
}

static void live(void) {
    pthread_t daemon;
    redirect_log();
    read_settings();
    begin_machine();
    pthread_create(&daemon, NULL, run_daemon, NULL);
    await_ready();
    run_visitors();
    disk_set_weather((disk_weather){0});
    raise(SIGTERM);
    pthread_join(daemon, NULL);
    if (daemon_status != LOAM_OK) {
        finding("the daemon ended with a fault");
    }
    end_process(LIFE_CLOSED);
}

life_end life_run(const life *of, ledger *shared) {
    int status = 0;
    now = of;
    notes = shared;
    pid_t child = fork();
    if (child == 0) {
        live();
    }
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) > LIFE_FINDING) {
        copy_log();
        fprintf(stderr, "seed %llu: the process ended with %x\n", (unsigned long long)of->seed,
                (unsigned)status);
        return LIFE_FINDING;
    }
    return (life_end)WEXITSTATUS(status);
}
