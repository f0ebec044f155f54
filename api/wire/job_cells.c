/* SPDX-License-Identifier: MIT
 *
 * job_cells.c: the cells of a job: all of the world, a range or a list; see job_document.h. What is
 * read lies in the bounds and is no more than a job may have.
 */
#include "api/wire/job_parts.h"

#include "api/wire/grid_read.h"
#include "core/base/limits.h"
#include "core/base/try.h"

#include <stdlib.h>
#include <string.h>

typedef struct cells_reader {
    loam_arena *arena;
    const world *in;
    job *to;
} cells_reader;

static loam_status check_cell(const cells_reader *reader, const item *at, job_cell cell) {
    loam_rect rect;
    loam_error error = {0};
    if (world_cell(reader->in, reader->to->level, cell.x, cell.z, &rect, &error) != LOAM_OK) {
        return item_fail(at, error.status, "%s", error.text);
    }
    return LOAM_OK;
}

static loam_status read_cell(const cells_reader *reader, const item *at, job_cell *cell) {
    int64_t pair[2];
    LOAM_TRY(pair_read(at, POSITION_UNITS_MAX, pair));
    *cell = (job_cell){pair[0], pair[1]};
    return check_cell(reader, at, *cell);
}

static loam_status count_range(const cells_reader *reader, const item *at) {
    job *to = reader->to;
    uint64_t width = (uint64_t)(to->max.x - to->min.x) + 1;
    uint64_t depth = (uint64_t)(to->max.z - to->min.z) + 1;
    uint64_t most = JOB_CELLS_MAX / to->output_count;
    if (width > most || depth > most / width) {
        return item_fail(at, LOAM_TOO_MANY,
                         "a job has at most %llu cells over all outputs; this one is %llu by %llu",
                         (unsigned long long)JOB_CELLS_MAX, (unsigned long long)width,
                         (unsigned long long)depth);
    }
    to->cell_count = width * depth;
    return LOAM_OK;
}

static loam_status read_range(const cells_reader *reader, const item *at) {
    static const char *const fields[] = {"min", "max", NULL};
    job *to = reader->to;
    LOAM_TRY(item_fields(at, fields));
    item min = item_field(at, "min");
    item max = item_field(at, "max");
    LOAM_TRY(read_cell(reader, &min, &to->min));
    LOAM_TRY(read_cell(reader, &max, &to->max));
    if (to->max.x < to->min.x || to->max.z < to->min.z) {
        return item_fail(&max, LOAM_OUT_OF_RANGE, "max must not be less than min");
    }
    return count_range(reader, at);
}

static loam_status read_all(const cells_reader *reader, const item *at) {
    const world *in = reader->in;
    job *to = reader->to;
    if (strcmp(json_string_value(at->value), "all") != 0) {
        return item_fail(at, LOAM_OUT_OF_RANGE, "cells are \"all\", a range or a list");
    }
    if (!in->bounded) {
        return item_fail(at, LOAM_NO_BOUNDS, "the world has no bounds, so that \"all\" has no end");
    }
    int64_t size_m = in->cell_size_m[to->level];
    to->min = (job_cell){in->min_m[0] / size_m, in->min_m[1] / size_m};
    to->max = (job_cell){in->max_m[0] / size_m - 1, in->max_m[1] / size_m - 1};
    return count_range(reader, at);
}

static int compare_cells(const void *left, const void *right) {
    const job_cell *a = left;
    const job_cell *b = right;
    if (a->z != b->z) {
        return a->z < b->z ? -1 : 1;
    }
    return (a->x > b->x) - (a->x < b->x);
}

/* Sorts and drops what is listed twice; returns how many are left. */
static size_t sort_cells(job_cell *cells, size_t count) {
    size_t kept = 0;
    qsort(cells, count, sizeof *cells, compare_cells);
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || compare_cells(&cells[kept - 1], &cells[i]) != 0) {
            cells[kept++] = cells[i];
        }
    }
    return kept;
}

static loam_status read_list(const cells_reader *reader, const item *at) {
    LOAM_TRY(item_array(at, 1, JSON_VALUES_MAX));
    size_t count = item_count(at);
    job_cell *cells = loam_arena_take(reader->arena, count, sizeof *cells);
    if (cells == NULL) {
        return item_fail_memory(at);
    }
    for (size_t i = 0; i < count; i++) {
        item cell = item_at(at, i);
        LOAM_TRY(read_cell(reader, &cell, &cells[i]));
    }
    reader->to->listed = true;
    reader->to->cells = cells;
    reader->to->cell_count = sort_cells(cells, count);
    return LOAM_OK;
}

loam_status job_cells_read(const item *at, const world *in, loam_arena *arena, job *to) {
    cells_reader reader = {.arena = arena, .in = in, .to = to};
    if (json_is_string(at->value)) {
        return read_all(&reader, at);
    }
    return json_is_array(at->value) ? read_list(&reader, at) : read_range(&reader, at);
}

job_cell job_cell_at(const job *of, uint64_t index) {
    uint64_t cell = index % of->cell_count;
    if (of->listed) {
        return of->cells[cell];
    }
    uint64_t width = (uint64_t)(of->max.x - of->min.x) + 1;
    return (job_cell){of->min.x + (int64_t)(cell % width), of->min.z + (int64_t)(cell / width)};
}

static bool find_listed(const job *of, job_cell cell, uint64_t *index) {
    uint64_t low = 0;
    uint64_t high = of->cell_count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        int order = compare_cells(&of->cells[middle], &cell);
        if (order == 0) {
            *index = middle;
            return true;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return false;
}

bool job_cell_find(const job *of, job_cell cell, uint64_t *index) {
    if (of->listed) {
        return find_listed(of, cell, index);
    }
    if (cell.x < of->min.x || cell.x > of->max.x || cell.z < of->min.z || cell.z > of->max.z) {
        return false;
    }
    uint64_t width = (uint64_t)(of->max.x - of->min.x) + 1;
    *index = (uint64_t)(cell.z - of->min.z) * width + (uint64_t)(cell.x - of->min.x);
    return true;
}
