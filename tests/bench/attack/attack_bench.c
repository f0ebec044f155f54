/* SPDX-License-Identifier: MIT
 *
 * attack_bench.c: a real loamd under one attack after the other (tests/support/attack.h), each by
 * as many sockets as the table says, while two honest clients GET a cell that is in memory: one on
 * a connection that it keeps, one that connects anew each time. Then one machine that takes more
 * connections than its share, where there is an address beyond the loopback (which is not counted).
 *
 * A line for each: sockets asked for, most that stood at one time, cut by the daemon; GETs a second
 * and their times on the kept connection, times on fresh ones, GETs without an answer; memory of
 * the daemon before, at its peak and after; its processor time; "missed" where a bar is.
 * ATTACK_SECONDS is how long each one lasts (8: longer than the deadlines of headers and bodies).
 */
#include "tests/support/attack.h"
#include "tests/support/footprint.h"
#include "tests/support/pause.h"
#include "tests/support/program.h"
#include "tests/support/visitor.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS_DEFAULT = 8, REST_MS = 500 };
/* Below the limits of this daemon, so that what is measured is work, not refusals. */
#define CONNECTION_LIMIT "16384"
/* What honest clients are promised. */
static const double p99_ms_max = 10;
/* Each connection's own buffer (server/http/http_limits.h) and what stands around it; and what
 * requests may hold beyond. */
static const double connection_mb = 24.0 / 1024;
static const double memory_mb = 64;

typedef struct row {
    attack_kind kind;
    uint32_t sockets;
    const char *name; /* NULL: the kind's */
} row;

static const row rows[] = {
    {.kind = ATTACK_NONE},
    {.kind = ATTACK_SLOW_HEADERS, .sockets = 500},
    {.kind = ATTACK_SLOW_BODIES, .sockets = 500},
    {.kind = ATTACK_SLOW_READERS, .sockets = 500},
    {.kind = ATTACK_HALF_OPEN, .sockets = 10000},
    {.kind = ATTACK_PIPELINES, .sockets = 4},
    {.kind = ATTACK_DEAF_PIPELINES, .sockets = 4},
    {.kind = ATTACK_OVERSIZED, .sockets = 24},
};

/* More of them than this daemon has places for. */
static const row overfull = {.kind = ATTACK_HALF_OPEN, .sockets = 10000, .name = "more-than-fit"};

typedef struct scene {
    char folder[64];
    int pid;
    uint16_t port;
    char small[VISIT_PATH_BYTES];
    char large[VISIT_PATH_BYTES];
    unsigned seconds;
    int missed;
} scene;

static scene now;

static void tear_down(void) {
    if (now.pid != 0) {
        (void)program_daemon_end(now.pid);
    }
    program_folder_remove(now.folder);
}

static const char *must_run(const char *line) {
    const program_result *result = program_run(now.folder, "%s", line);
    if (result->exit_code != 0) {
        fprintf(stderr, "attack_bench: %s: %s\n", line, result->output);
        exit(1);
    }
    return result->output;
}

static void start(const char *const *options) {
    now.pid = program_daemon_start_with(now.folder, options);
    now.port = (uint16_t)atoi(must_run("cat $DIR/port"));
}

static void put_world(void) {
    static const char base[] = "/v1/worlds/sizes/cells/0/3/5";
    must_run("$LOAM put asset terrain api/examples/forest.terrain.json --port-file $DIR/port &&"
             " $LOAM put world sizes tests/bench/http/sizes.world.json --port-file $DIR/port");
    (void)snprintf(now.small, sizeof now.small, "%s/small", base);
    (void)snprintf(now.large, sizeof now.large, "%s/large", base);
}

/* Builds both, so that they are in memory. */
static void fetch_both(void) {
    const char *paths[] = {now.small, now.large};
    for (int i = 0; i < 2; i++) {
        visitor *first =
            visitor_start(&(visit_plan){.port = now.port, .path = paths[i], .count_max = 1});
        while (!visitor_is_done(first)) {
            pause_ms(10);
        }
        visits seen = visitor_end(first);
        if (seen.count != 1) {
            fprintf(stderr, "attack_bench: %s: %d\n", paths[i], seen.status);
            exit(1);
        }
    }
}

/* ---- An attack ------------------------------------------------------------------------------ */

typedef struct honest {
    visitor *kept;
    visitor *fresh;
} honest;

static honest honest_start(void) {
    visit_plan plan = {.port = now.port, .path = now.small, .pause_us = 2000};
    honest of = {.kept = visitor_start(&plan)};
    plan.fresh = true;
    plan.pause_us = 10000;
    of.fresh = visitor_start(&plan);
    return of;
}

/* A machine that is busy with others is late for everybody: read beside the row of none. */
static void print_heads(void) {
    double load = 0;
    (void)getloadavg(&load, 1);
    printf("load of the machine %.1f on %ld processors\n", load, sysconf(_SC_NPROCESSORS_ONLN));
    printf("%-15s %7s %6s %8s  %6s %7s %7s %7s  %7s %7s %6s  %6s %6s %6s %6s\n", "attack",
           "sockets", "stood", "cut", "GET/s", "p50_ms", "p99_ms", "max_ms", "new_p99", "new_max",
           "failed", "MB", "peak", "after", "cpu_s");
}

static void print_row(const char *name, uint32_t sockets, siege_tally tally, const visits seen[2],
                      const footprint marks[3], bool peak_is_bounded) {
    uint64_t failed = seen[0].failed + seen[1].failed;
    bool held = failed == 0 && seen[0].p99_ms < p99_ms_max && seen[1].p99_ms < p99_ms_max &&
                peak_is_bounded;
    now.missed += !held;
    printf("%-15s %7u %6u %8llu  %6.0f %7.2f %7.2f %7.1f  %7.2f %7.1f %6llu  %6.0f %6.0f %6.0f "
           "%6.2f%s\n",
           name, sockets, tally.standing_max, (unsigned long long)tally.cut,
           (double)seen[0].count / now.seconds, seen[0].p50_ms, seen[0].p99_ms, seen[0].max_ms,
           seen[1].p99_ms, seen[1].max_ms, (unsigned long long)failed, marks[0].resident_mb,
           marks[1].peak_mb, marks[2].resident_mb, marks[1].cpu_s - marks[0].cpu_s,
           held ? "" : "  missed");
    (void)fflush(stdout);
}

static void run(const row *of) {
    footprint marks[3];
    footprint_restart(now.pid);
    marks[0] = footprint_of(now.pid);
    attack *besiegers = attack_begin(of->kind, now.port, of->sockets, now.small, now.large);
    honest clients = honest_start();
    pause_ms(now.seconds * 1000);
    marks[1] = footprint_of(now.pid);
    visits seen[2] = {visitor_end(clients.kept), visitor_end(clients.fresh)};
    siege_tally tally = attack_end(besiegers);
    pause_ms(REST_MS);
    marks[2] = footprint_of(now.pid);
    double bound = memory_mb + connection_mb * of->sockets;
    print_row(of->name == NULL ? attack_name(of->kind) : of->name, of->sockets, tally, seen, marks,
              marks[1].peak_mb - marks[0].resident_mb <= bound);
}

/* ---- One address ---------------------------------------------------------------------------- */

enum { ONE_ADDRESS_SOCKETS = 600, PER_ADDRESS_LIMIT = 256 };

static bool find_address(char text[INET_ADDRSTRLEN]) {
    struct ifaddrs *all = NULL;
    bool found = false;
    if (getifaddrs(&all) != 0) {
        return false;
    }
    for (const struct ifaddrs *at = all; at != NULL && !found; at = at->ifa_next) {
        if (at->ifa_addr != NULL && at->ifa_addr->sa_family == AF_INET &&
            (at->ifa_flags & IFF_LOOPBACK) == 0) {
            const struct sockaddr_in *address =
                (const struct sockaddr_in *)(const void *)at->ifa_addr;
            found = inet_ntop(AF_INET, &address->sin_addr, text, INET_ADDRSTRLEN) != NULL;
        }
    }
    freeifaddrs(all);
    return found;
}

/* Another daemon on the same folder. */
static void restart(const char *const *options) {
    (void)program_daemon_end(now.pid);
    now.pid = 0;
    start(options);
    fetch_both();
}

/* A daemon that listens everywhere wants tokens. */
static void restart_for_all(void) {
    char tokens[128];
    (void)snprintf(tokens, sizeof tokens, "%s/tokens", now.folder);
    must_run("$LOAM token new reader --scopes read --file $DIR/tokens");
    restart((const char *const[]){"--listen", "0.0.0.0:0", "--workers", "2", "--plaintext",
                                  "--public-read", "--tokens", tokens, NULL});
}

static void run_one_address(void) {
    char address[INET_ADDRSTRLEN];
    footprint marks[3];
    if (!find_address(address)) {
        printf("one-address: this machine has no address beyond the loopback\n");
        return;
    }
    restart_for_all();
    footprint_restart(now.pid);
    marks[0] = footprint_of(now.pid);
    siege *besiegers = siege_begin(&(siege_plan){
        .port = now.port, .address = address, .sockets = ONE_ADDRESS_SOCKETS, .tick_ms = 100});
    honest clients = honest_start();
    pause_ms(now.seconds * 1000);
    marks[1] = footprint_of(now.pid);
    visits seen[2] = {visitor_end(clients.kept), visitor_end(clients.fresh)};
    siege_tally tally = siege_end(besiegers);
    pause_ms(REST_MS);
    marks[2] = footprint_of(now.pid);
    print_row("one-address", ONE_ADDRESS_SOCKETS, tally, seen, marks,
              tally.cut >= ONE_ADDRESS_SOCKETS - PER_ADDRESS_LIMIT);
}

int main(void) {
    const char *seconds = getenv("ATTACK_SECONDS");
    now.seconds = seconds == NULL ? SECONDS_DEFAULT : (unsigned)atoi(seconds);
    program_folder_make(now.folder);
    if (atexit(tear_down) != 0) {
        return 1;
    }
    start((const char *const[]){"--listen", "127.0.0.1:0", "--workers", "2", "--connection-limit",
                                CONNECTION_LIMIT, NULL});
    put_world();
    fetch_both();
    print_heads();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        run(&rows[i]);
    }
    restart((const char *const[]){"--listen", "127.0.0.1:0", "--workers", "2", NULL});
    run(&overfull);
    run_one_address();
    if (now.missed > 0) {
        printf("missed %d bars: p99 below %.0f ms, no GET without an answer, memory bounded\n",
               now.missed, p99_ms_max);
    }
    return 0;
}
