/* SPDX-License-Identifier: MIT
 *
 * bake.h: generates a rectangle of cells into a folder with some threads. A cell is X_Z.cell with
 * X_Z.key beside it, which holds its build key and its digest: a cell whose key is still right and
 * whose bytes still hash to its digest is left alone, so an ended bake goes on where it stopped.
 */
#ifndef API_CLI_BAKE_H
#define API_CLI_BAKE_H

#include <stdatomic.h>

#include "api/cli/offline.h"

/* What a bake found or made for one cell. */
typedef struct bake_cell {
    digest key;
    digest id;
    uint64_t bytes;
    bool kept;  /* it was there already */
    bool unfit; /* it failed the world's checks */
} bake_cell;

typedef struct bake {
    const offline_world *offline; /* borrowed */
    const char *folder;           /* borrowed */
    loam_run run;                 /* how to evaluate */
    uint32_t level;
    int64_t x0, z0; /* the first cell */
    uint32_t columns, rows;
    uint32_t workers;
    bool unchecked;   /* --no-checks */
    bake_cell *cells; /* owned; rows * columns, by z, then x */
    uint64_t begun_s; /* when the work began */
    atomic_uint_fast64_t done;
    atomic_uint_fast64_t kept;
    uint64_t refused; /* cells that failed checks that do not only warn */
} bake;

/* One cell: kept, or generated and written; then checked. `scratch` is the calling thread's own,
 * and has the verdict. */
LOAM_MUST_USE loam_status bake_one(const bake *work, uint64_t index, offline_cell *scratch,
                                   bake_cell *result, loam_error *error);
/* Writes DIR/manifest.json: every cell with key, digest and size. */
LOAM_MUST_USE loam_status bake_write_manifest(const bake *work, loam_error *error);

#endif
