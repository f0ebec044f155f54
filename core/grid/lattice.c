/* SPDX-License-Identifier: MIT
 *
 * lattice.c: see lattice.h. Places are visited once each: no loop runs longer than there are links.
 */
#include "core/grid/lattice.h"

#include "core/base/try.h"
#include "core/grid/draw.h"

/* What a maze is made with: a list of places, and the number of the next draw. */
typedef struct lattice_work {
    lattice_grid *lattice;
    uint32_t *places;
    size_t count;
    uint64_t key;
    uint32_t draws;
} lattice_work;

uint64_t lattice_bytes(int32_t columns, int32_t rows) {
    enum { ALIGNMENTS = 192 };
    uint64_t places = (uint64_t)columns * (uint64_t)rows;
    uint64_t boxes = ((uint64_t)columns + (uint64_t)rows + 1) * sizeof(loam_box);
    return places * (1 + sizeof(uint32_t)) + boxes + ALIGNMENTS;
}

loam_status lattice_take(int32_t columns, int32_t rows, loam_arena *arena, lattice_grid *lattice,
                         loam_error *error) {
    lattice->columns = columns;
    lattice->rows = rows;
    lattice->links = loam_arena_take_zero(arena, (size_t)columns * (size_t)rows, 1);
    LOAM_TRY_MEMORY(lattice->links, error);
    return LOAM_OK;
}

static uint32_t draw_next(lattice_work *work, uint32_t count) {
    uint64_t bits = draw_at(work->key, work->draws++);
    return draw_below(bits, count);
}

static bool has_side(const lattice_grid *lattice, size_t place, uint32_t way) {
    int32_t column = (int32_t)(place % (size_t)lattice->columns);
    int32_t row = (int32_t)(place / (size_t)lattice->columns);
    loam_spot to = spot_step((loam_spot){column, row}, way);
    return to.x >= 0 && to.y >= 0 && to.x < lattice->columns && to.y < lattice->rows;
}

static size_t side_of(const lattice_grid *lattice, size_t place, uint32_t way) {
    const size_t columns = (size_t)lattice->columns;
    const size_t sides[WAY_COUNT] = {place - columns, place + 1, place + columns, place - 1};
    return sides[way];
}

static void link_set(lattice_grid *lattice, size_t place, uint32_t way, bool open) {
    size_t other = side_of(lattice, place, way);
    uint32_t here = 1u << way, there = 1u << ((way + 2) & 3);
    uint8_t *links = lattice->links;
    links[place] = (uint8_t)(open ? links[place] | here : links[place] & ~here);
    links[other] = (uint8_t)(open ? links[other] | there : links[other] & ~there);
}

/* The ways to places that are reached, or not yet: a place that is reached has an open way, but for
 * the first one, which `first` names. */
static uint32_t ways_to(const lattice_grid *lattice, size_t place, size_t first, bool reached,
                        uint32_t ways[WAY_COUNT]) {
    uint32_t count = 0;
    for (uint32_t way = 0; way < WAY_COUNT; way++) {
        if (has_side(lattice, place, way)) {
            size_t side = side_of(lattice, place, way);
            if ((side == first || lattice->links[side] != 0) == reached) {
                ways[count++] = way;
            }
        }
    }
    return count;
}

/* Grows from a place of the list as long as it has places that were not reached. */
static void grow_tree(lattice_work *work, bool newest_alone) {
    size_t first = draw_next(work, (uint32_t)lattice_count(work->lattice));
    work->places[work->count++] = (uint32_t)first;
    while (work->count > 0) {
        size_t at = work->count - 1;
        if (!newest_alone && draw_next(work, 2) == 0) {
            at = draw_next(work, (uint32_t)work->count);
        }
        size_t place = work->places[at];
        uint32_t ways[WAY_COUNT];
        uint32_t count = ways_to(work->lattice, place, first, false, ways);
        if (count == 0) {
            work->places[at] = work->places[--work->count];
            continue;
        }
        uint32_t way = ways[draw_next(work, count)];
        link_set(work->lattice, place, way, true);
        work->places[work->count++] = (uint32_t)side_of(work->lattice, place, way);
    }
}

enum { MARK_LISTED = 1 << WAY_COUNT };

/* Puts the places beside one that was reached on the list of the edge, once each. */
static void list_edge(lattice_work *work, size_t place, size_t first) {
    for (uint32_t way = 0; way < WAY_COUNT; way++) {
        if (has_side(work->lattice, place, way)) {
            size_t side = side_of(work->lattice, place, way);
            if (side != first && work->lattice->links[side] == 0) {
                work->lattice->links[side] = MARK_LISTED;
                work->places[work->count++] = (uint32_t)side;
            }
        }
    }
}

/* Prim's algorithm with equal weights: any place of the edge, joined to any side that is reached.
 */
static void grow_prim(lattice_work *work) {
    lattice_grid *lattice = work->lattice;
    size_t first = draw_next(work, (uint32_t)lattice_count(lattice));
    list_edge(work, first, first);
    while (work->count > 0) {
        uint32_t at = draw_next(work, (uint32_t)work->count);
        size_t place = work->places[at];
        work->places[at] = work->places[--work->count];
        uint32_t ways[WAY_COUNT], count = 0;
        for (uint32_t way = 0; way < WAY_COUNT; way++) {
            if (has_side(lattice, place, way)) {
                size_t side = side_of(lattice, place, way);
                bool reached = side == first || (lattice->links[side] & (MARK_LISTED - 1)) != 0;
                ways[count] = way;
                count += reached;
            }
        }
        uint32_t way = ways[draw_next(work, count)];
        lattice->links[place] = 0;
        link_set(lattice, place, way, true);
        list_edge(work, place, first);
    }
}

static void open_all(lattice_grid *lattice) {
    for (size_t place = 0; place < lattice_count(lattice); place++) {
        for (uint32_t way = WAY_EAST; way <= WAY_SOUTH; way++) {
            if (has_side(lattice, place, way)) {
                link_set(lattice, place, way, true);
            }
        }
    }
}

/* Cuts a box by a wall with one gap, and gives both parts. */
static void cut_box(lattice_work *work, loam_box box, loam_box parts[2]) {
    bool tie = box.width == box.height;
    bool upright = tie ? draw_next(work, 2) == 0 : box.width > box.height;
    int32_t side = upright ? box.width : box.height, along = upright ? box.height : box.width;
    int32_t cut = 1 + (int32_t)draw_next(work, (uint32_t)side - 1);
    int32_t gap = (int32_t)draw_next(work, (uint32_t)along);
    for (int32_t i = 0; i < along; i++) {
        int32_t x = upright ? box.x + cut - 1 : box.x + i;
        int32_t y = upright ? box.y + i : box.y + cut - 1;
        size_t place = (size_t)y * (size_t)work->lattice->columns + (size_t)x;
        if (i != gap) {
            link_set(work->lattice, place, upright ? WAY_EAST : WAY_SOUTH, false);
        }
    }
    parts[0] = parts[1] = box;
    if (upright) {
        parts[0].width = cut;
        parts[1].x += cut;
        parts[1].width -= cut;
    } else {
        parts[0].height = cut;
        parts[1].y += cut;
        parts[1].height -= cut;
    }
}

/* Boxes wait on a stack no higher than there are cuts above one box. */
static loam_status divide(lattice_work *work, loam_arena *arena, loam_error *error) {
    const lattice_grid *lattice = work->lattice;
    size_t most = (size_t)lattice->columns + (size_t)lattice->rows + 1;
    loam_box *boxes = loam_arena_take(arena, most, sizeof *boxes);
    LOAM_TRY_MEMORY(boxes, error);
    open_all(work->lattice);
    size_t count = 1;
    boxes[0] = (loam_box){0, 0, lattice->columns, lattice->rows};
    while (count > 0) {
        loam_box box = boxes[--count];
        if (box.width > 1 && box.height > 1) {
            loam_box parts[2];
            cut_box(work, box, parts);
            boxes[count++] = parts[0];
            boxes[count++] = parts[1];
        }
    }
    return LOAM_OK;
}

loam_status lattice_maze(lattice_grid *lattice, lattice_algorithm algorithm, uint64_t key,
                         loam_arena *arena, loam_error *error) {
    size_t mark = loam_arena_mark(arena);
    lattice_work work = {.lattice = lattice, .key = key};
    work.places = loam_arena_take(arena, lattice_count(lattice), sizeof *work.places);
    LOAM_TRY_MEMORY(work.places, error);
    if (algorithm == LATTICE_DIVISION) {
        LOAM_TRY(divide(&work, arena, error));
    } else if (algorithm == LATTICE_PRIM) {
        grow_prim(&work);
    } else {
        grow_tree(&work, algorithm == LATTICE_BACKTRACKER);
    }
    loam_arena_reset(arena, mark);
    return LOAM_OK;
}

static bool is_dead_end(const lattice_grid *lattice, size_t place) {
    uint8_t links = lattice->links[place];
    return links != 0 && (links & (links - 1)) == 0;
}

/* Ways that are closed; to dead ends alone, if `dead` is true. */
static uint32_t closed_ways(const lattice_grid *lattice, size_t place, bool dead,
                            uint32_t ways[WAY_COUNT]) {
    uint32_t count = 0;
    for (uint32_t way = 0; way < WAY_COUNT; way++) {
        if (has_side(lattice, place, way) && !lattice_is_open(lattice, place, way) &&
            (!dead || is_dead_end(lattice, side_of(lattice, place, way)))) {
            ways[count++] = way;
        }
    }
    return count;
}

void lattice_braid(lattice_grid *lattice, int64_t percent, uint64_t key) {
    for (size_t place = 0; place < lattice_count(lattice); place++) {
        uint64_t chance = draw_at(key, (uint32_t)(2 * place));
        if (!is_dead_end(lattice, place) || !draw_percent(chance, percent)) {
            continue;
        }
        uint32_t ways[WAY_COUNT];
        uint32_t count = closed_ways(lattice, place, true, ways);
        if (count == 0) {
            count = closed_ways(lattice, place, false, ways);
        }
        if (count > 0) {
            uint64_t bits = draw_at(key, (uint32_t)(2 * place + 1));
            link_set(lattice, place, ways[draw_below(bits, count)], true);
        }
    }
}
