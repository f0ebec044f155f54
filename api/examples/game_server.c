/* SPDX-License-Identifier: MIT
 *
 * game_server.c: the loop of a game server that has its world from a loamd. A player walks; 60
 * times a second the server asks for what comes into sight, the nearest ahead first, forgets what
 * is left behind, takes what has come and looks at what stands around the player. Nothing in the
 * loop waits: at the end it says how long its longest turn took.
 *
 *     game_server URL WORLD OUTPUT LEVEL CELL_M X_M Z_M SPEED_M_S SECONDS [CACHE_FOLDER]
 *     game_server http://127.0.0.1:7373 forest trees 1 64 300 300 40 10
 */
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/client/loam_client.h"

enum {
    TICKS_PER_S = 60,
    SIGHT = 4,   /* cells in every direction */
    WINDOW = 16, /* a place for each cell in sight, by x and z modulo that: more than 2 SIGHT + 1 */
    AHEAD_S = 3, /* cells near where the player will be are asked for first */
    NEAR_M = 24, /* what the game looks at around the player */
    BATCH = 10,  /* cells of one request: a row of those in sight */
    STALL_MS = 2, /* what a game would notice in its turn of 16 */
    START_MS = 30000,
    HEAP_BLOCKS = 12, /* what all cells in sight take, and more */
    HEAP_BLOCK_BYTES = 16 << 20,
    PAGE_BYTES = 4096,
};

/* A cell of the world that the server holds, or waits for. */
typedef struct land {
    enum { LAND_EMPTY, LAND_ASKED, LAND_HERE, LAND_BARE } state;
    int64_t x, z;
    loam_fetch_id fetch;
    unsigned char *bytes; /* texts of the columns are in them */
    loam_client_columns columns;
} land;

typedef struct game {
    loam_fetcher *fetcher;
    loam_client_cell cell; /* world, output, level */
    double cell_m, x_m, z_m, speed_m_s;
    land lands[WINDOW][WINDOW];
    uint64_t fetched, cached, failed, seen, ticks, blind_ticks;
    double longest_ms, longest_own_ms; /* by the clock on the wall; what this thread used of it */
    uint64_t stalls, own_stalls;       /* turns longer than STALL_MS by either */
} game;

static double now_ms(clockid_t clock) {
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int64_t cell_of(const game *of, double at_m) {
    int64_t cell = (int64_t)(at_m / of->cell_m);
    return at_m < (double)cell * of->cell_m ? cell - 1 : cell;
}

static land *land_at(game *of, int64_t x, int64_t z) {
    return &of->lands[(uint64_t)z % WINDOW][(uint64_t)x % WINDOW];
}

static void land_leave(game *of, land *left) {
    if (left->state == LAND_ASKED) {
        (void)loam_fetcher_cancel(of->fetcher, left->fetch);
    }
    loam_client_columns_fini(&left->columns);
    free(left->bytes);
    *left = (land){.state = LAND_EMPTY};
}

/* Squared distance, in cells, of a cell from where the player will be. */
static int32_t urgency(const game *of, int64_t x, int64_t z) {
    double dx = (double)x + 0.5 - (of->x_m + of->speed_m_s * AHEAD_S) / of->cell_m;
    double dz = (double)z + 0.5 - of->z_m / of->cell_m;
    return (int32_t)((dx * dx + dz * dz) * 16);
}

static void land_want(game *of, int64_t x, int64_t z) {
    land *here = land_at(of, x, z);
    loam_error error = {0};
    if (here->state != LAND_EMPTY && (here->x != x || here->z != z)) {
        land_leave(of, here);
    }
    if (here->state == LAND_ASKED) {
        (void)loam_fetcher_prioritise(of->fetcher, here->fetch, urgency(of, x, z));
    }
    if (here->state != LAND_EMPTY) {
        return;
    }
    of->cell.x = here->x = x;
    of->cell.z = here->z = z;
    if (loam_fetcher_ask(of->fetcher, &of->cell, urgency(of, x, z), here, &here->fetch, &error) ==
        LOAM_OK) {
        here->state = LAND_ASKED; /* else again in the next turn */
    }
}

static void sight_want(game *of) {
    int64_t x = cell_of(of, of->x_m);
    int64_t z = cell_of(of, of->z_m);
    for (int64_t dz = -SIGHT; dz <= SIGHT; dz++) {
        for (int64_t dx = -SIGHT; dx <= SIGHT + 1; dx++) {
            land_want(of, x + dx, z + dz);
        }
    }
}

/* One result a turn: decoding takes time by the size, and the next turn is soon. */
static void result_take(game *of) {
    loam_fetch_result result;
    loam_error error = {0};
    if (!loam_fetcher_take(of->fetcher, &result)) {
        return;
    }
    land *here = result.user;
    here->state = LAND_BARE;
    if (result.error.status == LOAM_OK &&
        loam_client_columns_read(result.bytes, result.size, &here->columns, &error) == LOAM_OK) {
        here->state = LAND_HERE;
        here->bytes = result.bytes;
        result.bytes = NULL;
        of->fetched++;
        of->cached += result.cached;
    } else if (result.http_status != 404) { /* 404: beyond the world */
        of->failed++;
        (void)fprintf(stderr, "cell %" PRId64 ",%" PRId64 ": %s%s\n", here->x, here->z,
                      result.error.text, error.text);
    }
    loam_fetch_result_fini(&result);
}

/* What a game does with it: here, counts what stands near the player. */
static uint32_t near_count(game *of) {
    const land *here = land_at(of, cell_of(of, of->x_m), cell_of(of, of->z_m));
    const loam_points *points = &here->columns.points;
    int64_t x = (int64_t)(of->x_m * LOAM_UNITS_PER_METRE) - points->rect.x0;
    int64_t z = (int64_t)(of->z_m * LOAM_UNITS_PER_METRE) - points->rect.z0;
    int64_t near = (int64_t)NEAR_M * LOAM_UNITS_PER_METRE;
    uint32_t count = 0;
    of->blind_ticks += here->state == LAND_ASKED || here->state == LAND_EMPTY;
    for (uint32_t i = 0; here->state == LAND_HERE && i < points->count; i++) {
        int64_t dx = points->x[i] - x;
        int64_t dz = points->z[i] - z;
        count += dx * dx + dz * dz <= near * near;
    }
    return count;
}

static void tick(game *of) {
    of->x_m += of->speed_m_s / TICKS_PER_S;
    sight_want(of);
    (void)loam_fetcher_poll(of->fetcher);
    result_take(of);
    of->seen += near_count(of);
    of->ticks++;
}

static void run(game *of, double seconds) {
    struct timespec next;
    (void)clock_gettime(CLOCK_MONOTONIC, &next);
    for (int turn = 0; turn < (int)(seconds * TICKS_PER_S); turn++) {
        double begin_ms = now_ms(CLOCK_MONOTONIC);
        double begin_own_ms = now_ms(CLOCK_THREAD_CPUTIME_ID);
        tick(of);
        double own_ms = now_ms(CLOCK_THREAD_CPUTIME_ID) - begin_own_ms;
        double took_ms = now_ms(CLOCK_MONOTONIC) - begin_ms;
        of->longest_ms = took_ms > of->longest_ms ? took_ms : of->longest_ms;
        of->longest_own_ms = own_ms > of->longest_own_ms ? own_ms : of->longest_own_ms;
        of->stalls += took_ms > STALL_MS;
        of->own_stalls += own_ms > STALL_MS;
        next.tv_nsec += 1000000000 / TICKS_PER_S;
        next.tv_sec += next.tv_nsec / 1000000000;
        next.tv_nsec %= 1000000000;
        (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    }
}

/* Memory that a process has never touched comes page by page, each with a trip into the kernel; a
 * cell has hundreds of them. Touched once and never given back, it costs nothing later. */
static void heap_warm(void) {
    unsigned char *blocks[HEAP_BLOCKS];
    (void)mallopt(M_MMAP_THRESHOLD, 2 * HEAP_BLOCK_BYTES);
    (void)mallopt(M_TRIM_THRESHOLD, 2 * HEAP_BLOCKS * HEAP_BLOCK_BYTES);
    for (int i = 0; i < HEAP_BLOCKS; i++) {
        blocks[i] = malloc(HEAP_BLOCK_BYTES);
        for (size_t at = 0; blocks[i] != NULL && at < HEAP_BLOCK_BYTES; at += PAGE_BYTES) {
            ((volatile unsigned char *)blocks[i])[at] = 1;
        }
    }
    for (int i = 0; i < HEAP_BLOCKS; i++) {
        free(blocks[i]);
    }
}

/* Before anybody moves, the ground is there. This may wait. */
static void start(game *of) {
    double until_ms = now_ms(CLOCK_MONOTONIC) + START_MS;
    land *here = land_at(of, cell_of(of, of->x_m), cell_of(of, of->z_m));
    sight_want(of);
    while (here->state == LAND_ASKED && now_ms(CLOCK_MONOTONIC) < until_ms) {
        (void)loam_fetcher_wait(of->fetcher, 100);
        result_take(of);
    }
}

static void finish(game *of) {
    for (int i = 0; i < WINDOW * WINDOW; i++) {
        land_leave(of, &of->lands[i / WINDOW][i % WINDOW]);
    }
    loam_fetcher_destroy(of->fetcher);
    (void)printf("%" PRIu64 " turns, the longest %.2f ms (%.2f ms of this thread)\n"
                 "%" PRIu64 " turns longer than %d ms, %" PRIu64 " by what this thread used\n"
                 "%" PRIu64 " cells came, %" PRIu64 " of them from the disk, %" PRIu64 " failed\n"
                 "%" PRIu64 " turns without ground, %" PRIu64 " instances near the player in all\n",
                 of->ticks, of->longest_ms, of->longest_own_ms, of->stalls, STALL_MS,
                 of->own_stalls, of->fetched, of->cached, of->failed, of->blind_ticks, of->seen);
}

int main(int count, char **words) {
    static game of;
    loam_error error = {0};
    if (count < 10) {
        (void)fprintf(stderr, "usage: game_server URL WORLD OUTPUT LEVEL CELL_M X_M Z_M SPEED_M_S "
                              "SECONDS [CACHE_FOLDER]\n");
        return 2;
    }
    loam_fetcher_options options = {.client = {.base_url = words[1], .token = getenv("LOAM_TOKEN")},
                                    .batch_max = BATCH};
    options.client.cache_folder = count > 10 ? words[10] : NULL;
    of.cell = (loam_client_cell){
        .world = words[2], .output = words[3], .level = (uint32_t)strtoul(words[4], NULL, 10)};
    of.cell_m = strtod(words[5], NULL);
    of.x_m = strtod(words[6], NULL);
    of.z_m = strtod(words[7], NULL);
    of.speed_m_s = strtod(words[8], NULL);
    if (!(of.cell_m >= 1)) {
        (void)fprintf(stderr, "game_server: CELL_M is the side of a cell, at least 1 m: not %s\n",
                      words[5]);
        return 2;
    }
    of.fetcher = loam_fetcher_create(&options, &error);
    if (of.fetcher == NULL) {
        (void)fprintf(stderr, "game_server: %s\n", error.text);
        return 1;
    }
    heap_warm();
    start(&of);
    run(&of, strtod(words[9], NULL));
    finish(&of);
    return of.failed == 0 && of.fetched > 0 ? 0 : 1;
}
