/* SPDX-License-Identifier: MIT
 *
 * prune_scan_kernel.c: the general path of self.prune, once its points stand in a grid and in
 * order. Compiled once per SIMD level.
 *
 * The rounds need not be run. In order of priority, when a rival's turn comes all that win over it
 * have had theirs: it is dead, since the first round in which one of them was accepted; or it is
 * accepted in the round after the last of them died; or one of them is never decided, and neither
 * is it. So the dead cost nothing but their place in the order.
 *
 * Turns are searched for in batches, before it is known whether an earlier turn of the batch kills:
 * the searches have no branch that depends on what they find, and few are in vain.
 */
#include "core/base/portable.h"
#include "core/ops/prune_grid.h"

/* Who asks. */
typedef struct scan_place {
    int32_t x, z, radius;
} scan_place;

static inline int32_t least(int32_t a, int32_t b) {
    return a < b ? a : b;
}

/* The bucket at a distance from the low border, which may lie outside. */
static inline int32_t bucket_at(const prune_class *class, int32_t distance, int32_t count) {
    return least(prune_bucket_along(class, distance < 0 ? 0 : distance), count - 1);
}

/* How far rivals of a class can be in conflict with a place. */
static inline int32_t far_of(const prune_grid *grid, const prune_class *class, scan_place own) {
    return prune_conflict(grid->sum, own.radius, class->radius) - 1;
}

/* Rivals side by side: those of one row of a class that may be in conflict. */
typedef struct scan_run {
    uint32_t first, end;
} scan_run;

/* The columns of a class that a search looks at. */
typedef struct scan_columns {
    int32_t west, east;
} scan_columns;

static inline scan_columns columns_of(const prune_grid *grid, const prune_class *class,
                                      scan_place own, int32_t far) {
    int32_t east = own.x - grid->x0;
    return (scan_columns){bucket_at(class, east - far, class->columns),
                          bucket_at(class, east + far, class->columns)};
}

static inline scan_run run_of(const prune_class *class, scan_columns columns, int32_t row) {
    const uint32_t *start = class->start + (size_t)row * (size_t) class->columns;
    return (scan_run){start[columns.west], start[columns.east + 1]};
}

/* Distances are cut to what has a square: no conflict is so far. */
static inline uint32_t hits_narrow(const prune_grid *grid, uint32_t first, scan_place own,
                                   bool sum) {
    const int32_t *restrict x = grid->x + first;
    const int32_t *restrict z = grid->z + first;
    const int32_t *restrict radius = grid->radius + first;
    uint32_t hits = 0;
    for (uint32_t lane = 0; lane < PRUNE_LANES; lane++) {
        int32_t dx = x[lane] - own.x, dz = z[lane] - own.z;
        dx = least(dx < 0 ? -dx : dx, PRUNE_NARROW_MAX);
        dz = least(dz < 0 ? -dz : dz, PRUNE_NARROW_MAX);
        int32_t conflict = prune_conflict(sum, own.radius, radius[lane]);
        hits |= (uint32_t)(dx * dx + dz * dz < conflict * conflict) << lane;
    }
    return hits;
}

static inline uint32_t hits_wide(const prune_grid *grid, uint32_t first, scan_place own) {
    uint32_t hits = 0;
    for (uint32_t lane = 0; lane < PRUNE_LANES; lane++) {
        int64_t dx = (int64_t)grid->x[first + lane] - own.x;
        int64_t dz = (int64_t)grid->z[first + lane] - own.z;
        int64_t conflict = prune_conflict(grid->sum, own.radius, grid->radius[first + lane]);
        hits |= (uint32_t)(dx * dx + dz * dz < conflict * conflict) << lane;
    }
    return hits;
}

/* Bits of the rivals of a run, of LANES at most, that are in conflict with a place. */
static inline uint32_t hits_of(const prune_grid *grid, scan_run run, scan_place own) {
    uint32_t hits = grid->wide  ? hits_wide(grid, run.first, own)
                    : grid->sum ? hits_narrow(grid, run.first, own, true)
                                : hits_narrow(grid, run.first, own, false);
    uint32_t left = run.end - run.first;
    return left >= PRUNE_LANES ? hits : hits & ((1u << left) - 1u);
}

static inline scan_place place_of(const prune_grid *grid, uint32_t i) {
    return (scan_place){grid->x[i], grid->z[i], grid->radius[i]};
}

/* Runs `body` with `hits` and `run` for all that is in conflict with `own`; `tests` grows by all
 * that are looked at. */
#define FOR_HITS(grid, own, tests, body)                                                           \
    for (uint32_t c = 0; c < (grid)->class_count; c++) {                                           \
        const prune_class *class = &(grid)->classes[c];                                            \
        const int32_t far = far_of(grid, class, own), north = (own).z - (grid)->z0;                \
        const scan_columns columns = columns_of(grid, class, own, far);                            \
        const int32_t last_row = bucket_at(class, north + far, class->rows);                       \
        for (int32_t r = bucket_at(class, north - far, class->rows); r <= last_row; r++) {         \
            scan_run run = run_of(class, columns, r);                                              \
            for (; run.first < run.end; run.first += PRUNE_LANES) {                                \
                uint32_t hits = hits_of(grid, run, own);                                           \
                (tests) += (uint32_t)least((int32_t)(run.end - run.first), PRUNE_LANES);           \
                body                                                                               \
            }                                                                                      \
        }                                                                                          \
    }

/* Pieces whose hits are one word. */
enum { WORD_PIECES = 64 / PRUNE_LANES };

/* Turns of rivals that live when their search begins, and what they are in conflict with. A rival's
 * pieces begin at a whole word; pieces that fill a word up are empty. */
typedef struct scan_batch {
    uint32_t count;
    uint64_t tests; /* rivals that are looked at */
    uint32_t turn[PRUNE_BATCH];
    scan_place place[PRUNE_BATCH];
    uint32_t piece[PRUNE_BATCH + 1]; /* where each one's begin */
    scan_run pieces[PRUNE_PIECES];
    uint8_t owner[PRUNE_PIECES];
    uint16_t hits[PRUNE_PIECES];
} scan_batch;

/* Fills a batch; returns the turn after its last. */
static uint32_t take_live(const prune_turns *turns, uint32_t turn, uint32_t last,
                          scan_batch *batch) {
    uint32_t count = 0;
    for (; turn < last && count < PRUNE_BATCH; turn++) {
        batch->turn[count] = turn;
        count += turns->fate[turns->order[turn]] == 0;
    }
    batch->count = count;
    return turn;
}

/* Neighbours in the order of priority are none in the world: what a search needs is far away. */
static inline void fetch_run(const prune_grid *grid, scan_run run) {
    __builtin_prefetch(grid->x + run.first);
    __builtin_prefetch(grid->z + run.first);
    __builtin_prefetch(grid->radius + run.first);
}

/* Cuts what a rival may be in conflict with into pieces; false when there is no room for them. */
static bool cut_pieces(const prune_grid *grid, uint32_t owner, scan_batch *batch) {
    const scan_place own = batch->place[owner];
    uint32_t count = batch->piece[owner];
    for (uint32_t c = 0; c < grid->class_count; c++) {
        const prune_class *class = &grid->classes[c];
        const int32_t far = far_of(grid, class, own), north = own.z - grid->z0;
        const scan_columns columns = columns_of(grid, class, own, far);
        const int32_t last = bucket_at(class, north + far, class->rows);
        for (int32_t row = bucket_at(class, north - far, class->rows); row <= last; row++) {
            scan_run run = run_of(class, columns, row);
            batch->tests += run.end - run.first;
            do {
                if (count + WORD_PIECES > PRUNE_PIECES) {
                    return false;
                }
                fetch_run(grid, run);
                batch->pieces[count] = run;
                batch->owner[count] = (uint8_t)owner;
                count += run.first < run.end;
                run.first += PRUNE_LANES;
            } while (run.first < run.end);
        }
    }
    for (; count % WORD_PIECES != 0; count++) {
        batch->pieces[count] = (scan_run){0, 0};
        batch->owner[count] = (uint8_t)owner;
    }
    batch->piece[owner + 1] = count;
    return true;
}

/* As many of the batch's rivals as have room for their pieces. */
static void search_batch(const prune_turns *turns, scan_batch *batch) {
    uint32_t fits = 0;
    batch->tests = 0;
    batch->piece[0] = 0;
    while (fits < batch->count) {
        batch->place[fits] = place_of(&turns->grid, turns->order[batch->turn[fits]]);
        if (!cut_pieces(&turns->grid, fits, batch)) {
            break;
        }
        fits++;
    }
    batch->count = fits;
    for (uint32_t p = 0; p < batch->piece[fits]; p++) {
        batch->hits[p] =
            (uint16_t)hits_of(&turns->grid, batch->pieces[p], batch->place[batch->owner[p]]);
    }
}

/* Lists what a rival of the batch is in conflict with, itself too. */
static uint32_t list_searched(const scan_batch *batch, uint32_t owner, uint32_t *list) {
    uint32_t count = 0;
    for (uint32_t p = batch->piece[owner]; p < batch->piece[owner + 1]; p += WORD_PIECES) {
        uint64_t word = 0;
        for (uint32_t piece = 0; piece < WORD_PIECES; piece++) {
            word |= (uint64_t)batch->hits[p + piece] << (piece * PRUNE_LANES);
        }
        while (word != 0) {
            uint32_t bit = (uint32_t)__builtin_ctzll(word);
            list[count++] = batch->pieces[p + bit / PRUNE_LANES].first + bit % PRUNE_LANES;
            word &= word - 1;
        }
    }
    return count;
}

/* The same for any rival, however many pieces it takes. */
static uint32_t list_hits(prune_turns *turns, uint32_t i) {
    const prune_grid *grid = &turns->grid;
    const scan_place own = place_of(grid, i);
    uint32_t count = 0;
    FOR_HITS(grid, own, turns->tests, {
        while (hits != 0) {
            turns->hits[count++] = run.first + (uint32_t)__builtin_ctz(hits);
            hits &= hits - 1;
        }
    })
    return count;
}

/* The deaths of those of a list that win: of each the first, of all the marks together. */
static inline uint32_t deaths_of(const uint8_t *fate, const uint32_t *list, uint32_t count) {
    uint32_t deaths = 0;
    for (uint32_t h = 0; h < count; h++) {
        uint32_t marks = fate[list[h]];
        deaths |= (marks & (0u - marks)) & (0u - marks / FATE_OVER);
    }
    return deaths;
}

/* The turn of a live rival that is in conflict with turns->hits[0 .. count). Its blow may fall on
 * itself and on those who are dead: later marks say nothing. */
static void settle(prune_turns *turns, uint32_t i, uint32_t count) {
    const uint32_t deaths = deaths_of(turns->fate, turns->hits, count);
    turns->fate[i] = FATE_OVER;
    if (deaths >= 1u << (turns->rounds - 1)) {
        return;
    }
    const uint8_t mark = (uint8_t)(deaths == 0 ? 1u : 2u << (31 - __builtin_clz(deaths)));
    turns->accepted[turns->grid.row[i]] = 1;
    for (uint32_t h = 0; h < count; h++) {
        turns->fate[turns->hits[h]] |= mark;
    }
}

/* The dead of turns [first, last). */
static void pass_over(prune_turns *turns, uint32_t first, uint32_t last) {
    for (uint32_t turn = first; turn < last; turn++) {
        turns->fate[turns->order[turn]] |= FATE_OVER;
    }
}

static void decide(prune_turns *turns, uint32_t first, uint32_t last) {
    scan_batch batch;
    while (first < last && turns->tests <= TESTS_PER_CELL_MAX) {
        uint32_t next = take_live(turns, first, last, &batch);
        uint32_t live = batch.count;
        search_batch(turns, &batch);
        turns->tests += batch.tests;
        for (uint32_t owner = 0; owner < batch.count; owner++) {
            uint32_t i = turns->order[batch.turn[owner]];
            pass_over(turns, first, batch.turn[owner]);
            first = batch.turn[owner];
            if (turns->fate[i] == 0) {
                settle(turns, i, list_searched(&batch, owner, turns->hits));
                first++;
            }
        }
        if (batch.count == live) {
            pass_over(turns, first, next);
            first = next;
        } else if (batch.count == 0) {
            uint32_t i = turns->order[batch.turn[0]];
            pass_over(turns, first, batch.turn[0]);
            settle(turns, i, list_hits(turns, i));
            first = batch.turn[0] + 1;
        }
    }
}

static uint8_t is_near(const prune_grid *grid, scan_place own, uint64_t *tests) {
    FOR_HITS(grid, own, *tests, {
        if (hits != 0) {
            return 1;
        }
    })
    return 0;
}

static uint64_t look(const prune_grid *grid, const int32_t *x, const int32_t *z,
                     const int32_t *radius, uint32_t count, uint8_t *near) {
    uint64_t tests = 0;
    for (uint32_t i = 0; i < count; i++) {
        near[i] = is_near(grid, (scan_place){x[i], z[i], radius[i]}, &tests);
    }
    return tests;
}

const prune_scan_kernels KERNEL(prune_scan_kernels) = {decide, look};
