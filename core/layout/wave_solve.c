/* SPDX-License-Identifier: MIT
 *
 * wave_solve.c: see wave_solve.h. Choices, and going back from those that lead nowhere.
 */
#include "core/base/cancel.h"
#include "core/grid/draw.h"
#include "core/layout/wave_state.h"

static uint32_t draw_tile(wave_solver *solver, uint32_t cell) {
    const wave_model *model = solver->model;
    const uint64_t *domain = domain_of(solver, cell);
    uint32_t sum = 0, tile = 0;
    for (uint32_t word = 0; word < model->words; word++) {
        for (uint64_t left = domain[word]; left != 0; left &= left - 1) {
            sum += model->tiles[word * 64 + (uint32_t)__builtin_ctzll(left)].weight;
        }
    }
    uint64_t bits = draw_at(solver->tile_key, solver->drawn++);
    uint32_t rest = draw_below(bits, sum);
    for (uint32_t word = 0; word < model->words; word++) {
        for (uint64_t left = domain[word]; left != 0; left &= left - 1) {
            tile = word * 64 + (uint32_t)__builtin_ctzll(left);
            if (rest < model->tiles[tile].weight) {
                return tile;
            }
            rest -= model->tiles[tile].weight;
        }
    }
    return tile;
}

static void choose(wave_solver *solver, uint32_t cell) {
    uint32_t chosen = draw_tile(solver, cell);
    solver->choices[solver->choice_count++] =
        (wave_choice){(uint16_t)cell, (uint16_t)chosen, solver->trail_count};
    for (uint32_t word = 0; word < solver->model->words; word++) {
        uint64_t gone = domain_of(solver, cell)[word];
        for (; gone != 0; gone &= gone - 1) {
            uint32_t tile = word * 64 + (uint32_t)__builtin_ctzll(gone);
            if (tile != chosen) {
                take_away(solver, cell, tile);
            }
        }
    }
    wave_tell(solver);
}

/* Undoes the last choice, which led nowhere, and takes its tile away; false when there is none. */
static bool go_back(wave_solver *solver) {
    if (solver->choice_count == 0) {
        return false;
    }
    wave_choice choice = solver->choices[--solver->choice_count];
    wave_state_undo(solver, choice.trail_count);
    take_away(solver, choice.cell, choice.tile);
    wave_tell(solver);
    return true;
}

/* How much one may still do. */
typedef struct wave_meter {
    wave_limits limits;
    wave_counts *counts;
    uint64_t backtracks;
} wave_meter;

/* Until all is decided, or one may not go on. */
static wave_verdict decide_all(wave_solver *solver, wave_meter *meter) {
    for (;;) {
        uint32_t before =
            solver->choice_count == 0 ? 0 : solver->choices[solver->choice_count - 1].trail_count;
        meter->counts->steps += solver->trail_count - before + 1;
        if (meter->counts->steps > meter->limits.steps_max) {
            return WAVE_STEPS;
        }
        if (is_cancelled(meter->limits.cancel)) {
            return WAVE_CANCELLED;
        }
        if (solver->contradiction) {
            meter->counts->backtracks++;
            if (++meter->backtracks > meter->limits.backtracks_max) {
                return WAVE_SPENT;
            }
            if (!go_back(solver)) {
                return WAVE_NONE;
            }
            continue;
        }
        wave_order_renew(solver);
        uint16_t cell = solver->heap[0];
        if (solver->ranks[cell] == RANK_DECIDED) {
            return WAVE_DONE;
        }
        choose(solver, cell);
    }
}

static void write_block(const wave_solver *solver, wave_grid *grid) {
    for (uint32_t cell = 0; cell < solver->cell_count; cell++) {
        const uint64_t *domain = domain_of(solver, cell);
        uint32_t word = 0;
        while (domain[word] == 0) {
            word++;
        }
        uint32_t tile = word * 64 + (uint32_t)__builtin_ctzll(domain[word]);
        grid->tiles[grid_place(grid, cell_spot(solver, cell))] = (uint16_t)tile;
    }
}

wave_verdict wave_solve(wave_solver *solver, wave_grid *grid, loam_box block, uint64_t key,
                        wave_limits limits, wave_counts *counts) {
    wave_state_begin(solver, grid, block);
    counts->steps += solver->trail_count + solver->cell_count;
    if (solver->contradiction) {
        return WAVE_NONE;
    }
    uint32_t base = solver->trail_count;
    wave_verdict verdict = WAVE_SPENT;
    for (uint64_t attempt = 0; attempt <= limits.restarts_max && verdict == WAVE_SPENT; attempt++) {
        wave_meter meter = {limits, counts, 0};
        counts->restarts += attempt > 0;
        wave_state_undo(solver, base);
        solver->choice_count = 0;
        solver->drawn = 0;
        solver->hash_key = mix_pair(key, 2 * attempt);
        solver->tile_key = mix_pair(key, 2 * attempt + 1);
        wave_order_build(solver);
        verdict = decide_all(solver, &meter);
    }
    if (verdict == WAVE_DONE) {
        write_block(solver, grid);
    }
    return verdict;
}

uint64_t wave_faults(const wave_model *model, const wave_grid *grid) {
    uint64_t faults = 0;
    for (int32_t y = 0; y < grid->height; y++) {
        for (int32_t x = 0; x < grid->width; x++) {
            uint16_t tile = grid->tiles[grid_place(grid, (loam_spot){x, y})];
            faults += tile >= model->tile_count;
            for (uint32_t way = WAY_EAST; way <= WAY_SOUTH && tile < model->tile_count; way++) {
                loam_spot side;
                if (find_side(grid, (loam_spot){x, y}, way, &side)) {
                    uint16_t other = grid->tiles[grid_place(grid, side)];
                    faults +=
                        other >= model->tile_count || !wave_may_stand(model, tile, way, other);
                }
            }
        }
    }
    return faults;
}
