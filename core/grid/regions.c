/* SPDX-License-Identifier: MIT
 *
 * regions.c: see regions.h. A run's `region` is its parent in the union while regions are sought:
 * always an earlier run, so that the root is the first of its region.
 */
#include "core/grid/regions.h"

#include "core/base/try.h"

uint64_t regions_bytes(int32_t width, int32_t height) {
    uint64_t runs = ((uint64_t)width + 1) / 2 * (uint64_t)height;
    return runs * (sizeof(region_run) + sizeof(uint32_t)) +
           ((uint64_t)height + 1) * sizeof(uint32_t) + (uint64_t)3 * BITS_A_WORD;
}

/* Bits where a run begins: those without a set bit to the west. */
static uint64_t run_starts(const uint64_t *row, uint32_t word) {
    uint64_t before = word == 0 ? 0 : row[word - 1] >> (BITS_A_WORD - 1);
    return row[word] & ~(row[word] << 1 | before);
}

static uint32_t count_runs(const bit_rows *rows) {
    uint32_t count = 0;
    for (int32_t y = 0; y < rows->height; y++) {
        const uint64_t *row = bit_rows_row(rows, y);
        for (uint32_t word = 0; word < rows->words; word++) {
            count += bits_count(run_starts(row, word));
        }
    }
    return count;
}

/* Where a run that begins at x ends: at the next bit that is 0. */
static int32_t run_end(const uint64_t *row, uint32_t words, int32_t x) {
    uint32_t word = (uint32_t)x / BITS_A_WORD;
    uint64_t zeros = ~row[word] & ~(uint64_t)0 << (x % BITS_A_WORD);
    while (zeros == 0 && word + 1 < words) {
        zeros = ~row[++word];
    }
    return (int32_t)(word * BITS_A_WORD) +
           (zeros == 0 ? BITS_A_WORD : (int32_t)__builtin_ctzll(zeros));
}

static uint32_t find_root(region_run *runs, uint32_t run) {
    while (runs[run].region != run) {
        runs[run].region = runs[runs[run].region].region;
        run = runs[run].region;
    }
    return run;
}

static void unite(region_run *runs, uint32_t a, uint32_t b) {
    a = find_root(runs, a);
    b = find_root(runs, b);
    if (a < b) {
        runs[b].region = a;
    } else {
        runs[a].region = b;
    }
}

/* Appends the runs of a row. */
static uint32_t cut_row(const bit_rows *rows, int32_t y, region_run *runs, uint32_t count) {
    const uint64_t *row = bit_rows_row(rows, y);
    for (uint32_t word = 0; word < rows->words; word++) {
        for (uint64_t starts = run_starts(row, word); starts != 0; starts &= starts - 1) {
            int32_t x = (int32_t)(word * BITS_A_WORD) + (int32_t)__builtin_ctzll(starts);
            runs[count] = (region_run){x, run_end(row, rows->words, x), count};
            count++;
        }
    }
    return count;
}

/* Unites the runs of two rows that touch, both from west to east. */
static void unite_rows(region_run *runs, uint32_t above, uint32_t here, uint32_t end) {
    uint32_t upper = above, lower = here;
    while (upper < here && lower < end) {
        if (runs[upper].x0 < runs[lower].x1 && runs[lower].x0 < runs[upper].x1) {
            unite(runs, upper, lower);
        }
        if (runs[upper].x1 < runs[lower].x1) {
            upper++;
        } else {
            lower++;
        }
    }
}

/* From parents to numbers: a root comes before all others of its region. */
static uint32_t number_regions(region_run *runs, uint32_t run_count, uint32_t *areas) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < run_count; i++) {
        bool root = runs[i].region == i;
        runs[i].region = root ? count : runs[runs[i].region].region;
        if (root) {
            areas[count++] = 0;
        }
        areas[runs[i].region] += (uint32_t)(runs[i].x1 - runs[i].x0);
    }
    return count;
}

loam_status regions_find(const bit_rows *rows, loam_arena *arena, grid_regions *regions,
                         loam_error *error) {
    uint32_t most = count_runs(rows);
    region_run *runs = loam_arena_take(arena, most, sizeof *runs);
    uint32_t *starts = loam_arena_take(arena, (size_t)rows->height + 1, sizeof *starts);
    uint32_t *areas = loam_arena_take(arena, most, sizeof *areas);
    LOAM_TRY_MEMORY(runs, error);
    LOAM_TRY_MEMORY(starts, error);
    LOAM_TRY_MEMORY(areas, error);
    starts[0] = 0;
    for (int32_t y = 0; y < rows->height; y++) {
        starts[y + 1] = cut_row(rows, y, runs, starts[y]);
        unite_rows(runs, y == 0 ? starts[0] : starts[y - 1], starts[y], starts[y + 1]);
    }
    /* Paths are short after this, and every parent is a root. */
    for (uint32_t i = 0; i < most; i++) {
        runs[i].region = find_root(runs, i);
    }
    uint32_t count = number_regions(runs, most, areas);
    *regions = (grid_regions){rows->width, rows->height, runs, starts, areas, count};
    return LOAM_OK;
}

uint32_t regions_largest(const grid_regions *regions) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < regions->count; i++) {
        best = regions->areas[i] > regions->areas[best] ? i : best;
    }
    return best;
}

loam_spot regions_first_cell(const grid_regions *regions, uint32_t region) {
    for (int32_t y = 0; y < regions->height; y++) {
        for (uint32_t i = regions->row_starts[y]; i < regions->row_starts[y + 1]; i++) {
            if (regions->runs[i].region == region) {
                return (loam_spot){regions->runs[i].x0, y};
            }
        }
    }
    return (loam_spot){-1, -1};
}

uint32_t regions_at(const grid_regions *regions, loam_spot at) {
    for (uint32_t i = regions->row_starts[at.y]; i < regions->row_starts[at.y + 1]; i++) {
        if (regions->runs[i].x0 <= at.x && at.x < regions->runs[i].x1) {
            return regions->runs[i].region;
        }
    }
    return UINT32_MAX;
}
