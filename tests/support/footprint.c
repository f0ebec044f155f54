/* SPDX-License-Identifier: MIT
 *
 * footprint.c: see footprint.h, proc(5), clock_getcpuclockid(3).
 */
#include "tests/support/footprint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double read_status_mb(pid_t pid, const char *name) {
    char path[64];
    char line[256];
    double kilobytes = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, name, strlen(name)) == 0) {
            kilobytes = strtod(line + strlen(name), NULL);
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return kilobytes / 1024;
}

static double read_cpu_s(pid_t pid) {
    clockid_t clock;
    struct timespec time = {0};
    if (clock_getcpuclockid(pid, &clock) == 0) {
        (void)clock_gettime(clock, &time);
    }
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

footprint footprint_of(pid_t pid) {
    return (footprint){.resident_mb = read_status_mb(pid, "VmRSS:"),
                       .peak_mb = read_status_mb(pid, "VmHWM:"),
                       .cpu_s = read_cpu_s(pid)};
}

void footprint_restart(pid_t pid) {
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/clear_refs", (int)pid);
    FILE *file = fopen(path, "we");
    if (file == NULL || fputs("5", file) <= 0 || fclose(file) != 0) {
        perror(path);
        abort();
    }
}
