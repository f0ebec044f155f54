/* SPDX-License-Identifier: MIT
 *
 * wave_state.h: what the parts of the solver share: the tiles that each cell of a block can still
 * have, and the trail of those that it has no longer. The trail is also the queue of what has to be
 * told to the neighbours, from line `told` on: what those know of a cell is its tiles before that.
 */
#ifndef LOAM_LAYOUT_WAVE_STATE_H
#define LOAM_LAYOUT_WAVE_STATE_H

#include "core/layout/wave_solve.h"

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

/* Who may stand beside any tile, a walkable one, rock. */
typedef enum wave_near { NEAR_ANY, NEAR_WALKABLE, NEAR_ROCK, NEAR_COUNT } wave_near;

struct wave_solver {
    const wave_model *model;
    size_t cell_capacity;
    uint64_t *domains; /* sets, by cell */
    uint64_t *known;   /* sets, by cell: its tiles as its neighbours know them */
    uint64_t *near;    /* sets, by wave_near and way */
    uint16_t *left;    /* tiles, by cell */
    uint16_t *beside;  /* by cell and way */
    trail_line *trail;
    wave_choice *choices;
    uint64_t *ranks;  /* by cell: fewest tiles left, then hash */
    uint16_t *heap;   /* cells, the least rank first */
    uint16_t *places; /* of cells in the heap */
    uint16_t *moved;  /* cells whose rank has changed */
    uint8_t *is_moved;
    uint16_t *asked; /* cells that have something to tell: a ring */
    uint8_t *is_asked;
    uint32_t cell_count, trail_count, told, choice_count, moved_count, asked_first, asked_count;
    uint64_t hash_key, tile_key;
    uint32_t drawn;
    bool contradiction;
    loam_box block;
};

static inline uint64_t *domain_of(const wave_solver *solver, uint32_t cell) {
    return solver->domains + (size_t)cell * solver->model->words;
}

static inline uint64_t *known_of(const wave_solver *solver, uint32_t cell) {
    return solver->known + (size_t)cell * solver->model->words;
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

static inline loam_spot cell_spot(const wave_solver *solver, uint32_t cell) {
    uint32_t width = (uint32_t)solver->block.width;
    return (loam_spot){solver->block.x + (int32_t)(cell % width),
                       solver->block.y + (int32_t)(cell / width)};
}

/* The neighbour of a place, round the edge of a periodic grid; false when there is none. */
static inline bool find_side(const wave_grid *grid, loam_spot at, uint32_t way, loam_spot *side) {
    *side = spot_step(at, way);
    if (grid->periodic) {
        side->x = (side->x + grid->width) % grid->width;
        side->y = (side->y + grid->height) % grid->height;
    }
    return box_has((loam_box){0, 0, grid->width, grid->height}, side->x, side->y);
}

static inline size_t grid_place(const wave_grid *grid, loam_spot at) {
    return (size_t)at.y * (size_t)grid->width + (size_t)at.x;
}

/* A block with all tiles that wishes and what stands around allow, told to all. */
void wave_state_begin(wave_solver *solver, const wave_grid *grid, loam_box block);
/* Tells what has not been told, until nothing is left to tell or a cell has no tile. */
void wave_tell(wave_solver *solver);
/* Back to when the trail had so many lines. */
void wave_state_undo(wave_solver *solver, uint32_t trail_count);

/* The order of cells: anew, and after changes. The next cell is heap[0]; it is decided, with rank
 * RANK_DECIDED, when all are. */
void wave_order_build(wave_solver *solver);
void wave_order_renew(wave_solver *solver);

#endif
