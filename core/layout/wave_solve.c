/* SPDX-License-Identifier: MIT
 *
 * wave_solve.c: see wave_solve.h. Every removal of a tile from a cell is a line of the trail, and
 * the trail is also the queue of what has still to be told to the neighbours: lines before `told`
 * have lowered the supports there. Undoing goes back line by line and raises them again, so that a
 * support is always the number of tiles left beside it that support it.
 */
#include "core/layout/wave_solve.h"

#include "core/base/try.h"
#include "core/grid/draw.h"

enum { NO_CELL = UINT16_MAX };
#define RANK_DECIDED UINT64_MAX

/* A tile that a cell no longer has. */
typedef struct trail_line {
    uint16_t cell, tile;
} trail_line;

typedef struct wave_choice {
    uint16_t cell, tile;
    uint32_t trail_count; /* before it */
} wave_choice;

struct wave_solver {
    const wave_model *model;
    size_t cell_capacity;
    uint64_t *domains;  /* sets, by cell */
    uint16_t *supports; /* by cell, way and tile */
    uint16_t *template; /* of a cell with all tiles around it: by way and tile */
    uint16_t *left;     /* tiles, by cell */
    uint16_t *beside;   /* by cell and way */
    trail_line *trail;
    wave_choice *choices;
    uint64_t *ranks;  /* by cell: fewest tiles left, then hash */
    uint16_t *heap;   /* cells, the least rank first */
    uint16_t *places; /* of cells in the heap */
    uint16_t *moved;  /* cells whose rank has changed */
    uint8_t *is_moved;
    uint32_t cell_count, trail_count, told, choice_count, moved_count;
    uint64_t hash_key, tile_key;
    uint32_t drawn;
    bool contradiction;
    loam_box block;
};

uint64_t wave_solver_bytes(uint32_t tile_count, size_t cell_count) {
    enum { ALIGNMENTS = 1024 };
    uint64_t words = (tile_count + 63) / 64, cells = cell_count, tiles = tile_count;
    uint64_t each = words * sizeof(uint64_t) + WAY_COUNT * tiles * sizeof(uint16_t) +
                    tiles * sizeof(trail_line) + sizeof(wave_choice) + sizeof(uint64_t) +
                    (4 + WAY_COUNT) * sizeof(uint16_t) + 1;
    return sizeof(wave_solver) + cells * each + WAY_COUNT * tiles * sizeof(uint16_t) + ALIGNMENTS;
}

/* Supports of a tile before anything is taken away: all that may stand on that side. */
static void fill_template(wave_solver *solver) {
    const wave_model *model = solver->model;
    for (size_t i = 0; i < (size_t)WAY_COUNT * model->tile_count; i++) {
        solver->template[i] = (uint16_t)(model->starts[i + 1] - model->starts[i]);
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
    one->left = loam_arena_take(arena, cell_count, sizeof *one->left);
    one->beside = loam_arena_take(arena, cell_count * WAY_COUNT, sizeof *one->beside);
    one->trail = loam_arena_take(arena, cell_count * tiles, sizeof *one->trail);
    one->choices = loam_arena_take(arena, cell_count, sizeof *one->choices);
    one->ranks = loam_arena_take(arena, cell_count, sizeof *one->ranks);
    one->heap = loam_arena_take(arena, cell_count, sizeof *one->heap);
    one->places = loam_arena_take(arena, cell_count, sizeof *one->places);
    one->moved = loam_arena_take(arena, cell_count, sizeof *one->moved);
    one->is_moved = loam_arena_take(arena, cell_count, sizeof *one->is_moved);
    /* The last one taken fits only if those before it did: an arena that was full stays so. */
    const void *const parts[] = {one->domains, one->supports, one->template, one->left,
                                 one->beside,  one->trail,    one->choices,  one->ranks,
                                 one->heap,    one->places,   one->moved,    one->is_moved};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        LOAM_TRY_MEMORY(parts[i], error);
    }
    fill_template(one);
    *solver = one;
    return LOAM_OK;
}

static inline uint64_t *domain_of(const wave_solver *solver, uint32_t cell) {
    return solver->domains + (size_t)cell * solver->model->words;
}

static inline bool has_tile(const wave_solver *solver, uint32_t cell, uint32_t tile) {
    return (domain_of(solver, cell)[tile / 64] >> (tile % 64) & 1) != 0;
}

static inline uint16_t *supports_of(const wave_solver *solver, uint32_t cell, uint32_t way) {
    return solver->supports + ((size_t)cell * WAY_COUNT + way) * solver->model->tile_count;
}

static inline void note_moved(wave_solver *solver, uint32_t cell) {
    if (solver->is_moved[cell] == 0) {
        solver->is_moved[cell] = 1;
        solver->moved[solver->moved_count++] = (uint16_t)cell;
    }
}

static inline void take_away(wave_solver *solver, uint32_t cell, uint32_t tile) {
    domain_of(solver, cell)[tile / 64] &= ~((uint64_t)1 << (tile % 64));
    solver->trail[solver->trail_count++] = (trail_line){(uint16_t)cell, (uint16_t)tile};
    solver->contradiction |= --solver->left[cell] == 0;
    note_moved(solver, cell);
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

/* Until nothing is left to tell, or a cell has no tile. */
static void tell_all(wave_solver *solver) {
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

static void undo_to(wave_solver *solver, uint32_t trail_count) {
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

/* ---- The order of cells ------------------------------------------------------------------------
 */

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

static void heap_build(wave_solver *solver) {
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

static void heap_renew(wave_solver *solver) {
    for (uint32_t i = 0; i < solver->moved_count; i++) {
        uint16_t cell = solver->moved[i];
        solver->is_moved[cell] = 0;
        solver->ranks[cell] = rank_of(solver, cell);
        heap_rise(solver, solver->places[cell]);
        heap_sink(solver, solver->places[cell]);
    }
    solver->moved_count = 0;
}

/* ---- Before the first choice -------------------------------------------------------------------
 */

static loam_spot cell_spot(const wave_solver *solver, uint32_t cell) {
    uint32_t width = (uint32_t)solver->block.width;
    return (loam_spot){solver->block.x + (int32_t)(cell % width),
                       solver->block.y + (int32_t)(cell / width)};
}

/* The neighbour of a place, round the edge of a periodic grid; false when there is none. */
static bool find_side(const wave_grid *grid, loam_spot at, uint32_t way, loam_spot *side) {
    *side = spot_step(at, way);
    if (grid->periodic) {
        side->x = (side->x + grid->width) % grid->width;
        side->y = (side->y + grid->height) % grid->height;
    }
    return box_has((loam_box){0, 0, grid->width, grid->height}, side->x, side->y);
}

static size_t grid_place(const wave_grid *grid, loam_spot at) {
    return (size_t)at.y * (size_t)grid->width + (size_t)at.x;
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

static void begin_block(wave_solver *solver, const wave_grid *grid, loam_box block) {
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
    tell_all(solver);
}

/* ---- Choices -----------------------------------------------------------------------------------
 */

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
    tell_all(solver);
}

/* Undoes the last choice, which led nowhere, and takes its tile away; false when there is none. */
static bool go_back(wave_solver *solver) {
    if (solver->choice_count == 0) {
        return false;
    }
    wave_choice choice = solver->choices[--solver->choice_count];
    undo_to(solver, choice.trail_count);
    take_away(solver, choice.cell, choice.tile);
    tell_all(solver);
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
        if (meter->limits.cancel != NULL && *meter->limits.cancel != 0) {
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
        heap_renew(solver);
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
    begin_block(solver, grid, block);
    counts->steps += solver->trail_count + solver->cell_count;
    if (solver->contradiction) {
        return WAVE_NONE;
    }
    uint32_t base = solver->trail_count;
    wave_verdict verdict = WAVE_SPENT;
    for (uint64_t attempt = 0; attempt <= limits.restarts_max && verdict == WAVE_SPENT; attempt++) {
        wave_meter meter = {limits, counts, 0};
        counts->restarts += attempt > 0;
        undo_to(solver, base);
        solver->choice_count = 0;
        solver->drawn = 0;
        solver->hash_key = mix_pair(key, 2 * attempt);
        solver->tile_key = mix_pair(key, 2 * attempt + 1);
        heap_build(solver);
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
