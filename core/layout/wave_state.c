/* SPDX-License-Identifier: MIT
 *
 * wave_state.c: see wave_state.h.
 */
#include "core/layout/wave_state.h"

#include "core/base/try.h"

uint64_t wave_solver_bytes(uint32_t tile_count, size_t cell_count) {
    enum { ALIGNMENTS = 1024 };
    uint64_t words = (tile_count + 63) / 64, cells = cell_count, tiles = tile_count;
    uint64_t each = 2 * words * sizeof(uint64_t) + tiles * sizeof(trail_line) +
                    sizeof(wave_choice) + sizeof(uint64_t) + (4 + WAY_COUNT) * sizeof(uint16_t) + 1;
    return sizeof(wave_solver) + cells * each + NEAR_COUNT * WAY_COUNT * words * sizeof(uint64_t) +
           ALIGNMENTS;
}

static uint64_t *near_set(const wave_solver *solver, wave_near near, uint32_t way) {
    return solver->near + ((size_t)near * WAY_COUNT + way) * solver->model->words;
}

/* Tiles with a tile that fits on a side: any, a walkable one, rock. */
static void fill_near(wave_solver *solver) {
    const wave_model *model = solver->model;
    for (uint32_t way = 0; way < WAY_COUNT; way++) {
        for (uint32_t tile = 0; tile < model->tile_count; tile++) {
            const uint64_t *fits = wave_fits(model, way, tile);
            bool walk = false, rock = false;
            for (uint32_t word = 0; word < model->words; word++) {
                walk |= (fits[word] & model->walkable[word]) != 0;
                rock |= (fits[word] & ~model->walkable[word]) != 0;
            }
            near_set(solver, NEAR_WALKABLE, way)[tile / 64] |= (uint64_t)walk << (tile % 64);
            near_set(solver, NEAR_ROCK, way)[tile / 64] |= (uint64_t)rock << (tile % 64);
            near_set(solver, NEAR_ANY, way)[tile / 64] |= (uint64_t)(walk || rock) << (tile % 64);
        }
    }
}

loam_status wave_solver_take(const wave_model *model, size_t cell_count, loam_arena *arena,
                             wave_solver **solver, loam_error *error) {
    wave_solver *one = loam_arena_take_zero(arena, 1, sizeof *one);
    LOAM_TRY_MEMORY(one, error);
    size_t tiles = model->tile_count;
    one->model = model;
    one->cell_capacity = cell_count;
    one->domains = loam_arena_take(arena, cell_count * model->words, sizeof *one->domains);
    one->known = loam_arena_take(arena, cell_count * model->words, sizeof *one->known);
    one->near = loam_arena_take_zero(arena, (size_t)NEAR_COUNT * WAY_COUNT * model->words,
                                     sizeof *one->near);
    one->left = loam_arena_take(arena, cell_count, sizeof *one->left);
    one->beside = loam_arena_take(arena, cell_count * WAY_COUNT, sizeof *one->beside);
    one->trail = loam_arena_take(arena, cell_count * tiles, sizeof *one->trail);
    one->choices = loam_arena_take(arena, cell_count, sizeof *one->choices);
    one->ranks = loam_arena_take(arena, cell_count, sizeof *one->ranks);
    one->heap = loam_arena_take(arena, cell_count, sizeof *one->heap);
    one->places = loam_arena_take(arena, cell_count, sizeof *one->places);
    one->moved = loam_arena_take(arena, cell_count, sizeof *one->moved);
    one->is_moved = loam_arena_take(arena, cell_count, sizeof *one->is_moved);
    one->asked = loam_arena_take(arena, cell_count, sizeof *one->asked);
    one->is_asked = loam_arena_take(arena, cell_count, sizeof *one->is_asked);
    const void *const parts[] = {one->domains, one->known,    one->left,  one->near,    one->beside,
                                 one->trail,   one->choices,  one->ranks, one->heap,    one->places,
                                 one->moved,   one->is_moved, one->asked, one->is_asked};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        LOAM_TRY_MEMORY(parts[i], error);
    }
    fill_near(one);
    *solver = one;
    return LOAM_OK;
}

void wave_state_undo(wave_solver *solver, uint32_t trail_count) {
    while (solver->trail_count > trail_count) {
        trail_line line = solver->trail[--solver->trail_count];
        uint64_t bit = (uint64_t)1 << (line.tile % 64);
        known_of(solver, line.cell)[line.tile / 64] |= bit;
        domain_of(solver, line.cell)[line.tile / 64] |= bit;
        solver->left[line.cell]++;
        note_moved(solver, line.cell);
    }
    solver->told = solver->told < trail_count ? solver->told : trail_count;
    solver->contradiction = false;
}

static void begin_cell(wave_solver *solver, uint32_t cell) {
    const wave_model *model = solver->model;
    uint64_t *domain = domain_of(solver, cell);
    memset(domain, 0xff, model->words * sizeof *domain);
    if (model->tile_count % 64 != 0) {
        domain[model->words - 1] = ((uint64_t)1 << (model->tile_count % 64)) - 1;
    }
    memcpy(known_of(solver, cell), domain, model->words * sizeof *domain);
    solver->left[cell] = (uint16_t)model->tile_count;
    solver->is_moved[cell] = solver->is_asked[cell] = 0;
}

/* Takes away what is not in a set. */
static void keep_set(wave_solver *solver, uint32_t cell, const uint64_t *set, bool inverted) {
    for (uint32_t word = 0; word < solver->model->words; word++) {
        uint64_t kept = inverted ? ~set[word] : set[word];
        uint64_t gone = domain_of(solver, cell)[word] & ~kept;
        for (; gone != 0; gone &= gone - 1) {
            take_away(solver, cell, word * 64 + (uint32_t)__builtin_ctzll(gone));
        }
    }
}

/* What a cell may be, from its wish and from what stands around the block. */
static void restrict_cell(wave_solver *solver, const wave_grid *grid, uint32_t cell) {
    const wave_model *model = solver->model;
    loam_spot at = cell_spot(solver, cell);
    uint8_t wish = grid->wishes[grid_place(grid, at)];
    if (wish != WAVE_ANY) {
        keep_set(solver, cell, model->walkable, wish == WAVE_ROCK);
    }
    for (uint32_t way = 0; way < WAY_COUNT; way++) {
        loam_spot side;
        if (!find_side(grid, at, way, &side)) {
            continue;
        }
        uint16_t tile = grid->tiles[grid_place(grid, side)];
        if (box_has(solver->block, side.x, side.y)) {
            keep_set(solver, cell, near_set(solver, NEAR_ANY, way), false);
        } else if (tile != WAVE_OPEN) {
            keep_set(solver, cell, wave_fits(model, (way + 2) & 3, tile), false);
        } else if (grid->wishes[grid_place(grid, side)] != WAVE_ANY) {
            bool walkable = grid->wishes[grid_place(grid, side)] == WAVE_WALK;
            keep_set(solver, cell, near_set(solver, walkable ? NEAR_WALKABLE : NEAR_ROCK, way),
                     false);
        }
    }
}

static void link_cells(wave_solver *solver, const wave_grid *grid) {
    for (uint32_t cell = 0; cell < solver->cell_count; cell++) {
        for (uint32_t way = 0; way < WAY_COUNT; way++) {
            loam_spot side;
            bool inside = find_side(grid, cell_spot(solver, cell), way, &side) &&
                          box_has(solver->block, side.x, side.y);
            int32_t index =
                (side.y - solver->block.y) * solver->block.width + side.x - solver->block.x;
            solver->beside[(size_t)cell * WAY_COUNT + way] = inside ? (uint16_t)index : NO_CELL;
        }
    }
}

void wave_state_begin(wave_solver *solver, const wave_grid *grid, loam_box block) {
    solver->block = block;
    solver->cell_count = (uint32_t)box_area(block);
    solver->trail_count = solver->told = solver->choice_count = solver->moved_count = 0;
    solver->asked_first = solver->asked_count = 0;
    solver->contradiction = false;
    LOAM_ASSERT(solver->cell_count <= solver->cell_capacity);
    for (uint32_t cell = 0; cell < solver->cell_count; cell++) {
        begin_cell(solver, cell);
    }
    link_cells(solver, grid);
    for (uint32_t cell = 0; cell < solver->cell_count; cell++) {
        restrict_cell(solver, grid, cell);
    }
    wave_tell(solver);
}
