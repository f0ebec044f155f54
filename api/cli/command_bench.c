/* SPDX-License-Identifier: MIT
 *
 * command_bench.c: `loam bench`: how fast a daemon of this machine gives cells: so many requests
 * are always under way, for so many seconds, each answer hashed and held against its digest. Only
 * the loopback is asked: a tool that loads other people's machines is not needed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "api/cli/output.h"
#include "api/cli/remote.h"
#include "api/wire/world_document.h"
#include "core/base/try.h"

#define BENCH_CONNECTIONS 8
#define BENCH_CONNECTIONS_MAX 64
#define BENCH_SECONDS 5
#define BENCH_SECONDS_MAX 60
/* Times that are kept for the percentiles; later ones are counted only. */
#define BENCH_TIMES_MAX ((size_t)4 << 20)
#define BENCH_WAIT_MS 100
#define BENCH_POLL_US 100000
/* Cells that are asked for in turn. */
#define BENCH_CELLS_MAX 65536

typedef struct bench_work {
    const cli_arguments *arguments;
    loam_fetcher *fetcher;
    loam_client_cell cell;
    int64_t area[4];
    int64_t connections, seconds;
    uint64_t asked, done, failed, bytes;
    uint64_t begun_us, ended_us;
    uint32_t *times_us; /* owned */
    size_t time_count;
} bench_work;

static uint64_t now_us(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static loam_status options_read(bench_work *work, loam_error *error) {
    const cli_arguments *arguments = work->arguments;
    int64_t level = 0;
    LOAM_TRY(options_cells(arguments, "cells", BENCH_CELLS_MAX, work->area, error));
    LOAM_TRY(options_integer(arguments, "level", 0, LEVELS_MAX - 1, &level, error));
    LOAM_TRY(options_integer(arguments, "connections", 1, BENCH_CONNECTIONS_MAX, &work->connections,
                             error));
    LOAM_TRY(options_integer(arguments, "seconds", 1, BENCH_SECONDS_MAX, &work->seconds, error));
    work->cell = (loam_client_cell){.world = arguments->operands[0],
                                    .revision = options_text(arguments, "revision"),
                                    .output = options_text(arguments, "output"),
                                    .level = (uint32_t)level};
    return LOAM_OK;
}

static uint64_t cell_count(const bench_work *work) {
    return (uint64_t)(work->area[2] - work->area[0] + 1) *
           (uint64_t)(work->area[3] - work->area[1] + 1);
}

/* The time of asking goes along, and comes back with the answer. */
static loam_status cell_ask(bench_work *work, loam_error *error) {
    loam_fetch_id id;
    uint64_t columns = (uint64_t)(work->area[2] - work->area[0] + 1);
    uint64_t index = work->asked++ % cell_count(work);
    work->cell.x = work->area[0] + (int64_t)(index % columns);
    work->cell.z = work->area[1] + (int64_t)(index / columns);
    return loam_fetcher_ask(work->fetcher, &work->cell, 0, (void *)(uintptr_t)now_us(), &id, error);
}

static void result_count(bench_work *work, const loam_fetch_result *result) {
    uint64_t spent_us = now_us() - (uint64_t)(uintptr_t)result->user;
    work->done++;
    work->bytes += result->size;
    work->failed += result->error.status != LOAM_OK;
    if (work->failed == 1 && result->error.status != LOAM_OK) {
        (void)fprintf(stderr, "the first failure: %s\n", result->error.text);
    }
    if (work->time_count < BENCH_TIMES_MAX) {
        work->times_us[work->time_count++] =
            spent_us < UINT32_MAX ? (uint32_t)spent_us : UINT32_MAX;
    }
}

/* Keeps requests under way until `until` of them were made, or the time is over. */
static loam_status bench_drive(bench_work *work, uint64_t until, uint64_t until_us,
                               loam_error *error) {
    loam_fetch_result result;
    work->asked = work->done = work->failed = work->bytes = work->time_count = 0;
    work->begun_us = now_us();
    while (work->done < until && now_us() < until_us) {
        while (work->asked < until &&
               loam_fetcher_count(work->fetcher) < (uint32_t)work->connections) {
            LOAM_TRY(cell_ask(work, error));
        }
        (void)loam_fetcher_wait(work->fetcher, BENCH_WAIT_MS);
        while (loam_fetcher_take(work->fetcher, &result)) {
            result_count(work, &result);
            loam_fetch_result_fini(&result);
        }
    }
    work->ended_us = now_us();
    return LOAM_OK;
}

static int time_compare(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static uint32_t share_us(const bench_work *work, uint64_t permille) {
    size_t at = work->time_count * permille / 1000;
    return work->time_count == 0
               ? 0
               : work->times_us[at < work->time_count ? at : work->time_count - 1];
}

static void bench_tell(const bench_work *work) {
    double seconds = (double)(work->ended_us - work->begun_us) / 1e6;
    double rate = (double)work->done / seconds;
    double mib = (double)work->bytes / seconds / (1024 * 1024);
    const char *format =
        options_flag(work->arguments, "json")
            ? "{\"cells\":%" PRIu64 ",\"failed\":%" PRIu64 ",\"seconds\":%.3f,\"per_s\":%.1f,"
              "\"mib_per_s\":%.1f,\"p50_us\":%u,\"p90_us\":%u,\"p99_us\":%u,\"max_us\":%u}\n"
            : "%" PRIu64 " cells, %" PRIu64 " failed, in %.3f s: %.1f/s, %.1f MiB/s\n"
              "p50 %u us, p90 %u us, p99 %u us, the longest %u us\n";
    (void)printf(format, work->done, work->failed, seconds, rate, mib, share_us(work, 500),
                 share_us(work, 900), share_us(work, 990), share_us(work, 1000));
}

static loam_status work_run(bench_work *work, loam_error *error) {
    uint64_t far_us = now_us() + 600 * (uint64_t)1000000;
    if (!options_flag(work->arguments, "cold")) {
        LOAM_TRY(bench_drive(work, cell_count(work), far_us, error));
    }
    LOAM_TRY(bench_drive(work, UINT64_MAX, now_us() + (uint64_t)work->seconds * 1000000, error));
    qsort(work->times_us, work->time_count, sizeof *work->times_us, time_compare);
    bench_tell(work);
    return LOAM_OK;
}

static loam_status bench_open(bench_work *work, loam_error *error) {
    static const char *const near[] = {
        "http://127.",   "https://127.", "http://localhost", "https://localhost", "http://[::1]",
        "https://[::1]", "unix:"};
    remote_place place;
    loam_fetcher_options options = {.poll_us = BENCH_POLL_US,
                                    .in_flight_max = (uint32_t)work->connections};
    LOAM_TRY(remote_options(work->arguments, &place, &options.client, error));
    bool here = false;
    for (size_t i = 0; i < sizeof near / sizeof *near; i++) {
        here = here || strncasecmp(place.address, near[i], strlen(near[i])) == 0;
    }
    if (!here) {
        return loam_fail(error, LOAM_FORBIDDEN, NULL, "%s is not this machine's loopback",
                         place.address);
    }
    work->times_us = malloc(BENCH_TIMES_MAX * sizeof *work->times_us);
    work->fetcher = loam_fetcher_create(&options, error);
    return work->fetcher != NULL && work->times_us != NULL ? LOAM_OK : LOAM_ARENA_FULL;
}

static int bench_run(const cli_arguments *arguments) {
    bench_work work = {
        .arguments = arguments, .connections = BENCH_CONNECTIONS, .seconds = BENCH_SECONDS};
    loam_error error = {0};
    int exit_code = CLI_DONE;
    if (options_read(&work, &error) != LOAM_OK) {
        (void)output_failure(arguments->command->name, &error);
        return CLI_USAGE;
    }
    if (bench_open(&work, &error) != LOAM_OK || work_run(&work, &error) != LOAM_OK) {
        exit_code = output_failure(arguments->command->name, &error);
    } else if (work.failed > 0) {
        exit_code = CLI_FAILED;
    }
    loam_fetcher_destroy(work.fetcher);
    free(work.times_us);
    return exit_code;
}

static const cli_option bench_options[] = {
    {"output", "NAME", "which output of the graph", true},
    {"cells", "X0,Z0,X1,Z1", "cells that are asked for in turn", true},
    {"level", "N", "level of the grid (0)", false},
    {"revision", "DIGEST", "of the world (the newest)", false},
    {"connections", "N", "requests under way at one time (8, at most 64)", false},
    {"seconds", "N", "for how long (5, at most 60)", false},
    {"cold", NULL, "do not ask for each cell once before", false},
    CLI_END_OF_OPTIONS,
};

const cli_command command_bench = {
    .name = "bench",
    .operands = "WORLD",
    .summary = "measure how fast a daemon of this machine gives cells",
    .details = "So many requests are always under way; every answer is hashed. Each cell is asked\n"
               "for once before, so that building is not measured. Only the loopback is asked.",
    .examples = "  loam bench forest --output trees --cells 0,0,7,7 --connections 16 --seconds 5",
    .options = bench_options,
    .operand_min = 1,
    .operand_max = 1,
    .remote = true,
    .run = bench_run,
};
