/* SPDX-License-Identifier: MIT
 *
 * load_bench.c: a real loamd with two workers while it has other things to do: it bakes 1,024 dense
 * cells (every worker busy, the store written), and it holds everything stored against its digest.
 * Meanwhile one client GETs a cell that is in memory, and during the bake another one GETs cells of
 * 256 m that nobody has built. Times with their bars, and "missed" where one is. Then what an
 * answer from memory costs for a dungeon and for a cell, in turns: processor time of the daemon.
 */
#include "tests/support/bake.h"
#include "tests/support/footprint.h"
#include "tests/support/pause.h"
#include "tests/support/program.h"
#include "tests/support/visitor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { QUIET_MS = 3000, ROUNDS = 4, ROUND_GETS = 10000 };
static const double cached_ms_max = 5;
static const double uncached_ms_max = 50;

/* The daemon that is running; ended however this program ends. */
static int daemon_pid;
static char folder[64];
static uint16_t port;
static int missed;

static void tear_down(void) {
    if (daemon_pid != 0) {
        (void)program_daemon_end(daemon_pid);
    }
    program_folder_remove(folder);
}

static const char *must_run(const char *line) {
    const program_result *result = program_run(folder, "%s", line);
    if (result->exit_code != 0) {
        fprintf(stderr, "load_bench: %s: %s\n", line, result->output);
        exit(1);
    }
    return result->output;
}

static void start(void) {
    char local[128];
    (void)snprintf(local, sizeof local, "%s/socket", folder);
    daemon_pid = program_daemon_start_with(
        folder,
        (const char *const[]){"--listen", "127.0.0.1:0", "--workers", "2", "--unix", local, NULL});
    port = (uint16_t)atoi(must_run("cat $DIR/port"));
}

/* ---- Clients -------------------------------------------------------------------------------- */

static const char cached_path[] = "/v1/worlds/sizes/cells/0/3/5/small";

static visitor *start_cached(void) {
    return visitor_start(&(visit_plan){.port = port, .path = cached_path, .pause_us = 2000});
}

/* Cells of a world that is not baked, each asked for once. */
static void write_uncached(const void *context, uint32_t n, char path[VISIT_PATH_BYTES]) {
    (void)context;
    (void)snprintf(path, VISIT_PATH_BYTES, "/v1/worlds/other/cells/0/%u/%u/trees",
                   n % BAKE_CELLS_ACROSS, n / BAKE_CELLS_ACROSS % BAKE_CELLS_ACROSS);
}

static visitor *start_uncached(void) {
    return visitor_start(&(visit_plan){
        .port = port, .write_path = write_uncached, .pause_us = 25000, .count_max = BAKE_CELLS});
}

static void print_times(const char *what, visits seen, double bar_ms) {
    bool held = seen.failed == 0 && seen.count > 0 && seen.p99_ms <= bar_ms;
    missed += !held;
    printf("%-28s %7llu %7.2f %7.2f %7.1f %7.0f%s\n", what, (unsigned long long)seen.count,
           seen.p50_ms, seen.p99_ms, seen.max_ms, bar_ms, held ? "" : "  missed");
    if (seen.failed > 0) {
        printf("  %llu without a 200, the last with %d\n", (unsigned long long)seen.failed,
               seen.status);
    }
    (void)fflush(stdout);
}

/* ---- Beside ... ----------------------------------------------------------------------------- */

static void beside_nothing(void) {
    visitor *cached = start_cached();
    pause_ms(QUIET_MS);
    print_times("cached, alone", visitor_end(cached), cached_ms_max);
}

static void beside_bake(loam_client *client) {
    loam_client_job done;
    double before_s = footprint_of(daemon_pid).cpu_s;
    visitor *cached = start_cached();
    visitor *uncached = start_uncached();
    double seconds = bake_run(client, "dense", 5, &done);
    visits seen[2] = {visitor_end(cached), visitor_end(uncached)};
    print_times("cached, during a bake", seen[0], cached_ms_max);
    print_times("uncached, during a bake", seen[1], uncached_ms_max);
    printf("  the bake took %.1f s, the daemon %.2f processors\n", seconds,
           (footprint_of(daemon_pid).cpu_s - before_s) / seconds);
}

static void beside_scrub(void) {
    visitor *cached = start_cached();
    must_run("$LOAM admin scrub --unix $DIR/socket");
    print_times("cached, during a scrub", visitor_end(cached), cached_ms_max);
}

/* ---- Answers from memory -------------------------------------------------------------------- */

static void post_dungeon(loam_client *client, char path[VISIT_PATH_BYTES]) {
    static const char document[] = "{\"recipe\": \"dungeon.rooms\", \"seed\": \"42\"}";
    loam_error error = {0};
    loam_client_response response;
    loam_client_request request = {.method = "POST",
                                   .path = "/v1/dungeons",
                                   .content_type = "application/json",
                                   .body = document,
                                   .body_size = sizeof document - 1};
    loam_status status = loam_client_send(client, &request, &response, &error);
    const char *location = loam_client_header(&response, "Location");
    if (status != LOAM_OK || location == NULL) {
        fprintf(stderr, "load_bench: no dungeon: %s\n", error.text);
        exit(1);
    }
    (void)snprintf(path, VISIT_PATH_BYTES, "%s", location);
    loam_client_response_fini(&response);
}

/* Microseconds of the daemon's processor time for each GET. */
static double cost_of(const char *path, const char *accept) {
    visitor *of = visitor_start(
        &(visit_plan){.port = port, .path = path, .accept = accept, .count_max = ROUND_GETS});
    double before_s = footprint_of(daemon_pid).cpu_s;
    while (!visitor_is_done(of)) {
        pause_ms(10);
    }
    double spent_s = footprint_of(daemon_pid).cpu_s - before_s;
    visits seen = visitor_end(of);
    if (seen.count != ROUND_GETS) {
        fprintf(stderr, "load_bench: %s: %d\n", path, seen.status);
        exit(1);
    }
    return spent_s * 1e6 / ROUND_GETS;
}

static void compare_costs(loam_client *client) {
    char dungeon[VISIT_PATH_BYTES];
    double cost_us[2] = {0, 0};
    post_dungeon(client, dungeon);
    for (int round = 0; round < ROUNDS; round++) {
        for (int turn = 0; turn < 2; turn++) {
            int which = (turn + round) % 2; /* A B B A */
            cost_us[which] += which == 0 ? cost_of(dungeon, "application/vnd.loam.dungeon")
                                         : cost_of(cached_path, "application/vnd.loam.cell");
        }
    }
    printf("a dungeon from memory %.1f us of processor time, a cell %.1f us, ratio %.2f\n",
           cost_us[0] / ROUNDS, cost_us[1] / ROUNDS, cost_us[0] / cost_us[1]);
}

int main(void) {
    double load = 0;
    program_folder_make(folder);
    if (atexit(tear_down) != 0) {
        return 1;
    }
    start();
    loam_client *client = bake_connect(folder);
    bake_put_hills(client);
    bake_put_world(client, "dense", 3);
    bake_put_world(client, "other", 4);
    must_run("$LOAM put asset terrain api/examples/forest.terrain.json --port-file $DIR/port &&"
             " $LOAM put world sizes tests/bench/http/sizes.world.json --port-file $DIR/port");
    (void)getloadavg(&load, 1);
    printf("load of the machine %.1f on %ld processors\n%-28s %7s %7s %7s %7s %7s\n", load,
           sysconf(_SC_NPROCESSORS_ONLN), "GETs", "number", "p50_ms", "p99_ms", "max_ms", "bar_ms");
    beside_nothing();
    beside_bake(client);
    beside_scrub();
    compare_costs(client);
    loam_client_destroy(client);
    if (missed > 0) {
        printf("missed %d bars\n", missed);
    }
    return 0;
}
