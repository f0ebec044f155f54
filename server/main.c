/* SPDX-License-Identifier: MIT
 *
 * main.c: loamd, from the command line to its end. What is wrong before it listens is one line on
 * stderr: exit 2 for the command line, 1 for everything else.
 */
#include "api/wire/document.h"
#include "core/base/try.h"
#include "server/config/config.h"
#include "server/daemon.h"
#include "server/watch/log.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { EXIT_ENDED = 0, EXIT_FAULT = 1, EXIT_USAGE = 2 };
/* Descriptors beside connections: databases, epoll, uploads under way, the log. */
enum { OTHER_DESCRIPTORS = 128 };

/* Far too large for a stack's taste. */
static config settings;

static void print_text(void *context, const char *text) {
    (void)context;
    fputs(text, stdout);
}

static int complain(const loam_error *error, int code) {
    fprintf(stderr, "loamd: %s\n",
            error->text[0] == 0 ? loam_status_text(error->status) : error->text);
    return code;
}

/* As many descriptors as the system allows, and no more connections than fit. */
static void raise_descriptors(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return;
    }
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return;
    }
    int64_t room = (int64_t)limit.rlim_cur - OTHER_DESCRIPTORS;
    if (settings.connection_limit > room && room > 0) {
        log_line line;
        log_begin(&line, LOG_WARNING, "fewer-connections");
        log_number(&line, "connection_limit", room);
        log_end(&line);
        settings.connection_limit = room;
    }
}

/* The same bytes as everybody, or no bytes. */
static loam_status check_build(loam_error *error) {
    if (!loam_simd_available((loam_simd)settings.simd)) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "--simd: this processor has no %s",
                         loam_simd_name((loam_simd)settings.simd));
    }
    return loam_self_test(error);
}

static loam_status run(loam_error *error) {
    umask(077);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error like a full disk */
    log_set_level((log_level)settings.log_level);
    raise_descriptors();
    LOAM_TRY(check_build(error));
    LOAM_TRY(wire_init(error));
    return daemon_run(&settings, error);
}

int main(int argc, char *argv[]) {
    loam_error error = {0};
    config_outcome outcome = config_read(&settings, argc, argv, &error);
    switch (outcome) {
    case CONFIG_HELP:
        config_help(print_text, NULL);
        return EXIT_ENDED;
    case CONFIG_VERSION:
        printf("loamd %s\n", LOAM_VERSION_TEXT);
        return EXIT_ENDED;
    case CONFIG_MANUAL:
    case CONFIG_MANUAL_FILE:
    case CONFIG_SAMPLE:
        config_page(outcome, print_text, NULL);
        return EXIT_ENDED;
    case CONFIG_USAGE:
        return complain(&error, EXIT_USAGE);
    case CONFIG_BAD:
        return complain(&error, EXIT_FAULT);
    case CONFIG_RUN:
        break;
    }
    return run(&error) == LOAM_OK ? EXIT_ENDED : complain(&error, EXIT_FAULT);
}
