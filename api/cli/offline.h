/* SPDX-License-Identifier: MIT
 *
 * offline.h: a world read from a file, with its assets from files, ready to generate: what the
 * commands cell, bake and picture share. The same readers and the same core as in the daemon, so
 * the same bytes.
 */
#ifndef API_CLI_OFFLINE_H
#define API_CLI_OFFLINE_H

#include "api/cli/options.h"
#include "api/cli/shelf.h"
#include "api/key/stage_cache.h"
#include "api/wire/world_document.h"

typedef struct offline_world {
    const char *path; /* of the world's file */
    loam_arena arena;
    world world;
    const loam_plan *plan;
    uint32_t output;
    asset_shelf shelf;
    loam_asset slots[SLOTS_MAX];
    fault_list faults;
    stage_cache *stages; /* shared by all threads; NULL when memory is short */
} offline_world;

/* Reads the world of the first operand, its assets (--assets, or the file beside it) and its
 * --output. The world must be closed in every case. */
LOAM_MUST_USE loam_status offline_open(const cli_arguments *arguments, offline_world *offline,
                                       loam_error *error);
void offline_close(offline_world *offline);
/* Shows why it did not open; returns the exit code. */
int offline_refused(const cli_arguments *arguments, const offline_world *offline,
                    const loam_error *error);

/* The heightfield of the graph's first such slot, NULL when it has none. Borrowed. */
const loam_heightfield *offline_heightfield(const offline_world *offline);

/* How to evaluate, from --simd and --general; the arena and the rest stay zero. */
LOAM_MUST_USE loam_status offline_run_options(const cli_arguments *arguments, loam_run *run,
                                              loam_error *error);

/* One generated rectangle. Zero is empty; `points` borrow from its arena. */
typedef struct offline_cell {
    loam_arena arena;
    loam_rect rect;
    loam_points points;
    digest key;
    digest id;            /* of the canonical bytes */
    unsigned char *bytes; /* owned */
    size_t size;
    size_t capacity;
    loam_verdict verdict; /* of its checks (cell_checks.h) */
} offline_cell;

/* The cell's arena, empty and large enough for the rectangle; kept when it is already. */
LOAM_MUST_USE loam_status offline_prepare(const offline_world *offline, loam_rect rect,
                                          offline_cell *cell, loam_error *error);

/* The build key alone. */
LOAM_MUST_USE loam_status offline_key(const offline_world *offline, loam_rect rect,
                                      offline_cell *cell, loam_error *error);
/* The points alone; `run` is copied, its arena is the cell's. */
LOAM_MUST_USE loam_status offline_points(const offline_world *offline, loam_rect rect,
                                         const loam_run *run, offline_cell *cell,
                                         loam_error *error);
/* Key, points, canonical bytes and their digest. A cell may be used again and again. */
LOAM_MUST_USE loam_status offline_build(const offline_world *offline, loam_rect rect,
                                        const loam_run *run, offline_cell *cell, loam_error *error);
void offline_cell_fini(offline_cell *cell);

#endif
