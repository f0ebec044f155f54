/* SPDX-License-Identifier: MIT
 *
 * wave_blocks.c: see wave_blocks.h.
 */
#include "core/layout/wave_blocks.h"

#include "core/base/mix.h"

/* Blocks overlap by so much: what is solved again when the next one comes. */
enum { BLOCK_OVERLAP = 16, BLOCK_STRIDE = WAVE_BLOCK_SIDE - BLOCK_OVERLAP };
enum { BLOCK_RESTARTS = 3, BACKTRACKS_A_CELL = 4 };

static int32_t least(int32_t a, int32_t b) {
    return a < b ? a : b;
}

size_t wave_blocks_cells(int32_t width, int32_t height) {
    int32_t side = WAVE_BLOCK_SIDE + WAVE_BLOCK_MORE;
    return (size_t)least(width, side) * (size_t)least(height, side);
}

/* Blocks along a side. */
static int32_t count_along(int32_t side) {
    return side <= WAVE_BLOCK_SIDE ? 1 : (side - BLOCK_OVERLAP + BLOCK_STRIDE - 1) / BLOCK_STRIDE;
}

uint32_t wave_blocks_count(const wave_grid *grid) {
    return (uint32_t)(count_along(grid->width) * count_along(grid->height));
}

wave_verdict wave_block_solve(wave_work *work, loam_box block, uint64_t key,
                              uint64_t restarts_max) {
    wave_limits limits = work->limits;
    limits.restarts_max = restarts_max;
    if (limits.backtracks_max == WAVE_BACKTRACKS_USUAL) {
        limits.backtracks_max = (uint64_t)box_area(block) * BACKTRACKS_A_CELL;
    }
    return wave_solve(work->solver, work->grid, block, key, limits, &work->counts);
}

/* From this row on nothing is decided. */
static void open_rows(wave_grid *grid, int32_t first) {
    size_t from = (size_t)first * (size_t)grid->width;
    size_t cells = (size_t)grid->width * (size_t)grid->height;
    memset(grid->tiles + from, 0xff, (cells - from) * sizeof *grid->tiles);
}

/* Where it has no solution, once more with a little of what is west and north of it. */
static wave_verdict solve_one(wave_work *work, loam_box block, uint64_t key) {
    wave_verdict verdict = wave_block_solve(work, block, key, BLOCK_RESTARTS);
    if ((verdict == WAVE_NONE || verdict == WAVE_SPENT) && (block.x > 0 || block.y > 0)) {
        int32_t west = least(block.x, WAVE_BLOCK_MORE), north = least(block.y, WAVE_BLOCK_MORE);
        loam_box more = {block.x - west, block.y - north, block.width + west, block.height + north};
        verdict = wave_block_solve(work, more, mix64(key), BLOCK_RESTARTS);
    }
    return verdict;
}

wave_verdict wave_blocks_solve(wave_work *work, uint64_t key) {
    const loam_box whole = {0, 0, work->grid->width, work->grid->height};
    if (wave_blocks_count(work->grid) == 1) {
        open_rows(work->grid, 0);
        return wave_block_solve(work, whole, key, 0);
    }
    for (int32_t row = 0; row < count_along(whole.height); row++) {
        open_rows(work->grid, row * BLOCK_STRIDE);
        for (int32_t column = 0; column < count_along(whole.width); column++) {
            loam_box block = {column * BLOCK_STRIDE, row * BLOCK_STRIDE, WAVE_BLOCK_SIDE,
                              WAVE_BLOCK_SIDE};
            uint64_t place = (uint64_t)row << 32 | (uint64_t)column;
            wave_verdict verdict = solve_one(work, box_common(block, whole), mix_pair(key, place));
            if (verdict != WAVE_DONE) {
                return verdict;
            }
        }
    }
    return WAVE_DONE;
}
