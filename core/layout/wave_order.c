/* SPDX-License-Identifier: MIT
 *
 * wave_order.c: which cell is decided next: the one with the fewest tiles left, of those the one
 * with the smallest hash. A heap that is set right for each cell whose number of tiles has changed.
 */
#include "core/grid/draw.h"
#include "core/layout/wave_state.h"

static uint64_t rank_of(const wave_solver *solver, uint32_t cell) {
    if (solver->left[cell] == 1) {
        return RANK_DECIDED;
    }
    uint64_t hash = draw_at(solver->hash_key, cell) >> 32;
    return (uint64_t)solver->left[cell] << 48 | hash << 16 | cell;
}

static void heap_put(wave_solver *solver, uint32_t place, uint16_t cell) {
    solver->heap[place] = cell;
    solver->places[cell] = (uint16_t)place;
}

static void heap_rise(wave_solver *solver, uint32_t place) {
    uint16_t cell = solver->heap[place];
    while (place > 0) {
        uint32_t above = (place - 1) / 2;
        if (solver->ranks[solver->heap[above]] <= solver->ranks[cell]) {
            break;
        }
        heap_put(solver, place, solver->heap[above]);
        place = above;
    }
    heap_put(solver, place, cell);
}

static void heap_sink(wave_solver *solver, uint32_t place) {
    uint16_t cell = solver->heap[place];
    for (;;) {
        uint32_t below = 2 * place + 1;
        if (below >= solver->cell_count) {
            break;
        }
        if (below + 1 < solver->cell_count &&
            solver->ranks[solver->heap[below + 1]] < solver->ranks[solver->heap[below]]) {
            below++;
        }
        if (solver->ranks[cell] <= solver->ranks[solver->heap[below]]) {
            break;
        }
        heap_put(solver, place, solver->heap[below]);
        place = below;
    }
    heap_put(solver, place, cell);
}

void wave_order_build(wave_solver *solver) {
    for (uint32_t cell = 0; cell < solver->cell_count; cell++) {
        solver->ranks[cell] = rank_of(solver, cell);
        heap_put(solver, cell, (uint16_t)cell);
        solver->is_moved[cell] = 0;
    }
    solver->moved_count = 0;
    for (uint32_t place = solver->cell_count / 2; place > 0; place--) {
        heap_sink(solver, place - 1);
    }
}

void wave_order_renew(wave_solver *solver) {
    for (uint32_t i = 0; i < solver->moved_count; i++) {
        uint16_t cell = solver->moved[i];
        solver->is_moved[cell] = 0;
        solver->ranks[cell] = rank_of(solver, cell);
        heap_rise(solver, solver->places[cell]);
        heap_sink(solver, solver->places[cell]);
    }
    solver->moved_count = 0;
}
