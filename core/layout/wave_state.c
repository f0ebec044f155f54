/* SPDX-License-Identifier: MIT
 *
 * wave_state.c: see wave_state.h.
 */
#include "core/layout/wave_state.h"

#include "core/base/try.h"

uint64_t wave_solver_bytes(uint32_t tile_count, size_t cell_count) {
    enum { ALIGNMENTS = 1024 };
    uint64_t words = (tile_count + 63) / 64, cells = cell_count, tiles = tile_count;
    uint64_t each = words * sizeof(uint64_t) + WAY_COUNT * tiles * sizeof(uint16_t) +
                    tiles * sizeof(trail_line) + sizeof(wave_choice) + sizeof(uint64_t) +
                    (4 + WAY_COUNT) * sizeof(uint16_t) + 1;
    return sizeof(wave_solver) + cells * each + WAY_COUNT * tiles * sizeof(uint16_t) +
           2 * WAY_COUNT * words * sizeof(uint64_t) + ALIGNMENTS;
}

/* Supports of a tile before anything is taken away: all that may stand on that side. */
static void fill_template(wave_solver *solver) {
    const wave_model *model = solver->model;
    for (size_t i = 0; i < (size_t)WAY_COUNT * model->tile_count; i++) {
        solver->template[i] = (uint16_t)(model->starts[i + 1] - model->starts[i]);
    }
}

static uint64_t *near_set(const wave_solver *solver, bool walkable, uint32_t way) {
    return solver->near + ((size_t)walkable * WAY_COUNT + way) * solver->model->words;
}

/* Tiles with a walkable tile, or with rock, that fits on a side. */
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
            near_set(solver, true, way)[tile / 64] |= (uint64_t)walk << (tile % 64);
            near_set(solver, false, way)[tile / 64] |= (uint64_t)rock << (tile % 64);
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
    one->supports = loam_arena_take(arena, cell_count * WAY_COUNT * tiles, sizeof *one->supports);
    one->template = loam_arena_take(arena, WAY_COUNT * tiles, sizeof *one->template);
    one->near =
        loam_arena_take_zero(arena, (size_t)2 * WAY_COUNT * model->words, sizeof *one->near);
    one->left = loam_arena_take(arena, cell_count, sizeof *one->left);
    one->beside = loam_arena_take(arena, cell_count * WAY_COUNT, sizeof *one->beside);
    one->trail = loam_arena_take(arena, cell_count * tiles, sizeof *one->trail);
    one->choices = loam_arena_take(arena, cell_count, sizeof *one->choices);
    one->ranks = loam_arena_take(arena, cell_count, sizeof *one->ranks);
    one->heap = loam_arena_take(arena, cell_count, sizeof *one->heap);
    one->places = loam_arena_take(arena, cell_count, sizeof *one->places);
    one->moved = loam_arena_take(arena, cell_count, sizeof *one->moved);
    one->is_moved = loam_arena_take(arena, cell_count, sizeof *one->is_moved);
    const void *const parts[] = {one->domains, one->supports, one->template, one->left,  one->near,
                                 one->beside,  one->trail,    one->choices,  one->ranks, one->heap,
                                 one->places,  one->moved,    one->is_moved};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        LOAM_TRY_MEMORY(parts[i], error);
    }
    fill_template(one);
    fill_near(one);
    *solver = one;
    return LOAM_OK;
}

/* Tells the cell on one side that a tile is gone. */
static inline void tell_side(wave_solver *solver, trail_line line, uint32_t way) {
    uint32_t side = solver->beside[(size_t)line.cell * WAY_COUNT + way];
    if (side == NO_CELL) {
        return;
    }
    const wave_model *model = solver->model;
    size_t list = (size_t)way * model->tile_count + line.tile;
    uint16_t *supports = supports_of(solver, side, (way + 2) & 3);
    for (uint32_t i = model->starts[list]; i < model->starts[list + 1]; i++) {
        uint32_t tile = model->sides[i];
        if (--supports[tile] == 0 && has_tile(solver, side, tile)) {
            take_away(solver, side, tile);
        }
    }
}

void wave_state_tell(wave_solver *solver) {
    while (solver->told < solver->trail_count && !solver->contradiction) {
        trail_line line = solver->trail[solver->told++];
        for (uint32_t way = 0; way < WAY_COUNT; way++) {
            tell_side(solver, line, way);
        }
    }
}

static void untell(wave_solver *solver, trail_line line) {
    const wave_model *model = solver->model;
    for (uint32_t way = 0; way < WAY_COUNT; way++) {
        uint32_t side = solver->beside[(size_t)line.cell * WAY_COUNT + way];
        if (side != NO_CELL) {
            size_t list = (size_t)way * model->tile_count + line.tile;
            uint16_t *supports = supports_of(solver, side, (way + 2) & 3);
            for (uint32_t i = model->starts[list]; i < model->starts[list + 1]; i++) {
                supports[model->sides[i]]++;
            }
        }
    }
}

void wave_state_undo(wave_solver *solver, uint32_t trail_count) {
    while (solver->trail_count > trail_count) {
        trail_line line = solver->trail[--solver->trail_count];
        if (solver->trail_count < solver->told) {
            untell(solver, line);
        }
        domain_of(solver, line.cell)[line.tile / 64] |= (uint64_t)1 << (line.tile % 64);
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
    memcpy(supports_of(solver, cell, 0), solver->template,
           (size_t)WAY_COUNT * model->tile_count * sizeof *solver->template);
    solver->left[cell] = (uint16_t)model->tile_count;
    solver->is_moved[cell] = 0;
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

static void keep_supported(wave_solver *solver, uint32_t cell, uint32_t way) {
    for (uint32_t tile = 0; tile < solver->model->tile_count; tile++) {
        size_t list = (size_t)way * solver->model->tile_count + tile;
        if (solver->template[list] == 0 && has_tile(solver, cell, tile)) {
            take_away(solver, cell, tile);
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
            keep_supported(solver, cell, way);
        } else if (tile != WAVE_OPEN) {
            keep_set(solver, cell, wave_fits(model, (way + 2) & 3, tile), false);
        } else if (grid->wishes[grid_place(grid, side)] != WAVE_ANY) {
            bool walkable = grid->wishes[grid_place(grid, side)] == WAVE_WALK;
            keep_set(solver, cell, near_set(solver, walkable, way), false);
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
    solver->contradiction = false;
    LOAM_ASSERT(solver->cell_count <= solver->cell_capacity);
    for (uint32_t cell = 0; cell < solver->cell_count; cell++) {
        begin_cell(solver, cell);
    }
    link_cells(solver, grid);
    for (uint32_t cell = 0; cell < solver->cell_count; cell++) {
        restrict_cell(solver, grid, cell);
    }
    wave_state_tell(solver);
}
