/* SPDX-License-Identifier: MIT
 *
 * wave_join.c: see wave_join.h. What lies apart are the walkable cells outside the largest region:
 * their number never grows, and a window that leaves it as it was stays too, so that the next one
 * finds another surrounding.
 */
#include "core/layout/wave_join.h"

#include "core/base/try.h"
#include "core/grid/draw.h"
#include "core/grid/regions.h"
#include "core/layout/wave_path.h"

/* Sides of windows; tries in a row that bring nothing, and all of them: some for each small region
 * of a grid. */
enum { WINDOW_LEAST = 6, WINDOW_MOST = 18, TRIES_IN_VAIN_MAX = 200, TRIES_MAX = 4000 };

/* What is drawn for a try. */
enum { DRAW_REGION, DRAW_CELL, DRAW_WIDTH, DRAW_HEIGHT, DRAW_EAST, DRAW_SOUTH, DRAW_SOLVE };

typedef struct joining {
    wave_work *work;
    uint64_t key;
    size_t mark; /* the arena before the regions */
    grid_regions regions;
    uint32_t largest;
    uint64_t apart; /* cells */
    uint16_t kept[WINDOW_MOST * WINDOW_MOST];
} joining;

static uint64_t area_of_all(const grid_regions *regions) {
    uint64_t area = 0;
    for (uint32_t i = 0; i < regions->count; i++) {
        area += regions->areas[i];
    }
    return area;
}

/* At the regions; all cells are apart where there are none. */
static loam_status look(joining *run, uint64_t *apart) {
    loam_arena_reset(run->work->arena, run->mark);
    LOAM_TRY(wave_path_regions(run->work, &run->regions));
    const grid_regions *regions = &run->regions;
    if (regions->count == 0) {
        *apart = UINT64_MAX;
        return LOAM_OK;
    }
    run->largest = regions_largest(regions);
    *apart = area_of_all(regions) - regions->areas[run->largest];
    return LOAM_OK;
}

/* Cell number `index` of a region, row by row. */
static loam_spot cell_of(const grid_regions *regions, uint32_t region, uint32_t index) {
    for (int32_t y = 0; y < regions->height; y++) {
        for (uint32_t i = regions->row_starts[y]; i < regions->row_starts[y + 1]; i++) {
            const region_run *row = &regions->runs[i];
            uint32_t width = (uint32_t)(row->x1 - row->x0);
            if (row->region == region && index < width) {
                return (loam_spot){row->x0 + (int32_t)index, y};
            }
            index -= row->region == region ? width : 0;
        }
    }
    return (loam_spot){0, 0};
}

/* Around a cell of any region but the largest. */
static loam_box draw_window(const joining *run, uint64_t key) {
    uint64_t region_bits = draw_at(key, DRAW_REGION), cell_bits = draw_at(key, DRAW_CELL);
    uint64_t wide = draw_at(key, DRAW_WIDTH), high = draw_at(key, DRAW_HEIGHT);
    uint64_t east = draw_at(key, DRAW_EAST), south = draw_at(key, DRAW_SOUTH);
    uint32_t region = draw_below(region_bits, run->regions.count - 1);
    region += region >= run->largest;
    loam_spot at =
        cell_of(&run->regions, region, draw_below(cell_bits, run->regions.areas[region]));
    int32_t width = draw_between(wide, WINDOW_LEAST, WINDOW_MOST);
    int32_t height = draw_between(high, WINDOW_LEAST, WINDOW_MOST);
    loam_box window = {at.x - draw_between(east, 0, width - 1),
                       at.y - draw_between(south, 0, height - 1), width, height};
    return box_common(window, (loam_box){0, 0, run->work->grid->width, run->work->grid->height});
}

/* Out of the grid into what is kept, or back. */
static void keep_window(joining *run, loam_box window, bool back) {
    wave_grid *grid = run->work->grid;
    size_t bytes = (size_t)window.width * sizeof *grid->tiles;
    for (int32_t y = 0; y < window.height; y++) {
        uint16_t *row =
            &grid->tiles[(size_t)(window.y + y) * (size_t)grid->width + (size_t)window.x];
        uint16_t *kept = &run->kept[y * WINDOW_MOST];
        memcpy(back ? row : kept, back ? kept : row, bytes);
    }
}

/* One window anew; `better` where less lies apart. */
static loam_status try_window(joining *run, uint64_t key, wave_verdict *verdict, bool *better) {
    loam_box window = draw_window(run, key);
    uint64_t apart = 0;
    keep_window(run, window, false);
    *better = false;
    *verdict = wave_block_solve(run->work, window, draw_at(key, DRAW_SOLVE), 0);
    if (*verdict != WAVE_DONE) {
        return LOAM_OK;
    }
    LOAM_TRY(look(run, &apart));
    if (apart > run->apart) {
        keep_window(run, window, true);
        return look(run, &apart);
    }
    *better = apart < run->apart;
    run->apart = apart;
    return LOAM_OK;
}

static loam_status join_all(joining *run, wave_verdict *verdict) {
    uint32_t in_vain = 0;
    LOAM_TRY(look(run, &run->apart));
    for (uint32_t i = 0; i < TRIES_MAX && in_vain < TRIES_IN_VAIN_MAX; i++) {
        if (run->apart == 0 || run->regions.count == 0) {
            break;
        }
        bool better = false;
        LOAM_TRY(try_window(run, mix_pair(run->key, i), verdict, &better));
        bool spent = run->work->counts.steps > run->work->limits.steps_max;
        *verdict = spent ? WAVE_STEPS : *verdict;
        if (spent || *verdict == WAVE_CANCELLED) {
            return LOAM_OK;
        }
        in_vain = better ? 0 : in_vain + 1;
    }
    *verdict = run->apart == 0 ? WAVE_DONE : WAVE_NONE;
    return LOAM_OK;
}

loam_status wave_join(wave_work *work, uint64_t key, wave_verdict *verdict, uint32_t *regions) {
    joining run = {.work = work, .key = key, .mark = loam_arena_mark(work->arena)};
    LOAM_TRY(join_all(&run, verdict));
    *regions = run.regions.count;
    loam_arena_reset(work->arena, run.mark);
    return LOAM_OK;
}
