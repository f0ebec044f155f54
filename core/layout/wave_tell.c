/* SPDX-License-Identifier: MIT
 *
 * wave_tell.c: what it means for the cells around one that it has lost tiles, until nothing is left
 * to tell. Cell by cell, with whole sets: in whatever order cells are told, the same tiles are left
 * at the end. Where there is no such end, since a cell has no tile left, it is done again tile by
 * tile in the order of the trail, which alone says how many tiles had gone by then: steps are part
 * of the result.
 *
 * No supports are counted. Whether a tile has one is a look at the sets; and a tile that is gone
 * is no loss to a side while a twin of it is left, that the same tiles fit there.
 */
#include "core/grid/bit_rows.h"
#include "core/layout/wave_state.h"

/* Whether a tile still has something on one side, as far as it is known here, that it fits. */
static inline bool has_support(const wave_model *model, const uint64_t *fits,
                               const uint64_t *known) {
    for (uint32_t word = 0; word < model->words; word++) {
        if ((fits[word] & known[word]) != 0) {
            return true;
        }
    }
    return false;
}

/* Takes the lost tiles of a cell away, all in one word of its set. */
static inline void take_lost(wave_solver *solver, uint32_t cell, uint32_t word, uint64_t lost) {
    for (; lost != 0; lost &= lost - 1) {
        take_away(solver, cell, word * 64 + (uint32_t)__builtin_ctzll(lost));
    }
}

/* Of some tiles of a side, all in one word, those without support. */
static inline uint64_t find_lost(const wave_model *model, const uint64_t *known, uint32_t way,
                                 uint32_t word, uint64_t tiles) {
    uint64_t lost = 0;
    for (; tiles != 0; tiles &= tiles - 1) {
        uint32_t tile = word * 64 + (uint32_t)__builtin_ctzll(tiles);
        bool supported = has_support(model, wave_fits(model, (way + 2) & 3, tile), known);
        lost |= supported ? 0 : tiles & (0 - tiles);
    }
    return lost;
}

/* What a cell tells: the tiles that it has lost since it did so last, or those that are left, if
 * they are fewer. */
typedef struct wave_news {
    const uint64_t *known, *gone;
    bool fewer_left;
} wave_news;

static inline void add_fits(const wave_model *model, uint32_t way, uint32_t tile, uint64_t *fits) {
    const uint64_t *row = wave_fits(model, way, tile);
    for (uint32_t word = 0; word < model->words; word++) {
        fits[word] |= row[word];
    }
}

/* For each side, all that fits a tile that is left; or what may have lost its support: all that
 * fits a tile that is gone, where no twin of it is left. */
static void find_fits(const wave_model *model, const wave_news *news, uint64_t *found) {
    const uint64_t *tiles = news->fewer_left ? news->known : news->gone;
    memset(found, 0, WAY_COUNT * model->words * sizeof *found);
    for (uint32_t word = 0; word < model->words; word++) {
        for (uint64_t left = tiles[word]; left != 0; left &= left - 1) {
            uint32_t tile = word * 64 + (uint32_t)__builtin_ctzll(left);
            for (uint32_t way = 0; way < WAY_COUNT; way++) {
                if (news->fewer_left ||
                    !has_support(model, wave_twins(model, way, tile), news->known)) {
                    add_fits(model, way, tile, found + way * model->words);
                }
            }
        }
    }
}

static void ask_to_tell(wave_solver *solver, uint32_t cell) {
    if (solver->is_asked[cell] == 0) {
        uint32_t at = solver->asked_first + solver->asked_count++;
        solver->is_asked[cell] = 1;
        solver->asked[at < solver->cell_count ? at : at - solver->cell_count] = (uint16_t)cell;
    }
}

static void tell_side(wave_solver *solver, uint32_t side, uint32_t way, const wave_news *news,
                      const uint64_t *found) {
    const wave_model *model = solver->model;
    bool any = false;
    for (uint32_t word = 0; word < model->words; word++) {
        uint64_t tiles = domain_of(solver, side)[word];
        uint64_t lost = news->fewer_left
                            ? tiles & ~found[word]
                            : find_lost(model, news->known, way, word, tiles & found[word]);
        take_lost(solver, side, word, lost);
        any |= lost != 0;
    }
    if (any) {
        ask_to_tell(solver, side);
    }
}

static void tell_cell(wave_solver *solver, uint32_t cell) {
    uint64_t gone[WAVE_WORDS_MAX], found[WAY_COUNT * WAVE_WORDS_MAX];
    uint64_t *known = known_of(solver, cell);
    uint32_t count = 0;
    for (uint32_t word = 0; word < solver->model->words; word++) {
        uint64_t left = domain_of(solver, cell)[word];
        gone[word] = known[word] & ~left;
        known[word] = left;
        count += bits_count(gone[word]);
    }
    wave_news news = {known, gone, solver->left[cell] < count};
    find_fits(solver->model, &news, found);
    for (uint32_t way = 0; way < WAY_COUNT; way++) {
        uint32_t side = solver->beside[(size_t)cell * WAY_COUNT + way];
        if (side != NO_CELL) {
            tell_side(solver, side, way, &news, found + way * solver->model->words);
        }
    }
}

/* Cell by cell, those that have lost tiles, until nothing is left to tell. */
static void tell_cells(wave_solver *solver) {
    for (uint32_t i = solver->told; i < solver->trail_count; i++) {
        ask_to_tell(solver, solver->trail[i].cell);
    }
    while (solver->asked_count > 0) {
        uint32_t cell = solver->asked[solver->asked_first];
        solver->asked_first =
            solver->asked_first + 1 < solver->cell_count ? solver->asked_first + 1 : 0;
        solver->asked_count--;
        solver->is_asked[cell] = 0;
        if (!solver->contradiction) {
            tell_cell(solver, cell);
        }
    }
    solver->told = solver->contradiction ? solver->told : solver->trail_count;
}

/* Tells the cells around one that a tile is gone. */
static void tell_line(wave_solver *solver, trail_line line) {
    const wave_model *model = solver->model;
    uint64_t *known = known_of(solver, line.cell);
    known[line.tile / 64] &= ~((uint64_t)1 << (line.tile % 64));
    for (uint32_t way = 0; way < WAY_COUNT; way++) {
        uint32_t side = solver->beside[(size_t)line.cell * WAY_COUNT + way];
        const uint64_t *fits = wave_fits(model, way, line.tile);
        for (uint32_t word = 0; side != NO_CELL && word < model->words; word++) {
            uint64_t tiles = fits[word] & domain_of(solver, side)[word];
            take_lost(solver, side, word, find_lost(model, known, way, word, tiles));
        }
    }
}

/* From the lines that are not told on, whose tiles the cells around count as there again. */
static void tell_lines(wave_solver *solver) {
    for (uint32_t i = solver->told; i < solver->trail_count; i++) {
        trail_line line = solver->trail[i];
        known_of(solver, line.cell)[line.tile / 64] |= (uint64_t)1 << (line.tile % 64);
    }
    while (solver->told < solver->trail_count && !solver->contradiction) {
        tell_line(solver, solver->trail[solver->told++]);
    }
}

void wave_tell(wave_solver *solver) {
    uint32_t trail_count = solver->trail_count;
    if (solver->contradiction) {
        return;
    }
    tell_cells(solver);
    if (solver->contradiction) {
        wave_state_undo(solver, trail_count);
        tell_lines(solver);
    }
}
